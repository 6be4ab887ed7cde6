"""Rationales: oracle -> predicates -> text -> validator (DynaPix, section 5.1, appendices G and K)."""

from .narrator import narrate
from .predicates import Predicates, Terciles, observe, terciles_of
from .validator import refuse

__all__ = ["Predicates", "Terciles", "narrate", "observe", "refuse", "terciles_of"]
