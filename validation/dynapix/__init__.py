"""Exact futures, derived again from trajectories and collisions alone (dynapix: selection and retrieval)."""
