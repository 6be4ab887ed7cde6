"""Feed TensorFlow: a `tf.data.Dataset` over streamed, decoded samples.

python examples/tensorflow_data.py --root DIR
"""

import argparse
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

import flowbench

COLUMNS = ["before_marked", "flow", "record"]


def batches(root: str | None, size: int) -> Any:
    """Batches of image (N, H, W, 3) uint8, flow (N, H, W, 2) pixels, validity, question and answer."""
    data = flowbench.load_dataset("sim_train", "train", root=root, streaming=True, columns=COLUMNS)
    camera = next(iter(data))["record"].camera
    height, width = camera.height, camera.width

    def rows() -> Iterator[tuple[Any, ...]]:
        for sample in data:
            record = sample["record"]
            text = f"{record.motion_text} {record.question}"
            yield sample["before_marked"], sample["flow"], sample["valid"], text, record.answer

    signature = (
        tf.TensorSpec((height, width, 3), tf.uint8, name="image"),
        tf.TensorSpec((height, width, 2), tf.float32, name="flow"),
        tf.TensorSpec((height, width), tf.bool, name="valid"),
        tf.TensorSpec((), tf.string, name="question"),
        tf.TensorSpec((), tf.string, name="answer"),
    )
    return tf.data.Dataset.from_generator(rows, output_signature=signature).batch(size).prefetch(tf.data.AUTOTUNE)


def main() -> None:
    """Predict no motion at all, and print how wrong that is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", help="release folder; by default what flowbench.load_dataset finds")
    parser.add_argument("--batch", type=int, default=4)
    given = parser.parse_args()

    seen, error, last = 0, 0.0, b""
    for image, flow, valid, question, _ in batches(given.root, given.batch):
        count = int(tf.shape(image)[0])
        error += float(tf.reduce_mean(tf.boolean_mask(tf.norm(flow, axis=-1), valid))) * count
        seen, last = seen + count, question[-1].numpy()
    print(f"{seen} samples; last batch: image {tuple(image.shape)}, flow {tuple(flow.shape)}")
    print(f"last question: {last.decode()}")
    print(f"mean end-point error of standing still: {error / seen:.3f} px")


if __name__ == "__main__":
    main()
