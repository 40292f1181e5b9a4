"""The files of a folder as a format sees them: names and texts, wherever they come from.

Formats that keep a data set in several files read them through `FolderTexts`. The folder itself is
given from outside (`awase.jobs.folders` has the one on a disk), so that core opens no file; and
a file is read when a format asks for it, so that a folder may hold more than is wanted.
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


class _Nothing:
    def names(self) -> Sequence[str]:
        return ()

    def read(self, name: str) -> bytes | None:
        return None


class FolderTexts:
    """The decoded files of a folder."""

    def __init__(
        self, folder: Folder | None = None, place: str = "", encoding: str | None = None
    ) -> None:
        """Reads nothing yet.

        Args:
            folder: Where the files are; None = there are none.
            place: The folder's name, for messages.
            encoding: Of all files, as declared by the user; None = detect it for each.
        """
        self._folder: Folder = folder or _Nothing()
        self._place = place
        self._encoding = encoding
        self._guesses: dict[str, str] = {}

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, parts joined by `/`, sorted."""
        return self._folder.names()

    def data(self, name: str) -> bytes | None:
        """Returns the bytes of a file, None when it is not there."""
        return self._folder.read(name)

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
