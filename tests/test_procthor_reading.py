"""Files of ProcTHOR houses: what is read, and what is said of files that are none."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.thor_houses import three_rooms

from flowbench.builders.simulators.procthor import reading
from flowbench.builders.simulators.procthor.reading import HouseFile
from flowbench.builders.simulators.procthor.schema import MOST_OBJECTS, HouseError, parse_house
from flowbench.errors import UsageError

HOUSE = three_rooms()
DATA = Path(__file__).parent / "data" / "three_rooms.json"


def changed(change: Callable[[Any], None]) -> Any:
    """The house of three rooms with something done to it."""
    house = copy.deepcopy(HOUSE)
    change(house)
    return house


def written(path: Path, *houses: Any) -> HouseFile:
    """A file of houses, one a line."""
    data = "\n".join(json.dumps(house) for house in houses).encode() + b"\n"
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return HouseFile(path)


def test_the_committed_house_is_the_drawn_one() -> None:
    assert json.loads(DATA.read_text("utf-8")) == json.loads(json.dumps(HOUSE))


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.json.gz", "a.jsonl.gz"])
def test_every_form_gives_the_same_house(tmp_path: Path, name: str) -> None:
    file = written(tmp_path / name, HOUSE)
    house = file.house(0)
    assert len(file) == 1
    assert house.raw == json.loads(json.dumps(HOUSE))
    assert (house.index, house.name, house.file_sha256) == (0, f"house 0 of {name}", file.sha256)
    assert [room.room_type for room in house.house.rooms] == ["Kitchen", "LivingRoom", "Bedroom"]


def test_houses_are_found_in_any_order_and_lists_too(tmp_path: Path) -> None:
    houses = [changed(lambda house, k=k: house["metadata"].update(roomSpecId=str(k))) for k in range(4)]
    lines = written(tmp_path / "a.jsonl.gz", *houses)
    (tmp_path / "b.json").write_text(json.dumps(houses), "utf-8")
    for file in (lines, HouseFile(tmp_path / "b.json")):
        assert len(file) == 4
        assert [file.house(k).raw["metadata"]["roomSpecId"] for k in (2, 0, 3, 3, 1)] == ["2", "0", "3", "3", "1"]
        with pytest.raises(UsageError, match=r"has 4 houses, and so no house 4: ask for fewer --scenes\."):
            file.house(4)


def test_a_broken_house_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(json.dumps(HOUSE).encode() + b'\n{"rooms": \n\n' + json.dumps(HOUSE).encode())
    file = HouseFile(tmp_path / "a.jsonl")
    assert len(file) == 3
    with pytest.raises(HouseError, match=r"^house 1 of a\.jsonl is not readable as JSON \(.*\): it is left out\.$"):
        file.house(1)
    assert file.house(2).house == file.house(0).house


def test_a_file_that_breaks_off_has_the_houses_before(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    written(path, *([HOUSE] * 3))
    path.write_bytes(path.read_bytes()[:-200])
    file = HouseFile(path)
    whole = [k for k in range(len(file)) if _is_whole(file, k)]
    assert whole == list(range(len(whole)))
    assert len(file) == len(whole) + 1
    with pytest.raises(HouseError, match="breaks off"):
        file.house(len(whole))


def _is_whole(file: HouseFile, index: int) -> bool:
    try:
        file.house(index)
    except HouseError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"{}", "is no file of houses by its name"),
        ("missing.json", None, "is not a file that can be read"),
        ("a.json", b"\x89PNG\r\n", "is not readable as JSON"),
        ("a.json.gz", gzip.compress(b"{}")[:-9], "cannot be unpacked"),
        ("a.json", b"[" * 200_000, "is not readable as JSON"),
    ],
)
def test_files_that_are_none_are_refused(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=said):
        len(HouseFile(tmp_path / name))


@pytest.mark.parametrize("name", ["none.jsonl", "none.json", "none.jsonl.gz"])
def test_files_without_houses_are_refused(tmp_path: Path, name: str) -> None:
    data = b"[]" if name == "none.json" else b" \n\n"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(UsageError, match=r"holds no houses: name a file of ProcTHOR houses\."):
        len(HouseFile(tmp_path / name))


def test_a_house_that_is_too_long_leaves_its_neighbours_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 16)
    crowd = HOUSE | {"objects": HOUSE["objects"] * 20}
    file = written(tmp_path / "a.jsonl.gz", HOUSE, crowd, HOUSE)
    assert len(file) == 3
    with pytest.raises(HouseError, match=r"^house 1 of a\.jsonl\.gz takes more than 0 MiB: it is left out\.$"):
        file.house(1)
    assert file.house(2).house == file.house(0).house


def test_what_a_file_says_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", changed(lambda h: h["metadata"].update(schema="\x1b[31m\n\u202eStube é")))
    with pytest.raises(HouseError) as told:
        file.house(0)
    assert str(told.value).isprintable()
    assert "Stube é" in str(told.value)


def test_null_is_nothing_and_turns_may_go_round_and_round() -> None:
    house = changed(lambda h: h["walls"][0].update(material=None))
    house["rooms"][0]["floorMaterial"] = house["objects"][0]["children"] = None
    house["objects"][0]["rotation"]["y"] = 1080.0
    read = parse_house(house)
    assert read.walls[0].material.name == read.rooms[0].floor_material.name == ""
    assert read.objects[0].children == ()


@pytest.mark.parametrize("name", ["bomb.json.gz", "bomb.jsonl.gz"])
def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 16)
    monkeypatch.setattr(reading, "MOST_BYTES_OF_LIST", 1 << 17)
    (tmp_path / name).write_bytes(gzip.compress(b"[" + b" " * (1 << 20)))
    with pytest.raises(UsageError, match=r"MiB"):
        len(HouseFile(tmp_path / name))


def _nested(depth: int) -> Any:
    thing = copy.deepcopy(HOUSE["objects"][1])
    thing["children"] = [_nested(depth - 1)] if depth else []
    return thing


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda h: h.pop("walls"), "lacks walls"),
        (lambda h: h["objects"][0].pop("assetId"), r"lacks objects\.0\.assetId"),
        (lambda h: h["metadata"].update(schema="2.0.0"), r"has schema '2\.0\.0', expected 1\.0\.0"),
        (lambda h: h["metadata"].pop("schema"), r"lacks metadata\.schema"),
        (lambda h: h.update(rooms=[]), "has no rooms"),
        (lambda h: h["objects"][0]["position"].update(x=float("inf")), r"objects\.0\.position\.x"),
        (lambda h: h["objects"][0]["position"].update(x=1e9), r"objects\.0\.position\.x"),
        (lambda h: h["objects"][0].update(position="here"), r"has a wrong objects\.0\.position: expected an object$"),
        (lambda h: h["objects"][0]["position"].update(x="here"), r"position\.x: expected a number$"),
        (lambda h: h.update(windows={}), "has a wrong windows: expected a list$"),
        (lambda h: h.update(windows=None), "lacks windows$"),
        (lambda h: h["doors"][1].update(openness=2), r"openness: expected at most 1$"),
        (lambda h: h["objects"][0].update(id="\ud800"), r"objects\.0\.id: expected a text$"),
        (lambda h: h.update(objects=h["objects"][:1] * (MOST_OBJECTS + 1)), "has more than 3,000 objects"),
        (lambda h: h["objects"].append(_nested(10)), "nested more than 8 deep"),
        (lambda h: h.update(rooms=h["rooms"] * 30), "has a wrong rooms"),
        (lambda h: h["walls"][0].update(polygon=[]), r"walls\.0\.polygon: expected at least 4 entries$"),
    ],
)
def test_what_is_wrong_with_a_house_is_said(change: Callable[[Any], None], said: str) -> None:
    with pytest.raises(HouseError, match=said):
        parse_house(changed(change))


@pytest.mark.parametrize(
    ("raw", "said"),
    [(None, "JSON null"), (3, "JSON number"), ([], "JSON list"), ("house", "JSON text"), ({}, "lacks rooms")],
)
def test_other_json_is_no_house(raw: object, said: str) -> None:
    with pytest.raises(HouseError, match=said):
        parse_house(raw)


def test_not_a_number_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(HOUSE | {"more": float("nan")}) + "\n", "utf-8")
    with pytest.raises(HouseError, match="nan is no number"):
        HouseFile(path).house(0)
