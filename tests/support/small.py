"""The small real release that all tests share: what it is built from."""

SMALL = {"width": 160, "height": 120}
SCENES = 2
SEED = 0
