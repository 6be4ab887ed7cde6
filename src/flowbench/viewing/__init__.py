"""How data is looked at: marks, flow, depth and segmentation as colours, and the page that shows samples.

Nothing here knows a simulator.
"""
