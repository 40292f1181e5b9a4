"""Extractive oracles: the units within a length limit with most overlap with ONE reference.

    maximise    sum over the reference's n-grams g of z_g
    subject to  z_g <= sum over units i of N_g(i) x_i,   0 <= z_g <= N_g(R),
                sum over units i of length_i x_i <= L,   x binary

Ties: least length, then first units. N-grams do not cross units.

Source: Hirao, Nishino, Suzuki and Nagata (2017), “Enumeration of extractive oracle summaries”, as
    Hirao, Kamigaito and Nagata, “抽出型オラクルを利用した要約の自動評価”, section 2, use it.

Units are sentences, or clause-like parts of sentences called EDUs.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from awase.core.errors import CorpusFormatError, Missing
from awase.core.kernel.binding import kernel, passed
from awase.core.language.basic_elements import RELATIONS, base, enhanced_edges, normal_relation
from awase.core.records.parse import Parse, ParsedSentence, ParsedWord
from awase.core.records.source import SentenceRef
from awase.core.solvers.budget import (
    BY_GAIN,
    BY_RATE,
    RULES,
    BudgetProblem,
    gains_alone,
    greedy,
    is_irredundant,
    value_of,
)
from awase.core.solvers.budget_solving import DEFAULT_ENGINE, ignore_bounds, optima_of, solve_budget
from awase.core.solvers.cover import Status
from awase.core.text.numbered_tokens import NumberedTexts
from awase.core.text.tokenisers import has_unspaced_script

Span = tuple[int, int]  # offsets of the first character and behind the last

_ID = re.compile(r"(?P<ref>.+)@(?P<start>[0-9]{1,9})-(?P<end>[0-9]{1,9})", re.DOTALL)


class Splitter(Protocol):
    """Cuts sentences into units; pure, and the same for equal text."""

    @property
    def id(self) -> str: ...  # noqa: D102

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the units of a sentence are, in order, none overlapping."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Unit:
    """A part of a source sentence, identified by address and span, whichever splitter found it."""

    ref: SentenceRef
    start: int  # offset of its first character in the sentence
    end: int  # offset behind its last
    text: str

    @property
    def id(self) -> str:
        """Returns `<document id>:<n>@<start>-<end>`."""
        return f"{self.ref}@{self.start}-{self.end}"


def parse_unit_id(text: str) -> tuple[SentenceRef, Span]:
    """Returns the address and the span in a unit's id."""
    match = _ID.fullmatch(text)
    if match is None:
        raise CorpusFormatError.of(
            "“{text}” is not the id of a unit.", "Write <document id>:<n>@<start>-<end>.", text=text
        )
    return SentenceRef.parse(match["ref"]), (int(match["start"]), int(match["end"]))


class WholeSentences:
    """The splitter that leaves sentences whole."""

    id = "sentence"

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns the stripped sentence; nothing for a blank one."""
        if text and not text[0].isspace() and not text[-1].isspace():
            return ((0, len(text)),)
        return trimmed(text, [(0, len(text))])


def trimmed(text: str, spans: Iterable[Span]) -> list[Span]:
    """Strips the spans and drops blank ones."""
    kept = []
    for start, end in spans:
        piece = text[start:end]
        if piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            kept.append((first, first + len(piece.strip())))
    return kept


def source_units(
    text_by_ref: Mapping[SentenceRef, str], splitter: Splitter, language: str
) -> list[Unit]:
    """Returns the units of a topic's sentences, in their order."""
    return [
        Unit(ref=ref, start=start, end=end, text=text[start:end])
        for ref, text in text_by_ref.items()
        for start, end in splitter.spans(text, language)
    ]


def texts_of(sentences: Iterable[str], splitter: Splitter, language: str) -> Iterator[str]:
    """Yields the units of sentences that have no address, such as a system's own."""
    for sentence in sentences:
        for start, end in splitter.spans(sentence, language):
            yield sentence[start:end]


def from_cuts(text: str, cuts: Iterable[int]) -> list[Span]:
    """Returns the pieces between the cuts, without blanks around them."""
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    return trimmed(text, pairwise(places))


Element = tuple[str, ...]  # head, modifier and relation


def unit_elements(parse: Parse, start: int, end: int) -> Counter[Element]:
    """Returns (head, modifier, relation) of the words from `start` to `end`, in lower case.

    Relations are those of the metric `be`: enhanced, but basic for Japanese. Words without offsets
    count for every part of their sentence.
    """
    return Counter(
        element
        for sentence in parse
        for head, modifier, relation in _edges(sentence)
        if _is_inside(head, start, end) and _is_inside(modifier, start, end)
        for element in _element(head, modifier, relation)
    )


def _edges(sentence: ParsedSentence) -> Iterator[tuple[ParsedWord, ParsedWord, str]]:
    words = sentence.words
    if any(has_unspaced_script(word.form) for word in words):
        for word in words:
            if word.head:
                yield words[word.head - 1], word, word.deprel
    elif sentence.has_enhanced_graph:
        for word in words:
            for edge in word.enhanced:
                if edge.head.word and not edge.head.empty:
                    yield words[edge.head.word - 1], word, edge.relation
    else:
        for head, dependent, relation in enhanced_edges(sentence):
            if head:
                yield words[head - 1], words[dependent - 1], relation


def _is_inside(word: ParsedWord, start: int, end: int) -> bool:
    return word.span is None or (start <= word.span[0] and word.span[1] <= end)


def _element(head: ParsedWord, modifier: ParsedWord, relation: str) -> Iterator[Element]:
    label = normal_relation(relation)
    if base(label) in RELATIONS:
        yield head.form.lower(), modifier.form.lower(), label


# N-grams or basic elements, with counts.
Elements = Mapping[tuple[str, ...], int]

# Elements, with the indices of the units that have them, each as often as it has it.
Places = Mapping[tuple[str, ...], Sequence[int]]

OnNews = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """The oracle for one reference."""

    units: tuple[Unit, ...]  # the oracle, in the order of the source
    value: int
    total: int  # elements of the reference; 0 = nothing can be shared, and there is no oracle
    upper: int  # no units within the limit have more; equal to `value` when that is proved
    is_settled: bool
    length: int  # of the oracle, in the unit of the limit
    limit: int
    # Oracles as good, without idle units, this one among them; this one alone where there are more
    # than are listed, or time ran out.
    optima: tuple[tuple[Unit, ...], ...] = ()
    are_all: bool = False  # whether `optima` are all there are
    greedy: int = 0  # what taking the unit of most gain again and again reaches
    greedy_by_rate: int = 0

    @property
    def is_proved(self) -> bool:
        """Whether the oracle is proved optimal."""
        return self.value == self.upper


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleEffort:
    """How much work may be spent on an oracle."""

    # Seconds, for those that the quick search does not solve; None = no limit.
    time_limit_s: float | None = None
    max_optima: int = 1  # how many equally good oracles are listed; 1 = only the one
    engine: str = DEFAULT_ENGINE


def find_oracle(
    units: Sequence[Unit],
    places: Places,
    lengths: Sequence[int],
    reference: Elements,
    limit: int,
    *,
    effort: OracleEffort,
    on_news: OnNews = ignore_bounds,
) -> Oracle:
    """Returns the oracle for a reference; `on_news` may raise to end the work.

    Units are in the order of the source, `lengths` in the unit of the limit; those of length 0 are
    left out.
    """
    problem = problem_of(places, lengths, reference, limit)
    answer = solve_budget(
        problem,
        engine=effort.engine,
        time_limit_s=effort.time_limit_s,
        on_news=on_news,
    )
    optima: tuple[tuple[int, ...], ...] = (answer.chosen,)
    are_all = False
    if effort.max_optima > 1 and answer.status is Status.OPTIMAL:
        ties = optima_of(
            problem,
            answer,
            max_optima=effort.max_optima,
            engine=effort.engine,
            time_limit_s=effort.time_limit_s,
            on_news=on_news,
        )
        optima, are_all = ties.sets, ties.are_all
    return Oracle(
        units=tuple(units[idx] for idx in answer.chosen),
        value=answer.value,
        total=sum(reference.values()),
        upper=answer.upper,
        is_settled=answer.is_settled,
        length=answer.length,
        limit=limit,
        optima=tuple(tuple(units[idx] for idx in chosen) for chosen in optima),
        are_all=are_all,
        greedy=value_of(problem, greedy(problem, BY_GAIN)),
        greedy_by_rate=value_of(problem, greedy(problem, BY_RATE)),
    )


def problem_of(
    places: Places, lengths: Sequence[int], reference: Elements, limit: int
) -> BudgetProblem:
    """Returns the coverage problem of an oracle; arguments as of `find_oracle`."""
    gains: list[dict[int, int]] = [{} for _ in lengths]
    for number, element in enumerate(reference):
        for unit in places.get(element, ()):
            if lengths[unit]:
                of_unit = gains[unit]
                of_unit[number] = of_unit.get(number, 0) + 1
    return BudgetProblem(
        lengths=[max(1, length) for length in lengths],
        gains=gains,
        caps=tuple(reference.values()),
        limit=limit,
    )


_NOWHERE: Final[list[int]] = []  # that nothing is added to


def places_of(
    elements: Iterable[Iterable[tuple[str, ...]]],
    wanted: Iterable[tuple[str, ...]] | None = None,
) -> Places:
    """Returns an inverted index with multiplicities of the `wanted` elements, None = all.

    Most n-grams of a source are in no reference, and a list for each takes time.
    """
    places: dict[tuple[str, ...], list[int]] = dict.fromkeys(wanted or (), _NOWHERE)
    for unit, of_unit in enumerate(elements):
        for element in of_unit:
            known = places.get(element)
            if known:
                known.append(unit)
            elif known is not None or wanted is None:
                places[element] = [unit]
    return places


def each_ngram(tokens: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """Yields the n-grams of a text."""
    return zip(*[tokens[start:] for start in range(n)], strict=False)


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Returns the n-grams of a text with counts."""
    return Counter(each_ngram(tokens, n))


class UnitWorth(NamedTuple):
    """One set of units."""

    value: int
    length: int  # of its units together
    is_irredundant: bool  # whether every unit of it adds to the value


class Recount(NamedTuple):
    """Sets of units beside one reference."""

    total: int
    greedy: int
    sets: tuple[UnitWorth, ...]  # what each comes to


def recount(
    problem: BudgetProblem, lengths: Sequence[int], sets: Sequence[Sequence[int]]
) -> Recount:
    """Recomputes sets by their definitions; a unit of length 0 has no gains."""
    alone = gains_alone(problem)
    return Recount(
        total=sum(problem.caps),
        greedy=max([value_of(problem, greedy(problem, rule, alone)) for rule in RULES]),
        sets=tuple(
            [
                UnitWorth(
                    value_of(problem, units),
                    sum([lengths[unit] for unit in units]),
                    is_irredundant(problem, units),
                )
                for units in sets
            ]
        ),
    )


def recount_compiled(
    units: NumberedTexts,
    reference: NumberedTexts,
    n: int,
    lengths: Sequence[int],
    limit: int,
    sets: Sequence[Sequence[int]],
) -> Recount | None:
    """Returns the same for n-gram oracles in the kernel; None = no kernel, or too large for it."""
    library = kernel()
    if library is None:
        return None
    known = np.array(lengths, np.int64)
    flat = np.array([*chain.from_iterable(sets)], np.int64)
    set_starts = np.array([0, *accumulate(map(len, sets))], np.int64)
    told = np.zeros(2 + 3 * len(sets), np.int64)
    done = library.call(
        "awase_recount", passed(units.tokens, "int64"), passed(units.starts, "int64"),
        passed(reference.tokens, "int64"), n, passed(known, "int64"), limit,
        passed(flat, "int64"), passed(set_starts, "int64"), passed(told, "int64"),
    )  # fmt: skip
    if not done:
        return None
    total, best, *of_sets = told.tolist()
    worths = zip(of_sets[::3], of_sets[1::3], of_sets[2::3], strict=True)
    return Recount(total, best, tuple([UnitWorth(a, b, bool(c)) for a, b, c in worths]))


_VERSION = 1
_NUMBERS = ("value", "total", "upper", "length", "limit", "greedy", "greedy_by_rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOracle:
    """An oracle with its reference."""

    key: str
    topic: str
    reference: str
    oracle: Oracle


def oracle_record(found: ReferenceOracle) -> dict[str, Any]:
    """Converts an oracle to JSON values."""
    oracle = found.oracle
    units = {unit.id: unit.text for optimum in (oracle.units, *oracle.optima) for unit in optimum}
    return {
        "key": found.key,
        "topic": found.topic,
        "reference": found.reference,
        **{name: getattr(oracle, name) for name in _NUMBERS},
        "proved": oracle.is_proved,
        "settled": oracle.is_settled,
        "units": [unit.id for unit in oracle.units],
        "optima": [[unit.id for unit in optimum] for optimum in oracle.optima],
        "all_optima": oracle.are_all,
        "texts": units,
    }


def digest_of_oracles(oracles: Mapping[str, Oracle]) -> str:
    """Returns the digest of a file's oracles, for signatures."""
    listed = repr(sorted((key, _spelled(oracle)) for key, oracle in oracles.items()))
    return hashlib.sha256(listed.encode()).hexdigest()


def _spelled(oracle: Oracle) -> str:
    # These words and their order are for ever, whatever classes and fields are called.
    optima = ", ".join(map(_spelled_units, oracle.optima)) + "," * (len(oracle.optima) == 1)
    return (
        f"Oracle(units={_spelled_units(oracle.units)}, value={oracle.value!r}, "
        f"total={oracle.total!r}, upper={oracle.upper!r}, is_settled={oracle.is_settled!r}, "
        f"length={oracle.length!r}, limit={oracle.limit!r}, optima=({optima}), "
        f"are_all={oracle.are_all!r}, greedy={oracle.greedy!r}, "
        f"greedy_by_rate={oracle.greedy_by_rate!r})"
    )


def _spelled_units(units: Sequence[Unit]) -> str:
    listed = [
        f"Unit(ref=SentenceRef(document_id={unit.ref.document_id!r}, n={unit.ref.n!r}), "
        f"start={unit.start!r}, end={unit.end!r}, text={unit.text!r})"
        for unit in units
    ]
    return f"({', '.join(listed)}{',' * (len(listed) == 1)})"


def oracles_record(options: str, found: Iterable[ReferenceOracle]) -> dict[str, Any]:
    """Returns the file's JSON value."""
    return {
        "awase_oracles": _VERSION,
        "options": options,
        "oracles": [oracle_record(one) for one in found],
    }


def read_oracles(text: str, source: str) -> dict[str, Oracle]:
    """Returns the oracles in a file by their keys."""
    try:
        content = json.loads(text)
        if content["awase_oracles"] != _VERSION:
            raise ValueError
        records = content["oracles"]
        return {str(record["key"]): _oracle(record) for record in records}
    except (ValueError, KeyError, TypeError, AttributeError, CorpusFormatError) as error:
        raise CorpusFormatError.of(
            "The file does not hold oracles, or it is damaged.",
            "Write it again.",
            source=source,
            missing=Missing.ORACLES,
        ) from error


def _oracle(record: Mapping[str, Any]) -> Oracle:
    texts = record["texts"]
    numbers = {name: int(record[name]) for name in _NUMBERS}
    optima = tuple(tuple(_unit(one, texts) for one in optimum) for optimum in record["optima"])
    if not 0 <= numbers["value"] <= numbers["upper"] or numbers["length"] > numbers["limit"]:
        raise ValueError("the numbers contradict each other")
    return Oracle(
        units=tuple(_unit(one, texts) for one in record["units"]),
        is_settled=bool(record["settled"]),
        optima=optima,
        are_all=bool(record["all_optima"]),
        **numbers,
    )


def _unit(unit_id: str, texts: Mapping[str, str]) -> Unit:
    ref, (start, end) = parse_unit_id(unit_id)
    return Unit(ref=ref, start=start, end=end, text=texts[unit_id])
