"""Shared by the tests of formats: read a text, or get its refusals."""

import pytest

from awase.core.errors import InputError
from awase.core.formats.registry import ReadRequest, format_by_id
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus


def read(format_id, text, **request):
    """Returns the result of reading `text`."""
    request = {"source": "file", **request}
    return format_by_id(format_id).reader()(ReadRequest(text=text, **request))


def read_into(format_id, text, corpus=None, **request):
    """Returns the corpus that the file makes of `corpus`."""
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
    """Returns the warnings of a file that is read, likewise."""
    found = read(format_id, text, **request).warnings
    assert all(problem.source == "file" for problem in found)
    return [str(problem).removeprefix("file: ").removeprefix("file:") for problem in found]
