"""Perception as a contract: files of others are read with suspicion, and mistakes are made on purpose, by name."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.measured import HEIGHT, WIDTH, Drawn, pair_of, scene

from flowbench.builders.real.measuring.measure import measure, perceive
from flowbench.builders.real.measuring.sighting import Optics
from flowbench.builders.real.perception.base import Mask, PerceptionError
from flowbench.builders.real.perception.files import FilePerception, folder_of, write_perception
from flowbench.builders.real.perception.models import ModelPerception, chained
from flowbench.builders.real.perception.perturbed import Knobs, PerturbedPerception, grid
from flowbench.builders.real.perception.prompts import mention, prompts_for, singular, task_nouns
from flowbench.errors import UsageError

PAIR = pair_of(scene())
DRAWN = Drawn(scene())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("perception")
    write_perception(root, PAIR, DRAWN.segment(PAIR, ()), DRAWN.depth(PAIR), DRAWN.track(PAIR))
    return root


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of the files, to break."""
    found = folder_of(tmp_path, 3)
    found.mkdir()
    for path in folder_of(written, 3).iterdir():
        (found / path.name).write_bytes(path.read_bytes())
    return found


def npz(path: Path, **arrays: object) -> None:
    kept = dict(np.load(path)) | arrays
    np.savez(path, **{name: each for name, each in kept.items() if each is not None})  # type: ignore[arg-type]


def refused(folder: Path) -> PerceptionError:
    with pytest.raises(PerceptionError) as caught:
        perceive(FilePerception(folder.parent), PAIR)
    text = str(caught.value)
    assert str(folder) in text
    assert "\n" not in text
    assert text.endswith((".", ")."))
    return caught.value


def test_files_say_what_was_written(written: Path) -> None:
    found, expected = perceive(FilePerception(written), PAIR), perceive(DRAWN, PAIR)
    for ours, theirs in zip(found.segmentation.before, expected.segmentation.before, strict=True):
        assert (ours.label, ours.kind, ours.score) == (
            theirs.label,
            "task" if ours.label == "mug" else "common",
            theirs.score,
        )
        assert np.array_equal(ours.pixels, theirs.pixels)
    assert np.array_equal(found.depths.after, expected.depths.after)
    assert np.array_equal(found.tracks.displacement, expected.tracks.displacement)
    assert type(measure(PAIR, found, Optics(PAIR.k))) is type(measure(PAIR, expected, Optics(PAIR.k)))


@pytest.mark.parametrize("name", ["pair.json", "masks.npz", "depth.npz", "tracks.npz"])
def test_missing_files_are_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    error = refused(folder)
    assert name in str(error)
    assert error.reason == "no perception file"


@pytest.mark.parametrize(
    ("name", "arrays", "reason"),
    [
        ("depth.npz", {"before": np.ones((10, 10), np.float32)}, "depth of another size"),
        ("depth.npz", {"after": np.full((HEIGHT, WIDTH), np.nan, np.float32)}, "depth that is no number"),
        ("depth.npz", {"after": np.full((HEIGHT, WIDTH), -1.0, np.float32)}, "negative depth"),
        ("depth.npz", {"after": np.ones((HEIGHT, WIDTH), np.int32)}, "perception file that cannot be read"),
        ("depth.npz", {"after": None}, "perception file that cannot be read"),
        ("masks.npz", {"before_masks": np.ones((6, 10, 10), np.bool_)}, "masks of another size"),
        ("masks.npz", {"before_scores": np.full(6, 2.0)}, "mask with a bad score"),
        ("masks.npz", {"before_scores": np.full(5, 0.5)}, "perception file that cannot be read"),
        ("masks.npz", {"before_labels": np.array(["mug"] * 6, dtype=object)}, "perception file that cannot be read"),
        ("masks.npz", {"before_scores": np.array(["high"] * 6)}, "perception file that cannot be read"),
        ("masks.npz", {"before_masks": np.full((6, HEIGHT, WIDTH), "x")}, "perception file that cannot be read"),
        (
            "masks.npz",
            {"before_labels": np.full(6, (1 << 31) - 1, np.uint32).view("<U1")},
            "perception file that cannot be read",
        ),
        ("depth.npz", {"after": np.full((HEIGHT, WIDTH), 1e300)}, "depth that is no number"),
        ("tracks.npz", {"displacement": np.zeros((HEIGHT, WIDTH, 3))}, "tracks of another size"),
        ("tracks.npz", {"displacement": np.full((HEIGHT, WIDTH, 2), np.inf)}, "tracks that are no numbers"),
    ],
)
def test_arrays_that_do_not_fit(folder: Path, name: str, arrays: dict[str, object], reason: str) -> None:
    npz(folder / name, **arrays)
    assert refused(folder).reason == reason


BAD_LABELS = ("", " ", "box\n", "box ", "\ud800", "box\x1fcup", "box\u202e", "Box", "bôx", "x" * 61, "box|3")


@pytest.mark.parametrize("label", BAD_LABELS)
def test_labels_are_words(folder: Path, label: str) -> None:
    labels = np.array([label if each == "box" else each for each in np.load(folder / "masks.npz")["before_labels"]])
    npz(folder / "masks.npz", before_labels=labels, after_labels=labels)
    error = refused(folder)
    assert error.reason == "mask with a bad label"
    assert str(error).isprintable()


HEADERS = ("{'shape': (", '"""', "{[]: 1}", "-" * 9000 + "1", "(" * 9000, "\0", "{'descr': '<f4'}")


@pytest.mark.parametrize("header", HEADERS)
def test_headers_that_are_none(folder: Path, header: str) -> None:
    raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    with zipfile.ZipFile(folder / "depth.npz", "w") as archive:
        archive.writestr("before.npy", raw)
    assert refused(folder).reason == "perception file that cannot be read"


def test_an_archive_with_a_password_is_not_read(folder: Path) -> None:
    data = bytearray((folder / "depth.npz").read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(signature)
        while place >= 0:
            data[place + at] |= 1
            place = data.find(signature, place + 1)
    (folder / "depth.npz").write_bytes(data)
    assert "encrypted" in str(refused(folder))


def test_nothing_is_unpickled_unpacked_or_believed(folder: Path) -> None:
    path = folder / "depth.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refused(folder).reason == "perception file that cannot be read"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (1 << 20, 1 << 20)})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("before.npy", header.getvalue())
    assert "only" in str(refused(folder))
    path.unlink()
    path.symlink_to("/etc/hostname")
    assert refused(folder).reason == "no perception file"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (json.dumps({"before": 0, "after": 8, "camera": "observation.images.front"}), "perception of other frames"),
        (json.dumps({"before": [0] * 999, "after": 9, "camera": "a\nb"}), "perception of other frames"),
        ("{", "perception file that cannot be read"),
        ("[]", "perception file that cannot be read"),
        ("x" * (1 << 17), "perception file that cannot be read"),
    ],
)
def test_the_pair_must_be_the_one_that_was_looked_at(folder: Path, text: str, reason: str) -> None:
    (folder / "pair.json").write_text(text)
    assert refused(folder).reason == reason


def perturbed(**knobs: float) -> PerturbedPerception:
    return PerturbedPerception(DRAWN, Knobs.of(knobs))


def test_knobs_at_nought_change_nothing() -> None:
    found, exact = perceive(perturbed(), PAIR), perceive(DRAWN, PAIR)
    assert all(
        np.array_equal(a.pixels, b.pixels)
        for a, b in zip(found.segmentation.after, exact.segmentation.after, strict=True)
    )
    assert np.array_equal(found.depths.before, exact.depths.before)
    assert np.array_equal(found.tracks.displacement, exact.tracks.displacement)


def areas(masks: tuple[Mask, ...]) -> list[int]:
    return [int(np.count_nonzero(mask.pixels)) for mask in masks]


def test_each_knob_does_its_own() -> None:
    exact = perceive(DRAWN, PAIR)
    assert set(areas(perturbed(erosion=3).segment(PAIR, ()).before)) == {55 * 55}
    assert perturbed(missed=1.0).segment(PAIR, ()).before == ()
    assert areas(perturbed(merged=1.0).segment(PAIR, ()).before) == [2 * 61 * 61] * 3
    assert np.allclose(perturbed(depth_scale=0.1).depth(PAIR).after, 1.1 * exact.depths.after)
    assert np.allclose(perturbed(depth_bias=-0.02).depth(PAIR).after, exact.depths.after - 0.02)
    noisy = perturbed(depth_noise=0.05).depth(PAIR).before / exact.depths.before
    assert len(np.unique(np.round(noisy, 5))) == len(scene()) + 1
    assert np.abs(noisy - 1.0).max() <= 0.0501
    assert not perturbed(track_loss=1.0).track(PAIR).tracked[220:281, 420:481].any()
    drift = perturbed(track_drift=5.0).track(PAIR).displacement[250, 450] - exact.tracks.displacement[250, 450]
    assert float(np.hypot(*drift)) == pytest.approx(5.0, abs=1e-4)


def test_knobs_are_seeded_and_told() -> None:
    provider = perturbed(missed=0.5, track_drift=2.0)
    assert provider.segment(PAIR, ()).before[0].label == perturbed(missed=0.5).segment(PAIR, ()).before[0].label
    assert provider.knobs_text == '{"missed": 0.5, "track_drift": 2.0}'
    assert len({name for name, _ in grid()}) == len(grid())


@pytest.mark.parametrize(
    ("knobs", "text"),
    [({"mised": 0.1}, "did you mean 'missed'"), ({"missed": 1.5}, "expected 0 to 1"), ({"erosion": -1}, "expected 0")],
)
def test_knobs_that_are_none(knobs: dict[str, float], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        Knobs.of(knobs)


def test_a_tracker_that_lost_everything_is_a_reject() -> None:
    found = measure(PAIR, perceive(perturbed(track_loss=1.0), PAIR), Optics(PAIR.k))
    assert getattr(found, "reason", None) == "tracks: the mover was lost"


def test_prompts_hold_arm_task_common_and_generic_ones() -> None:
    prompts = prompts_for("kitchen", "put the boxes next to the blue watering can")
    kinds = {prompt.text: prompt.kind for prompt in prompts}
    assert (kinds["robot arm"], kinds["box"], kinds["can"], kinds["watering"]) == ("arm", "task", "task", "task")
    assert (kinds["spatula"], kinds["small object"]) == ("common", "generic")
    assert len(kinds) == len(prompts)
    assert len(prompts_for("household", "")) == 2 + 46 + 4
    assert len(prompts_for("kitchen", "")) == 2 + 28 + 4


def test_task_words() -> None:
    assert task_nouns("Push the red mugs to the left of the glass") == ("mug", "glass")
    assert [singular(word) for word in ("dishes", "tomatoes", "bus", "cups")] == ["dish", "tomato", "bus", "cup"]
    assert mention("salt shaker", "put the salt shaker by the mug") == 2
    assert mention("shaker", "put the salt shaker by the mug") == 3
    assert mention("bowl", "put the salt shaker by the mug") is None


def test_models_say_in_a_sentence_what_they_lack() -> None:
    provider = ModelPerception(lambda pair, indices: [], device="cpu")
    for ask in (lambda: provider.segment(PAIR, prompts_for("kitchen", "")), lambda: provider.depth(PAIR)):
        with pytest.raises(UsageError, match=r"pip install|cannot be loaded") as caught:
            ask()
        assert "\n" not in str(caught.value)


def test_flow_is_chained_through_the_frames() -> None:
    rng = np.random.default_rng(0)
    noise = cv2.GaussianBlur(rng.integers(0, 255, (120, 200)).astype(np.uint8), (0, 0), 2.0)
    frames = [np.ascontiguousarray(noise[:, 3 * k : 3 * k + 140]) for k in range(5)]
    tracks = chained(frames)
    inner = tracks.displacement[30:90, 40:110]
    assert np.median(inner[..., 0]) == pytest.approx(-12.0, abs=0.5)
    assert np.median(inner[..., 1]) == pytest.approx(0.0, abs=0.5)
    assert not tracks.tracked[:, :3].any()
    assert tracks.tracked[30:90, 40:110].mean() > 0.9
