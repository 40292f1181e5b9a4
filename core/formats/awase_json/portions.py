"""A whole corpus from Awase JSON that is too long to be held: some topics at a time.

The file is gone through twice: first for everything but topics and what is known of entries, as
weights of ranks may stand behind topics, and for faults of JSON, which are told before all others;
then for these.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from awase.core.errors import Problem
from awase.core.formats.awase_json.long_entries import (
    BEGINS,
    ENTRIES,
    LONG_LISTS,
    SYNC,
    TOPICS,
    LongEntries,
    long_items,
)
from awase.core.formats.awase_json.long_json import LongObject
from awase.core.formats.awase_json.parts import Part
from awase.core.formats.awase_json.reading import CorpusFields
from awase.core.formats.reading.import_warnings import human_score_warnings, topic_warnings
from awase.core.formats.reading.json_fields import below, repetition_problem
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sources import in_source
from awase.core.records.corpus import RankWeights, rank_problems
from awase.core.records.edits.addition import Addition
from awase.core.records.topic import Topic
from awase.core.text.encoding import Pieces

PORTION_LETTERS: Final = 8_000_000
"""So many letters of the file make a portion."""


def portions(request: ReadRequest, pieces: Pieces) -> Iterator[ReadResult] | None:
    """Returns what `read` does: the head, some topics at a time, and what is about them.

    Args:
        request: What is asked, but for the text.
        pieces: Gives the text; None is returned where it is not that of an object.

    Raises:
        CorpusFormatError: With every problem of the file, maybe after some portions.
    """
    return _portions(request, pieces) if LongObject(pieces()).begins() else None


def _portions(request: ReadRequest, pieces: Pieces) -> Iterator[ReadResult]:
    default_weights = request.corpus.rank_weights
    with in_source(request.source):
        outline = _outline(pieces)
        fields = CorpusFields(outline.value, outline.oddities, request.source, default_weights)
    head = Addition(name=fields.name, guidelines=fields.guidelines, rank_weights=fields.own_weights)
    yield _result(request, head, fields.warnings())
    topics = _TopicsSoFar(fields, fields.weights or default_weights)
    entries = LongEntries(pieces, request.source)
    which_topics = outline.which_topics
    for path, value, n_letters in long_items(pieces):
        which_topics -= path == TOPICS and value is BEGINS
        if value is BEGINS:
            entries.begin(path)
        elif path == ENTRIES:
            entries.check(value)
        elif which_topics < 0:
            topics.take(value, n_letters)
            if topics.n_letters >= PORTION_LETTERS:
                yield _result(request, *topics.portion())
    corpus, ownership = fields.corpus_of(topics.parts, entries.problems)
    if ownership is not None and entries:
        ownership = replace(ownership, versions=entries)
    yield _result(request, *topics.portion())
    rest = Addition(
        human_scores=corpus.human_scores,
        persons=corpus.persons,
        assignments=corpus.assignments,
        is_blind=corpus.is_blind,
        assist=corpus.assist,
        ownership=ownership,
    )
    odd = human_score_warnings(corpus.human_scores, topics.systems, request.corpus)
    yield _result(request, rest, tuple(odd))


def _result(request: ReadRequest, addition: Addition, odd: tuple[Problem, ...]) -> ReadResult:
    return ReadResult(
        addition=addition, warnings=tuple(one.in_source(request.source) for one in odd)
    )


class _TopicsSoFar:
    """The topics of a file that were read.

    Attributes:
        parts: All of them, as far as they are needed to see what is wrong in the corpus.
        systems: What has outputs in them.
        n_letters: How long those are that are in no portion yet.
    """

    def __init__(self, fields: CorpusFields, weights: RankWeights) -> None:
        self.parts: list[Part[Topic]] = []
        self.systems: set[str] = set()
        self.n_letters = 0
        self._fields, self._weights = fields, weights
        self._some: list[Topic] = []

    def take(self, value: object, n_letters: int) -> None:
        """Reads the next topic."""
        part = self._fields.topic(value, f"topics[{len(self.parts)}]")
        topic = part.record
        self.systems |= {output.system for output in topic.outputs}
        self._some.append(topic)
        self.n_letters += n_letters
        if part.is_whole and not any(rank_problems(self._weights, [(0, topic)])):
            topic = Topic(id=topic.id)
        self.parts.append(Part(topic, part.is_whole, part.id))

    def portion(self) -> tuple[Addition, tuple[Problem, ...]]:
        """Returns the topics that are in no portion yet, and what is odd in them."""
        begin = len(self.parts) - len(self._some)
        some, self._some, self.n_letters = tuple(self._some), [], 0
        if self._fields.problems.found:  # nobody wants them
            return Addition(), ()
        odd = (one for at, topic in enumerate(some, begin) for one in topic_warnings(at, topic))
        return Addition(topics=some, n_before=begin), tuple(odd)


class _Outline(NamedTuple):
    """A file but for its topics and for what it says about entries.

    Attributes:
        value: What stands in it, an empty list for any list of these.
        oddities: What readers of JSON overlook, in these, too.
        which_topics: Which of the values under the key of topics counts, from 0: the last.
    """

    value: dict[str, object]
    oddities: list[Problem]
    which_topics: int


def _outline(pieces: Pieces) -> _Outline:
    n_topics = 0

    def read(text: LongObject, path: str) -> tuple[dict[str, object], list[Problem]]:
        nonlocal n_topics
        value: dict[str, object] = {}
        oddities: dict[str, list[Problem]] = {}
        twice: dict[str, Problem] = {}
        for key in text.each_key(is_within=bool(path)):
            at = below(path, key)
            n_topics += at == TOPICS
            if key in value:
                twice[key] = repetition_problem(key, path)
            if at in LONG_LISTS and text.is_list():
                value[key], oddities[key] = [], []
                for place, (item, _) in enumerate(text.items()):
                    oddities[key] += text.decoder.oddities_in(item, f"{at}[{place}]")
            elif at == SYNC and text.begins():
                value[key], oddities[key] = read(text, at)
            else:
                value[key] = text.value()
                oddities[key] = text.decoder.oddities_in(value[key], at)
        found = [one for key in value for one in oddities[key]]
        return value, [*(twice[key] for key in value if key in twice), *found]

    return _Outline(*read(LongObject(pieces()), ""), n_topics - 1)
