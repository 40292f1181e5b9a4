"""Terms that sentences can share: words, and pieces of Japanese, with offsets.

Width and case are folded. Japanese needs no dictionary: the character bigrams of runs of kanji
or katakana are terms, so that 夜間離着陸訓練 meets 離着陸訓練 in four pieces, and so are
figures, alone and with their counter (12点, 3人). Whole runs, single kanji and hiragana were
tried and are left out, except for an isolated kanji: docs/candidates.md has the measurements.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from sys import intern
from typing import Final, NamedTuple

from awase.core.records.abstract import SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.script import Span, clusters, joined_spans, without_selectors

_RUN = re.compile(
    r"(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff々〆ー]+(?:['’][^\W\d_\u3040-\u30ff\u3400-\u9fff]+)*)"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<cjk>[\u3400-\u9fff々〆]+|[\u30a1-\u30faー]{2,})"
)
_UNIT = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa]")
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3
_MOST_TEXTS = 4_096
_MOST_WORDS = 16_384
_STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about after all also an and any are as at be because been before being but by can could
        did do does for from had has have he her him his how i if in into is it its more most no
        not of on one or other our out over said say says she so some such than that the their them
        then there these they this those through to under up was we were what when where which
        while who whose will with would you your
        """,
    )
)


class Term(NamedTuple):
    """A term with its offsets."""

    key: str
    start: int  # offset of its first character in the text
    end: int  # offset behind its last


def terms_of(text: str) -> Iterator[Term]:
    """Yields the terms of `text`; those of one run may overlap."""
    folded, starts, ends = _folded(text)
    for match in _RUN.finditer(folded):
        start, end = match.span()
        # WHO and IT are names, not stop words.
        is_name = end - start > 1 and text[starts[start] : ends[end - 1]].isupper()
        for key, at, behind in _terms_of_run(match, folded, is_name=is_name):
            yield Term(key, starts[start + at], ends[start + behind - 1])


@lru_cache(maxsize=_MOST_TEXTS)
def keys_of(text: str) -> tuple[str, ...]:
    """Returns the keys of the terms of `text`, in order, with repetitions."""
    # Cached: a ranker and the similarities both need them while the annotator waits for the topic.
    return tuple(intern(term.key) for term in terms_of(text))


def _terms_of_run(
    match: re.Match[str], folded: str, *, is_name: bool
) -> Iterator[tuple[str, int, int]]:
    run = match[0]
    if match.lastgroup == "cjk":
        yield from _pieces(run)
    elif match.lastgroup == "number":
        number = run.replace(",", "")
        yield number, 0, len(run)
        if unit := _UNIT.match(folded, match.end()):
            yield number + unit[0], 0, len(run) + 1
    elif is_name or run not in _STOP_WORDS:
        yield _stem(run), 0, len(run)


def _pieces(run: str) -> Iterator[tuple[str, int, int]]:
    if len(run) == 1:
        yield run, 0, 1
    for at in range(len(run) - 1):
        yield run[at : at + 2], at, at + 2


@lru_cache(maxsize=_MOST_WORDS)
def _stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s").replace("’", "'")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


_Offsets = Sequence[int]


def _folded(text: str) -> tuple[str, _Offsets, _Offsets]:
    """Returns `text` folded in width and case, with the original offsets of each character."""
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in clusters(text):
        cluster = without_selectors(text[start:end])
        for piece in unicodedata.normalize("NFKC", cluster).lower():
            characters.append(piece)
            starts.append(start)
            ends.append(end)
    return "".join(characters), starts, ends


def inverse_frequencies(counts: Sequence[Counter[str]]) -> Mapping[str, float]:
    """Returns term -> idf, above 0, when each of `counts` is a sentence."""
    frequency: Counter[str] = Counter()
    for of_sentence in counts:
        frequency.update(of_sentence.keys())
    n_sentences = len(counts)
    return {key: inverse_frequency(n, n_sentences) for key, n in frequency.items()}


def inverse_frequency(n: int, n_sentences: int) -> float:
    """Returns the idf, above 0, of a term that `n` of the sentences have."""
    return math.log(1 + (n_sentences - n + 0.5) / (n + 0.5))


SATURATION: Final = 1.2
LENGTH_SHARE: Final = 0.5
NEIGHBOUR_SHARE: Final = 0.1
WORTH_OF_WHAT_IS_THERE: Final = 0.25


class Bm25Ranker:
    """BM25 over the topic's sentences, so that terms of the topic weigh little.

    k1 = 1.2, b = 0.5 (in a topic, long sentences say more). A tenth of both neighbours' scores is
    added: sentences that continue a subject rarely name it again. docs/candidates.md has the
    measurements.

    Source: Robertson and Zaragoza 2009, “The Probabilistic Relevance Framework: BM25 and Beyond”,
        equation 3.15, with 1 added within the logarithm of idf, which keeps it above 0.
    """

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        """Takes the texts of a topic's sentences, by document; indices run through all of them."""
        self._counts = [Counter(keys_of(text)) for texts in documents for text in texts]
        self._starts = frozenset(accumulate(map(len, documents)))
        self._postings = _weighted_postings(self._counts)

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns (n_sentences,) scores as sources of `text`, higher is likelier; 0 = no evidence.

        Terms that members of the current alternative, `having`, cover count less, so that what is
        still lacking comes first.
        """
        there = {key for idx in having for key in self._counts[idx]}
        own = [0.0] * len(self._counts)
        for key in dict.fromkeys(keys_of(text)):
            worth = WORTH_OF_WHAT_IS_THERE if key in there else 1.0
            for idx, weight in self._postings.get(key, ()):
                own[idx] += worth * weight
        return self._with_neighbours(own)

    def _with_neighbours(self, own: Sequence[float]) -> list[float]:
        scores = list(own)
        for idx in range(1, len(own)):
            if idx not in self._starts:
                scores[idx] += NEIGHBOUR_SHARE * own[idx - 1]
                scores[idx - 1] += NEIGHBOUR_SHARE * own[idx]
        return scores


def _weighted_postings(counts: Sequence[Counter[str]]) -> dict[str, list[tuple[int, float]]]:
    """Returns term -> (index of the sentence, weight)."""
    idf = inverse_frequencies(counts)
    lengths = [of_sentence.total() for of_sentence in counts]
    mean = (sum(lengths) / len(lengths) if lengths else 0.0) or 1.0
    postings: dict[str, list[tuple[int, float]]] = {}
    for idx, of_sentence in enumerate(counts):
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[idx] / mean)
        for key, count in of_sentence.items():
            weight = idf[key] * count * (SATURATION + 1) / (count + norm)
            postings.setdefault(key, []).append((idx, weight))
    return postings


def best_first(scores: Sequence[float]) -> list[int]:
    """Returns the indices of `scores`, the highest first; equal ones in the documents' order."""
    return sorted(range(len(scores)), key=lambda idx: (-scores[idx], idx))


# Cosine of terms from which two sentences are shown as near-duplicates.
NEAR_DUPLICATE: Final = 0.55

# The same for Japanese, by character bigrams; see docs/candidates.md.
NEAR_DUPLICATE_IN_JAPANESE: Final = 0.45

FEWEST_TERMS_TO_COMPARE: Final = 3

_JAPANESE: Final = re.compile("[\u3040-\u30ff]")
_BETWEEN_RUNS: Final = re.compile(r"[\s、。「」（）()・]+")


class Cosines:
    """Cosines of texts, each a set of features weighted by idf."""

    def __init__(self, features: Sequence[Sequence[str]]) -> None:
        counts = [Counter(of_text) for of_text in features]
        self.idf = inverse_frequencies(counts)
        self._square_by_key = {key: weight * weight for key, weight in self.idf.items()}
        self.keys = [tuple(of_text) for of_text in counts]
        self._norms = [
            math.sqrt(sum(self._square_by_key[key] for key in keys)) or 1.0 for keys in self.keys
        ]
        self._holders: dict[str, list[int]] = {}
        for idx, keys in enumerate(self.keys):
            for key in keys:
                self._holders.setdefault(key, []).append(idx)

    def to(self, idx: int) -> list[float]:
        """Returns each text's similarity to the one at `idx`: 0..1."""
        products = [0.0] * len(self.keys)
        for key in self.keys[idx]:
            for other in self._holders[key]:
                products[other] += self._square_by_key[key]
        norm = self._norms[idx]
        return [
            min(1.0, product / (norm * other))
            for product, other in zip(products, self._norms, strict=True)
        ]


class SentenceSimilarity:
    """Similarities of one topic's source sentences."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)
        self._terms = Cosines([keys_of(text) for text in texts])

    def to_nearest(self, sent_indices: Sequence[int]) -> list[float]:
        """Returns each sentence's similarity to the nearest of `sent_indices`: 0..1."""
        rows = [self._terms.to(sent_idx) for sent_idx in sent_indices]
        return [max(column) for column in zip(*rows, strict=True)]

    def shares_of(self, text: str) -> list[float]:
        """Returns the share of `text` that each sentence covers: 0..1 of the idf of its terms."""
        # A term that no sentence has is the rarest of all, and weighs most.
        idf, keys = self._terms.idf, set(keys_of(text))
        of_unknown = inverse_frequency(0, len(self._texts))
        total = sum(idf.get(key, of_unknown) for key in keys) or 1.0
        return [sum(idf[key] for key in keys.intersection(own)) / total for own in self._terms.keys]

    def near_duplicates(self, sent_idx: int, threshold: float | None = None) -> tuple[int, ...]:
        """Returns the other sentences above the cosine threshold (None = the script's), in order.

        Sentences of fewer than three terms are never compared: "He agreed." has no twin.
        """
        if len(self._terms.keys[sent_idx]) < FEWEST_TERMS_TO_COMPARE:
            return ()
        if threshold is None:
            threshold = NEAR_DUPLICATE_IN_JAPANESE if self._is_japanese else NEAR_DUPLICATE
        return tuple(
            other
            for other, likeness in enumerate(self._wordings.to(sent_idx))
            if other != sent_idx
            and likeness >= threshold
            and len(self._terms.keys[other]) >= FEWEST_TERMS_TO_COMPARE
        )

    @cached_property
    def _is_japanese(self) -> bool:
        n_japanese = sum(bool(_JAPANESE.search(text)) for text in self._texts)
        return 2 * n_japanese > len(self._texts)

    @cached_property
    def _wordings(self) -> Cosines:
        """Terms of near-duplicates: in Japanese with endings."""
        if not self._is_japanese:
            return self._terms
        return Cosines([_pairs_of(text) for text in self._texts])


@lru_cache(maxsize=4)
def similarity_of(texts: tuple[str, ...]) -> SentenceSimilarity:
    """Returns a topic's similarities, cached, as ranking and suggestions both need them."""
    return SentenceSimilarity(texts)


def _pairs_of(text: str) -> list[str]:
    """Returns the character bigrams of runs, hiragana included."""
    runs = _BETWEEN_RUNS.split(unicodedata.normalize("NFKC", text).lower())
    return [run[at : at + 2] for run in runs for at in range(len(run) - 1)]


_WORTH_OF_LIKENESS: Final = 0.5


class TopicIndex:
    """The index of one topic's source sentences."""

    def __init__(self, topic: Topic) -> None:
        sentences = tuple(topic.sentences())
        self.refs: Final = tuple(ref for ref, _ in sentences)  # all, in the order of the documents
        self._text_by_ref = {ref: sentence.text for ref, sentence in sentences}
        self._idx_by_ref = {ref: idx for idx, ref in enumerate(self.refs)}
        self._topic = topic
        self._likeness = similarity_of(tuple(self._text_by_ref.values()))
        self._duplicates: dict[SentenceRef, tuple[SentenceRef, ...]] = {}

    @cached_property
    def _ranker(self) -> Bm25Ranker:
        """Lazy, as similarities need no ranking."""
        documents = self._topic.documents
        return Bm25Ranker([[one.text for one in each.sentences] for each in documents])

    def ranked(
        self,
        text: str,
        *,
        linked: Iterable[SentenceRef] = (),
        having: Iterable[SentenceRef] = (),
        like: Iterable[SentenceRef] = (),
    ) -> tuple[SentenceRef, ...]:
        """Returns every source sentence, the likeliest for `text` first, ties in document order.

        Those of `linked` come first, in their order. Terms of `text` that members of the current
        alternative, `having`, cover count a quarter, so that what is still lacking comes first.
        When a new alternative starts, sentences similar to members of the others, `like`, move up,
        as they may say the same.
        """
        scores = self._ranker.scores(text, self._indices(having))
        if like_indices := self._indices(like):
            worth = _WORTH_OF_LIKENESS * max(scores)
            likeness = self._likeness.to_nearest(like_indices)
            scores = [a + worth * b for a, b in zip(scores, likeness, strict=True)]
        first = [ref for ref in dict.fromkeys(linked) if ref in self._idx_by_ref]
        taken = set(first)
        rest = (self.refs[idx] for idx in best_first(scores))
        return (*first, *(ref for ref in rest if ref not in taken))

    def ranked_for(
        self, text: str, entry: SentenceAlignment, alternative_idx: int
    ) -> tuple[SentenceRef, ...]:
        """Returns the candidates at an alternative of `entry`.

        Its members come first, then what is still lacking. For a new one, beyond the last, all
        links come first, then sentences that are likely by themselves or similar to links.
        """
        if alternative_idx < len(entry.alternatives):
            members = entry.alternatives[alternative_idx].members
            return self.ranked(text, linked=members, having=members)
        linked = tuple(dict.fromkeys(entry.refs()))
        return self.ranked(text, linked=linked, like=linked)

    def overlaps(self, text: str) -> dict[SentenceRef, float]:
        """Returns the share of `text` that each source sentence covers: 0..1 by idf."""
        return dict(zip(self.refs, self._likeness.shares_of(text), strict=True))

    def matches(self, ref: SentenceRef, text: str) -> tuple[Span, ...]:
        """Returns the spans of terms of `text` in the source sentence, as `shared_spans`."""
        return shared_spans(self._text_by_ref[ref], text)

    def near_duplicates(self, ref: SentenceRef) -> tuple[SentenceRef, ...]:
        """Returns the near-duplicates of a sentence, in document order."""
        if ref not in self._duplicates and ref in self._idx_by_ref:
            close = self._likeness.near_duplicates(self._idx_by_ref[ref])
            self._duplicates[ref] = tuple(self.refs[idx] for idx in close)
        return self._duplicates.get(ref, ())

    def _indices(self, refs: Iterable[SentenceRef]) -> list[int]:
        return [self._idx_by_ref[ref] for ref in refs if ref in self._idx_by_ref]


@lru_cache(maxsize=256)
def _key_set(text: str) -> frozenset[str]:
    return frozenset(keys_of(text))


def shared_spans(text: str, other: str) -> tuple[Span, ...]:
    """Returns the disjoint spans (start, end) of terms of `other` in `text`."""
    keys = _key_set(other)
    return joined_spans(
        (term.start, term.end)
        for term in terms_of(text)
        # A lone kanji (同, 見, 大) ranks a little, but marked everywhere it only distracts.
        if term.key in keys and (len(term.key) > 1 or term.key.isascii())
    )
