"""flowbench: make, check, publish and load data about imagining how a scene changes.

Importing this package is cheap (it imports neither ``datasets`` nor a simulator); the parts
live in :mod:`flowbench.schema`, :mod:`flowbench.loaders`, :mod:`flowbench.builders`,
:mod:`flowbench.validation` and :mod:`flowbench.cli`.
"""

from ._version import __version__

__all__ = ["__version__"]
