"""Simulators behind one contract (:mod:`.base`)."""
