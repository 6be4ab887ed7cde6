"""Parametric object models, one module a family; every maker is ``make(rng, style) -> Model``."""
