"""Retrieval: rank the true frame among ten thousand (DynaPix, section 3.4 and appendix D).

How it is run: :func:`plan_retrieval` makes the queries of one scene and the frames it offers to the corpus;
:func:`select_retrieval` chooses over all scenes. A frame's picture is
``films.films[place.variant].picture(place.frame)``.
"""

from .corpus import select_retrieval
from .planning import plan_retrieval

__all__ = ["plan_retrieval", "select_retrieval"]
