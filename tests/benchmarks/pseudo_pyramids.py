"""Measures pseudo-pyramid scores beside the textbook's algorithm, in CPU milliseconds.

25 systems, 100 topics of 4 references, summaries of 100 words, oracles already found. The textbook
way compares every pair of units by the table of their longest common subsequence, and solves the
assignment and the knapsack with PuLP and CBC; it is measured on one topic.
"""

import random
from fractions import Fraction

import pulp

from awase.core.errors import Silent
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.oracles import OracleFinder, Reference
from awase.core.metrics.pseudo_pyramid import Explained, explain, parse_request
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from tests import building
from tests.benchmarks import timed
from tests.benchmarks.oracle_instances import Writer
from tests.oracles.pseudo_pyramid import lcs

METRIC = "pseudo-pyramid:unit=sentence"
N_SYSTEMS, N_TOPICS, N_REFERENCES, N_WORDS, N_SENTENCES = 25, 100, 4, 100, 120


def topic(seed: int) -> Topic:
    rng = random.Random(seed)
    writer = Writer(rng)
    source = [" ".join(words) for words in writer.units(N_SENTENCES, 8, 20)]
    limit = Limit(unit="words", size=N_WORDS)
    abstracts = [
        building.abstract(f"r{n}", texts=[" ".join(writer.text(N_WORDS))], limit=limit)
        for n in range(N_REFERENCES)
    ]
    outputs = [building.text(f"s{n}", *_summary(source, rng)) for n in range(N_SYSTEMS)]
    return building.topic(
        f"t{seed}", docs=source, abstracts=abstracts, outputs=outputs, language="en"
    )


def _summary(source: list[str], rng: random.Random) -> tuple[str, ...]:
    """Returns sentences of the source, shortened by a word here and there, up to the limit."""
    taken: list[str] = []
    for text in rng.sample(source, len(source)):
        words = [word for word in text.split() if rng.random() < 0.9]
        if sum(len(one.split()) for one in taken) + len(words) > N_WORDS:
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


def main() -> None:
    corpus = Corpus(topics=tuple(topic(seed) for seed in range(N_TOPICS)))
    (request,) = requests_of([METRIC])
    finder = OracleFinder(parse_request(request).oracle, NO_SUPPLIES, parse_request(request).effort)
    explain(
        Corpus(topics=corpus.topics[:1]), request, Silent(), NO_SUPPLIES
    )  # imports scipy and rapidfuzz
    for one in corpus.topics:
        source = finder.source_of(one)
        for abstract in one.abstracts:
            source.oracle_for(Reference.of(abstract))
    supplies = Supplies(oracles=finder.found)
    ms, table = timed(lambda: score_corpus(corpus, [request], Silent(), supplies))
    n_scores = N_SYSTEMS * N_TOPICS
    first = [one for one in explain(corpus, request, Silent(), supplies) if one.topic == "t0"]
    slow_ms, slow = timed(lambda: [by_the_textbook(one, Fraction("0.6")) for one in first])
    ours = [float(one.value or 0) for one in first]
    assert all(abs(a - b) < 1e-9 for a, b in zip(slow, ours, strict=True))
    assert len(table.scores) == n_scores + N_SYSTEMS
    per_score, slow_per_score = ms / n_scores, slow_ms / len(first)
    print("| work | CPU ms | |\n|---|---|---|")
    print(f"| {n_scores:,} scores from stored oracles | {ms:,.0f} | {per_score:.3f} a score |")
    print(
        f"| textbook, {len(first)} scores | {slow_ms:,.0f} | {slow_per_score:.1f} a score: "
        f"{slow_per_score / per_score:,.0f} times ours |"
    )
