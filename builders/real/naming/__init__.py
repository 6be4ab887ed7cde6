"""Names of marked objects by a language model that sees them: optional, checked, cached (paper, B.4.9)."""
