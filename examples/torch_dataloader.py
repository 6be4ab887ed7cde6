"""Train with torch: shards split over ranks and DataLoader workers, every sample decoded in its worker.

python examples/torch_dataloader.py --root DIR    (under torchrun, RANK and WORLD_SIZE say which part is this rank's)
"""

import argparse
import os

import torch
from datasets.distributed import split_dataset_by_node
from torch.utils.data import DataLoader

import flowbench

COLUMNS = ["before", "depth_before", "flow", "record"]


def collate(samples: list[flowbench.SimSample]) -> dict[str, torch.Tensor | list[str]]:
    """Stack arrays: image (N, 3, H, W) in 0..1, depth (N, 1, H, W) in metres, flow (N, 2, H, W) in pixels."""
    stacked = {
        name: torch.stack([torch.from_numpy(sample[name]) for sample in samples])
        for name in ("before", "depth_before", "flow", "valid")
    }
    return {
        "id": [sample["key"] for sample in samples],
        "question": [f"{sample['record'].motion_text} {sample['record'].question}" for sample in samples],
        "image": stacked["before"].permute(0, 3, 1, 2).float() / 255.0,
        "depth": stacked["depth_before"][:, None],
        "flow": stacked["flow"].permute(0, 3, 1, 2),
        "valid": stacked["valid"][:, None],
    }


def loader(root: str | None, batch: int, workers: int, rank: int, world: int, epoch: int) -> DataLoader:
    """One epoch's batches of this rank; map-style data would take a DistributedSampler instead."""
    data = flowbench.load_dataset("sim_train", "train", root=root, streaming=True, columns=COLUMNS)
    data = data.shuffle(seed=0, buffer_size=16)  # decoded samples lie in this buffer: keep it small
    data.set_epoch(epoch)  # another order every epoch, the same on every rank
    data = split_dataset_by_node(data, rank=rank, world_size=world)
    return DataLoader(data, batch_size=batch, num_workers=min(workers, data.num_shards), collate_fn=collate)


def main() -> None:
    """Predict no motion at all for two epochs, and print how wrong that is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", help="release folder; by default what flowbench.load_dataset finds")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    given = parser.parse_args()
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))

    for epoch in range(given.epochs):
        seen, error = [], 0.0
        for batch in loader(given.root, given.batch, given.workers, rank, world, epoch):
            length = torch.linalg.vector_norm(batch["flow"], dim=1, keepdim=True)
            error += float(length[batch["valid"]].mean()) * len(batch["id"])
            seen += batch["id"]
        print(f"epoch {epoch}, rank {rank} of {world}: {len(seen)} samples, {len(set(seen))} of them different")
        print(f"  last batch: image {tuple(batch['image'].shape)}, flow {tuple(batch['flow'].shape)}")
        print(f"  mean end-point error of standing still: {error / len(seen):.3f} px")


if __name__ == "__main__":
    main()
