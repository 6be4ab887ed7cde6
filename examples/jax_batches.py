"""Feed JAX: `grain` where it is installed, else a plain numpy iterator, over a map-style data set.

python examples/jax_batches.py --root DIR
"""

import argparse
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import flowbench

COLUMNS = ["depth_before", "flow", "record"]


def arrays(sample: flowbench.SimSample) -> dict[str, Any]:
    """What a batch is stacked of: depth (H, W) metres, flow (H, W, 2) pixels, validity, the answer's number."""
    record = sample["record"]
    answer = sum(1 << (ord(letter) - ord("A")) for letter in record.answer)  # a bit a letter: some have three
    return {
        "depth": sample["depth_before"],
        "flow": sample["flow"],
        "valid": sample["valid"],
        "answer": np.int32(answer),
    }


def with_grain(data: Any, batch: int, seed: int) -> Iterator[Any]:
    """One epoch through grain; `.mp_prefetch()` on the last line's data set adds worker processes."""
    import grain

    return iter(grain.MapDataset.source(data).shuffle(seed=seed).map(arrays).batch(batch).to_iter_dataset())


def with_numpy(data: Any, batch: int, seed: int) -> Iterator[Any]:
    """One epoch without it; the last batch may be smaller, as with grain."""
    order = np.random.default_rng(seed).permutation(len(data))
    for start in range(0, len(order), batch):
        rows = [arrays(data[int(number)]) for number in order[start : start + batch]]
        yield {name: np.stack([row[name] for row in rows]) for name in rows[0]}


@jax.jit
def still_error(flow: jax.Array, valid: jax.Array) -> jax.Array:
    """Mean length in pixels of the valid flow."""
    length = jnp.linalg.norm(flow, axis=-1)
    return jnp.sum(jnp.where(valid, length, 0.0)) / jnp.maximum(jnp.sum(valid), 1)


def main() -> None:
    """Predict no motion at all, and print how wrong that is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", help="release folder; by default what flowbench.load_dataset finds")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--numpy", action="store_true", help="do not use grain")
    given = parser.parse_args()

    data = flowbench.load_dataset("sim_train", "train", root=given.root, columns=COLUMNS)
    try:
        batches = with_numpy(data, given.batch, 0) if given.numpy else with_grain(data, given.batch, 0)
        how = "numpy" if given.numpy else "grain"
    except ModuleNotFoundError:
        batches, how = with_numpy(data, given.batch, 0), "numpy (grain is not installed)"
    seen, error = 0, 0.0
    for batch in batches:
        count = len(batch["answer"])
        error += float(still_error(batch["flow"], batch["valid"])) * count
        seen += count
    print(f"{seen} samples through {how} on {jax.devices()[0].platform}; last batch: flow {batch['flow'].shape}")
    print(f"mean end-point error of standing still: {error / seen:.3f} px")


if __name__ == "__main__":
    main()
