"""CLEVRER's scenes as a source: annotation, video and proposed masks together, and what is wrong with any of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pycocotools.mask
import pytest
from support.filmed import Ball, Show

from flowbench.builders.options import BuildOptions
from flowbench.builders.runner import producer_for
from flowbench.builders.sources.clevrer import write_annotation
from flowbench.builders.sources.clevrer_scenes import ClevrerSource
from flowbench.builders.sources.filmed import SceneError, Spell
from flowbench.collisions.oracle import FRAMES, HEIGHT, WIDTH, Body, Collision, Oracle
from flowbench.encoding.video import encode_video
from flowbench.release import Sample
from flowbench.validation.dynapix.transfer.opened import OpenedTransfer
from flowbench.validation.registry import SUITES

SIZE = (WIDTH, HEIGHT)
BODIES = (Body("cube", "metal", "red"), Body("sphere", "rubber", "blue"))
PAINT = ((200, 40, 40), (60, 80, 220))
HIT = 50
WAYS = (
    Ball([(0, -3.0, 0.0), (HIT, 0.0, 0.0), (FRAMES, 0.4, 0.0)]),
    Ball([(0, 0.6, 0.0), (HIT, 0.6, 0.0), (FRAMES, 4.0, 0.0)]),
)
SHOW = Show(FRAMES, WAYS, side=256)


def boxes(frame: int) -> list[tuple[slice, slice]]:
    """Where each body is painted, rows and columns."""
    return [(slice(200, 224), slice(int(240 + 50 * x) - 12, int(240 + 50 * x) + 12)) for x, _, _ in SHOW.places(frame)]


def painted(frame: int) -> np.ndarray:
    picture = np.full((HEIGHT, WIDTH, 3), 140, np.uint8)
    for box, colour in zip(boxes(frame), PAINT, strict=True):
        picture[box] = colour
    return picture


def masks(frame: int) -> list[dict[str, object]]:
    found = []
    for box, body in zip(boxes(frame), BODIES, strict=True):
        mask = np.zeros((HEIGHT, WIDTH), np.uint8, order="F")
        mask[box] = 1
        code = pycocotools.mask.encode(mask)
        coded = {"size": [HEIGHT, WIDTH], "counts": code["counts"].decode()}
        found.append({"mask": coded, "color": body.colour, "material": body.material, "shape": body.shape})
    return found


def oracle(scene: int) -> Oracle:
    places = np.stack([SHOW.places(frame) for frame in range(FRAMES)])
    poses = np.concatenate([places, np.tile([0.0, 0.0, 0.0, 1.0], (FRAMES, 2, 1))], axis=-1)
    speeds = np.stack([SHOW.velocities(frame, 25.0) for frame in range(FRAMES)])
    counts = np.full((FRAMES, 2), 900)
    hit = Collision(HIT, 0, (0, 1), 1.0, 1.0, (0.3, 0.0, 0.0))
    nowhere = np.zeros((FRAMES, 2, 2))
    return Oracle(scene, BODIES, poses, speeds, np.zeros((FRAMES, 2, 3)), counts, counts, nowhere, (hit,))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("clevrer")
    for folder in ("annotation", "video", "proposals"):
        (root / folder).mkdir()
    write_annotation(root / "annotation" / "annotation_00007.json", oracle(7), "video_00007.mp4")
    video = encode_video(np.stack([painted(frame) for frame in range(FRAMES)]), 25)
    (root / "video" / "video_00007.mp4").write_bytes(video)
    frames = [{"frame_index": frame, "objects": masks(frame)} for frame in range(FRAMES)]
    (root / "proposals" / "sim_00007.json").write_text(json.dumps({"video_index": 7, "frames": frames}))
    return root


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_a_scene_is_read_from_its_three_files(whole: Path) -> None:
    source = ClevrerSource(whole, SIZE)
    assert source.names == ("annotation_00007.json",)
    scene = source.scene(source.names[0])
    assert (scene.name, scene.fps, scene.bodies) == ("annotation_00007", 25, tuple(body.name for body in BODIES))
    assert scene.touches == (Spell(HIT, HIT + 1, (0, 1)),)
    assert scene.visible[9].tolist() == [24 * 24] * 2
    columns = [(box[1].start + box[1].stop - 1) / 2 for box in boxes(9)]
    np.testing.assert_allclose(scene.pixels[9], [[column, 211.5] for column in columns])
    assert np.abs(scene.picture(60).astype(int) - painted(60)).mean() < 2.0


@pytest.mark.parametrize("preset", ["balanced", "paper"])
def test_its_items_pass_the_checks(whole: Path, preset: str) -> None:
    options = BuildOptions(("selection_clevrer",), Path("unused"), 1, 3, preset=preset, sources={"clevrer": whole})
    kind = producer_for(options, "selection_clevrer")
    rows = kind.select(kind.propose([0])[0])[0].to_dicts()
    samples = [each for each in kind.samples(rows) if isinstance(each, Sample)]
    assert {sample.key.split("-")[2] for sample in samples} == {"event", "time"}
    for sample in samples:
        opened = OpenedTransfer(sample.key, sample.members)
        found = [each for suite in SUITES["selection_clevrer"].samples for each in suite.check(opened)]
        assert found == []


def cut_video(root: Path) -> None:
    frames = np.stack([painted(frame) for frame in range(100)])
    (root / "video" / "video_00007.mp4").write_bytes(encode_video(frames, 25))


def swapped(name: str, former: str, instead: str) -> Callable[[Path], object]:
    def change(root: Path) -> None:
        (path,) = root.rglob(name)
        text = path.read_text()
        assert former in text
        path.write_text(text.replace(former, instead, 1))

    return change


ANNOTATION, MASKS = "annotation_00007.json", "sim_00007.json"


@pytest.mark.parametrize(
    ("spoil", "sentence", "reason"),
    [
        (swapped(ANNOTATION, '"cube"', '"torus"'), "'torus', not one of cube", "an annotation that cannot be read"),
        (
            lambda r: (r / "annotation" / ANNOTATION).write_text("[" * 100_000),
            "not readable as JSON",
            "an annotation that cannot be read",
        ),
        (cut_video, "100 frames of 480x320 pixels, expected at least 128", "a video that is too short or small"),
        (lambda r: (r / "video" / "video_00007.mp4").write_bytes(b"no"), "decoded", "a video that cannot be decoded"),
        (lambda r: (r / "video" / "video_00007.mp4").unlink(), "video_00007.mp4 is not below", "no video"),
        (lambda r: (r / "proposals" / MASKS).unlink(), "sim_00007.json is not below", "no proposals"),
        (swapped(MASKS, '"frame_index": 99,', '"frame_index": 98,'), "masks of 127 frames", "files that disagree"),
        (swapped(MASKS, '"color": "red"', '"color": "pink"'), "'pink', not one of", "files that disagree"),
        (swapped(MASKS, "[320, 480]", "[32000, 48000]"), "a mask of the size [32000, 48000]", "files that disagree"),
        (swapped(MASKS, '"counts": "', '"counts": "0'), "code is broken", "files that disagree"),
        (swapped(MASKS, '"counts": "', '"counts": "oooooooo'), "code is broken", "files that disagree"),
    ],
)
def test_a_broken_scene_is_one_sentence(
    folder: Path, spoil: Callable[[Path], object], sentence: str, reason: str
) -> None:
    spoil(folder)
    source = ClevrerSource(folder, SIZE)
    with pytest.raises(SceneError) as caught:
        source.scene(source.names[0])
    assert sentence in str(caught.value)
    assert "00007" in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert reason in caught.value.reason
