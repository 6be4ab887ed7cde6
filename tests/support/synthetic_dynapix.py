"""Small hand-made releases of exact futures: painted discs, a real short video, no physics."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench import __version__
from flowbench.builders.index import write_index
from flowbench.builders.manifest import constraints_sha256, write_manifest
from flowbench.builders.shards import write_shard
from flowbench.cards import write_card
from flowbench.encoding import encode_rgb
from flowbench.encoding.video import encode_video
from flowbench.release import UNRELEASED, Manifest, Sample, SplitFiles, index_path, shard_path
from flowbench.schema import config_spec, to_json
from flowbench.schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord

Image = NDArray[np.uint8]

WIDTH, HEIGHT, FPS = 480, 320, 25
SHOWN = (16, 17, 18, 19, 20, 21)
"""Frames of the observation: the last is the cut."""
HORIZON = 20
CATEGORIES = (("event", "future-order-10"), ("time", "time-1s"), ("window", "G1-A-16-easy"))
BUILDERS = (("event", 3), ("time", 1), ("counterfactual", 0))
VARIANTS = ("factual", "without-1", "erased-1")
CONFIGS = (
    *("selection_train", "selection_test", "selection_matched"),
    *("retrieval_train", "retrieval_test", "retrieval_corpus"),
)


def painted(scene: int, frame: int, body: int = 2) -> Image:
    """(H, W, 3) uint8: a red disc that rolls to the right, and blue discs that stay; ``body`` 1 leaves the red out."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = (176, 172, 164)
    picture[HEIGHT // 3 :] -= 22
    for place, colour in (((360, 220), (44, 70, 190)), ((90 + 30 * (scene % 5), 120), (60, 150, 160))):
        picture[(u - place[0]) ** 2 + (v - place[1]) ** 2 < 34**2] = colour
    if body != 1:
        picture[(u - 40 - 3 * frame) ** 2 + (v - 240) ** 2 < 28**2] = (196, 38, 46)
    return picture


@functools.cache
def clip(scene: int, shown: Sequence[int] = SHOWN) -> bytes:
    """The video of a scene's frames."""
    return encode_video(np.stack([painted(scene, frame) for frame in shown]), FPS)


def provenance(scene: int) -> dict[str, Any]:
    return {
        "builder_version": __version__,
        "label_version": 1,
        "seed": 0,
        "pool": "collisions",
        "scene": scene,
        "preset": "balanced",
        "simulator": "bullet",
        "simulator_version": "synthetic",
    }


def prefix(shown: Sequence[int]) -> dict[str, Any]:
    return {"first": SHOWN[0], "last": SHOWN[-1], "fps": FPS, "shown": list(shown)}


def scene_id(scene: int) -> str:
    return f"collisions-{scene:06d}"


def selection_record(key: str, number: int, **changes: Any) -> SelectionRecord:
    """A valid record; ``changes`` replace its top-level fields. Its letter goes round with its number."""
    target = SHOWN[-1] + HORIZON
    right = number % 4
    frames = [target + 10 * (place - right) for place in range(4)]
    kinds = ["target" if place == right else "same_scene" for place in range(4)]
    category, subtype = CATEGORIES[number % len(CATEGORIES)]
    fields: dict[str, Any] = {
        "id": key,
        "category": category,
        "subtype": subtype,
        "scene_id": scene_id(number),
        "source": "bullet",
        "query": "Which frame shows the scene 0.8 seconds after the video ends?",
        "choices": list("ABCD"),
        "answer": "ABCD"[right],
        "prefix": prefix(SHOWN),
        "target_frame": target,
        "horizon": HORIZON,
        "rank": right + 1,
        "candidates": [
            {"letter": letter, "variant": "factual", "frame": frame, "kind": kind}
            for letter, frame, kind in zip("ABCD", frames, kinds, strict=True)
        ],
        "margin": 30.0,
        "margin_unit": "px",
        "anchor": None,
        "control": None,
        "pair": None,
        "rationale": "The red disc rolls to the right at an even pace and keeps on: nothing stands in its way.",
        "provenance": provenance(number),
    }
    return SelectionRecord.model_validate(fields | changes)


def matched_changes(number: int) -> dict[str, Any]:
    """What makes one of the three controls of an item."""
    control = ("candidates_only", "full", "shuffled_prefix")[number % 3]
    shown = {"full": SHOWN, "candidates_only": (), "shuffled_prefix": SHOWN[::-1]}[control]
    names = {"category": "matched", "subtype": "matched-10", "anchor": "event", "pair": f"{scene_id(number)}-0"}
    return {**names, "control": control, "prefix": prefix(shown)}


def selection_sample(key: str, number: int, **changes: Any) -> Sample:
    """A complete sample of ``selection_*``; without a video where the record shows nothing."""
    record = selection_record(key, number, **changes)
    pictures = [encode_rgb(painted(number, candidate.frame)) for candidate in record.candidates]
    members = {f"candidate_{place}.png": picture for place, picture in enumerate(pictures)}
    if record.prefix.shown:
        members["video.mp4"] = clip(number, tuple(record.prefix.shown))
    return Sample(key, {**members, "json": to_json(record), "meta.txt": to_json({"setup": {}, "odd": [number, 1.0]})})


def frame_id(scene: int, variant: str, frame: int) -> str:
    return f"{scene_id(scene)}-{variant}-{frame:03d}"


def negative_frames(number: int) -> list[int]:
    return [SHOWN[-1] + HORIZON + step for step in (-12, 8, 16, 24)]


def retrieval_record(key: str, number: int, **changes: Any) -> RetrievalRecord:
    """A valid record; ``changes`` replace its top-level fields."""
    target = SHOWN[-1] + HORIZON
    category, builder = BUILDERS[number % len(BUILDERS)]
    variant = "without-1" if category == "counterfactual" else "factual"
    fields: dict[str, Any] = {
        "id": key,
        "category": category,
        "builder": builder,
        "scene_id": scene_id(number),
        "source": "bullet",
        "query": "Find the frame 0.8 seconds after the video ends.",
        "prefix": prefix(SHOWN),
        "target_frame_id": frame_id(number, variant, target),
        "target_frame": target,
        "horizon": HORIZON,
        "negatives": [frame_id(number, "factual", frame) for frame in negative_frames(number)],
        "intervention": {"removed": "the red rubber disc", "body": 1} if category == "counterfactual" else None,
        "margin": 24.0,
        "margin_unit": "px",
        "provenance": provenance(number),
    }
    return RetrievalRecord.model_validate(fields | changes)


def retrieval_sample(key: str, number: int, *, train: bool = False, **changes: Any) -> Sample:
    """A complete query, with target and negatives if it is to train on."""
    record = retrieval_record(key, number, **changes)
    members = {"json": to_json(record), "meta.txt": to_json({"setup": {}, "odd": [number, 1.0]})}
    members["video.mp4"] = clip(number)
    if train:
        members["target.png"] = encode_rgb(painted(number, record.target_frame))
        for place, frame in enumerate(negative_frames(number)):
            members[f"negative_{place}.png"] = encode_rgb(painted(number, frame))
    return Sample(key, members)


def corpus_record(scene: int, variant: str, frame: int, /, **changes: Any) -> CorpusRecord:
    fields: dict[str, Any] = {
        "id": frame_id(scene, variant, frame),
        "category": "frame",
        "frame_id": frame_id(scene, variant, frame),
        "scene_id": scene_id(scene),
        "source": "bullet",
        "variant": variant,
        "frame_index": frame,
        "provenance": provenance(scene),
    }
    return CorpusRecord.model_validate(fields | changes)


def corpus_sample(scene: int, variant: str, frame: int, /, **changes: Any) -> Sample:
    record = corpus_record(scene, variant, frame, **changes)
    picture = painted(scene, frame, 2 if variant == "factual" else 1)
    members = {"frame.png": encode_rgb(picture), "json": to_json(record), "meta.txt": to_json({"frame": frame})}
    return Sample(record.id, members)


def config_samples(config: str, scenes: Sequence[int], **changes: Any) -> Iterable[Sample]:
    """The samples of a config over some scenes, by their keys: one a scene; of the corpus all that queries name."""
    if config == "retrieval_corpus":
        target = SHOWN[-1] + HORIZON
        frames = [*((variant, target) for variant in VARIANTS)]
        for scene in scenes:
            places = [*frames, *(("factual", frame) for frame in negative_frames(scene))]
            yield from sorted((corpus_sample(scene, *place, **changes) for place in places), key=lambda each: each.key)
        return
    for scene in scenes:
        key = f"{scene_id(scene)}-{config.partition('_')[2]}"
        if config.startswith("retrieval"):
            yield retrieval_sample(key, scene, train=config == "retrieval_train", **changes)
        else:
            own = matched_changes(scene) if config == "selection_matched" else {}
            yield selection_sample(key, scene, **own | changes)


def make_dynapix_release(root: Path, n: int = 4, configs: tuple[str, ...] = CONFIGS, **changes: Any) -> Manifest:
    """Write a release over ``n`` scenes, each split in two shards; ``changes`` replace fields of all records."""
    files = dynapix_files(root, n, configs, **changes)
    manifest = Manifest(
        version=UNRELEASED,
        builder_version=__version__,
        constraints_sha256=constraints_sha256(),
        seed=0,
        preset="balanced",
        simulator="bullet",
        width=WIDTH,
        height=HEIGHT,
        shard_bytes=100_000_000,
        scenes={"collisions": n},
        configs=files,
    )
    write_card(root, manifest)
    write_manifest(root, manifest)
    return manifest


def dynapix_files(root: Path, n: int, configs: Iterable[str], **changes: Any) -> dict[str, dict[str, SplitFiles]]:
    """Shards and indexes of the configs, without manifest and card."""
    files: dict[str, dict[str, SplitFiles]] = {}
    for name in configs:
        spec = config_spec(name)
        (split,) = spec.splits
        halves = [half for half in (range(n // 2), range(n // 2, n)) if half]
        shards = [
            write_shard(root, shard_path(name, split, i, len(halves)), spec, config_samples(name, half, **changes))
            for i, half in enumerate(halves)
        ]
        index = write_index(root, index_path(name, split), spec, [shard.path for shard in shards])
        files[name] = {split: SplitFiles(shards=shards, index=index)}
    return files
