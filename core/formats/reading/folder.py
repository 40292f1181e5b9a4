"""The files of a folder as a format sees them: names and texts, wherever they come from.

Formats that keep a data set in several files read them through `FolderTexts`. The folder itself is
given from outside (`awase.jobs.files.folders` has the one on a disk), so that core opens no file;
and a file is read when a format asks for it, so that a folder may hold more than is wanted.
"""

from collections.abc import Sequence
from typing import Protocol

from awase.core.errors import CorpusFormatError, Problem
from awase.core.text.encoding import decode


class Folder(Protocol):
    """Files below one place."""

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, parts joined by `/`, sorted."""
        ...

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, None when it is not there.

        Args:
            name: From the folder on (`..` leads out of it), or absolute.
        """
        ...

    def leads_outside(self, name: str) -> bool:
        """Returns whether a file is there but not below the place."""
        ...


class OutsideFiles(CorpusFormatError):
    """Files outside the folder that an import names; none was read, as nobody allowed it."""


class _Nothing:
    def names(self) -> Sequence[str]:
        return ()

    def read(self, name: str) -> bytes | None:
        return None

    def leads_outside(self, name: str) -> bool:
        return False


class FolderTexts:
    """The decoded files of a folder."""

    def __init__(
        self,
        folder: Folder | None = None,
        place: str = "",
        encoding: str | None = None,
        *,
        allow_outside: bool = False,
    ) -> None:
        """Reads nothing yet.

        Args:
            folder: Where the files are; None = there are none.
            place: The folder's name, for messages.
            encoding: Of all files, as declared by the user; None = detect it for each.
            allow_outside: Whether files that are not below the folder are read; otherwise they
                are as if they were not there, and `check_outside` tells them.
        """
        self._folder: Folder = folder or _Nothing()
        self._place = place
        self._encoding = encoding
        self._allow_outside = allow_outside
        self._refused: dict[str, None] = {}
        self._guesses: dict[str, str] = {}

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, parts joined by `/`, sorted."""
        return self._folder.names()

    def data(self, name: str) -> bytes | None:
        """Returns the bytes of a file, None when it is not there or not to be read."""
        if not self._allow_outside and self._folder.leads_outside(name):
            self._refused[name] = None
            return None
        return self._folder.read(name)

    def check_outside(self) -> None:
        """Does nothing when no file was asked for that may not be read.

        Raises:
            OutsideFiles: With a problem for each of them.
        """
        if self._refused:
            raise OutsideFiles(
                Problem(
                    what="“{file}” lies outside the folder, so it was not read.",
                    hint="Allow it if you know who wrote these files and what they ask for.",
                    fields={"file": name},
                )
                for name in self._refused
            )

    def text(self, name: str) -> str | None:
        """Returns the text of a file, None when it is not there.

        Raises:
            CorpusFormatError: Its bytes are no text, or the encoding is unclear.
        """
        data = self.data(name)
        if data is None:
            return None
        try:
            decoded = decode(data, self._encoding)
        except CorpusFormatError as error:
            source = self.source_of(name)
            raise CorpusFormatError(problem.in_source(source) for problem in error.problems) from (
                error
            )
        if decoded.is_guess:
            self._guesses[name] = decoded.encoding
        return decoded.text.removeprefix("\ufeff")

    def source_of(self, name: str) -> str:
        """Returns what messages call a file."""
        return f"{self._place.rstrip('/')}/{name}" if self._place else name

    def guess_warnings(self) -> tuple[Problem, ...]:
        """Returns a warning when encodings were guessed, naming one file of each."""
        by_encoding: dict[str, list[str]] = {}
        for name, encoding in self._guesses.items():
            by_encoding.setdefault(encoding, []).append(name)
        return tuple(
            Problem(
                what="The encoding of {n} files was guessed: {encoding}; {name} is one.",
                hint="If characters are wrong, import the files again and name their encoding.",
                fields={"n": len(names), "encoding": encoding, "name": names[0]},
            )
            for encoding, names in by_encoding.items()
        )
