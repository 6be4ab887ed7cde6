"""The LeRobot dataset format, versions 2.1 and 3.0: reading and writing it without its own package."""
