"""The models of stanza that lie in a folder, looked at without importing stanza."""

import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import file_digest, md5
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem, Listing

PROCESSORS: Final = ("tokenize", "mwt", "pos", "lemma", "depparse")
PREFERRED: Final = ("default_fast", "default")
"""Packages in the order in which they are looked for: first the one without transformers."""

_NEEDED: Final = ("tokenize", "pos", "lemma", "depparse")
_LIST: Final = "resources.json"
_ZIP: Final = b"PK"
_DIGITS_SHOWN: Final = 8

Resources = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class StanzaModel:
    """A model for parsing.

    Attributes:
        folder: What stanza calls its resources.
        language: Code, as stanza has it.
        package: Its name.
        processors: Processor to the name of its model.
        checksums: Files to the MD5 that they should have; empty where the list has none.
    """

    folder: Path
    language: str
    package: str
    processors: Mapping[str, str]
    checksums: Mapping[Path, str]

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that it consists of."""
        return tuple(self.checksums)

    def lacking(self) -> list[Path]:
        """Returns the files that are not there."""
        return [path for path in self.files if not path.is_file()]

    def name(self) -> str:
        """Returns what signatures call the model; other weights have another name."""
        digest = md5(usedforsecurity=False)
        for path in sorted(self.files):
            digest.update(_md5(path).encode())
        depparse = self.processors["depparse"]
        return f"stanza-{self.language}-{depparse}-{digest.hexdigest()[:_DIGITS_SHOWN]}"

    def check(self) -> None:
        """Does nothing when all files are what they should be.

        Raises:
            EnvironmentProblem: One is cut off, or not the one that the folder's list names.
        """
        for path, checksum in self.checksums.items():
            if _is_cut(path) or (checksum and _md5(path) != checksum):
                raise EnvironmentProblem(
                    "The model file “{path}” is cut off or damaged.",
                    "Download the model again.",
                    path=str(path),
                )


def has_list(folder: Path) -> bool:
    """Returns whether the folder has a list of models."""
    return (folder / _LIST).is_file()


def find_model(folder: Path, language: str, package: str | None = None) -> StanzaModel:
    """Returns the model of this package, or the first one that is complete.

    Raises:
        EnvironmentProblem: There is none; tells what lacks.
    """
    if not has_list(folder):
        raise EnvironmentProblem(
            "There is no stanza model in “{folder}”: it has no {list}.",
            "Choose stanza's resources folder or download the model.",
            folder=str(folder), list=_LIST,
        )  # fmt: skip
    resources = _read_list(folder)
    candidates = [*models_of(resources, language, folder)]
    if package is not None:
        candidates = [model for model in candidates if model.package == package]
    if not candidates:
        raise EnvironmentProblem(
            "The folder “{folder}” has no stanza model for parsing “{language}”.",
            "Choose another folder or download the model.",
            folder=str(folder), language=language,
        )  # fmt: skip
    for model in candidates:
        if not model.lacking():
            return model
    raise EnvironmentProblem(
        "The stanza model for “{language}” in “{folder}” lacks {files}.",
        "Download the model.",
        language=language,
        folder=str(folder),
        files=Listing(str(path.relative_to(folder)) for path in candidates[0].lacking()),
    )


def models_of(resources: Resources, language: str, folder: Path) -> Iterator[StanzaModel]:
    """Yields the models for parsing that a list of stanza's names, preferred ones first."""
    of_language = _part(resources, language)
    while isinstance(alias := of_language.get("alias"), str):
        language = alias
        of_language = _part(resources, language)
    packages = _part(of_language, "packages")
    known = [name for name in PREFERRED if name in packages]
    for package in (*known, *sorted(packages.keys() - {*known})):
        processors = {
            processor: str(name)
            for processor, name in _part(packages, package).items()
            if processor in PROCESSORS
        }
        if all(processor in processors for processor in _NEEDED):
            yield StanzaModel(
                folder=folder,
                language=language,
                package=package,
                processors=processors,
                checksums=dict(_files(of_language, processors, folder / language)),
            )


def _files(
    of_language: Resources, processors: Mapping[str, str], folder: Path
) -> Iterator[tuple[Path, str]]:
    for processor, name in processors.items():
        if name == "identity":  # a lemmatiser that is no file
            continue
        entry = _part(_part(of_language, processor), name)
        yield folder / processor / f"{name}.pt", str(entry.get("md5", ""))
        dependencies = entry.get("dependencies", ())
        for one in dependencies if isinstance(dependencies, list) else ():
            kind, other = str(one["model"]), str(one["package"])
            checksum = _part(_part(of_language, kind), other).get("md5", "")
            yield folder / kind / f"{other}.pt", str(checksum)


def _part(whole: Resources, key: str) -> Resources:
    part = whole.get(key)
    return part if isinstance(part, dict) else {}


def read_list(path: Path) -> Resources:
    """Returns the list of models in a file.

    Raises:
        ValueError: It is none.
    """
    resources = json.loads(path.read_text("utf-8"))
    if not isinstance(resources, dict):
        raise ValueError("not a list of models")
    return resources


def _read_list(folder: Path) -> Resources:
    try:
        return read_list(folder / _LIST)
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Download the model again.",
            path=str(folder / _LIST), error=str(error),
        ) from error  # fmt: skip


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: md5(usedforsecurity=False)).hexdigest()


def _is_cut(path: Path) -> bool:
    """Returns whether a file that begins as an archive lacks the archive's end, or is empty."""
    with path.open("rb") as file:
        begin = file.read(len(_ZIP))
    return not begin or (begin == _ZIP and not zipfile.is_zipfile(path))
