"""The records of ``selection_*`` and ``retrieval_*`` samples: typed structs, null where a sample has no such value.

Frames count from 0 to 127, 25 of them a second; pixels are those of 480x320 pictures; the scene's truth is in
``meta.txt`` (schema.md, "Columns of the other configs").
"""

from __future__ import annotations

from pydantic import Field

from .frozen import Frozen
from .sim import RewriterNote


class SceneProvenance(Frozen):
    """Where a sample of a collision scene comes from; enough to build it again."""

    builder_version: str = Field(description="Version of the package that built it.")
    label_version: int = Field(description="Version of what is asked and how the answer is found.")
    seed: int = Field(description="Release seed.")
    pool: str = Field(description="Scene pool, e.g. 'collisions'.")
    scene: int = Field(description="Scene index in the pool.")
    preset: str = Field(description="'balanced' or 'paper'.")
    simulator: str = Field(description="Simulator name.")
    simulator_version: str = Field(description="Simulator and physics engine version.")


class SelectionProvenance(SceneProvenance):
    """The same of a question, whose rationale a language model may have written."""

    rewriter: RewriterNote | None = Field(
        default=None, description="The language model that wrote the rationale from the record; null where none did."
    )


class Prefix(Frozen):
    """What is observed."""

    first: int = Field(description="First observed frame of the scene.")
    last: int = Field(description="Last observed frame: the cut.")
    fps: int = Field(description="Frames a second of the scene and of the video.")
    shown: list[int] = Field(
        description="The scene's frames in the order in which the video shows them; empty where there is no video."
    )


class Candidate(Frozen):
    """One of the four candidates."""

    letter: str = Field(description="'A' to 'D'; the picture is candidate_0.png for A, and so on.")
    variant: str = Field(
        description="Which run it is a frame of: 'factual', 'twin-N' (same bodies, other motion), "
        "'other-N' (other scene)."
    )
    frame: int = Field(description="Frame of that run.")
    kind: str = Field(description="'target', 'same_scene', 'twin' or 'other_scene'.")


class SelectionRecord(Frozen):
    """One question with four candidates, of which one is the exact future."""

    id: str = Field(description="Unique in the config; the key of the sample in its shard; no dots.")
    category: str = Field(description="Question family: 'event', 'time', 'window', or 'matched'.")
    subtype: str = Field(description="Kind of item within the family, see the card.")
    scene_id: str = Field(description="Unique scene name, e.g. 'collisions-000007'.")
    source: str = Field(description="Simulator or video source, e.g. 'bullet'.")
    query: str = Field(description="What is asked.")
    choices: list[str] = Field(description="'A' to 'D', the names of the candidates.")
    answer: str = Field(description="Letter of the right candidate.")
    prefix: Prefix
    target_frame: int = Field(description="Frame of the true run that is asked for.")
    horizon: int = Field(description="Frames from the cut to the target.")
    rank: int = Field(description="Place of the right candidate among the four in order of time, 1 to 4.")
    candidates: list[Candidate] = Field(description="In letter order.")
    margin: float = Field(description="Pixels by which what is asked about lies elsewhere in the nearest distractor.")
    margin_unit: str = Field(description="'px'.")
    anchor: str | None = Field(description="Of matched items what the query names, 'event' or 'time'; else null.")
    control: str | None = Field(
        description="Of matched items 'full', 'candidates_only' (no video) or 'shuffled_prefix'; else null."
    )
    pair: str | None = Field(description="What matched items over the same candidates share; else null.")
    rationale: str | None = Field(description="How the future follows from what is seen, in words; null without one.")
    provenance: SelectionProvenance


class Intervention(Frozen):
    """What a counterfactual query changes before the scene begins."""

    removed: str = Field(description="Name of the body that is taken away, e.g. 'the red metal cube'.")
    body: int = Field(description="Its index in the scene.")


class RetrievalRecord(Frozen):
    """One query over the corpus."""

    id: str = Field(description="Unique in the config; the key of the sample in its shard; no dots.")
    category: str = Field(description="'time', 'event' or 'counterfactual'.")
    builder: int = Field(description="Which of the six builders made it, 1 to 6; 0 of a counterfactual query.")
    scene_id: str = Field(description="Unique scene name, e.g. 'collisions-000007'.")
    source: str = Field(description="Simulator or video source, e.g. 'bullet'.")
    query: str = Field(description="What is asked.")
    prefix: Prefix
    target_frame_id: str = Field(description="The frame to be found: frame_id in retrieval_corpus.")
    target_frame: int = Field(description="Its frame in its run.")
    horizon: int = Field(description="Frames from the cut to the target.")
    negatives: list[str] = Field(description="Corpus frames that look like the target and are not it.")
    intervention: Intervention | None = Field(description="Of a counterfactual query; else null.")
    margin: float = Field(description="Pixels by which some body lies elsewhere in the nearest hard negative.")
    margin_unit: str = Field(description="'px'.")
    provenance: SceneProvenance


class CorpusRecord(Frozen):
    """One frame that queries are ranked against."""

    id: str = Field(description="Unique in the config; the key of the sample in its shard; no dots.")
    category: str = Field(description="'frame'.")
    frame_id: str = Field(description="What queries call it.")
    scene_id: str = Field(description="Unique scene name, e.g. 'collisions-000007'.")
    source: str = Field(description="Simulator or video source, e.g. 'bullet'.")
    variant: str = Field(
        description="Which run it is a frame of: 'factual', 'without-N' (run again without body N), 'erased-N' (the "
        "true run, body N not drawn)."
    )
    frame_index: int = Field(description="Frame of that run.")
    provenance: SceneProvenance
