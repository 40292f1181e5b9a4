"""Parses of what metrics compare: all of them, or a message that says which are missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.errors import Missing, Problem, ScoringUndefinedError
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.parsing.stored_parses import parses_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

_SHOWN = 30

_NOTHING_PARSED = Problem(
    what="{metric} needs a parse of every sentence, and there are none: of {outputs} sentences of "
    "systems and {references} of references.",
    hint="Parse them, or parse elsewhere and take CoNLL-U in.",
)
_INCOMPLETE = Problem(
    what="{metric} needs a parse of every sentence. {outputs} of {n_outputs} sentences of systems "
    "and {references} of {n_references} of references have none by {model}; the first is “{text}” "
    "in topic “{topic}”.",
    hint=_NOTHING_PARSED.hint,
)


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
    """Returns the parses of what is compared, when every sentence has one but white space.

    Args:
        topics: All that are scored, some of which the cases are from; they are looked through to
            tell how many sentences have none.
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
