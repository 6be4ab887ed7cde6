"""What stands on the terminal while a build runs and when it is done."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console
from support.reports import REPORT

from flowbench.builders.progress import BuildReport, ConfigReport
from flowbench.cli import progress as progress_module
from flowbench.cli.progress import PREPARING, Bars, LiveBar, LogLines, duration, shown_progress
from flowbench.cli.summary import print_summary
from flowbench.errors import UsageError
from flowbench.release import size_text


class Clock:
    """Time that passes when told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_log_lines_are_calm_and_say_what_matters() -> None:
    lines: list[str] = []
    clock = Clock()
    progress = LogLines(lines.append, clock)
    progress.start("propose sim_train", 100, done=20)
    for _ in range(40):
        clock.now += 2.0
        progress.advance(1, 30, {"collision": 2, "margin": 5, "too small": 1, "odd": 1})
    progress.finish()
    assert lines[0] == "propose sim_train: 100 scenes, 20 done before"
    assert lines[1] == (
        "propose sim_train: 23/100 scenes, 90 candidates, 27 rejects (margin 15, collision 6, odd 3, …), "
        "2.0 s a scene, 3 min left"
    )
    assert len(lines) <= 2 + 80 // 5
    assert lines[-1].startswith("propose sim_train: 60/100 scenes, 1,200 candidates, 360 rejects")


def test_a_stage_that_was_finished_before_has_no_rate() -> None:
    lines: list[str] = []
    clock = Clock()
    progress = LogLines(lines.append, clock)
    progress.start("write sim_train", 4, done=4)
    clock.now += 1.0
    progress.finish()
    assert lines == ["write sim_train: 4 shards, 4 done before", "write sim_train: 4/4 shards"]


def test_quick_work_is_not_taken_for_an_earlier_run_s() -> None:
    lines: list[str] = []
    clock = Clock()
    progress = LogLines(lines.append, clock)
    progress.start("write sim_train", 4, done=2)
    progress.advance(1, 8, {})
    clock.now += 0.5
    progress.advance(1, 8, {})
    progress.finish()
    assert lines[-1] == "write sim_train: 4/4 shards, 16 samples, 4.0 shards/s"


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def frame(bars: Bars, width: int) -> list[str]:
    """The lines that stand on a terminal of this width."""
    console = Console(file=io.StringIO(), force_terminal=True, width=width)
    with console.capture() as captured:
        console.print(bars.get_renderable())
    return plain(captured.get()).splitlines()


@pytest.mark.parametrize("width", [80, 120, 160])
def test_the_live_bar_fits_the_terminal(width: int) -> None:
    clock = Clock()
    bars = Bars(Console(file=io.StringIO(), force_terminal=True, width=width))
    bar = LiveBar(bars, clock)
    bar.start("propose sim_train", 2)
    assert "time left unknown" in frame(bars, width)[0]
    clock.now += 12.0
    bar.advance(1, 1200, {"margin too small": 900, "collision": 400, "object out of sight": 300, "odd": 1})
    first, second = frame(bars, width)
    for text in ("propose sim_train", "━━━━━", "1/2 scenes", "0:00:00", "12 s left"):
        assert text in first
    assert second.startswith("  1,200 candidates, 1,601 rejects (margin too small 900, collision 400, ")
    assert max(len(first), len(second)) <= width


def test_the_largest_build_still_fits_eighty_columns() -> None:
    clock = Clock()
    bars = Bars(Console(file=io.StringIO(), force_terminal=True, width=80))
    bar = LiveBar(bars, clock)
    bar.start("propose sim_train", 1_000_000)
    clock.now += 3e6
    bar.advance(400_000, 10**8, {})
    (first, second) = frame(bars, 80)
    assert "400,000/1,000,000 scenes" in first
    assert first.rstrip().endswith("1250.0 h left")
    assert second.strip() == "100,000,000 candidates, 7.5 s a scene"


def test_the_live_bar_shows_counts_and_rate() -> None:
    stream = io.StringIO()
    clock = Clock()
    console = Console(file=stream, force_terminal=True, width=100)
    with shown_progress(console) as shown:
        assert isinstance(shown, LiveBar)
        bar = LiveBar(shown._bars, clock)
        bar.start("write sim_train", 10, done=2)
        clock.now += 1.0
        bar.advance(2, 1, {"not reproduced": 1})
        bar._bars.refresh()
        bar.finish()
    text = plain(stream.getvalue())
    assert "write sim_train" in text
    assert "1 sample, 1 reject (not reproduced 1), 2.0 shards/s" in text
    assert "3 s left" in text


def test_quick_preparing_goes_unmentioned() -> None:
    lines: list[str] = []
    bars = Bars(Console(file=io.StringIO(), force_terminal=True, width=80))
    for progress in (LogLines(lines.append), LiveBar(bars)):
        progress.start("prepare", 1)
        assert frame(bars, 80) in ([], [""])
        progress.advance(1, 0, {})
        progress.finish()
    assert lines == []
    assert bars.tasks == []


def test_long_preparing_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "PATIENCE_SECONDS", 0.0)
    told = threading.Event()
    lines: list[str] = []

    def write(line: str) -> None:
        lines.append(line)
        told.set()

    bars = Bars(Console(file=io.StringIO(), force_terminal=True, width=80))
    for progress in (LogLines(write), LiveBar(bars)):
        progress.start("prepare", 1)
        assert told.wait(10.0)
        progress.advance(1, 0, {})
        if isinstance(progress, LiveBar):
            assert frame(bars, 80) == [PREPARING]
        progress.finish()
    assert lines == [PREPARING]
    assert bars.tasks == []


def test_an_interrupted_preparing_says_nothing_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    before = threading.active_count()

    def interrupt() -> None:
        with shown_progress() as progress:
            progress.start("prepare", 1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert threading.active_count() == before
    assert capsys.readouterr().err == ""


def test_off_a_terminal_progress_is_lines_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as progress:
        progress.start("propose sim_train", 3)
        progress.finish()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("propose sim_train: 3 scenes\n")


def test_the_bar_leaves_the_terminal_clean_after_an_error() -> None:
    stream = io.StringIO()

    def fail() -> None:
        with shown_progress(Console(file=stream, force_terminal=True)) as progress:
            progress.start("propose sim_train", 3)
            raise UsageError("stop")

    with pytest.raises(UsageError, match="stop"):
        fail()
    assert stream.getvalue().rstrip().endswith("\x1b[?25h"), "the cursor is shown again"


def summary_of(report: BuildReport) -> str:
    stream = io.StringIO()
    print_summary(report, Console(file=stream, width=100))
    return stream.getvalue()


def test_the_summary_says_what_was_made_and_what_to_do_next() -> None:
    text = summary_of(REPORT)
    assert "sim_train: 2 shards, 123 MB" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["samples", "train", "validation"] in rows
    assert ["left_right", "1,200", "3"] in rows
    assert ["closer_to", "7", "0"] in rows
    assert ["total", "1,207", "3"] in rows
    assert rows.index(["propose", "margin", "90"]) < rows.index(["propose", "collision", "40"])
    assert ["select", "quota", "1"] in rows
    assert "Built in 2 min: my/flowbench" in text
    assert 'load_dataset("my/flowbench", "sim_train", split="train")' in text


def test_a_build_that_changed_nothing_says_so() -> None:
    report = BuildReport(Path("[bold]x"), {"sim_test": ConfigReport({"test": {"a": 1}}, {}, 1, 900)}, changed=False)
    text = summary_of(report)
    assert "Nothing to do, this build is finished: [bold]x" in text
    assert "sim_test: 1 shard, 900 bytes" in text
    assert "dropped" not in text


def test_of_given_material_it_says_how_much_was_used() -> None:
    config = ConfigReport({"test": {"a": 1}}, {}, 1, 900, used=(5, 1_008))
    text = summary_of(BuildReport(Path("x"), {"selection_movi": config}, changed=True))
    assert "selection_movi: 1 shard, 900 bytes, from 5 of 1,008 scenes looked at" in text


def test_sizes_and_durations_read_well() -> None:
    assert [size_text(n) for n in (0, 999, 1500, 123_456_789, 5 * 10**12)] == [
        "0 bytes",
        "999 bytes",
        "1.5 kB",
        "123 MB",
        "5.0 TB",
    ]
    assert [duration(s) for s in (3.4, 89, 100, 6000)] == ["3 s", "89 s", "2 min", "1.7 h"]


def test_a_long_list_of_reasons_is_cut_to_the_commonest() -> None:
    propose = {f"reason_{number:02d}": number for number in range(1, 46)}
    config = ConfigReport({"test": {"a": 1}}, {"propose": propose, "write": {"blurred": 44, "rare": 1}}, 1, 900)
    text = summary_of(BuildReport(Path("my/flowbench"), {"sim_test": config}, changed=True))
    rows = [line.split() for line in text.splitlines() if line.split()[:1] in (["propose"], ["write"])]
    assert rows == [*(["propose", f"reason_{n}", str(n)] for n in range(45, 36, -1)), ["write", "blurred", "44"]]
    assert "… and 37 more reasons, 47 in all: my/flowbench/.build/sim_test/complete.json" in text


def test_a_short_list_of_reasons_is_whole() -> None:
    config = ConfigReport({"test": {"a": 1}}, {"propose": {f"r{n}": 1 for n in range(10)}}, 1, 900)
    text = summary_of(BuildReport(Path("x"), {"sim_test": config}, changed=True))
    assert text.count("propose") == 10
    assert "…" not in text


PRINTING = """
import sys, typer
from rich.console import Console
from flowbench.cli import app, main

@app.app.command("print")
def printing(how: str) -> None:
    write = Console().print if how == "rich" else typer.echo
    for number in range(1 if how == "little" else 500):
        write(f"line {number}")
    raise typer.Exit(1)

sys.exit(main(["print", sys.argv[1]]))
"""


@pytest.mark.parametrize("how", ["rich", "typer", "little"])
def test_a_closed_pipe_is_no_broken_check_and_says_nothing(how: str) -> None:
    """As ``flowbench validate DIR | head`` has it; where the reader stays, the command's own code counts."""
    command = [sys.executable, "-c", PRINTING, how]
    reading, writing = os.pipe()
    os.close(reading)
    closed = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (closed.returncode, closed.stderr) == (141, "")
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (1, "")


def test_a_full_disk_is_no_closed_pipe() -> None:
    command = [sys.executable, "-m", "flowbench", "--version"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("flowbench: the system refused: No space left on device")
