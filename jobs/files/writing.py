"""Atomic writer of output files and folders; never overwrites inputs, corpora or their files."""

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem, InputError, Missing
from awase.storage.files.corpus_file import (
    APPLICATION_ID,
    BESIDE_SUFFIXES,
    is_beside_corpus,
    read_header,
)

_CORPUS_ENDING: Final = ".awase"
_DESCRIPTORS: Final = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")
_SQLITE: Final = b"SQLite format 3\x00"
_SIDE_FILES: Final = (
    b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83",  # of a write-ahead log, either byte order
    b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",  # of a rollback journal
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a result is written."""

    path: Path  # the file or folder; a link leads to what is written, a device or pipe stays
    replaces: bool = False  # whether a file that is there may be replaced
    # Inputs of the same work; neither they, nor files in these folders, nor corpora are ever
    # replaced.
    inputs: tuple[Path, ...] = ()

    def check(self) -> None:
        """Raises unless a file may be written here."""
        path = self.path
        if os.path.isdir(path):
            raise InputError.of("“{file}” is a folder.", "Name a file in it.", file=str(path))
        if is_stream_or_device(path):
            return
        self._check_spares_others()
        if os.path.exists(path) and not self.replaces:
            raise InputError.of(
                "“{file}” exists already.",
                "Choose another name.",
                file=str(path),
                missing=Missing.LEAVE_TO_REPLACE,
            )

    def check_folder(self) -> None:
        """Raises unless a folder may be created here."""
        self._check_spares_others()
        if os.path.exists(os.path.realpath(self.path)) and not is_empty_folder(self.path):
            raise InputError.of(
                "“{folder}” exists and is not an empty folder.",
                "Choose another name: files of two exports must not mix.",
                folder=str(self.path),
            )

    def _check_spares_others(self) -> None:
        path = self.path
        if belongs_to_corpus(path) or belongs_to_corpus(Path(os.path.realpath(path))):
            raise InputError.of(
                "“{file}” is a corpus or belongs to one, so nothing else is written there.",
                "Choose another name, one that does not end in .awase.",
                file=str(path),
            )
        if any(_is_same_or_within(path, one) for one in self.inputs):
            raise InputError.of(
                "“{file}” is read by the same command, so it is not written over.",
                "Choose another name.",
                file=str(path),
            )


def belongs_to_corpus(path: Path) -> bool:
    """Returns whether a file is a corpus, or SQLite's or Awase's file beside one."""
    is_named_so = path.name.lower().endswith(_CORPUS_ENDING) and not os.path.isdir(path)
    if is_named_so or is_beside_corpus(path):
        return True
    header = b""
    with suppress(OSError, ValueError):  # not there, or not ours to read
        if stat.S_ISREG(os.stat(path).st_mode):
            header = read_header(path)
    is_corpus = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return (header.startswith(_SQLITE) and is_corpus) or header.startswith(_SIDE_FILES)


def _is_same_or_within(path: Path, read: Path) -> bool:
    with suppress(OSError, ValueError):
        if os.path.isdir(read):
            is_there = os.path.exists(path)
            return is_there and Path(os.path.realpath(read)) in Path(os.path.realpath(path)).parents
        return any(
            os.path.samefile(path, one)
            for one in (str(read), *(f"{read}{ending}" for ending in BESIDE_SUFFIXES))
            if os.path.exists(one) and os.path.exists(path)
        )
    return False


def is_stream_or_device(path: Path) -> bool:
    """Returns whether something is there that is written straight: a pipe, a device, a terminal."""
    if str(path).startswith(_DESCRIPTORS):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def write_whole_file(target: Target, text: str | Iterable[str]) -> None:
    """Writes `text`, whole or in chunks, as UTF-8; on any error the file stays as it was."""
    with whole_file(target) as place:
        try:
            file = place.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise not_writable(target.path, error) from error
        try:
            for piece in (text,) if isinstance(text, str) else text:
                _write(file.write, piece, target)
        finally:
            _write(lambda _: file.close(), "", target)


def _write(do: Callable[[str], object], piece: str, target: Target) -> None:
    """Distinguishes errors of writing from those of producing chunks, which may read files."""
    try:
        do(piece)
    except BrokenPipeError:  # the reader of a pipe has closed it
        raise
    except OSError as error:
        raise not_writable(target.path, error) from error


@contextmanager
def whole_file(target: Target) -> Iterator[Path]:
    """Yields a temporary path, renamed to `target` on success."""
    target.check()
    if is_stream_or_device(target.path):
        yield target.path
        return
    path = Path(os.path.realpath(target.path))
    partial = _partial_of(path)
    try:
        try:
            partial.touch(exist_ok=False)
            yield partial
            with partial.open("r+b") as file:
                os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                partial.chmod(stat.S_IMODE(path.stat().st_mode))
            target.check()  # a file may have been created meanwhile
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if error.filename is not None and str(error.filename) not in (str(partial), str(path)):
            raise  # what was to be written comes from there
        raise not_writable(target.path, error) from error


def write_folder(target: Target, pieces: Iterable[tuple[str, str]]) -> int:
    """Writes files (relative path with `/`, text) to a new folder; returns their number."""
    target.check_folder()
    path = Path(os.path.realpath(target.path))
    partial = _partial_of(path)
    try:
        partial.mkdir()
        begun: set[str] = set()
        for name, text in pieces:
            file = partial / name
            # On some disks names that differ in case are one file; "x" refuses the second.
            mode = "a" if name in begun else "x"
            if mode == "x":
                file.parent.mkdir(parents=True, exist_ok=True)
                begun.add(name)
            with file.open(mode, encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        if os.path.exists(path):
            path.rmdir()
        partial.rename(path)
        return len(begun)
    except OSError as error:
        raise not_writable(target.path, error) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(partial)


def is_empty_folder(path: Path) -> bool:
    """Returns whether `path` is a readable empty folder."""
    try:
        return os.path.isdir(path) and next(path.iterdir(), None) is None
    except OSError:
        return False


def _partial_of(path: Path) -> Path:
    # Of its own name: the whole one may be as long as names can be.
    return path.with_name(f".awase-{os.getpid()}-{secrets.token_hex(4)}.part")


def not_writable(path: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error why a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be written ({error}).",
        "Choose another place, or make room on the disk.",
        path=str(path),
        error=error.strerror or str(error),
    )


def write_for_me_alone(path: Path, text: str) -> None:
    """Creates a file readable by this user only; `OSError` if it exists."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
