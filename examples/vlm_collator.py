"""Fine-tune a vision-language model: samples to chat messages and, with a tokenizer, to tokens with a loss mask.

python examples/vlm_collator.py --root DIR [--mode 1A|1B|2A]

`messages` and `Collator` need no framework: pass `Collator(mode, tokenizer)` as `collate_fn` to a torch DataLoader, or
call it on any list of samples. `tokenizer` is anything with `apply_chat_template` as in `transformers`: a tokenizer, or
a processor's that expands image tokens itself.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import flowbench

IGNORED: Final = -100
"""A label without loss, as torch's and optax's cross entropies are told."""
LETTERS_ONLY: Final = "Answer with the letter or letters of the right choice alone."
THINK_FIRST: Final = "Think step by step, then end with 'Answer:' and the letter or letters of the right choice."


@dataclass(frozen=True)
class Mode:
    """What the model sees and what it has to say.

    Attributes:
        image: column of its input.
        moves: whether it is told of the motion and asked of what comes after; else it is asked of what it sees.
        instruction: how to answer.
        reasons: whether the target gives the reasoning from the before image before the letters.
    """

    image: str
    moves: bool
    instruction: str
    reasons: bool


MODES: Final = {
    "1A": Mode("before_marked", moves=True, instruction=LETTERS_ONLY, reasons=False),
    "1B": Mode("before_marked", moves=True, instruction=THINK_FIRST, reasons=True),
    "2A": Mode("after_marked", moves=False, instruction=LETTERS_ONLY, reasons=False),
}
"""The paper's: imagining, imagining with reasoning, and seeing the outcome."""


def prompt(record: Any, mode: Mode) -> str:
    """The text beside the picture: motion, question, lettered choices, how to answer."""
    asked = f"{record.motion_text} {record.question}" if mode.moves else record.static_question
    choices = [f"{letter}. {choice}" for letter, choice in zip("ABCDEFGH", record.choices, strict=False)]
    return "\n".join([asked, *choices, mode.instruction])


def target(record: Any, mode: Mode) -> str:
    """What the model is to say."""
    return f"{record.reasoning.before}\nAnswer: {record.answer}" if mode.reasons else str(record.answer)


def messages(sample: flowbench.SimSample, mode: Mode) -> list[dict[str, Any]]:
    """A sample as a chat: the user shows the picture, (H, W, 3) uint8, and asks; the assistant answers."""
    image = sample[mode.image]  # type: ignore[literal-required]
    question = [{"type": "image", "image": image}, {"type": "text", "text": prompt(sample["record"], mode)}]
    answer = [{"type": "text", "text": target(sample["record"], mode)}]
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


@dataclass(frozen=True)
class Collator:
    """A batch from samples.

    Attributes:
        mode: a name of :data:`MODES`.
        tokenizer: makes tokens of messages; None leaves them as they are.
        pad: the token that fills up shorter rows.
    """

    mode: str
    tokenizer: Any = None
    pad: int = 0

    @property
    def columns(self) -> list[str]:
        """What to load."""
        return [MODES[self.mode].image, "record"]

    def __call__(self, samples: Sequence[flowbench.SimSample]) -> dict[str, Any]:
        """Ids, answers, messages and pictures; with a tokenizer also tokens, (N, L) int64.

        ``labels`` equal ``input_ids`` where the assistant answers and are :data:`IGNORED` elsewhere.
        """
        chats = [messages(sample, MODES[self.mode]) for sample in samples]
        batch: dict[str, Any] = {
            "id": [sample["key"] for sample in samples],
            "answer": [sample["record"].answer for sample in samples],
            "messages": chats,
            "images": [chat[0]["content"][0]["image"] for chat in chats],
        }
        return batch if self.tokenizer is None else batch | self._tokens(chats)

    def _tokens(self, chats: Sequence[list[dict[str, Any]]]) -> dict[str, np.ndarray[Any, Any]]:
        rows = [self._row(chat) for chat in chats]
        length = max(len(tokens) for tokens, _ in rows)
        filled = np.full((3, len(rows), length), self.pad, np.int64)
        filled[1], filled[2] = 0, IGNORED
        for number, (tokens, start) in enumerate(rows):
            filled[0, number, : len(tokens)] = tokens
            filled[1, number, : len(tokens)] = 1
            filled[2, number, start : len(tokens)] = tokens[start:]
        return {"input_ids": filled[0], "attention_mask": filled[1], "labels": filled[2]}

    def _row(self, chat: list[dict[str, Any]]) -> tuple[list[int], int]:
        """A chat's tokens, and where the answer begins."""
        asked = self._encode(chat[:1], add_generation_prompt=True)
        whole = self._encode(chat, add_generation_prompt=False)
        if whole[: len(asked)] != asked:
            raise ValueError(
                "the chat template writes the question otherwise once there is an answer, so the answer's tokens "
                "cannot be told apart: give the template a mode without it (e.g. enable_thinking=False)."
            )
        return whole, len(asked)

    def _encode(self, chat: list[dict[str, Any]], *, add_generation_prompt: bool) -> list[int]:
        made = self.tokenizer.apply_chat_template(chat, add_generation_prompt=add_generation_prompt, tokenize=True)
        tokens = made["input_ids"] if isinstance(made, Mapping) else made
        return list(tokens[0] if len(tokens) and isinstance(tokens[0], Sequence) else tokens)


def main() -> None:
    """Print one chat of each mode, or of the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", help="release folder; by default what flowbench.load_dataset finds")
    parser.add_argument("--mode", choices=list(MODES))
    given = parser.parse_args()

    for mode in [given.mode] if given.mode else MODES:
        collate = Collator(mode)
        data = flowbench.load_dataset("sim_train", "train", root=given.root, streaming=True, columns=collate.columns)
        batch = collate(list(data.take(4)))
        user, assistant = batch["messages"][-1]
        print(f"--- {mode}: {len(batch['id'])} chats, picture {batch['images'][0].shape}, answers {batch['answer']}")
        print(f"user: {user['content'][1]['text']}")
        print(f"assistant: {assistant['content'][0]['text']}")


if __name__ == "__main__":
    main()
