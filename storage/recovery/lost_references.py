"""What refers to something that a damaged file has lost goes, too, and is told."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from awase.core.errors import Problem
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output
from awase.core.records.topic import Topic

_Ranked = TypeVar("_Ranked", AbstractSentence, SentenceAlignment)


class Tell(Protocol):
    """Takes note of what is lost."""

    def __call__(self, *, what: str, **fields: str | int) -> None:
        """Notes one loss; `fields` fill the places in `what`."""
        ...


class Losses:
    """What is lost, each once, in the order in which it was found."""

    def __init__(self) -> None:
        self._told: dict[str, Problem] = {}

    def note(self, *, what: str, **fields: str | int) -> None:
        """Notes one loss, as `Tell` does."""
        problem = Problem(what=what, fields=fields)
        self._told.setdefault(str(problem), problem)

    def told(self) -> tuple[Problem, ...]:
        """Returns what was noted until now."""
        return tuple(self._told.values())


def with_sound_links(
    topic_id: str, abstract: Abstract, known: set[SentenceRef], tell: Tell
) -> Abstract:
    """Returns the abstract without alternatives that name sentences that are gone."""

    def kept(entry: SentenceAlignment) -> SentenceAlignment:
        alternatives = tuple(one for one in entry.alternatives if known.issuperset(one.members))
        if len(alternatives) == len(entry.alternatives):
            return entry
        tell(
            what="Links of sentence {n} of abstract “{abstract}” of topic “{topic}” led to lost "
            "sentences; it has to be looked at again.",
            n=entry.n,
            abstract=abstract.id,
            topic=topic_id,
        )
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
        return replace(entry, alternatives=alternatives, state=state)

    return replace(
        abstract,
        alignments=tuple(
            replace(one, sentences=tuple(map(kept, one.sentences))) for one in abstract.alignments
        ),
        gold=tuple(one.with_entry(kept(one.entry)) for one in abstract.gold),
    )


def sound_outputs(
    topic_id: str, outputs: list[Output], known: set[SentenceRef], tell: Tell
) -> Iterator[Output]:
    """Yields each output once, without extracts that name sentences that are gone."""
    unique = {(one.system, one.length, type(one)): one for one in reversed(outputs)}
    for output in reversed(unique.values()):
        if isinstance(output, Extract) and not known.issuperset(output.sentences):
            tell(
                what="The extract of “{system}” for topic “{topic}” named lost sentences.",
                system=output.system,
                topic=topic_id,
            )
        else:
            yield output


def with_sound_ranks(topic: Topic, weights: Mapping[str, float], tell: Tell) -> Topic:
    """Returns the topic without ranks that have no weight."""
    ranks = {sentence.rank for one in topic.abstracts for sentence in one.sentences}
    ranks |= {rank for one in topic.abstracts for rank, _ in one.judged_ranks()}
    unknown = {rank for rank in ranks if rank is not None and rank not in weights}
    if not unknown:
        return topic
    tell(what="Ranks without a weight in topic “{topic}” are lost.", topic=topic.id)

    def sound(one: _Ranked) -> _Ranked:
        return replace(one, rank=None) if one.rank in unknown else one

    abstracts = tuple(
        replace(
            abstract,
            sentences=tuple(map(sound, abstract.sentences)),
            alignments=tuple(
                replace(one, sentences=tuple(map(sound, one.sentences)))
                for one in abstract.alignments
            ),
            gold=tuple(one.with_entry(sound(one.entry)) for one in abstract.gold),
        )
        for abstract in topic.abstracts
    )
    return replace(topic, abstracts=abstracts)
