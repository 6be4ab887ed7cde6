"""From samples of exact futures to what the page shows of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..encoding import decode_rgb
from ..errors import ReleaseError
from ..release import Sample
from ..schema import record_from_json
from ..schema.dynapix import Candidate, CorpusRecord, RetrievalRecord, SelectionRecord
from .clips import Clip, make_clip
from .corpus import Frames
from .members import member
from .pictures import photo_uri

SELECTION_COLUMNS: Final = frozenset({"json", "video.mp4", *(f"candidate_{place}.png" for place in range(4))})
RETRIEVAL_COLUMNS: Final = frozenset({"json", "video.mp4", "target.png", *(f"negative_{n}.png" for n in range(4))})
CORPUS_COLUMNS: Final = frozenset({"json", "frame.png"})
_PART: Final = re.compile(r"\s+(?=(?:Motion analysis|Prediction|Outcome)\.\s)")
"""Where a part of a rationale begins."""


@dataclass(frozen=True)
class Shot:
    """A picture that might be the future.

    Attributes:
        uri: ``data:`` URI; None where the release does not hold it.
        name: a letter, or what the corpus calls it.
        about: what it really is.
        right: whether it is what is asked for.
    """

    uri: str | None
    name: str
    about: str
    right: bool


@dataclass(frozen=True)
class FutureCard:
    """Everything that the page shows of a question about an exact future. Texts are raw: the template escapes them.

    Attributes:
        record: the sample's record.
        split: split it was found in.
        kind: what kind of item it is, in a few words.
        clip: what is observed, or None.
        shots: the candidates in letter order; of a query the target and its hard negatives.
        facts: label -> value, shown with the answer.
        json_text: the record, indented.
        rationale: how the future follows, in paragraphs.
    """

    record: SelectionRecord | RetrievalRecord
    split: str
    kind: str
    clip: Clip | None
    shots: tuple[Shot, ...]
    facts: Mapping[str, str]
    json_text: str
    rationale: tuple[str, ...] = ()


@dataclass(frozen=True)
class FrameCard:
    """A frame of the corpus on the page."""

    record: CorpusRecord
    split: str
    uri: str
    about: str


def selection_card(sample: Sample, split: str) -> FutureCard:
    """The card of a question with four candidates.

    Raises:
        ReleaseError: a member is missing or broken, or the answer names no candidate; told with the sample's key.
    """
    record = record_from_json(SelectionRecord, *member(sample, "json"))
    letters = [candidate.letter for candidate in record.candidates]
    if len(letters) != 4 or letters.count(record.answer) != 1:
        raise ReleaseError(
            f"the answer of sample {sample.key!r} is {record.answer[:40]!r}, which not one of its {len(letters)} "
            "candidates has, expected one of four: build the shard again"
        )
    shots = tuple(
        Shot(
            photo_uri(decode_rgb(*member(sample, f"candidate_{place}.png"))),
            candidate.letter,
            _told(candidate, record.target_frame),
            candidate.letter == record.answer,
        )
        for place, candidate in enumerate(record.candidates)
    )
    facts = {
        "Frame asked for": _moment(record.target_frame, record.horizon, record.prefix.fps),
        "Its place in time": f"{record.rank} of 4",
        "Margin": f"{record.margin:,.1f} {record.margin_unit} to the nearest distractor",
        "Observed": _observed(record),
    }
    named = {"Anchor": record.anchor, "Control": record.control, "Pair": record.pair}
    return FutureCard(
        record=record,
        split=split,
        kind=record.subtype,
        clip=make_clip(sample, record.prefix),
        shots=shots,
        facts=facts | {label: text for label, text in named.items() if text is not None},
        json_text=json.dumps(record.model_dump(), indent=2, ensure_ascii=False),
        rationale=_parts(record.rationale),
    )


def retrieval_card(sample: Sample, split: str, frames: Frames) -> FutureCard:
    """The card of a query; its target and hard negatives from the sample itself, else from the corpus.

    Raises:
        ReleaseError: a member is missing or broken; told with the sample's key.
    """
    record = record_from_json(RetrievalRecord, *member(sample, "json"))
    removed = {} if record.intervention is None else {"Taken away": record.intervention.removed}
    facts = {
        "Frame to be found": _moment(record.target_frame, record.horizon, record.prefix.fps),
        **removed,
        "Margin": f"{record.margin:,.1f} {record.margin_unit} to the nearest hard negative",
        "Observed": _observed(record),
    }
    return FutureCard(
        record=record,
        split=split,
        kind=f"without {record.intervention.removed}" if record.intervention else f"builder {record.builder}",
        clip=make_clip(sample, record.prefix),
        shots=_query_shots(sample, record, frames),
        facts=facts,
        json_text=json.dumps(record.model_dump(), indent=2, ensure_ascii=False),
    )


def frames_named(sample: Sample) -> Sequence[str]:
    """The corpus frames whose pictures the card of a query needs; none where it holds them itself."""
    if "target.png" in sample.members:
        return []
    record = record_from_json(RetrievalRecord, *member(sample, "json"))
    return [record.target_frame_id, *record.negatives]


def corpus_card(sample: Sample, split: str) -> FrameCard:
    """A frame of the corpus.

    Raises:
        ReleaseError: a member is missing or broken; told with the sample's key.
    """
    record = record_from_json(CorpusRecord, *member(sample, "json"))
    uri = photo_uri(decode_rgb(*member(sample, "frame.png")))
    return FrameCard(record, split, uri, f"{_run(record.variant)}, frame {record.frame_index}")


def _query_shots(sample: Sample, record: RetrievalRecord, frames: Frames) -> tuple[Shot, ...]:
    names = [record.target_frame_id, *record.negatives]
    own = "target.png" in sample.members
    shots = []
    for place, name in enumerate(names):
        column = "target.png" if place == 0 else f"negative_{place - 1}.png"
        about = "the frame to be found" if place == 0 else "looks like it"
        if own and column in RETRIEVAL_COLUMNS:
            uri: str | None = photo_uri(decode_rgb(*member(sample, column)))
        elif name in frames:
            uri, found = photo_uri(frames[name].picture), frames[name]
            about += f": {_run(found.variant)}, frame {found.frame}"
        else:
            uri = None
        shots.append(Shot(uri, name, about, place == 0))
    return tuple(shots)


def _parts(rationale: str | None) -> tuple[str, ...]:
    """A rationale's parts, as far as it names them."""
    return () if rationale is None else tuple(_PART.split(rationale.strip()))


def _told(candidate: Candidate, target: int) -> str:
    """What a candidate really is."""
    runs = {
        "target": "the true future",
        "same_scene": "the same run",
        "twin": "the same bodies, other motion",
        "other_scene": "another scene",
    }
    what = f"{runs.get(candidate.kind, candidate.kind)}, frame {candidate.frame}"
    off = candidate.frame - target
    if candidate.kind != "same_scene" or not off:
        return what
    return f"{what}: {abs(off)} {'frame' if abs(off) == 1 else 'frames'} {'early' if off < 0 else 'late'}"


def _run(variant: str) -> str:
    name, _, body = variant.partition("-")
    runs = {"factual": "the scene as it is", "without": f"run without body {body}", "erased": f"body {body} not drawn"}
    return runs.get(name, variant)


def _moment(frame: int, horizon: int, fps: int) -> str:
    return f"{frame}, {horizon} frames ({horizon / max(fps, 1):.2f} s) after the cut"


def _observed(record: SelectionRecord | RetrievalRecord) -> str:
    prefix = record.prefix
    if not prefix.shown:
        return f"nothing (frames {prefix.first} to {prefix.last} are left out)"
    order = "" if list(prefix.shown) == sorted(prefix.shown) else ", shuffled"
    return f"frames {prefix.first} to {prefix.last}{order}"
