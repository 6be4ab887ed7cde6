"""MOVi-A folders and Physion trials: read as they are written, and refused in one sentence that names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import h5py
import numpy as np
import pytest
from support.filmed import FIRST, billiard, short_clip, write_movi, write_physion
from support.fuzzing import examine

from flowbench.builders.sources.filmed import FilmedScene, SceneError, Spell, factor_to, reduced, spells, tidy
from flowbench.builders.sources.hdf5 import Hdf5Error, opened
from flowbench.builders.sources.movi import MoviSource
from flowbench.builders.sources.physion import PhysionSource

SMALL = (64, 64)


def movi(root: Path, size: tuple[int, int] = SMALL) -> FilmedScene:
    return MoviSource(root, size).scene("0000")


def physion(root: Path, size: tuple[int, int] = SMALL) -> FilmedScene:
    source = PhysionSource(root, size)
    return source.scene(source.names[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_movi(tmp_path / "0000", short_clip(0, side=64))
    return tmp_path


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    write_physion(tmp_path / "drop" / "0000.hdf5", billiard(0, 60, side=64))
    return tmp_path


def test_a_movi_scene_is_read_as_it_was_written(folder: Path) -> None:
    show, scene = short_clip(0, side=64), movi(folder)
    assert (scene.name, scene.fps, scene.size, scene.scenario) == ("0000", 12, SMALL, "movi_a")
    assert scene.bodies == tuple(f"the small {colour} rubber cube" for colour in ("blue", "red", "green"))
    for frame in (0, 7, 23):
        np.testing.assert_allclose(scene.poses[frame, :, :3], show.places(frame), atol=1e-6)
        np.testing.assert_allclose(scene.pixels[frame], show.pixels(frame), atol=1e-4)
        assert scene.visible[frame].tolist() == show.visible(frame)
        np.testing.assert_array_equal(scene.picture(frame), show.painted(frame))
    assert scene.poses[0, 0, 3:].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert scene.touches == (Spell(13, 13, (0, 1)),)  # what is not listed, such as the floor, is left out


@pytest.mark.parametrize(("frame", "shown"), [(13.0, 13), (12.05, 13), (12.0, 12)])
def test_a_contact_is_shown_by_the_frame_after_its_step(folder: Path, frame: float, shown: int) -> None:
    entry = {"instances": [1, 0], "frame": frame + FIRST}
    (folder / "0000" / "events.json").write_text(json.dumps({"collisions": [entry]}))
    assert movi(folder).touches == (Spell(shown, shown, (0, 1)),)


@pytest.mark.parametrize(("camera", "first", "jpeg"), [("", 0, False), ("_cam0", 1, False), ("", 0, True)])
def test_a_trial_is_read_as_it_was_written(tmp_path: Path, camera: str, first: int, jpeg: bool) -> None:
    show = billiard(0, 60, side=64)
    write_physion(tmp_path / "drop" / "0000.hdf5", show, camera=camera, first=first, jpeg=jpeg)
    scene = physion(tmp_path)
    assert (scene.name, scene.scenario, scene.fps, scene.bodies[:2]) == ("drop/0000", "drop", 30, ("cube", "bowl"))
    for frame in (0, 30, 59):
        np.testing.assert_allclose(scene.poses[frame, :, :3], show.places(frame), atol=1e-5)  # z up again
        np.testing.assert_allclose(scene.velocities[frame], show.velocities(frame, 30.0), atol=1e-4)
        assert scene.visible[frame].tolist() == show.visible(frame)
        off = np.abs(scene.picture(frame).astype(int) - show.painted(frame).astype(int))
        assert off.mean() < (3.0 if jpeg else 1e-9)
    middle = np.argwhere((show.painted(0, ids=True) == show.colours[2]).all(axis=-1)).mean(axis=0)[::-1]
    np.testing.assert_allclose(scene.pixels[0, 2], middle, atol=1e-5)
    assert Spell(26, 27, (0, 1)) in scene.touches  # until they report that they part
    assert Spell(40, 59, (2,)) in scene.touches


def test_unitys_turns_are_ours_with_y_and_z_changed_about(trials: Path) -> None:
    with h5py.File(trials / "drop" / "0000.hdf5", "r+") as file:
        half = np.sqrt(0.5)
        file["frames/0000/objects/rotations"][0] = (0.0, half, 0.0, half)  # a quarter about Unity's y, left-handed
    np.testing.assert_allclose(physion(trials).poses[0, 0, 3:], [0.0, 0.0, -half, half], atol=1e-6)


def test_larger_pictures_are_reduced_by_whole_blocks(tmp_path: Path) -> None:
    write_movi(tmp_path / "0000", short_clip(0, side=128))
    scene, show = movi(tmp_path), short_clip(0, side=128)
    blocks = show.painted(5).astype(float).reshape(64, 2, 64, 2, 3).mean(axis=(1, 3))
    np.testing.assert_array_equal(scene.picture(5), np.floor(blocks + 0.5))
    assert scene.visible[5].tolist() == [count // 4 for count in show.visible(5)]
    np.testing.assert_allclose(scene.pixels[5], (show.pixels(5) + 0.5) / 2 - 0.5, atol=1e-4)


@pytest.mark.parametrize(("found", "factor"), [((64, 64), 1), ((192, 192), 3)])
def test_whole_multiples_are_reduced(found: tuple[int, int], factor: int) -> None:
    assert factor_to(found, SMALL) == factor
    assert reduced(np.full((*found[::-1], 3), 7, np.uint8), factor).shape == (64, 64, 3)


def edited(name: str, **changes: Any) -> Callable[[Path], object]:
    """A change of keys, at ``a/b`` of the first entry of lists."""

    def change(folder: Path) -> None:
        path = folder / name
        plain = json.loads(path.read_text())
        for place, value in changes.items():
            *above, last = place.split("/")
            holder = plain
            for key in above:
                holder = holder[key][0] if isinstance(holder[key], list) else holder[key]
            if value is None:
                del holder[last]
            else:
                holder[last] = value
        path.write_text(json.dumps(plain))

    return change


@pytest.mark.parametrize(
    ("spoil", "sentence", "reason"),
    [
        (lambda f: (f / "events.json").unlink(), "events.json cannot be read", "no events.json"),
        (lambda f: (f / "metadata.json").unlink(), "metadata.json cannot be read", "no metadata.json"),
        (lambda f: (f / "rgba_00003.png").unlink(), "rgba_00003.png cannot be read", "frames are missing"),
        (
            lambda f: (
                write_movi(f.parent / "x", short_clip(0, side=32))
                and (f.parent / "x/rgba_00004.png").rename(f / "rgba_00004.png")
            ),
            "pictures of 64x64 pixels and 32x32 pixels",
            "pictures of different sizes",
        ),
        (lambda f: (f / "events.json").write_text('{"collisions": ['), "as JSON", "events.json is no JSON"),
        (lambda f: (f / "events.json").write_text("[" * 100_000), "as JSON", "events.json is no JSON"),
        (lambda f: (f / "rgba_00000.png").write_bytes(b"GIF89a"), "no PNG or JPEG", "files that disagree"),
        (edited("metadata.json", **{"metadata/num_frames": None}), "no 'num_frames'", "files that disagree"),
        (edited("metadata.json", **{"metadata/num_frames": 23}), "shape (24, 3), expected (23, 3)", "disagree"),
        (edited("metadata.json", **{"metadata/num_frames": 10**9}), "frames, expected 8 to 4,096", "disagree"),
        (edited("metadata.json", **{"metadata/frame_rate": "12"}), "not a whole number", "files that disagree"),
        (edited("metadata.json", instances=[]), "0 bodies", "files that disagree"),
        (edited("metadata.json", **{"instances/positions": [[float("nan")] * 3] * 24}), "not finite", "disagree"),
        (edited("metadata.json", **{"instances/positions": "far"}), "no table of numbers", "files that disagree"),
        (edited("metadata.json", **{"instances/visibility": None}), "no 'visibility'", "files that disagree"),
        (edited("events.json", **{"collisions/instances": [0, "1"]}), "two whole numbers", "files that disagree"),
        (edited("events.json", **{"collisions/frame": float("inf")}), "no number of a frame", "files that disagree"),
    ],
)
def test_a_broken_folder_is_one_sentence(
    folder: Path, spoil: Callable[[Path], object], sentence: str, reason: str
) -> None:
    spoil(folder / "0000")
    with pytest.raises(SceneError) as caught:
        movi(folder)
    assert sentence in str(caught.value)
    assert "0000" in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert reason in caught.value.reason


def test_pictures_of_another_shape_are_refused(folder: Path) -> None:
    with pytest.raises(SceneError, match="64x64 pixels, expected 48x48 or a whole multiple"):
        movi(folder, (48, 48))


def in_file(change: Callable[[h5py.File], object]) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        with h5py.File(path, "r+") as file:
            change(file)

    return spoil


def replaced(name: str, value: Any) -> Callable[[Path], object]:
    def change(file: h5py.File) -> None:
        del file[name]
        file[name] = value

    return in_file(change)


def linked(name: str, link: Any) -> Callable[[Path], object]:
    return replaced(name, link)


def stored_elsewhere(file: h5py.File) -> None:
    del file["static/object_ids"]
    file["static"].create_dataset("object_ids", (3,), "i4", external=[("/etc/hostname", 0, 12)])


def virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout(shape=(3,), dtype="i4")
    layout[:] = h5py.VirtualSource("other.hdf5", "ids", shape=(3,))
    del file["static/object_ids"]
    file.create_virtual_dataset("static/object_ids", layout)


UNREADABLE = "an HDF5 file that cannot be read whole"
DISAGREE = "tables that disagree, or are not finite"


@pytest.mark.parametrize(
    ("spoil", "sentence", "reason"),
    [
        (lambda p: p.write_bytes(p.read_bytes()[:5000]), "cannot be read as HDF5", UNREADABLE),
        (lambda p: p.write_bytes(b"not one"), "cannot be read as HDF5", UNREADABLE),
        (in_file(lambda f: f.__delitem__("static/object_ids")), "/static has no 'object_ids'", UNREADABLE),
        (in_file(lambda f: f.__delitem__("frames/0007/images/_img")), "has no '_img'", UNREADABLE),
        (in_file(lambda f: f.__delitem__("frames/0007/images/_id")), "has no '_id'", UNREADABLE),
        (in_file(lambda f: f.__delitem__("frames/0007")), "lacks some frames", DISAGREE),
        (in_file(stored_elsewhere), "lies in other files", UNREADABLE),
        (in_file(virtual), "lies in other files", UNREADABLE),
        (linked("static", h5py.ExternalLink("other.hdf5", "/static")), "is a link", UNREADABLE),
        (linked("frames/0003/objects", h5py.SoftLink("/frames/0002/objects")), "is a link", UNREADABLE),
        (replaced("static/object_ids", np.array(["a", "b", "c"], h5py.string_dtype())), "holds object", UNREADABLE),
        (replaced("frames/0005/objects/positions", np.full((3, 3), np.nan)), "not finite", DISAGREE),
        (replaced("frames/0005/objects/velocities", np.full((3, 3), 1e30)), "larger than", DISAGREE),
        (replaced("frames/0005/objects/positions", np.zeros((2, 3))), "shape (2, 3), expected (3, 3)", DISAGREE),
        (replaced("frames/0026/collisions/states", np.array([b"enter"] * 2)), "2 states of 1 collisions", DISAGREE),
        (replaced("frames/0026/collisions/states", np.array([1.5])), "expected texts of fixed length", DISAGREE),
        (replaced("frames/0026/collisions/states", np.array([2**40])), "expected texts of fixed length", DISAGREE),
        (replaced("frames/0026/collisions/object_ids", np.array([5, 17, 3])), "1 states of 1.5 collisions", DISAGREE),
        (replaced("frames/0026/collisions/object_ids", np.array([[np.inf, 3]])), "expected whole numbers", DISAGREE),
        (replaced("frames/0005/env_collisions/object_ids", np.array([np.inf])), "expected whole numbers", DISAGREE),
        (replaced("static/object_ids", np.array([np.inf, 17, 3])), "expected whole numbers", DISAGREE),
        (replaced("static/object_ids", np.array([5, 5, 3])), "names one object twice", DISAGREE),
        (replaced("static/object_ids", np.zeros(10**6, np.int8)), "1000000 bodies, expected 1 to 64", DISAGREE),
        (replaced("frames/0005/images/_img", np.zeros(9, np.uint8)), "no PNG or JPEG", DISAGREE),
        (replaced("static/object_segmentation_colors", np.zeros((2, 3), np.uint8)), "segmentation_colors", DISAGREE),
        (
            in_file(
                lambda f: (
                    f.__delitem__("static/object_ids")
                    or f["static"].create_dataset(
                        "object_ids", (10**6, 10**5), "u1", chunks=(1, 10), compression="gzip"
                    )
                )
            ),
            "over 67,108,864 bytes",
            UNREADABLE,
        ),
    ],
)
def test_a_broken_trial_is_one_sentence(
    trials: Path, spoil: Callable[[Path], object], sentence: str, reason: str
) -> None:
    spoil(trials / "drop" / "0000.hdf5")
    with pytest.raises(SceneError) as caught:
        physion(trials)
    assert sentence in str(caught.value)
    assert "0000.hdf5" in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert caught.value.reason == reason


def test_a_damaged_trial_is_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    path = write_physion(tmp_path / "drop" / "0000.hdf5", billiard(0, 12, side=32))
    sound = path.read_bytes()

    def damaged(rng: Random) -> bytes:
        """Where the file's structure lies, in which numbers count."""
        data = bytearray(sound)
        for _ in range(rng.choice((1, 2, 8))):
            data[rng.randrange(6_000)] = rng.randrange(256)
        return bytes(data)

    def read(data: bytes) -> None:
        path.write_bytes(data)
        scene = physion(tmp_path, (32, 32))
        for frame in range(len(scene.poses)):
            scene.picture(frame)

    judge = examine(damaged, read, 40, SceneError)
    assert judge.accepted > 1
    assert any("is damaged" in reason for reason in judge.reasons)


def test_a_group_that_is_a_table_and_the_other_way_round(trials: Path) -> None:
    with opened(trials / "drop" / "0000.hdf5") as file:
        with pytest.raises(Hdf5Error, match="is no group"):
            file.group("static").group("object_ids")
        with pytest.raises(Hdf5Error, match="is no table"):
            file.table("static")


def test_scenes_come_in_order_and_links_are_left_out(tmp_path: Path, trials: Path) -> None:
    for name in ("0010", "0002", ".hidden"):
        (tmp_path / "movi" / name).mkdir(parents=True)
    (tmp_path / "movi" / "0001").symlink_to(tmp_path / "movi" / "0002")
    assert MoviSource(tmp_path / "movi", SMALL).names == ("0002", "0010")
    (trials / "drop" / "0001.hdf5").symlink_to("0000.hdf5")
    write_physion(trials / "collide" / "a" / "0009.hdf5", billiard(1, 8, side=64))
    source = PhysionSource(trials, SMALL)
    assert source.names == ("collide/a/0009", "drop/0000")
    assert [source.scenario(name) for name in (*source.names, "0003")] == ["collide", "drop", "physion"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e7, [1.0, 2.0]])
def test_tables_hold_finite_numbers_of_one_shape(value: Any) -> None:
    with pytest.raises(ValueError, match="the table"):
        tidy([value], (1,), "the table")


def test_spells_are_the_longest() -> None:
    touching = [(3, (0, 1)), (4, (0, 1)), (6, (0, 1)), (4, (2,)), (3, (0, 1))]
    assert spells(touching) == (Spell(3, 4, (0, 1)), Spell(4, 4, (2,)), Spell(6, 6, (0, 1)))
