"""Files of ProcTHOR houses: ``.json`` (one house, or a list), ``.jsonl`` (one a line), each also as ``.gz``.

They are foreign: lengths are limited while a file is unpacked, nothing but JSON is read, and what is wrong with one
house says nothing of the others.
"""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn, cast, final

from flowbench.builders.sources.given import fingerprint
from flowbench.errors import UsageError

from .schema import House, HouseError, parse_house

MOST_BYTES = 16 * 2**20
"""Of one house's JSON, unpacked; ProcTHOR's largest take about 0.2 MB."""
MOST_BYTES_OF_LIST = 256 * 2**20
"""Of a ``.json`` file, unpacked, and of a line of a ``.jsonl`` file that is passed over for being too long."""
MOST_HOUSES = 1_000_000
_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class FileHouse:
    """A house of a file.

    Attributes:
        name: ``"house 3 of train.jsonl.gz"``.
        index: its number in the file, from 0.
        file_sha256: of the file, as it lies there.
        raw: its JSON, as it was read.
        house: what of it is understood.
    """

    name: str
    index: int
    file_sha256: str
    raw: Mapping[str, Any]
    house: House


@final
class HouseFile:
    """A file of houses, read from front to back as far as it is needed."""

    def __init__(self, path: Path) -> None:
        """Look at the file.

        Raises:
            UsageError: it is not there, cannot be read, or is named as no file of houses.
        """
        self.path = path
        if not path.name.endswith(_SUFFIXES):
            raise UsageError(f"{path} is no file of houses by its name: expected one of {', '.join(_SUFFIXES)}.")
        if not path.is_file():
            raise UsageError(f"{path} is not a file that can be read: name a file of ProcTHOR houses.")
        self.sha256 = fingerprint(str(path))
        self._lines: Iterator[bytes | HouseError] = iter(())
        self._next = 0
        self._count: int | None = None

    def __len__(self) -> int:
        """How many houses it has, broken ones counted; a file cut short has one where it ends.

        Raises:
            UsageError: the file cannot be read as houses at all, or holds none.
        """
        if self._count is None:
            self._count = len(self._whole) if self._is_list else sum(1 for _ in self._texts())
        if not self._count:
            raise UsageError(f"{self.path} holds no houses: name a file of ProcTHOR houses.")
        return self._count

    def house(self, index: int) -> FileHouse:
        """The house of that number, from 0.

        Raises:
            HouseError: it cannot be used; the message is a sentence that names it.
            UsageError: the file cannot be read at all, or has no such house.
        """
        name = f"house {index} of {self.path.name}"
        try:
            raw = self._raw(index)
            return FileHouse(name, index, self.sha256, _mapping(raw), parse_house(raw))
        except HouseError as error:
            raise HouseError(f"{name} {error}: it is left out.") from error

    @property
    def _is_list(self) -> bool:
        return self.path.name.removesuffix(".gz").endswith(".json")

    @functools.cached_property
    def _whole(self) -> list[object]:
        """The houses of a ``.json`` file."""
        try:
            with self._stream() as stream:
                text = stream.read(MOST_BYTES_OF_LIST + 1)
            if len(text) > MOST_BYTES_OF_LIST:
                raise UsageError(f"{self.path} holds more than {MOST_BYTES_OF_LIST >> 20} MiB: split it, as .jsonl.")
            plain = _plain(text)
        except (OSError, EOFError, zlib.error) as error:
            raise UsageError(f"{self.path} cannot be unpacked ({error}): fetch it again.") from error
        except HouseError as error:
            raise UsageError(f"{self.path} {error}: name a file of ProcTHOR houses.") from error
        return plain if isinstance(plain, list) else [plain]

    def _raw(self, index: int) -> object:
        """What a house's JSON says."""
        if self._is_list:
            if not 0 <= index < len(self._whole):
                raise self._absent(index)
            return self._whole[index]
        if index < self._next or self._next == 0:
            self._lines, self._next = self._texts(), 0
        for text in self._lines:
            self._next += 1
            if self._next == index + 1:
                if isinstance(text, HouseError):
                    raise text
                return _plain(text)
        self._next = 0
        raise self._absent(index)

    def _absent(self, index: int) -> UsageError:
        return UsageError(f"{self.path} has {len(self):,} houses, and so no house {index}: ask for fewer --scenes.")

    def _texts(self) -> Iterator[bytes | HouseError]:
        """The lines that are not empty; an error in place of one too long for a house, and where the file breaks off.

        Raises:
            UsageError: a line never seems to end, there are absurdly many, or the file cannot be read.
        """
        count = 0
        try:
            with self._stream() as stream:
                while line := stream.readline(MOST_BYTES + 1):
                    if line.isspace() and len(line) <= MOST_BYTES:
                        continue
                    count += 1
                    if count > MOST_HOUSES:
                        raise UsageError(f"{self.path} has more than {MOST_HOUSES:,} houses: split it.")
                    if len(line) <= MOST_BYTES:
                        yield line
                        continue
                    self._pass_over(stream, line)
                    yield HouseError(f"takes more than {MOST_BYTES >> 20} MiB")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield HouseError(f"breaks off ({str(error)[:80].rstrip('.').lower()})")
        except OSError as error:
            raise UsageError(f"{self.path} cannot be read ({(error.strerror or str(error)).lower()}).") from error

    def _pass_over(self, stream: IO[bytes], piece: bytes) -> None:
        """Read on to the end of a line, of which a piece was read.

        Raises:
            UsageError: it is too long even for that.
        """
        length = len(piece)
        while piece and not piece.endswith(b"\n"):
            if length > MOST_BYTES_OF_LIST:
                raise UsageError(
                    f"{self.path} has a line of more than {MOST_BYTES_OF_LIST >> 20} MiB, expected one house a line: "
                    "name a file of ProcTHOR houses."
                )
            piece = stream.readline(MOST_BYTES)
            length += len(piece)

    def _stream(self) -> IO[bytes]:
        """The file, unpacked as it is read if it is packed."""
        with self.path.open("rb") as stream:
            packed = stream.read(len(_GZIP)) == _GZIP
        opened = gzip.open(self.path, "rb") if packed else self.path.open("rb")  # noqa: SIM115, the caller closes it
        return cast(IO[bytes], opened)


@functools.lru_cache(maxsize=4)
def houses_of(path: str) -> HouseFile:
    """The file of houses there; kept open by each process, since houses are asked for one after another."""
    return HouseFile(Path(path))


def _plain(text: bytes) -> object:
    """JSON as plain values.

    Raises:
        HouseError: it is none, or nested beyond reason.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        said = "nested too deep" if isinstance(error, RecursionError) else str(error)[:80].lower()
        raise HouseError(f"is not readable as JSON ({said})") from error


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _mapping(raw: object) -> Mapping[str, Any]:
    return raw if isinstance(raw, dict) else {}
