"""Parses of what metrics compare: all of them, or a message that says which are missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from awase.core.errors import ScoringUndefinedError
from awase.core.metrics.rouge_cases import Case
from awase.core.metrics.supplies import Supplies

_SHOWN = 30


def needed_texts(cases: Iterable[Case]) -> Iterator[tuple[str, Case, bool]]:
    """Yields each sentence that is compared, where, and whether it is a reference's."""
    for case in cases:
        for text in case.text:
            yield text, case, False
        for reference in case.references:
            for text in reference:
                yield text, case, True


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
    raise ScoringUndefinedError.of(
        "{metric} needs a parse of every sentence. There is none{by} of {outputs} of {n_outputs} "
        "sentences of systems and {references} of {n_references} sentences of references; the "
        "first is “{text}” in topic “{topic}”.",
        "Parse them (awase parse CORPUS, or Corpus > Parse sentences…), or parse elsewhere and "
        "import CoNLL-U (awase parse CORPUS --from FILE).",
        metric=metric,
        by=f" by {supplies.parse_model}" if supplies.parse_model else "",
        outputs=len(missing[False]),
        n_outputs=len(needed[False]),
        references=len(missing[True]),
        n_references=len(needed[True]),
        text=text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…",
        topic=topic,
    )
