"""`--perception`: who is asked where things are, what cannot be chosen, and that a folder belongs to one choice."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.building import options
from support.measured import Drawn, Flat, pair_of, scene
from support.reports import REPORT
from support.tabletop import episode, excerpt

from flowbench.builders import runner
from flowbench.builders.options import BuildOptions
from flowbench.builders.producer import Job
from flowbench.builders.progress import Silent
from flowbench.builders.real.perception.base import Perception, PerceptionError
from flowbench.builders.real.perception.choosing import PROVIDERS, Choice
from flowbench.builders.real.perception.files import FOLDER, write_perception
from flowbench.builders.real.perception.models import ModelPerception
from flowbench.builders.real.perception.perturbed import Knobs
from flowbench.builders.real.perception.truth import TruthOf
from flowbench.builders.real.producer import RealProducer
from flowbench.builders.simulators.tabletop.truth import write_truth
from flowbench.builders.sources.recorded import Episode
from flowbench.builders.state import State
from flowbench.cli import main
from flowbench.errors import UsageError


class Known(SimpleNamespace):
    """Truth that gives things drawn by hand."""

    def perception(self) -> Perception:
        return Drawn(scene())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the perception of one episode, of one thing fewer than there are."""
    things: list[Flat] = scene()[:-1]
    pair, drawn = pair_of(things), Drawn(things)
    write_perception(tmp_path / FOLDER, pair, drawn.segment(pair, ()), drawn.depth(pair), drawn.track(pair))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        *((name, Choice(name)) for name in PROVIDERS if name != "perturbed"),
        ("perturbed:erosion=3,missed=0.1", Choice("perturbed", Knobs(erosion=3.0, missed=0.1))),
        ("perturbed:depth_bias=-0.02", Choice("perturbed", Knobs(depth_bias=-0.02))),
    ],
)
def test_choices_are_read(text: str, choice: Choice) -> None:
    assert Choice.of(text) == choice


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("exakt", "unknown perception 'exakt': did you mean 'exact'?"),
        ("", "unknown perception ''"),
        ("perturbed:erosoin=3", "unknown knob 'erosoin': did you mean 'erosion'?"),
        ("perturbed:missed=1.5", "the knob missed is 1.5, expected 0 to 1"),
        ("perturbed:missed=nan", "the knob missed is nan"),
        ("perturbed:missed=much", "'missed=much', expected a knob and a number"),
        ("perturbed:missed", "'missed', expected a knob and a number"),
        ("perturbed", "expected a knob and a number"),
        ("perturbed:", "expected a knob and a number"),
        ("exact:missed=0.1", "only perturbed has: give exact alone"),
    ],
)
def test_what_is_no_choice_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        Choice.of(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name", "things"),
    [("auto", "files", 5), ("files", "files", 5), ("exact", "drawn", 6), ("perturbed:missed=0", "perturbed", 5)],
)
def test_files_beside_a_dataset_win_over_its_truth_unless_it_is_chosen(
    text: str, name: str, things: int, root: Path
) -> None:
    provider = Choice.of(text).beside("tabletop", root, Known())  # type: ignore[arg-type]
    assert provider.name == name
    assert len(provider.segment(pair_of(scene()), ()).before) == things


def test_mistakes_are_made_over_whatever_a_source_comes_with(tmp_path: Path) -> None:
    choice = Choice.of("perturbed:missed=1")
    for provider in (choice.simulated(Known()), choice.beside("tabletop", tmp_path, Known())):  # type: ignore[arg-type]
        assert provider.segment(pair_of(scene()), ()).before == ()
        assert dict(provider.knobs) == {"missed": 1.0}


def test_models_are_loaded_when_they_are_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowbench.builders.real.perception.choosing.open_dataset", lambda *_: None)
    assert isinstance(Choice.of("models").beside("tabletop", root, None), ModelPerception)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match="needs torch, which is not installed"):
        Choice.of("models").check_dataset(root)


def test_what_a_dataset_does_not_have_is_told(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no recorded truth, as --perception exact needs it"):
        Choice.of("exact").check_dataset(root)
    Choice.of("files").check_dataset(root)
    for text in ("files", "auto", "perturbed:missed=0.1"):
        with pytest.raises(UsageError, match=r"perception is missing.*docs/real\.md"):
            Choice.of(text).check_dataset(tmp_path / "bare")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("files", "none was given with --source"), ("models", "choose exact or perturbed"), ("flies", "'files'")],
)
def test_what_the_tabletop_does_not_have_is_told(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        RealProducer(Job("real_train", "tabletop", 5, "balanced", "bullet", 640, 480, perception=text)).check()


# In a build


def test_the_option_reaches_the_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[BuildOptions] = []
    fake = SimpleNamespace(build=lambda options, _: calls.append(options) or REPORT)
    monkeypatch.setitem(sys.modules, "flowbench.builders.runner", fake)  # type: ignore[arg-type]
    assert main(["build", "real_train", "--perception", "perturbed:missed=0.1"]) == 0
    assert main(["build", "real_train"]) == 0
    assert [each.perception for each in calls] == ["perturbed:missed=0.1", "auto"]


def test_the_runner_hands_it_on(tmp_path: Path) -> None:
    given = options(tmp_path, configs=("real_train",), perception="perturbed:missed=0.1")
    assert runner.producer_for(given, "real_train").job.perception == "perturbed:missed=0.1"


def test_nothing_else_perceives(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sim_train is not measured from pictures"):
        runner.build(options(tmp_path / "r", perception="exact"), Silent())
    assert not (tmp_path / "r").exists()


def test_a_folder_belongs_to_one_choice(tmp_path: Path) -> None:
    state, first = State(tmp_path / "r"), options(tmp_path / "r", configs=("real_train",))
    state.record(first, state.check(first))
    state.check(first)
    with pytest.raises(UsageError, match="holds a build with perception auto, but exact was asked for"):
        state.check(options(tmp_path / "r", configs=("real_train",), perception="exact"))


def test_truth_of_another_length_leaves_its_episode_out(tmp_path: Path) -> None:
    truth = excerpt(episode(2, "bridge"), [0, 1, 2])
    write_truth(tmp_path, 7, truth)
    seen = Episode(7, "push it", 3, 12.0, "observation.images.front")
    found = TruthOf.of_dataset(tmp_path, seen)
    assert found is not None
    assert len(found.truth) == 3
    with pytest.raises(PerceptionError, match=r"episode_000007\.json has 3 frames, expected the 4 of the episode"):
        TruthOf.of_dataset(tmp_path, replace(seen, length=4))
    with pytest.raises(PerceptionError, match=r"episode_000008\.json is missing"):
        TruthOf.of_dataset(tmp_path, replace(seen, index=8))
