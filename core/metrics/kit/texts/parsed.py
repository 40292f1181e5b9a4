"""Parses of what metrics compare: all of them, or a message that says which are missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.errors import Missing, Problem, ScoringUndefinedError
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.records.corpus import Corpus

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


def check_parsed(metric: str, cases: Sequence[Case], supplies: Supplies) -> None:
    """Does nothing when every sentence that is compared has a parse; white space needs none.

    Raises:
        ScoringUndefinedError: Some have none: how many of what, and what to do.
    """
    missing: Mapping[bool, dict[str, str]] = {False: {}, True: {}}
    needed: Mapping[bool, set[str]] = {False: set(), True: set()}
    for text, case, is_reference in needed_texts(cases):
        if not text.strip():
            continue
        needed[is_reference].add(text)
        if text not in supplies.parses:
            missing[is_reference].setdefault(text, case.topic)
    lacking = {**missing[False], **missing[True]}
    if not lacking:
        return
    text, topic = next(iter(lacking.items()))
    problem = _INCOMPLETE if supplies.parse_model else _NOTHING_PARSED
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
    raise ScoringUndefinedError([replace(problem, fields=fields)])
