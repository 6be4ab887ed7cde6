"""``meta.txt`` of filmed scenes: all that their source tells and items follow from, as JSON text.

Frames count from 0, metres and seconds, world z up; poses are x y z and a quaternion x y z w. ``touches`` are spells of
frames, first and last, with the two bodies that touch, or the one that touches the ground.
"""

from __future__ import annotations

from typing import Any, final

from flowbench.builders.dynapix.items import Place, SelectionItem
from flowbench.builders.dynapix.producing.meta import number_rows
from flowbench.builders.dynapix.scenes import FACTUAL
from flowbench.builders.sources.filmed import FilmedScene
from flowbench.schema import JsonText, to_json

from .stage import FilmedStage


@final
class FilmedMeta:
    """Writes the texts of a scene's items; the scene's own part is made once."""

    def __init__(self, stage: FilmedStage) -> None:
        self._stage = stage
        self._scene = JsonText.of(scene_as_json(stage.filmed))

    def selection(self, item: SelectionItem) -> bytes:
        """The scene, and what each candidate shows, in the order of the letters."""
        return to_json({"scene": self._scene, "frames": [self._frame(place) for place in item.candidates]})

    def _frame(self, place: Place) -> dict[str, Any]:
        shown = self._stage.of(place.variant)
        return {
            "variant": place.variant,
            "frame": place.frame,
            "name": None if place.variant == FACTUAL else shown.name,
            "poses": number_rows(shown.poses[place.frame]),
            "visible": shown.visible[place.frame].tolist(),
        }


def scene_as_json(scene: FilmedScene) -> dict[str, Any]:
    """Everything but the pictures."""
    return {
        "name": scene.name,
        "scenario": scene.scenario,
        "fps": scene.fps,
        "bodies": list(scene.bodies),
        "poses": [number_rows(frame) for frame in scene.poses],
        "velocities": [number_rows(frame) for frame in scene.velocities],
        "spins": [number_rows(frame) for frame in scene.spins],
        "visible": scene.visible.tolist(),
        "pixels": [number_rows(frame) for frame in scene.pixels],
        "touches": [[spell.first, spell.last, *spell.bodies] for spell in scene.touches],
    }
