"""Minimal covers as a table for people, and how h is distributed."""

from collections import Counter
from collections.abc import Sequence

import click

from awase.cli.cover import Cover
from awase.cli.score_table import PROVISIONAL
from awase.cli.tables import Column, print_table


def print_cover_table(covers: Sequence[Cover], *, with_annotator: bool) -> None:
    """Prints one row for each abstract, then the distribution of h."""
    columns = [
        Column(title="topic"),
        Column(title="abstract"),
        *([Column(title="annotator")] if with_annotator else []),
        Column(title="h", is_number=True),
        Column(title="covers", is_number=True),
        Column(title="one minimal cover"),
    ]
    rows = [
        [
            cover.topic,
            cover.abstract,
            *([cover.annotator or ""] if with_annotator else []),
            _h(cover),
            _n_covers(cover),
            _sentences(cover),
        ]
        for cover in covers
    ]
    print_table(columns, [rows])
    click.echo()
    if any(cover.gold.provisional for cover in covers):
        click.echo(f"{PROVISIONAL} provisional: the annotation it rests on is not finished")
    _print_distribution(covers)


def _h(cover: Cover) -> str:
    mark = PROVISIONAL if cover.gold.provisional else " "
    report = cover.report
    if report is None:
        return f"undefined{mark}"
    if report.conflict:
        return f"none{mark}"
    return f"{report.h if report.h is not None else f'{report.lower}–{report.upper}'}{mark}"


def _n_covers(cover: Cover) -> str:
    if cover.report is None or cover.report.n_covers is None:
        return ""
    return f"{'' if cover.report.is_count_exact else '≥'}{cover.report.n_covers:,}"


def _sentences(cover: Cover) -> str:
    if cover.report is None:
        return ""
    if cover.report.conflict:
        return f"nothing covers sentences {', '.join(map(str, cover.report.conflict))}"
    return " ".join(map(str, cover.report.sentences))


def _print_distribution(covers: Sequence[Cover]) -> None:
    known = Counter(c.report.h for c in covers if c.report and c.report.h is not None)
    parts = [f"{h}: {number}" for h, number in sorted(known.items())]
    n_unknown = len(covers) - known.total()
    parts += [f"without: {n_unknown}"] if n_unknown else []
    things = "1 abstract" if len(covers) == 1 else f"{len(covers)} abstracts"
    click.echo(f"h over {things}  {{{', '.join(parts)}}}")
