"""Corpora as the texts of files, and files of tests."""

import json
from collections.abc import Mapping
from pathlib import Path

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


def write_files(folder: Path, files: Mapping[str, object]) -> None:
    """Writes files by name, what is no text as JSON: of a list a line each, in `.json` one list."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, list) and not name.endswith(".json"):
            content = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in content)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
