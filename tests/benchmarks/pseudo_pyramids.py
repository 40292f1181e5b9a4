"""Measures pseudo-pyramid scores and the extractors: `python -m tests.benchmarks.pseudo_pyramids`.

CPU milliseconds of this process and its children. 25 systems, 100 topics of 4 references, summaries
of 100 or 250 words, oracles already found. The textbook way compares every pair of units by the
table of their longest common subsequence, and solves the assignment and the knapsack with PuLP and
CBC; it is measured on one topic. The tables of the TSC-3 paper are of 30 topics of 120 sentences.
"""

import random
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / ".links"), str(root)]

import pulp

from awase.core.analysis.extracting import extract, named
from awase.core.analysis.extractors import extractions_of
from awase.core.errors import Silent
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.oracles import OracleFinder, Reference
from awase.core.metrics.pseudo_pyramid import Explained, explain, parse_request
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Limit
from awase.core.records.addition import with_extracts
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from tests import building
from tests.benchmarks.cover import timed
from tests.benchmarks.oracle_instances import Writer
from tests.oracles.pseudo_pyramid import lcs

METRIC = "pseudo-pyramid:unit=sentence"
N_SYSTEMS, N_TOPICS, N_REFERENCES = 25, 100, 4


def topic(seed: int, n_words: int = 100, n_sentences: int = 120) -> Topic:
    rng = random.Random(seed)
    writer = Writer(rng)
    source = [" ".join(words) for words in writer.units(n_sentences, 8, 20)]
    limit = Limit(unit="words", size=n_words)
    abstracts = [
        building.abstract(f"r{n}", texts=[" ".join(writer.text(n_words))], limit=limit)
        for n in range(N_REFERENCES)
    ]
    outputs = [building.text(f"s{n}", *_summary(source, n_words, rng)) for n in range(N_SYSTEMS)]
    return building.topic(
        f"t{seed}", docs=source, abstracts=abstracts, outputs=outputs, language="en"
    )


def _summary(source: list[str], n_words: int, rng: random.Random) -> tuple[str, ...]:
    """Returns sentences of the source, shortened by a word here and there, up to the limit."""
    taken: list[str] = []
    for text in rng.sample(source, len(source)):
        words = [word for word in text.split() if rng.random() < 0.9]
        if sum(len(one.split()) for one in taken) + len(words) > n_words:
            break
        taken.append(" ".join(words))
    return tuple(taken)


def by_the_textbook(one: Explained, threshold: Fraction) -> float:
    """Returns the value of one system, from the units that our explanation lists."""
    systems = [text.split() for text in one.units]
    oracles = one.pyramid.units
    alike = [
        [Fraction(lcs(system, unit.tokens), len(unit.tokens)) >= threshold for unit in oracles]
        for system in systems
    ]
    cbc = pulp.COIN_CMD(path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False, threads=1)
    assignment = pulp.LpProblem("assignment", pulp.LpMaximize)
    x = {
        (i, j): assignment.add_variable(f"x{i}_{j}", cat=pulp.LpBinary)
        for i in range(len(systems))
        for j in range(len(oracles))
    }
    assignment.setObjective(
        pulp.lpSum([int(alike[i][j]) * int(oracles[j].weight) * v for (i, j), v in x.items()])
    )
    for i in range(len(systems)):
        assignment += pulp.lpSum([x[i, j] for j in range(len(oracles))]) <= 1
    for j in range(len(oracles)):
        assignment += pulp.lpSum([x[i, j] for i in range(len(systems))]) <= 1
    assignment.solve(cbc)
    upper = pulp.LpProblem("upper", pulp.LpMaximize)
    z = [upper.add_variable(f"z{j}", cat=pulp.LpBinary) for j in range(len(oracles))]
    upper.setObjective(pulp.lpSum([int(o.weight) * v for o, v in zip(oracles, z, strict=True)]))
    upper += (
        pulp.lpSum([o.length * v for o, v in zip(oracles, z, strict=True)]) <= one.pyramid.limit
    )
    upper.solve(cbc)
    return float((pulp.value(assignment.objective) or 0) / pulp.value(upper.objective))


def measure_scores(n_words: int) -> None:
    corpus = Corpus(topics=tuple(topic(seed, n_words) for seed in range(N_TOPICS)))
    (request,) = requests_of([METRIC])
    finder = OracleFinder(parse_request(request).oracle, NO_SUPPLIES, parse_request(request).effort)
    explain(
        Corpus(topics=corpus.topics[:1]), request, Silent(), NO_SUPPLIES
    )  # imports scipy and rapidfuzz

    def find_all() -> None:
        for one in corpus.topics:
            source = finder.source_of(one)
            for abstract in one.abstracts:
                source.oracle_for(Reference.of(abstract))

    finding_ms, _ = timed(find_all)
    supplies = Supplies(oracles=finder.found)
    ms, table = timed(lambda: score_corpus(corpus, [request], Silent(), supplies))
    n_scores = N_SYSTEMS * N_TOPICS
    first = [one for one in explain(corpus, request, Silent(), supplies) if one.topic == "t0"]
    slow_ms, slow = timed(lambda: [by_the_textbook(one, Fraction("0.6")) for one in first])
    ours = [float(one.value or 0) for one in first]
    assert all(abs(a - b) < 1e-9 for a, b in zip(slow, ours, strict=True))
    assert len(table.scores) == n_scores + N_SYSTEMS
    per_score, slow_per_score = ms / n_scores, slow_ms / len(first)
    print(f"| finding {N_TOPICS * N_REFERENCES} oracles of {n_words} words | {finding_ms:,.0f} | |")
    print(f"| {n_scores:,} scores from stored oracles | {ms:,.0f} | {per_score:.3f} a score |")
    print(
        f"| textbook, {len(first)} scores | {slow_ms:,.0f} | {slow_per_score:.1f} a score: "
        f"{slow_per_score / per_score:,.0f} times ours |"
    )


def aligned(one: Topic, rng: random.Random) -> Topic:
    """Returns the topic with an abstract of 15 sentences, aligned at random, in its place."""

    def alternative() -> str:
        return "&".join(map(str, rng.sample(range(1, 121), rng.randint(1, 3))))

    rows = ["A: " + "|".join(alternative() for _ in range(rng.randint(1, 4))) for _ in range(15)]
    return replace(one, abstracts=(building.abstract("a", rows),), outputs=())


def measure_extractors() -> None:
    rng = random.Random(0)
    corpus = Corpus(topics=tuple(aligned(topic(seed), rng) for seed in range(30)))
    systems = named(corpus, extractions_of(["lead,tfidf,cluster,mmr"]))
    extract(Corpus(topics=corpus.topics[:1]), systems, Silent())  # imports scipy
    ms, made = timed(lambda: extract(corpus, systems, Silent()))
    whole = with_extracts(corpus, made.extracts, ())
    scoring_ms, _ = timed(lambda: score_corpus(whole, requests_of(["tsc3"]), Silent()))
    print(f"| 4 extractors, 30 topics of 120 sentences | {ms:,.0f} | |")
    print(f"| scoring them | {scoring_ms:,.0f} | |")


def main() -> None:
    print("| work | CPU ms | |")
    print("|---|---|---|")
    measure_scores(100)
    measure_scores(250)
    measure_extractors()


if __name__ == "__main__":
    main()
