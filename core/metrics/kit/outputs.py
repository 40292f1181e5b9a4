"""Assignment of outputs to abstracts, the same for every metric.

An output with a length class answers the abstracts of that class. An output without one answers
every abstract of its topic for which its system has no output of the abstract's own class.

Metrics of text score extracts, too, by the text of their sentences; of a text and an extract for
the same abstracts, the text. An output with references of its own is compared with them only, and
scored once, under its own length class.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple, TypeVar

from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef, join_splits
from awase.core.records.output import Extract, Output, References
from awase.core.records.topic import Topic

AnyOutput = TypeVar("AnyOutput", bound=Output)


class Answer(NamedTuple):
    """An output with its references."""

    output: Output
    length: str | None
    references: References
    split: str


def abstracts_by_length(topic: Topic) -> dict[str | None, list[Abstract]]:
    """Returns the topic's abstracts by length class, in order of appearance."""
    groups: dict[str | None, list[Abstract]] = {}
    for abstract in topic.abstracts:
        groups.setdefault(abstract.length, []).append(abstract)
    return groups


def extracts_for(topic: Topic, length: str | None) -> dict[str, Extract]:
    """Returns the extract of each system that answers abstracts of this length class."""
    extracts = (output for output in topic.outputs if isinstance(output, Extract))
    return _best(extract for extract in extracts if extract.length in (length, None))


def unanswering_extracts(topic: Topic) -> Iterator[Extract]:
    """Yields the extracts that answer no abstract of the topic."""
    answering = {
        (extract.system, extract.length)
        for length in abstracts_by_length(topic)
        for extract in extracts_for(topic, length).values()
    }
    for output in topic.outputs:
        if isinstance(output, Extract) and (output.system, output.length) not in answering:
            yield output


def answers_in(topic: Topic) -> Iterator[Answer]:
    """Yields the outputs of a topic to be scored, by length class."""
    common = answered_by_all(topic)
    if common is not None:
        yield from (Answer(output, *common) for output in topic.outputs)
    else:
        yield from chosen_answers(topic)


def chosen_answers(topic: Topic) -> Iterator[Answer]:
    """Yields the same where outputs must be selected (`answered_by_all` is None)."""
    references = _references_by_length(topic)
    own = dict.fromkeys(o.length for o in topic.outputs if o.references is not None)
    for length in {**references, **own}:
        candidates = [o for o in topic.outputs if _answers(o, length, length in references)]
        for output in _best(candidates).values():
            if output.references is None:
                yield Answer(output, length, *references[length])
            else:
                yield Answer(output, length, output.references, output.split)


def answered_by_all(topic: Topic) -> tuple[str | None, References, str] | None:
    """Returns length class, abstracts and their split if all outputs answer the same; else None.

    The usual case, in which nothing has to be chosen: all outputs are of different systems, without
    references of their own.
    """
    outputs, lengths = topic.outputs, {abstract.length for abstract in topic.abstracts}
    if (
        len(lengths) != 1
        or {*map(_references_in, outputs)} != {None}
        or not {*map(_length_in, outputs)} <= {*lengths, None}
        or len({*map(_system_in, outputs)}) < len(outputs)
    ):
        return None
    ((length, (references, split)),) = _references_by_length(topic).items()
    return length, references, split


_references_in, _length_in, _system_in = map(attrgetter, ("references", "length", "system"))


def _references_by_length(topic: Topic) -> dict[str | None, tuple[References, str]]:
    return {
        length: (
            tuple(tuple([s.text for s in abstract.sentences]) for abstract in abstracts),
            join_splits(abstract.split for abstract in abstracts),
        )
        for length, abstracts in abstracts_by_length(topic).items()
    }


def split_of(output: Output, of_references: str, split_by_document: Mapping[str, str]) -> str:
    """Returns the `split` of an output and its references."""
    if isinstance(output, Extract):
        documents = {ref.document_id for ref in output.sentences}
        return join_splits((of_references, *(split_by_document[one] for one in documents)))
    return join_splits((output.split, of_references))


def unscored_outputs(topic: Topic, answers: Iterable[Answer]) -> Iterator[Output]:
    """Yields the outputs that are not among the answers."""
    scored = {id(answer.output) for answer in answers}
    return (output for output in topic.outputs if id(output) not in scored)


def identical_systems(
    topics: Iterable[Topic], content: Callable[[Output], Hashable]
) -> list[list[str]]:
    """Returns the groups of systems whose outputs have the same content in each topic."""
    outputs: dict[str, set[Hashable]] = {}
    for topic in topics:
        for output in topic.outputs:
            outputs.setdefault(output.system, set()).add((topic.id, content(output)))
    groups: dict[Hashable, list[str]] = {}
    for system, of_system in outputs.items():
        groups.setdefault(frozenset(of_system), []).append(system)
    return [systems for systems in groups.values() if len(systems) > 1]


def sentences_of(output: Output, text_by_ref: Mapping[SentenceRef, str]) -> tuple[str, ...]:
    """Returns the sentences of an output; of an extract each once, at its first position."""
    if isinstance(output, Extract):
        return tuple(text_by_ref[ref] for ref in dict.fromkeys(output.sentences))
    return output.sentences


def _answers(output: Output, length: str | None, has_abstracts: bool) -> bool:
    if output.references is not None:
        return output.length == length
    return has_abstracts and output.length in (length, None)


def _best(outputs: Iterable[AnyOutput]) -> dict[str, AnyOutput]:
    """Returns each system's output of the length class itself, text preferred."""
    chosen: dict[str, AnyOutput] = {}
    for output in outputs:
        known = chosen.get(output.system)
        if known is None or _choice(output) < _choice(known):
            chosen[output.system] = output
    return chosen


def _choice(output: Output) -> tuple[bool, bool]:
    return output.length is None, isinstance(output, Extract)
