"""Corpora as the texts of files."""

from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.registry import format_by_id


def written(format_id: str, request: WriteRequest) -> str:
    """Returns the text of the file that the format writes."""
    return "".join(format_by_id(format_id).piecewise_writer()(request))


def files_written(format_id: str, request: WriteRequest) -> dict[str, str]:
    """Returns the files of the folder that the format writes, by name."""
    files: dict[str, str] = {}
    for name, text in format_by_id(format_id).folder_writer()(request):
        files[name] = files.get(name, "") + text
    return files


def as_json(request: WriteRequest) -> str:
    """Returns the text of the corpus in our own format."""
    return written("awase-json", request)
