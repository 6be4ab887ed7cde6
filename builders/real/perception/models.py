"""Perception by models of the Hugging Face Hub: needs the extra ``[perception]``, and the Hub or its cache.

SAM 3 segments by text. A monocular metric model gives depth, both pictures side by side in one picture, so that they
share one scale. Tracks are dense optical flow chained over frames of the episode, which is no match for a tracker such
as AllTracker: run that elsewhere and lay down its files (:mod:`.files`) where it matters. Results depend on hardware
and library versions; a build therefore reads files, which ``scripts/perceive.py`` writes with this provider.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.pair import ImagePair
from flowbench.builders.sources.recorded import Picture
from flowbench.errors import UsageError

from .base import Depths, Mask, Perception, Segmentation, Tracks, checked_depths, checked_masks, checked_tracks
from .prompts import Prompt

SEGMENTER = "facebook/sam3"
DEPTH = "depth-anything/Depth-Anything-V2-Metric-Indoor-Large-hf"
LEAST_SCORE = 0.20
MOST_FRAMES = 48
"""Of an episode that are looked at for tracks (B.2)."""

Frames = Callable[[ImagePair, Sequence[int]], Sequence[Picture]]


@final
class ModelPerception(Perception):
    """Loads its models when they are first asked; what keeps them from loading is a UsageError of one sentence."""

    name = "models"

    def __init__(self, frames: Frames, segmenter: str = SEGMENTER, depth: str = DEPTH, device: str = "cpu") -> None:
        """See the class.

        Args:
            frames: gives frames of a pair's episode at the pair's size.
            segmenter, depth: names of models on the Hub, or folders.
            device: of torch.
        """
        self.knobs: Mapping[str, float | int | str] = {"segmenter": segmenter, "depth": depth, "device": device}
        self._frames, self._segmenter, self._depth, self._device = frames, segmenter, depth, device
        self._loaded: dict[str, Any] = {}

    @classmethod
    def check(cls) -> None:
        """What runs models is installed; raises UsageError."""
        for name in ("torch", "transformers"):
            cls._module(name)

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """Every instance that a prompt finds with a score of at least 0.2."""
        before, after = ([mask for prompt in prompts for mask in self._found(each, prompt)] for each in _pictures(pair))
        return Segmentation(checked_masks(before, pair, self._segmenter), checked_masks(after, pair, self._segmenter))

    def depth(self, pair: ImagePair) -> Depths:
        """Metric depth of both pictures, seen as one."""
        both = np.concatenate(_pictures(pair), axis=1)
        estimate = self._pipeline()(_image(both))["predicted_depth"]
        depth = np.asarray(estimate, dtype=np.float32)
        if depth.shape != both.shape[:2]:
            resized = cv2.resize(depth, (both.shape[1], both.shape[0]), interpolation=cv2.INTER_LINEAR)
            depth = np.asarray(resized, dtype=np.float32)
        width = pair.shape[1]
        return checked_depths(Depths(depth[:, :width], depth[:, width:]), pair, self._depth)

    def track(self, pair: ImagePair) -> Tracks:
        """Flow from frame to frame, chained; a pixel whose flow does not lead back within 2 pixels is lost."""
        first, last = pair.shots.before_index, pair.shots.after_index
        count = min(MOST_FRAMES, last - first + 1)
        indices = sorted({first + (last - first) * n // max(1, count - 1) for n in range(count)})
        pictures = self._frames(pair, indices)
        grays = [np.asarray(cv2.cvtColor(each, cv2.COLOR_RGB2GRAY), dtype=np.uint8) for each in pictures]
        return checked_tracks(chained(grays), pair, "optical flow")

    def _found(self, picture: Picture, prompt: Prompt) -> list[Mask]:
        torch, (processor, model) = self._module("torch"), self._sam()
        inputs = processor(images=_image(picture), text=prompt.text, return_tensors="pt").to(self._device)
        with torch.no_grad():
            outputs = model(**inputs)
        found = processor.post_process_instance_segmentation(
            outputs, threshold=LEAST_SCORE, mask_threshold=0.5, target_sizes=[picture.shape[:2]]
        )[0]
        masks = [np.asarray(mask.cpu(), dtype=np.bool_) for mask in found["masks"]]
        return [
            Mask(prompt.text, prompt.kind, float(score), mask)
            for mask, score in zip(masks, found["scores"].tolist(), strict=True)
        ]

    def _sam(self) -> tuple[Any, Any]:
        if "sam" not in self._loaded:
            transformers = self._module("transformers")
            if not hasattr(transformers, "Sam3Model"):
                raise UsageError(
                    f"transformers {transformers.__version__} has no Sam3Model, expected version 5 or newer: run "
                    "pip install -U transformers."
                )
            processor = self._from_hub(transformers.Sam3Processor, self._segmenter)
            model = self._from_hub(transformers.Sam3Model, self._segmenter).to(self._device).eval()
            self._loaded["sam"] = processor, model
        found: tuple[Any, Any] = self._loaded["sam"]
        return found

    def _pipeline(self) -> Any:
        if "depth" not in self._loaded:
            transformers = self._module("transformers")
            model = self._from_hub(transformers.AutoModelForDepthEstimation, self._depth)
            processor = self._from_hub(transformers.AutoImageProcessor, self._depth)
            self._loaded["depth"] = transformers.pipeline(
                "depth-estimation", model=model, image_processor=processor, device=self._device
            )
        return self._loaded["depth"]

    @staticmethod
    def _from_hub(kind: Any, name: str) -> Any:
        try:
            return kind.from_pretrained(name, trust_remote_code=False, use_safetensors=True)
        except (OSError, ValueError, ImportError) as error:
            first = str(error).strip().partition("\n")[0][:160]
            raise UsageError(
                f"the model {name} cannot be loaded ({first}): go online once, or give a folder that holds it."
            ) from None

    @staticmethod
    def _module(name: str) -> Any:
        try:
            return import_module(name)
        except ImportError:
            raise UsageError(
                f"perception by models needs {name}, which is not installed: run `pip install '.[perception]'` in the "
                "clone, or lay down files computed elsewhere (docs/real.md)."
            ) from None


def chained(grays: Sequence[NDArray[np.uint8]]) -> Tracks:
    """Flow of the first picture's pixels to the last one, through all between.

    Args:
        grays: (H, W) uint8 each, in order.
    """
    height, width = grays[0].shape
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    grid = np.stack(np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)), axis=-1)
    places, tracked = grid.copy(), np.ones((height, width), dtype=np.bool_)
    for now, then in itertools.pairwise(grays):
        there, back = flow.calc(now, then, None), flow.calc(then, now, None)  # type: ignore[call-overload]
        step = cv2.remap(there, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
        places = places + step
        home = cv2.remap(back, places[..., 0], places[..., 1], cv2.INTER_LINEAR) + step
        inside = (places >= 0.0).all(axis=-1) & (places[..., 0] < width) & (places[..., 1] < height)
        tracked &= inside & ((home * home).sum(axis=-1) < 4.0)
    return Tracks((places - grid).astype(np.float32), tracked)


def _pictures(pair: ImagePair) -> tuple[Picture, Picture]:
    return pair.before, pair.after


def _image(picture: Picture) -> Any:
    from PIL import Image

    return Image.fromarray(picture)
