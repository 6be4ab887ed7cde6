"""What every category promises: labels that read the same again, cells that mean what they say."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from flowbench.builders.sim.categories import CATEGORIES, closer_to, contact_wall, left_right, near_object, occlusion
from flowbench.builders.sim.executing import execute
from flowbench.builders.sim.items import Item, Label, Reject
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.planning import plan_view
from flowbench.builders.sim.positioning import choose_views
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.probing import probe_way
from flowbench.builders.sim.scene import Shapes
from flowbench.builders.sim.view import Sight
from flowbench.builders.sim.walls import wall_gap
from flowbench.builders.simulators import make_simulator
from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.seeding import generator

ALL = sorted(CATEGORIES)
PRESET = preset_named("balanced")


@dataclass(frozen=True)
class Planned:
    """Two planned views of a home: what each shows, and the items found there."""

    simulator: Simulator
    views: Sequence[tuple[Sight, Mapping[str, Sequence[tuple[Item, str]]]]]

    def outcomes(self, name: str) -> Iterator[tuple[Item, Sight, Sight]]:
        """A category's items, each carried out once more."""
        for before, found in self.views:
            for item, _ in found[name]:
                assert execute(self.simulator, item.mover, item.move, before.camera) is None
                after = Sight.take(self.simulator, before.camera, before.arrangement.shapes)
                self.simulator.restore(before.arrangement.snapshot)
                yield item, before, after


@pytest.fixture(scope="module")
def planned() -> Iterator[Planned]:
    simulator = make_simulator("bullet", width=320, height=240)
    simulator.load(5, "homes_train", 1)
    shapes = Shapes(simulator.objects)
    poses = choose_views(simulator, shapes, PRESET, generator(5, "homes_train", 1, "views"))[:2]
    views = []
    for number, pose in enumerate(poses):
        before = Sight.take(simulator, pose.camera(320, 240), shapes)

        def streams(*stage: str | int, number: int = number) -> np.random.Generator:
            return generator(5, "homes_train", 1, number, *stage)

        found, _ = plan_view(simulator, before, pose.room_id, PRESET, streams)
        if number == 0:
            again, _ = plan_view(simulator, before, pose.room_id, PRESET, streams)
            assert found == again
        views.append((before, found))
    yield Planned(simulator, views)
    simulator.close()


@pytest.mark.parametrize("name", ALL)
def test_items_read_the_same_when_they_are_carried_out_again(name: str, planned: Planned) -> None:
    category, count = CATEGORIES[name], 0
    for item, before, after in planned.outcomes(name):
        labels = category.labels(before, after, item.question)
        assert not isinstance(labels, Reject)
        was, now = labels
        assert now == Label(item.answer, item.margin)
        assert (None if was is None else was.answer) == item.before
        assert item.mover not in item.landmarks
        assert len(set(item.landmarks)) == len(item.landmarks)
        names = [f"thing {letter}" for letter in "abcdef"[: len(item.landmarks)]]
        because = category.because(item, before, after, "the mover", names)
        assert not any(letter.isdigit() for letter in because.start + because.change + because.result)
        count += 1
    assert count >= 2


@pytest.mark.parametrize("name", ALL)
def test_a_slot_holds_at_most_so_many_of_a_cell(name: str, planned: Planned) -> None:
    for _, found in planned.views:
        cells = Counter(item.cell for item, _ in found[name])
        most = max(PRESET.per_cell, PRESET.per_slot // max(1, len(cells)))
        assert max(cells.values(), default=0) <= most


def test_the_rank_of_closer_to_is_the_winner_s_before_the_move(planned: Planned) -> None:
    for item, before, after in planned.outcomes("closer_to"):
        gaps = [before.arrangement.gap(item.mover, name) for name in item.landmarks]
        winner = int(item.answer)
        assert item.cell == f"rank {1 + sum(gap < gaps[winner] for gap in gaps)}"
        then = sorted(after.arrangement.gap(item.mover, name) for name in item.landmarks)
        assert then[1] - then[0] >= max(closer_to.CLEAR, closer_to.CLEAR_SHARE * then[0])


def test_the_cell_of_closest_three_is_the_winners_ranks_before_the_move(planned: Planned) -> None:
    for item, before, after in planned.outcomes("closest_three"):
        was, now = ([s.arrangement.gap(item.mover, name) for name in item.landmarks] for s in (before, after))
        winners = [int(index) for index in item.answer.split("+")]
        assert item.cell == "ranks " + "".join(sorted(str(1 + sum(g < was[w] for g in was)) for w in winners))
        assert max(now[w] for w in winners) < min(gap for i, gap in enumerate(now) if i not in winners)


def test_the_cell_of_count_near_is_both_counts(planned: Planned) -> None:
    for item, *sights in planned.outcomes("count_near"):
        gaps = [[sight.arrangement.gap(item.mover, name) for name in item.landmarks] for sight in sights]
        assert item.threshold in PRESET.thresholds
        assert item.cell == ">".join(str(sum(gap < item.threshold for gap in of_moment)) for of_moment in gaps)
        assert item.cell.endswith(item.answer)


def test_contact_wall_asks_about_motions_to_walls_along_them_and_off_them(planned: Planned) -> None:
    for item, *sights in planned.outcomes("contact_wall"):
        gaps = [wall_gap(sight.arrangement, sight.arrangement.object(item.mover)) for sight in sights]
        assert item.cell == ">".join("yes" if gap <= contact_wall.TOUCHING else "no" for gap in gaps)
        assert all(gap <= contact_wall.TOUCHING or gap >= contact_wall.CLEAR for gap in gaps)
        if min(gaps) > contact_wall.FREE:
            assert gaps[0] - gaps[1] > contact_wall.LEAST_APPROACH


def test_feasibility_s_cell_is_the_same_probe_s_from_both_places(planned: Planned) -> None:
    for item, *sights in planned.outcomes("feasibility"):
        assert item.probe is not None
        ways = [probe_way(sight.arrangement, item.mover, item.probe.world(sight.camera)) for sight in sights]
        assert item.cell == ">".join("reject" if isinstance(way, Reject) else way.label.answer for way in ways)
        assert item.relation == item.probe.direction
        assert not item.landmarks


def test_occlusion_asks_about_smaller_things_in_full_view(planned: Planned) -> None:
    for item, before, after in planned.outcomes("occlusion"):
        (thing,) = item.landmarks
        start, end = before.mask(thing), after.mask(thing)
        assert start is not None
        left = 0 if end is None else end.area
        assert item.cell == item.answer == ("yes" if left <= (1.0 - occlusion.HIDES) * start.area else "no")
        assert item.before is None
        assert occlusion.hidden_share(before, thing) <= occlusion.MOST_HIDDEN_BEFORE
        sizes = [before.arrangement.object(name).box.half.max() for name in (thing, item.mover)]
        assert sizes[0] < sizes[1]


def test_after_a_motion_that_is_to_hide_comes_one_that_misses(planned: Planned) -> None:
    """The ray plan (paper A.2): predicted to hide enough of something, and at most one miss right after it."""
    kinds: list[bool] = []
    for before, _ in planned.views:
        for mover in (item for item in before.nameable if before.is_mover(item, PRESET)):
            rng = generator(5, "homes_train", 1, mover.instance_id)
            moves = list(CATEGORIES["occlusion"].moves(before, mover, PRESET, rng))
            assert all(move.length >= occlusion.SHORTEST - 0.01 for move in moves)
            hides = [max(predicted(before, mover, move)) > occlusion.AIM - 0.1 for move in moves]
            assert all(first or second for first, second in itertools.pairwise([False, *hides]))
            kinds += hides
    assert sum(kinds) >= 2
    assert not all(kinds)


def predicted(before: Sight, mover: SceneObject, move: Move) -> list[float]:
    """What a motion is predicted to cover of everything smaller."""
    smaller = [each for each in before.nameable if each.box.half.max() < mover.box.half.max()]
    return [occlusion.predicted_cover(before, mover, each, move.world(before.camera)) for each in smaller]


@pytest.mark.parametrize("name", ALL)
def test_what_is_kept_even_is_the_answer_or_what_the_winners_were(name: str, planned: Planned) -> None:
    category = CATEGORIES[name]
    for _, found in planned.views:
        for item, _ in found[name]:
            assert category.outcome(item) == (item.cell if category.lists_landmarks else item.answer)
            if not category.lists_landmarks:
                assert item.cell.split(">")[-1] == item.answer


def test_near_object_asks_what_the_eye_can_tell_and_the_move_bears_on(planned: Planned) -> None:
    for item, before, after in planned.outcomes("near_object"):
        gaps = [sight.arrangement.gap(item.mover, item.landmarks[0]) for sight in (before, after)]
        assert item.threshold is not None
        assert abs(gaps[1] - gaps[0]) >= near_object.LEAST_CHANGE
        for gap in gaps:
            clear = max(near_object.CLEAR, near_object.CLEAR_SHARE * item.threshold)
            assert clear <= abs(gap - item.threshold) <= near_object.REACH


def test_left_right_approaches_the_landmark_s_column_and_its_cell_tells_whether_it_crosses(planned: Planned) -> None:
    for item, before, after in planned.outcomes("left_right"):
        start, end, mark = before.mask(item.mover), after.mask(item.mover), before.mask(item.landmarks[0])
        assert start is not None
        assert end is not None
        assert mark is not None
        share = (mark.u - start.u) / (end.u - start.u)
        crosses = item.before != item.answer
        low, high = left_right.CROSSING if crosses else left_right.STOPPING
        assert low <= share <= high
        assert item.move.away_cm == 0
