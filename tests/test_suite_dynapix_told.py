"""Rationales are read and held against the run: a head-on collision, and every way to say something false of it."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from support.collisions import head_on

from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.schema.dynapix import SelectionRecord
from flowbench.validation.dynapix.meta import RunMeta
from flowbench.validation.dynapix.telling.free import check_free
from flowbench.validation.dynapix.telling.truth import check_told
from flowbench.validation.dynapix.telling.viewed import Viewed
from flowbench.validation.dynapix.texts import check_reasoned

RED, BLUE = "the red metal cube", "the blue rubber cube"
CUT, TARGET = 5, 16
"""The two meet in frame 14, which frame 15 shows."""
GOOD = " ".join(
    (
        f"Scene parse. At the end of the observation, {RED} is near the left side, moving quickly toward the right and",
        f"{BLUE} rests near the centre. The red metal cube and {BLUE} are on a collision course and their meeting",
        "is imminent. Motion analysis. Since the red metal cube moves fast, it will cover a lot of ground unless",
        f"something stops it. The red metal cube and {BLUE} will meet, and the impact changes how both of them move.",
        "Objects at rest remain where they are unless struck.",
        f"Prediction. By then, {RED} will be near the centre and {BLUE}",
        f"has shifted but is still near the centre. Outcome. The image to look for shows that {RED} and {BLUE}",
        "are very close together.",
    )
)


@functools.cache
def viewed(cut: int = CUT, target: int = TARGET, hidden: int | None = None) -> Viewed:
    """The collision seen from a cut; a hidden body shows nothing from the target on."""
    setup = head_on("cube", "metal")
    run = simulate(setup)
    pixels, _ = setup.view.camera.project(run.poses[..., :3])
    visible = np.full(run.poses.shape[:2], 60)
    if hidden is not None:
        visible[target:, hidden] = 0
    whole = np.full_like(visible, 60)
    meta = RunMeta(run.poses, run.velocities, run.spins, visible, whole, pixels, tuple(run.collisions))
    return Viewed(setup, meta, cut, target)


def rules(text: str, seen: Viewed) -> set[str]:
    return {each.rule for each in check_told(text, seen)}


def test_what_is_true_passes() -> None:
    assert [*check_told(GOOD, viewed())] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("left side, moving", "right side, moving"),
        ("toward the right", "toward the left"),
        ("toward the right", "toward the upper right"),
        ("moving quickly", "moving slowly"),
        ("moving quickly toward the right", "moving quickly"),
        ("is near the left side, moving quickly toward the right", "rests near the left side"),
        ("rests near the centre", "rests near the top"),
        ("rests near the centre", "moves slowly near the centre"),
        (f"{BLUE} rests near the centre", "the blue metal cube rests near the centre"),
        ("their meeting is imminent", "they will meet soon if nothing comes between"),
        (
            f"The red metal cube and {BLUE} are on a collision course and their meeting is imminent.",
            "No objects are on a collision course.",
        ),
        (
            f"The red metal cube and {BLUE} are on a collision course and their meeting is imminent.",
            f"The red metal cube and {BLUE} have just collided.",
        ),
        ("moves fast, it will cover a lot of ground unless", "moves steadily, it will cover a lot of ground unless"),
        ("cover a lot of ground unless something stops it", "keep to that pace at most"),
        (
            f"The red metal cube and {BLUE} will meet, and the impact changes how both of them move.",
            "Until then there is no contact, so all motion simply goes on and fades with friction.",
        ),
        (f"{RED} will be near the centre", f"{RED} will be near the top"),
        (f"{RED} will be near the centre", f"{RED} is still near the centre"),
        (f"{RED} will be near the centre", f"{RED} has left the picture"),
        ("has shifted but is still near the centre", "is hidden from view"),
        ("has shifted but is still near the centre", "keeps its place near the centre"),
        ("has shifted but is still near the centre", "has come to the centre"),
        (f"{RED} and {BLUE} are very close together", "every object is where it was"),
        (f"{RED} and {BLUE} are very close together", f"{RED} is seen near the bottom"),
        (f"{RED} and {BLUE} are very close together", f"{RED} and {RED} are very close together"),
    ],
)
def test_what_is_false_is_found(old: str, new: str) -> None:
    assert old in GOOD
    assert rules(GOOD.replace(old, new), viewed()) == {"untrue rationale"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rests near the centre", "does not rest near the centre"),
        ("rests near the centre", "rests near the centre of it all"),
        ("By then, the", "The"),
        ("Objects at rest", "All of them are heavy. Objects at rest"),
        ("very close together", "very close together; it is the second one"),
    ],
)
def test_what_is_not_understood_is_found(old: str, new: str) -> None:
    assert old in GOOD
    assert rules(GOOD.replace(old, new), viewed()) == {"sentence of a rationale"}


def test_a_collision_told_twice_is_out_of_order() -> None:
    once = f"A collision between {RED} and {BLUE} passes motion from one to the other."
    assert rules(GOOD.replace("Objects at rest", f"{once} Objects at rest"), viewed()) == {"order of a rationale"}


def test_only_what_is_seen_is_told() -> None:
    assert "untrue rationale" in rules(GOOD, viewed(target=CUT + 1))
    covered = GOOD.replace("has shifted but is still near the centre", "is hidden from view").replace(
        f"{RED} and {BLUE} are very close together", f"{BLUE} is hidden from view"
    )
    assert rules(covered, viewed(hidden=1)) == set()
    assert rules(covered.replace(f"shows that {BLUE}", f"shows that {RED}"), viewed(hidden=1)) == {"untrue rationale"}


@pytest.mark.parametrize(
    ("cut", "course"), [(3, "imminent"), (0, "imminent"), (-1, "soon"), (14, "imminent"), (15, None), (21, None)]
)
def test_a_course_ends_in_the_next_collision(cut: int, course: str | None) -> None:
    assert viewed(cut, 30).course(1, 0) == course


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"So {RED}, which is near the left side, is going to hit {BLUE}.", 0),
        ("The picture shows nothing strange at all.", 0),
        (f"{RED.capitalize()} moves on toward the right edge.", 0),
        (f"{RED.capitalize()} moves on toward the left edge.", 1),
        (f"One sees {RED} near the bottom-right.", 1),
        (f"Unless {RED} hits {BLUE}, it goes on.", 0),
    ],
)
def test_a_models_words_are_compared_as_far_as_they_are_known(text: str, found: int) -> None:
    assert len([*check_free(text, viewed())]) == found


def test_a_model_may_not_make_up_a_collision() -> None:
    text = f"Then {RED} hits {BLUE}."
    assert [*check_free(text, viewed())] == []
    assert [each.expected for each in check_free(text, viewed(30, 40))] == ["no such collision"]


@pytest.mark.parametrize(
    ("control", "text", "sound"),
    [
        (None, GOOD, True),
        ("full", GOOD, True),
        ("candidates_only", None, True),
        ("shuffled_prefix", None, True),
        (None, None, False),
        ("full", None, False),
        ("candidates_only", GOOD, False),
    ],
)
def test_items_have_rationales_and_controls_none(control: str | None, text: str | None, sound: bool) -> None:
    record = SelectionRecord.model_construct(control=control, rationale=text)
    assert [each.rule for each in check_reasoned(record)] == ([] if sound else ["rationale"])
