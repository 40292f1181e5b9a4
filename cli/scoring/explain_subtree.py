"""`awase explain -m subtree`: which subtrees of a text were matched with which of a reference."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from awase.cli.output.messages import say
from awase.cli.output.tables import print_table
from awase.core.metrics.subtree import ExplainedPair
from awase.core.metrics.subtree_similarity import SubtreeComparison, SubtreeMatch, words_of
from awase.core.records.parse import ParsedSentence
from awase.core.reports.grid import Column

PAIR_COLUMNS: Final = (
    "topic", "length", "system", "reference", "subtree_of", "sentence", "text", "similarity",
    "partner",
)  # fmt: skip


def print_pair(one: ExplainedPair) -> None:
    """Prints F by length, then each subtree: first those with a partner, the longest first."""
    found = one.comparison
    length = f" {one.length}" if one.length else ""
    score = (
        "undefined"
        if found.score is None
        else f"R {found.score.recall:.4f}, P {found.score.precision:.4f}, F {found.score.f:.4f}"
    )
    say(f"{one.topic}{length} {one.system}, reference {one.reference}: {score}")
    if found.score is None:
        return
    say()
    print_table(
        [Column(title=title) for title in ("words", "of system", "of reference", "R", "P", "F")],
        [
            [
                (
                    str(row.length), str(row.n_system), str(row.n_reference),
                    f"{row.recall:.4f}", f"{row.precision:.4f}", f"{row.f:.4f}",
                )
                for row in found.score.lengths
            ]
        ],
    )  # fmt: skip
    for title, matches, own, other in (
        ("of the system, best partner in the reference", found.of_system, found.system,
         found.reference),
        ("of the reference, best partner in the system's text", found.of_reference,
         found.reference, found.system),
    ):  # fmt: skip
        say(f"\n  {title}")
        for match in sorted(matches, key=_order):
            say(f"  {match.similarity:.4f}  {_line(match, own, other)}")


def _order(match: SubtreeMatch) -> tuple[bool, int, float]:
    return match.partner is None, -match.length, -match.similarity


def _line(
    match: SubtreeMatch, own: Sequence[ParsedSentence], other: Sequence[ParsedSentence]
) -> str:
    partner = "none" if match.partner is None else f"“{words_of(match.partner, other)}”"
    return f"“{words_of(match.subtree, own)}”  {partner}"


def pair_record(one: ExplainedPair) -> dict[str, Any]:
    """Returns the explanation as JSON holds it; words are numbered from 1."""
    found = one.comparison
    score = found.score
    return {
        "topic": one.topic,
        "length": one.length,
        "system": one.system,
        "reference": one.reference,
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
        "of_system": [*_records(found.of_system, found, is_system=True)],
        "of_reference": [*_records(found.of_reference, found, is_system=False)],
    }  # fmt: skip


def pair_rows(one: ExplainedPair) -> Iterator[dict[str, Any]]:
    """Yields a record for each subtree, of the system's text and of the reference."""
    for whose, matches, own, other in (
        ("system", one.comparison.of_system, one.comparison.system, one.comparison.reference),
        ("reference", one.comparison.of_reference, one.comparison.reference,
         one.comparison.system),
    ):  # fmt: skip
        for match in matches:
            partner = None if match.partner is None else words_of(match.partner, other)
            values = (
                one.topic, one.length, one.system, one.reference, whose,
                match.subtree.sentence_idx + 1, words_of(match.subtree, own), match.similarity,
                partner,
            )  # fmt: skip
            yield dict(zip(PAIR_COLUMNS, values, strict=True))


def _records(
    matches: Sequence[SubtreeMatch], found: SubtreeComparison, *, is_system: bool
) -> list[Any]:
    own, other = (found.system, found.reference) if is_system else (found.reference, found.system)
    return [
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
