"""``feasibility``: could the mover, where it stands after the move, be moved on by a named translation?

The move is only a setup. The probe is swept at constant height; the same probe from where the mover stood first gives
the before-answer, and all four cells are asked about alike (sim.md, "What balanced promises").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..generic import DIRECTIONS, generic_moves
from ..items import Because, Item, Label, Question, Reject
from ..measuring import PIXELS_AT_800
from ..move import Move
from ..presets import Preset
from ..probing import probe_way
from ..silhouette import silhouette
from ..trial import Trial
from ..view import Sight
from ..walls import wall_sides
from .base import Category, yes_no_cell

PROBES = 6
"""Probes tried a trial; the paper's fast mode tries 3, but labels cost no rendering."""
ORTHOGONAL = 0.85
"""Probability that a probe is square to the setup move (paper A.2)."""
COMPOUND = 0.25
"""Share of probes off the axes: hard negatives (paper A.2)."""
PAST_WALL = 0.05
"""Metres by which a probe into a wall is longer than the way to it (sim.md, "Categories")."""
LEAST_INSIDE = 0.7
"""Share of the mover's outline at the probe's end that lies inside the picture."""
BEHIND = 0.3
"""Metres by which something may hide the probe's end at its centre."""
MOVES_A_MOVER = 3
CLEAR_WAY = 0.02
CLEAR_BLOCK = 0.07
"""What the eye can tell, metres beyond the band of 0.03 m: a free way passes everything by so much more, a blocked one
is so much longer than the way to what blocks it; also before the move."""


@final
class Feasibility(Category):
    """See the module."""

    name = "feasibility"
    label_version = 1
    unit = "m"
    measures_gaps = False
    choices = 2
    questions: ClassVar[Sequence[str]] = (
        "After this move, could {mover} be moved a further {probe}, without bumping into anything or changing height?",
        "From there, is the way free to slide {mover} another {probe}, keeping its height?",
        "Once it has moved, would {mover} stay free of collisions, at the same height, if shifted {probe}?",
        "Would there then be room to move {mover} on by {probe}, without lifting it and without hitting anything?",
        "Starting from its new place at constant height, is there a collision-free way for {mover} to go {probe}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Could {mover} be moved {probe}, without bumping into anything or changing height?",
        "Is the way free to slide {mover} {probe}, keeping its height?",
        "Would {mover} stay free of collisions, at the same height, if shifted {probe}?",
        "Is there room to move {mover} by {probe}, without lifting it and without hitting anything?",
        "Starting from its place at constant height, is there a collision-free way for {mover} to go {probe}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Generic setup moves (paper A.2)."""
        return generic_moves(preset, rng, MOVES_A_MOVER)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """One question for every probe whose outcome is clear from both places and can be seen."""
        for probe in _probes(trial, rng):
            question = Question(trial.mover.object_id, (), probe.direction, None, probe)
            labels = self.labels(trial.before, trial.after, question)
            if isinstance(labels, Reject):
                yield labels
            elif not all(map(_is_clear, labels)):
                yield Reject("feasibility: hard to see")
            else:
                yield Item.of(self.name, trial.move, question, *labels, yes_no_cell(*labels))

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Sweep the probe."""
        if question.probe is None:
            return Reject("feasibility: no probe")
        displacement = question.probe.world(sight.camera)
        outside = _refuse_outside(sight, question.mover, displacement)
        if outside is not None:
            return outside
        outcome = probe_way(sight.arrangement, question.mover, displacement)
        if isinstance(outcome, Reject):
            return outcome
        if not outcome.firm:
            return Reject("feasibility: grazes one thing and meets another")
        return _refuse_unseen(sight, question.mover, displacement, outcome.blocker) or outcome.label

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """What is in the way, before and after."""
        assert item.probe is not None
        assert item.before is not None
        ways = []
        for sight in (before, after):
            outcome = probe_way(sight.arrangement, item.mover, item.probe.world(sight.camera))
            assert not isinstance(outcome, Reject)
            blocker = None if outcome.blocker is None else _called(sight, outcome.blocker)
            ways.append((blocker, outcome.reach))
        starts, ends = (
            f"{mover} has room to go {item.probe.way} as far as asked"
            if blocker is None
            else f"{mover} would run into {blocker} if it went {item.probe.way} from there"
            for blocker, _ in ways
        )
        changes = {
            ("no", "yes"): "free",
            ("yes", "no"): "blocked",
            ("yes", "yes"): "free as well",
            ("no", "no"): "blocked as well",
        }
        blocker, reach = ways[1]
        return Because(
            start=starts,
            change=f"moving {mover} {item.move.way} brings it to where that way is {changes[item.before, item.answer]}",
            result=ends,
            measured=f"from its new place {mover} can go "
            + (
                f"all of the {item.probe.length:.2f} m asked about"
                if blocker is None
                else f"{reach:.2f} m of the {item.probe.length:.2f} m asked about before it meets {blocker}"
            ),
        )


def _is_clear(label: Label | None) -> bool:
    """Whether a viewer could tell: the way is clearly free, or clearly too long."""
    return label is not None and label.margin >= (CLEAR_WAY if label.answer == "yes" else CLEAR_BLOCK)


def _probes(trial: Trial, rng: np.random.Generator) -> Iterator[Move]:
    """Mostly square to the setup move, some off the axes, some straight into the nearest wall (paper A.2)."""
    bands = trial.preset.length_bands
    sideways = trial.move.away_cm == 0
    for _ in range(PROBES):
        shortest, longest = bands[int(rng.integers(len(bands)))]
        length = float(rng.uniform(shortest, longest))
        square = bool(rng.random() < ORTHOGONAL)
        axis = [d for d in DIRECTIONS if (d[0] == 0.0) == (sideways == square)]
        right, away = axis[int(rng.integers(len(axis)))]
        if rng.random() < COMPOUND:
            other = (1.0 if rng.integers(2) else -1.0) * float(rng.uniform(0.3, 1.0))
            right, away = (right, other) if right else (other, away)
            norm = length / float(np.sqrt(right * right + away * away))
            yield Move.of(right * norm, away * norm)
        else:
            yield Move.of(right * length, away * length)
    for side in wall_sides(trial.after.arrangement, trial.mover)[:2]:
        length = side.gap + PAST_WALL + float(rng.uniform(0.0, 0.25))
        if bands[0][0] <= length <= bands[-1][1]:
            yield Move.across(trial.after.camera, -length * side.normal[0], -length * side.normal[1])


def _refuse_outside(sight: Sight, mover: str, displacement: tuple[float, float]) -> Reject | None:
    """Whether the probe's end lies in the picture."""
    outline = silhouette(sight.arrangement.placed(mover).moved((*displacement, 0.0)), sight.camera)
    if outline is None or outline.inside < LEAST_INSIDE * outline.area:
        return Reject("feasibility: leads out of the picture")
    return None


def _refuse_unseen(sight: Sight, mover: str, displacement: tuple[float, float], blocker: str | None) -> Reject | None:
    """Whether a viewer could follow the probe: what blocks it is in sight, or else its end is."""
    least = PIXELS_AT_800 * sight.scale * sight.scale
    if blocker is not None:
        mask = sight.mask(blocker)
        return None if mask is not None and mask.area >= least else Reject("feasibility: blocker hardly seen")
    end = sight.arrangement.centre(mover) + np.array([*displacement, 0.0])
    pixel, depth = sight.camera.project(end)
    u, v = round(float(pixel[0])), round(float(pixel[1]))
    inside = 0 <= u < sight.camera.width and 0 <= v < sight.camera.height
    if not inside or float(sight.depth[v, u]) < float(depth) - BEHIND - float(
        sight.arrangement.object(mover).box.half.max()
    ):
        return Reject("feasibility: leads behind something")
    return None


def _called(sight: Sight, object_id: str) -> str:
    """What a text calls an unmarked thing."""
    label = sight.arrangement.object(object_id).label
    return f"{'an' if label[0] in 'aeiou' else 'a'} {label}"
