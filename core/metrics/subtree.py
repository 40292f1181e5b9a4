"""Subtree similarity of every output of a corpus that has parses, and its explanation.

Source: Chousa and Hirao, sections 3 and 4; equations are in `subtree_similarity`.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from awase.core.errors import InputError, Problem, Reporter
from awase.core.language.models import WordEncoder
from awase.core.language.stored_parses import label_of
from awase.core.metrics.entries import DEDUPE, HEAD, KEY, PUNCT, SUBTREE, SUBTREE_REFS, VECTOR
from awase.core.metrics.kit.metric import MODEL, PARSER, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import EMPTY, TextLog
from awase.core.metrics.kit.runner import (
    Case,
    Values,
    cases_of,
    checked_parses,
    needed_texts,
    score_texts,
    values_of,
)
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import UNDECIDED, Supplies, parser_of
from awase.core.metrics.subtree_similarity import (
    Floats,
    Forest,
    ForestOptions,
    HeadKey,
    ReadSentence,
    ReadTexts,
    SubtreeComparison,
    SubtreeMatch,
    SubtreeVector,
    UnknownWords,
    compared,
    forest_reader,
    pair_score,
    read_texts,
)
from awase.core.plots.picture import DrawnTree, Picture, TreeLink, tree_pair
from awase.core.records.corpus import Corpus
from awase.core.records.parse import ParsedSentence
from awase.core.records.score import ScoreTable

METRIC = "subtree"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubtreeRequest(ParsedRequest):
    """The metric with parsed options; compared by identity."""

    forest: ForestOptions
    by_head: bool
    takes_best: bool  # whether the best reference counts, not the mean over all
    encoder: WordEncoder | None  # None = not loaded yet


def parse_request(request: MetricRequest, supplies: Supplies) -> SubtreeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, SUBTREE)
    own = {PARSER.name: parser_of(chosen[PARSER], supplies.parse_label)}
    encoder = None
    if supplies is not UNDECIDED:
        encoder = supplies.encoder_for(request.name, chosen[MODEL])
        own[MODEL.name] = label_of(encoder)
    return SubtreeRequest(
        metric=request.name,
        forest=ForestOptions(
            key=HeadKey(chosen[KEY]),
            drops_punctuation=chosen[PUNCT] == "drop",
            distinct=chosen[DEDUPE],
            vector=SubtreeVector(chosen[VECTOR]),
        ),
        by_head=chosen[HEAD],
        takes_best=chosen[SUBTREE_REFS] == "max",
        encoder=encoder,
        spelled={**chosen.spelled, **own},
    )


def encoder_of(request: SubtreeRequest) -> WordEncoder:
    """Returns the encoder of a request parsed with supplies, else `ValueError`."""
    if request.encoder is None:
        raise ValueError("the request was understood without a model")
    return request.encoder


_UNDEFINED = Problem(
    what="there is no reference, or neither it nor the output has a word.",
    hint="Add an abstract or references.",
)


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""
    unknown = UnknownWords()

    def find(
        cases: Sequence[Case], wanted: Sequence[SubtreeRequest], log: TextLog
    ) -> Mapping[SubtreeRequest, Values]:
        parses = checked_parses(METRIC, cases, supplies, corpus.topics)
        return _values_by_request(cases, wanted, parses, reporter, log, unknown)

    return score_texts(
        corpus,
        [parse_request(request, supplies) for request in requests],
        find,
        reason_of=lambda _request: _UNDEFINED,
        more_warnings=unknown.problems,
    )


def _values_by_request(
    cases: Sequence[Case],
    requests: Sequence[SubtreeRequest],
    parses: Mapping[str, str],
    reporter: Reporter,
    log: TextLog,
    unknown: UnknownWords,
) -> Mapping[SubtreeRequest, Values]:
    found = {request: values_of([None] * len(cases), 3) for request in requests}
    by_topic: dict[str, list[int]] = {}
    for case_idx, case in enumerate(cases):
        by_topic.setdefault(case.topic, []).append(case_idx)
    for topic_idx, (topic, case_idxs) in enumerate(by_topic.items()):
        step = partial(reporter.advance, topic_idx, len(by_topic), topic)
        step()
        _score_topic(cases, case_idxs, found, parses, step, log, unknown)
    reporter.advance(len(by_topic), len(by_topic))
    return found


def _score_topic(
    cases: Sequence[Case],
    case_idxs: Sequence[int],
    found: Mapping[SubtreeRequest, Values],
    parses: Mapping[str, str],
    step: Callable[[], None],
    log: TextLog,
    unknown: UnknownWords,
) -> None:
    texts = [text for text, _, _ in needed_texts(cases[case_idx] for case_idx in case_idxs)]
    read: dict[int, ReadTexts] = {}
    for request, of_request in found.items():
        encoder = encoder_of(request)
        if id(encoder) not in read:
            read[id(encoder)] = read_texts(texts, parses, encoder, step)
            unknown.note(label_of(encoder), read[id(encoder)])
        forest_of = forest_reader(read[id(encoder)], request.forest)
        for case_idx in case_idxs:
            step()
            case = cases[case_idx]
            system = forest_of(case.text)
            values = _values(system, [*map(forest_of, case.references)], request)
            if values is None:
                continue
            of_request.lacks_reference[case_idx] = False
            of_request.values[case_idx] = values
            if not system.subtrees:
                log.note(EMPTY, case.system, case.topic)


def _values(system: Forest, references: Sequence[Forest], request: SubtreeRequest) -> Floats | None:
    """Returns recall, precision and F; None = nothing to compare."""
    pairs = [pair_score(system, reference, by_head=request.by_head) for reference in references]
    rows = [(pair.recall, pair.precision, pair.f) for pair in pairs if pair is not None]
    if not rows:
        return None
    if request.takes_best:
        return np.array(max(rows, key=lambda row: row[2]))
    # fsum: the order in which references were brought changes no digit
    return np.array([math.fsum(column) / len(rows) for column in zip(*rows, strict=True)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPair:
    """An output compared with one of its references."""

    topic: str
    length: str | None
    system: str
    reference: int  # number of the reference, from 1
    comparison: SubtreeComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCase:
    """An output and its references, with trees and vectors."""

    topic: str
    length: str | None
    system: str
    text: tuple[ReadSentence, ...]
    references: tuple[tuple[ReadSentence, ...], ...]
    request: SubtreeRequest

    def compared(
        self, text: Sequence[ReadSentence], reference: Sequence[ReadSentence]
    ) -> SubtreeComparison:
        """Returns the matches of the output's and the reference's subtrees."""
        return compared(text, reference, self.request.forest, by_head=self.request.by_head)


def check_trees(requests: Sequence[MetricRequest]) -> MetricRequest:
    """Returns the one request for this metric."""
    if [one.name for one in requests] != [METRIC]:
        raise InputError.of(
            "Only {metric} compares trees.", "Write {metric} and options.", metric=METRIC
        )
    return requests[0]


def read_cases(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplies
) -> Iterator[ReadCase]:
    """Yields every output with its references."""
    asked = parse_request(request, supplies)
    encoder = encoder_of(asked)
    for case, parses, step in _cases(corpus, supplies, reporter):
        step()
        read = read_texts((text for text, _, _ in needed_texts([case])), parses, encoder, step)
        system, *references = (
            tuple(one for text in part for one in read[text])
            for part in (case.text, *case.references)
        )
        yield ReadCase(
            topic=case.topic,
            length=case.length,
            system=case.system,
            text=system,
            references=tuple(references),
            request=asked,
        )


def _cases(
    corpus: Corpus, supplies: Supplies, reporter: Reporter
) -> Iterator[tuple[Case, Mapping[str, str], Callable[[], None]]]:
    """Yields cases with parses, and progress."""
    cases = cases_of(corpus.topics, TextLog())
    parses = checked_parses(METRIC, cases, supplies, corpus.topics)
    for case_idx, case in enumerate(cases):
        n_done = case_idx * len(corpus.topics) // len(cases)
        yield case, parses, partial(reporter.advance, n_done, len(corpus.topics), case.topic)


def explain(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplies
) -> Iterator[ExplainedPair]:
    """Yields every output's matches with each reference; raises as `read_cases`."""
    for case in read_cases(corpus, request, reporter, supplies):
        for number, reference in enumerate(case.references, start=1):
            yield ExplainedPair(
                topic=case.topic,
                length=case.length,
                system=case.system,
                reference=number,
                comparison=case.compared(case.text, reference),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTexts:
    """Translated texts of the picture."""

    title: str
    system: str
    reference: str


def comparison_picture(
    comparison: SubtreeComparison, chosen: SubtreeMatch | None, texts: PictureTexts, width: float
) -> Picture:
    """Returns the trees of two sentences, the system's at the left.

    The chosen match is highlighted, with linked heads; None = every word of the system is linked
    with its partner.
    """
    (system,), (reference,) = comparison.system, comparison.reference
    if chosen is None:
        return tree_pair(
            _drawn(system, texts.system, ()),
            _drawn(reference, texts.reference, ()),
            [
                TreeLink(
                    left=match.subtree.subtree.head,
                    right=match.partner.subtree.head,
                    weight=match.similarity,
                )
                for match in comparison.of_system
                if match.length == 1 and match.partner is not None
            ],
            texts.title,
            width,
        )
    own = chosen.subtree.subtree
    other = chosen.partner.subtree if chosen.partner is not None else None
    is_system = any(match is chosen for match in comparison.of_system)
    left, right = (own, other) if is_system else (other, own)
    links = []
    if left is not None and right is not None:
        links.append(TreeLink(left=left.head, right=right.head, weight=chosen.similarity))
    return tree_pair(
        _drawn(system, texts.system, left.words if left is not None else (-1,)),
        _drawn(reference, texts.reference, right.words if right is not None else (-1,)),
        links,
        texts.title,
        width,
    )


def _drawn(sentence: ParsedSentence, title: str, marked: Sequence[int]) -> DrawnTree:
    """Returns the tree; a mark at -1, which is no word, fades all words."""
    return DrawnTree(
        title=title,
        words=tuple(word.form for word in sentence.words),
        heads=tuple(word.head for word in sentence.words),
        marked=frozenset(marked),
    )
