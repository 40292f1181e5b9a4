"""Everything about the systems of a corpus on one HTML page that loads nothing from anywhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Final

from awase.core.inspection.buckets import Bucket, by_alternatives, by_place, by_rank, by_size
from awase.core.inspection.sentences import InspectedSentence, Inspection
from awase.core.plots.bars import Bar, bars, dots
from awase.core.plots.svg import svg
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.parts import (
    STYLE,
    Cell,
    bullets,
    figure,
    fold,
    heading,
    paragraph,
    share_cell,
    table,
    words,
)

UNDEFINED: Final = "—"
_MOST_MISSED: Final = 20
_MOST_DOTS: Final = 12
"""Systems for which a plot of topics can still be read."""

Say = Callable[[str], str]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """What a report is about.

    Attributes:
        corpus: Its name and topics.
        table: Scores, the means among them.
        inspection: Of the same topics; empty where nothing was inspected.
        inspection_note: Which part of extracts it looked at, and whose alignments.
        made: When and by which version, in words.
        intervals: (length, system, metric) to the ends of the mean's interval.
        interval_note: How the intervals were made.
    """

    corpus: Corpus
    table: ScoreTable
    inspection: Inspection
    made: str
    inspection_note: str = ""
    intervals: Mapping[tuple[str | None, str, str], Interval] = field(default_factory=dict)
    interval_note: str = ""


def html_report(content: ReportContent, say: Say = str, language: str = "en") -> str:
    """Returns the page.

    Args:
        content: What it is about.
        say: Translates what the page says itself.
        language: Of what `say` returns.
    """
    name = content.corpus.name or say("Unnamed corpus")
    title = escape(f"{name} – Awase")
    body = "".join(
        (
            f"<h1>{escape(name)}</h1>\n",
            paragraph(content.made, "muted"),
            _scores(content, say),
            _plots(content, say),
            _missed(content, say),
            _spending(content.inspection, say),
            _buckets(content.inspection, say),
            _topics(content, say),
            _remarks(content.table, say),
        )
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


# Scores


def _means(scores: ScoreTable) -> list[Score]:
    return [score for score in scores.scores if score.topic is None]


def _columns(means: Sequence[Score]) -> list[tuple[str | None, str]]:
    return list(dict.fromkeys((score.length, score.metric) for score in means))


def _title(column: tuple[str | None, str]) -> str:
    length, metric = column
    return f"{length} · {metric}" if length is not None else metric


def _scores(content: ReportContent, say: Say) -> str:
    means = _means(content.table)
    columns = _columns(means)
    by_key = {(score.length, score.system, score.metric): score for score in means}
    rows = [
        [
            words(system),
            *(_score(by_key.get((l, system, m)), content, say) for l, m in columns),  # noqa: E741
        ]
        for system in dict.fromkeys(score.system for score in means)
    ]
    parts = [
        heading(say("Scores")),
        paragraph(say("Means over topics. —: undefined or not scored. *: unfinished annotation.")),
        table([say("System"), *map(_title, columns)], rows, name="scores"),
    ]
    if content.interval_note:
        parts.append(paragraph(content.interval_note, "muted"))
    parts.append(heading(say("Signatures"), 3))
    signatures: dict[str, list[str]] = {}
    for score in means:
        titles = signatures.setdefault(score.signature, [])
        title = _title((score.length, score.metric))
        if title not in titles:
            titles.append(title)
    parts.append(
        bullets((f"{', '.join(titles)}: {text}" for text, titles in signatures.items()), "code")
    )
    return "".join(parts)


def _score(score: Score | None, content: ReportContent, say: Say) -> Cell:
    if score is None:
        return Cell(text=UNDEFINED, tip=say("The system has no output for this."))
    key = f"{score.length or ''}/{score.system}/{score.metric}"
    if score.value is None:
        return Cell(text=UNDEFINED, tip=str(score.reason or ""), key=key)
    interval = content.intervals.get((score.length, score.system, score.metric))
    text = f"{float(score.value):.3f}{'*' if score.provisional else ''}"
    if interval is not None:
        text += f" [{interval[0]:.3f}, {interval[1]:.3f}]"
    tip = say("Mean over {n} topics").format(n=score.n_topics)
    return Cell(text=text, tip=tip, key=key)


# Plots


def _plots(content: ReportContent, say: Say) -> str:
    means = _means(content.table)
    parts = []
    for column in _columns(means):
        of_column = [score for score in means if (score.length, score.metric) == column]
        if all(score.value is None for score in of_column):
            continue
        title = _title(column)
        rows = [_bar(score, content) for score in of_column]
        picture = bars(rows, title=title, axis_title=say("mean over topics"), undefined=UNDEFINED)
        parts.append(figure(svg(picture)))
        if len(of_column) <= _MOST_DOTS:
            topics = _by_topic(content.table, column)
            if any(len(points) > 1 for _, points in topics):
                name = say("{title}, topic by topic").format(title=title)
                parts.append(figure(svg(dots(topics, title=name, axis_title=title))))
    return heading(say("Plots")) + "".join(parts) if parts else ""


def _bar(score: Score, content: ReportContent) -> Bar:
    low, high = content.intervals.get((score.length, score.system, score.metric), (None, None))
    value = None if score.value is None else float(score.value)
    return Bar(label=score.system, value=value, low=low, high=high)


def _by_topic(
    scores: ScoreTable, column: tuple[str | None, str]
) -> list[tuple[str, list[tuple[str, float]]]]:
    rows: dict[str, list[tuple[str, float]]] = {}
    for score in scores.scores:
        if score.topic is not None and (score.length, score.metric) == column:
            points = rows.setdefault(score.system, [])
            if score.value is not None:
                points.append((score.topic, float(score.value)))
    return list(rows.items())


# What the inspection found


def _missed(content: ReportContent, say: Say) -> str:
    found = content.inspection
    measured = [s for s in found.sentences if s.mean is not None]
    if not measured:
        return ""
    worst = sorted(measured, key=lambda s: (s.mean or Fraction(0), -len(s.sizes)))[:_MOST_MISSED]
    rows = [
        [
            words(s.place),
            words(s.rank or ""),
            words(s.text),
            Cell(text=str(len(s.sizes))),
            share_cell(s.mean, UNDEFINED),
            *(share_cell(s.values.get(system), UNDEFINED) for system in found.systems),
        ]
        for s in worst
    ]
    titles = [
        say("Sentence"),
        say("Rank"),
        say("Text"),
        say("Alternatives"),
        say("Mean"),
        *found.systems,
    ]
    n_missed = sum(s.mean == 0 for s in measured)
    note = say("{n} of {all} abstract sentences are missed by every system.")
    return (
        heading(say("The sentences that systems miss most"))
        + paragraph(note.format(n=n_missed, all=len(measured)))
        + paragraph(content.inspection_note, "muted")
        + table(titles, rows, name="missed")
    )


def _spending(found: Inspection, say: Say) -> str:
    if not any(spent.n_asked for spent in found.spending.values()):
        return ""
    rows = []
    for system, spent in found.spending.items():
        parts = (
            spent.n_useful,
            spent.n_redundant,
            spent.n_irrelevant,
            spent.n_repeated,
            spent.n_unused,
        )
        shares = [(n, spent.share(n)) for n in parts]
        rows.append(
            [
                words(system),
                Cell(text=str(spent.n_asked)),
                *(
                    Cell(text=UNDEFINED)
                    if share is None
                    else Cell(text=f"{float(share):.1%}", tip=str(n), share=float(share))
                    for n, share in shares
                ),
            ]
        )
    titles = [
        say("System"),
        say("Places"),
        say("Useful"),
        say("Redundant"),
        say("Irrelevant"),
        say("Repeated"),
        say("Unused"),
    ]
    return heading(say("What each system spent its places on")) + table(
        titles, rows, name="spending"
    )


def _buckets(found: Inspection, say: Say) -> str:
    systems = found.systems
    groups = (
        (say("Rank"), by_rank(found.sentences, systems)),
        (say("Number of alternatives"), by_alternatives(found.sentences, systems)),
        (say("Size of the smallest alternative"), by_size(found.sentences, systems)),
        (say("Place of the earliest member in its document"), by_place(found.sentences, systems)),
    )
    rows = [
        [
            words(feature),
            words(_range(bucket, say)),
            Cell(text=str(bucket.n)),
            share_cell(bucket.mean, UNDEFINED),
            *(share_cell(bucket.means[system], UNDEFINED) for system in systems),
        ]
        for feature, group in groups
        for bucket in group
    ]
    if not rows:
        return ""
    titles = [say("Feature"), say("Value"), say("Sentences"), say("Mean"), *systems]
    return heading(say("Where errors gather")) + table(titles, rows, name="buckets")


def _range(bucket: Bucket, say: Say) -> str:
    if bucket.lowest is None:
        return say("none")
    if bucket.highest is None:
        return say("{n} or more").format(n=bucket.lowest)
    if bucket.lowest == bucket.highest:
        return str(bucket.lowest)
    return f"{bucket.lowest}–{bucket.highest}"


def _topics(content: ReportContent, say: Say) -> str:
    found = content.inspection
    by_topic: dict[str, list[InspectedSentence]] = {}
    for sentence in found.sentences:
        by_topic.setdefault(sentence.key.topic, []).append(sentence)
    titles = [say("Sentence"), say("Rank"), say("Text"), *found.systems]
    parts = []
    for topic in content.corpus.topics:
        sentences = by_topic.get(topic.id)
        if not sentences:
            continue
        rows = [
            [
                words(s.place),
                words(s.rank or ""),
                words(s.text),
                *(share_cell(s.values.get(system), UNDEFINED) for system in found.systems),
            ]
            for s in sentences
        ]
        summary = f"{topic.id}  {topic.title}" if topic.title else topic.id
        parts.append(fold(summary, table(titles, rows, name=f"topic-{topic.id}")))
    return heading(say("Topic by topic")) + "".join(parts) if parts else ""


def _remarks(scores: ScoreTable, say: Say) -> str:
    if not scores.warnings:
        return ""
    return heading(say("Remarks")) + bullets(str(warning) for warning in scores.warnings)
