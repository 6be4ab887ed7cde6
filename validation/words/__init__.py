"""What the texts of a sample say, and the marks that they speak of."""
