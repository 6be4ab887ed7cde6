"""What planning makes: selection items, retrieval queries and corpus frames, complete but for pictures and video."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from .scenes import FACTUAL


@dataclass(frozen=True, order=True)
class Place:
    """A picture of a scene: which run of it (:attr:`.scenes.SceneFilms.films`), and which frame."""

    variant: str
    frame: int


def factual(frame: int) -> Place:
    """A frame of the true run."""
    return Place(FACTUAL, frame)


@dataclass(frozen=True)
class SelectionDraft:
    """An item before its letter is settled.

    Attributes:
        scene: index in the pool.
        slot: what only one draft of a scene is chosen for, e.g. ``"window 2"``.
        ordinal: number of the draft in its slot.
        family: ``event``, ``time`` or ``window``.
        subtype: its name in :mod:`.selection.subtypes`.
        query: the question.
        first, cut: first and last frame of the observation.
        target: frame asked for.
        horizon: frames from the cut to the target.
        places: the four candidates in order of time (frame, then variant).
        rank: which of them is right, 1 to 4.
        kinds: of the candidates: ``target``, ``same_scene``, ``twin`` or ``other_scene``.
        focus: bodies that the item is about, ascending.
        margin: pixels in the picture by which what the item is about lies elsewhere in the nearest distractor.
        rules: blind rule -> the candidates it picks, as four signs ``0`` or ``1`` in order of time.
        rationale: in words, or "" where none is wanted.
    """

    scene: int
    slot: str
    ordinal: int
    family: str
    subtype: str
    query: str
    first: int
    cut: int
    target: int
    horizon: int
    places: tuple[Place, ...]
    rank: int
    kinds: tuple[str, ...]
    focus: tuple[int, ...]
    margin: float
    rules: tuple[tuple[str, str], ...]
    rationale: str = ""

    def payload(self) -> str:
        """The draft as JSON, to travel from the propose pass to the write pass."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_payload(cls, payload: str) -> SelectionDraft:
        """The draft back from its JSON."""
        raw: dict[str, Any] = json.loads(payload)
        raw["places"] = tuple(Place(**place) for place in raw["places"])
        raw["kinds"] = tuple(raw["kinds"])
        raw["focus"] = tuple(raw["focus"])
        raw["rules"] = tuple((name, picks) for name, picks in raw["rules"])
        return cls(**raw)


@dataclass(frozen=True)
class SelectionItem:
    """A finished item of four candidates.

    Attributes:
        scene, family, subtype, query, first, cut, target, horizon, focus, margin, rationale: as in
            :class:`SelectionDraft`.
        split: ``train`` or ``test``.
        candidates: in the order of their letters.
        kinds: of the candidates, in that order.
        letter: the right one's.
        rank: the right one's place in time among the four, 1 to 4.
        anchor: of a matched item what its query names, ``event`` or ``time``; else None.
        control: of a matched item ``full``, ``candidates_only`` (no video) or ``shuffled_prefix``; else None.
        pair: what matched items over the same candidates share; else None.
        shown: the observation's frames in the order in which the video shows them; none of ``candidates_only``.
    """

    scene: int
    split: str
    family: str
    subtype: str
    query: str
    first: int
    cut: int
    target: int
    horizon: int
    candidates: tuple[Place, ...]
    kinds: tuple[str, ...]
    letter: str
    rank: int
    focus: tuple[int, ...]
    margin: float
    rationale: str
    shown: tuple[int, ...]
    anchor: str | None = None
    control: str | None = None
    pair: str | None = None


@dataclass(frozen=True)
class RetrievalQuery:
    """One query over the corpus.

    Attributes:
        scene: index in the pool.
        split: ``train`` or ``test``.
        builder: number of its builder, 1 to 6; 0 of a counterfactual query.
        anchor: ``time``, ``event`` or ``counterfactual``.
        query: the text.
        first, cut: first and last frame of the observation, of the true run.
        target: the frame to be found.
        horizon: frames from the cut to the target.
        negatives: corpus frames that look like the target and are not it.
        removed: name of the body that a counterfactual query takes away; else None.
        margin: pixels by which some body lies elsewhere in the nearest negative of the target's own run; of a
            counterfactual query by which the farthest body lies from its factual place.
    """

    scene: int
    split: str
    builder: int
    anchor: str
    query: str
    first: int
    cut: int
    target: Place
    horizon: int
    negatives: tuple[Place, ...]
    removed: str | None
    margin: float


@dataclass(frozen=True, order=True)
class CorpusFrame:
    """One frame of the retrieval corpus.

    Attributes:
        scene: index in the pool.
        place: run and frame.
        needed: whether a query needs it, as its target or as a negative; others fill the corpus up.
    """

    scene: int
    place: Place
    needed: bool

    @property
    def frame_id(self) -> str:
        """Its id, unique in the corpus; it tells nothing of why the frame is there."""
        return frame_id(self.scene, self.place)


def frame_id(scene: int, place: Place) -> str:
    """A corpus frame's id: scene, run and frame."""
    return f"{scene:06d}-{place.variant}-{place.frame:03d}"
