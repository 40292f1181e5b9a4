"""HTML report about the systems of a corpus, self-contained: its contents, and the page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import nsmallest
from html import escape
from itertools import groupby
from typing import Final

from awase.core.agreement.distances import SetDistance
from awase.core.agreement.results import AgreementStudy
from awase.core.analysis.explanation import Bucket, SentenceGroups
from awase.core.analysis.inspection import InspectedSentence, Inspection, inspect_topic, joined
from awase.core.errors import Problem, Reporter, filled
from awase.core.metrics.extracts.scorers import Tsc3Options, parse_request
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR, AnnotatorChoice
from awase.core.metrics.kit.signature import MetricRequest, option_text
from awase.core.metrics.registry import GROUPS
from awase.core.metrics.significance import CellKey, MeanInterval, column_of, key_of, names_of
from awase.core.plots.charts import Bar, bars, dots
from awase.core.plots.picture import svg_pieces
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable, means_in
from awase.core.reports.grid import UNDEFINED, Cell, decimal_text, text_cell, typeset
from awase.core.reports.study_report import By, report_of_agreement

Say = Callable[[str], str]  # translates the report's own texts
Tell = Callable[[Problem], str]  # formats a warning or the reason of an undefined value


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Language and texts of a report."""

    say: Say = str
    tell: Tell = str
    metric: Say = str
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """Contents of a report."""

    corpus: Corpus
    table: ScoreTable
    inspection: Inspection  # of the same topics; empty where nothing was inspected
    made: str
    inspection_note: str = ""
    intervals: Mapping[CellKey, MeanInterval] = field(default_factory=dict)
    interval_note: str = ""
    agreement: AgreementStudy | None = None  # None = no agreement


_NO_INTERVALS: Mapping[CellKey, MeanInterval] = {}


def composed(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    table: ScoreTable,
    *,
    made: str,
    reporter: Reporter,
    intervals: Mapping[CellKey, MeanInterval] = _NO_INTERVALS,
    interval_note: str = "",
) -> ReportContent:
    """Returns the content of a report about every topic of `corpus`."""
    annotator, options = inspected_as(requests, corpus)

    def each() -> Iterator[Inspection]:
        for at, topic in enumerate(corpus.topics):
            reporter.advance(at, len(corpus.topics), topic.id)
            yield replace(inspect_topic(topic, annotator, options), h={})  # reports do not use h

    return ReportContent(
        corpus=corpus,
        table=table,
        inspection=joined(each()),
        inspection_note=f"coverage:first={options.first},annotator={option_text(annotator)}",
        made=made,
        intervals=intervals,
        interval_note=interval_note,
    )


def inspected_as(requests: Sequence[MetricRequest], corpus: Corpus) -> tuple[str, Tsc3Options]:
    """Returns the annotators and the cut of extracts that the report inspects.

    Those of the first TSC-3 metric; by default, and for all annotators, the first ones.
    """
    for request in requests:
        if request.name in GROUPS["tsc3"]:
            known = parse_request(request, corpus.rank_weights)
            is_of_all = known.annotators.choice is AnnotatorChoice.ALL
            return FIRST_ANNOTATOR if is_of_all else known.annotator, Tsc3Options(
                first=known.options.first
            )
    return FIRST_ANNOTATOR, Tsc3Options()


_MOST_MISSED: Final = 20


_PLAIN: Final = Voice()


def html_pieces(content: ReportContent, voice: Voice = _PLAIN) -> Iterator[str]:
    """Yields the page piece by piece: the pages of large corpora have hundreds of megabytes."""
    say = voice.say
    name = content.corpus.name or say("Unnamed corpus")
    title = escape(f"{name} – Awase")
    yield (
        f'<!DOCTYPE html>\n<html lang="{voice.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(name)}</h1>\n"
    )
    yield paragraph(content.made, "muted")
    yield scores_section(content, voice)
    yield from plots_section(content, voice)
    yield _agreement(content, voice)
    yield _missed(content, voice)
    yield _spending(content.inspection, say)
    yield _buckets(content.inspection, say)
    yield from _topics(content, say)
    yield _remarks(content.table, voice)
    yield "</body>\n</html>\n"


def _agreement(content: ReportContent, voice: Voice) -> str:
    if content.agreement is None:
        return ""
    say = voice.say
    found = report_of_agreement(content.agreement, By.PAIR, voice.tell)
    titles = [
        say("Distance"),
        say("Annotators"),
        say("Sentences"),
        say("Topics"),
        say("Observed"),
        say("Expected"),
        "α",
        say("Robot"),
    ]
    note = say(
        "Krippendorff's alpha, chance within topics. The robot takes the first candidate of each "
        "sentence, alone."
    )
    called = _distances(say)
    rows = [
        [
            text_cell(called[distance.text]),
            *(replace(cell, is_number=at > 0) for at, cell in enumerate(others)),
        ]
        for distance, *others in found.rows
    ]
    return (
        heading(say("Agreement of annotators"))
        + paragraph(note)
        + table(titles, rows, name="agreement")
        + bullets(found.notes, "code")
    )


def _distances(say: Say) -> Mapping[str, str]:
    """Returns descriptions of distances by name."""
    return {
        SetDistance.ALTERNATIVES: say("Alternatives, matched one to one"),
        SetDistance.FUNCTION: say("Which extracts suffice (function)"),
        SetDistance.SUPPORT: say("All linked sentences (MASI)"),
        SetDistance.EQUAL: say("Same or not"),
        SetDistance.STATE: say("Has a source or not"),
        SetDistance.RANK: say("Ranks"),
        SetDistance.LINKS: say("Links (Cohen's kappa)"),
    }


# Results of the inspection


def _missed(content: ReportContent, voice: Voice) -> str:
    found, say = content.inspection, voice.say
    n_measured = n_missed = 0

    def measured() -> Iterator[InspectedSentence]:
        nonlocal n_measured, n_missed
        for sentence in found.sentences:
            if sentence.mean is not None:
                n_measured += 1
                n_missed += sentence.mean == 0
                yield sentence

    worst = nsmallest(
        _MOST_MISSED, measured(), key=lambda s: (s.mean or Fraction(0), -len(s.sizes))
    )
    if not worst:
        return ""
    rows = [
        [
            *map(text_cell, (s.place, s.rank or "", s.text)),
            Cell(text=str(len(s.sizes))),
            share_cell(s.mean),
            *(share_cell(s.values.get(system)) for system in found.systems),
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
    note = say("{n} of {all} abstract {all:sentence|sentences} {n:is|are} missed by every system.")
    return (
        heading(say("The sentences that systems miss most"))
        + paragraph(filled(note, {"n": n_missed, "all": n_measured}))
        + paragraph(voice.metric(content.inspection_note), "muted")
        + table(titles, rows, name="missed")
    )


def _spending(found: Inspection, say: Say) -> str:
    if not any(spent.n_asked for spent in found.spending.values()):
        return ""
    rows = []
    for system, spent in found.spending.items():
        shares = [(n, spent.share(n)) for n in spent.parts]
        rows.append(
            [
                text_cell(system),
                Cell(text=str(spent.n_asked)),
                *(
                    Cell(text=UNDEFINED)
                    if share is None
                    else Cell(text=f"{100 * float(share):.1f} %", tip=str(n), shade=float(share))
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
    features = (
        say("Rank"),
        say("Number of alternatives"),
        say("Size of the smallest alternative"),
        say("Place of the earliest member in its document"),
    )
    groups = zip(features, SentenceGroups(found.sentences, systems).features(), strict=True)
    rows = [
        [
            text_cell(feature),
            text_cell(range_text(bucket, say)),
            Cell(text=str(bucket.n)),
            share_cell(bucket.mean),
            *(share_cell(bucket.means[system]) for system in systems),
        ]
        for feature, group in groups
        for bucket in group
    ]
    if not rows:
        return ""
    titles = [say("Feature"), say("Value"), say("Sentences"), say("Mean"), *systems]
    return heading(say("Where errors cluster")) + table(titles, rows, name="buckets")


def range_text(bucket: Bucket, say: Say) -> str:
    """Returns a bucket's values: A, 2, 4–10, 11 and more."""
    if bucket.lowest is None:
        return say("none")
    if bucket.highest is None:
        return say("{n} or more").format(n=bucket.lowest)
    if bucket.lowest == bucket.highest:
        return str(bucket.lowest)
    return f"{bucket.lowest}–{bucket.highest}"


def _topics(content: ReportContent, say: Say) -> Iterator[str]:
    found = content.inspection
    title_of = {topic.id: topic.title for topic in content.corpus.topics}
    titles = [say("Sentence"), say("Rank"), say("Text"), *found.systems]
    if found.sentences:
        yield heading(say("Topic by topic"))
    # They are in the order of the topics.
    for topic_id, sentences in groupby(found.sentences, lambda one: one.key.topic):
        rows = [
            [
                *map(text_cell, (s.place, s.rank or "", s.text)),
                *(share_cell(s.values.get(system)) for system in found.systems),
            ]
            for s in sentences
        ]
        title = title_of.get(topic_id)
        summary = f"{topic_id}  {title}" if title else topic_id
        yield fold(summary, table(titles, rows, name=f"topic-{topic_id}"))


def _remarks(scores: ScoreTable, voice: Voice) -> str:
    if not scores.warnings:
        return ""
    return heading(voice.say("Remarks")) + bullets(map(voice.tell, scores.warnings))


def share_cell(value: Fraction | None) -> Cell:
    """Returns a cell of a value in 0..1 with its shade."""
    if value is None:
        return Cell(text=UNDEFINED)
    return Cell(text=decimal_text(value, 2), tip=str(value), shade=float(value))


def table(titles: Sequence[str], rows: Iterable[Sequence[Cell]], *, name: str) -> str:
    """Returns a table; `name` is its id on the page."""
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f'<div class="wide"><table id="{escape(name, quote=True)}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _cell(cell: Cell) -> str:
    attributes = ""
    if cell.is_number:
        attributes += ' class="number"'
    if cell.shade is not None:
        attributes += f' style="--share:{min(1.0, max(0.0, cell.shade)):.3f}" data-shade=""'
    if cell.tip:
        attributes += f' title="{escape(cell.tip, quote=True)}"'
    if cell.key:
        attributes += f' data-key="{escape(cell.key, quote=True)}"'
    return f"<td{attributes}>{escape(typeset(cell.text) if cell.is_number else cell.text)}</td>"


def heading(text: str, level: int = 2) -> str:
    """Returns a heading."""
    return f"<h{level}>{escape(text)}</h{level}>\n"


def paragraph(text: str, style: str = "") -> str:
    """Returns a paragraph; `style` is a class of the page's style sheet."""
    return f'<p class="{style}">{escape(text)}</p>\n' if style else f"<p>{escape(text)}</p>\n"


def bullets(texts: Iterable[str], style: str = "") -> str:
    """Returns a list."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ul class="{style}">{items}</ul>\n'


def fold(summary: str, content: str) -> str:
    """Returns collapsible content, expanded in print."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}</details>\n"


def figure(picture: Iterable[str]) -> Iterator[str]:
    """Yields an inline SVG picture."""
    yield "<figure>"
    yield from picture
    yield "</figure>\n"


STYLE = """
:root { color-scheme: light; --accent: 31, 95, 139; }
body { font: 15px/1.5 "Noto Sans", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", sans-serif;
  color: #1f2328; background: #fff; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { margin-top: 2.4rem; }
.muted { color: #5c636b; } .code { font: .82rem/1.5 monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #d9d9d3; text-align: left;
  vertical-align: top; }
th { background: #f5f5f2; font-weight: 600; } th:first-child { white-space: nowrap; }
td.number { text-align: right; white-space: nowrap; }
td[data-shade] { background: linear-gradient(to right, rgba(var(--accent), .28)
  calc(var(--share) * 100%), rgba(var(--accent), .05) calc(var(--share) * 100%)); }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
details { border: 1px solid #d9d9d3; border-radius: .3rem; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; font-weight: 600; }
@media print { details > * { display: block; } body { margin: 0; max-width: none; } }
"""


_MOST_DOTS: Final = 12  # systems for which a plot of topics can still be read


def scores_section(content: ReportContent, voice: Voice) -> str:
    """Returns the table of means and the signatures below it."""
    means, say = means_in(content.table.scores), voice.say
    names = _names(means)
    titles = {column: _title(column, name, voice) for column, name in names.items()}
    by_key = {key_of(score): score for score in means}
    rows = []
    for system in dict.fromkeys(score.system for score in means):
        row = [text_cell(system)]
        for column, name in names.items():
            score = by_key.get(replace(column, system=system))
            row.append(_score_cell(score, name, content, voice))
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
    for one in means:
        signatures.setdefault(one.signature, {})[titles[_column(one)]] = None
    parts.append(
        bullets((f"{', '.join(names)}: {text}" for text, names in signatures.items()), "code")
    )
    return "".join(parts)


def plots_section(content: ReportContent, voice: Voice) -> Iterator[str]:
    """Yields bars of every column, and its values by topic, if any."""
    means, say = means_in(content.table.scores), voice.say
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


def _column(score: Score) -> CellKey:
    """Returns the key of a score's column: length class and metric, of no system."""
    return CellKey(system="", length=score.length, column=column_of(score))


def _names(means: Sequence[Score]) -> Mapping[CellKey, str]:
    """Returns the columns' names, distinct by metric."""
    names = names_of(means)
    return {column: names[column.column] for column in map(_column, means)}


def _title(column: CellKey, name: str, voice: Voice) -> str:
    metric = voice.metric(name)
    return metric if column.length is None else f"{column.length} · {metric}"


def _score_cell(score: Score | None, name: str, content: ReportContent, voice: Voice) -> Cell:
    if score is None:
        return Cell(text=UNDEFINED, tip=voice.say("The system has no output for this."))
    key = f"{score.length or ''}/{score.system}/{name}"
    if score.value is None:
        tip = voice.tell(score.reason) if score.reason is not None else ""
        return Cell(text=UNDEFINED, tip=tip, key=key)
    interval = content.intervals.get(key_of(score))
    text = f"{float(score.value):.3f}{'*' if score.provisional else ''}"
    if interval is not None:
        text += f" [{interval.low:.3f}, {interval.high:.3f}]"
    tip = filled(voice.say("Mean over {n} {n:topic|topics}"), {"n": score.n_topics})
    return Cell(text=text, tip=tip, key=key)


def _bar(score: Score, content: ReportContent) -> Bar:
    interval = content.intervals.get(key_of(score))
    return Bar(
        label=score.system,
        value=None if score.value is None else float(score.value),
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
    )


def _by_topic(scores: ScoreTable, column: CellKey) -> list[tuple[str, list[tuple[str, float]]]]:
    rows: dict[str, list[tuple[str, float]]] = {}
    for score in scores.scores:
        if score.topic is not None and _column(score) == column:
            points = rows.setdefault(score.system, [])
            if score.value is not None:
                points.append((score.topic, float(score.value)))
    return list(rows.items())
