"""Everything about the systems of a corpus on one HTML page that loads nothing from anywhere."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from heapq import nsmallest
from html import escape
from itertools import groupby
from typing import Final

from awase.core.agreement.measures.distances import Distance
from awase.core.inspection.explanation import Bucket, groups_of_many
from awase.core.inspection.sentences import InspectedSentence, Inspection
from awase.core.records.score import ScoreTable
from awase.core.reports.agreement_report import By, report_of_agreement
from awase.core.reports.content import ReportContent, Say, Voice
from awase.core.reports.grid import UNDEFINED, Cell
from awase.core.reports.parts import (
    STYLE,
    bullets,
    fold,
    heading,
    paragraph,
    share_cell,
    table,
    words,
)
from awase.core.reports.score_sections import plots_section, scores_section

_MOST_MISSED: Final = 20


_PLAIN: Final = Voice()


def html_report(content: ReportContent, voice: Voice = _PLAIN) -> str:
    """Returns the page, as `html_pieces` yields it."""
    return "".join(html_pieces(content, voice))


def html_pieces(content: ReportContent, voice: Voice = _PLAIN) -> Iterator[str]:
    """Yields the page piece by piece: the pages of large corpora have hundreds of megabytes.

    Args:
        content: What it is about.
        voice: In whose words.
    """
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
            words(called[distance.text]),
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
    """Returns what is compared, by its name in results."""
    return {
        Distance.ALTERNATIVES: say("Alternatives, matched one to one"),
        Distance.FUNCTION: say("Which extracts suffice (function)"),
        Distance.SUPPORT: say("All linked sentences (MASI)"),
        Distance.EQUAL: say("Same or not"),
        Distance.STATE: say("Has a source or not"),
        Distance.RANK: say("Ranks"),
        Distance.LINKS: say("Links (Cohen's kappa)"),
    }


# What the inspection found


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
            words(s.place),
            words(s.rank or ""),
            words(s.text),
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
    note = say("{n} of {all} abstract sentences are missed by every system.")
    return (
        heading(say("The sentences that systems miss most"))
        + paragraph(note.format(n=n_missed, all=n_measured))
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
                words(system),
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
    groups = zip(features, groups_of_many(found.sentences, systems), strict=True)
    rows = [
        [
            words(feature),
            words(range_text(bucket, say)),
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
    return heading(say("Where errors gather")) + table(titles, rows, name="buckets")


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
    # They stand in the order of the topics.
    for topic_id, sentences in groupby(found.sentences, lambda one: one.key.topic):
        rows = [
            [
                words(s.place),
                words(s.rank or ""),
                words(s.text),
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
