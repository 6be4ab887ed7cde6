"""Derive the table of AI2-THOR's assets from the database of the ``procthor`` package (Apache-2.0).

pip download --no-deps procthor==0.0.1.dev2
python scripts/procthor_assets.py procthor-0.0.1.dev2-py3-none-any.whl builders/simulators/procthor/assets.csv
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from flowbench.files import write_text

DATABASE = "procthor/databases/asset-database.json"
COLUMNS = "asset,type,width,height,depth,flags"
_FLAGS = {"CanPickup": "p", "Moveable": "m", "Receptacle": "r"}


def rows(wheel: Path) -> Iterator[str]:
    """The table's lines: bounding boxes closed, in metres to 0.1 mm, the front towards +depth."""
    with zipfile.ZipFile(wheel) as archive:
        database = json.loads(archive.read(DATABASE))
    yield COLUMNS
    for kind, assets in sorted(database.items()):
        for asset in sorted(assets, key=lambda asset: str(asset["assetId"])):
            size = asset["boundingBox"]
            said = [asset.get("primaryProperty"), *asset.get("secondaryProperties", [])]
            flags = "".join(flag for name, flag in _FLAGS.items() if name in said)
            yield f"{asset['assetId']},{kind},{size['x']:.4f},{size['y']:.4f},{size['z']:.4f},{flags}"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    write_text(arguments.out, "\n".join(rows(arguments.wheel)) + "\n")


if __name__ == "__main__":
    main()
