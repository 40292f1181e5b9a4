"""Stanza parser: Universal Dependencies models of many languages."""
# Stanza imports torch, which takes seconds, so it is imported on use.

import importlib
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest, md5
from pathlib import Path
from typing import Any, Final

from awase.core.errors import EnvironmentProblem, Listing, Problem, batches
from awase.core.language.conllu import with_one_root, with_spans
from awase.core.language.engines import ParserRequest
from awase.core.records.parse import MultiWordToken, Parse, ParsedSentence, ParsedWord

PROCESSORS: Final = ("tokenize", "mwt", "pos", "lemma", "depparse")
# Packages by preference: first the one without transformers.
PREFERRED: Final = ("default_fast", "default")

_NEEDED: Final = ("tokenize", "pos", "lemma", "depparse")
_LIST: Final = "resources.json"
_ZIP: Final = b"PK"
_DIGITS_SHOWN: Final = 8

Resources = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class StanzaModel:
    """A model for parsing."""

    folder: Path
    language: str
    package: str
    processors: Mapping[str, str]
    # Files to their MD5; empty where the list has none.
    checksums: Mapping[Path, str]

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that it consists of."""
        return tuple(self.checksums)

    def lacking(self) -> list[Path]:
        """Returns the files that are not there."""
        return [path for path in self.files if not path.is_file()]

    def name(self) -> str:
        """Returns the model's name in signatures, which depends on its weights."""
        digest = md5(usedforsecurity=False)
        for path in sorted(self.files):
            digest.update(_md5(path).encode())
        depparse = self.processors["depparse"]
        return f"stanza-{self.language}-{depparse}-{digest.hexdigest()[:_DIGITS_SHOWN]}"

    def check(self) -> None:
        """Verifies all files' checksums."""
        for path, checksum in self.checksums.items():
            if _is_cut(path) or (checksum and _md5(path) != checksum):
                raise EnvironmentProblem(
                    "The model file “{path}” is cut off or damaged.",
                    "Download the model again.",
                    path=str(path),
                )


def find_model(folder: Path, language: str, package: str | None = None) -> StanzaModel:
    """Returns the model of this package, or the first one that is complete."""
    if not (folder / _LIST).is_file():
        raise EnvironmentProblem(
            "There is no stanza model in “{folder}”: it has no {list}.",
            "Choose stanza's resources folder or download the model.",
            folder=str(folder), list=_LIST,
        )  # fmt: skip
    try:
        resources = read_list(folder / _LIST)
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Download the model again.",
            path=str(folder / _LIST), error=str(error),
        ) from error  # fmt: skip
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
    """Loads the list of models in a file; `ValueError` if it is none."""
    resources = json.loads(path.read_text("utf-8"))
    if not isinstance(resources, dict):
        raise ValueError("not a list of models")
    return resources


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: md5(usedforsecurity=False)).hexdigest()


def _is_cut(path: Path) -> bool:
    """Returns whether a zip file is truncated or empty."""
    with path.open("rb") as file:
        begin = file.read(len(_ZIP))
    return not begin or (begin == _ZIP and not zipfile.is_zipfile(path))


Foreign = Any  # an object of a library without types

_TEXTS_AT_A_TIME: Final = 32
_BETWEEN: Final = "\n\n"
_BREAK: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNKNOWN_FORM: Final = "<UNK>"


def resources_folder() -> Path:
    """Returns stanza's model folder; imports stanza."""
    return Path(importlib.import_module("stanza.resources.common").DEFAULT_MODEL_DIR)


def missing(request: ParserRequest) -> Problem | None:
    """Returns why the model cannot be loaded, or None."""
    try:
        _model(request)
    except EnvironmentProblem as error:
        return error.problem
    return None


def load(request: ParserRequest) -> "StanzaParser":
    """Returns the parser."""
    model = _model(request)
    model.check()
    return StanzaParser(model, gpu=request.gpu)


def _model(request: ParserRequest) -> StanzaModel:
    return find_model(request.folder or resources_folder(), request.language, request.package)


class StanzaParser:
    """A stanza pipeline up to dependencies; each text is parsed as one sentence."""

    def __init__(self, model: StanzaModel, *, gpu: bool) -> None:
        self.model = model.name()
        stanza = importlib.import_module("stanza")
        try:
            self._pipeline: Foreign = stanza.Pipeline(
                model.language,
                dir=str(model.folder),
                package=None,
                processors=dict(model.processors),
                download_method=None,
                use_gpu=gpu,
                tokenize_no_ssplit=True,
                verbose=False,
            )
        except Exception as error:  # whatever unpickling a foreign file raises
            raise EnvironmentProblem(
                "The stanza model “{package}” in “{folder}” cannot be loaded ({error}).",
                "It is cut off, or made for another version than stanza {version}: download it "
                "again.",
                package=model.package,
                folder=str(model.folder),
                error=f"{type(error).__name__}: {error}",
                version=stanza.__version__,
            ) from error

    def parses(self, texts: Sequence[str]) -> Iterator[Sequence[Parse]]:
        """Yields the parses of the texts, some at a time."""
        for batch in batches(texts, _TEXTS_AT_A_TIME):
            yield self._batch(batch)

    def _batch(self, texts: Sequence[str]) -> list[Parse]:
        lines = [_BREAK.sub(" ", text) for text in texts]
        found: list[list[ParsedSentence]] = [[] for _ in lines]
        ends: list[int] = []
        for line in lines:
            ends.append((ends[-1] + len(_BETWEEN) if ends else 0) + len(line))
        if any(line.strip() for line in lines):
            text_idx = 0
            for sentence in self._pipeline(_BETWEEN.join(lines)).sentences:
                while sentence.tokens[0].start_char >= ends[text_idx]:
                    text_idx += 1
                found[text_idx].append(_record(sentence, lines[text_idx]))
        return [tuple(sentences) for sentences in found]


def _record(sentence: Foreign, text: str) -> ParsedSentence:
    words: list[ParsedWord] = []
    tokens: list[MultiWordToken] = []
    for token in sentence.tokens:
        if len(token.words) > 1:
            first = len(words) + 1
            tokens.append(
                MultiWordToken(first=first, last=len(words) + len(token.words), form=token.text)
            )
        for word in token.words:
            words.append(
                ParsedWord(
                    # What is absurdly long has no form of its own any more.
                    form=token.text if word.text == _UNKNOWN_FORM else word.text,
                    lemma=word.lemma or "",
                    upos=word.upos or "",
                    xpos=word.xpos or "",
                    feats=word.feats or "",
                    head=word.head,
                    deprel=word.deprel,
                )
            )
    rooted, _ = with_one_root(words)
    return with_spans(ParsedSentence(words=tuple(rooted), text=text, tokens=tuple(tokens)))
