"""doccano's JSONL of labelled spans: an object a line, a text with its spans.

{"text": "…", "label": [[0, 6, "A1.1"]], "topic": "t", "abstract": "a", "annotator": "1", …}
"""

import json
from collections.abc import Iterator, Mapping

from awase.core.formats.reading.records import json_records, json_value
from awase.core.formats.reading.requests import FilePosition, ReadRequest, ReadResult, WriteRequest
from awase.core.formats.spans.reading import CODE_POINTS, PlacedSpan, SpanFile, subject
from awase.core.formats.spans.tasks import SpanTask, tasks_of

_SPAN_KEYS = ("label", "labels", "entities")
_META_KEYS = ("meta", "metadata")


def pieces(request: WriteRequest) -> Iterator[str]:
    """Yields a line for each topic, abstract and annotator requested, streaming."""
    for task in tasks_of(request):
        yield f"{json.dumps(_record(task), ensure_ascii=False)}\n"


def _record(task: SpanTask) -> Mapping[str, object]:
    return {
        "text": task.layout.text,
        "label": [[span.start, span.end, span.label] for span in task.spans],
        "offsets": CODE_POINTS,
        **task.facts(),
    }


def read(request: ReadRequest) -> ReadResult:
    """Returns the alignments of a file, in any of doccano's spellings of spans."""
    file = SpanFile(request)
    for number, record in json_records(request.text):
        _take_record(file, record, FilePosition(line=number))
    return file.result()


def _take_record(file: SpanFile, record: object, place: FilePosition) -> None:
    if not isinstance(record, dict):
        file.notes.add(
            place,
            what="The line is no JSON object.",
            hint="Write one object a line, without line breaks: doccano's JSONL.",
        )
        return
    facts = _facts(record)
    about = subject(record.get("text"), facts, place, file.request, file.notes)
    if about is None:
        return
    spans = [*_spans(file, record, place)]
    _warn_of_others(file, record, place)
    annotator = file.request.annotator or about.annotator
    if annotator is not None:
        file.take(about, annotator, spans, place)
    elif spans:
        file.ask_for_annotator(place)
    else:
        file.tell_unaligned(about, place)


def _facts(record: Mapping[str, object]) -> dict[str, object]:
    """Returns the facts beside the text, in older versions under `meta`."""
    facts: dict[str, object] = {}
    for key in _META_KEYS:
        meta = record.get(key)
        if isinstance(meta, str):
            meta = json_value(meta)
        if isinstance(meta, dict):
            facts |= meta
    return facts | {key: value for key, value in record.items() if value is not None}


def _spans(
    file: SpanFile, record: Mapping[str, object], place: FilePosition
) -> Iterator[PlacedSpan]:
    for key in _SPAN_KEYS:
        value = record.get(key)
        if value is None:
            continue
        if not isinstance(value, list):
            file.notes.add(
                place.at(key),
                what="“{key}” must be a list of spans.",
                hint="Export a project for sequence labelling, as JSONL.",
                key=key,
            )
            continue
        for index, item in enumerate(value):
            span = file.span(*_triple(item), place.at(key).at(index))
            if span is not None:
                yield span


def _triple(item: object) -> tuple[object, object, object]:
    match item:
        case [start, end, label]:
            return start, end, label
        case {"start_offset": start, "end_offset": end, "label": label}:
            return start, end, label
        case _:
            return None, None, None


def _warn_of_others(file: SpanFile, record: Mapping[str, object], place: FilePosition) -> None:
    for key in ("relations", "Comments", "cats"):
        value = record.get(key)
        if value:
            file.notes.remark(
                place,
                what="What stands under “{key}” has no place in an alignment; it is left out.",
                key=key,
            )
