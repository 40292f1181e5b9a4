"""Runner of text metrics: cases, progress, rows, and means over defined values.

A family parses its requests and computes values of cases; everything else is here. A metric that
looks at one text at a time needs `score_each_text` and nothing else.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError, Missing, Problem, Reporter, ScoringUndefinedError
from awase.core.language.stored_parses import parses_of
from awase.core.metrics.kit.metric import (
    LIMIT,
    NO_LIMIT,
    TOKENS,
    Chosen,
    Option,
    ParsedRequest,
    as_bytes,
    cuts_a_character,
    limit_with,
)
from awase.core.metrics.kit.outputs import (
    CUT_CHARACTER,
    UNSPACED,
    WITHOUT_BLANKS,
    TextLog,
    answered_by_all,
    answers_in,
    chosen_answers,
    sentences_of,
    split_of,
)
from awase.core.metrics.kit.signature import MeanFacts, MetricRequest, facts_of_means, with_facts
from awase.core.metrics.kit.supplies import Supplies
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import join_splits
from awase.core.records.topic import Extract, References, Topic
from awase.core.text.script import is_chinese
from awase.core.text.tokenisers import (
    ASCII,
    BLANKS,
    JAPANESE,
    UNICODE,
    has_unspaced_script,
    is_mostly_unspaced,
    lacks_blanks,
    refuse_lost_letters,
    tokeniser_called,
)


class Case(NamedTuple):
    """One output of one system in one topic.

    Attributes:
        split: Its `split=` value, from `join_splits`.
    """

    topic: str
    length: str | None
    system: str
    text: tuple[str, ...]
    references: References
    split: str
    language: str | None = None  # as the topic declares it


_system_in, _sentences_in, _split_in = map(attrgetter, ("system", "sentences", "split"))
_text_in, _references_in = map(itemgetter, map(Case._fields.index, ("text", "references")))


def cases_of(topics: Iterable[Topic], log: TextLog) -> list[Case]:
    """Returns every case of the topics, in order."""
    cases: list[Case] = []
    for topic in topics:
        has_extracts = Extract in {*map(type, topic.outputs)}
        common = None if has_extracts else answered_by_all(topic)
        if common is not None:
            length, references, of_references = common
            outputs = topic.outputs
            systems, texts = map(_system_in, outputs), map(_sentences_in, outputs)
            own = [*map(_split_in, outputs)]
            both = {split: join_splits((split, of_references)) for split in {*own}}
            rows = zip(
                repeat(topic.id), repeat(length), systems, texts, repeat(references),
                map(both.__getitem__, own), repeat(topic.language), strict=False,
            )  # fmt: skip
            cases += map(tuple.__new__, repeat(Case), rows)  # a third of calling the class for each
            continue
        answers = [*(answers_in(topic) if has_extracts else chosen_answers(topic))]
        sentences = topic.sentences() if has_extracts else ()
        text_by_ref = {ref: sentence.text for ref, sentence in sentences}
        split_by_document = {one.id: one.split for one in topic.documents}
        for answer in answers:
            output, length, references, of_references = answer
            if isinstance(output, Extract):
                log.note_output(topic, output)
                text = sentences_of(output, text_by_ref)
            else:
                text = output.sentences
            split = split_of(output, of_references, split_by_document)
            cases.append(
                Case(topic.id, length, output.system, text, references, split, topic.language)
            )
        log.note_unscored(topic, answers)
    return cases


def check_text(cases: Sequence[Case], requests: Iterable[ParsedRequest], log: TextLog) -> None:
    """Records when a request's tokens or limit suit the text badly."""
    asked = [*requests]
    _check_tokens(cases, asked, log)
    _check_limits(cases, asked, log)


def _check_tokens(cases: Sequence[Case], requests: Sequence[ParsedRequest], log: TextLog) -> None:
    tokenisers = {request.tokens: request.metric for request in reversed(requests)}
    if ASCII in tokenisers and not _are_ascii(cases):
        metric = tokenisers[ASCII]
        for case in cases:
            sentences = chain.from_iterable(_texts(case))
            refuse_lost_letters(sentences, metric=metric, system=case.system, topic=case.topic)
    if JAPANESE in tokenisers:
        for case in cases:
            _refuse_chinese(tokenisers[JAPANESE], case)
    if UNICODE in tokenisers:
        for case in cases:
            if any(map(has_unspaced_script, chain.from_iterable(_texts(case)))):
                log.note(UNSPACED, case.system, case.topic)
    if BLANKS in tokenisers:
        for case in cases:
            if any(lacks_blanks(" ".join(text)) for text in _texts(case)):
                log.note(WITHOUT_BLANKS, case.system, case.topic)


def _refuse_chinese(metric: str, case: Case) -> None:
    text = "".join(chain.from_iterable(_texts(case)))
    is_declared = (case.language or "").startswith("zh")
    if is_chinese(text, is_declared=is_declared):
        raise InputError.of(
            "{metric} with tokens=ja reads Japanese, and text of system “{system}” and its "
            "references in topic “{topic}” has no kana: it seems to be Chinese.",
            "Choose tokens=chars; or tokens=blanks for text that is already tokenised.",
            metric=metric,
            system=case.system,
            topic=case.topic,
        )


def _are_ascii(cases: Sequence[Case]) -> bool:
    texts = chain.from_iterable(map(_text_in, cases))
    references = [*map(_references_in, cases)]
    different = dict(zip(map(id, references), references, strict=True)).values()
    of_references = chain.from_iterable(chain.from_iterable(different))
    return all(map(str.isascii, chain(texts, of_references)))


def _check_limits(cases: Sequence[Case], requests: Sequence[ParsedRequest], log: TextLog) -> None:
    by_blanks = next((one for one in requests if one.limit.words and one.tokens != BLANKS), None)
    if by_blanks is not None:
        for case in cases:
            _refuse_words(by_blanks, case)
    for n_bytes in {request.limit.bytes: None for request in requests if request.limit.bytes}:
        for case in cases:
            if any(cuts_a_character([*map(as_bytes, text)], n_bytes) for text in _texts(case)):
                log.note(CUT_CHARACTER, case.system, case.topic, limit=f"{n_bytes}b")


def _refuse_words(request: ParsedRequest, case: Case) -> None:
    if any(is_mostly_unspaced("".join(text)) for text in _texts(case)):
        raise InputError.of(
            "{metric} with limit={limit} counts words between blanks, and text of system "
            "“{system}” or its references in topic “{topic}” has none between its words.",
            "Give the limit in characters, such as limit=400c; or choose tokens=ja, whose words "
            "are counted, or tokens=blanks for text that is already tokenised.",
            metric=request.metric,
            limit=f"{request.limit.words}w",
            system=case.system,
            topic=case.topic,
        )


def _texts(case: Case) -> Iterator[tuple[str, ...]]:
    yield case.text
    yield from case.references


_SHOWN = 30

_NOTHING_PARSED = Problem(
    what="{metric} needs a parse of every sentence, and there are none: of {outputs} "
    "{outputs:sentence|sentences} of systems and {references} of references.",
    hint="Parse them, or parse elsewhere and import CoNLL-U.",
)
_INCOMPLETE = Problem(
    what="{metric} needs a parse of every sentence. {outputs} of {n_outputs} "
    "{n_outputs:sentence|sentences} of systems and {references} of {n_references} of references "
    "have none by {model}; the first is “{text}” in topic “{topic}”.",
    hint=_NOTHING_PARSED.hint,
)


def each_text(cases: Iterable[Case]) -> dict[tuple[str, ...], None]:
    """Returns the different texts of outputs and references, in order."""
    return dict.fromkeys(text for case in cases for text in _texts(case))


def needed_texts(cases: Iterable[Case]) -> Iterator[tuple[str, Case, bool]]:
    """Yields each sentence that is compared, where, and whether it is a reference's."""
    for case in cases:
        for text in case.text:
            yield text, case, False
        for reference in case.references:
            for text in reference:
                yield text, case, True


def compared_texts(corpus: Corpus) -> Iterator[str]:
    """Yields the sentences that metrics of text compare: of outputs and their references."""
    for topic in corpus.topics:
        for text, _, _ in needed_texts(cases_of((topic,), TextLog())):
            yield text


def checked_parses(
    metric: str, cases: Sequence[Case], supplies: Supplies, topics: Sequence[Topic]
) -> Mapping[str, str]:
    """Returns the parses of cases; raises unless every sentence but white space has one.

    `topics` are all that are scored, for the number of unparsed sentences.
    """
    parses = _parses_for(cases, supplies)
    if any(text not in parses and text.strip() for text, _, _ in needed_texts(cases)):
        raise ScoringUndefinedError([_problem(metric, supplies, topics)])
    return parses


def _parses_for(cases: Sequence[Case], supplies: Supplies) -> Mapping[str, str]:
    return parses_of(supplies.parses, (text for text, _, _ in needed_texts(cases)))


def _problem(metric: str, supplies: Supplies, topics: Sequence[Topic]) -> Problem:
    needed: dict[bool, set[str]] = {False: set(), True: set()}
    missing: dict[bool, set[str]] = {False: set(), True: set()}
    first: dict[bool, tuple[str, str]] = {}
    cases = cases_of(topics, TextLog())
    parses = _parses_for(cases, supplies)
    for text, case, is_reference in needed_texts(cases):
        if not text.strip():
            continue
        needed[is_reference].add(text)
        if text not in parses:
            missing[is_reference].add(text)
            first.setdefault(is_reference, (text, case.topic))
    text, topic = first.get(False) or first[True]
    fields: dict[str, str | int] = {
        "metric": metric,
        "model": supplies.parse_model,
        "outputs": len(missing[False]),
        "n_outputs": len(needed[False]),
        "references": len(missing[True]),
        "n_references": len(needed[True]),
        "text": text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…",
        "topic": topic,
        "missing": Missing.PARSES,
    }
    return replace(_INCOMPLETE if supplies.parse_model else _NOTHING_PARSED, fields=fields)


Floats = NDArray[np.float64]
# Makes one row of values of some, those of summaries in the order of ROUGE-1.5.5's bootstrap.
Mean = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Values:
    """One request's values by case."""

    values: Floats  # (n_cases, n_components), 0 where it is undefined
    lacks_reference: NDArray[np.bool_]  # (n_cases,) whether it is undefined


Request = TypeVar("Request", bound=ParsedRequest)

_Row = tuple[str | None, str]  # length class and system


def scores_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, Values],
    columns: Mapping[Request, "ScoreColumn"],
) -> Iterator[Score]:
    """Yields the scores by topic of all requests."""
    signed = {
        split: [columns[request].signed({"split": split}) for request in found]
        for split in {case.split for case in cases}
    }
    rows = [(each.values.tolist(), each.lacks_reference.tolist()) for each in found.values()]
    for idx, case in enumerate(cases):
        for column, (values, lacks_reference) in zip(signed[case.split], rows, strict=True):
            is_undefined = lacks_reference[idx]
            yield from scores_of_row(
                case.topic,
                (case.length, case.system),
                column,
                None if is_undefined else values[idx],
                0 if is_undefined else 1,
            )


class ScoreColumn(NamedTuple):
    """Common fields of a request's scores: names of components, signature, reason."""

    names: tuple[str, ...]
    signature: str
    reason: Problem
    sees_sentences: bool

    def signed(self, facts: Mapping[str, str]) -> "ScoreColumn":
        """Returns the column with facts in its signatures; `split` only where it matters."""
        known = facts if self.sees_sentences else {k: v for k, v in facts.items() if k != "split"}
        return self._replace(signature=with_facts(self.signature, known)) if known else self


def score_column(
    request: ParsedRequest,
    reason: Problem,
    components: Sequence[str] = ("r", "p", "f"),
    *,
    sees_sentences: bool = True,
) -> ScoreColumn:
    """Returns the common fields of a request's scores.

    `components` are suffixes of the metric's name; empty = a single value.
    """
    names = tuple(f"{request.metric}.{one}" for one in components) or (request.metric,)
    return ScoreColumn(
        names=names, signature=request.signature, reason=reason, sees_sentences=sees_sentences
    )


def scores_of_row(
    topic: str | None,
    row: _Row,
    column: ScoreColumn,
    values: Iterable[float] | None,
    n_topics: int,
) -> Iterator[Score]:
    """Yields one score a component; no values = undefined."""
    length, system = row
    each = [None] * len(column.names) if values is None else map(float, values)
    for name, value in zip(column.names, each, strict=True):
        yield Score(
            topic=topic,
            length=length,
            system=system,
            metric=name,
            value=value,
            signature=column.signature,
            reason=column.reason if value is None else None,
            n_topics=n_topics,
        )


def means_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, Values],
    columns: Mapping[Request, ScoreColumn],
    all_facts: MeanFacts,
    log: TextLog,
    mean_of: Callable[[Request], Mean],
) -> Iterator[Score]:
    """Yields each system's means, in the order length, system, metric."""
    is_plain = all(mean_of(request) is plain_mean for request in found)
    rows: dict[str | None, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    answered: dict[str | None, set[str]] = defaultdict(set)
    for case_idx, (topic, length, system, *_) in enumerate(cases):
        rows[length][system].append(case_idx)
        answered[length].add(topic)
    for length, by_system in rows.items():
        n_topics = len(answered[length])
        facts = all_facts[length]
        for system, of_system in by_system.items():
            split = join_splits({cases[idx].split for idx in of_system})
            signed = {
                request: column.signed({"split": split, **facts})
                for request, column in columns.items()
            }
            if not is_plain:
                # The order decides which summaries the program's bootstrap draws.
                of_system.sort(key=lambda idx: f"{cases[idx].topic}.{cases[idx].system}")
            case_idxs = np.array(of_system)
            for request, of_request in found.items():
                values, n_defined = _mean(case_idxs, of_request, mean_of(request))
                log.note_mean(system, length, request.metric, n_defined, n_topics)
                yield from scores_of_row(None, (length, system), signed[request], values, n_defined)


def _mean(case_idxs: NDArray[np.int64], found: Values, mean_of: Mean) -> tuple[Floats | None, int]:
    """Returns the mean of cases, None when all are undefined, and the number of defined ones."""
    defined = case_idxs[~np.asarray(found.lacks_reference)[case_idxs]]
    return (mean_of(found.values[defined]), len(defined)) if len(defined) else (None, 0)


def plain_mean(values: Floats) -> Floats:
    """Returns (n_components,) means of (n_cases, n_components) values, in any order."""
    return np.array([math.fsum(column) / len(values) for column in values.T.tolist()])


NO_UNIT: Final = Problem(
    what="there is no reference with a unit to compare with.",
    hint="Add an abstract or references, or choose other options.",
)

Find = Callable[[Sequence[Case], Sequence[Request], TextLog], Mapping[Request, Values]]
"""Validates cases and returns the values of each request, which are in display order."""


def score_texts(
    corpus: Corpus,
    requests: Iterable[Request],
    find: Find[Request],
    *,
    reason_of: Callable[[Request], Problem] = lambda _request: NO_UNIT,
    components: Sequence[str] = ("r", "p", "f"),
    sees_sentences: Callable[[Request], bool] = lambda _request: True,
    mean_of: Callable[[Request], Mean] = lambda _request: plain_mean,
    more_warnings: Callable[[], Iterable[Problem]] = tuple,
) -> ScoreTable:
    """Returns the scores by topic, then the means over all topics, of a metric that sees all texts.

    Args:
        requests: Parsed; of equivalent spellings the last counts.
        components: Suffixes of the metric's name, one a column of values; empty = a single value
            under the metric's name.
    """
    log = TextLog()
    cases = cases_of(corpus.topics, log)
    wanted = [*{one.signature: one for one in requests}.values()]
    found = find(cases, wanted, log)
    columns = {
        one: score_column(one, reason_of(one), components, sees_sentences=sees_sentences(one))
        for one in found
    }
    scores = scores_of_cases(cases, found, columns)
    facts = facts_of_means(corpus.topics)
    means = means_of_cases(cases, found, columns, facts, log, mean_of)
    return ScoreTable(scores=(*scores, *means), warnings=(*log.problems(), *more_warnings()))


def values_of(found: Sequence[Sequence[float] | None], n_components: int) -> Values:
    """Returns the values of cases, None if undefined, as rows need them."""
    nothing = (0.0,) * n_components
    rows = [nothing if one is None else tuple(one) for one in found]
    return Values(
        values=np.array(rows, np.float64).reshape(-1, n_components),
        lacks_reference=np.array([one is None for one in found], np.bool_),
    )


def single_values_of(found: Sequence[float | None]) -> Values:
    """Returns the same for a metric that has one value."""
    return values_of([None if one is None else (one,) for one in found], 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlainRequest(ParsedRequest):
    """A request with unparsed option values; tokens and limit are applied by the metric."""

    chosen: Chosen

    @classmethod
    def of(cls, request: MetricRequest, options: Sequence[Option[Any]]) -> "PlainRequest":
        """Returns the request with defaults."""
        chosen, limit = Chosen.of(request, options), NO_LIMIT
        tokeniser = tokeniser_called(chosen[TOKENS]) if TOKENS in chosen else None
        if tokeniser is not None and LIMIT in chosen:
            limit = limit_with(chosen[LIMIT], tokeniser)
        return cls(
            metric=request.name,
            spelled=chosen.spelled,
            chosen=chosen,
            tokens=tokeniser.name if tokeniser is not None else "",
            limit=limit,
        )


def values_of_each(
    cases: Sequence[Case],
    wanted: Sequence[Request],
    reporter: Reporter,
    value_of: Callable[[Case, Request], float | None],
) -> dict[Request, Values]:
    """Returns the requests' values of each case; None = undefined."""
    found: dict[Request, Values] = {}
    for request_idx, request in enumerate(wanted):
        values: list[float | None] = []
        for case_idx, case in enumerate(cases):
            done = request_idx * len(cases) + case_idx
            reporter.advance(done, len(wanted) * len(cases), case.topic)
            values.append(value_of(case, request))
        found[request] = single_values_of(values)
    reporter.advance(len(wanted) * len(cases), len(wanted) * len(cases))
    return found


def score_each_text(
    corpus: Corpus,
    requests: Iterable[Request],
    reporter: Reporter,
    value_of: Callable[[Case, Request], float | None],
    *,
    reason_of: Callable[[Request], Problem] = lambda _request: NO_UNIT,
) -> ScoreTable:
    """Returns the scores of a metric that looks at one text and its references at a time.

    Tokens of a `PlainRequest` that would lose letters are refused, as ROUGE refuses them.

    Args:
        reporter: Receives each text.
        value_of: Returns the value of a text, None where it is undefined.
    """

    def find(
        cases: Sequence[Case], wanted: Sequence[Request], log: TextLog
    ) -> Mapping[Request, Values]:
        check_text(cases, [one for one in wanted if isinstance(one, PlainRequest)], log)
        return values_of_each(cases, wanted, reporter, value_of)

    return score_texts(corpus, requests, find, reason_of=reason_of, components=())
