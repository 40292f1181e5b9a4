"""ROUGE-1.5.5 settings (XML) with the files that they reference.

An evaluation becomes a topic, its models abstracts, its peers texts of systems. Files are parsed as
by the program, so that scores agree.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

from awase.core.errors import CorpusFormatError, InputError, Listing, Problem, in_source
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.reading.topic_parts import TopicParts, known_ids, naming, numbered_abstract
from awase.core.formats.tables.parallel_text import chosen_topics, output_for, safe_name, text_of
from awase.core.records.abstract import Abstract
from awase.core.records.source import repeated
from awase.core.records.topic import TextOutput, Topic
from awase.core.rouge_files import TEXT_FORMATS, Evaluation, evaluations_of_xml, sentences_of

__all__ = ["folder_pieces", "read"]

_SETTINGS = "settings.xml"
# Folders for relative names, from that of the settings on.
_BASES = ("", "../", "../../")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENTITY = re.compile(r"&(?:[a-zA-Z]+|#[0-9]+);")


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with abstracts and texts of systems."""
    warnings: list[Problem] = []
    parts = TopicParts(request)
    for settings in _settings(request):
        evaluations = _evaluations(settings)
        warnings += (problem for one in evaluations for problem in _oddities(one))
        summaries = _Summaries(request, _base(request, settings.folder, evaluations))
        for evaluation in evaluations:
            parts.add_topic(evaluation.id)
            for abstract in _abstracts(evaluation, summaries, settings.length):
                parts.add_abstract(evaluation.id, abstract)
            parts.add_outputs(evaluation.id, *_outputs(evaluation, summaries, settings.length))
        warnings += summaries.warnings()
    return parts.result(warnings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    source: str
    text: str
    folder: str = ""  # where it is, as seen from the folder that is read; with a slash, or empty
    length: str | None = None


def _settings(request: ReadRequest) -> list[_Settings]:
    """Returns the settings of the file, of the folder, or of its folders for length classes."""
    if not request.is_folder:
        return [_Settings(source=request.source, text=request.text)]
    names = [name for name in request.files.names() if name.endswith(".xml")]
    found = [name for name in names if "/" not in name]
    if _SETTINGS in found:
        found = [_SETTINGS]
    found = found or [name for name in names if re.fullmatch(rf"[^/]+/{_SETTINGS}", name)]
    if not found or (len(found) > 1 and "/" not in found[0]):
        raise CorpusFormatError.of(
            "It is not clear which file of the folder has the settings: {known}.",
            "Name the settings file instead of the folder.",
            known=known_ids(found),
        )
    settings = []
    for name in found:
        folder, slash, _ = name.rpartition("/")
        settings.append(
            _Settings(
                source=request.files.source_of(name),
                text=request.files.text(name) or "",
                folder=folder + slash,
                length=None if folder in ("", _NO_LENGTH) else unquote(folder),
            )
        )
    return settings


def _evaluations(settings: _Settings) -> Sequence[Evaluation]:
    with in_source(settings.source):
        # The text is decoded already; the declaration may name another encoding.
        evaluations = evaluations_of_xml(_DECLARATION.sub("", settings.text).encode())
        for evaluation in evaluations:
            if evaluation.format_name.upper() not in TEXT_FORMATS:
                raise CorpusFormatError.of(
                    "Evaluation “{id}” has files in format {format}, which are not texts.",
                    "Texts are {known}.",
                    id=evaluation.id,
                    format=evaluation.format_name,
                    known=Listing(TEXT_FORMATS),
                )
    return evaluations


def _oddities(evaluation: Evaluation) -> Iterator[Problem]:
    if evaluation.n_elements > 1:
        yield Problem(
            what="Evaluation “{id}” appears {n} times in the settings.",
            hint="As in ROUGE-1.5.5 they are one, whose parts add up.",
            fields={"id": evaluation.id, "n": evaluation.n_elements},
        )
    yield from _repeated(
        evaluation,
        evaluation.repeated_peers,
        what="System “{name}” appears twice in evaluation “{id}”.",
    )
    yield from _repeated(
        evaluation,
        [name for _, name in repeated(evaluation.model_ids)],
        what="Reference “{name}” appears twice in evaluation “{id}”.",
    )
    humans = [name for name, _ in evaluation.peers if name in evaluation.model_ids]
    if humans:
        yield Problem(
            what="In evaluation “{id}” systems have names of references: {names}.",
            hint="If they are people's summaries, leave them out of what is correlated.",
            fields={"id": evaluation.id, "names": known_ids(humans)},
        )


def _repeated(evaluation: Evaluation, names: Sequence[str], *, what: str) -> Iterator[Problem]:
    for name in names:
        yield Problem(
            what=what,
            hint="The last file of that name is used, once.",
            fields={"name": name, "id": evaluation.id},
        )


def _base(request: ReadRequest, folder: str, evaluations: Sequence[Evaluation]) -> str:
    """Returns the base folder of the settings' paths.

    The program resolves them in its working directory, which is unknown: the first of the settings'
    folder and two above it in which any file exists.
    """
    paths = [path for one in evaluations for path in (*one.models, *(p for _, p in one.peers))]
    for base in _BASES:
        if any(request.files.data(_joined(folder + base, path)) is not None for path in paths):
            return folder + base
    raise CorpusFormatError.of(
        "None of the files named in the settings ({n}) exists; {file} is one.",
        "Relative names are looked up from the settings' folder and from the two above it.",
        n=len(paths),
        file=paths[0] if paths else "",
    )


def _joined(base: str, path: str) -> str:
    return path if path.startswith("/") else base + path


@dataclass(slots=True)
class _Summaries:
    """Reads summaries and collects warnings."""

    request: ReadRequest
    base: str
    missing: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    with_entities: list[str] = field(default_factory=list)

    def sentences(self, path: str, format_name: str) -> tuple[str, ...] | None:
        """Returns the sentences of a file, None when it is not there."""
        text = self.request.files.text(_joined(self.base, path))
        if text is None:
            self.missing.append(path)
            return None
        found = [one.decode().strip() for one in sentences_of(text.encode(), format_name)]
        sentences = tuple(one for one in found if one)
        if text.strip() and not sentences:
            self.empty.append(path)
        if any(map(_ENTITY.search, sentences)):
            self.with_entities.append(path)
        return sentences

    def warnings(self) -> Iterator[Problem]:
        """Yields warnings, each once for all files."""
        if self.base.endswith("../"):
            yield Problem(
                what="The paths are relative to {folder}, not to the settings' folder.",
                fields={"folder": self.base},
            )
        yield from naming(
            self.missing,
            what="{n} {n:file is not there, so its text is|files are not there, so "
            "their texts are} missing: {names}.",
        )
        yield from naming(
            self.empty,
            what="{n} {n:file has|files have} no sentence in the format that the settings name: "
            "{names}.",
            hint="Check their INPUT-FORMAT; SPL is one sentence per line.",
        )
        yield from naming(
            self.with_entities,
            what="{n} {n:file has|files have} entities such as &amp;, which stay as they are: "
            "{names}.",
            hint="ROUGE-1.5.5 does not decode them, either.",
        )


def _abstracts(
    evaluation: Evaluation, summaries: _Summaries, length: str | None
) -> Iterator[Abstract]:
    paths = dict(zip(evaluation.model_ids, evaluation.models, strict=True))
    for id_, path in paths.items():
        sentences = summaries.sentences(path, evaluation.format_name)
        if sentences is not None:
            yield numbered_abstract(id_, sentences, length=length)


def _outputs(
    evaluation: Evaluation, summaries: _Summaries, length: str | None
) -> Iterator[TextOutput]:
    for system, path in evaluation.peers:
        sentences = summaries.sentences(path, evaluation.format_name)
        if sentences is not None:
            yield TextOutput(system=system, sentences=sentences, length=length)


_NO_LENGTH = "_"

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def folder_pieces(request: WriteRequest) -> Iterator[tuple[str, str]]:
    """Yields chunks of `settings.xml`, its peers and models, with file names.

    Each length class has a folder. A topic is an evaluation, as is an output with references of its
    own. Extracts become the text of their sentences; of an extract and a text the text is written.
    Outputs without reference are omitted, as they have no score.
    """
    topics = chosen_topics(request)
    lengths = _lengths(topics)
    is_empty = True
    for length in lengths:
        prefix = "" if lengths == [None] else f"{safe_name(length) if length else _NO_LENGTH}/"
        settings = _SettingsFile()
        for topic in topics:
            _add_topic(settings, topic, length)
            for name, text in settings.taken():
                is_empty = False
                yield prefix + name, text
        if settings.ids:
            yield prefix + _SETTINGS, "</ROUGE-EVAL>\n"
    if is_empty:
        raise InputError.of(
            "No topic has both a reference and an output.", "There is nothing to score."
        )


def _lengths(topics: Sequence[Topic]) -> list[str | None]:
    of_abstracts: dict[str | None, None] = {}
    own: dict[str | None, None] = {}
    for topic in topics:
        of_abstracts |= {abstract.length: None for abstract in topic.abstracts}
        own |= {output.length: None for output in topic.outputs if output.references}
    return [*(of_abstracts | own)]


def _add_topic(settings: "_SettingsFile", topic: Topic, length: str | None) -> None:
    models = {
        abstract.id: [sentence.text for sentence in abstract.sentences]
        for abstract in topic.abstracts
        if abstract.length == length
    }
    peers: dict[str, Sequence[str]] = {}
    for system in dict.fromkeys(output.system for output in topic.outputs):
        output = output_for(topic, system, length)
        if output is None:
            continue
        if output.references is None:
            peers[system] = text_of(output, topic)
        elif output.length == length and output.references:
            own = {str(n): text for n, text in enumerate(output.references, start=1)}
            settings.add(f"{topic.id}.{system}", {system: text_of(output, topic)}, own)
    if peers and models:
        settings.add(topic.id, peers, models)


@dataclass(slots=True)
class _SettingsFile:
    """Evaluations and their files, streaming."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)

    def add(
        self, id_: str, peers: Mapping[str, Sequence[str]], models: Mapping[str, Sequence[str]]
    ) -> None:
        """Adds an evaluation, with its id made unique."""
        if not self.ids:
            self.pieces.append((_SETTINGS, '<ROUGE-EVAL version="1.0">\n'))
        id_ = _free(id_, self.ids)
        self.ids.add(id_)
        rows = [
            f"  <EVAL ID={_quoted(id_)}>",
            "    <PEER-ROOT>peers</PEER-ROOT>",
            "    <MODEL-ROOT>models</MODEL-ROOT>",
            '    <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>',
        ]
        for folder, tag, group in (("peers", "P", peers), ("models", "M", models)):
            rows.append(f"    <{folder.upper()}>")
            for name, sentences in group.items():
                file = self._take(folder, id_, name, sentences)
                rows.append(f"      <{tag} ID={_quoted(name)}>{escape(file)}</{tag}>")
            rows.append(f"    </{folder.upper()}>")
        self.pieces.append((_SETTINGS, "\n".join([*rows, "  </EVAL>\n"])))

    def _take(self, folder: str, id_: str, name: str, sentences: Sequence[str]) -> str:
        """Adds a summary under a name safe for Perl and every disk, and returns it."""
        plain = _UNSAFE.sub("_", f"{id_}.{name}")[:80].lstrip(".-").lower() or "_"
        if plain != safe_name(plain):  # a reserved name on Windows
            plain = f"_{plain}"
        path = _free(f"{folder}/{plain}", self.paths)
        self.paths.add(path)
        lines = [re.sub(r"\s*[\r\n]\s*", " ", sentence).strip() for sentence in sentences]
        text = "".join(f"{line}\n" for line in lines if line)
        self.pieces.append((f"{path}.txt", text))
        return f"{path.removeprefix(f'{folder}/')}.txt"

    def taken(self) -> list[tuple[str, str]]:
        """Returns the new chunks since the last call."""
        pieces, self.pieces = self.pieces, []
        return pieces


def _quoted(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\t": "&#9;"})


def _free(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}.{number}"
    return candidate
