"""``load_dataset("flowbench", ...)`` of ``datasets`` from any directory."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.decoded import COUNT, own_cache, root
from support.synthetic import found_unnamed, make_release

from flowbench.loaders import hook
from flowbench.loaders.places import NoConfigError, NoReleaseError
from flowbench.release.last import remember

__all__ = ["own_cache", "root"]  # fixtures
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
LINE = 'load_dataset("flowbench", "sim_train", split="train", streaming=True)'


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty current directory, and an account that has built nothing."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run(snippet: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A snippet in a fresh interpreter."""
    given = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), **environment}
    command = [sys.executable, "-W", "error::UserWarning", "-c", textwrap.dedent(snippet)]
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "imports",
    [
        "import flowbench; assert 'datasets' not in sys.modules; from datasets import load_dataset",
        "from datasets import load_dataset; import flowbench",
        "import flowbench, importlib.util; importlib.util.find_spec('datasets'); from datasets import load_dataset",
    ],
)
def test_the_line_works_in_any_order_of_imports(root: Path, tmp_path: Path, imports: str) -> None:
    snippet = f"""
        import sys
        {imports}
        print(next(iter({LINE}))["json"]["id"])
        import datasets
        print(type(datasets.__loader__).__name__, type(datasets.__spec__.loader).__name__)
    """
    done = run(snippet, tmp_path, FLOWBENCH_ROOT=str(root))
    assert done.stdout.split() == ["train-00000", "SourceFileLoader", "SourceFileLoader"], done.stderr


def test_the_switch_leaves_datasets_alone(root: Path, tmp_path: Path) -> None:
    snippet = f"import flowbench\nfrom datasets import load_dataset\n{LINE}"
    done = run(snippet, tmp_path, FLOWBENCH_ROOT=str(root), FLOWBENCH_NO_PATCH="1")
    assert done.returncode == 1
    assert "NoReleaseError" not in done.stderr
    assert "flowbench/loaders" not in done.stderr
    done = run("import sys, flowbench; print(len(sys.meta_path))", tmp_path, FLOWBENCH_NO_PATCH="1")
    assert done.stdout == run("import sys; print(len(sys.meta_path))", tmp_path).stdout


def test_another_package_of_that_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "__init__.py").write_text("mine = 1")
    assert run("import flowbench, datasets; print(datasets.mine)", tmp_path).stdout == "1\n"
    (tmp_path / "datasets" / "__init__.py").unlink()
    assert run("import flowbench, datasets; print(datasets.__path__)", tmp_path).returncode == 0


@pytest.fixture
def load() -> Callable[..., Any]:
    """``load_dataset`` of ``datasets``, wrapped by the import of flowbench before this module's tests."""
    import datasets

    assert hook.patch()
    return datasets.load_dataset  # type: ignore[no-any-return]


@pytest.mark.parametrize("how", ["environment", "last build"])
def test_the_line_works_map_style_too(
    load: Any, root: Path, how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import datasets

    if how == "environment":
        monkeypatch.setenv("FLOWBENCH_ROOT", str(root))
    else:
        remember(root)
    assert [len(split) for split in load("flowbench", "sim_train").values()] == [COUNT, COUNT]
    assert load("flowbench", "sim_test", split="test").num_rows == COUNT
    assert datasets.get_dataset_config_names("flowbench") == ["sim_train", "sim_test"]


def test_a_folder_of_that_name_comes_first(
    load: Any, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOWBENCH_ROOT", str(root))
    make_release(Path("flowbench"), 2, ("sim_test",))
    assert load("flowbench", "sim_test", split="test").num_rows == 2 != COUNT
    (tmp_path / "other" / "flowbench").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    with pytest.raises(FileNotFoundError) as caught:  # it is empty: that is for datasets to say
        load("flowbench", "sim_test", split="test")
    assert not isinstance(caught.value, NoReleaseError)


def test_nothing_found_is_one_sentence(load: Any) -> None:
    with pytest.raises(NoReleaseError, match=r"^no release found: run 'flowbench build'[^\n]*$"):
        load("flowbench", "sim_train")
    with pytest.raises(FileNotFoundError, match="FLOWBENCH_REPO"):
        load("flowbench", "sim_train", revision="v1.0.0")


@pytest.mark.parametrize("how", ["it was built last", "FLOWBENCH_ROOT names it"])
def test_a_config_that_the_release_lacks_is_told_with_folder_and_reason(
    load: Any, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    place = found_unnamed(tmp_path / "small", how, monkeypatch)
    sentence = (
        f"^the release {place}, taken because {how}, holds sim_test, not sim_train: name another with FLOWBENCH_ROOT "
        r"or FLOWBENCH_REPO, or give load_dataset its folder or repository\.$"
    )
    for function in (load, datasets.load_dataset_builder):
        with pytest.raises(NoConfigError, match=sentence) as caught:
            function("flowbench", "sim_train")
        assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match=r"^BuilderConfig 'sim_train' not found"):
        load(str(place), "sim_train")  # who names it knows it
    with pytest.raises(ValueError, match=r"(?i)split"):
        load("flowbench", "sim_test", split="train")
    make_release(Path("flowbench"), 2, ("sim_test",))
    with pytest.raises(ValueError, match=r"^BuilderConfig 'sim_train' not found"):
        load("flowbench", "sim_train")


def test_a_config_that_a_repository_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def builder(path: str, name: str | None = None, revision: Any = None) -> Any:
        raise ValueError(f"BuilderConfig '{name}' not found. Available: ['sim_train', 'sim_test']")

    modules = fake(monkeypatch, "5.2.0", recorder)
    modules.load.load_dataset_builder = modules.package.load_dataset_builder = builder
    assert hook.patch()
    assert modules.package.load_dataset_builder is modules.load.load_dataset_builder is not builder
    monkeypatch.setenv("FLOWBENCH_REPO", "org/flowbench")
    sentence = "^the release org/flowbench, taken because FLOWBENCH_REPO names it, holds sim_train, sim_test, not more:"
    with pytest.raises(NoConfigError, match=sentence):
        modules.load.load_dataset_builder("flowbench", "more", revision="v0.1.0")


def fake(monkeypatch: pytest.MonkeyPatch, version: str, factory: Any) -> SimpleNamespace:
    """A ``datasets`` of our making in the place of the real one."""
    package, load, inspecting = (ModuleType(name) for name in ("datasets", "datasets.load", "datasets.inspect"))
    package.__dict__.update(load_dataset=print, __version__=version)
    for module in (load, inspecting):
        module.__dict__["dataset_module_factory"] = factory
    monkeypatch.setitem(sys.modules, "datasets", package)
    monkeypatch.setitem(sys.modules, "datasets.load", load)
    monkeypatch.setitem(sys.modules, "datasets.inspect", inspecting)
    return SimpleNamespace(package=package, load=load, inspect=inspecting)


def recorder(path: str, revision: Any = None, download_config: Any = None, **options: Any) -> Any:
    return path, revision, download_config, options


def test_only_the_bare_name_is_mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = fake(monkeypatch, "5.2.0", recorder)
    assert hook.patch()
    factory = modules.load.dataset_module_factory
    assert factory is modules.inspect.dataset_module_factory is not recorder
    assert hook.patch()
    assert modules.load.dataset_module_factory is factory  # once is enough
    monkeypatch.setenv("FLOWBENCH_REPO", "org/flowbench")
    assert factory("flowbench") == ("org/flowbench", None, None, {})
    given = ("org/flowbench", "v0.1.0", "config", {"data_dir": "x"})
    assert factory("flowbench", revision="v0.1.0", download_config="config", data_dir="x") == given
    assert factory("flowbench", "v0.1.0", "config", data_dir="x") == given
    for name in ("./flowbench", "flowbench/", "org/flowbench", "/flowbench", "Flowbench", "imagefolder", "flowbench2"):
        assert factory(name, revision="r") == (name, "r", None, {})
    monkeypatch.setenv("FLOWBENCH_NO_PATCH", "1")
    assert factory("flowbench") == ("flowbench", None, None, {})


def another(name: str, revision: Any = None) -> None:
    """A factory whose arguments have changed."""


@pytest.mark.parametrize(
    ("version", "factory"),
    [("6.0.0", recorder), ("3.6.0", recorder), ("", recorder), ("5.2.0", None), ("5.2.0", another), ("5.3", print)],
)
def test_an_unknown_datasets_is_left_alone_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, version: str, factory: Any
) -> None:
    modules = fake(monkeypatch, version, factory)
    with pytest.warns(UserWarning, match=r"does not know datasets .*use flowbench\.load_dataset\(\.\.\.\)"):
        assert not hook.patch()
    assert modules.load.dataset_module_factory is factory
    monkeypatch.setenv("FLOWBENCH_NO_PATCH", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not hook.patch()


def test_installing_twice_waits_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    hook.install()
    finders = list(sys.meta_path)
    hook.install()
    assert sys.meta_path == finders
    assert sum(type(finder) is hook._Finder for finder in finders) == 1
