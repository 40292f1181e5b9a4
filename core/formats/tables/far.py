"""FAR's facets: extract corpora in which every reference sentence has alternative support groups.

{"zero_based": true, "topics": [{"topic": "0", "docid": "…", "sentences": ["…"],
  "abstract": [{"id": 1, "text": "…", "alternatives": [[1], [0, 4]]}],
  "extracts": {"lead3": [0, 1, 2]}}]}

Source: Mao et al. (2020), "Facet-Aware Evaluation for Extractive Summarization".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.findings import Findings, Place
from awase.core.formats.reading.json_fields import load
from awase.core.formats.reading.records import are_places_by_number
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.formats.tables.far_extracts import read_extracts
from awase.core.formats.tables.far_text import BEGINNING, is_unannotated, topics_of
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.edits.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

_ANNOTATOR: Final = "1"


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with a document, an abstract with its alignment, and systems' extracts.

    Members of extracts that lie behind the end of the text are left out, with a warning.

    Raises:
        CorpusFormatError: With every topic that is not of this form.
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
                Place(path=f"topics[{at}]"),
                what="The topic is not of this form ({reason}).",
                hint="It has topic, sentences, abstract and extracts.",
                reason=str(error),
            )
        except CorpusFormatError as error:
            findings.note(Place(path=f"topics[{at}]"), error.problems)
    findings.refuse_if_any()
    if outside:
        findings.remark(
            None,
            what="{n} members of extracts lie behind the end of their text and are left out: "
            "{names}.",
            n=len(outside),
            names=known_ids(outside),
        )
    return ReadResult(addition=Addition(topics=tuple(topics)), warnings=tuple(findings.warnings))


def _topic(entry: Mapping[str, Any], first: int, request: ReadRequest, outside: list[str]) -> Topic:
    id_ = str(entry["topic"])
    # As text, a sentence that cannot be told from its neighbours is None; its number stays free.
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
    if is_unannotated(entries):
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
