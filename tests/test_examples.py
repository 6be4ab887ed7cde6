"""The examples, each run as a user would run it, and the recipes of ``docs/loading.md``."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.decoded import CONFIG, COUNT, SPLIT, expected, own_cache, root
from support.sources import ROOT
from support.synthetic_dynapix import make_dynapix_release

import flowbench

__all__ = ["own_cache", "root"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ERROR = "mean end-point error of standing still: 0.184 px"
"""Seven by five of 32 by 24 pixels, less six of no depth, move four."""
EXAMPLES = {
    "load_with_datasets": ("datasets", [f"{COUNT} samples: {{'closer_to': 1, ", "<- the answer", "with 13 columns"]),
    "torch_dataloader": ("torch", [f"epoch 1, rank 0 of 1: {COUNT} samples, {COUNT} of them", ERROR]),
    "jax_batches": ("jax", [f"{COUNT} samples through ", "flow (1, 24, 32, 2)", ERROR]),
    "tensorflow_data": ("tensorflow", [f"{COUNT} samples; last batch: image (1, 24, 32, 3)", ERROR]),
    "webdataset_pipeline": ("webdataset", ["3 images (24, 32, 3), depth to 5.00 m: Is the mug", f"{COUNT} samples"]),
    "polars_index": ("polars", ["left_right", "0 questions whose answer"]),
    "vlm_collator": ("numpy", ["--- 1A: 4 chats, picture (24, 32, 3)", "A. left\nB. right", "Answer: A", "--- 2A"]),
}
FUTURES = {"rank_frames": ("numpy", ["4 queries over 28 frames", "Recall@1: ", "by chance 3.6%", "Recall@10: 100.0%"])}
"""Of selection and retrieval."""
BATCHED = {"torch_dataloader", "jax_batches", "tensorflow_data", "webdataset_pipeline"}


def need(module: str) -> None:
    """Skip, and say why, where a framework is not installed."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


def test_every_example_is_run() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == {*EXAMPLES, *FUTURES}


@pytest.fixture(scope="module")
def futures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand-made release of selection and retrieval; called ``flowbench``. Read only."""
    folder = tmp_path_factory.mktemp("futures") / "flowbench"
    make_dynapix_release(folder, COUNT)
    return folder


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str, root: Path, tmp_path: Path) -> None:
    run_example(name, *EXAMPLES[name], root, tmp_path)


@pytest.mark.parametrize("name", FUTURES)
def test_an_example_of_exact_futures_runs(name: str, futures: Path, tmp_path: Path) -> None:
    run_example(name, *FUTURES[name], futures, tmp_path)


def run_example(name: str, module: str, wanted: list[str], root: Path, tmp_path: Path) -> None:
    """In an interpreter of its own; skipped without the module."""
    need(module)
    environment = {**os.environ, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py"), "--root", str(root)]
    command += ["--batch", "3"] if name in BATCHED else []
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for text in wanted:
        assert text in done.stdout


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The collator's module."""
    spec = importlib.util.spec_from_file_location("vlm_collator", ROOT / "examples" / "vlm_collator.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


class Words:
    """A tokenizer of words whose numbers are their places in a list, with a template as chat models have."""

    def __init__(self, *, nested: bool = False, forgetful: bool = False) -> None:
        self.words: list[str] = ["<pad>"]
        self._nested, self._forgetful = nested, forgetful

    def apply_chat_template(self, chat: list[Any], *, add_generation_prompt: bool, tokenize: bool) -> Any:
        assert tokenize
        text = " ".join(f"<{turn['role']}> {self._content(turn['content'])} <end>" for turn in chat)
        text += " <assistant>" if add_generation_prompt else ""
        text = text.replace("Suppose", "<thought> Suppose") if self._forgetful and len(chat) > 1 else text
        tokens = [self._number(word) for word in text.split()]
        return {"input_ids": [tokens]} if self._nested else tokens

    def _content(self, parts: list[dict[str, Any]]) -> str:
        return " ".join("<image>" if part["type"] == "image" else part["text"] for part in parts)

    def _number(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)

    def text(self, tokens: Any) -> str:
        return " ".join(self.words[number] for number in tokens)


@pytest.mark.parametrize(
    ("mode", "image", "asked", "told"),
    [
        ("1A", "before_marked", "Suppose the mug", "A"),
        ("1B", "before_marked", "Suppose the mug", "It stays left: A.\nAnswer: A"),
        ("2A", "after_marked", "Is the mug", "A"),
    ],
)
def test_a_mode_shows_and_asks_what_it_should(
    example: ModuleType, root: Path, mode: str, image: str, asked: str, told: str
) -> None:
    collate = example.Collator(mode)
    samples = list(flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True, columns=collate.columns))
    batch = collate(samples)
    assert batch["answer"] == ["A"] * COUNT
    for number, (user, assistant) in enumerate(batch["messages"]):
        picture, text = user["content"]
        assert np.array_equal(picture["image"], expected(number)[image])
        assert text["text"].startswith(asked)
        assert "\nA. left\nB. right\n" in text["text"]
        assert "A." not in text["text"].replace("\nA. left", "")  # the answer is not told
        assert assistant["content"] == [{"type": "text", "text": told}]
    assert "input_ids" not in batch


@pytest.mark.parametrize("nested", [False, True])
def test_loss_is_on_the_answer_alone(example: ModuleType, root: Path, nested: bool) -> None:
    tokenizer = Words(nested=nested)
    samples = list(
        flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True, columns=["before_marked", "record"])
    )
    longer = samples[1]["record"].model_copy(update={"motion_text": "Suppose it is moved far, far away, some day."})
    batch = example.Collator("1B", tokenizer)([samples[0], samples[1] | {"record": longer}])
    ids, mask, labels = batch["input_ids"], batch["attention_mask"], batch["labels"]
    assert ids.shape == mask.shape == labels.shape
    assert {array.dtype for array in (ids, mask, labels)} == {np.dtype(np.int64)}
    assert 0 < mask.sum() < mask.size  # one of them is padded
    for row in range(2):
        scored = labels[row] != example.IGNORED
        assert np.array_equal(labels[row][scored], ids[row][scored])
        assert tokenizer.text(ids[row][scored]) == "It stays left: A. Answer: A <end>"
        assert not (scored & (mask[row] == 0)).any()
        assert tokenizer.text(ids[row][mask[row] == 0]) in ("", " ".join(["<pad>"] * int((mask[row] == 0).sum())))


def test_a_template_that_rewrites_the_question_is_refused(example: ModuleType, root: Path) -> None:
    sample = next(iter(flowbench.load_dataset(CONFIG, SPLIT, root=root, streaming=True)))
    with pytest.raises(ValueError, match="writes the question otherwise"):
        example.Collator("1A", Words(forgetful=True))([sample])


BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "loading.md").read_text("utf-8"), flags=re.DOTALL)
OF_FUTURES = [number for number, block in enumerate(BLOCKS) if "selection_" in block or "retrieval_" in block]


def run_block(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in re.findall(r"^(?:import|from) (\w+)", BLOCKS[number], flags=re.MULTILINE):
        need(module)
    monkeypatch.chdir(folder)
    exec(BLOCKS[number], {})


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number in range(len(BLOCKS)) if number not in OF_FUTURES])
def test_a_recipe_of_the_document_runs(number: int, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_block(number, release.parent, monkeypatch)


@pytest.mark.parametrize("number", OF_FUTURES)
def test_a_recipe_of_exact_futures_runs(number: int, futures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_block(number, futures.parent, monkeypatch)


def test_the_document_has_its_recipes() -> None:
    assert len(BLOCKS) == 15
    assert len(OF_FUTURES) == 3
