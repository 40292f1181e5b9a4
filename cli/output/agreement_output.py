"""Agreement as JSON for programs, and as tables for people."""

from collections.abc import Sequence

from awase.cli.output.forms import InPieces, exact_record
from awase.cli.output.messages import say
from awase.cli.output.score_output import warning_record
from awase.cli.output.tables import print_table
from awase.core.agreement.measures.distances import SetDistance
from awase.core.agreement.study.effects import Effects
from awase.core.agreement.study.results import (
    AgreementDifference,
    AgreementRow,
    AgreementStudy,
    PairFacts,
    SentenceAgreement,
)
from awase.core.errors import Problem
from awase.core.reports.agreement_report import (
    By,
    names_text,
    reasons_of,
    report_of_agreement,
)
from awase.core.reports.grid import Column, columns_of
from awase.core.reports.numbers import change_text, decimal_text

_MAX_PAIRS = 30


def json_record(study: AgreementStudy, warnings: Sequence[Problem]) -> dict[str, object]:
    """Returns everything; what is undefined is null, and what is long is made when it is written.

    The values are as `json_pieces` takes them.
    """
    differences = study.agreement.differences
    compared = {"differences": [_difference(one) for one in differences]} if differences else {}
    return {
        "rows": [_row(row) for row in study.agreement.rows],
        "sentences": (exact_record(_sentence(one)) for one in study.agreement.sentences),
        "effects": map(_effects, study.effects),
        "warnings": [*map(warning_record, warnings)],
        **compared,
    }


def _row(row: AgreementRow) -> dict[str, object]:
    record: dict[str, object] = {
        "annotators": [*row.annotators],
        "distance": row.distance.value,
        "length": row.length,
        "items": row.n_items,
        "topics": row.n_topics,
        "observed": row.observed,
        "expected": row.expected,
        "alpha": row.alpha,
        "interval": None if row.interval is None else [row.interval.low, row.interval.high],
        "reason": None if row.reason is None else str(row.reason),
        "signature": row.signature,
    }
    if row.distance is SetDistance.LINKS:
        record |= {"f1": row.f1, "precision": row.precision, "recall": row.recall}
    if row.robot:
        record["robot"] = dict(row.robot)
    if row.gold:
        record["gold"] = dict(row.gold)
    return record


def _difference(one: AgreementDifference) -> dict[str, object]:
    return {
        "distance": one.distance.value,
        "first": [*one.first],
        "second": [*one.second],
        "alphas": [*one.alphas],
        "difference": one.value,
        "interval": None if one.interval is None else [one.interval.low, one.interval.high],
        "topics": one.n_topics,
        "reason": None if one.reason is None else str(one.reason),
    }


def _sentence(one: SentenceAgreement) -> dict[str, object]:
    return {
        "topic": one.topic,
        "abstract": one.abstract,
        "n": one.n,
        "annotators": [*one.annotators],
        "kind": one.kind.value,
        **{distance.value: value for distance, value in one.distances.items()},
    }


def _effects(one: Effects) -> InPieces:
    return InPieces({
        "annotators": [*one.annotators],
        "length": one.length,
        "h": (
            {"topic": size.topic, "abstract": size.abstract, "values": dict(size.values)}
            for size in one.h
        ),
        "mean_abs_h": None if one.mean_abs_h is None else float(one.mean_abs_h),
        "mean_abs_e": None if one.mean_abs_e is None else float(one.mean_abs_e),
        "n_e": one.n_e,
        "tau_b": one.tau_b,
        "coverage": {
            system: dict(zip(one.annotators, map(float, values), strict=True))
            for system, values in one.coverage.items()
        },
        "flipped": [[*pair] for pair in one.flipped],
        "signature": one.signature,
    })  # fmt: skip


def print_agreement(study: AgreementStudy, by: By) -> None:
    """Prints the table, and below it what explains it."""
    report = report_of_agreement(study, by)
    names = study.agreement.annotators
    groups: dict[str, list[list[str]]] = {}
    for row in report.rows:
        place = row[0].text if by is not By.SENTENCE and len(names) > 2 else ""
        groups.setdefault(place, []).append([cell.full_text() for cell in row])
    print_table(report.columns, [*groups.values()])
    if by is By.PAIR:
        _print_pairs(study.agreement.pairs)
        _print_ranks(study.agreement.pairs)
        _print_effects(study.effects)
        _print_differences(study.agreement.differences)
        for reason in reasons_of(study.agreement.rows):
            say(f"— {reason}")
        say("robot: the first candidate of each sentence, alone, against that annotator")
    if by is not By.SENTENCE:
        say()
        for agreement_row in study.agreement.rows:
            say(agreement_row.signature)


def _print_pairs(pairs: Sequence[PairFacts]) -> None:
    kinds = [*dict.fromkeys(kind for one in pairs for kind in one.kinds)]
    if not kinds:
        return
    columns = columns_of(("kind", *(names_text(one.annotators) for one in pairs[:_MAX_PAIRS])))
    rows = [
        [kind.value, *(str(one.kinds.get(kind, 0)) for one in pairs[:_MAX_PAIRS])]
        for kind in sorted(kinds, key=[*type(kinds[0])].index)
    ]
    facts = [
        ["explained by near-duplicates", *(_explained(one) for one in pairs[:_MAX_PAIRS])],
        ["who accepts more (bias)", *(_signed(one.bias) for one in pairs[:_MAX_PAIRS])],
    ]
    say()
    print_table(columns, [rows, facts])


def _print_ranks(pairs: Sequence[PairFacts]) -> None:
    """Prints which ranks the second annotator gave where the first gave another, and how often."""
    for pair in pairs[:_MAX_PAIRS]:
        if not pair.ranks:
            continue
        first, second = pair.annotators
        ranks = sorted({rank for both in pair.ranks for rank in both})
        columns = columns_of((f"ranks: {first} \\ {second}", *ranks))
        rows = [[own, *(str(pair.ranks.get((own, other), 0)) for other in ranks)] for own in ranks]
        say()
        print_table(columns, [rows])


def _explained(one: PairFacts) -> str:
    return f"{one.n_near_duplicates} of {one.n_different}"


def _signed(value: float | None) -> str:
    return decimal_text(value) if value is None else change_text(value)


def _print_effects(effects: Sequence[Effects]) -> None:
    if not effects:
        return
    numbers = ("mean |h1 − h2|", "mean |e1(i) − e2(i)|", "tau-b of systems")
    columns = (*columns_of(("annotators", *numbers)), Column(title="flipped"))
    rows = [
        [
            names_text(one.annotators),
            decimal_text(None if one.mean_abs_h is None else float(one.mean_abs_h)),
            decimal_text(None if one.mean_abs_e is None else float(one.mean_abs_e)),
            decimal_text(one.tau_b),
            ", ".join(f"{a}/{b}" for a, b in one.flipped),
        ]
        for one in effects
    ]
    say()
    print_table(columns, [rows])
    say()
    for one in effects:
        say(one.signature)
    say()


def _print_differences(differences: Sequence[AgreementDifference]) -> None:
    if not differences:
        return
    columns = columns_of(("distance", "compared", "topics", "alphas", "difference"), 2)
    print_table(columns, [[*map(_difference_cells, differences)]])
    for reason in dict.fromkeys(str(one.reason) for one in differences if one.reason is not None):
        say(f"— {reason}")
    say()


def _difference_cells(one: AgreementDifference) -> list[str]:
    bounds = one.interval
    interval = "" if bounds is None else f" [{change_text(bounds.low)}, {change_text(bounds.high)}]"
    return [
        one.distance.value,
        f"{names_text(one.first)} less {names_text(one.second)}",
        str(one.n_topics),
        ", ".join(map(decimal_text, one.alphas)),
        _signed(one.value) + interval,
    ]
