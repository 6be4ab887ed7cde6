"""Collision scenes in Bullet: what is drawn, how it moves, and which scenes are kept (DynaPix, section 3.2)."""
