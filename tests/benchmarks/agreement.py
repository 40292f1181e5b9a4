"""How long agreement takes: all levels and intervals, with and without comparing texts.

Run: `python -m tests.benchmarks agreement`. The goal is under 0.3 s for 300 abstract sentences that
5 people annotated (without the robot and near-duplicates), and time in proportion beyond.
"""

import random
import time
from collections.abc import Iterator

from awase.core.agreement.distances import SetDistance
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest, effects_of
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


def seconds(made: Corpus, **options: object) -> float:
    begin = time.process_time()
    agreement_of(made, AgreementRequest(**options), Silent())  # type: ignore[arg-type]
    return time.process_time() - begin


def lines() -> Iterator[str]:
    agreement_of(corpus(2, 3, 2), AgreementRequest(), Silent())  # imports
    made = corpus(30, 10, 5)
    headline = {"distances": (SetDistance.ALTERNATIVES,), "compares_texts": False}
    fastest = min(seconds(made, **headline) for _ in range(3))
    yield f"300 x 5, alternatives with intervals: {fastest:.3f} s"
    every = min(seconds(made, compares_texts=False) for _ in range(3))
    yield f"300 x 5, all seven levels with intervals: {every:.3f} s"
    yield f"300 x 5, with robot and near-duplicates: {seconds(made):.3f} s"
    begin = time.process_time()
    effects_of(made, tuple(f"A{who}" for who in range(5)), None, Silent())
    yield f"300 x 5, effects: {time.process_time() - begin:.3f} s"
    for n_topics in (1_000, 3_000, 10_000):
        taken = seconds(corpus(n_topics, 10, 2), compares_texts=False)
        yield f"{n_topics * 10:,} x 2, all levels with intervals: {taken:.1f} s"


def main() -> None:
    for line in lines():
        print(line, flush=True)
