"""Load a release with plain `datasets`: this file needs nothing of flowbench.

python examples/load_with_datasets.py --root DIR    (by default `flowbench`, in the folder that holds it)
"""

import argparse
from collections import Counter

from datasets import load_dataset


def main() -> None:
    """Print what a split holds, map-style and streaming."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", default="flowbench", help="release folder, or ORG/NAME of a Hub repository")
    root = parser.parse_args().root

    train = load_dataset(root, "sim_train", split="train")
    sample = train[0]
    record = sample["json"]
    print(f"{len(train)} samples: {dict(sorted(Counter(row['category'] for row in train['json']).items()))}")
    print(f"image:    {sample['before_marked.png'].size}, depth {sample['depth_before.png16'].mode} in millimetres")
    print(f"motion:   {record['motion_text']}")
    print(f"question: {record['question']}")
    for letter, choice in zip("ABCDEF", record["choices"], strict=False):
        print(f"          {letter} {choice}{'   <- the answer' if letter in record['answer'] else ''}")

    streamed = next(iter(load_dataset(root, "sim_train", split="train", streaming=True)))
    print(f"streamed: {streamed['json']['id']} with {len(streamed)} columns")


if __name__ == "__main__":
    main()
