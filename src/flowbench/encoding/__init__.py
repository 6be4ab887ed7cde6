"""What a release's bytes mean: each encoder beside its decoder.

Encoders take arrays and refuse what the encoding cannot hold (ValueError). Decoders take bytes that may be hostile,
check before they decode, and raise :class:`~flowbench.errors.ReleaseError`.
"""

from .depth import MAX_DEPTH, decode_depth, decode_depth_millimetres, depth_to_millimetres, encode_depth, metres
from .flow import FLOW_LIMIT, FLOW_STEP, FlowRangeError, decode_flow, encode_flow
from .ids import decode_ids, encode_ids
from .masks import decode_rle, encode_instances, encode_mask
from .rgb import decode_rgb, encode_rgb

__all__ = [
    "FLOW_LIMIT",
    "FLOW_STEP",
    "MAX_DEPTH",
    "FlowRangeError",
    "decode_depth",
    "decode_depth_millimetres",
    "decode_flow",
    "decode_ids",
    "decode_rgb",
    "decode_rle",
    "depth_to_millimetres",
    "encode_depth",
    "encode_flow",
    "encode_ids",
    "encode_instances",
    "encode_mask",
    "encode_rgb",
    "metres",
]
