"""The text suite passes what is published and tells of holes, wrong words and wrong dots."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.loose import Break, Loose, broken, loose_sample, loose_samples

from flowbench.validation.suites.text import Text


def reword(field: str, change: Callable[[str], str]) -> Break:
    """Change a text of the record, or of its reasoning."""

    def spoil(loose: Loose) -> None:
        place = loose.record["reasoning"] if field in ("gt", "after", "before") else loose.record
        assert place[field] != change(place[field])
        place[field] = change(place[field])

    return spoil


def change(**values: Any) -> Break:
    return lambda loose: loose.record.update(values)


def append(field: str, what: str) -> Break:
    """Put something into a text before its last sign."""
    return reword(field, lambda text: text[:-1] + what + text[-1])


def turn_verdict(text: str) -> str:
    turned = {"yes": "no", "no": "yes"}
    return re.sub(r"(yes|no)(: [AB]\.)$", lambda found: turned[found[1]] + found[2], text)


def motion(**values: Any) -> Break:
    return lambda loose: loose.record["motion"].update(values)


def mark(index: int, **values: Any) -> Break:
    return lambda loose: loose.record["marks"][index].update(values)


def turn_direction(loose: Loose) -> None:
    words = {"left": "right", "right": "left", "away": "toward", "toward": "away from"}
    text = loose.record["motion_text"]
    found = re.search(r"(?:to the )(left|right)|(away) from|(toward) the", text)
    assert found is not None
    word = next(filter(None, found.groups()))
    loose.record["motion_text"] = text.replace(f" {word}", f" {words[word]}", 1)


def longer(loose: Loose) -> None:
    text = loose.record["motion_text"]
    loose.record["motion_text"] = re.sub(r"\d\.\d\d", lambda found: f"{float(found[0]) + 0.1:.2f}", text)


def same_names(loose: Loose) -> None:
    loose.record["landmarks"][0]["name"] = loose.record["mover"]["name"]


def other_colour_in_the_question(loose: Loose) -> None:
    name = loose.record["mover"]["name"]
    loose.record["question"] = loose.record["question"].replace(name, "the object marked silver")


def a_common_type(loose: Loose) -> None:
    """A second object of the landmark's type is in the picture."""
    landmark = loose.record["landmarks"][0]
    landmark["name"] = re.sub("the .* marked", "the thing marked", landmark["name"])
    for each in loose.record["segments"]:
        each["type"] = landmark["type"]


def same_colours(loose: Loose) -> None:
    loose.record["marks"][1]["colour"] = loose.record["marks"][0]["colour"]


def swap_dots(loose: Loose) -> None:
    one, other = loose.record["marks"][:2]
    for moment in ("before", "after"):
        one[moment], other[moment] = other[moment], one[moment]


def dot_elsewhere(moment: str) -> Break:
    """The dot of the mover lies in the corner, in the record alone."""
    return mark(0, **{moment: [1.0, 1.0]})


def gather_dots(loose: Loose) -> None:
    u, v = loose.record["marks"][0]["before"]
    loose.record["marks"][1]["before"] = [u + 1.0, v]


def paint(column: str, spot: tuple[int, int]) -> Break:
    return lambda loose: loose.image(column).__setitem__(spot, 255 - loose.image(column)[spot])


def no_dots(loose: Loose) -> None:
    loose.members["after_marked.png"] = loose.members["after.png"]


def camouflage(loose: Loose) -> None:
    """What lies under the dot has its colour in the clean picture and in the marked one."""
    dot = loose.record["marks"][0]
    u, v = (round(value) for value in dot["before"])
    for column in ("before.png", "before_marked.png"):
        loose.image(column)[v - 4 : v + 5, u - 4 : u + 5] = dot["rgb"]


def small_marked(loose: Loose) -> None:
    loose.replace("after_marked.png", loose.image("after_marked.png")[:60])


def swap_marked(loose: Loose) -> None:
    one, other = "before_marked.png", "after_marked.png"
    loose.members[one], loose.members[other] = loose.members[other], loose.members[one]


def kept_dot_moves(loose: Loose) -> None:
    u, v = loose.record["marks"][1]["after"]
    loose.record["marks"][1]["after"] = [u + 1.0, v]


def probe(**values: Any) -> Break:
    return lambda loose: loose.record["probe"].update(values)


def turn_probe(loose: Loose) -> None:
    claim = loose.record["probe"]
    claim.update(right=-claim["right"], away=-claim["away"])


BREAKS: dict[str, dict[str, Break]] = {
    "text with double spaces": {
        "double spaces": reword("question", lambda text: text.replace(" ", "  ", 1)),
    },
    "text with a missing value": {
        "None": append("question", " None"),
        "nan": append("gt", " nan"),
    },
    "text with control characters": {
        "a bell": append("question", "\x07"),
        "text turned round": append("before", "\u202e"),
    },
    "text with markup": {
        "a tag": append("after", "<b>"),
        "an entity": append("after", "&nbsp;"),
        "emphasis": append("motion_text", " **now**"),
    },
    "text with a space out of place": {
        "a space before a stop": append("motion_text", " "),
    },
    "text with doubled signs": {
        "two stops": append("motion_text", "."),
    },
    "text with other signs": {
        "another script": append("motion_text", " \u0430"),
    },
    "text length": {
        "no question": change(question=""),
        "an endless question": append("question", " and so on" * 300),
    },
    "text with braces": {
        "braces in motion_text": append("motion_text", " {mover}"),
        "braces in question": append("question", " {mover}"),
        "braces in static_question": append("static_question", " {mover}"),
        "braces in answer_text": append("answer_text", " {mover}"),
        "a choice with a brace": change(choices=["{a}", "yes"]),
    },
    "sentence": {
        "a small letter": reword("question", lambda text: text[0].lower() + text[1:]),
        "a question that states": reword("question", lambda text: text[:-1] + "."),
        "a motion that asks": reword("motion_text", lambda text: text[:-1] + "?"),
    },
    "names unique": {
        "names alike": same_names,
    },
    "names marked": {
        "a name without mark": lambda loose: loose.record["mover"].update(name="the mug"),
        "a name of another colour": lambda loose: loose.record["marks"][0].update(colour="red " * 2),
    },
    "names by type": {
        "a type that is not alone": a_common_type,
    },
    "name of another mark": {
        "another mark in the question": other_colour_in_the_question,
        "a landmark in the motion": append("motion_text", " toward the lamp marked silver"),
    },
    "name missing in a text": {
        "the mover not mentioned": other_colour_in_the_question,
    },
    "lengths and directions in words": {
        "direction turned in words": turn_direction,
        "length in words": longer,
        "one way more in words": append("motion_text", " and 0.10 m away"),
        "a number without direction": append("motion_text", " by 3"),
        "motion turned in the record": motion(right=-0.33, away=0.21),
        "probe turned": turn_probe,
    },
    "motion.direction": {
        "direction of the record": motion(direction="up"),
    },
    "motion.distance": {
        "length of the record": motion(distance=3.0),
    },
    "motion.length_band": {
        "length of another band": motion(length_band="2.00-3.00"),
        "a band of nonsense": motion(length_band="long"),
    },
    "motion in whole centimetres": {
        "half centimetres": motion(right=0.333, away=0.0),
    },
    "probe.direction": {
        "probe's direction": probe(direction="up"),
    },
    "probe.distance": {
        "probe's length": probe(distance=3.0),
    },
    "static question speaks of a motion": {
        "static question after the move": append("static_question", " after this move"),
        "static question of a further way": append("static_question", " further"),
        "static question is the question": change(static_question="Once moved, will it?"),
    },
    "reasoning ends in the answer": {
        "reasoning without answer": reword("gt", lambda text: text[:-3] + "."),
        "reasoning to another letter": reword("after", lambda text: text[:-2] + "C."),
        "reasoning to another verdict": reword("before", turn_verdict),
    },
    "numbers in qualitative reasoning": {
        "a number in after": reword("after", lambda text: "In 0.4 m: " + text),
        "a number in before": reword("before", lambda text: "At 3: " + text),
    },
    "answer in words": {
        "answer in other words": change(answer_text="maybe"),
    },
    "marks listed": {
        "a mark too few": lambda loose: loose.record["marks"].pop(),
        "the mover's mark not first": lambda loose: loose.record["marks"].reverse(),
    },
    "mark colours differ": {
        "two marks of a colour": same_colours,
    },
    "mark's object": {
        "a mark's object": mark(0, object="Mug|99"),
    },
    "mark's values": {
        "a colour of two numbers": mark(0, rgb=[1, 2]),
        "a colour beyond white": mark(0, rgb=[1, 2, 300]),
        "a mark of no size": mark(0, radius=0.0),
        "a mark in one dimension": mark(0, before=[3.0]),
    },
    "mark's colour word": {
        "a colour of another word": mark(0, rgb=[120, 70, 30]),
    },
    "mark on its object": {
        "dots swapped": swap_dots,
        "a dot off its object before": dot_elsewhere("before"),
        "a dot off its object after": dot_elsewhere("after"),
        "a dot out of the picture": mark(0, after=[-9.0, 5.0]),
    },
    "mark kept in place": {
        "a hidden thing's dot moves": kept_dot_moves,
    },
    "marks apart": {
        "dots that touch": gather_dots,
    },
    "mark drawn": {
        "dots not drawn": no_dots,
        "dots drawn elsewhere": dot_elsewhere("before"),
    },
    "marked image off the dots": {
        "a dot that is not listed": dot_elsewhere("before"),
        "a pixel of the marked picture": paint("after_marked.png", (2, 3)),
        "a pixel of the clean picture": paint("before.png", (2, 3)),
        "marked pictures swapped": swap_marked,
    },
    "mark stands out": {
        "a dot that nobody sees": camouflage,
    },
    "size of a marked image": {
        "a marked picture of half the size": small_marked,
    },
}
"""Rule -> what breaks it."""
ON_OTHERS = {
    "probe turned": "feasibility",
    "probe's direction": "feasibility",
    "probe's length": "feasibility",
    "static question of a further way": "feasibility",
    "static question is the question": "near_object",
    "a hidden thing's dot moves": "occlusion",
}
"""Categories of breaks that are not of a left_right sample."""


def test_what_is_published_passes(release: Path) -> None:
    samples = [each for some in loose_samples(release).values() for each in some]
    assert len(samples) >= 20
    assert {each.key: broken(Text(), each) for each in samples} == {each.key: set() for each in samples}


@pytest.mark.parametrize(
    ("rule", "name"), [pytest.param(rule, name, id=name) for rule, breaks in BREAKS.items() for name in breaks]
)
def test_every_break_is_told(release: Path, rule: str, name: str) -> None:
    loose, spoil = loose_sample(release, ON_OTHERS.get(name, "left_right")), BREAKS[rule][name]
    spoil(loose)
    assert rule in broken(Text(), loose)
