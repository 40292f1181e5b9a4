"""What an import brings, and how it joins a corpus: all of it, or nothing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from awase.core.errors import CorpusFormatError, Listing, Problem, raise_if_any
from awase.core.records.abstract import Abstract
from awase.core.records.assist import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.edits.joining import AlignmentPart as AlignmentPart
from awase.core.records.edits.joining import Brought, joined_topics, no_topic
from awase.core.records.edits.ownership import Ownership
from awase.core.records.human_score import HumanScore
from awase.core.records.output import Extract, Output
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.records.topics import ids_of, map_topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """Parts to be joined to a corpus.

    Attributes:
        name: Name of the corpus, taken when the corpus has none.
        guidelines: Those of the corpus, likewise.
        rank_weights: Replace those of an empty corpus; otherwise they must agree.
        ranks: (rank, weight) to add where the corpus lacks the rank; one that it has must agree.
        topics: New topics, or new documents, abstracts and outputs of known ones.
        documents: (topic id, document) for topics that exist, come along or are made by this.
        abstracts: (topic id, abstract), likewise.
        alignments: For abstracts that exist or come along.
        outputs: (topic id, output) for topics that exist or come along.
        human_scores: For topics that exist or come along.
        persons: Those who are not known yet; who is must be the same.
        assignments: To persons that exist or come along; those that exist already are left.
        is_blind: Whether annotators are not to see each other's work; it makes a corpus so.
        assist: How annotators are helped; a corpus that has its own way keeps it.
        ownership: What the file knows of copies and versions; a new corpus becomes such a copy.
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


def addition_of(corpus: Corpus) -> Addition:
    """Returns everything in `corpus` as an addition."""
    return Addition(
        name=corpus.name,
        guidelines=corpus.guidelines,
        rank_weights=corpus.rank_weights,
        topics=tuple(corpus.topics),
        human_scores=corpus.human_scores,
        persons=corpus.persons,
        assignments=corpus.assignments,
        is_blind=corpus.is_blind,
        assist=corpus.assist,
    )


def joined(additions: Sequence[Addition]) -> Addition:
    """Returns one addition that does what all do, one after another."""
    parts: dict[str, Any] = {  # Any: parts of each kind
        field.name: tuple(part for addition in additions for part in getattr(addition, field.name))
        for field in fields(Addition)
        if isinstance(field.default, tuple)
    }
    return Addition(
        name=next((addition.name for addition in additions if addition.name), ""),
        guidelines=next((part.guidelines for part in additions if part.guidelines), ""),
        rank_weights=next(
            (addition.rank_weights for addition in additions if addition.rank_weights), None
        ),
        is_blind=any(addition.is_blind for addition in additions),
        assist=next(
            (part.assist for part in additions if part.assist != USUAL_ASSISTANCE), USUAL_ASSISTANCE
        ),
        ownership=next((part.ownership for part in additions if part.ownership), None),
        **parts,
    )


def with_aliases(addition: Addition, aliases: Mapping[str, str]) -> Addition:
    """Returns the addition with systems under other names, in outputs and in human scores.

    Args:
        addition: As it was read.
        aliases: Name in the addition to the system's name; the others keep theirs.
    """

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


def systems_in(addition: Addition) -> set[str]:
    """Returns every system that has an output or a human score in the addition."""
    outputs = [output for topic in addition.topics for output in topic.outputs]
    outputs += [output for _, output in addition.outputs]
    return {one.system for one in (*outputs, *addition.human_scores)}


def topics_named(addition: Addition) -> set[str]:
    """Returns the ids of the topics that the addition makes or changes."""
    return {*_brought_by(addition).ids()}


def _brought_by(addition: Addition) -> Brought:
    return Brought(
        tuple(enumerate(addition.topics)),
        addition.documents,
        addition.abstracts,
        addition.alignments,
        addition.outputs,
    )


def merge(corpus: Corpus, addition: Addition) -> Corpus:
    """Returns `corpus` with all of `addition` joined to it.

    Args:
        corpus: What it joins.
        addition: What joins it.

    Raises:
        CorpusFormatError: With every conflict: an id that exists already, a topic or abstract that
            is nowhere, ranks or rank weights that differ, and whatever breaks a record's own rules.
            Of a topic only those of the first bad part are told; later ones may follow from them.
    """
    problems = [*_weight_problems(corpus, addition)]
    weights = _joined_weights(corpus, addition)
    topics = joined_topics(corpus.topics, _brought_by(addition), problems)
    try:
        merged = Corpus(
            name=corpus.name or addition.name,
            guidelines=corpus.guidelines or addition.guidelines,
            rank_weights=weights,
            topics=topics,
            human_scores=corpus.human_scores + addition.human_scores,
            persons=tuple(dict.fromkeys(corpus.persons + addition.persons)),
            assignments=_joined_assignments(corpus, addition),
            is_blind=corpus.is_blind or addition.is_blind,
            assist=addition.assist if corpus.assist == USUAL_ASSISTANCE else corpus.assist,
        )
    except CorpusFormatError as error:
        raise CorpusFormatError([*problems, *error.problems]) from error
    raise_if_any(problems)
    return merged


def _joined_assignments(corpus: Corpus, addition: Addition) -> tuple[Assignment, ...]:
    known = {assignment.key for assignment in corpus.assignments}
    new = tuple(part for part in addition.assignments if part.key not in known)
    return corpus.assignments + new


def with_extracts(
    corpus: Corpus, extracts: Mapping[str, Sequence[Extract]], systems: Collection[str]
) -> Corpus:
    """Returns `corpus` with extracts in the place of all by these systems, topic by topic.

    Args:
        corpus: What they join.
        extracts: Topics to their new extracts, asked for when a topic is.
        systems: Whose extracts give way.

    Raises:
        CorpusFormatError: The corpus has no such topic; or, once it is asked for, a topic has no
            such sentence or has the extract already.
    """
    known = frozenset(ids_of(corpus.topics))
    raise_if_any(no_topic(one, ids_of(corpus.topics)) for one in extracts if one not in known)

    def changed(topic: Topic) -> Topic:
        kept = _without(topic, systems)
        own = extracts.get(topic.id, ())
        return replace(kept, outputs=(*kept.outputs, *own)) if own else kept

    shapes = corpus.topics if systems else ()
    concerned = {topic.id for topic in shapes if _without(topic, systems) is not topic}
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
