"""Episodes become samples: of datasets with perception beside them, and of the embedded tabletop."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.measured import Drawn, Flat, K, pair_of, picture, scene

from flowbench.builders.producer import PRODUCERS, Job, producer_of
from flowbench.builders.real import producer as producing
from flowbench.builders.real.measuring.sighting import Optics
from flowbench.builders.real.perception.files import FOLDER, folder_of, write_perception
from flowbench.builders.real.producer import NOT_REPRODUCED, TEST_EVERY, RealProducer
from flowbench.builders.real.recordings import GivenDatasets, Shot
from flowbench.builders.sim.items import Reject
from flowbench.builders.sources import SOURCES
from flowbench.builders.sources.lerobot.writing import RecordedEpisode, write_dataset
from flowbench.builders.sources.profiles import profile_named, profiles
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import CONFIGS, RealRecord, record_from_json

PROFILE = "berkeley_ur5"
SCALE = profile_named(PROFILE).scale
EPISODES = 10


def things(index: int) -> list[Flat]:
    """The scene with another end for every episode; depths are the provider's, before division by the factor."""
    found = scene(mug=(250 + 6 * index, 220 + 4 * (index % 3), 1.0))
    return [
        replace(each, depth=SCALE * each.depth, end=each.end and (each.end[0], each.end[1], SCALE * each.end[2]))
        for each in found
    ]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten episodes of three frames, perception beside the first five."""
    root = tmp_path_factory.mktemp("recorded") / "ur5"
    episodes = [
        RecordedEpisode(
            task="move the mug to the left",
            frames={"observation.images.image": [picture(things(k), moment) for moment in (0, 0, 1)]},
            effector=np.zeros((3, 3)),
            opening=np.zeros(3),
        )
        for k in range(EPISODES)
    ]
    write_dataset(root, episodes, 5)
    for k in range(TEST_EVERY):
        drawn, pair = Drawn(things(k)), pair_of(things(k))
        episode = replace(pair.shots.episode, index=k, camera="observation.images.image")
        named = replace(pair, shots=replace(pair.shots, episode=episode, after_index=2))
        found = drawn.segment(named, ()), drawn.depth(named), drawn.track(named)
        write_perception(root / FOLDER, named, *found)
    return root


def job(config: str, dataset: Path | None = None, **changes: str) -> Job:
    sources = () if dataset is None else ((PROFILE, str(dataset)),)
    made = Job(config, "tabletop", 5, "balanced", "bullet", 640, 480, sources=sources)
    return replace(made, **changes)  # type: ignore[arg-type]


def written(made: RealProducer, scenes: Sequence[int]) -> tuple[list[Sample | str], Counter[str]]:
    table, rejects = made.propose(scenes)
    selected, dropped = made.select(table)
    return list(made.samples(selected.to_dicts())), Counter(rejects) + Counter(dropped)


def test_the_config_is_registered() -> None:
    for name in ("real_train", "real_test"):
        assert CONFIGS[name].record is RealRecord
        assert isinstance(producer_of(job(name)), RealProducer)
        assert name in PRODUCERS
    assert {name for name, configs in SOURCES.items() if "real_train" in configs} == set(profiles())


def test_given_episodes_become_samples_of_two_splits(dataset: Path) -> None:
    train, rejects = written(RealProducer(job("real_train", dataset)), range(3))
    test, missing = written(RealProducer(job("real_test", dataset)), range(EPISODES))
    records = [
        record_from_json(RealRecord, each.members["json"], each.key) for each in train if isinstance(each, Sample)
    ]
    assert len(records) >= 5
    assert not any(isinstance(each, str) and each == NOT_REPRODUCED for each in train)
    assert {record.provenance.scene % TEST_EVERY for record in records} <= {0, 1, 2}
    assert {record.provenance.dataset for record in records} == {PROFILE}
    assert {record.provenance.perception for record in records} == {"files"}
    assert {record.provenance.episode for record in records} == {record.provenance.scene for record in records}
    pairs = Counter(each.key.rpartition("-p0-")[0] for each in test if isinstance(each, Sample))
    assert set(pairs) <= {"tabletop-000004"}
    assert set(pairs.values()) <= {1}
    assert missing["perception: no perception file"] == 1
    assert rejects["perception: no perception file"] == 0


def test_every_column_is_there_and_keys_ascend(dataset: Path) -> None:
    made, _ = written(RealProducer(job("real_train", dataset)), range(1))
    samples = [each for each in made if isinstance(each, Sample)]
    columns = {column.name for column in CONFIGS["real_train"].columns}
    assert samples
    assert all(set(sample.members) == columns for sample in samples)
    assert [sample.key for sample in samples] == sorted(sample.key for sample in samples)


def test_blocks_do_not_matter(dataset: Path) -> None:
    made = RealProducer(job("real_train", dataset))
    whole, _ = made.propose(range(2))
    parts = [made.propose([scene])[0] for scene in range(2)]
    assert whole.equals(parts[0].vstack(parts[1]))


def test_there_are_as_many_scenes_as_episodes(dataset: Path) -> None:
    assert RealProducer(job("real_train", dataset)).most_scenes() == EPISODES
    assert RealProducer(job("real_train")).most_scenes() is None


def test_what_is_left_out_is_logged_by_name(dataset: Path, caplog: pytest.LogCaptureFixture) -> None:
    RealProducer(job("real_train", dataset)).propose([6])
    assert f"scene 6, {PROFILE} episode 6, is left out: perception: no perception file" in caplog.text
    assert "pair.json" in caplog.text


def test_scenes_beyond_the_episodes_are_counted(dataset: Path) -> None:
    _, rejects = RealProducer(job("real_train", dataset)).propose([EPISODES])
    assert rejects == {"source: it has no more episodes": 1}


def test_a_question_that_does_not_come_out_again_is_dropped(dataset: Path) -> None:
    made = RealProducer(job("real_train", dataset))
    table, _ = made.propose([0])
    selected, _ = made.select(table)
    rows = [
        {**row, "payload": str(row["payload"]).replace('"margin": 0', '"margin": 9')} for row in selected.to_dicts()
    ]
    assert set(made.samples(rows)) == {NOT_REPRODUCED}


def test_at_most_so_many_pairs_a_task(dataset: Path) -> None:
    made = RealProducer(job("real_train", dataset))
    table, _ = made.propose(range(2))
    kept, crowded = producing._within_tasks(table.with_columns(most_per_task=1))
    assert crowded == table["scene"].n_unique() - 1 == 1
    assert kept["scene"].n_unique() == 1


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"simulator": "thor"}, "--simulator bullet"),
        ({"preset": "balance"}, "did you mean 'balanced'"),
    ],
)
def test_what_cannot_be_built_is_told(changes: dict[str, str], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        RealProducer(job("real_train", **changes)).check()


def test_a_dataset_without_perception_is_told(dataset: Path, tmp_path: Path) -> None:
    bare = tmp_path / "ur5"
    shutil.copytree(dataset, bare, ignore=shutil.ignore_patterns(FOLDER))
    with pytest.raises(UsageError, match=r"perception is missing.*docs/real\.md"):
        RealProducer(job("real_train", bare)).check()
    RealProducer(job("real_train", dataset)).check()


def test_datasets_take_turns(dataset: Path) -> None:
    both = GivenDatasets(((PROFILE, str(dataset)), ("rt1", str(dataset))))
    shots = [both.shot(0, "tabletop", scene) for scene in (0, 2)]
    assert all(isinstance(shot, Shot) for shot in shots)
    assert [shot.pair.shots.episode.index for shot in shots if isinstance(shot, Shot)] == [0, 1]


def test_a_plane_needs_places_where_the_arm_was_recorded(dataset: Path) -> None:
    found = GivenDatasets((("language_table", str(dataset)),)).shot(0, "tabletop", 0)
    assert found == Reject("plane: too few places where the arm was seen")
    assert Optics(K).plane_from_pixel is None
    assert folder_of(dataset, 3).name == "episode_000003"


@pytest.mark.slow
def test_a_scene_of_the_tabletop_is_recorded_read_back_and_asked_about() -> None:
    made = RealProducer(job("real_train"))
    made.check()
    found, _ = written(made, [2])
    records = [
        record_from_json(RealRecord, each.members["json"], each.key) for each in found if isinstance(each, Sample)
    ]
    assert records
    assert {record.provenance.perception for record in records} == {"exact"}
    assert {record.source for record in records} == {"tabletop"}


def test_a_truth_that_cannot_be_read_leaves_the_episode_out(dataset: Path, tmp_path: Path) -> None:
    broken = tmp_path / "ur5"
    shutil.copytree(dataset, broken, ignore=shutil.ignore_patterns(FOLDER))
    (broken / "truth").mkdir()
    (broken / "truth" / "episode_000000.json").write_text("{")
    made = RealProducer(job("real_train", broken))
    made.check()
    assert made.propose([0, 1])[1] == {"perception: truth that cannot be read": 2}
