"""ROUGE-1.5.5 from its specification, one table and one loop at a time: slow and plain."""

import re
from collections import Counter
from itertools import combinations

Sentence = list[str]


def tokens(text: str) -> Sentence:
    return re.findall("[a-z0-9]+", re.sub("[A-Z]", lambda m: m[0].lower(), text))


def ngram_counts(peer: Sentence, model: Sentence, size: int) -> tuple[int, int, int]:
    of_peer, of_model = (
        Counter(tuple(text[i : i + size]) for i in range(len(text) - size + 1))
        for text in (peer, model)
    )
    return (of_peer & of_model).total(), of_model.total(), of_peer.total()


def skip_counts(
    peer: Sentence, model: Sentence, gap: int | None, *, with_words: bool
) -> tuple[int, int, int]:
    of_peer, of_model = (
        Counter(
            (text[i], text[j])
            for i, j in combinations(range(len(text)), 2)
            if gap is None or j <= i + gap + 1
        )
        + (Counter((word,) for word in text[:-1]) if with_words else Counter())
        for text in (peer, model)
    )
    return (of_peer & of_model).total(), of_model.total(), of_peer.total()


def path(model: Sentence, peer: Sentence, weight: float | None) -> set[int]:
    """The places of `model` on the path back through the table."""
    best = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    runs = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i, word in enumerate(model, start=1):
        for j, other in enumerate(peer, start=1):
            if word == other:
                k = runs[i - 1][j - 1]
                before = best[i - 1][j - 1]
                best[i][j] = (
                    before + 1 if weight is None else (before + (k + 1.0) ** weight) - k**weight
                )
                runs[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    marked = set()
    i, j = len(model), len(peer)
    while i and j:
        if model[i - 1] == peer[j - 1]:
            i, j = i - 1, j - 1
            marked.add(i)
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def lcs_hits(peer: list[Sentence], model: list[Sentence], weight: float | None) -> float:
    of_peer = Counter(word for sentence in peer for word in sentence)
    of_model = Counter(word for sentence in model for word in sentence)
    hits = 0.0
    for reference in model:
        marked = set().union(*(path(reference, sentence, weight) for sentence in peer))
        run = 0
        for place, word in enumerate(reference):
            if place in marked and of_peer[word] > 0 and of_model[word] > 0:
                of_peer[word] -= 1
                of_model[word] -= 1
                run += 1
                if weight is None:
                    hits += 1
                elif place + 1 == len(reference) or place + 1 not in marked:
                    hits += float(run) ** weight
                    run = 0
    return hits


def f5(value: float) -> float:
    return float(f"{value:.5f}")


def scores(
    hits: float, model: float, peer: float, alpha: float, root: float = 1.0
) -> tuple[float, float, float]:
    recall = f5((hits / model) ** root) if model else 0.0
    precision = f5((hits / peer) ** root) if peer else 0.0
    below = (1 - alpha) * precision + alpha * recall
    return recall, precision, f5(precision * recall / below) if below > 0 else 0.0


def resampled(values: list[float], n_resamples: int) -> list[float]:
    """Means of bootstrap resamples with Perl's generator, sorted."""
    means = []
    for seed in range(n_resamples):
        state = (seed << 16) + 0x330E
        total = 0.0
        for _ in values:
            state = (state * 0x5DEECE66D + 0xB) % 2**48
            total += values[int(state / 2**48 * len(values))]
        means.append(total / len(values))
    return sorted(means)
