"""Transfer suites: selection over scenes that other simulators filmed, MOVi-A and Physion (DynaPix, appendix E)."""
