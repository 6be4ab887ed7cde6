"""Perception as a contract, and who fulfils it: the tabletop's truth, files, models, and mistakes on purpose."""
