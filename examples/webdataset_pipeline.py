"""Stream the shards with `webdataset`: only the columns asked for are read, decoded before anything can cut them.

python examples/webdataset_pipeline.py --root DIR    (RANK and WORLD_SIZE split the shards over ranks)
"""

import argparse
from typing import Any

import numpy as np

import flowbench


def pair(sample: flowbench.SimSample) -> tuple[Any, Any, str]:
    """The model's input image, the depth it should see, and what is asked about it."""
    return sample["before_marked"], sample["depth_before"], sample["record"].question


def main() -> None:
    """Go through one shuffled epoch, and print its first batches."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", help="release folder; by default what flowbench.load_dataset finds")
    parser.add_argument("--repo", help="Hub repository ORG/NAME instead; read as it is needed, without a copy")
    parser.add_argument("--batch", type=int, default=4)
    given = parser.parse_args()

    columns = ["before_marked", "depth_before", "record"]
    pipeline = flowbench.webdataset(
        "sim_train", "train", root=given.root, repo=given.repo, columns=columns, shuffle=100, seed=0
    )
    seen = 0
    for images, depths, questions in pipeline.map(pair).batched(given.batch):
        if seen < 3 * given.batch:
            far = max(float(np.max(depth)) for depth in depths)
            print(f"{len(images)} images {images[0].shape}, depth to {far:.2f} m: {questions[0]}")
        seen += len(images)
    print(f"{seen} samples")


if __name__ == "__main__":
    main()
