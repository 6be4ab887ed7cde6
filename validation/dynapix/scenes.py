"""What any sample of a collision scene has to say alike: names, sides, tables that agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from flowbench.collisions.oracle import FPS
from flowbench.collisions.setup import Setup
from flowbench.schema.dynapix import Prefix, SceneProvenance

from ..recompute.rules import Finding
from .facts import FRAMES
from .meta import RunMeta
from .opened import OpenedClip, is_test

CLOSE: Final = 1e-6
"""Pixels within which a centre lies where its body is projected to."""


def check_origin(sample: OpenedClip, split: str) -> Iterator[Finding]:
    """Names and numbers of the provenance, and the side of the split that the scene belongs to."""
    record, origin = sample.record, sample.record.provenance
    if not record.id.startswith((f"{record.scene_id}-", f"{origin.scene:06d}-")):
        yield Finding("id", record.id, f"a name that begins with {record.scene_id}-, or a frame's")
    yield from check_provenance(origin, record.source)
    side = "test" if is_test(origin.scene) else "train"
    if side != split:
        yield Finding("side of the scene", f"scene {origin.scene} in {split}", f"{side}: every fifth is for testing")


def check_provenance(origin: SceneProvenance, source: str) -> Iterator[Finding]:
    """Versions and numbers are such."""
    if source != origin.simulator:
        yield Finding("source", source, origin.simulator)
    for name, number, least in (
        ("seed", origin.seed, 0),
        ("scene", origin.scene, 0),
        ("label", origin.label_version, 1),
    ):
        if number < least:
            yield Finding("provenance", f"{name} {number}", f"at least {least}")
    for name, text in (("builder_version", origin.builder_version), ("simulator_version", origin.simulator_version)):
        if not text.strip():
            yield Finding("provenance", f"{name} {text!r}", "a version")


def check_bodies(setup: Setup) -> Iterator[Finding]:
    """No two bodies are alike, and there are three to six."""
    names = [body.name for body in setup.bodies]
    if len(set(names)) != len(names):
        yield Finding("bodies", f"{names}", "no two alike")
    if not 3 <= len(names) <= 6:
        yield Finding("bodies", f"{len(names)} of them", "3 to 6")


def check_run(setup: Setup, run: RunMeta, without: int | None = None) -> Iterator[Finding]:
    """A run's tables agree with each other: centres, visibility, what is left out, the order of its collisions."""
    name = "the true run" if without is None else f"the run without body {without}"
    for body in range(run.bodies):
        absent = bool(np.isnan(run.poses[:, body]).any())
        if absent != (body == without):
            yield Finding(
                "bodies of a run", f"body {body} {'is not' if absent else 'is'} in {name}", "only the removed left out"
            )
            return
    present = [body for body in range(run.bodies) if body != without]
    pixels, _ = setup.view.camera.project(run.poses[:, present, :3])
    off = np.abs(run.pixels[:, present] - pixels)
    if not (off <= CLOSE).all():
        frame, body, _ = np.argwhere(~(off <= CLOSE))[0].tolist()
        yield Finding(
            "centre in the picture",
            f"body {present[body]} in frame {frame} of {name}",
            "where its place is projected to",
        )
    if (run.visible > run.whole).any():
        frame, body = np.argwhere(run.visible > run.whole)[0].tolist()
        found = f"{run.visible[frame, body]} of {run.whole[frame, body]} px of body {body} in frame {frame} of {name}"
        yield Finding("visible pixels", found, "no more than the whole")
    for body in present:
        enters = setup.bodies[body].enters or 0
        if run.visible[:enters, body].any():
            yield Finding("visible pixels", f"body {body} is seen before it enters in {name}", "nothing")
    order = [(each.frame, each.substep, each.pair) for each in run.collisions]
    if order != sorted(set(order)):
        yield Finding("order of collisions", f"{order[:6]}", "by time, then by pair")


def check_prefix(prefix: Prefix, has_video: bool, control: str | None = None) -> Iterator[Finding]:
    """The video shows the observation, frame by frame; a control none of it, or all in another order."""
    observed = list(range(prefix.first, prefix.last + 1))
    if prefix.fps != FPS:
        yield Finding("frames a second", f"{prefix.fps}", f"{FPS}")
    if not 0 <= prefix.first <= prefix.last < FRAMES:
        yield Finding("observation", f"frames {prefix.first} to {prefix.last}", f"within 0 to {FRAMES - 1}")
    if has_video != bool(prefix.shown):
        yield Finding("video", "missing" if prefix.shown else "there", f"{len(prefix.shown)} frames shown")
    if control == "candidates_only":
        good = not prefix.shown
    elif control == "shuffled_prefix":
        good = sorted(prefix.shown) == observed and prefix.shown != observed
    else:
        good = prefix.shown == observed
    if not good:
        yield Finding("frames shown", f"{prefix.shown[:30]}", f"{control or 'frames'} {prefix.first} to {prefix.last}")
