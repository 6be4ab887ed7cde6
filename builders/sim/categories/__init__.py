"""Question categories, one file each."""
