"""Scores that something else computed: a table with a heading, a score a line (CSV or TSV)."""

import csv
import io
import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from awase.core.errors import CorpusFormatError, Problem
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable

_NEEDED = ("topic", "system", "metric", "value")
_OPTIONAL = ("length", "signature")
_MOST_PROBLEMS = 100
_SHOWN = 10
_BLANK = Problem(what="the file has no value for it.")
_Row = dict[str, str]
_Key = tuple[str, str, str, str]
"""Metric, signature, length class, system."""


def read_scores(text: str, source: str, corpus: Corpus) -> ScoreTable:
    """Returns the scores of a table, with the means over topics, and what is odd about them.

    The heading names the columns, in any order: topic, system, metric, value; length and signature
    may be there, others are passed over. Columns are separated by tabs or else by commas or
    semicolons, whichever the heading has. A line without topic is a mean: it counts where there
    are no topics to make one of. A blank value is an undefined one. Without a signature a score's
    is the metric's name.

    Args:
        text: Of the file.
        source: Its name, for messages.
        corpus: What the scores are said to be about; systems and topics that it lacks are told.

    Raises:
        CorpusFormatError: A column is missing, a value is not a finite number, or a score stands
            twice; with every line.
    """
    lines = text.removeprefix("\ufeff")
    first = lines.partition("\n")[0]
    delimiter = next((mark for mark in "\t,;" if mark in first), ",")
    reader = csv.reader(io.StringIO(lines), delimiter=delimiter)
    problems: list[Problem] = []
    scores: dict[tuple[str, _Key], Score] = {}
    lines_by_key: dict[tuple[str, _Key], int] = {}
    places = _places(next(reader, []), source)
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        line = reader.line_num
        row = {name: cells[at].strip() if at < len(cells) else "" for name, at in places.items()}
        found = [*_problems_of(row, len(cells), max(places.values()) + 1)]
        key = row["topic"], _key(row)
        if not found and key in scores:
            found = [
                Problem(
                    what="The score of “{system}” stands twice; the other is in line {line}.",
                    hint="Remove one.",
                    fields={"system": row["system"], "line": lines_by_key[key]},
                )
            ]
        if found:
            problems += (_at(problem, source, line) for problem in found)
        else:
            scores[key], lines_by_key[key] = _score(row), line
    if not scores and not problems:
        problems.append(_at(Problem(what="The table has no scores."), source, 1))
    if problems:
        raise CorpusFormatError(problems[:_MOST_PROBLEMS])
    return _table(scores, corpus)


def _places(heading: list[str], source: str) -> Mapping[str, int]:
    names = [name.strip().lower() for name in heading]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        problem = Problem(
            what="The heading lacks {missing}.",
            hint="Begin the table with a line that names the columns {needed}.",
            fields={"missing": ", ".join(missing), "needed": ", ".join(_NEEDED)},
        )
        raise CorpusFormatError([_at(problem, source, 1)])
    return {name: names.index(name) for name in (*_NEEDED, *_OPTIONAL) if name in names}


def _problems_of(row: _Row, n_cells: int, n_needed: int) -> Iterator[Problem]:
    if n_cells < n_needed:
        yield Problem(
            what="The line has {n} cells and not {needed}.",
            hint="Does a cell hold the separator? Put it in quotes.",
            fields={"n": n_cells, "needed": n_needed},
        )
        return
    for name in ("system", "metric"):
        if not row[name]:
            yield Problem(what="The {name} is blank.", hint="Fill it in.", fields={"name": name})
    if row["value"] and not _is_finite(row["value"]):
        yield Problem(
            what="“{value}” is not a finite number.",
            hint="Write a decimal such as 0.25; leave it blank when there is no score.",
            fields={"value": row["value"]},
        )


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and text.isascii() and "_" not in text
    except ValueError:
        return False


def _key(row: _Row) -> _Key:
    return row["metric"], _signature(row), row.get("length", ""), row["system"]


def _signature(row: _Row) -> str:
    return row.get("signature", "") or row["metric"]


def _score(row: _Row) -> Score:
    return Score(
        topic=row["topic"] or None,
        length=row.get("length") or None,
        system=row["system"],
        metric=row["metric"],
        value=float(row["value"]) if row["value"] else None,
        signature=_signature(row),
        reason=None if row["value"] else _BLANK,
        n_topics=1 if row["value"] else 0,
    )


def _table(scores: Mapping[tuple[str, _Key], Score], corpus: Corpus) -> ScoreTable:
    order = {topic.id: at for at, topic in enumerate(corpus.topics)}
    by_topic = [score for score in scores.values() if score.topic is not None]
    by_topic.sort(key=lambda score: order.get(score.topic or "", len(order)))
    means: dict[_Key, list[Score]] = {}
    for (topic, key), score in scores.items():
        if topic:
            means.setdefault(key, []).append(score)
    made = [_mean(of_system) for of_system in means.values()]
    given = [score for (topic, key), score in scores.items() if not topic and key not in means]
    return ScoreTable(
        scores=(*by_topic, *made, *given), warnings=tuple(_strangers([*scores.values()], corpus))
    )


def _mean(scores: list[Score]) -> Score:
    values = [float(score.value) for score in scores if score.value is not None]
    first = scores[0]
    return Score(
        topic=None,
        length=first.length,
        system=first.system,
        metric=first.metric,
        value=math.fsum(values) / len(values) if values else None,
        signature=first.signature,
        reason=None if values else _BLANK,
        n_topics=len(values),
    )


def _strangers(scores: list[Score], corpus: Corpus) -> Iterator[Problem]:
    systems = dict.fromkeys(o.system for topic in corpus.topics for o in topic.outputs)
    topics = [topic.id for topic in corpus.topics]
    for what, known, used in (
        ("system", [*systems], [score.system for score in scores]),
        ("topic", topics, [score.topic for score in scores if score.topic is not None]),
    ):
        unknown = [name for name in dict.fromkeys(used) if name not in {*known}]
        if unknown:
            close = get_close_matches(unknown[0], known, n=1)
            yield Problem(
                what="The corpus has no {what} {names}; the scores are taken all the same.",
                hint="Is “{first}” another name of “{close}”?" if close else "",
                fields={
                    "what": what,
                    "names": ", ".join(unknown[:_SHOWN]) + (" …" if len(unknown) > _SHOWN else ""),
                    "first": unknown[0],
                    "close": close[0] if close else "",
                },
            )


def _at(problem: Problem, source: str, line: int) -> Problem:
    return Problem(
        what=problem.what, hint=problem.hint, fields=problem.fields, source=source, line=line
    )
