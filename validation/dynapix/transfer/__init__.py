"""Selection over scenes that others filmed, derived again from what is published of them (dynapix: transfer suites)."""
