"""How data is looked at: flow, depth and segmentation as colours, and the page that shows samples.

Nothing here knows a simulator.
"""
