"""Data sets with the outputs of several systems: REALSumm, SummEval, and others.

REALSumm, an object a line, all systems of one item, with human content scores (Bhandari et al.
2020, "Re-evaluating Evaluation in Text Summarization"):
{"topic": "cnndm1", "source": "<t> … </t>", "systems": {"ext/bart_out": {"summary": ["…"],
 "reference_as_tokenised_for_this_system": ["…"], "human_litepyramid": 0.4}}}

sacrerouge, an object a line, what one system wrote about one instance:
{"instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
 "documents": [{"text": ["…"]}], "summary": {"text": ["…", "…"]},
 "references": [{"summarizer_id": "A", "text": ["…"]}]}

SummEval, a line an output, with references and human scores.

The data folder of mt-metrics-eval, version 2: one language pair of a test set.

sources/PAIR.txt              a segment a line; so are the next two
references/PAIR.NAME.txt
system-outputs/PAIR/NAME.txt
documents/PAIR.docs           DOMAIN and DOCUMENT of each segment
human-scores/PAIR.NAME.LEVEL.score     SYSTEM and SCORE; LEVEL is sys, seg, doc or domain

A segment becomes a topic, so that scores of segments are scores of topics.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from awase.core.errors import CorpusFormatError, Findings, Missing, Problem, raise_if_any
from awase.core.formats.reading.records import NOT_JSON, filled_lines, json_records, json_value
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import TopicParts, known_ids
from awase.core.formats.scores.score_files import rows_of_wmt
from awase.core.formats.scores.score_rows import Rows, human_scores
from awase.core.formats.tables.parallel_text import (
    Items,
    ParallelColumn,
    add_items,
    check_equal_lengths,
    lines_of,
    read_column,
)
from awase.core.formats.tables.text_table import (
    SOURCE_ID,
    OutputText,
    Text,
    TextRecord,
    TextTopics,
    numbered,
)

_HUMAN: Final = "human_"
_PEOPLES: Final = "litepyramid"
_WHOLE = re.compile(r"\s*<t>((?:(?!</?t>).)*)</t>\s*", re.DOTALL)


def read_realsumm(request: ReadRequest) -> ReadResult:
    """Returns topics with a document, the systems' texts, references of their own, and scores."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    for line, value in json_records(request.text):
        record: Any = _of_pickle(value)
        systems = record.get("systems") if isinstance(record, dict) else None
        if not isinstance(systems, dict) or not isinstance(record.get("topic"), str | int):
            rows.problems.add(
                line,
                what="The line has no outputs of systems.",
                hint='Each line is an object with "topic", "source" and "systems".',
            )
            continue
        topic = str(record["topic"])
        source = record.get("source")
        topics.take(
            TextRecord(
                line=line,
                topic=topic,
                documents={f"d{topic}": _source(source)} if isinstance(source, str) else {},
                outputs=tuple(_outputs(systems)),
            )
        )
    return topics.result()


def _of_pickle(value: object) -> object:
    """Converts a record of REALSumm's own pickles; others are unchanged.

    Among a pickle's scores only LitePyramid's are human; the rest are metrics'.
    """
    if not isinstance(value, dict) or not isinstance(value.get("system_summaries"), dict):
        return value
    systems = {
        str(name): {
            "summary": output.get("system_summary"),
            "reference": value.get("ref_summ"),
            **{
                f"{_HUMAN}{measure}": score
                for measure, score in (output.get("scores") or {}).items()
                if measure.startswith(_PEOPLES)
            },
        }
        for name, output in value["system_summaries"].items()
        if isinstance(output, dict)
    }
    return {"topic": str(value.get("doc_id", value.get("key"))), "systems": systems}


def _source(source: str) -> str:
    """Returns the text; one pair of tags around all of it is no sentence boundary."""
    match = _WHOLE.fullmatch(source)
    return match[1].strip() if match else source


def _outputs(systems: Mapping[str, Any]) -> Iterator[OutputText]:
    for system, output in systems.items():
        if not isinstance(output, dict) or not _is_text(output.get("summary")):
            continue
        own = [v for k, v in output.items() if k.startswith("reference") and _is_text(v)]
        scores = {
            key.removeprefix(_HUMAN): str(value)
            for key, value in output.items()
            if key.startswith(_HUMAN) and isinstance(value, int | float)
        }
        references: tuple[Text, ...] | None = tuple(own) or None
        yield OutputText(
            system=system, text=output["summary"], references=references, scores=scores
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(one, str) for one in value)
    )


def read_summaries(request: ReadRequest) -> ReadResult:
    """Returns topics with documents, references and the systems' texts."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    for line, value in json_records(request.text):
        record: Any = value
        summary = _text(record.get("summary")) if isinstance(record, dict) else None
        if not isinstance(record, dict) or "instance_id" not in record or summary is None:
            rows.problems.add(
                line,
                what="The line has no summary of an instance.",
                hint='Each line is an object with "instance_id", "summarizer_id" and "summary".',
            )
            continue
        topics.take(_record(line, record, summary))
    return topics.result()


def _record(line: int, record: Mapping[str, Any], summary: Text) -> TextRecord:
    own = record["summary"] if isinstance(record["summary"], dict) else {}
    system = str(record.get("summarizer_id") or own.get("summarizer_id") or "system")
    is_reference = record.get("summarizer_type") == "reference"
    references = _named(record.get("references"), "ref")
    if is_reference:
        references[system] = summary
    return TextRecord(
        line=line,
        topic=str(record["instance_id"]),
        documents=numbered(
            [t for one in record.get("documents") or () if (t := _text(one)) is not None], SOURCE_ID
        ),
        references=references,
        outputs=() if is_reference else (OutputText(system=system, text=summary),),
    )


def _named(entries: object, name: str) -> dict[str, Text]:
    if not isinstance(entries, list):
        return {}
    found: dict[str, Text] = {}
    for number, entry in enumerate(entries, start=1):
        text = _text(entry)
        if text is not None:
            id_ = entry.get("summarizer_id") if isinstance(entry, dict) else None
            found[str(id_ or f"{name}{number}")] = text
    return found


def _text(entry: object) -> Text | None:
    value = entry.get("text") if isinstance(entry, dict) else entry
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return None


_GROUPS = {"expert_annotations": "expert", "turker_annotations": "turker"}


def read_summeval(request: ReadRequest) -> ReadResult:
    """Returns topics with references, texts of systems and human scores."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for line, text in filled_lines(request.text):
        record = _summeval_record(line, text, rows.problems)
        if record is None:
            continue
        topic, system = record["id"].strip(), record["model_id"].strip()
        known = first.setdefault((topic, system), (line, text))
        if known[0] != line:
            if known[1].strip() == text.strip():
                what = "The line says the same as line {first}."
                rows.problems.remark(line, what=what, hint="One is kept.", first=known[0])
                continue
            rows.problems.add(
                line,
                what="System “{system}” has a second output for “{topic}”; the first is in line "
                "{first}.",
                hint="Do two systems share a name? Rename one.",
                system=system,
                topic=topic,
                first=known[0],
            )
            continue
        source = record.get("text")
        topics.take(
            TextRecord(
                line=line,
                topic=topic,
                documents={SOURCE_ID: source} if isinstance(source, str) else {},
                references={
                    str(number): one for number, one in enumerate(_summeval_references(record))
                },
                outputs=(OutputText(system, record["decoded"]),),
            )
        )
        for annotator, measure, value in _judgements(record):
            rows.take(line, value, system=system, measure=measure, topic=topic, annotator=annotator)
    if not first and not rows.problems.found:
        rows.problems.add(None, what="The file has no line.", hint="Each line is an output.")
    return topics.result(
        what="{n} {n:output has other references than those before it|outputs have other "
        "references than those before them} of the same topic, and {n:keeps its own|keep "
        "their own}: {names}.",
    )


def _summeval_record(line: int, text: str, problems: Findings) -> dict[str, Any] | None:
    record: Any = json_value(text)  # whatever the line holds
    names = ("id", "model_id", "decoded")
    if record is NOT_JSON:
        problems.add(
            line,
            what="The line is not JSON.",
            hint="Write one object per line, without line breaks.",
        )
    elif isinstance(record, dict) and all(isinstance(record.get(name), str) for name in names):
        return record
    else:
        problems.add(
            line,
            what="The line lacks an id, a model_id or a decoded text.",
            hint="All three are strings.",
        )
    return None


def _summeval_references(record: Mapping[str, Any]) -> Iterator[str]:
    """Yields the references that are texts; some copies have `reference`."""
    references = record.get("references", record.get("reference"))
    if isinstance(references, str):
        references = [references]
    for text in references if isinstance(references, list) else ():
        if isinstance(text, str) and text.strip():
            yield text


def _judgements(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yields (annotator, measure, value as text); annotators are numbered line by line."""
    for key, group in _GROUPS.items():
        entries = record.get(key)
        for number, entry in enumerate(entries if isinstance(entries, list) else (), start=1):
            if isinstance(entry, dict):
                for measure, value in entry.items():
                    yield f"{group}-{number}", measure, "" if value is None else str(value)


_LEVEL = re.compile(r".*\.(sys|seg|doc|domain)\.score")
_READ_LEVELS = ("sys", "seg")


def read_mtme(request: ReadRequest) -> ReadResult:
    """Returns the segments of a language pair with human scores of the systems."""
    names = _Names(request.files.names())
    pair = _pair(request, names)
    warnings: list[Problem] = []
    items = _items(request, names, pair, warnings)
    parts = TopicParts(request)
    add_items(parts, items, request, warnings)
    _add_scores(parts, request, names.scores(pair), len(items.ids), warnings)
    n_metrics = len(names.below(f"metric-scores/{pair}/"))
    if n_metrics:
        warnings.append(
            Problem(
                what="{n} {n:file of a metric's scores is|files of metrics' scores are} no part "
                "of a corpus.",
                fields={"n": n_metrics, "missing": Missing.STUDY_OF_METRICS},
            )
        )
    return parts.result(warnings)


@dataclass(frozen=True, slots=True)
class _Names:
    names: Sequence[str]

    def below(self, prefix: str, suffix: str = "") -> dict[str, str]:
        """Returns files by the name between prefix and suffix, in that folder only."""
        return {
            middle: name
            for name in self.names
            if name.startswith(prefix) and name.endswith(suffix)
            if (middle := name[len(prefix) : len(name) - len(suffix)]) and "/" not in middle
        }

    def pairs(self) -> list[str]:
        """Returns the language pairs that have sources or outputs."""
        outputs = [name.split("/")[1] for name in self.names if _is_output(name)]
        return sorted({*self.below("sources/", ".txt"), *outputs})

    def scores(self, pair: str) -> list[str]:
        """Returns the files of human scores."""
        found = self.below(f"human-scores/{pair}.", ".score")
        return [name for name in found.values() if _LEVEL.fullmatch(name)]


def _is_output(name: str) -> bool:
    return name.startswith("system-outputs/") and name.count("/") == 2 and name.endswith(".txt")


def _pair(request: ReadRequest, names: _Names) -> str:
    pairs = names.pairs()
    if not pairs:
        raise CorpusFormatError.of(
            "The folder has neither sources/PAIR.txt nor system-outputs/PAIR/NAME.txt.",
            "Name the folder of one test set, such as wmt22.",
        )
    if request.part is not None and request.part not in pairs:
        raise CorpusFormatError.of(
            "The folder has no language pair “{pair}”.",
            "It has: {known}.",
            pair=request.part,
            known=known_ids(pairs),
        )
    if request.part is None and len(pairs) > 1:
        raise CorpusFormatError.of(
            "The folder has several language pairs, and a corpus is about one: {known}.",
            "Name one, or make a folder with its files only.",
            known=known_ids(pairs),
            missing=Missing.PART_OF_FOLDER,
        )
    return request.part or pairs[0]


def _items(request: ReadRequest, names: _Names, pair: str, warnings: list[Problem]) -> Items:
    references = names.below(f"references/{pair}.", ".txt")
    outputs = names.below(f"system-outputs/{pair}/", ".txt")
    humans = sorted(references.keys() & outputs.keys())
    if humans:
        warnings.append(
            Problem(
                what="References listed among the systems are left out: {names}.",
                hint="References are never systems.",
                fields={"names": known_ids(humans)},
            )
        )
    source = names.below("sources/", ".txt").get(pair)
    items = Items(
        sources=read_column(request, source) if source is not None else None,
        references={id_: read_column(request, name) for id_, name in references.items()},
        outputs={
            system: read_column(request, name)
            for system, name in outputs.items()
            if system not in references
        },
        are_segments=True,
    )
    columns = [*items.columns()]
    documents = names.below("documents/", ".docs").get(pair)
    if documents is not None:
        columns.append(read_column(request, documents))
    check_equal_lengths(columns)
    items.ids = [str(n) for n in range(1, len(columns[0].lines) + 1)]
    if documents is not None:
        items.document_ids, items.titles = _documents(columns[-1])
    return items


def _documents(column: ParallelColumn) -> tuple[list[str], list[str]]:
    """Returns id and title of each segment's document."""
    rows = [line.split("\t") if "\t" in line else line.split() for line in column.lines]
    raise_if_any(
        Problem(
            what="The line does not have a domain and a document.",
            hint="Write both, separated by a tab.",
            source=column.source,
            line=number,
        )
        for number, row in enumerate(rows, start=1)
        if len(row) != 2 or not row[1].strip()
    )
    ids = [row[1].strip() for row in rows]
    return ids, [f"{id_} ({row[0].strip()})" for id_, row in zip(ids, rows, strict=True)]


def _add_scores(
    parts: TopicParts,
    request: ReadRequest,
    names: Sequence[str],
    n_segments: int,
    warnings: list[Problem],
) -> None:
    """Adds the scores of systems and segments; those of documents have no topic."""
    problems: list[Problem] = []
    others: list[str] = []
    for name in names:
        match = _LEVEL.fullmatch(name)
        if match is None or match[1] not in _READ_LEVELS:
            others.append(name)
            continue
        source, text = request.files.source_of(name), request.files.text(name) or ""
        if match[1] == "seg":
            problems += _misaligned(text, source, n_segments)
        rows = rows_of_wmt(text, source)
        if rows.rows or rows.problems.found:
            try:
                rows.finish()
            except CorpusFormatError as error:
                problems += error.problems
            parts.human_scores += human_scores(rows)
        else:
            rows.problems.remark(None, what="The file has no score.")
        warnings += rows.problems.warnings
    if problems:
        raise CorpusFormatError(problems)
    if others:
        warnings.append(
            Problem(
                what="Scores of documents and domains are left out, as topics are segments: "
                "{names}.",
                fields={"names": known_ids(others)},
            )
        )


def _misaligned(text: str, source: str, n_segments: int) -> Iterable[Problem]:
    n_by_system = Counter(line.split()[0] for line in lines_of(text) if line.strip())
    wrong = {system: n for system, n in n_by_system.items() if n != n_segments}
    if wrong:
        yield Problem(
            what="Systems do not have one score for each of the {n} {n:segment|segments}: "
            "{counts}.",
            hint="A missing score is None.",
            fields={
                "n": n_segments,
                "counts": known_ids([f"{system} {n}" for system, n in wrong.items()]),
            },
            source=source,
        )
