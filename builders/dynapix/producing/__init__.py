"""Selection and retrieval as the runner sees them: scenes -> candidates -> selection -> samples."""
