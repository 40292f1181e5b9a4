"""Agreement on some of the sentences against the others, as two corpora would have it."""

import random
from dataclasses import replace

import pytest
from tests.agreement_corpora import corpus, topic

from awase.core.agreement.distances import SetDistance
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest
from awase.core.agreement.rows import agreement_in_parts
from awase.core.metrics.significance import Resampling
from awase.core.progress import Silent

ROWS = [[(n,)] for n in range(1, 25)]
REQUEST = AgreementRequest(
    distances=(SetDistance.ALTERNATIVES,), compares_texts=False,
    resampling=Resampling(n_resamples=200, seed=3),
)  # fmt: skip


def drawn(share_inside: float, share_outside: float, seed: int = 4):
    rng = random.Random(seed)
    shares = [share_inside if n % 2 else share_outside for n in range(1, len(ROWS) + 1)]
    return corpus(
        *(
            topic(f"T{at}", {
                "A": ROWS,
                "B": [
                    [(rng.randint(1, 60),)] if rng.random() < share else row
                    for row, share in zip(ROWS, shares, strict=True)
                ],
            })
            for at in range(12)
        )
    )  # fmt: skip


def odd(one):
    return frozenset((a.id, s.n) for a in one.abstracts for s in a.sentences if s.n % 2)


def only(whole, is_odd: bool):
    def kept(alignment):
        entries = tuple(one for one in alignment.sentences if one.n % 2 == is_odd)
        return replace(alignment, sentences=entries)

    return replace(
        whole,
        topics=tuple(
            replace(one, abstracts=tuple(
                replace(a, alignments=tuple(map(kept, a.alignments))) for a in one.abstracts
            ))
            for one in whole.topics
        ),
    )  # fmt: skip


@pytest.mark.slow
def test_that_each_part_has_the_alpha_of_a_corpus_that_has_nothing_else():
    whole = drawn(0.6, 0.1)
    found = agreement_in_parts(whole, odd, REQUEST, Silent())
    alone = [agreement_of(only(whole, is_odd), REQUEST, Silent()).rows[0] for is_odd in (0, 1)]
    assert found.alphas == pytest.approx([row.alpha for row in alone], abs=1e-12)
    low, high = found.interval.low, found.interval.high
    assert 0 < low < found.alphas[0] - found.alphas[1] < high


def test_that_no_difference_is_found_where_there_is_none():
    interval = agreement_in_parts(drawn(0.3, 0.3, seed=6), odd, REQUEST, Silent()).interval
    assert interval.low < 0 < interval.high


def test_that_one_annotator_alone_and_one_part_alone_are_compared_with_nothing():
    alone = corpus(topic("T", {"A": ROWS}))
    assert agreement_in_parts(alone, odd, REQUEST, Silent()) is None
    found = agreement_in_parts(drawn(0.3, 0.3), lambda _: frozenset(), REQUEST, Silent())
    assert (found.alphas, found.interval) == ((None, None), None)
