"""Folders of plain texts, pyrouge's too: documents, references (abstracts) and outputs.

Roles are by name (`text_file_names`) or set by the user. Texts are split by the rules of their
language, unless each line is a sentence already. A file alone is one document.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from awase.core.errors import CorpusFormatError, in_source
from awase.core.formats.reading.findings import Findings, broken_character, stem
from awase.core.formats.reading.requests import (
    DOCUMENT,
    LEFT_OUT,
    REFERENCE,
    SYSTEM,
    ReadRequest,
    ReadResult,
    TextFile,
)
from awase.core.formats.reading.roles import TakenAs
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    known_ids,
    language_of,
    numbered_abstract,
    numbered_document,
)
from awase.core.formats.tables.text_file_names import files_of, is_text
from awase.core.records.addition import Addition
from awase.core.records.identifiers import GIVEN
from awase.core.records.output import TextOutput
from awase.core.text.script import Separators, has_japanese_letters
from awase.core.text.sentences import LINES, OTHER_STOPS, split_sentences, split_text, splitter_of

_CLOSERS = "」』｣）)”’\"'"
_STOPS = f"。．｡.…{OTHER_STOPS}"
_MARKS = "！？!?"


def read_document(request: ReadRequest) -> ReadResult:
    """Returns the document of a text file, split into sentences.

    A first line before a blank line that does not end like a sentence is the title.
    """
    with in_source(request.source):
        topic_id = needed_topic(request)
        title, body, first_line = titled(request.text.removeprefix("\ufeff"))
        language = language_of(request, topic_id)
        sentences = split_sentences(body, language)
        if not sentences:
            raise CorpusFormatError.of(
                "The file has no text." if title is None else "The file has only a title.",
                "Choose a file that has sentences.",
            )
        document = numbered_document(
            stem(request.source),
            [sentence.text for sentence in sentences],
            splitter_of(body, language),
            paragraphs=[sentence.paragraph for sentence in sentences],
            title=title,
        )
    problems = Findings(request.source)
    line, counted = first_line, 0
    for sentence in sentences:
        line += body.count("\n", counted, sentence.start)
        counted = sentence.start
        problems.warn(line, broken_character(sentence.text, ""))
    return ReadResult(
        addition=Addition(documents=((topic_id, document),)), warnings=tuple(problems.warnings)
    )


def needed_topic(request: ReadRequest) -> str:
    """Returns the topic that the request names."""
    if not request.topic:
        raise CorpusFormatError.of(
            "The file does not say which topic its documents belong to.", "Name the topic."
        )
    return request.topic


def titled(text: str) -> tuple[str | None, str, int]:
    """Returns title, rest of the text and the line where the rest begins."""
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    title = lines[first].strip()
    has_blank_line = first + 1 < len(lines) and not lines[first + 1].strip()
    if has_blank_line and title and not _is_sentence(title):
        return title, "\n".join(lines[first + 1 :]), first + 2
    return None, text, 1


def _is_sentence(line: str) -> bool:
    # Japanese headlines end in marks and quotations (首相「辞めない」, 年金、どうなる？), too.
    bare = line.rstrip(_CLOSERS)
    if has_japanese_letters(line):
        return "。" in bare or bare.endswith(tuple(_STOPS))
    return bare.endswith(tuple(_STOPS + _MARKS)) or bare != line


_BY_ROLE: Final = {DOCUMENT: "src", REFERENCE: "ref", SYSTEM: "system"}
_ENDS: Final = (".", "!", "?", "。", "！", "？", "''", '"', "”", "」", "’", ")")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitText:
    """A text in sentences."""

    title: str | None = None  # its headline; None when it has none
    # In order, with paragraphs if known.
    sentences: tuple[tuple[str, int | None], ...] = ()
    split: str = GIVEN  # how the text became them (`split=` in signatures)

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences alone."""
        return tuple(text for text, _ in self.sentences)


def read(request: ReadRequest) -> ReadResult:
    """Returns topics of the files; roles set by the user (`request.texts`) are not reported."""
    files = request.texts or _guessed(request)
    wanted = _labelled([file for file in files if file.role != LEFT_OUT])
    findings = Findings(request.source)
    parts = TopicParts(request)
    texts: dict[str, SplitText] = {}
    for file in wanted:
        text = texts[file.name] = split_file(
            request.files.text(file.name) or "",
            language_of(request, file.topic),
            file.role,
            way=request.sentences,
            separators=request.separators,
        )
        if not text.sentences:
            findings.add(None, what="“{name}” has no text.", hint="Leave it out.", name=file.name)
        parts.add_topic(file.topic)
        _ADDERS[file.role](parts, file, text)
    findings.refuse_if_any()
    taken_as: tuple[TakenAs, ...] = ()
    if not request.texts:
        others = [name for name in request.files.names() if not is_text(name)]
        taken_as = (_taken_as(request.source, files, others),)
        _tell_guesses(findings, files)
        for doubt in doubts(wanted, {name: text.texts for name, text in texts.items()}):
            findings.remark(
                None,
                what="“{document}” was taken for a document and has {n} of the {of} sentences of "
                "“{abstract}”, which is an abstract.",
                hint="If it is an abstract, too, say so in its name.",
                document=doubt.document,
                abstract=doubt.abstract,
                n=doubt.n_shared,
                of=doubt.n_sentences,
            )
    return replace(parts.result(findings.warnings), taken_as=taken_as)


def split_file(
    text: str,
    language: str | None,
    role: str = DOCUMENT,
    *,
    way: str | None = None,
    separators: Separators | None = None,
) -> SplitText:
    """Returns the sentences of a text.

    Lines of a document are sentences where each of several ends as one does; else they may be
    wrapped. Those of an abstract or an output are sentences, and none is a title.

    Args:
        language: `ja` or `en`; None = detect.
        way: How abstracts and outputs are split; None = default.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if role != DOCUMENT:
        split = split_text(text, way, language, separators=separators)
        return SplitText(sentences=tuple((one, None) for one in split.sentences), split=split.way)
    separators = separators or Separators()
    given = separators.parts(text)
    if given is not None:
        return SplitText(sentences=tuple((one, None) for one in given))
    if len(lines) > 1 and all(line.endswith(_ENDS) for line in lines):
        separators.note_lines()
        return SplitText(sentences=tuple((line, None) for line in lines), split=LINES)
    title, body, _ = (None, text, 1) if len(lines) == 1 else titled(text)
    sentences = split_sentences(body, language)
    separators.joins_lines |= any("\n" in body[one.start : one.end] for one in sentences)
    found = tuple((one.text, one.paragraph) for one in sentences)
    return SplitText(title=title, sentences=found, split=splitter_of(body, language))


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A document that repeats an abstract of its topic."""

    document: str
    abstract: str
    n_shared: int
    n_sentences: int


def doubts(files: Sequence[TextFile], sentences: Mapping[str, Sequence[str]]) -> tuple[Doubt, ...]:
    """Returns each document with a sentence of an abstract, and the abstract with most in common.

    Args:
        sentences: By the file's name.
    """
    abstracts: dict[str, list[TextFile]] = {}
    for file in files:
        if file.role == REFERENCE:
            abstracts.setdefault(file.topic, []).append(file)
    found: list[Doubt] = []
    for file in files:
        if file.role == DOCUMENT and file.topic in abstracts:
            own = {"".join(text.split()) for text in sentences.get(file.name, ())}
            found += _closest(file, abstracts[file.topic], own, sentences)
    return tuple(found)


def _closest(
    file: TextFile,
    abstracts: Sequence[TextFile],
    own: set[str],
    sentences: Mapping[str, Sequence[str]],
) -> Iterator[Doubt]:
    each = [
        Doubt(
            document=file.name,
            abstract=abstract.name,
            n_shared=sum("".join(text.split()) in own for text in sentences.get(abstract.name, ())),
            n_sentences=len(sentences.get(abstract.name, ())),
        )
        for abstract in abstracts
    ]
    closest = max(each, key=lambda doubt: doubt.n_shared)
    if closest.n_shared:
        yield closest


def _guessed(request: ReadRequest) -> tuple[TextFile, ...]:
    files = files_of(request.files.names(), stem(request.source) or "1")
    if not any(file.is_told for file in files):
        raise CorpusFormatError.of(
            "No file's name tells whether it is a document, a reference or a system's output.",
            "Put them into the folders documents, references and systems/NAME.",
        )
    return files


def _labelled(files: Sequence[TextFile]) -> list[TextFile]:
    """Labels unlabelled files by role, numbered if several."""
    groups: dict[tuple[str, str], list[str]] = {}
    for file in files:
        groups.setdefault((file.topic, file.role), []).append(file.name)
    labelled: list[TextFile] = []
    for file in files:
        names, word = groups[file.topic, file.role], _BY_ROLE[file.role]
        own = word if len(names) == 1 else f"{word}{names.index(file.name) + 1}"
        labelled.append(replace(file, label=file.label or own))
    return labelled


def _add_document(parts: TopicParts, file: TextFile, text: SplitText) -> None:
    paragraphs = [paragraph for _, paragraph in text.sentences]
    document = numbered_document(
        file.label,
        text.texts,
        text.split,
        paragraphs=paragraphs,
        title=text.title,
        date=file.date or None,
    )
    parts.add_document(file.topic, document)


def _add_abstract(parts: TopicParts, file: TextFile, text: SplitText) -> None:
    length, author = file.length or None, file.author or None
    abstract = numbered_abstract(file.label, text.texts, text.split, length=length, author=author)
    parts.add_abstract(file.topic, abstract)


def _add_output(parts: TopicParts, file: TextFile, text: SplitText) -> None:
    output = TextOutput(
        system=file.label, length=file.length or None, sentences=text.texts, split=text.split
    )
    parts.add_outputs(file.topic, output)


_ADDERS: Final[Mapping[str, Callable[[TopicParts, TextFile, SplitText], None]]] = {
    DOCUMENT: _add_document,
    REFERENCE: _add_abstract,
    SYSTEM: _add_output,
}


def _taken_as(source: str, files: Sequence[TextFile], others: Sequence[str]) -> TakenAs:
    names = {role: tuple(file.name for file in files if file.role == role) for role in _BY_ROLE}
    left = (*(file.name for file in files if file.role == LEFT_OUT), *others)
    roles = {role: found for role, found in names.items() if found}
    return TakenAs(source=source, roles=roles, left_out=left)


def _tell_guesses(findings: Findings, files: Sequence[TextFile]) -> None:
    guessed = [file.name for file in files if file.role == DOCUMENT and not file.is_told]
    if guessed:
        findings.remark(
            None,
            what="{n} {n:file whose name tells no role was taken for a document|files whose names "
            "tell no role were taken for documents}: {names}.",
            n=len(guessed),
            names=known_ids(guessed),
        )
