"""AI2-THOR behind the simulator contract: iTHOR rooms and ProcTHOR houses through the ``ai2thor`` client."""
