r"""System extracts, a line each: `system TAB topic TAB length TAB id id id`, in order of rank."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awase.core.errors import CorpusFormatError, InputError
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.import_warnings import output_warnings
from awase.core.formats.reading.records import data_lines
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.reading.sentence_names import SentenceNames, blank_problem, known_ids
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import chosen_of, ids_of

_NO_LENGTH = "-"


def read(request: ReadRequest) -> ReadResult:
    """Returns the extracts of a file, about any topics of the corpus.

    Raises:
        CorpusFormatError: With every problem of the file.
    """
    problems = Findings(request.source)
    lines = _Lines(request.corpus, problems)
    for line, columns in data_lines(request.text):
        lines.take(line, columns)
    if not lines.outputs and not problems.found:
        problems.add(
            None, what="The file has no extract.", hint="Choose a file with a line an extract."
        )
    problems.refuse_if_any()
    return ReadResult(
        addition=Addition(outputs=tuple(lines.outputs)), warnings=tuple(problems.warnings)
    )


@dataclass(slots=True)
class _Lines:
    """What has been read so far."""

    corpus: Corpus
    problems: Findings
    outputs: list[tuple[str, Output]] = field(default_factory=list)
    _line_of: dict[tuple[str, str, str | None], int] = field(default_factory=dict)
    _names: dict[str, SentenceNames] = field(default_factory=dict)

    def take(self, line: int, columns: list[str]) -> None:
        """Takes one line."""
        if len(columns) not in (3, 4):
            self.problems.add(
                line,
                what="The line has {n_columns} columns instead of 4.",
                hint="Write: system, topic, length, sentence ids, separated by tabs.",
                n_columns=len(columns),
            )
            return
        system, topic_id, length_text = columns[:3]
        length = None if length_text in ("", _NO_LENGTH) else length_text
        topic = self.corpus.topic(topic_id)
        if topic is None:
            self.problems.add(
                line,
                what="The corpus has no topic “{topic}”.",
                hint="It has: {known}.",
                topic=topic_id,
                known=known_ids([topic.id for topic in self.corpus.topics]),
            )
            return
        refs = self._refs(line, topic, columns[3] if len(columns) > 3 else "")
        self._check_single(line, topic, system, length)
        try:
            extract = Extract(system=system, sentences=refs, length=length)
        except CorpusFormatError as error:
            self.problems.note(line, error.problems)
            return
        self.outputs.append((topic.id, extract))
        self.problems.warn(line, output_warnings(extract, topic))

    def _check_single(self, line: int, topic: Topic, system: str, length: str | None) -> None:
        key = (system, topic.id, length)
        if key in self._line_of:
            self.problems.add(
                line,
                what="System “{system}” has a second extract of topic “{topic}”, length “{length}”"
                "; the first is in line {first}.",
                hint="Keep one of the two lines.",
                system=system,
                topic=topic.id,
                length=length or _NO_LENGTH,
                first=self._line_of[key],
            )
        self._line_of.setdefault(key, line)
        if any(
            isinstance(output, Extract) and (output.system, output.length) == (system, length)
            for output in topic.outputs
        ):
            self.problems.add(
                line,
                what="The corpus already has an extract by “{system}” of topic “{topic}”, "
                "length “{length}”.",
                hint="Rename the system, or remove the extract from the corpus.",
                system=system,
                topic=topic.id,
                length=length or _NO_LENGTH,
            )

    def _refs(self, line: int, topic: Topic, text: str) -> tuple[SentenceRef, ...]:
        if not text:
            what = "The extract has no sentence."
            hint = "It will score 0; if it is missing, leave the line out."
            self.problems.warn(line, InputError.of(what, hint).problems)
            return ()
        blank = blank_problem(text, "sentence ids")
        if blank is not None:
            self.problems.note(line, [blank])
        names = self._names.setdefault(topic.id, SentenceNames(topic))
        refs = []
        for name in text.split():
            ref = names.find(name)
            if ref is not None:
                refs.append(ref)
            elif "," in name and all(names.find(part) for part in name.split(",")):
                what = "“{name}” joins sentence ids by commas."
                hint = "Separate the ids of an extract by one half-width space."
                self.problems.add(line, what=what, hint=hint, name=name)
            else:
                self.problems.note(line, [names.unknown(name)])
        return tuple(refs)


def pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the extracts of the corpus or of the topic asked for; texts have no place here.

    No more topics are held than are read together.

    Raises:
        InputError: There is no extract or no such topic, or an id cannot be written.
    """
    topics = request.corpus.topics
    if request.topic is not None:
        topics = chosen_of(topics, (request.topic,))
        if not topics:
            raise InputError.of(
                "The corpus has no topic “{topic}”.",
                "It has: {known}.",
                topic=request.topic,
                known=known_ids(ids_of(request.corpus.topics)),
            )
    is_empty = True
    for topic in topics:
        names = SentenceNames(topic)
        for output in topic.outputs:
            if isinstance(output, Extract):
                is_empty = False
                yield f"{_line(topic, output, names)}\n"
    if is_empty:
        raise InputError.of(
            "There is no extract to export.", "Texts by systems are exported as Awase JSON."
        )


def _line(topic: Topic, extract: Extract, names: SentenceNames) -> str:
    if extract.system.startswith("#"):
        raise InputError.of(
            "The line of system “{system}” would be a comment.",
            "Rename the system.",
            system=extract.system,
        )
    if extract.length == _NO_LENGTH:
        raise InputError.of("The length “-” means “no length” in this format.", "Rename it.")
    ids = " ".join(names.name(ref, " \t　") for ref in extract.sentences)
    return f"{extract.system}\t{topic.id}\t{extract.length or _NO_LENGTH}\t{ids}"
