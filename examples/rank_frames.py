"""Rank the corpus for every retrieval query by a trivial rule: the frame nearest to the last one that was observed.

python examples/rank_frames.py --root DIR

A model takes the place of `score`: it gets the query, the video and all frames, and gives each frame a number.
"""

import argparse
from pathlib import Path

import numpy as np

import flowbench
from flowbench import RetrievalSample

STEP = 8
"""Pictures are compared in blocks of so many pixels a side, to be quick."""


def main() -> None:
    """Print Recall@1 and Recall@10."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path("flowbench"), help="release folder")
    root = parser.parse_args().root

    names, looks = [], []
    for sample in flowbench.load_dataset("retrieval_corpus", "test", root=root, streaming=True):
        names.append(sample["record"].frame_id)
        looks.append(small(sample["frame"]))
    corpus = np.stack(looks)
    place = {name: number for number, name in enumerate(names)}

    ranks = []
    columns = ["record", "video"]
    for query in flowbench.load_dataset("retrieval_test", "test", root=root, streaming=True, columns=columns):
        scores = score(query, corpus)
        target = place[query["record"].target_frame_id]
        ranks.append(int((scores > scores[target]).sum()) + 1)

    print(f"{len(ranks)} queries over {len(names)} frames")
    for most in (1, 10):
        print(f"Recall@{most}: {100 * np.mean(np.array(ranks) <= most):.1f}%, by chance {100 * most / len(names):.1f}%")


def score(query: RetrievalSample, corpus: np.ndarray) -> np.ndarray:
    """A number for each of the corpus's frames, the higher the likelier; this rule expects that nothing moves."""
    video = query["video"]
    last = np.zeros(corpus.shape[1:], np.float32) if video is None else small(video[-1])
    return -np.abs(corpus - last).mean(axis=(1, 2, 3))


def small(picture: np.ndarray) -> np.ndarray:
    """(H / STEP, W / STEP, 3) float32 of (H, W, 3): means of blocks."""
    height, width = (side // STEP for side in picture.shape[:2])
    blocks = picture[: height * STEP, : width * STEP].reshape(height, STEP, width, STEP, 3)
    return blocks.mean(axis=(1, 3), dtype=np.float32)


if __name__ == "__main__":
    main()
