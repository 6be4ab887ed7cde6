"""Collision scenes as plain values, and how they are filmed: what builders make and checks make again (DynaPix)."""
