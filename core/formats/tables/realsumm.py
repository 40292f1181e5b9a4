"""REALSumm's outputs with human content scores: an object a line, all systems of one item.

{"topic": "cnndm1", "source": "<t> … </t>", "systems": {"ext/bart_out": {"summary": ["…"],
 "reference_as_tokenised_for_this_system": ["…"], "human_litepyramid": 0.4}}}

Source: Bhandari et al. (2020), "Re-evaluating Evaluation in Text Summarization".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import json_records
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import OutputText, Text, TextRecord, TextTopics

_HUMAN: Final = "human_"
_PEOPLES: Final = "litepyramid"
_WHOLE = re.compile(r"\s*<t>((?:(?!</?t>).)*)</t>\s*", re.DOTALL)


def read(request: ReadRequest) -> ReadResult:
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
