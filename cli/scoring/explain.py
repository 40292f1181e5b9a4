"""Explanations: `awase explain` by units, and `awase clusters` by words."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awase.cli import options
from awase.cli.corpora import open_corpus, subset_for
from awase.cli.output.messages import ProgressBar, counted, one_line, print_problems
from awase.cli.output.report import Output, Report, emit, report_of
from awase.core.errors import NOTHING, InputError
from awase.core.reports.grid import (
    Column,
    Field,
    Shown,
    attributes,
    grid_of_records,
    grid_of_texts,
    tuple_fields,
)

if TYPE_CHECKING:
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.pruned import ClusterReport
    from awase.core.metrics.pseudo_pyramid import Explained
    from awase.core.metrics.pseudo_pyramid_matching import UnitMatch
    from awase.core.metrics.subtree import ExplainedPair
    from awase.core.metrics.subtree_similarity import SubtreeMatch
    from awase.core.records.parse import ParsedSentence

    Sentences = Sequence[ParsedSentence]


SUBTREE = "subtree"


@options.corpus_command(
    "explain",
    "awase explain tsc3.awase --topic 0310 --system lead",
    "awase explain tsc3.awase -m pseudo-pyramid:unit=sentence --topic 0310 --json",
    "awase explain tsc3.awase -m subtree --model FOLDER --topic 0310 --system lead",
)
@options.metric_option(options.PYRAMID, "pseudo-pyramid or subtree, with its options.")
@click.option("--model", metavar="FOLDER", help=options.MODEL_HELP)
@options.topics_option()
@options.systems_option()
@options.oracles_option()
@options.edus_option()
@options.output_options()
def explain(
    corpus: str,
    metric: str,
    model: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    oracles: Path | None,
    edus: Path | None,
    output: Output,
) -> None:
    """Show what the scores of each output in CORPUS are based on.

    For pseudo-pyramid: which oracle units it found, at what weight, and missed; a unit that was
    found twice is paid once. For subtree: the scores by length of subtrees, and each subtree of the
    output and of each reference with its best partner.
    """
    request = _explainable(metric)
    opened = open_corpus(corpus, (request,))
    print_problems("warning", opened.warnings)
    chosen = subset_for(opened.corpus, topics, systems).part_of(opened.corpus)
    supplier = options.supplier_for(
        opened.supplies, (request,), model=model, oracles=oracles, edus=edus
    )
    with ProgressBar("Explaining") as bar:
        gathered = supplier(chosen, [request], bar)
        if request.name == SUBTREE:
            from awase.core.metrics.subtree import explain as explain_pairs

            report = _report_of_pairs(tuple(explain_pairs(chosen, request, bar, gathered)))
        else:
            from awase.core.metrics.pseudo_pyramid import explain as explain_pyramids

            report = _report_of_pyramids(tuple(explain_pyramids(chosen, request, bar, gathered)))
    emit(report, output)


def _explainable(metric: str) -> "MetricRequest":
    """Returns the request of the only metric to explain."""
    from awase.core.metrics.registry import requests_of

    (request, *others) = requests_of([metric])
    if request.name not in (options.PYRAMID, SUBTREE) or others:
        raise InputError.of(
            "Only {metric} and {other} can be explained.",
            "Use -m {metric} or -m {other}.",
            metric=options.PYRAMID,
            other=SUBTREE,
        )
    return request


def _parted(parts: Iterator[Shown]) -> Shown:
    """Yields texts separated by blank lines."""
    for number, part in enumerate(parts):
        yield from [""] if number else []
        yield from part


def _report_of_pyramids(explained: "Sequence[Explained]") -> Report:
    columns = ("topic", "length", "system", "unit", "text", "weight", "found", "found_by",
               "common_tokens", "tokens")  # fmt: skip
    return report_of(
        tuple_fields(*columns),
        chain.from_iterable(map(_units, explained)),
        shown=lambda: _parted(map(_unit_lines, explained)),
        json=lambda: [("explained", map(_record, explained))],
    )


def _matches(one: "Explained") -> "dict[int, UnitMatch]":
    return {match.oracle_idx: match for match in one.matching.matches}


def _units(one: "Explained") -> Iterator[tuple[object, ...]]:
    """Yields each unit of the oracles, with its matches."""
    from awase.core.metrics.kit.signature import weight_text

    found = _matches(one)
    for idx, unit in enumerate(one.pyramid.units):
        match = found.get(idx)
        yield (
            one.topic,
            one.length,
            one.system,
            unit.unit.id,
            unit.unit.text,
            weight_text(unit.weight),
            match is not None,
            None if match is None else one.units[match.system_idx],
            None if match is None else match.common,
            len(unit.tokens),
        )


def _unit_lines(one: "Explained") -> Iterator[str]:
    from awase.core.metrics.kit.signature import weight_text

    value = "undefined" if one.value is None else f"{float(one.value):.4f}"
    length = f" {one.length}" if one.length else ""
    yield (
        f"{one.topic}{length} {one.system}: {weight_text(one.matching.paid)} / "
        f"{weight_text(one.pyramid.upper)} = {value}"
    )
    found, texts = _matches(one), [*map(one_line, one.units)]
    matched = {match.system_idx for match in one.matching.matches}
    for idx, unit in enumerate(one.pyramid.units):
        mark = "found " if idx in found else "missed"
        text = one_line(unit.unit.text)
        yield f"  {mark}  weight {weight_text(unit.weight)}  {unit.unit.id}  {text}"
        if idx in found:
            match = found[idx]
            shared = f"{match.common}/{counted(len(unit.tokens), 'token')}"
            yield f"          by   {shared}  {texts[match.system_idx]}"
        for other in one.matching.others:
            if other.oracle_idx == idx and other.system_idx not in matched:
                yield f"          again, not paid  {texts[other.system_idx]}"
    alike = matched | {match.system_idx for match in one.matching.others}
    yield from (f"  in no oracle  {text}" for idx, text in enumerate(texts) if idx not in alike)


def _record(one: "Explained") -> dict[str, Any]:
    """Returns the explanation's JSON value."""
    from awase.core.metrics.kit.signature import weight_text

    found = _matches(one)
    return {
        **attributes(one, "topic", "length", "system"),
        "value": None if one.value is None else float(one.value),
        "paid": weight_text(one.matching.paid),
        "upper": weight_text(one.pyramid.upper),
        "units": list(one.units),
        "oracle": [
            {
                "unit": unit.unit.id,
                "text": unit.unit.text,
                "weight": weight_text(unit.weight),
                "found_by": found[idx].system_idx if idx in found else None,
                "common_tokens": found[idx].common if idx in found else None,
                "tokens": len(unit.tokens),
                "also_found_by": [
                    other.system_idx for other in one.matching.others if other.oracle_idx == idx
                ],
            }
            for idx, unit in enumerate(one.pyramid.units)
        ],
    }


def _report_of_pairs(pairs: "Sequence[ExplainedPair]") -> Report:
    columns = ("topic", "length", "system", "reference", "subtree_of", "sentence", "text",
               "similarity", "partner")  # fmt: skip
    return report_of(
        tuple_fields(*columns),
        chain.from_iterable(map(_subtrees, pairs)),
        shown=lambda: _parted(map(_pair_shown, pairs)),
        json=lambda: [("explained", map(_pair_record, pairs))],
    )


def _sides(
    one: "ExplainedPair",
) -> "tuple[tuple[str, Sequence[SubtreeMatch], Sentences, Sentences], ...]":
    """Returns for system and reference: matches, sentences, the other's sentences."""
    found = one.comparison
    return (
        ("system", found.of_system, found.system, found.reference),
        ("reference", found.of_reference, found.reference, found.system),
    )


def _subtrees(one: "ExplainedPair") -> Iterator[tuple[object, ...]]:
    """Yields each subtree of the system's text and of the reference."""
    from awase.core.metrics.subtree_similarity import words_of

    for whose, matches, own, other in _sides(one):
        for match in matches:
            yield (
                one.topic,
                one.length,
                one.system,
                one.reference,
                whose,
                match.subtree.sentence_idx + 1,
                words_of(match.subtree, own),
                match.similarity,
                None if match.partner is None else words_of(match.partner, other),
            )


def _pair_shown(one: "ExplainedPair") -> Shown:
    """Yields F by length, then each subtree: matched ones first, the longest first."""
    from awase.core.metrics.subtree_similarity import words_of

    score = one.comparison.score
    length = f" {one.length}" if one.length else ""
    text = (
        "undefined"
        if score is None
        else f"R {score.recall:.4f}, P {score.precision:.4f}, F {score.f:.4f}"
    )
    yield f"{one.topic}{length} {one.system}, reference {one.reference}: {text}"
    if score is None:
        return
    yield ""
    yield grid_of_texts(
        [Column(title=title) for title in ("words", "of system", "of reference", "R", "P", "F")],
        [
            [
                (
                    str(row.length), str(row.n_system), str(row.n_reference),
                    f"{row.recall:.4f}", f"{row.precision:.4f}", f"{row.f:.4f}",
                )
                for row in score.lengths
            ]
        ],
    )  # fmt: skip
    titles = ("system, best partner in the reference",
              "reference, best partner in the system's text")  # fmt: skip
    for title, (_, matches, own, other) in zip(titles, _sides(one), strict=True):
        yield f"\n  of the {title}"
        for match in sorted(matches, key=_order):
            partner = "none" if match.partner is None else f"“{words_of(match.partner, other)}”"
            yield f"  {match.similarity:.4f}  “{words_of(match.subtree, own)}”  {partner}"


def _order(match: "SubtreeMatch") -> tuple[bool, int, float]:
    return match.partner is None, -match.length, -match.similarity


def _pair_record(one: "ExplainedPair") -> dict[str, Any]:
    """Returns the explanation's JSON value; words are numbered from 1."""
    from awase.core.metrics.subtree_similarity import words_of

    score = one.comparison.score
    return {
        **attributes(one, "topic", "length", "system", "reference"),
        "r": None if score is None else score.recall,
        "p": None if score is None else score.precision,
        "f": None if score is None else score.f,
        "lengths": [
            {
                "words": row.length, "n_system": row.n_system, "n_reference": row.n_reference,
                "r": row.recall, "p": row.precision, "f": row.f,
            }
            for row in (() if score is None else score.lengths)
        ],
        **{
            f"of_{whose}": [
                {
                    "sentence": match.subtree.sentence_idx + 1,
                    "words": [place + 1 for place in match.subtree.subtree.words],
                    "head": match.subtree.subtree.head + 1,
                    "text": words_of(match.subtree, own),
                    "similarity": match.similarity,
                    "partner": match.partner
                    and {
                        "sentence": match.partner.sentence_idx + 1,
                        "words": [place + 1 for place in match.partner.subtree.words],
                        "text": words_of(match.partner, other),
                    },
                }
                for match in matches
            ]
            for whose, matches, own, other in _sides(one)
        },
    }  # fmt: skip


@options.corpus_command(
    "clusters",
    "awase clusters tsc3.awase --topic 0310 --vectors vectors.bin",
    "awase clusters tsc3.awase -m pbe --topic 0310 --system lead --vectors vectors.bin",
    "awase clusters tsc3.awase -m prouge-1:vocabulary=topic,tokens=ja --vectors ja-ginza --json",
)
@options.metric_option("prouge-1", "prouge-1, prouge-2 or pbe.")
@click.option("--vectors", metavar="FILE", required=True, help=options.VECTORS_HELP)
@options.topics_option()
@options.systems_option()
@options.output_options()
def clusters(
    corpus: str,
    metric: str,
    vectors: str,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    output: Output,
) -> None:
    """Show which words of CORPUS pruned ROUGE or pruned BE merges.

    Words are merged for each system with its references, or with vocabulary=topic for all systems
    of a topic at once.
    """
    from awase.core.metrics.pruned import check_merging, cluster_reports
    from awase.core.metrics.registry import requests_of
    from awase.jobs.files.writing import TableForm

    request = check_merging(requests_of([metric]), metric)
    opened = open_corpus(corpus, [request])
    chosen = subset_for(opened.corpus, topics, systems).scored_of(opened.corpus, [request])
    supplies = options.supplier_for(opened.supplies, [request], vectors=vectors)
    with ProgressBar("Merging words") as bar:
        gathered = supplies(chosen, [request], bar)
        reports = tuple(cluster_reports(chosen, request, gathered, bar))
    print_problems("warning", opened.warnings)
    if not reports and output.form is not TableForm.JSON:
        raise InputError.of("There is nothing to compare.", "Import outputs and abstracts.")
    emit(_report_of_clusters(reports), output)


def _report_of_clusters(reports: "Sequence[ClusterReport]") -> Report:
    head: list[Field[Any]] = [  # rows are (report, merged words)
        Field("topic", "topic", lambda row: row[0].topic),
        Field("length", "length", lambda row: row[0].length or NOTHING),
        Field("system", "system", lambda row: row[0].system or "(all)"),
    ]
    counts = [
        *head,
        Field("", "words", lambda row: row[0].n_words, is_number=True),
        Field("", "with vector", lambda row: row[0].n_with_vector, is_number=True),
        Field("", "merged", lambda row: row[0].n_merges, is_number=True),
    ]
    fields = [
        *head,
        Field("in_references", "in references", lambda row: " ".join(row[1].in_references)),
        Field("in_outputs", "in output", lambda row: " ".join(row[1].in_outputs)),
        Field("distance", "distance", lambda row: row[1].distance,
              lambda row: f"{row[1].distance:.3f}", is_number=True),
    ]  # fmt: skip
    groups = [[(one, merged) for merged in one.merged] for one in reports if one.merged]

    def shown() -> Shown:
        yield grid_of_records(counts, [(one, None) for one in reports])
        if groups:
            yield ""
            yield grid_of_records(fields, *groups)
        yield ""
        yield reports[0].signature

    return report_of(
        fields if groups else (),
        [*chain.from_iterable(groups)],
        shown=shown,
        json=lambda: [("clusters", map(asdict, reports))],
        notes=(reports[0].signature,) if reports else (),
    )
