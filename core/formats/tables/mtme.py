"""The data folder of mt-metrics-eval, version 2: one language pair of a test set.

sources/PAIR.txt              a segment a line; so are the next two
references/PAIR.NAME.txt
system-outputs/PAIR/NAME.txt
documents/PAIR.docs           DOMAIN and DOCUMENT of each segment
human-scores/PAIR.NAME.LEVEL.score     SYSTEM and SCORE; LEVEL is sys, seg, doc or domain

A segment becomes a topic, so that scores of segments are scores of topics.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from awase.core.errors import CorpusFormatError, Missing, Problem, raise_if_any
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import TopicParts, known_ids
from awase.core.formats.scores.score_files import rows_of_wmt
from awase.core.formats.scores.score_rows import human_scores
from awase.core.formats.tables.parallel_text import (
    Items,
    ParallelColumn,
    add_items,
    check_equal_lengths,
    lines_of,
    read_column,
)

_LEVEL = re.compile(r".*\.(sys|seg|doc|domain)\.score")
_READ_LEVELS = ("sys", "seg")


def read(request: ReadRequest) -> ReadResult:
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
                what="References stand among the systems and are left out there: {names}.",
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
            hint="Write both, parted by a tab.",
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
