"""Exact futures: collisions of simple bodies, by selection among four frames and by retrieval (DynaPix)."""
