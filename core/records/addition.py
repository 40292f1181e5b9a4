"""Additions: the contents of imported files, and how they merge into a corpus."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from awase.core.errors import CorpusFormatError, Listing, Problem, raise_if_any
from awase.core.records.abstract import USUAL_ASSISTANCE, Abstract, Alignment, AssistSettings
from awase.core.records.corpus import Assignment, Corpus, Person, RankWeights
from awase.core.records.digests import Ownership
from awase.core.records.source import Document
from awase.core.records.topic import Extract, HumanScore, Output, Topic, ids_of, map_topics

_Part = TypeVar("_Part")
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentPart:
    """An annotator's alignment of an abstract, with the ranks that came along."""

    topic: str
    abstract: str
    # Joins the abstract's alignments; one by the same annotator must not exist.
    alignment: Alignment
    ranks: tuple[tuple[int, str], ...] = ()


def _brings_only_new(known: Topic, brought: Topic) -> bool:
    """Returns whether `brought` has parts, all of them new to `known`."""
    parts = _part_keys(brought)
    return bool(parts) and not parts & _part_keys(known)


def _part_keys(topic: Topic) -> set[tuple[object, ...]]:
    return {
        *(("document", document.id) for document in topic.documents),
        *(("abstract", abstract.id) for abstract in topic.abstracts),
        *((type(output), output.system, output.length) for output in topic.outputs),
    }


class _Topics:
    """Topics while parts are merged into them."""

    # After a bad part a topic accepts no more: later errors might follow from the first.

    def __init__(
        self, topics: tuple[Topic, ...], named: Collection[str], problems: list[Problem]
    ) -> None:
        self._old = topics
        self._find = {topic.id: topic for topic in topics if topic.id in named}.get
        self._changed: dict[str, Topic] = {}
        self._problems = problems
        self._broken: set[str] = set()

    def add(self, topic: Topic, path: str) -> None:
        """Merges a topic at `path` of the import, or its parts into a topic that exists."""
        known = self._known(topic.id)
        if known is None:
            self._changed[topic.id] = topic
        elif _brings_only_new(known, topic):
            self._changed[topic.id] = replace(
                known,
                documents=known.documents + topic.documents,
                abstracts=known.abstracts + topic.abstracts,
                outputs=known.outputs + topic.outputs,
                title=known.title if known.title is not None else topic.title,
                language=known.language if known.language is not None else topic.language,
            )
        else:
            self._refuse(
                topic.id,
                Problem(
                    what="The corpus already has a topic “{id}”.",
                    hint="Rename one of the two, or import into a new corpus.",
                    fields={"id": topic.id},
                    path=path,
                ),
            )

    def change(
        self, topic_id: str, change: Callable[[Topic], Topic], *, creating: bool = False
    ) -> None:
        """Replaces a topic by `change(topic)`; `creating` allows a new one."""
        if topic_id in self._broken:
            return
        known = self._known(topic_id)
        if known is None and not creating:
            self._refuse(topic_id, no_topic(topic_id, self._ids()))
            return
        try:
            self._changed[topic_id] = change(known or Topic(id=topic_id))
        except CorpusFormatError as error:
            position = [*self._ids(), topic_id].index(topic_id)
            self._refuse(topic_id, *(one.below(f"topics[{position}]") for one in error.problems))

    def joined(self) -> tuple[Topic, ...]:
        """Returns all topics in order, new ones last."""
        return tuple({**{topic.id: topic for topic in self._old}, **self._changed}.values())

    def _known(self, topic_id: str) -> Topic | None:
        return self._changed.get(topic_id) or self._find(topic_id)

    def _ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*ids_of(self._old), *self._changed)))

    def _refuse(self, topic_id: str, *problems: Problem) -> None:
        self._broken.add(topic_id)
        self._problems.extend(problems)


def no_topic(topic_id: str, known_ids: Iterable[str]) -> Problem:
    """Returns the problem that there is no such topic, with the ids there are."""
    known = Listing(known_ids, most=_SHOWN)
    return Problem(
        what="The corpus has no topic “{topic}”.",
        hint="It has: {known}." if known else "It has none yet: import its documents first.",
        fields={"topic": topic_id, "known": known},
    )


def no_abstract(topic: Topic, abstract_id: str) -> Problem:
    """Returns the problem that a topic has no such abstract, with the ids there are."""
    known = Listing((abstract.id for abstract in topic.abstracts), most=_SHOWN)
    return Problem(
        what="Topic “{topic}” has no abstract “{abstract}”.",
        hint="It has: {known}." if known else "It has none yet: import abstracts first.",
        fields={"topic": topic.id, "abstract": abstract_id, "known": known},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """Parts to be merged into a corpus.

    Attributes:
        name: Name of the corpus, used when the corpus has none.
        rank_weights: Replace those of an empty corpus; otherwise they must agree.
        ranks: (rank, weight) to add where the corpus lacks the rank; one that it has must agree.
        persons: New ones; a person who exists already must be equal.
        assignments: To persons that exist or come along; existing assignments are skipped.
        is_blind: Whether annotators must not see each other's work; only ever switched on.
        assist: Settings of assistance, applied when the corpus has none.
        ownership: Copies and versions that the file records, adopted by a new corpus.
    """

    name: str = ""
    guidelines: str = ""
    rank_weights: RankWeights | None = None
    ranks: RankWeights = ()
    topics: tuple[Topic, ...] = ()
    documents: tuple[tuple[str, Document], ...] = ()
    abstracts: tuple[tuple[str, Abstract], ...] = ()
    alignments: tuple[AlignmentPart, ...] = ()
    outputs: tuple[tuple[str, Output], ...] = ()
    human_scores: tuple[HumanScore, ...] = ()
    persons: tuple[Person, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    is_blind: bool = False
    assist: AssistSettings = USUAL_ASSISTANCE
    ownership: Ownership | None = None

    def systems(self) -> set[str]:
        """Returns every system that has an output or a human score."""
        outputs = [output for topic in self.topics for output in topic.outputs]
        outputs += [output for _, output in self.outputs]
        return {one.system for one in (*outputs, *self.human_scores)}

    def topic_ids(self) -> set[str]:
        """Returns the ids of topics that it creates or changes."""
        parts = chain(self.documents, self.abstracts, self.outputs)
        return {
            *ids_of(self.topics),
            *(part.topic for part in self.alignments),
            *(topic_id for topic_id, _ in parts),
        }


def _joined_topics(
    topics: tuple[Topic, ...], addition: Addition, problems: list[Problem]
) -> tuple[Topic, ...]:
    """Returns the topics with the addition's parts merged in, new topics last.

    Appends to `problems`; invariants across topics are checked when a corpus is built of them.
    """
    merged = _Topics(topics, addition.topic_ids(), problems)
    for index, topic in enumerate(addition.topics):
        merged.add(topic, f"topics[{index}].id")
    for topic_id, documents in _grouped(addition.documents).items():
        merged.change(topic_id, partial(_with_more, "documents", documents), creating=True)
    for topic_id, abstracts in _grouped(addition.abstracts).items():
        merged.change(topic_id, partial(_with_more, "abstracts", abstracts), creating=True)
    for part in addition.alignments:
        merged.change(part.topic, partial(_with_alignment, part))
    for topic_id, outputs in _grouped(addition.outputs).items():
        merged.change(topic_id, partial(_with_more, "outputs", outputs))
    return merged.joined()


def _grouped(parts: Sequence[tuple[str, _Part]]) -> dict[str, list[_Part]]:
    groups: dict[str, list[_Part]] = {}
    for topic_id, part in parts:
        groups.setdefault(topic_id, []).append(part)
    return groups


def _with_more(name: str, parts: list[_Part], topic: Topic) -> Topic:
    more: dict[str, Any] = {name: (*getattr(topic, name), *parts)}  # Any: parts of one kind
    return replace(topic, **more)


def _with_alignment(part: AlignmentPart, topic: Topic) -> Topic:
    abstract = topic.abstract(part.abstract)
    if abstract is None:
        raise CorpusFormatError([no_abstract(topic, part.abstract)])
    ranks = dict(part.ranks)
    try:
        raise_if_any(_rank_problems(abstract, ranks))
        aligned = replace(
            abstract,
            sentences=tuple(
                replace(sentence, rank=ranks[sentence.n]) if sentence.n in ranks else sentence
                for sentence in abstract.sentences
            ),
            alignments=(*abstract.alignments, part.alignment),
        )
    except CorpusFormatError as error:
        path = f"abstracts[{topic.abstracts.index(abstract)}]"
        raise CorpusFormatError(problem.below(path) for problem in error.problems) from error
    return replace(
        topic,
        abstracts=tuple(aligned if known is abstract else known for known in topic.abstracts),
    )


def _rank_problems(abstract: Abstract, ranks: dict[int, str]) -> Iterator[Problem]:
    known = {sentence.n: sentence.rank for sentence in abstract.sentences}
    for n, rank in ranks.items():
        old = known.get(n)
        if n not in known:
            yield Problem(
                what="Abstract “{id}” has no sentence {n}.",
                hint="Correct the number or add the sentence.",
                fields={"id": abstract.id, "n": n},
            )
        elif old is not None and old != rank:
            yield Problem(
                what="Sentence {n} of abstract “{id}” has rank {old}, the import says {new}.",
                hint="Make them equal first: every weighted coverage depends on them.",
                fields={"id": abstract.id, "n": n, "old": old, "new": rank},
            )


def addition_of(corpus: Corpus) -> Addition:
    """Returns the whole `corpus` as an addition."""
    return Addition(**{field.name: getattr(corpus, field.name) for field in fields(Corpus)})


def joined(additions: Sequence[Addition]) -> Addition:
    """Merges additions into one with the same effect: all parts, else the first value given."""
    merged: dict[str, Any] = {}  # Any: fields of each kind
    for field in fields(Addition):
        values = [getattr(addition, field.name) for addition in additions]
        if isinstance(field.default, tuple):
            merged[field.name] = tuple(chain.from_iterable(values))
        else:
            given = (value for value in values if value != field.default)
            merged[field.name] = next(given, field.default)
    return Addition(**merged)


def with_aliases(addition: Addition, aliases: Mapping[str, str]) -> Addition:
    """Renames systems in outputs and human scores by `aliases` (old name to new)."""

    def renamed(output: Output) -> Output:
        name = aliases.get(output.system)
        return output if name is None else replace(output, system=name)

    return replace(
        addition,
        topics=tuple(
            replace(topic, outputs=tuple(map(renamed, topic.outputs))) for topic in addition.topics
        ),
        outputs=tuple((topic_id, renamed(output)) for topic_id, output in addition.outputs),
        human_scores=tuple(
            replace(score, system=aliases.get(score.system, score.system))
            for score in addition.human_scores
        ),
    )


def merge(corpus: Corpus, addition: Addition) -> Corpus:
    """Returns `corpus` with all of `addition` joined to it."""
    problems = [*_weight_problems(corpus, addition)]
    weights = _joined_weights(corpus, addition)
    known = {assignment.key for assignment in corpus.assignments}
    assignments = tuple(part for part in addition.assignments if part.key not in known)
    topics = _joined_topics(corpus.topics, addition, problems)
    scores = corpus.human_scores + addition.human_scores
    persons = tuple(dict.fromkeys(corpus.persons + addition.persons))
    assignments = corpus.assignments + assignments
    try:
        merged = Corpus(
            name=corpus.name or addition.name,
            guidelines=corpus.guidelines or addition.guidelines,
            rank_weights=weights,
            topics=topics,
            human_scores=scores,
            persons=persons,
            assignments=assignments,
            is_blind=corpus.is_blind or addition.is_blind,
            assist=addition.assist if corpus.assist == USUAL_ASSISTANCE else corpus.assist,
        )
    except CorpusFormatError as error:
        joined: dict[str, tuple[Sequence[object], Sequence[object]]] = {
            "topics": (topics, addition.topics),
            "human_scores": (scores, addition.human_scores),
            "persons": (persons, addition.persons),
            "assignments": (assignments, addition.assignments),
        }
        raise CorpusFormatError([*problems, *_in_addition(error.problems, joined)]) from error
    raise_if_any(problems)
    return merged


def _in_addition(
    problems: Iterable[Problem], joined: Mapping[str, tuple[Sequence[object], Sequence[object]]]
) -> Iterator[Problem]:
    """Yields problems of what was `joined`, by member: all of it, and what was added."""
    places = {
        name: {id(one): at for at, one in enumerate(added)} for name, (_, added) in joined.items()
    }
    for problem in problems:
        name, _, rest = problem.path.partition("[")
        index, _, rest = rest.partition("]")
        if name in joined:
            at = places[name].get(id(joined[name][0][int(index)]), index)
            problem = replace(problem, path=f"{name}[{at}]{rest}")
        yield problem


def with_extracts(
    corpus: Corpus,
    extracts: Mapping[str, Sequence[Extract]],
    systems: Collection[str],
    among: Collection[str],
) -> Corpus:
    """Replaces these systems' extracts of topics `among` with `extracts` (by topic id, lazy)."""
    known = frozenset(ids_of(corpus.topics))
    raise_if_any(no_topic(one, ids_of(corpus.topics)) for one in extracts if one not in known)

    def changed(topic: Topic) -> Topic:
        kept = _without(topic, systems)
        own = extracts.get(topic.id, ())
        return replace(kept, outputs=(*kept.outputs, *own)) if own else kept

    shapes = corpus.topics if systems else ()
    chosen = (topic for topic in shapes if topic.id in among)
    concerned = {topic.id for topic in chosen if _without(topic, systems) is not topic}
    return replace(corpus, topics=map_topics(corpus.topics, changed, {*concerned, *extracts}))


def _without(topic: Topic, systems: Collection[str]) -> Topic:
    kept = tuple(
        output
        for output in topic.outputs
        if not isinstance(output, Extract) or output.system not in systems
    )
    return topic if len(kept) == len(topic.outputs) else replace(topic, outputs=kept)


def _weight_problems(corpus: Corpus, addition: Addition) -> Iterator[Problem]:
    weights = addition.rank_weights
    if weights is not None and corpus.topics and dict(weights) != dict(corpus.rank_weights):
        yield Problem(
            what="The rank weights of the import ({new}) differ from the corpus's ({old}).",
            hint="Make them equal first: every weighted coverage depends on them.",
            fields={"new": _weights_text(weights), "old": _weights_text(corpus.rank_weights)},
            path="rank_weights",
        )
    known = dict(_joined_weights(corpus, addition))
    for rank, weight in dict.fromkeys(addition.ranks):
        if known[rank] != weight:
            yield Problem(
                what="Rank “{rank}” weighs {old:.4g} in the corpus, and {new:.4g} in the import.",
                hint="Import into a new corpus: every weighted coverage depends on the weights.",
                fields={"rank": rank, "old": known[rank], "new": weight},
                path="rank_weights",
            )


def _weights_text(weights: RankWeights) -> str:
    return Listing(f"{rank} {weight:.4g}" for rank, weight in weights)


def _joined_weights(corpus: Corpus, addition: Addition) -> RankWeights:
    weights = addition.rank_weights
    if weights is None or corpus.topics:
        weights = corpus.rank_weights
    joined_weights = [*weights]
    for rank, weight in addition.ranks:
        if rank not in dict(joined_weights):
            # In order of importance, behind those that weigh as much.
            before = [known >= weight for _, known in joined_weights]
            at = before.index(False) if False in before else len(before)
            joined_weights.insert(at, (rank, weight))
    return tuple(joined_weights)
