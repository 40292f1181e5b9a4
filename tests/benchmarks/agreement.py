"""How long agreement takes by the clock: all levels with intervals, texts not compared.

The goal is under 0.3 s for 300 abstract sentences that 5 people annotated.
"""

import random
import time

from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest
from awase.core.errors import Silent
from awase.core.records.corpus import Corpus
from tests.agreement_corpora import N_SOURCES, topic

Family = list[tuple[int, ...]]


def family(rng: random.Random) -> Family:
    return [
        tuple(rng.sample(range(1, N_SOURCES + 1), rng.choice([1, 1, 2, 3])))
        for _ in range(rng.choice([1, 2, 2, 3, 4]))
    ]


def changed(rng: random.Random, given: Family) -> Family:
    """Returns what a second annotator makes of it: an alternative missed, added or widened."""
    own = [*given]
    if rng.random() < 0.3 and len(own) > 1:
        own.pop()
    if rng.random() < 0.2:
        own.append((rng.randint(1, N_SOURCES),))
    if rng.random() < 0.2:
        own[0] = (*own[0], rng.randint(1, N_SOURCES))
    return own


def corpus(n_topics: int, n_items: int, n_annotators: int) -> Corpus:
    rng = random.Random(1)
    topics = []
    for at in range(n_topics):
        base = [family(rng) for _ in range(n_items)]
        by = {f"A{who}": [changed(rng, one) for one in base] for who in range(n_annotators)}
        topics.append(
            topic(f"T{at}", by, extracts={f"s{n}": [n, n + 7, n + 20] for n in range(1, 6)})
        )
    return Corpus(topics=tuple(topics))


def main() -> None:
    request = AgreementRequest(compares_texts=False)
    agreement_of(corpus(2, 3, 2), request, Silent())  # imports
    made = corpus(30, 10, 5)
    begin = time.perf_counter()
    agreement_of(made, request, Silent())
    print(f"300 items of 5 annotators: {time.perf_counter() - begin:.3f} s")
