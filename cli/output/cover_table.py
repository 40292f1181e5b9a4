"""Minimal covers as a table for people, and how h is distributed."""

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from awase.cli.output.messages import say
from awase.cli.output.score_output import PROVISIONAL
from awase.cli.output.tables import print_table
from awase.core.reports.grid import Column
from awase.jobs.covers import AbstractCover

_BETWEEN_COLUMNS: Final = 3
_LEAST_COVER: Final = 24


def print_cover_table(covers: Sequence[AbstractCover], *, with_annotator: bool) -> None:
    """Prints one row for each abstract, then the distribution of h."""
    columns = [
        Column(title="topic"),
        Column(title="abstract"),
        *([Column(title="annotator")] if with_annotator else []),
        Column(title="h", is_number=True),
        Column(title="covers", is_number=True),
        Column(title="one minimal cover"),
    ]
    print_table(columns, [_rows(columns, covers, with_annotator=with_annotator)])
    say()
    if any(cover.is_provisional for cover in covers):
        say(f"{PROVISIONAL} provisional: the annotation it rests on is not finished")
    _print_distribution(covers)


def _rows(
    columns: Sequence[Column], covers: Sequence[AbstractCover], *, with_annotator: bool
) -> Iterator[list[str]]:
    """Yields the rows with the covers broken so that the table fits the terminal.

    A table that goes into a pipe is as wide as 80 columns; scripts have --json.
    """
    widths = [len(column.title) for column in columns[:-1]]
    for cover in covers:
        widths = [*map(max, widths, map(len, _beside(cover, with_annotator=with_annotator)))]
    width = shutil.get_terminal_size().columns - sum(widths) - _BETWEEN_COLUMNS * len(widths)
    width = max(_LEAST_COVER, width)
    for cover in covers:
        text = textwrap.fill(_sentences(cover), width, break_long_words=False)
        yield [*_beside(cover, with_annotator=with_annotator), text]


def _beside(cover: AbstractCover, *, with_annotator: bool) -> list[str]:
    whose = [cover.annotator or ""] if with_annotator else []
    return [cover.topic, cover.abstract, *whose, _h(cover), _n_covers(cover)]


def _h(cover: AbstractCover) -> str:
    mark = PROVISIONAL if cover.is_provisional else " "
    report = cover.report
    if report is None:
        return f"undefined{mark}"
    if report.conflict:
        return f"none{mark}"
    return f"{report.h if report.h is not None else f'{report.lower}–{report.upper}'}{mark}"


def _n_covers(cover: AbstractCover) -> str:
    if cover.report is None or cover.report.n_covers is None:
        return ""
    return f"{'' if cover.report.is_count_exact else '≥'}{cover.report.n_covers:,}"


def _sentences(cover: AbstractCover) -> str:
    if cover.report is None:
        return ""
    if cover.report.conflict:
        return f"nothing covers sentences {', '.join(map(str, cover.report.conflict))}"
    return " ".join(map(str, cover.report.sentences))


def _print_distribution(covers: Sequence[AbstractCover]) -> None:
    known = Counter(c.report.h for c in covers if c.report and c.report.h is not None)
    parts = [f"{h}: {number}" for h, number in sorted(known.items())]
    n_unknown = len(covers) - known.total()
    parts += [f"without: {n_unknown}"] if n_unknown else []
    things = "1 abstract" if len(covers) == 1 else f"{len(covers)} abstracts"
    say(f"h over {things}  {{{', '.join(parts)}}}")
