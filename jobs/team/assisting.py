"""Assistance of a project: its effects, and refitted weights."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from awase.core.agreement.effect_study import (
    AssistItem,
    Compared,
    Family,
    Place,
    Work,
    compared,
    family_of,
    logged_work,
)
from awase.core.agreement.results import AgreementRequest
from awase.core.agreement.rows import agreement_in_parts
from awase.core.annotation.evidence import shipped_weights, weights_of, weights_text
from awase.core.annotation.fitting import (
    FEWEST_SENTENCES,
    AssistExamples,
    average_precision,
    confirmed_entries,
)
from awase.core.annotation.suggesters import LexicalFamily
from awase.core.annotation.suggestion import SeenDecoy, control_items, own_view, seen_decoys
from awase.core.errors import InputError, Reporter, Silent
from awase.core.records.abstract import Alignment, LoggedSuggestion, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, with_progress
from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistStudy:
    """Effects of assistance in a corpus."""

    n_assisted: int  # settled entries shown with help for which work was logged, without decoys
    n_control: int  # the same of those shown without
    # With help and without; the last line is alpha of the alternatives.
    compared: tuple[Compared, ...]
    # Those visible while a sentence was settled, accepted or not.
    decoys: tuple[SeenDecoy, ...]


def study_assistance(store: CorpusStore, reporter: Reporter | None = None) -> AssistStudy:
    """Evaluates assistance against the gold layer.

    For sentences shown without assistance, `suggested` is the first suggestion of `lexical-family`.
    Decoys are excluded.
    """
    with store.snapshot() as corpus:
        return _studied(corpus, store.logged_suggestions(), reporter or Silent())


def _studied(corpus: Corpus, log: Sequence[LoggedSuggestion], reporter: Reporter) -> AssistStudy:
    decoys = seen_decoys(corpus, log)
    of_decoys = {(one.topic, one.abstract, one.annotator, one.n) for one in decoys}
    logged = logged_work(log, of_decoys)
    n_items = Counter[bool]()

    def items() -> Iterator[AssistItem]:
        for topic in with_progress(corpus.topics, reporter):
            for item in _items(corpus, topic, LexicalFamily(), logged):
                n_items[item.is_control] += 1
                yield item

    rows = compared(items(), reporter, corpus.assist.seed)
    alpha = _compared_alpha(corpus, reporter, decoys, is_compared=len(n_items) == 2)
    return AssistStudy(
        n_assisted=n_items[False],
        n_control=n_items[True],
        compared=(*rows, alpha),
        decoys=decoys,
    )


def _compared_alpha(
    corpus: Corpus, reporter: Reporter, decoys: Iterable[SeenDecoy], *, is_compared: bool
) -> Compared:
    """Returns alpha among all annotators on the sentences with assistance and on the others."""
    found = None
    if is_compared:  # work with help and without was logged
        request = AgreementRequest(compares_texts=False)
        left_out = {(one.topic, one.abstract, one.n) for one in decoys}
        found = agreement_in_parts(
            corpus, partial(control_items, corpus.assist), request, reporter, left_out
        )
    assisted, control = found.alphas if found is not None else (None, None)
    interval = found.interval if found is not None else None
    return Compared(
        what=ALPHA,
        assisted=assisted,
        control=control,
        difference=None if assisted is None or control is None else assisted - control,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


ALPHA: Final = "alpha"


def _items(
    corpus: Corpus,
    topic: Topic,
    suggester: LexicalFamily,
    logged: Mapping[Place, Work],
) -> Iterator[AssistItem]:
    controls = control_items(corpus.assist, topic)
    for abstract in topic.abstracts:
        gold = {one.n: family_of(one.entry.alternatives) for one in abstract.gold}
        for alignment in abstract.alignments:
            for entry in alignment.sentences:
                log = logged.get((topic.id, abstract.id, alignment.annotator, entry.n))
                if log is None or not entry.state.is_settled:
                    continue
                is_control = (abstract.id, entry.n) in controls
                suggested = log.suggested
                if is_control:
                    suggested = _would_have(topic, abstract.id, alignment, entry, suggester)
                yield AssistItem(
                    topic=topic.id,
                    is_control=is_control,
                    active_s=log.active_ms / 1000,
                    n_keys=log.n_keys,
                    final=family_of(entry.alternatives),
                    suggested=suggested,
                    gold=gold.get(entry.n),
                )


def _would_have(
    topic: Topic,
    abstract_id: str,
    alignment: Alignment,
    entry: SentenceAlignment,
    suggester: LexicalFamily,
) -> Family:
    view = own_view(topic, alignment.annotator)
    abstract = view.abstract(abstract_id)
    sentence = next(one for one in abstract.sentences if one.n == entry.n) if abstract else None
    found = suggester.suggest(view, sentence, SentenceAlignment(n=entry.n)) if sentence else ()
    return family_of(found[0].family) if found else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """Weights fitted on a corpus, and whether they are better there."""

    n_sentences: int
    # Average precision of another alternative with the weights in use, 0..1; None = undefined.
    before: float | None
    after: float | None
    weights: str  # JSON; empty = unchanged


# Limit of topics, evenly spread. Twenty weights need no more.
MOST_FITTED: Final = 500


def fit_assistance(corpus: Corpus) -> Refit:
    """Returns weights fitted on confirmed entries, if better in 2-fold cross-validation.

    At most `MOST_FITTED` topics, evenly spaced, are used.
    """
    topics = corpus.topics[:: max(1, math.ceil(len(corpus.topics) / MOST_FITTED))]
    halves = [AssistExamples(confirmed_entries(topics[at::2])) for at in (0, 1)]
    n_sentences = sum(half.n_sentences for half in halves)
    if n_sentences < FEWEST_SENTENCES or not all(half.n_sentences for half in halves):
        raise InputError.of(
            "There {n:is|are} {n} confirmed {n:sentence|sentences}; fitting needs {fewest} in two "
            "topics.",
            "Keep using the current weights until there are more.",
            n=n_sentences,
            fewest=FEWEST_SENTENCES,
        )
    used = weights_of(corpus.assist.weights) if corpus.assist.weights else shipped_weights()
    before, after, labels = [], [], []
    for half, other in (halves, halves[::-1]):
        fitted = other.fitted(corpus.name, used)
        before += [used.another.probability(row) for row in half.another.rows]
        after += [fitted.another.probability(row) for row in half.another.rows]
        labels += half.another.labels
    scores = average_precision(before, labels), average_precision(after, labels)
    is_better = scores[0] is not None and scores[1] is not None and scores[1] > scores[0]
    whole = AssistExamples(confirmed_entries(topics)).fitted(corpus.name, used)
    return Refit(
        n_sentences=n_sentences,
        before=scores[0],
        after=scores[1],
        weights=weights_text(whole) if is_better else "",
    )


def with_assist(corpus: Corpus, **changed: int | str | None) -> Corpus:
    """Returns the corpus with changed settings; None = unchanged."""
    kept = {name: value for name, value in changed.items() if value is not None}
    return replace(corpus, assist=replace(corpus.assist, **kept))  # type: ignore[arg-type]
