"""Progress counts receipts: what is done is what lies on the disk, whatever an engine says of it and when."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from flowbench.progress import Progress

from .units import Unit

LOOK_SECONDS = 2.0
"""How often the folders are looked through: an engine may report many blocks at once, and late."""
LAG_SECONDS = 30.0
"""How long a network file system may take to show what another machine has written."""


class Tally:
    """Units that are not done yet, counted as their receipts appear."""

    def __init__(self, units: Iterable[Unit], progress: Progress) -> None:
        """Begin; receipts of earlier work that no longer hold are removed, so that what appears is new."""
        self._progress = progress
        self._lock = threading.Lock()
        self._open = {unit.receipt_path: unit for unit in units}
        for path in self._open:
            path.unlink(missing_ok=True)

    @property
    def open(self) -> list[Unit]:
        """Units without a receipt so far."""
        return list(self._open.values())

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Look now and then, in a thread, while the block runs."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(LOOK_SECONDS):
                self.look()

        watcher = threading.Thread(target=watch, name="flowbench-tally", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()

    def look(self) -> None:
        """Count all new receipts."""
        with self._lock:
            names: dict[Path, set[str]] = {}
            for folder in sorted({path.parent for path in self._open}):
                with contextlib.suppress(OSError):
                    names[folder] = set(os.listdir(folder))
            for path in list(self._open):
                if path.name in names.get(path.parent, ()):
                    self._count(path)

    def see(self, unit: Unit) -> None:
        """Count a unit's receipt if it is there."""
        with self._lock:
            if unit.receipt_path in self._open:
                self._count(unit.receipt_path)

    def await_shown(self, units: Iterable[Unit]) -> None:
        """Wait a while for the receipts of units that were reported done."""
        wanted = {unit.receipt_path for unit in units}
        deadline = time.monotonic() + LAG_SECONDS
        self.look()
        while wanted & self._open.keys() and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS / 4)
            self.look()

    def _count(self, path: Path) -> None:
        unit = self._open[path]
        receipt = unit.receipt()
        if receipt is not None:
            del self._open[path]
            self._progress.advance(unit.weight, receipt.made, receipt.rejects)
