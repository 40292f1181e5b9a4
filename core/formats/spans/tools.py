"""Span labels of tools: Label Studio's JSON, and doccano's JSONL.

A list of tasks with their annotations:
[{"data": {"text": "…", "topic": "t", "abstract": "a", …},
  "annotations": [{"result": [{"type": "labels", "from_name": "label", "to_name": "text",
                               "value": {"start": 0, "end": 6, "labels": ["A1.1"]}}]}],
  "predictions": []}]

Or an object a line, a text with its spans:
{"text": "…", "label": [[0, 6, "A1.1"]], "topic": "t", "abstract": "a", "annotator": "1", …}
"""

import json
from collections.abc import Iterator, Mapping

from awase.core.errors import CorpusFormatError, FilePosition, in_source
from awase.core.formats.reading.records import json_records, json_value, load
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.spans.reading import CODE_POINTS, PlacedSpan, SpanFile, Subject, subject
from awase.core.formats.spans.tasks import SpanTask, label_of, tasks_of

_Json = Mapping[str, object]
_TO_NAME = "text"
_FROM_NAME = "label"
_MODEL = "Awase"
_SPARE = 2  # how many more alternatives than there are the tool offers labels for


def task_pieces(request: WriteRequest) -> Iterator[str]:
    """Yields a task for each topic, abstract and annotator requested, streaming."""
    separator = "[\n"
    for task in tasks_of(request):
        yield f"{separator}{json.dumps(_task(task), ensure_ascii=False)}"
        separator = ",\n"
    yield "\n]\n"


def _task(task: SpanTask) -> _Json:
    annotations, predictions = [], []
    if task.alignment is not None:
        result = _result(task)
        if any(entry.state.is_settled for entry in task.alignment.sentences):
            annotations.append(_annotation(task.alignment.annotator, result))
        else:
            predictions.append({"model_version": _MODEL, "result": result})
    return {
        "data": {
            "text": task.layout.text,
            "abstract_text": "\n".join(
                f"{sentence.n}  {sentence.text}" for sentence in task.abstract.sentences
            ),
            "labels": [{"value": label} for label in _offered(task)],
            **task.facts(),
        },
        "annotations": annotations,
        "predictions": predictions,
    }


def _annotation(annotator: str, result: list[_Json]) -> _Json:
    """Returns an annotation; Label Studio refuses a `completed_by` that is no user's address."""
    by = {"completed_by": {"email": annotator}} if "@" in annotator else {}
    return {**by, "result": result}


def _result(task: SpanTask) -> list[_Json]:
    return [
        {
            "id": f"r{number}",
            "from_name": _FROM_NAME,
            "to_name": _TO_NAME,
            "type": "labels",
            "value": {
                "start": span.start,
                "end": span.end,
                "text": task.layout.text[span.start : span.end],
                "labels": [span.label],
            },
        }
        for number, span in enumerate(task.spans, start=1)
    ]


def _offered(task: SpanTask) -> Iterator[str]:
    for sentence in task.abstract.sentences:
        n_known = 0
        if task.alignment is not None:
            n_known = len(task.alignment.of_sentence(sentence.n).alternatives)
        for k in range(1, n_known + _SPARE + 1):
            yield label_of(sentence.n, k)


def read_tasks(request: ReadRequest) -> ReadResult:
    """Returns the alignments of a “JSON” export; predictions count only without annotations."""
    file = SpanFile(request)
    with in_source(request.source):
        value, oddities = load(request.text)
        if oddities:
            raise CorpusFormatError(oddities)
        if not isinstance(value, list):
            raise CorpusFormatError.of(
                "The file is not a list of tasks.", "In Label Studio, export as “JSON”."
            )
    for index, task in enumerate(value):
        _take_task(file, task, FilePosition().at(index))
    return file.result()


def _take_task(file: SpanFile, task: object, place: FilePosition) -> None:
    data = task.get("data") if isinstance(task, dict) else None
    if not isinstance(task, dict) or not isinstance(data, dict):
        file.notes.add(
            place,
            what="The task has no “data”.",
            hint="In Label Studio, export as “JSON”, not “JSON-MIN”.",
        )
        return
    about = subject(data.get("text"), data, place.at("data"), file.request, file.notes)
    if about is None:
        return
    submitted: list[tuple[_Json, FilePosition]] = []
    for annotation, at in _parts(file, task, "annotations", place):
        if annotation.get("was_cancelled"):
            file.notes.remark(at, what="The annotation was skipped in the tool; it is left out.")
        else:
            submitted.append((annotation, at))
    for annotation, at in submitted:
        annotator = _annotator(file, about, annotation, is_only=len(submitted) == 1)
        if annotator is None:
            file.ask_for_annotator(at, is_only=len(submitted) == 1)
            continue
        spans = [*_spans(file, annotation, at)]
        file.take(about, annotator, spans, at, is_submitted=not about.was_settled)
    if not submitted:
        _take_prediction(file, about, _parts(file, task, "predictions", place), place)


def _parts(
    file: SpanFile, task: _Json, key: str, place: FilePosition
) -> list[tuple[_Json, FilePosition]]:
    value = task.get(key)
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        return [(part, place.at(key).at(index)) for index, part in enumerate(value)]
    file.notes.add(
        place.at(key),
        what="“{key}” must be a list of objects.",
        hint="In Label Studio, export as “JSON”.",
        key=key,
    )
    return []


def _annotator(file: SpanFile, about: Subject, annotation: _Json, *, is_only: bool) -> str | None:
    """Returns an annotation's author.

    The task's name is that at export; it cannot distinguish several annotators.
    """
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    user = str(by) if isinstance(by, str | int) and by != "" else None
    if is_only:
        return file.request.annotator or about.annotator or user
    return user


def _take_prediction(
    file: SpanFile,
    about: Subject,
    predictions: list[tuple[_Json, FilePosition]],
    place: FilePosition,
) -> None:
    if not predictions:
        file.report_unaligned(about, place)
        return
    prediction, at = predictions[0]
    if len(predictions) > 1:
        file.notes.remark(place, what="The task has several predictions; the first is taken.")
    annotator = file.request.annotator or about.annotator
    if annotator is None:
        file.ask_for_annotator(at)
        return
    file.take(about, annotator, [*_spans(file, prediction, at)], at, is_draft=True)


def _spans(file: SpanFile, annotation: _Json, place: FilePosition) -> Iterator[PlacedSpan]:
    n_others = 0
    for item, at in _parts(file, annotation, "result", place):
        value = item.get("value")
        labels = value.get("labels") if isinstance(value, dict) else None
        if item.get("type") != "labels" or not isinstance(value, dict):
            n_others += 1
            continue
        for label in labels if isinstance(labels, list) and labels else [None]:
            span = file.span(value.get("start"), value.get("end"), label, at, value.get("text"))
            if span is not None:
                yield span
    if n_others:
        file.notes.remark(
            place,
            what="Results other than labelled spans are left out ({n_others}): relations, choices, "
            "texts.",
            n_others=n_others,
        )


_SPAN_KEYS = ("label", "labels", "entities")
_META_KEYS = ("meta", "metadata")


def record_pieces(request: WriteRequest) -> Iterator[str]:
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


def read_records(request: ReadRequest) -> ReadResult:
    """Returns the alignments of a file, in any of doccano's spellings of spans."""
    file = SpanFile(request)
    for number, record in json_records(request.text):
        _take_record(file, record, FilePosition(line=number))
    return file.result()


def _take_record(file: SpanFile, record: object, place: FilePosition) -> None:
    if not isinstance(record, dict):
        file.notes.add(
            place,
            what="The line is not a JSON object.",
            hint="Write one object per line, without line breaks: doccano's JSONL.",
        )
        return
    facts = _facts(record)
    about = subject(record.get("text"), facts, place, file.request, file.notes)
    if about is None:
        return
    spans = [*_spans_of_record(file, record, place)]
    _warn_of_others(file, record, place)
    annotator = file.request.annotator or about.annotator
    if annotator is not None:
        file.take(about, annotator, spans, place)
    elif spans:
        file.ask_for_annotator(place)
    else:
        file.report_unaligned(about, place)


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


def _spans_of_record(
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
                what="The content of “{key}” has no place in an alignment; it is left out.",
                key=key,
            )
