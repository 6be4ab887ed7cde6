"""Lengths, directions and colours in words."""

from __future__ import annotations

import numpy as np
import pytest

from flowbench.validation.words.marks import SHADES, colour_word
from flowbench.validation.words.ways import told_ways


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is moved 0.40 m to the right.", [("right", 0.4)]),
        ("It is moved 0.40 m to the left and 0.25 m away from the camera.", [("left", 0.4), ("away", 0.25)]),
        ("Slide it 1 metre towards the camera", [("toward", 1.0)]),
        ("It stays.", []),
        ("It is moved to the right.", None),
        ("It is moved 0.40 m.", None),
        ("It is moved 0.40 to the right.", None),
        ("It is moved 0.40 m, 0.50 m to the right.", None),
        ("The left lamp marked red is moved 0.40 m to the right.", [("right", 0.4)]),
    ],
)
def test_ways_told_in_words(text: str, expected: list[tuple[str, float]] | None) -> None:
    assert told_ways(text, ["the left lamp marked red"]) == expected


@pytest.mark.parametrize("word", SHADES)
def test_colours_are_called_by_their_word(word: str) -> None:
    shade = np.array(SHADES[word])
    assert colour_word(shade.tolist()) == word
    assert colour_word(np.clip(shade * 9 // 10 + 12, 0, 255).tolist()) == word
