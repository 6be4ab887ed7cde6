"""What a validation found, for people: on the terminal, and as one self-contained page."""
