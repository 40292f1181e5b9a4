"""Reads a text file's sentences on a worker."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem
from awase.core.progress import Reporter
from awase.core.text.encoding import decode
from awase.core.text.script import Cleaned, cleaned
from awase.gui.dialogs.editing.sentence_editor import split_text
from awase.jobs.files.reading import check_readable

_BLOCK_BYTES: Final = 1 << 20
_STEPS_AFTER_READING: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRead:
    """Content of a text file."""

    sentences: tuple[str, ...]  # its sentences in order
    cleaned: Cleaned


def read_text_file(path: Path, language: str | None, reporter: Reporter) -> TextRead:
    """Returns the sentences of a text file."""
    data = bytearray()
    try:
        check_readable(path)
        n_blocks = path.stat().st_size // _BLOCK_BYTES + 1
        total = n_blocks + _STEPS_AFTER_READING
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                data += block
                reporter.advance(min(len(data) // _BLOCK_BYTES, n_blocks), total, path.name)
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Check that the file is there and may be read.",
            path=path.name,
            error=error.strerror or str(error),
        ) from error
    found = cleaned(decode(bytes(data)).text)
    reporter.advance(total - 1, total, path.name)
    sentences = split_text(found.text, language)
    reporter.advance(total, total, path.name)
    return TextRead(sentences=tuple(sentences), cleaned=found)
