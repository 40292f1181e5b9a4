"""Tables of scores to be stored: a heading, a score a line (CSV or TSV)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

from awase.core.errors import CorpusFormatError, Findings, Listing, Problem
from awase.core.formats.reading.records import first_record, is_json
from awase.core.formats.registry import FORMATS, unknown_ending
from awase.core.formats.scores.score_files import ROWS_OF
from awase.core.formats.scores.score_rows import metric_table, rows_of_cells
from awase.core.records.corpus import Corpus
from awase.core.records.score import REASON_COLUMN, SPREAD_COLUMNS, Score, ScoreTable, without_facts

_NEEDED = ("topic", "system", "metric", "value")
_OPTIONAL = (
    "length", "signature", "provisional", "n_topics", *SPREAD_COLUMNS, REASON_COLUMN,
)  # fmt: skip
_MARKS = {"true": True, "false": False, "": False}
_MOST_PROBLEMS = 100
_SHOWN = 10
_BLANK = Problem(what="the file has no value for it.")
_Row = dict[str, str]
# Metric, signature without facts about the data, length class, system.
_Key = tuple[str, str, str | None, str]


def read_scores(text: str, source: str, corpus: Corpus | None) -> ScoreTable:
    """Returns the scores of a table, with means over topics, and warnings.

    Columns, in any order: topic, system, metric, value; optionally length, signature, provisional,
    n_topics, lowest, highest and reason; others are ignored. A blank value is undefined. The
    default signature is the metric's name.

    A line without topic is a mean, used as is if n_topics is given (as in our own tables); else
    only where there are no topics to average.

    `corpus` None = unknown; else missing systems and topics are reported.
    """
    problems = Findings(source)
    lines = rows_of_cells(text, problems)
    problems.refuse_if_any()
    columns = _columns(lines[0].texts if lines else (), problems)
    scores: dict[tuple[str | None, _Key], Score] = {}
    first_lines: dict[tuple[str | None, _Key], int] = {}
    for cells in lines[1:]:
        row = {name: cells.at(columns, name) for name in (*_NEEDED, *_OPTIONAL)}
        found = [*_problems_of(row, len(cells.texts), columns)]
        if found:
            problems.note(cells.line, found)
            continue
        score = _score(row)
        key = score.topic, _key(score)
        if key in scores:
            problems.add(
                cells.line,
                what="The score of “{system}” appears twice; the other is in line {line}.",
                hint="Remove one.",
                system=score.system,
                line=first_lines[key],
            )
        else:
            scores[key], first_lines[key] = score, cells.line
    if not scores and not problems.found:
        problems.add(1, what="The table has no scores.")
    if problems.found:
        raise CorpusFormatError(problems.found[:_MOST_PROBLEMS])
    return _table(scores, corpus, has_counts="n_topics" in columns)


def _columns(heading: Sequence[str], problems: Findings) -> Mapping[str, int]:
    names = [name.strip().lower() for name in heading]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        problems.add(
            1,
            what="The heading lacks {missing}.",
            hint="Begin the table with a line that names the columns {needed}.",
            missing=Listing(missing),
            needed=Listing(_NEEDED),
        )
    problems.refuse_if_any()
    return {name: names.index(name) for name in (*_NEEDED, *_OPTIONAL) if name in names}


def _problems_of(row: _Row, n_cells: int, columns: Mapping[str, int]) -> Iterator[Problem]:
    n_needed = max(columns.values()) + 1
    if n_cells < n_needed:
        yield Problem(
            what="The line has {n} {n:cell|cells} and not {needed}.",
            hint="Does a cell hold the separator? Put it in quotes.",
            fields={"n": n_cells, "needed": n_needed},
        )
        return
    for name in ("system", "metric"):
        if not row[name]:
            yield Problem(what="The {name} is blank.", hint="Fill it in.", fields={"name": name})
    for name in ("value", *SPREAD_COLUMNS):
        if row[name] and not _is_finite(row[name]):
            yield Problem(
                what="“{value}” is not a finite number.",
                hint="Write a decimal such as 0.25; leave it blank when there is no score.",
                fields={"value": row[name]},
            )
    if row["provisional"].lower() not in _MARKS:
        yield Problem(
            what="“{value}” does not say whether the score is provisional.",
            hint="Write true or false.",
            fields={"value": row["provisional"]},
        )
    if "n_topics" in columns and not row["n_topics"].isdecimal():
        yield Problem(
            what="“{value}” is not a number of topics.",
            hint="Write how many topics the mean is over.",
            fields={"value": row["n_topics"]},
        )


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and text.isascii() and "_" not in text
    except ValueError:
        return False


def _bare(metric: str, signature: str) -> str:
    """Returns a metric without the distinguishing options that tables append."""
    return metric.partition(":")[0] if signature.partition(":")[1] else metric


def _key(score: Score) -> _Key:
    return score.metric, without_facts(score.signature), score.length, score.system


def _score(row: _Row) -> Score:
    low, high = (row[name] for name in SPREAD_COLUMNS)
    reason = row[REASON_COLUMN]
    blank = Problem(what="{reason}", fields={"reason": reason}) if reason else _BLANK
    return Score(
        topic=row["topic"] or None,
        length=row["length"] or None,
        system=row["system"],
        metric=_bare(row["metric"], row["signature"]),
        value=float(row["value"]) if row["value"] else None,
        signature=row["signature"] or row["metric"],
        reason=None if row["value"] else blank,
        spread=(Fraction(float(low)), Fraction(float(high))) if low and high else None,
        provisional=_MARKS[row["provisional"].lower()],
        n_topics=int(row["n_topics"] or bool(row["value"])),
    )


def _table(
    scores: Mapping[tuple[str | None, _Key], Score], corpus: Corpus | None, *, has_counts: bool
) -> ScoreTable:
    topics = () if corpus is None else corpus.topics
    order = {topic.id: at for at, topic in enumerate(topics)}
    by_topic = [score for score in scores.values() if score.topic is not None]
    if not has_counts:  # our own tables are in order
        by_topic.sort(key=lambda score: order.get(score.topic or "", len(order)))
    of_topics: dict[_Key, list[Score]] = {}
    given: dict[_Key, Score] = {}
    for (topic, key), score in scores.items():
        if topic is None:
            given[key] = score
        else:
            of_topics.setdefault(key, []).append(score)
    if not has_counts:
        given = {key: mean for key, mean in given.items() if key not in of_topics}
    made = [_mean(of_system) for key, of_system in of_topics.items() if key not in given]
    strangers = () if corpus is None else _strangers([*scores.values()], corpus)
    warnings = [*strangers, *_miscounted(given, of_topics)]
    return ScoreTable(scores=(*by_topic, *made, *given.values()), warnings=tuple(warnings))


def _miscounted(
    given: Mapping[_Key, Score], of_topics: Mapping[_Key, list[Score]]
) -> Iterator[Problem]:
    """Yields warnings about means over other numbers of topics than the table has."""
    for key, mean in given.items():
        n_there = sum(score.value is not None for score in of_topics.get(key, ()))
        if key in of_topics and n_there != mean.n_topics:
            yield Problem(
                what="The mean of {metric} of “{system}” is over {n} {n:topic|topics}, and the "
                "table has {n_there} of them; the mean is kept as it is.",
                fields={
                    "metric": mean.metric,
                    "system": mean.system,
                    "n": mean.n_topics,
                    "n_there": n_there,
                },
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
        signature=without_facts(first.signature),
        provisional=any(score.provisional for score in scores),
        reason=None if values else _BLANK,
        n_topics=len(values),
    )


_NO_SYSTEM: Final = Problem(
    what="The corpus has no {names:system|systems} {names}; the scores are imported anyway.",
    hint="Is “{first}” another name of “{close}”?",
)
_NO_TOPIC: Final = replace(
    _NO_SYSTEM,
    what="The corpus has no {names:topic|topics} {names}; the scores are imported anyway.",
)


def _strangers(scores: list[Score], corpus: Corpus) -> Iterator[Problem]:
    systems = dict.fromkeys(o.system for topic in corpus.topics for o in topic.outputs)
    topics = [topic.id for topic in corpus.topics]
    for problem, known, used in (
        (_NO_SYSTEM, [*systems], [score.system for score in scores]),
        (_NO_TOPIC, topics, [score.topic for score in scores if score.topic is not None]),
    ):
        unknown = [name for name in dict.fromkeys(used) if name not in {*known}]
        if unknown:
            close = get_close_matches(unknown[0], known, n=1)
            yield replace(
                problem,
                hint=problem.hint if close else "",
                fields={
                    "names": Listing(unknown, most=_SHOWN),
                    "first": unknown[0],
                    "close": close[0] if close else "",
                },
            )


def metric_scores_of_file(text: str, source: str, format_id: str) -> ScoreTable:
    """Returns the metrics' scores of a file."""
    return metric_table(ROWS_OF[format_id](text, source))


def format_of_scores(name: str, text: str) -> str:
    """Returns a file's format of `ROWS_OF` by its first JSON record or ending, else InputError."""
    record = first_record(text) if is_json(text) else None
    if isinstance(record, dict):
        return "sacrerouge" if "metrics" in record else "score-table"
    for format_id in ROWS_OF:
        if name.lower().endswith(FORMATS[format_id].suffixes):
            return format_id
    raise unknown_ending(name, ROWS_OF)


def aliases_of_file(text: str, source: str) -> dict[str, str]:
    """Parses aliases: name in the first column, system in the second.

    Columns are separated by tabs, or by commas without any tab; # starts a comment line.
    """
    problems = Findings(source)
    aliases: dict[str, str] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        names = [name.strip() for name in line.split("\t" if "\t" in line else ",")]
        if len(names) != 2 or not all(names):
            problems.add(
                number,
                what="The line does not have two names.",
                hint="Write: other name, tab or comma, name of the system.",
            )
        elif aliases.setdefault(names[0], names[1]) != names[1]:
            problems.add(
                number,
                what="“{name}” is already another name of “{system}”.",
                hint="Keep one of the two lines.",
                name=names[0],
                system=aliases[names[0]],
            )
    problems.refuse_if_any()
    return aliases
