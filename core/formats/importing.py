"""Import of several files, each seeing those before it, with all errors collected."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from awase.core.errors import (
    CorpusFormatError,
    InputError,
    Listing,
    Missing,
    Problem,
    Reporter,
    gc_paused,
)
from awase.core.formats.reading.records import NOT_JSON, first_record
from awase.core.formats.reading.requests import FolderTexts, OutsideFiles, ReadRequest, ReadResult
from awase.core.formats.reading.roles import TakenAs, with_separators
from awase.core.formats.reading.topic_parts import known_ids
from awase.core.formats.registry import FORMATS, Format, format_by_id, format_of_file
from awase.core.records.addition import Addition, joined, merge, with_aliases
from awase.core.records.corpus import Corpus
from awase.core.records.edits import CorpusCounts
from awase.core.records.topic import select_topics
from awase.core.text.encoding import decode
from awase.core.text.script import Separators

_WITH_PATHS: Final = "awase-json"  # the format with JSON paths
NO_ALIASES: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesRead:
    """Joint contents of the files."""

    addition: Addition
    corpus: Corpus
    added: CorpusCounts
    warnings: tuple[Problem, ...]
    taken_as: tuple[TakenAs, ...] = ()


def read_files(
    corpus: Corpus,
    files: Iterable[ReadRequest],
    reporter: Reporter,
    n_files: int,
    aliases: Mapping[str, str] = NO_ALIASES,
) -> FilesRead:
    """Returns the joint contents of all `files`, lazily read one after another.

    A file may refer to the ones before it. After a bad file the others are still read, so that all
    errors are reported together; `OutsideFiles` if all are of files outside the folders.
    """
    joining = _Joining(corpus, aliases)
    problems: list[Problem] = []
    kinds: set[type[InputError]] = set()
    for file_idx, file in enumerate(files):
        reporter.advance(file_idx, n_files, file.source)
        try:
            with gc_paused():
                joining.take(file)
        except InputError as error:
            problems += [problem.in_source(file.source) for problem in error.problems]
            kinds.add(type(error))
    if problems:
        raise OutsideFiles(problems) if kinds == {OutsideFiles} else CorpusFormatError(problems)
    return joining.joined()


class _Joining:
    """Merges files into a corpus one by one, skipping bad ones."""

    def __init__(self, corpus: Corpus, aliases: Mapping[str, str]) -> None:
        self._corpus, self._aliases = corpus, aliases
        self._additions: list[Addition] = []
        self._warnings: list[Problem] = []
        self._taken_as: list[TakenAs] = []
        self._systems: set[str] = set()
        self._added = CorpusCounts()

    def take(self, file: ReadRequest) -> None:
        """Merges a file atomically."""
        result = _read(self._corpus, file)
        self._systems |= result.addition.systems()
        result = _renamed(result, self._aliases)
        old, new = self._corpus, _joined(self._corpus, result.addition, file.format_id)
        named = result.addition.topic_ids()
        before, after = (
            CorpusCounts.of_topics(select_topics(one.topics, named)) for one in (old, new)
        )
        scores = CorpusCounts(human_scores=len(new.human_scores) - len(old.human_scores))
        self._corpus = new
        self._additions.append(result.addition)
        self._warnings += [problem.in_source(file.source) for problem in result.warnings]
        self._taken_as += result.taken_as
        self._added += after - before + scores

    def joined(self) -> FilesRead:
        """Returns the merged additions."""
        return FilesRead(
            addition=joined(self._additions),
            corpus=self._corpus,
            added=self._added,
            warnings=(*self._warnings, *_unused(self._aliases, self._systems)),
            taken_as=tuple(self._taken_as),
        )


def _renamed(result: ReadResult, aliases: Mapping[str, str]) -> ReadResult:
    if not aliases:
        return result
    try:
        return replace(result, addition=with_aliases(result.addition, aliases))
    except CorpusFormatError as error:  # two systems become one
        raise CorpusFormatError(replace(found, path="") for found in error.problems) from error


def _unused(aliases: Mapping[str, str], named: set[str]) -> Iterator[Problem]:
    unused = [name for name in aliases if name not in named]
    if unused:
        yield Problem(
            what="Aliases that match no system of the files: {names}.",
            hint="The files have: {known}.",
            fields={"names": known_ids(unused), "known": known_ids(sorted(named))},
        )


def _joined(corpus: Corpus, addition: Addition, format_id: str) -> Corpus:
    """Returns the corpus with the addition; problems have paths only where the file has them."""
    try:
        return merge(corpus, addition)
    except CorpusFormatError as error:
        if format_id == _WITH_PATHS:
            raise
        problems = _with_cause(corpus, addition, error.problems)
        raise CorpusFormatError(replace(found, path="") for found in problems) from error


def _with_cause(
    corpus: Corpus, addition: Addition, problems: Sequence[Problem]
) -> Sequence[Problem]:
    """Replaces problems that follow from a system's second output by that cause."""
    n_topics: dict[str, int] = {}
    topics: set[str] = set()
    for topic in addition.topics:
        known = corpus.topic(topic.id)
        keys = {(type(one), one.system, one.length) for one in known.outputs} if known else set()
        for output in topic.outputs:
            if (type(output), output.system, output.length) in keys:
                n_topics[output.system] = n_topics.get(output.system, 0) + 1
                topics.add(topic.id)
    causes = [
        Problem(
            what="System “{system}” already has outputs, in the corpus or in a file before "
            "(topics: {n}).",
            hint="If it is the same, leave one of the two out; else give one another name.",
            fields={"system": system, "n": n, "missing": Missing.ALIASES},
        )
        for system, n in n_topics.items()
    ]
    rest = [
        one
        for one in problems
        if one.fields.get("id") not in topics and one.fields.get("system") not in n_topics
    ]
    return [*causes, *rest] if causes else problems


def _read(corpus: Corpus, file: ReadRequest) -> ReadResult:
    entry = format_by_id(file.format_id)
    _check_kind(entry, is_folder=file.is_folder)
    decoded = None if file.data is None else decode(file.data, file.encoding)
    place = file.source if file.is_folder else re.split(r"[^/\\]*$", file.source)[0]
    files = FolderTexts(file.folder, place, file.encoding, allow_outside=file.allow_outside)
    request = replace(
        file,
        corpus=corpus,
        text=decoded.text if decoded is not None else "",
        files=files,
        separators=Separators(is_on=file.separators.is_on),  # separators are reported by file
    )
    try:
        result = entry.reader()(request)
    except CorpusFormatError:
        files.check_outside()  # missing files may be outside ones
        raise
    except RecursionError as error:
        raise CorpusFormatError.of(
            "The file is nested too deeply.", "Check that it is a file of this format."
        ) from error
    files.check_outside()
    guesses = files.guess_warnings()
    if decoded is not None and decoded.is_guess:
        guesses = (_guessed(decoded.encoding), *guesses)
    return replace(
        result,
        warnings=(*guesses, *result.warnings),
        taken_as=with_separators(result.taken_as, request.source, request.separators),
    )


def _check_kind(entry: Format, *, is_folder: bool) -> None:
    """Refuses a folder for a format of one file, and the reverse."""
    if is_folder and not entry.is_folder:
        raise InputError.of(
            "Format “{id}” reads a file, and this is a folder.", "Name the files.", id=entry.id
        )
    if not is_folder and entry.is_folder and not entry.suffixes:
        raise InputError.of(
            "Format “{id}” reads a folder, and this is a file.", "Name its folder.", id=entry.id
        )


def _guessed(encoding: str) -> Problem:
    return Problem(
        what="The encoding was guessed: {encoding}.",
        hint="If characters are wrong, import the file again and name its encoding.",
        fields={"encoding": encoding},
    )


def format_of_text(name: str, text: str) -> Format:
    """Detects a file's format; `text` is its beginning up to the first non-blank line or more."""
    foreign = _foreign_format(name, text)
    if foreign is not None:
        raise InputError([foreign])
    signed = [(entry.sign, entry) for entry in FORMATS.values() if entry.sign and entry.reads]
    for sign, entry in sorted(signed, key=lambda pair: pair[0].is_weak):
        if sign.test(name, text):
            return entry
    if name.lower().endswith((".json", ".jsonl")) and text.strip("\ufeff \t\r\n"):
        _check_json(name, text)
    return format_of_file(name)


def _foreign_format(name: str, text: str) -> Problem | None:
    """Returns the error for a known unsupported format, with what to export instead."""
    hint = "Convert it to doccano's JSON lines (a text and its spans), or to Awase JSON."
    lower = name.lower()
    if text.lstrip("\ufeff").startswith("#FORMAT=WebAnno TSV"):
        title = "WebAnno TSV"
    elif lower.endswith(".ann"):
        title = "brat's annotations (.ann)"
    elif lower.endswith(".xmi"):
        title = "UIMA CAS XMI"
    elif lower.endswith(".size") or "pyreval" in lower:
        title = "PyrEval"
        hint = "Pyramids of DUCView (.pyr, .pan) are read, and texts in a folder of peers."
    elif lower.endswith((".conllu", ".conll")):
        title = "CoNLL-U"
        hint = "Import parses where sentences are parsed, into a corpus that has these sentences."
    else:
        return None
    return _not_imported(name, title, hint)


def _not_imported(name: str, title: str, hint: str) -> Problem:
    return Problem(
        what="“{name}” is of the format {title}, which is not imported.",
        hint=hint,
        fields={"name": name, "title": title},
    )


def _check_json(name: str, text: str) -> None:
    """Refuses JSON without any format's sign, with the missing signs."""
    record = first_record(text)
    is_list = text.lstrip("\ufeff \t\r\n").startswith("[")
    if isinstance(record, Mapping) and "nuggets" in record:
        raise InputError(
            [_not_imported(name, "nuggets", "Awase JSON holds each as a sentence of an abstract.")]
        )
    is_ours = isinstance(record, Mapping) and not record.keys().isdisjoint(("awase", "topics"))
    if name.lower().endswith(".json") and not is_list and (is_ours or record is NOT_JSON):
        return
    tried = [
        f"{entry.id}: {entry.sign.wants}"
        for entry in FORMATS.values()
        if entry.sign and entry.reads and name.lower().endswith(entry.suffixes)
    ]
    if name.lower().endswith(".json"):
        tried.insert(0, "awase-json: “awase” in an object")
    keys = Listing(record) if isinstance(record, Mapping) else "no object"
    raise InputError.of(
        "“{name}” has none of the formats tried. Its first record has: {keys}. Tried: {tried}.",
        "Name the format, or the columns of its texts.",
        name=name,
        keys=keys[:200],
        tried="; ".join(tried),
    )
