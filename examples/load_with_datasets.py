"""Load a release with plain `datasets`, without flowbench. Run it in the folder that holds the release `flowbench/`."""

from collections import Counter

from datasets import load_dataset

train = load_dataset("flowbench", "sim_train", split="train")
sample = train[0]
record = sample["json"]

print(f"{len(train)} samples: {dict(sorted(Counter(row['category'] for row in train['json']).items()))}")
print(f"image:    {sample['before_marked.png'].size}, depth {sample['depth_before.png16'].mode} in millimetres")
print(f"motion:   {record['motion_text']}")
print(f"question: {record['question']}")
for letter, choice in zip("ABCDEF", record["choices"], strict=False):
    print(f"          {letter} {choice}{'   <- the answer' if letter in record['answer'] else ''}")

streamed = next(iter(load_dataset("flowbench", "sim_train", split="train", streaming=True)))
print(f"streamed: {streamed['json']['id']} with {len(streamed)} columns")
