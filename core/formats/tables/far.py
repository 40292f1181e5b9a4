"""FAR's facets: reference sentences with alternative support groups.

    {"zero_based": true, "topics": [{"topic": "0", "docid": "…", "sentences": ["…"],
      "abstract": [{"id": 1, "text": "…", "alternatives": [[1], [0, 4]]}],
      "extracts": {"lead3": [0, 1, 2]}}]}

Source: Mao et al. (2020), "Facet-Aware Evaluation for Extractive Summarization".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from awase.core.errors import CorpusFormatError, FilePosition, Findings, Listing
from awase.core.formats.reading.records import are_places_by_number, load
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids, naming
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Extract, Output, Topic

_SYSTEM: Final = re.compile(r"(?:.*[/\\])?(?:idx2labels_)?(?P<system>[^/\\]+?)(?:\.[A-Za-z0-9]+)*")


def read_extracts(data: Mapping[str, Sequence[int]], request: ReadRequest) -> ReadResult:
    """Returns an extract for every sample that the corpus has."""
    match = _SYSTEM.fullmatch(request.source)
    system = match["system"] if match else request.source
    findings = Findings(request.source)
    topics = {topic.id: topic for topic in request.corpus.topics if topic.id in data}
    if not topics:
        raise CorpusFormatError.of(
            "The corpus has none of the samples of these extracts.",
            "Import FAR's texts first, or with them: output/low_abstraction.txt.",
            source=request.source,
        )
    outputs: list[tuple[str, Output]] = []
    outside: list[str] = []
    for id_, topic in topics.items():
        document = topic.documents[0]
        numbers = {sentence.n for sentence in document.sentences}
        outside += [f"{id_} {place}" for place in data[id_] if place + 1 not in numbers]
        members = [SentenceRef(document.id, at + 1) for at in data[id_] if at + 1 in numbers]
        outputs.append((id_, Extract(system=system, sentences=tuple(members))))
    absent = [id_ for id_ in data if id_ not in topics]
    findings.warn(
        None,
        naming(
            absent,
            what="{n} {n:sample is not in the corpus, and its extract is|samples are not in the "
            "corpus, and their extracts are} left out: {names}.",
        ),
    )
    findings.warn(
        None,
        naming(
            outside,
            what="{n} {n:member of an extract is not a sentence of its article and is|members of "
            "extracts are not sentences of their article and are} left out: {names}.",
        ),
    )
    return ReadResult(addition=Addition(outputs=tuple(outputs)), warnings=tuple(findings.warnings))


BEGINNING: Final = re.compile(r"\s*idx: \d+\s*\nID: \S+")  # how such a file begins

_FACET = re.compile(r"Facet-(\d+):\s*(.*)")
_SUPPORT = re.compile(r"\[Support Group-(\d+)\]\[Sent-\d+\]\[Sent_idx:\s*(\d+)\]:\s*(.*)")
_END = re.compile(r"(?<=\s)[.?!](?: (?:''|'|-rrb-))*(?=\s|$)")
_NOTE: Final = "Note:"
_LARGEST: Final = 100_000


@dataclass(slots=True, kw_only=True)
class _Sample:
    """One `idx`, as it is read line by line."""

    line: int
    topic: str
    docid: str = ""
    article: list[str] = field(default_factory=list)
    facets: dict[int, str] = field(default_factory=dict)
    groups: dict[int, dict[int, list[int]]] = field(default_factory=dict)
    sentences: dict[int, str] = field(default_factory=dict)


def topics_of(text: str, findings: Findings) -> list[dict[str, Any]]:
    """Returns the samples as FAR's JSON; a sentence without text is None.

    `findings` receives errors by line, and ambiguous sentences.
    """
    topics = []
    for sample in _samples(text, findings):
        sentences = _sentences(sample, findings)
        lost = [str(n) for n, one in enumerate(sentences) if one is None]
        if lost:
            findings.remark(
                sample.line,
                what="Sentences {names} of sample {topic} cannot be distinguished from their "
                "neighbours.",
                names=Listing(lost),
                topic=sample.topic,
            )
        has_groups = any(sample.groups.values())
        topics.append(
            {
                "topic": sample.topic,
                "docid": sample.docid,
                "sentences": sentences,
                "abstract": [
                    {
                        "id": n + 1,
                        "text": facet,
                        "alternatives": [*sample.groups.get(n, {}).values()]
                        if has_groups
                        else None,
                    }
                    for n, facet in sorted(sample.facets.items())
                ],
            }
        )
    return topics


def _samples(text: str, findings: Findings) -> Iterator[_Sample]:
    sample: _Sample | None = None
    facet, is_article = -1, False
    notes: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("idx: "):
            if sample is not None:
                yield sample
            sample, facet, is_article = _Sample(line=number, topic=line[5:].strip()), -1, False
        elif not line or sample is None:
            continue
        elif line.startswith("ID: ") and not is_article:
            sample.docid = line[4:].strip()
        elif line in ("Document", "Reference"):
            is_article = line == "Document"
        elif is_article:
            sample.article.append(line)
        elif match := _FACET.fullmatch(line):
            facet = int(match[1])
            sample.facets[facet] = match[2]
        elif line.startswith(_NOTE):
            notes.append(f"{sample.topic} ({line.removeprefix(_NOTE).strip()})")
        elif (match := _SUPPORT.fullmatch(line)) and facet in sample.facets:
            _take_support(sample, facet, match, number, findings)
        else:
            findings.add(
                number,
                what="The line is neither a facet nor a sentence that supports one.",
                hint="It begins with Facet-0: or [Support Group-0][Sent-0][Sent_idx:0]:",
            )
    if sample is not None:
        yield sample
    if notes:
        findings.remark(
            None,
            what="Notes of the annotators are left out, of samples {names}.",
            names=known_ids(notes),
        )


def _take_support(
    sample: _Sample, facet: int, match: re.Match[str], number: int, findings: Findings
) -> None:
    idx = int(match[2])
    if idx > _LARGEST or sample.sentences.setdefault(idx, match[3]) != match[3]:
        findings.add(
            number,
            what="Sentence {n} is invalid: it is too far down, or has another text above.",
            n=idx,
        )
        return
    sample.groups.setdefault(facet, {}).setdefault(int(match[1]), []).append(idx)


def _sentences(sample: _Sample, findings: Findings) -> list[str | None]:
    article = " ".join(sample.article)
    found: list[str | None] = []
    at = 0
    for idx, text in sorted(sample.sentences.items()):
        start = article.find(text, at)
        if start < 0:
            findings.add(
                sample.line,
                what="Sentence {n} of sample {topic} is not in its article, or not in its place.",
                n=idx,
                topic=sample.topic,
            )
            return []
        found += _parted(article[at:start].strip(), idx - len(found))
        found.append(text)
        at = start + len(text)
    return [*found, *_pieces(article[at:].strip())]


def _pieces(text: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(text)]
    starts = [0, *ends]
    pieces = [text[a:b].strip() for a, b in zip(starts, [*ends, len(text)], strict=True)]
    return [piece for piece in pieces if piece]


def _parted(text: str, n_wanted: int) -> Sequence[str | None]:
    """Splits the text into `n_wanted` sentences; None for unknown ones."""
    pieces = _pieces(text)
    while len(pieces) > max(n_wanted, 1):
        shortest = min(range(len(pieces)), key=lambda at: len(pieces[at]))
        at = max(shortest - 1, 0)
        pieces[at : at + 2] = [f"{pieces[at]} {pieces[at + 1]}"]
    if not n_wanted:
        return ()
    return [*pieces, *[None] * (n_wanted - len(pieces))]


_ANNOTATOR: Final = "1"


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with a document, an aligned abstract, and systems' extracts.

    Members of extracts beyond the text are skipped with a warning.
    """
    findings = Findings(request.source)
    data: Any
    if BEGINNING.match(request.text):
        data = {"topics": topics_of(request.text, findings)}
        findings.refuse_if_any()
    else:
        data, _ = load(request.text)
        if are_places_by_number(data):
            return read_extracts(data, request)
    entries = data.get("topics") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise CorpusFormatError.of(
            "The file has no list of topics.", "Name a file of FAR's facets.", source=request.source
        )
    first = 1 if data.get("zero_based", True) else 0
    outside: list[str] = []
    topics = []
    for at, entry in enumerate(entries):
        try:
            topics.append(_topic(entry, first, request, outside))
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            findings.add(
                FilePosition(path=f"topics[{at}]"),
                what="The topic is not of this form ({reason}).",
                hint="It has topic, sentences, abstract and extracts.",
                reason=str(error),
            )
        except CorpusFormatError as error:
            findings.note(FilePosition(path=f"topics[{at}]"), error.problems)
    findings.refuse_if_any()
    findings.warn(
        None,
        naming(
            outside,
            what="{n} {n:member of an extract lies past the end of its text and is|members of "
            "extracts lie past the end of their text and are} left out: {names}.",
        ),
    )
    return ReadResult(addition=Addition(topics=tuple(topics)), warnings=tuple(findings.warnings))


def _topic(entry: Mapping[str, Any], first: int, request: ReadRequest, outside: list[str]) -> Topic:
    id_ = str(entry["topic"])
    # An indistinguishable sentence is None; its number stays free.
    sentences = [None if text is None else str(text) for text in entry["sentences"]]
    document = str(entry.get("docid") or f"d{id_}")
    return Topic(
        id=id_,
        language=request.language or "en",
        documents=(
            Document(
                id=document,
                sentences=tuple(
                    SourceSentence(n=n, text=text)
                    for n, text in enumerate(sentences, start=1)
                    if text is not None
                ),
            ),
        ),
        abstracts=(_abstract(id_, entry["abstract"], document, first),),
        outputs=tuple(
            _extracts(id_, entry.get("extracts") or {}, document, len(sentences), first, outside)
        ),
    )


def _abstract(
    topic: str, entries: Sequence[Mapping[str, Any]], document: str, first: int
) -> Abstract:
    sentences = tuple(
        AbstractSentence(n=int(entry["id"]), text=str(entry["text"])) for entry in entries
    )
    if all(entry["alternatives"] is None for entry in entries):  # nobody annotated it
        return Abstract(id=f"{topic}-abstract", sentences=sentences)
    aligned = tuple(
        SentenceAlignment(
            n=int(entry["id"]),
            state=AlignmentState.CONFIRMED if entry["alternatives"] else AlignmentState.NO_SOURCE,
            alternatives=tuple(
                Alternative(tuple(SentenceRef(document, idx + first) for idx in members))
                for members in entry["alternatives"]
            ),
        )
        for entry in entries
    )
    return Abstract(
        id=f"{topic}-abstract",
        sentences=sentences,
        alignments=(Alignment(annotator=_ANNOTATOR, sentences=aligned),),
    )


def _extracts(
    topic: str,
    extracts: Mapping[str, Sequence[int]],
    document: str,
    n_sentences: int,
    first: int,
    outside: list[str],
) -> Iterator[Extract]:
    for system, indices in extracts.items():
        outside += [f"{topic} {system} {idx}" for idx in indices if idx + first > n_sentences]
        yield Extract(
            system=system,
            sentences=tuple(
                SentenceRef(document, idx + first) for idx in indices if idx + first <= n_sentences
            ),
        )
