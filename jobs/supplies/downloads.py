"""Download of parser models in a subprocess, verified, all or nothing.

Files are downloaded to a staging folder and moved when all checksums match. Cancelling kills the
process and removes the staging folder.
"""

import json
import multiprocessing
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import md5
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem, Problem, Reporter
from awase.core.language.stanza_parser import Resources, StanzaModel, models_of, read_list

_LIST: Final = "resources.json"
_STEPS_PER_FILE: Final = 1000
_SECONDS_BETWEEN_LOOKS: Final = 0.1
_CHUNK: Final = 1 << 17
_TIMEOUTS_S: Final = (15, 60)

_NO_MODEL: Final = Problem(
    what="stanza has no model for parsing “{language}”.",
    hint="Parse elsewhere and import the parses as CoNLL-U.",
)
_DAMAGED: Final = Problem(
    what="“{file}” was damaged in the download; nothing was kept.", hint="Try again."
)
_NOT_WRITTEN: Final = Problem(
    what="The model cannot be written ({reason}): “{file}”.",
    hint="Choose another folder or free disk space; nothing was kept.",
)
_NOT_FETCHED: Final = Problem(
    what="“{file}” cannot be downloaded ({reason}).",
    hint="Check the network; or download the model on another machine and choose its folder, or "
    "import parses as CoNLL-U. Nothing was kept.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where models are fetched from."""

    lists: str
    version: str
    models: str = ""  # template of a file's address; empty = the list's own


def download_stanza(
    language: str, folder: Path, reporter: Reporter, address: Address | None = None
) -> StanzaModel:
    """Downloads the model for parsing `language` into `folder`, stanza's resources folder.

    `address` None = stanza's own server.
    """
    with _staging(folder) as staging:
        _fetch(language, staging, address, reporter)
        model = _first_model(staging, language)
        for path in (staging / _LIST, *model.files):
            target = folder / path.relative_to(staging)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.name == _LIST and target.is_file():
                both = merged(_known_list(target), read_list(path))
                path.write_text(json.dumps(both), encoding="utf-8")
        for path in (*model.files, staging / _LIST):  # the list last: it makes the model visible
            path.replace(folder / path.relative_to(staging))
        return _first_model(folder, language)


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """Yields an empty folder on the same disk, removed afterwards."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=".download-", dir=folder, ignore_cleanup_errors=True
        ) as name:
            yield Path(name)
    except OSError as error:
        reason = f"{error.strerror or error}"
        raise EnvironmentProblem.about(_NOT_WRITTEN, reason=reason, file=str(folder)) from error


def _fetch(language: str, staging: Path, address: Address | None, reporter: Reporter) -> None:
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(
        target=_work, args=(language, staging, address, sending), daemon=True, name="download"
    )
    process.start()
    sending.close()
    done, total, what = 0, 1, ""
    try:
        while True:
            reporter.advance(done, total, what)
            if not receiving.poll(_SECONDS_BETWEEN_LOOKS):
                continue
            try:
                news = receiving.recv()
            except (EOFError, OSError):
                ended = "the download ended early"
                raise EnvironmentProblem.about(_NOT_FETCHED, file=what, reason=ended) from None
            if isinstance(news, Problem):
                raise EnvironmentProblem.about(news)
            if news is None:
                return
            done, total, what = news
    finally:
        process.kill()
        process.join()
        process.close()
        receiving.close()


def _work(language: str, staging: Path, address: Address | None, sending: Connection) -> None:
    """Downloads everything and reports progress; runs in a subprocess."""
    import requests

    what = _LIST
    try:
        where = address or _stanzas_own()
        for _ in _parts(f"{where.lists}/resources_{where.version}.json", staging / _LIST, ""):
            pass
        resources = read_list(staging / _LIST)
        model = next(models_of(resources, language, staging), None)
        if model is None:
            sending.send(replace(_NO_MODEL, fields={"language": language}))
            return
        template = where.models or str(resources["url"])
        total = len(model.files) * _STEPS_PER_FILE
        for file_idx, (path, checksum) in enumerate(model.checksums.items()):
            what = path.relative_to(staging / model.language).as_posix()
            url = template.format(
                resources_version=where.version, lang=model.language, filename=what
            )
            for share in _parts(url, path, checksum):
                step = int((file_idx + share) * _STEPS_PER_FILE)
                sending.send((step, total, what))
        sending.send(None)
    except requests.RequestException as error:
        sending.send(replace(_NOT_FETCHED, fields={"file": what, "reason": str(error)}))
    except _DamagedFile:
        sending.send(replace(_DAMAGED, fields={"file": what}))
    except (OSError, ValueError, KeyError) as error:
        sending.send(replace(_NOT_WRITTEN, fields={"reason": str(error), "file": what}))


class _DamagedFile(Exception):
    """A downloaded file does not match its checksum."""


def _stanzas_own() -> Address:
    from importlib import import_module

    common = import_module("stanza.resources.common")
    url = str(common.DEFAULT_MODEL_URL)
    return Address(
        lists=common.DEFAULT_RESOURCES_URL,
        version=common.DEFAULT_RESOURCES_VERSION,
        models="" if url.lower() == "default" else url,
    )


def _parts(url: str, path: Path, checksum: str) -> Iterator[float]:
    """Yields the downloaded share of the file; verifies it at the end."""
    import requests

    path.parent.mkdir(parents=True, exist_ok=True)
    digest = md5(usedforsecurity=False)
    n_bytes = 0
    with requests.get(url, stream=True, timeout=_TIMEOUTS_S) as answer, path.open("wb") as file:
        answer.raise_for_status()
        expected = int(answer.headers.get("Content-Length") or 0)
        for chunk in answer.iter_content(_CHUNK):
            file.write(chunk)
            digest.update(chunk)
            n_bytes += len(chunk)
            yield min(n_bytes / expected, 1.0) if expected else 0.0
    if checksum and digest.hexdigest() != checksum:
        raise _DamagedFile
    yield 1.0


def _first_model(folder: Path, language: str) -> StanzaModel:
    return next(models_of(read_list(folder / _LIST), language, folder))


def _known_list(path: Path) -> Resources:
    try:
        return read_list(path)
    except ValueError:  # truncated: the new list replaces it
        return {}


def merged(old: Resources, new: Resources) -> Resources:
    """Merges lists of models; the new one takes precedence."""
    both: dict[str, object] = {**old, **new}
    for key in old.keys() & new.keys():
        before, after = old[key], new[key]
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            both[key] = merged(before, after)
    return both
