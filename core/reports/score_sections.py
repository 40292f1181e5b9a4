"""The sections of a report that show scores: their table with signatures, and plots."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from awase.core.metrics.tables.columns import MetricColumn, column_of, titles_of
from awase.core.metrics.tables.significance import CellKey
from awase.core.plots.charts import Bar, bars, dots
from awase.core.plots.picture import svg_pieces
from awase.core.records.score import Score, ScoreTable, means_in
from awase.core.reports.content import ReportContent, Voice
from awase.core.reports.grid import UNDEFINED, Cell
from awase.core.reports.parts import (
    bullets,
    figure,
    heading,
    paragraph,
    table,
    words,
)

_MOST_DOTS: Final = 12
"""Systems for which a plot of topics can still be read."""

_Column = tuple[str | None, MetricColumn]
"""Length class and metric."""


def scores_section(content: ReportContent, voice: Voice) -> str:
    """Returns the table of means and the signatures below it."""
    means, say = _means(content.table), voice.say
    names = _names(means)
    titles = {column: _title(column, name, voice) for column, name in names.items()}
    by_key = {_key(score): score for score in means}
    rows = []
    for system in dict.fromkeys(score.system for score in means):
        row = [words(system)]
        for (length, column), name in names.items():
            key = CellKey(system=system, length=length, column=column)
            row.append(_cell(by_key.get(key), name, content, voice))
        rows.append(row)
    parts = [
        heading(say("Scores")),
        paragraph(say("Means over topics. —: undefined or not scored. *: unfinished annotation.")),
        table([say("System"), *titles.values()], rows, name="scores"),
    ]
    if content.interval_note:
        parts.append(paragraph(content.interval_note, "muted"))
    parts.append(heading(say("Signatures"), 3))
    signatures: dict[str, dict[str, None]] = {}
    for score in means:
        title = titles[score.length, column_of(score)]
        signatures.setdefault(score.signature, {})[title] = None
    parts.append(
        bullets((f"{', '.join(names)}: {text}" for text, names in signatures.items()), "code")
    )
    return "".join(parts)


def plots_section(content: ReportContent, voice: Voice) -> Iterator[str]:
    """Yields bars of every column, and its values topic by topic; nothing without a value."""
    means, say = _means(content.table), voice.say
    defined = {_column(score) for score in means if score.value is not None}
    if defined:
        yield heading(say("Plots"))
    for column, name in _names(means).items():
        if column not in defined:
            continue
        title = _title(column, name, voice)
        rows = [_bar(score, content) for score in means if _column(score) == column]
        picture = bars(rows, title=title, axis_title=say("mean over topics"), undefined=UNDEFINED)
        yield from figure(svg_pieces(picture))
        if len(rows) <= _MOST_DOTS:
            topics = _by_topic(content.table, column)
            if any(len(points) > 1 for _, points in topics):
                by_topic = say("{title}, topic by topic").format(title=title)
                yield from figure(svg_pieces(dots(topics, title=by_topic, axis_title=title)))


def _column(score: Score) -> _Column:
    return score.length, column_of(score)


def _means(scores: ScoreTable) -> list[Score]:
    return means_in(scores.scores)


def _names(means: Sequence[Score]) -> Mapping[_Column, str]:
    """Returns the columns with their metrics' names, which differ where the metrics do."""
    metrics = [*dict.fromkeys(map(column_of, means))]
    name_of = dict(zip(metrics, titles_of(metrics), strict=True))
    columns = dict.fromkeys(map(_column, means))
    return {(length, metric): name_of[metric] for length, metric in columns}


def _title(column: _Column, name: str, voice: Voice) -> str:
    length, _ = column
    return voice.metric(name) if length is None else f"{length} · {voice.metric(name)}"


def _key(score: Score) -> CellKey:
    return CellKey(system=score.system, length=score.length, column=column_of(score))


def _cell(score: Score | None, name: str, content: ReportContent, voice: Voice) -> Cell:
    if score is None:
        return Cell(text=UNDEFINED, tip=voice.say("The system has no output for this."))
    key = f"{score.length or ''}/{score.system}/{name}"
    if score.value is None:
        tip = voice.tell(score.reason) if score.reason is not None else ""
        return Cell(text=UNDEFINED, tip=tip, key=key)
    interval = content.intervals.get(_key(score))
    text = f"{float(score.value):.3f}{'*' if score.provisional else ''}"
    if interval is not None:
        text += f" [{interval.low:.3f}, {interval.high:.3f}]"
    tip = voice.say("Mean over {n} topics").format(n=score.n_topics)
    return Cell(text=text, tip=tip, key=key)


def _bar(score: Score, content: ReportContent) -> Bar:
    interval = content.intervals.get(_key(score))
    return Bar(
        label=score.system,
        value=None if score.value is None else float(score.value),
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
    )


def _by_topic(scores: ScoreTable, column: _Column) -> list[tuple[str, list[tuple[str, float]]]]:
    rows: dict[str, list[tuple[str, float]]] = {}
    for score in scores.scores:
        if score.topic is not None and _column(score) == column:
            points = rows.setdefault(score.system, [])
            if score.value is not None:
                points.append((score.topic, float(score.value)))
    return list(rows.items())
