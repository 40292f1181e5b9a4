"""Shared by the tests of formats: read a text, or get its refusals."""

import posixpath

import pytest

from awase.core.errors import InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import FolderTexts, ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus


def read(format_id, text, **request):
    request = {"source": "file", **request}
    return format_by_id(format_id).reader()(ReadRequest(text=text, **request))


def read_into(format_id, text, corpus=None, **request):
    base = corpus if corpus is not None else Corpus()
    return merge(base, read(format_id, text, corpus=base, **request).addition)


def refusals(format_id, text, **request):
    """Returns the messages of a refused file, without the name of the source."""
    with pytest.raises(InputError) as caught:
        read(format_id, text, **request)
    return [
        str(problem).removeprefix("file: ").removeprefix("file:")
        for problem in caught.value.problems
    ]


def warnings(format_id, text, **request):
    found = read(format_id, text, **request).warnings
    assert all(problem.source == "file" for problem in found)
    return [str(problem).removeprefix("file: ").removeprefix("file:") for problem in found]


class MemoryFolder:
    def __init__(self, files):
        self._data = {
            name: text.encode() if isinstance(text, str) else text for name, text in files.items()
        }

    def names(self):
        return sorted(name for name in self._data if not name.startswith(("..", "/")))

    def read(self, name):
        return self._data.get(name)

    def leads_outside(self, name):
        return name in self._data and posixpath.normpath(name).startswith(("..", "/"))


def read_folder(format_id, files, *, allow_outside=False, **request):
    texts = FolderTexts(MemoryFolder(files), "folder", allow_outside=allow_outside)
    return read(format_id, "", source="folder", files=texts, is_folder=True, **request)


def folder_into(format_id, files, corpus=None, **request):
    base = corpus if corpus is not None else Corpus()
    return merge(base, read_folder(format_id, files, corpus=base, **request).addition)


def folder_refusals(format_id, files, **request):
    """Returns the messages of a refused folder, as an import tells them."""
    with pytest.raises(InputError) as caught:
        imported(format_id, files, **request)
    return [str(problem) for problem in caught.value.problems]


def imported(format_id, files, *, corpus=None, data=None, aliases=None, **said):
    """Returns what a whole import makes of a folder, or of a file of it."""
    content = ReadRequest(
        source="folder" if data is None else "folder/settings.xml",
        data=data,
        is_folder=data is None,
        format_id=format_id,
        folder=MemoryFolder(files),
        **said,
    )
    base = corpus if corpus is not None else Corpus()
    return read_files(base, [content], Silent(), 1, aliases or {})
