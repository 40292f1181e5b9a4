"""ROUGE-1.5.5: options, and a run of it.

Perl compares their numbers as numbers and prints them as typed: `-t 1.0` is `-t 1`, and `-2 04` is
labelled ROUGE-S04.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import TypeVar

import numpy as np

from awase.core.errors import InputError, Listing, Problem, ScoringUndefinedError
from awase.core.metrics.kit.metric import LengthLimit, cuts_a_character
from awase.core.metrics.rouge.comparison import (
    Averages,
    Averaging,
    Counts,
    Floats,
    Formula,
    RougeComparison,
    RougeResampling,
    bootstrap,
    scores_of,
)
from awase.core.metrics.rouge.measures import Measures, count
from awase.core.metrics.rouge.tokens import Preparation, WordLists
from awase.core.metrics.rouge.units import BeMode, basic_elements, be_counts
from awase.core.rouge_files import BE_FORMATS, TEXT_FORMATS, Evaluation, sentences_of

T = TypeVar("T")
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """Options of one run of the program."""

    measures: Measures
    be_mode: BeMode | None  # `-3`; None = no basic elements
    preparation: Preparation
    formula: Formula
    resampling: RougeResampling  # `-r -c -p -t`
    confidence: str  # `-c` as typed, for printing
    prints_s: bool
    prints_su: bool
    prints_summaries: bool
    prints_counts: bool

    def labels(self) -> list[str]:
        """Returns the measures in the order in which they are printed."""
        labels = [f"ROUGE-{n}" for n in range(1, self.measures.longest_ngram + 1)]
        if self.measures.lcs:
            labels.append("ROUGE-L")
        if self.measures.weight is not None:
            labels.append(self.measures.label_w)
        if self.measures.skip and self.prints_s:
            labels.append(self.measures.label_s)
        if self.measures.skip and self.prints_su:
            labels.append(self.measures.label_su)
        if self.be_mode is not None:
            labels.append(f"ROUGE-BE-{self.be_mode.value}")
        return labels

    @property
    def has_text_measures(self) -> bool:
        """Whether any measure other than BE is requested."""
        measures = self.measures
        return bool(
            measures.longest_ngram or measures.lcs or measures.weight is not None or measures.skip
        )


def program_options(letters: Mapping[str, str], lists: WordLists | None = None) -> ProgramOptions:
    """Parses options by letter; flags have any value.

    `lists` are stop words and irregular forms; None = the distribution's.
    """
    if "M" in letters:
        raise InputError.of(
            "-M is not supported: ROUGE-1.5.5 then stems only the references, in some measures "
            "and not in others.",
            "Give -m, which stems systems and references.",
        )
    if "l" in letters and "b" in letters:
        raise InputError.of("-l and -b exclude each other.", "Give one.")
    scoring = _number(letters, "t", 0)
    return ProgramOptions(
        measures=_measures(letters),
        be_mode=_value(letters, "3", BeMode) if "3" in letters else None,
        preparation=Preparation(
            stem="m" in letters,
            drops_stop_words="s" in letters,
            limit=LengthLimit(words=_natural(letters, "l"), bytes=_natural(letters, "b")),
            lists=lists,
        ),
        formula=Formula.BEST if letters.get("f") == "B" else Formula.ALL,
        resampling=RougeResampling(
            n_resamples=_natural(letters, "r", 1000),
            confidence=_number(letters, "c", 95),
            alpha=_number(letters, "p", 0.5),
            averaging=Averaging.BY_TOKEN if scoring == 1 else Averaging.BY_SUMMARY,
        ),
        confidence=letters.get("c", "95"),
        prints_s="u" not in letters,
        prints_su="u" in letters or "U" in letters,
        prints_summaries="d" in letters,
        prints_counts=scoring == 2,
    )


def _measures(letters: Mapping[str, str]) -> Measures:
    gap = _number(letters, "2", -1)
    return Measures(
        # Perl counts up from 1 while it is not above the value; so it does for the gap.
        longest_ngram=math.floor(_from_0(letters, "n", 0)),
        lcs="x" not in letters and "3" not in letters,
        weight=_number(letters, "w", 0) if "w" in letters else None,
        weight_label=letters.get("w", ""),
        skip="2" in letters,
        gap=None if gap < 0 else math.floor(gap),
        gap_label="" if gap < 0 else letters["2"],
    )


def _natural(letters: Mapping[str, str], letter: str, default: int = 0) -> int:
    number = _from_0(letters, letter, default)
    if not number.is_integer():
        raise _no_value(letters, letter)
    return int(number)


def _from_0(letters: Mapping[str, str], letter: str, default: float) -> float:
    number = _number(letters, letter, default)
    if number < 0:
        raise InputError.of("-{letter} {value} is below 0.", letter=letter, value=letters[letter])
    return number


def _number(letters: Mapping[str, str], letter: str, default: float) -> float:
    if letter not in letters:
        return float(default)
    number = float(letters[letter]) if _NUMBER.fullmatch(letters[letter]) else math.inf
    if math.isinf(number):
        raise _no_value(letters, letter)
    return number


def _value(letters: Mapping[str, str], letter: str, kind: Callable[[str], T]) -> T:
    try:
        return kind(letters[letter])
    except ValueError as error:
        raise _no_value(letters, letter) from error


def _no_value(letters: Mapping[str, str], letter: str) -> InputError:
    return InputError.of(
        "“{value}” is not a value of -{letter}.", letter=letter, value=letters[letter]
    )


Contents = Mapping[str, bytes]  # the files' contents by path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Evaluations with the same references, compared together."""

    evaluations: tuple[Evaluation, ...]
    peers: tuple[tuple[str, str], ...]  # (evaluation id, system) of each summary
    paths: tuple[str, ...]


def systems_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """Returns every system once, sorted as the program sorts them (`-a`)."""
    return sorted({system for evaluation in evaluations for system, _ in evaluation.peers})


def paths_of(evaluations: Sequence[Evaluation], systems: Sequence[str]) -> list[str]:
    """Returns every file that is to be read, once."""
    paths: dict[str, None] = {}
    for group in _groups(evaluations, systems):
        paths |= dict.fromkeys((*group.evaluations[0].models, *group.paths))
    return list(paths)


def missing_summaries(
    evaluations: Sequence[Evaluation], systems: Sequence[str]
) -> Iterator[Problem]:
    """Yields a problem for each evaluation that has no summary of a system."""
    for system in systems:
        for evaluation in evaluations:
            if system not in dict(evaluation.peers):
                yield Problem(
                    what="Evaluation “{id}” has no summary of system “{system}”; it is left out.",
                    fields={"id": evaluation.id, "system": system},
                )


def cut_within_character(
    evaluations: Sequence[Evaluation],
    systems: Sequence[str],
    contents: Contents,
    options: ProgramOptions,
) -> list[str]:
    """Returns the files in which `-b` ends within a character of UTF-8."""
    n_bytes = options.preparation.limit.bytes
    if not n_bytes or not options.has_text_measures:
        return []
    return [
        path
        for group in _groups(evaluations, systems)
        for path in dict.fromkeys((*group.evaluations[0].models, *group.paths))
        if _is_utf8(contents[path]) and cuts_a_character(_text(path, group, contents), n_bytes)
    ]


def _is_utf8(content: bytes) -> bool:
    if content.isascii():
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def printed_lines(
    evaluations: Sequence[Evaluation],
    systems: Sequence[str],
    contents: Contents,
    options: ProgramOptions,
) -> Iterator[str]:
    """Yields the lines that ROUGE-1.5.5 prints for the systems, in order, without line ends.

    `contents` has all files of `paths_of`.
    """
    labels = options.labels()
    values = _values(evaluations, systems, contents, options)
    averages = _averages(values, systems, labels, options) if not options.prints_counts else {}
    are_counts = options.prints_counts or options.resampling.averaging is Averaging.BY_TOKEN
    for system in systems:
        for label in labels:
            title = f"{system} {label}"
            of_system = values[system, label]
            if options.prints_counts:
                rows = [of_system[id_] for id_ in sorted(of_system)]
                yield from count_lines(title, np.array(rows).reshape(-1, 3))
            else:
                yield from average_lines(title, averages[system, label], options.confidence)
            if options.prints_summaries:
                yield from summary_lines(title, of_system, are_counts=are_counts)


def _groups(evaluations: Sequence[Evaluation], systems: Sequence[str]) -> list[_Group]:
    wanted = frozenset(systems)
    by_models: dict[tuple[str, tuple[str, ...]], list[Evaluation]] = {}
    for evaluation in evaluations:
        key = (evaluation.format_name.upper(), evaluation.models)
        by_models.setdefault(key, []).append(evaluation)
    groups: list[_Group] = []
    for members in by_models.values():
        peers = [
            (evaluation.id, system, path)
            for evaluation in members
            for system, path in evaluation.peers
            if system in wanted
        ]
        if peers:
            groups.append(
                _Group(
                    evaluations=tuple(members),
                    peers=tuple((id_, system) for id_, system, _ in peers),
                    paths=tuple(path for _, _, path in peers),
                )
            )
    return groups


_Values = dict[tuple[str, str], dict[str, Floats]]  # by system and label, then by summary


def _values(
    evaluations: Sequence[Evaluation],
    systems: Sequence[str],
    contents: Contents,
    options: ProgramOptions,
) -> _Values:
    """Returns the values to be averaged: scores of the summaries, or their counts."""
    are_counts = options.prints_counts or options.resampling.averaging is Averaging.BY_TOKEN
    groups = _groups(evaluations, systems)
    counted = _text_counts(groups, contents, options)
    if options.be_mode is not None:
        for counts, group in zip(counted, groups, strict=True):
            counts[f"ROUGE-BE-{options.be_mode.value}"] = _be_counts(group, contents, options)
    result: _Values = {(system, label): {} for system in systems for label in options.labels()}
    root_of: dict[str, float] = {}
    for group, counts in zip(groups, counted, strict=True):
        for label in options.labels():
            root_of[label] = counts[label].root
            totals = counts[label].totals(options.formula)
            for (id_, system), row in zip(group.peers, totals, strict=True):
                result[system, label][f"{id_}.{system}"] = row
    if not are_counts:
        for (system, label), rows in result.items():
            if rows:
                stacked = np.array([*rows.values()])
                scores = scores_of(stacked, options.resampling.alpha, root_of[label])
                result[system, label] = dict(zip(rows, scores, strict=True))
    return result


def _text_counts(
    groups: Sequence[_Group], contents: Contents, options: ProgramOptions
) -> list[dict[str, Counts]]:
    if not options.has_text_measures:
        return [{} for _ in groups]
    comparisons = [
        RougeComparison(
            peers=[_text(path, group, contents) for path in group.paths],
            models=[_text(path, group, contents) for path in group.evaluations[0].models],
        )
        for group in groups
    ]
    counted = count(comparisons, options.measures, options.preparation)
    if options.measures.weight is not None:
        _refuse_empty(groups, counted, options.measures.label_w)
    return counted


def _refuse_empty(
    groups: Sequence[_Group], counted: Sequence[Mapping[str, Counts]], label: str
) -> None:
    """Raises if a reference has no token, of which the program dies under ROUGE-W."""
    problems = [
        Problem(
            what="ROUGE-W is undefined: the reference has no token that ROUGE-1.5.5 counts.",
            hint="Leave -w out, or the reference.",
            source=path,
        )
        for group, counts in zip(groups, counted, strict=True)
        for path, n in zip(group.evaluations[0].models, counts[label].models, strict=True)
        if not n
    ]
    if problems:
        raise ScoringUndefinedError(problems)


def _text(path: str, group: _Group, contents: Contents) -> list[bytes]:
    return sentences_of(contents[path], _format(group, TEXT_FORMATS))


def _be_counts(group: _Group, contents: Contents, options: ProgramOptions) -> Counts:
    format_name = _format(group, BE_FORMATS)
    peers, models = (
        [basic_elements(sentences_of(contents[path], format_name), path) for path in paths]
        for paths in (group.paths, group.evaluations[0].models)
    )
    assert options.be_mode is not None
    return be_counts(peers, models, options.be_mode, stemmer=options.preparation.stemmer())


def _format(group: _Group, known: Sequence[str]) -> str:
    """Returns the format of the group's files; text measures and BE differ."""
    evaluation = group.evaluations[0]
    if evaluation.format_name.upper() not in known:
        raise InputError.of(
            "Evaluation “{id}” has summaries in format {format}, which the requested measure "
            "cannot read.",
            "It reads {known}. Basic elements (-3) are SIMPLE; text measures are not.",
            id=evaluation.id,
            format=evaluation.format_name,
            known=Listing(known),
        )
    return evaluation.format_name


def _averages(
    values: _Values, systems: Sequence[str], labels: Sequence[str], options: ProgramOptions
) -> dict[tuple[str, str], Averages]:
    """Returns the averages; systems with equally many summaries are resampled together."""
    by_size: dict[int, list[tuple[str, str]]] = {}
    for system in systems:
        for label in labels:
            by_size.setdefault(len(values[system, label]), []).append((system, label))
    result: dict[tuple[str, str], Averages] = {}
    for n_summaries, keys in by_size.items():
        stacked = np.zeros((n_summaries, len(keys), 3))
        for index, key in enumerate(keys):
            rows = values[key]
            for place, id_ in enumerate(sorted(rows)):
                stacked[place, index] = rows[id_]
        averages = bootstrap(stacked, options.resampling)
        for index, key in enumerate(keys):
            result[key] = Averages(
                mean=averages.mean[index], low=averages.low[index], high=averages.high[index]
            )
    return result


_RULE = "-" * 45
_DOTS = "." * 45
_LEADING_INTEGER = re.compile("[0-9]+")


def average_lines(title: str, averages: Averages, confidence: str) -> Iterator[str]:
    """Yields the block of one measure, with averages (3,)."""
    yield _RULE
    for name, mean, low, high in zip(
        "RPF", averages.mean.tolist(), averages.low.tolist(), averages.high.tolist(), strict=True
    ):
        yield (
            f"{title} Average_{name}: {mean:.5f} ({confidence}%-conf.int. {low:.5f} - {high:.5f})"
        )


def count_lines(title: str, totals: Floats) -> Iterator[str]:
    """Yields the block of one measure under `-t 2`; (n, 3) totals in the order of the ids."""
    sums = [0.0, 0.0, 0.0]
    for row in totals.tolist():
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    models, peers, hits = (int(total) for total in sums)
    yield _RULE
    yield f"{title} M_count: {models} P_count: {peers} H_count: {hits}"


def summary_lines(title: str, values: Mapping[str, Floats], *, are_counts: bool) -> Iterator[str]:
    """Yields a line for each summary (`-d`), given three values by its id.

    Raw counts are of references, of the summary, matched: `-t 1` and `-t 2` print these under the
    names R, P and F.
    """
    form = ".15g" if are_counts else ".5f"
    yield _DOTS
    for id_ in sorted(sorted(values), key=cmp_to_key(_by_number)):
        models, peers, hits = np.asarray(values[id_]).tolist()
        yield f"{title} Eval {id_} R:{models:{form}} P:{peers:{form}} F:{hits:{form}}"


def _by_number(left: str, right: str) -> int:
    """Compares ids by leading numbers, as text without one.

    Differs: equal numbers stay in the order of the text; in Perl they come in any order.
    """
    numbers = [_LEADING_INTEGER.match(id_) for id_ in (left, right)]
    if numbers[0] and numbers[1]:
        return int(numbers[0][0]) - int(numbers[1][0])
    return (left > right) - (left < right)
