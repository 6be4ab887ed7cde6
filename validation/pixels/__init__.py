"""What the images of a sample say of each other, of the record and of the scene's state; nothing here knows a label."""
