"""Parts of a topic as the JSON text of the operation log.

It is not Awase JSON: that one leaves out what a reader can guess, and a log must not guess.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import Alignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.parts import Run, TopicParts
from awase.core.records.source import Document, SourceSentence
from awase.storage.rows.json_values import dumps, entry_of_value, entry_value

_Part = TypeVar("_Part")
_Json = dict[str, Any]  # Any: JSON that this module has written


def parts_text(parts: TopicParts) -> str:
    """Returns parts of a topic for the operation log."""
    return dumps(
        {
            "title": parts.title,
            "language": parts.language,
            "documents": _run_value(parts.documents, _document_value),
            "abstracts": _run_value(parts.abstracts, _abstract_value),
            "outputs": _run_value(parts.outputs, _output_value),
        }
    )


def parts_of(text: str) -> TopicParts:
    """Returns the parts that `parts_text` wrote."""
    value = json.loads(text)
    return TopicParts(
        title=value["title"],
        language=value["language"],
        documents=_run(value["documents"], _document),
        abstracts=_run(value["abstracts"], _abstract),
        outputs=_run(value["outputs"], _output),
    )


def _run_value(run: Run[_Part], part_value: Callable[[_Part], _Json]) -> _Json:
    return {"at": run.at, "parts": [part_value(part) for part in run.parts]}


def _run(value: _Json, part: Callable[[_Json], _Part]) -> Run[_Part]:
    return Run(at=value["at"], parts=tuple(part(item) for item in value["parts"]))


def _document_value(document: Document) -> _Json:
    return {
        "id": document.id,
        "source": document.source,
        "date": document.date,
        "title": document.title,
        "sentences": [
            [sentence.n, sentence.text, sentence.paragraph] for sentence in document.sentences
        ],
    }


def _document(value: _Json) -> Document:
    return Document(
        id=value["id"],
        source=value["source"],
        date=value["date"],
        title=value["title"],
        sentences=tuple(
            SourceSentence(n=n, text=text, paragraph=paragraph)
            for n, text, paragraph in value["sentences"]
        ),
    )


def _abstract_value(abstract: Abstract) -> _Json:
    limit = abstract.limit
    return {
        "id": abstract.id,
        "length": abstract.length,
        "author": abstract.author,
        "limit": None if limit is None else [limit.unit, limit.size],
        "sentences": [
            [sentence.n, sentence.text, sentence.rank] for sentence in abstract.sentences
        ],
        "alignments": [
            {
                "annotator": alignment.annotator,
                "sentences": [entry_value(entry) for entry in alignment.sentences],
            }
            for alignment in abstract.alignments
        ],
    }


def _abstract(value: _Json) -> Abstract:
    limit = value["limit"]
    return Abstract(
        id=value["id"],
        length=value["length"],
        author=value["author"],
        limit=None if limit is None else Limit(unit=limit[0], size=limit[1]),
        sentences=tuple(
            AbstractSentence(n=n, text=text, rank=rank) for n, text, rank in value["sentences"]
        ),
        alignments=tuple(
            Alignment(
                annotator=alignment["annotator"],
                sentences=tuple(entry_of_value(entry) for entry in alignment["sentences"]),
            )
            for alignment in value["alignments"]
        ),
    )


def _output_value(output: Output) -> _Json:
    return {
        "system": output.system,
        "length": output.length,
        "is_extract": isinstance(output, Extract),
        "sentences": [str(sentence) for sentence in output.sentences],
        "references": output.references,
    }


def _output(value: _Json) -> Output:
    system, length = value["system"], value["length"]
    references = _references(value["references"])
    if value["is_extract"]:
        refs = tuple(SentenceRef.parse(name) for name in value["sentences"])
        return Extract(system=system, length=length, sentences=refs, references=references)
    texts = tuple(value["sentences"])
    return TextOutput(system=system, length=length, sentences=texts, references=references)


def _references(value: Iterable[Iterable[str]] | None) -> References | None:
    return None if value is None else tuple(tuple(reference) for reference in value)
