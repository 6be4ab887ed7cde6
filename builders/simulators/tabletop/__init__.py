"""An arm at a table that moves one of a few household things or toys: videos, and the truth beside them."""
