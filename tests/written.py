"""Corpora as the texts of files, and files of tests."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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


def rouge_settings(
    evaluations: Mapping[object, tuple[Mapping[Any, object], Mapping[Any, object]]],
    peers: object = ".",
    models: object = ".",
) -> str:
    """Returns settings of ROUGE-1.5.5: by id the files of summaries and of references, by id."""
    parts = []
    for id_, (summaries, references) in evaluations.items():
        given = "".join(f'<P ID="{name}">{file}</P>' for name, file in summaries.items())
        ideal = "".join(f'<M ID="{name}">{file}</M>' for name, file in references.items())
        parts.append(
            f'<EVAL ID="{id_}"><PEER-ROOT>{peers}</PEER-ROOT><MODEL-ROOT>{models}</MODEL-ROOT>'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>{given}</PEERS>'
            f"<MODELS>{ideal}</MODELS></EVAL>"
        )
    return f'<ROUGE-EVAL version="1.0">{"".join(parts)}</ROUGE-EVAL>'
