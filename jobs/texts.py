"""Inspection of plain texts before import: roles by file name, sentences.

The result is a table that the user may correct; `ReadRequest.texts` receives it then.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from awase.core.errors import InputError, Problem
from awase.core.formats.reading.requests import LEFT_OUT, FolderTexts, ReadRequest, TextFile
from awase.core.formats.tables.text_folder import SplitText, files_of, is_text, split_file
from awase.core.progress import Reporter
from awase.jobs.files.reading import DiskFolder
from awase.jobs.importing import format_of_place

FORMAT_ID = "text-folder"
_KNOWN_SUFFIXES = (".txt", ".text")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextsFound:
    """Texts in a folder."""

    folder: Path  # the folder from which their names go on
    name: str
    files: tuple[TextFile, ...]
    # Their sentences, by name; a file that cannot be read as a text is not there.
    texts: Mapping[str, SplitText]
    problems: Mapping[str, Problem]  # why it cannot, by name

    def has_text(self, name: str) -> bool:
        """Returns whether a file can be read and has a sentence."""
        return name in self.texts and bool(self.texts[name].sentences)

    def to_import(self, files: Sequence[TextFile], language: str | None = None) -> ReadRequest:
        """Returns the import request for these files, with the user's corrections."""
        return ReadRequest(
            path=self.folder,
            format_id=FORMAT_ID,
            source=self.name,
            language=language,
            texts=tuple(file for file in files if file.role != LEFT_OUT),
        )


def are_texts(paths: Sequence[Path]) -> bool:
    """Returns whether these are plain texts, or folders of them in no other format."""
    return bool(paths) and all(map(_is_of_texts, paths))


def look_at(paths: Sequence[Path], language: str | None, reporter: Reporter) -> TextsFound:
    """Returns the texts in files and folders, with their sentences.

    Args:
        paths: Folders, which are topics or contain topics; or files.
        language: `ja` or `en`, for splitting; None = detect.
    """
    folder, names = _names_below(paths)
    files = files_of(names, folder.name or "1")
    if not files:
        raise InputError.of(
            "There is no plain text in “{place}”.",
            "Choose files whose names end in .txt, or a folder of them.",
            place=str(folder),
        )
    reading = FolderTexts(DiskFolder(folder), "")
    texts: dict[str, SplitText] = {}
    problems: dict[str, Problem] = {}
    for idx, file in enumerate(files):
        reporter.advance(idx, len(files), file.name)
        try:
            texts[file.name] = split_file(reading.text(file.name) or "", language, file.role)
        except InputError as error:
            problems[file.name] = error.problems[0]
    return TextsFound(
        folder=folder, name=folder.name or "texts", files=files, texts=texts, problems=problems
    )


def _names_below(paths: Sequence[Path]) -> tuple[Path, list[str]]:
    """Returns the common folder, and relative names of the texts, sorted."""
    real = [Path(os.path.abspath(path)) for path in paths]
    if len(real) == 1 and real[0].is_dir():
        return real[0], [name for name in DiskFolder(real[0]).names() if is_text(name)]
    folder = Path(os.path.commonpath([path.parent for path in real]))
    names: list[str] = []
    for path in real:
        start = path.relative_to(folder).as_posix()
        if path.is_dir():
            names += [f"{start}/{name}" for name in DiskFolder(path).names() if is_text(name)]
        else:
            names.append(start)
    return folder, sorted(names)


def _is_of_texts(path: Path) -> bool:
    if not os.path.isdir(path):
        return path.suffix.lower() in _KNOWN_SUFFIXES and os.path.isfile(path)
    try:
        return format_of_place(path).id == FORMAT_ID
    except InputError:
        return any(name.lower().endswith(_KNOWN_SUFFIXES) for name in DiskFolder(path).names())
