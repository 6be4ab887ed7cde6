"""Selection: four candidates, one exact frame (DynaPix, section 3.3 and appendix A).

How it is run: :func:`plan_selection` makes drafts of one scene, :func:`row_of` makes rows of them for the candidate
table, :func:`select` chooses over all scenes and settles letters, :func:`finish` (or :func:`matched_items`) makes the
items, whose pictures are ``films.films[place.variant].picture(place.frame)`` and whose video shows ``shown``.
"""

from .matched import matched_items
from .planning import plan_selection
from .selecting import Choice, finish, row_of, select

__all__ = ["Choice", "finish", "matched_items", "plan_selection", "row_of", "select"]
