#!/usr/bin/env python3
"""Draw every row of the catalogue, three variants each, with its label, into one picture.

python scripts/contact_sheet.py [docs/contact_sheet_train.jpg] [--style test] [--only Chair --only Mug] [--cell 150]

With ``--blind KEY.txt`` every variant stands alone under a number, in a shuffled order, and the answers go to
KEY.txt: to see whether somebody who does not know them can name them.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from flowbench.builders.simulators.bullet.catalogue import CATALOGUE, ObjectType
from flowbench.builders.simulators.bullet.model import Model
from flowbench.builders.simulators.bullet.styles import styles
from flowbench.geometry import Camera
from flowbench.rendering import Instance, Lighting, Material, Renderer
from flowbench.rendering.placing import rotation
from flowbench.rendering.shapes import box
from flowbench.rendering.textures import make_textures
from flowbench.seeding import generator

VARIANTS = 3
COLUMNS = 6
CAPTION = 20
FLOOR, WALL = Material("plain", (0.80, 0.78, 0.75), 0.9), Material("plain", (0.86, 0.87, 0.89), 0.9)

Picture = NDArray[np.uint8]


def backdrop(kind: ObjectType, low: NDArray[np.float64], high: NDArray[np.float64]) -> Iterator[Instance]:
    """What the object stands on, hangs on or hangs from."""
    reach = 40.0 * float((high - low).max())
    thick = 0.02
    if kind.placement == "hung":
        yield Instance(2, box((reach, thick, reach), (0.0, thick / 2 + 0.001, 0.0), WALL), casts_shadow=False)
    elif kind.placement == "ceiling":
        yield Instance(2, box((reach, reach, thick), (0.0, 0.0, thick / 2 + 0.001), WALL), casts_shadow=False)
    else:
        yield Instance(2, box((reach, reach, thick), (0.0, 0.0, -thick / 2), FLOOR), casts_shadow=False)


def portrait(renderer: Renderer, kind: ObjectType, model: Model, cell: int) -> Picture:
    """One variant, seen from its front left, filling the cell; (cell, cell, 3) uint8."""
    low, high = model.mesh.bounds
    turn = 0.0 if kind.placement in ("hung", "ceiling") else math.radians(28.0)
    lies = float(high[2] - low[2]) < 0.2 * float((high - low).max())
    pitch = {"hung": 0.0, "ceiling": -0.4}.get(kind.placement, 0.7 if lies else 0.38)
    middle, radius = (low + high) / 2.0, float(np.sqrt(((high - low) ** 2).sum())) / 2.0
    distance = 1.08 * radius / math.sin(math.radians(24.0))
    focal_scale = math.tan(math.radians(24.0))
    pose = rotation("z", turn)
    x, y = (float(v) for v in pose[:2, :2] @ middle[:2])
    eye = (x, y - distance * math.cos(pitch), float(middle[2]) + distance * math.sin(pitch))
    camera = Camera.standing(eye, math.pi / 2.0, pitch, width=2 * cell, height=2 * cell)
    camera = Camera(camera.width, camera.height, cell / focal_scale, camera.camera_from_world)
    lighting = Lighting(key_direction=(-0.5, -0.6, 0.9), background=(0.84, 0.83, 0.81))
    renderer.load([Instance(1, model.mesh, pose), *backdrop(kind, low, high)], lighting)
    picture = renderer.render(camera, rgb=True).rgb
    assert picture is not None
    return np.asarray(cv2.resize(picture, (cell, cell), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def variants(name: str, style: str) -> list[Model]:
    """Three of the first dozen variants of a row in a style, of as many shapes: told by their numbers of faces."""
    models = [CATALOGUE[name].make(generator(0, "contact_sheet", i, name), style) for i in range(4 * VARIANTS)]
    by_faces = {len(model.mesh.faces): i for i, model in reversed(list(enumerate(models)))}
    shapes = [by_faces[count] for count in sorted(by_faces)]
    chosen = sorted({shapes[0], shapes[len(shapes) // 2], shapes[-1]})
    chosen += [i for i in range(len(models)) if i not in chosen]
    return [models[i] for i in chosen[:VARIANTS]]


def captioned(picture: Picture, text: str) -> Picture:
    """The picture over a line of text."""
    caption = np.full((CAPTION, picture.shape[1], 3), 255, dtype=np.uint8)
    cv2.putText(caption, text, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (30, 30, 30), 1, cv2.LINE_AA)
    return np.concatenate([picture, caption], axis=0)


def in_rows(entries: Sequence[Picture], columns: int) -> Picture:
    """Pictures of one size side by side, ``columns`` a row."""
    blank = np.full_like(entries[0], 255)
    filled = [*entries, *[blank] * (-len(entries) % columns)]
    rows = [np.concatenate(filled[i : i + columns], axis=1) for i in range(0, len(filled), columns)]
    return np.concatenate(rows, axis=0)


def sheet(names: Sequence[str], style: str, cell: int, columns: int) -> Picture:
    """All rows of the catalogue: the variants of one side by side over its caption."""
    renderer = Renderer(make_textures())
    entries = []
    for name in track(names, "Drawing", transient=True):
        kind = CATALOGUE[name]
        shots = [portrait(renderer, kind, model, cell) for model in variants(name, style)]
        text = kind.name if kind.name == kind.label else f"{kind.name}: {kind.label}"
        entries.append(captioned(np.concatenate(shots, axis=1), text))
    return in_rows(entries, min(columns, len(names)))


def blind_sheet(names: Sequence[str], style: str, cell: int, columns: int) -> tuple[Picture, list[str]]:
    """All variants, shuffled and numbered, and the label of each number."""
    renderer = Renderer(make_textures())
    cells = [(CATALOGUE[name], model) for name in names for model in variants(name, style)]
    order = generator(0, "contact_sheet", 0, "blind").permutation(len(cells))
    entries, key = [], []
    for number, index in enumerate(track(order, "Drawing", transient=True), start=1):
        kind, model = cells[int(index)]
        entries.append(captioned(portrait(renderer, kind, model, cell), str(number)))
        key.append(f"{number} {kind.label}")
    return in_rows(entries, columns * VARIANTS), key


def main() -> None:
    """Write the sheet, as JPEG or PNG as its name says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path, help="default: docs/contact_sheet_<style>.jpg")
    parser.add_argument("--style", default="train", choices=list(styles()))
    parser.add_argument("--only", action="append", choices=list(CATALOGUE), help="a row of the catalogue; repeatable")
    parser.add_argument("--blind", type=Path, metavar="KEY", help="number the variants instead; answers go here")
    parser.add_argument("--cell", type=int, default=130, help="pixels a variant")
    parser.add_argument("--columns", type=int, default=COLUMNS, help="rows of the catalogue side by side")
    parser.add_argument("--quality", type=int, default=88, help="of a JPEG, up to 100")
    options = parser.parse_args()
    names = list(dict.fromkeys(options.only or CATALOGUE))
    out = options.out or Path(f"docs/contact_sheet_{options.style}.jpg")
    if out.suffix not in (".jpg", ".png"):
        parser.error(f"{out} ends neither in .jpg nor in .png; name the picture so.")
    if min(options.cell, options.columns) < 1 or not 1 <= options.quality <= 100:
        parser.error("--cell and --columns are at least 1, --quality lies between 1 and 100.")
    for path in (out, options.blind or out):
        path.parent.mkdir(parents=True, exist_ok=True)
    if options.blind is not None:
        picture, key = blind_sheet(names, options.style, options.cell, options.columns)
        options.blind.write_text("\n".join(key) + "\n", encoding="utf-8")
    else:
        picture = sheet(names, options.style, options.cell, options.columns)
    jpeg = [cv2.IMWRITE_JPEG_QUALITY, options.quality]
    if not cv2.imwrite(
        str(out), picture[..., ::-1], jpeg if out.suffix == ".jpg" else [cv2.IMWRITE_PNG_COMPRESSION, 9]
    ):
        parser.error(f"{out} cannot be written; name a file in a folder that can.")
    print(f"{len(set(names))} rows of the catalogue, {out.stat().st_size / 1e6:.2f} MB: {out}")


if __name__ == "__main__":
    main()
