"""What the texts of a recorded pair's question say, and the dots and badges that they speak of."""
