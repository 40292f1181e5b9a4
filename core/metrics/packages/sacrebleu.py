"""BLEU and chrF of every output of a corpus, computed by the package `sacrebleu`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from awase.core.errors import InputError, Problem
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.runner import NO_UNIT, single_values_of
from awase.core.metrics.kit.texts.scores import text_scores
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.kit.warning_lines import listed
from awase.core.metrics.kit.workers import StillWanted
from awase.core.metrics.packages.sacrebleu_requests import SacrebleuRequest, understood
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topics_on_demand import shapes_of
from awase.core.text.tokens.words import has_kana, has_unspaced_script

_VARIOUS = "var"
_BY_BLANKS = ("13a", "intl", "none")
_CHINESE = "zh"

Pair = tuple[str, tuple[str, ...]]
"""A text and its references, prepared; references without a token are left out."""


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every output, from 0 to 100 as the package has them, with warnings.

    With `average=plain` by topic and as means; with `average=corpus` one a system and length class,
    over all its texts together, with no values by topic.

    Raises:
        InputError: An option's value does not exist, or the tokeniser would take whole sentences
            for words.
        EnvironmentProblem: The package is not installed.
        Cancelled: The reporter asked to stop.
    """
    wanted = [*dict.fromkeys(map(understood, requests))]
    log = TextLog()
    cases = cases_of(corpus.topics, log)
    tables: list[ScoreTable] = []
    warnings: list[Problem] = []
    for request in wanted:
        _check_words(cases, request)
        pairs = [_pair(case, request) for case in cases]
        if request.metric == "bleu":
            warnings += _tokenised(cases, request)
        scores = (_of_systems if request.is_of_corpus else _of_topics)(
            corpus, cases, pairs, request, log, reporter, supplies
        )
        tables.append(ScoreTable(scores=tuple(scores)))
    for case in cases:
        if not "".join(case.text).strip():
            log.note_empty(case.topic, case.system)
    together = sum(tables, ScoreTable())
    return replace(together, warnings=(*log.problems(), *warnings))


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts.

    Raises:
        InputError: An option's value does not exist.
    """
    return understood(request, is_checked=False).signature


def _pair(case: Case, request: SacrebleuRequest) -> Pair:
    references = (request.prepared(one) for one in case.references)
    return request.prepared(case.text), tuple(one for one in references if one.strip())


def _of_topics(
    corpus: Corpus,
    cases: Sequence[Case],
    pairs: Sequence[Pair],
    request: SacrebleuRequest,
    log: TextLog,
    reporter: Reporter,
    supplies: Supplies,
) -> Iterator[Score]:
    """Yields a score a case, then the means."""
    by_topic: dict[str, list[Pair]] = {}
    for case, pair in zip(cases, pairs, strict=True):
        by_topic.setdefault(case.topic, []).append(pair)
    tasks = [*by_topic.values()]
    found = supplies.workers.map(partial(_texts_scored, request), tasks, reporter)
    values = [value for of_topic in found for value in of_topic]
    column = single_values_of(values)
    n_references = _numbers_of_references(cases, pairs)
    found_scores = text_scores(
        corpus, cases, {request: column}, lambda _: NO_UNIT, log, components=()
    )
    topics = TopicsOfMeans(shapes_of(corpus.topics))
    for one in found_scores:
        n = n_references[one.topic, one.length, one.system]
        facts = topics.facts(one.length) if one.topic is None else {}
        yield replace(one, signature=request.signature_with({"nrefs": n, **facts}))


def _texts_scored(
    request: SacrebleuRequest, pairs: Sequence[Pair], _still_wanted: StillWanted
) -> list[float | None]:
    scorer = request.scorer()
    return [
        scorer.corpus_score([text], [[one] for one in references]).score if references else None
        for text, references in pairs
    ]


def _of_systems(
    corpus: Corpus,
    cases: Sequence[Case],
    pairs: Sequence[Pair],
    request: SacrebleuRequest,
    log: TextLog,
    reporter: Reporter,
    supplies: Supplies,
) -> Iterator[Score]:
    """Yields a score a system and length class over all its texts that have references."""
    rows: dict[str | None, dict[str, list[Pair]]] = {}
    for case, pair in zip(cases, pairs, strict=True):
        rows.setdefault(case.length, {}).setdefault(case.system, []).append(pair)
    keys = [(length, system) for length, systems in rows.items() for system in systems]
    tasks = [[pair for pair in rows[length][system] if pair[1]] for length, system in keys]
    found = supplies.workers.map(partial(_corpus_scored, request), tasks, reporter)
    n_references = _numbers_of_references(cases, pairs)
    topics: dict[str | None, set[str]] = {}
    for case in cases:
        topics.setdefault(case.length, set()).add(case.topic)
    of_means = TopicsOfMeans(shapes_of(corpus.topics))
    for (length, system), of_system, value in zip(keys, tasks, found, strict=True):
        log.note_mean(system, length, request.metric, len(of_system), len(topics[length]))
        yield Score(
            topic=None,
            length=length,
            system=system,
            metric=request.metric,
            value=value,
            signature=request.signature_with(
                {"nrefs": n_references[None, length, system], **of_means.facts(length)}
            ),
            reason=NO_UNIT if value is None else None,
            n_topics=len(of_system),
        )


def _corpus_scored(
    request: SacrebleuRequest, pairs: Sequence[Pair], _still_wanted: StillWanted
) -> float | None:
    if not pairs:
        return None
    most = max(len(references) for _, references in pairs)
    # The package takes None for a reference that is not there, which its types do not tell.
    streams = cast(
        Sequence[Sequence[str]],
        [
            [references[idx] if idx < len(references) else None for _, references in pairs]
            for idx in range(most)
        ],
    )
    return float(request.scorer().corpus_score([text for text, _ in pairs], streams).score)


def _numbers_of_references(
    cases: Sequence[Case], pairs: Sequence[Pair]
) -> Mapping[tuple[str | None, str | None, str], str]:
    """Returns (topic, length class, system) to the number as the package spells it."""
    numbers: dict[tuple[str | None, str | None, str], set[int]] = {}
    for case, (_, references) in zip(cases, pairs, strict=True):
        for topic in (case.topic, None):
            of_row = numbers.setdefault((topic, case.length, case.system), set())
            if references or topic is not None:
                of_row.add(len(references))
    return {
        key: str(*found) if len(found) == 1 else (_VARIOUS if found else "0")
        for key, found in numbers.items()
    }


def _check_words(cases: Sequence[Case], request: SacrebleuRequest) -> None:
    """Refuses tokens that would be whole sentences.

    Raises:
        InputError: It names the first system that it strikes.
    """
    if request.tokens == _CHINESE:
        is_lost = has_kana
    elif request.tokens in _BY_BLANKS:
        is_lost = has_unspaced_script
    else:
        return
    has_blanks_set = request.metric == "bleu" and request.tokens == "none"
    for case in cases:
        for text in (case.text, *case.references):
            if has_blanks_set and any(" " in sentence.strip() for sentence in text):
                continue
            if is_lost(" ".join(text)):
                raise _refusal(request, case)


def _refusal(request: SacrebleuRequest, case: Case) -> InputError:
    if request.metric == "chrf":
        return InputError.of(
            "chrf with nw={n} counts words between blanks, and text of system “{system}” or its "
            "references in topic “{topic}” has none between its words.",
            "Choose nw=0.",
            n=dict(request.spelled)["nw"],
            system=case.system,
            topic=case.topic,
        )
    return InputError.of(
        "bleu with tokens={tokens} would take whole phrases of system “{system}” or its references "
        "in topic “{topic}” for one word.",
        "Choose tokens=ja for Japanese, tokens=zh for Chinese, or tokens=char for characters.",
        tokens=request.tokens,
        system=case.system,
        topic=case.topic,
    )


def _tokenised(cases: Sequence[Case], request: SacrebleuRequest) -> Iterator[Problem]:
    """Yields a warning when texts look tokenised already, which this BLEU is not made for."""
    if request.tokens not in ("13a", "intl"):
        return
    counts: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for case in cases:
        numbers[case.system] = numbers.get(case.system, 0) + 1
        counts[case.system] = counts.get(case.system, 0) + " ".join(case.text).endswith(" .")
    suspect = [system for system, n in counts.items() if 2 * n > numbers[system]]
    if suspect:
        yield Problem(
            what="Texts of {systems} end with a blank and a full stop: they look tokenised, and "
            "BLEU by sacrebleu is of text as it is written.",
            hint="Score the text before tokenisation, or choose tokens=none.",
            fields={"systems": listed(suspect)},
        )
