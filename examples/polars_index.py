"""Ask the index: the records of a config as a table, without a pixel.

python examples/polars_index.py --root DIR
"""

import argparse
from pathlib import Path

import polars as pl

import flowbench
from flowbench.release import iter_samples


def main() -> None:
    """Print tables, then decode the samples that a query found, from their shards alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path("flowbench"), help="release folder")
    root = parser.parse_args().root

    index = pl.scan_parquet(root / "index" / "sim_train" / "train.parquet")
    answers = index.group_by("category").agg(
        pl.len().alias("samples"),
        pl.col("flipped").mean().round(2).alias("flipped"),
        pl.col("margin").median().round(3).alias("median margin"),
        pl.col("answer").mode().sort().first().alias("commonest answer"),
    )
    print(answers.sort("category").collect())

    far = index.filter((pl.col("motion").struct.field("distance") > 0.5) & pl.col("flipped"))
    wanted = far.select("id", "shard").head(3).collect()
    print(f"{far.select(pl.len()).collect().item()} questions whose answer a motion of over half a metre changes")

    for shard, rows in wanted.group_by("shard", maintain_order=True):
        for sample in iter_samples(root / str(shard[0])):
            if sample.key in set(rows["id"]):
                decoded = flowbench.decode(sample, ["before", "record"])
                print(f"{sample.key}: {decoded['before'].shape}, {decoded['record'].motion_text}")


if __name__ == "__main__":
    main()
