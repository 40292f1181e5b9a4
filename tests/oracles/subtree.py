"""Subtree similarity from its definition, with sets and loops: slow and plain."""

from math import sqrt


def subtrees(heads, *, distinct=True):
    """(words, head) of every node, every path from a leaf to an ancestor, every branch."""
    words = range(1, len(heads) + 1)
    children = {word: {one for one in words if heads[one - 1] == word} for word in words}

    def branch(word):
        return {word}.union(*(branch(child) for child in children[word]))

    def above(word):
        return [word] if heads[word - 1] == 0 else [word, *above(heads[word - 1])]

    found = [(frozenset({word}), word) for word in words]
    for leaf in (word for word in words if not children[word]):
        for ancestor in above(leaf):
            on_way = {one for one in above(leaf) if ancestor in above(one)}
            found.append((frozenset(on_way), ancestor))
    found += [(frozenset(branch(word)), word) for word in words]
    return list(set(found)) if distinct else found


def cosine(one, other):
    below = sqrt(sum(a * a for a in one)) * sqrt(sum(b * b for b in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / below if below else 0.0


def mean(vectors):
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def scores(x, y, *, head_filter=True, distinct=True, head_vectors=False):
    """P, R, F of two texts; None = both are empty.

    A text is a list of sentences, each a list of heads (from 1), a list of keys and one of vectors.
    """

    def forest(text):
        return [
            (
                len(words),
                keys[head - 1],
                vectors[head - 1] if head_vectors else mean([vectors[w - 1] for w in words]),
            )
            for heads, keys, vectors in text
            for words, head in subtrees(heads, distinct=distinct)
        ]

    def sim(s, t):
        return max(cosine(s[2], t[2]), 0.0) if s[1] == t[1] or not head_filter else 0.0

    xs, ys = forest(x), forest(y)
    lengths_x, lengths_y = {s[0] for s in xs}, {t[0] for t in ys}
    if not xs and not ys:
        return None
    total = 0.0
    for length in lengths_x & lengths_y:
        x_l = [s for s in xs if s[0] == length]
        y_l = [t for t in ys if t[0] == length]
        p = sum(max(sim(s, t) for t in y_l) for s in x_l) / len(x_l)
        r = sum(max(sim(s, t) for s in x_l) for t in y_l) / len(y_l)
        total += 2 * p * r / (p + r) if p + r else 0.0
    precision = total / len(lengths_x) if lengths_x else 0.0
    recall = total / len(lengths_y) if lengths_y else 0.0
    below = precision + recall
    return precision, recall, 2 * precision * recall / below if below else 0.0
