"""Settings of ROUGE-1.5.5 (XML) with the summaries and references that they name.

An evaluation becomes a topic, its models abstracts, its peers texts of systems. Files are read as
the program reads them, so that what is scored here is what it would score.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from awase.core.errors import CorpusFormatError, Listing, Problem
from awase.core.formats.folders.rouge_settings_writing import folder_pieces, length_of_folder
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.formats.reading.sources import in_source
from awase.core.formats.reading.topic_parts import TopicParts, numbered_abstract
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import repeated
from awase.core.records.output import TextOutput
from awase.core.rouge_files.settings import (
    TEXT_FORMATS,
    Evaluation,
    evaluations_of_xml,
    sentences_of,
)

__all__ = ["folder_pieces", "read"]

_SETTINGS = "settings.xml"
_BASES = ("", "../", "../../")
"""Where relative names are looked up, from the folder of the settings on."""
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENTITY = re.compile(r"&(?:[a-zA-Z]+|#[0-9]+);")


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with abstracts and texts of systems.

    Raises:
        CorpusFormatError: The settings are broken, have basic elements, or none of their files is
            there; in a folder it is not clear which file has the settings.
    """
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
            for output in _outputs(evaluation, summaries, settings.length):
                parts.add_output(evaluation.id, output)
        warnings += summaries.warnings()
    return parts.result(warnings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """A settings file.

    Attributes:
        source: Its name, for messages.
        text: Its content.
        folder: Where it is, as seen from the folder that is read; with a slash, or empty.
        length: Length class of its summaries.
    """

    source: str
    text: str
    folder: str = ""
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
    return [
        _Settings(
            source=request.files.source_of(name),
            text=request.files.text(name) or "",
            folder=name[: name.rfind("/") + 1],
            length=length_of_folder(name.rpartition("/")[0]),
        )
        for name in found
    ]


def _evaluations(settings: _Settings) -> Sequence[Evaluation]:
    with in_source(settings.source):
        # The text is decoded already; the declaration may name another encoding.
        evaluations = evaluations_of_xml(_DECLARATION.sub("", settings.text).encode())
        for evaluation in evaluations:
            if evaluation.format_name.upper() not in TEXT_FORMATS:
                raise CorpusFormatError.of(
                    "Evaluation “{id}” has files in format {format}, which are no texts.",
                    "Texts are {known}.",
                    id=evaluation.id,
                    format=evaluation.format_name,
                    known=Listing(TEXT_FORMATS),
                )
    return evaluations


def _oddities(evaluation: Evaluation) -> Iterator[Problem]:
    if evaluation.n_elements > 1:
        yield Problem(
            what="Evaluation “{id}” stands {n} times in the settings.",
            hint="As in ROUGE-1.5.5 they are one, whose parts add up.",
            fields={"id": evaluation.id, "n": evaluation.n_elements},
        )
    yield from _repeated(
        evaluation,
        evaluation.repeated_peers,
        what="System “{name}” stands twice in evaluation “{id}”.",
    )
    yield from _repeated(
        evaluation,
        [name for _, name in repeated(evaluation.model_ids)],
        what="Reference “{name}” stands twice in evaluation “{id}”.",
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
            hint="The last file of that name is taken, once.",
            fields={"name": name, "id": evaluation.id},
        )


def _base(request: ReadRequest, folder: str, evaluations: Sequence[Evaluation]) -> str:
    """Returns from where the paths of the settings lead to files.

    The program looks from the folder in which it is started, which settings do not tell: it is the
    first of the settings' folder and two above it in which any file is.
    """
    paths = [path for one in evaluations for path in (*one.models, *(p for _, p in one.peers))]
    for base in _BASES:
        if any(request.files.data(_joined(folder + base, path)) is not None for path in paths):
            return folder + base
    raise CorpusFormatError.of(
        "None of the {n} files that the settings name is there; {file} is one.",
        "Relative names are looked up from the settings' folder and from the two above it.",
        n=len(paths),
        file=paths[0] if paths else "",
    )


def _joined(base: str, path: str) -> str:
    return path if path.startswith("/") else base + path


@dataclass(slots=True)
class _Summaries:
    """Reads summaries and collects what is odd about them."""

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
        """Yields what was odd, each once for all files."""
        if self.base.endswith("../"):
            yield Problem(
                what="The files lie as seen from {folder}, not from the settings' folder.",
                fields={"folder": self.base},
            )
        yield from _about(
            self.missing, what="{n} files are not there, so their texts are missing: {names}."
        )
        yield from _about(
            self.empty,
            what="{n} files have no sentence in the format that the settings name: {names}.",
            hint="Look at their INPUT-FORMAT; SPL is a sentence a line.",
        )
        yield from _about(
            self.with_entities,
            what="{n} files have entities such as &amp;, which stay as they stand: {names}.",
            hint="ROUGE-1.5.5 does not decode them, either.",
        )


def _about(names: Sequence[str], *, what: str, hint: str = "") -> Iterator[Problem]:
    if names:
        yield Problem(what=what, hint=hint, fields={"n": len(names), "names": known_ids(names)})


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
