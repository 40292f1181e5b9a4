"""System outputs, human scores of them, and topics: documents, abstracts and outputs."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain, repeat
from operator import attrgetter

from awase.core.errors import Problem, Reporter, raise_if_any
from awase.core.records.abstract import Abstract, SentenceAlignment
from awase.core.records.source import (
    GIVEN,
    Document,
    SentenceRef,
    SourceSentence,
    build_all,
    field_problems,
    id_problems,
    is_split,
    is_storable,
    is_usable_id,
    repeated,
    repeated_ids,
    split_problems,
    text_problems,
)

References = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A system's selection of source sentences.

    Attributes:
        sentences: In the system's order of rank; a repeated id is scored once.
        length: Length class it was made for; None serves every length.
        split: How its own references were split into sentences (`split=` in signatures).
    """

    system: str
    sentences: tuple[SentenceRef, ...]
    length: str | None = None
    references: References | None = None
    split: str = GIVEN

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
            or not is_split(self.split)
        ):
            raise_if_any(_output_problems(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOutput:
    """A system's text.

    Attributes:
        sentences: In the system's order.
        length: Length class it was made for; None serves every length.
        split: How it and its own references were split into sentences (`split=` in signatures).
    """

    system: str
    sentences: tuple[str, ...]
    length: str | None = None
    references: References | None = None
    split: str = GIVEN

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
            or not is_split(self.split)
            or not is_storable("".join(self.sentences))
        ):
            raise_if_any(self._problems())

    @classmethod
    def all_of(
        cls,
        systems: Sequence[str],
        texts: Sequence[tuple[str, ...]],
        lengths: Sequence[str | None],
        splits: Sequence[str],
    ) -> "list[TextOutput]":
        """Returns outputs without references of their own, checked together, for a fifth."""
        if not (
            all(map(is_usable_id, {*systems, *(one for one in {*lengths} if one is not None)}))
            and is_storable("".join(chain.from_iterable(texts)))
            and all(map(is_split, {*splits}))
        ):
            each = zip(systems, texts, lengths, splits, strict=True)
            return [
                cls(system=one, sentences=text, length=length, split=split)
                for one, text, length, split in each
            ]
        return build_all(
            cls,
            systems,
            system=systems,
            sentences=texts,
            length=lengths,
            references=repeat(None),
            split=splits,
        )

    def _problems(self) -> Iterator[Problem]:
        yield from _output_problems(self)
        for sent_idx, text in enumerate(self.sentences):
            yield from text_problems(text, f"text[{sent_idx}]")


Output = Extract | TextOutput


def _output_problems(output: Output) -> Iterator[Problem]:
    yield from field_problems(output, system=id_problems, length=id_problems)
    yield from split_problems(output.split)
    for ref_idx, reference in enumerate(output.references or ()):
        for sent_idx, text in enumerate(reference):
            yield from text_problems(text, f"references[{ref_idx}][{sent_idx}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScore:
    """One human judgement.

    Attributes:
        measure: Name of the measure (`coverage`, `readability`, …).
        value: Finite; its range and direction are the measure's own.
        topic: Topic judged; None for a judgement of the system as a whole.
        annotator: The judge; None when unknown.
    """

    system: str
    measure: str
    value: float
    topic: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        if not (
            is_usable_id(self.system)
            and is_usable_id(self.measure)
            and (self.topic is None or is_usable_id(self.topic))
            and (self.annotator is None or is_usable_id(self.annotator))
            and math.isfinite(self.value)
        ):
            raise_if_any(self._problems())

    @property
    def key(self) -> tuple[str | None, str, str, str | None]:
        """Unique in a corpus: topic, system, measure, annotator."""
        return (self.topic, self.system, self.measure, self.annotator)

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(
            self,
            system=id_problems,
            measure=id_problems,
            topic=id_problems,
            annotator=id_problems,
        )
        if not math.isfinite(self.value):
            yield Problem(
                what="The score is not a finite number.",
                hint="Leave the entry out when there is no score.",
                path="value",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A set of documents on one event.

    Attributes:
        documents: In the order in which they are shown.
        language: Language of the texts (`ja`, `en`, …); None when unknown.
    """

    id: str
    documents: tuple[Document, ...] = ()
    abstracts: tuple[Abstract, ...] = ()
    outputs: tuple[Output, ...] = ()
    title: str | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(self, id=id_problems, title=text_problems, language=id_problems)
        yield from self._repetition_problems()
        known = self._known()
        if not known.issuperset(chain.from_iterable(self._named())):
            yield from self._alternative_problems(known)
            yield from self._extract_problems(known)

    def _named(self) -> list[tuple[SentenceRef, ...]]:
        """Returns all referenced source sentences, with repetitions."""
        found = [output.sentences for output in self.outputs if isinstance(output, Extract)]
        found += [one.members for entry in _entries(self.abstracts) for one in entry.alternatives]
        return found

    def _known(self) -> set[tuple[str, int]]:
        # Plain pairs equal addresses, and are built in a fifth of the time.
        return {(part.id, sentence.n) for part in self.documents for sentence in part.sentences}

    def with_abstracts(self, abstracts: tuple[Abstract, ...]) -> "Topic":
        """Returns a copy with other abstracts."""
        # Only new entries are checked, so that a key press does not revalidate thousands.
        before = set(map(id, _entries(self.abstracts)))
        fresh = [entry for entry in _entries(abstracts) if id(entry) not in before]
        named = chain.from_iterable([one.members for entry in fresh for one in entry.alternatives])
        has_same_ids = [one.id for one in abstracts] == [one.id for one in self.abstracts]
        if not has_same_ids or not self._known().issuperset(named):
            return replace(self, abstracts=abstracts)  # validates and raises
        made = copy(self)
        object.__setattr__(made, "abstracts", abstracts)
        return made

    def _repetition_problems(self) -> Iterator[Problem]:
        yield from repeated_ids(
            [document.id for document in self.documents],
            "documents",
            what="Document “{id}” appears twice in topic “{topic}”, so its sentences would be in "
            "two documents.",
            topic=self.id,
        )
        yield from repeated_ids(
            [abstract.id for abstract in self.abstracts],
            "abstracts",
            what="Abstract “{id}” appears twice in topic “{topic}”.",
            topic=self.id,
        )
        keys = [*zip(map(_system_and_length, self.outputs), map(type, self.outputs), strict=True)]
        if len({*keys}) == len(keys):
            return  # the usual case; iterating takes three times as long
        for index, ((system, length), _) in repeated(keys):
            yield Problem(
                what="System “{system}” has two outputs of the same kind for topic “{topic}”."
                if length is None
                else "System “{system}” has two outputs of the same kind for topic “{topic}”, "
                "length “{length}”.",
                hint="Remove one of the two or rename the system.",
                fields={"system": system, "topic": self.id, "length": length or ""},
                path=f"outputs[{index}].system",
            )

    def _alternative_problems(self, known: set[tuple[str, int]]) -> Iterator[Problem]:
        for abstract_idx, abstract in enumerate(self.abstracts):
            for entry, path in abstract.entries():
                for alternative_idx, alternative in enumerate(entry.alternatives):
                    at = f"abstracts[{abstract_idx}].{path}.alternatives[{alternative_idx}]"
                    for member_idx, ref in enumerate(alternative.members):
                        if ref not in known:
                            yield self._unknown(ref, f"{at}[{member_idx}]")

    def _extract_problems(self, known: set[tuple[str, int]]) -> Iterator[Problem]:
        for output_idx, output in enumerate(self.outputs):
            if isinstance(output, Extract):
                for sent_idx, ref in enumerate(output.sentences):
                    if ref not in known:
                        yield self._unknown(ref, f"outputs[{output_idx}].extract[{sent_idx}]")

    def _unknown(self, ref: SentenceRef, path: str) -> Problem:
        ids = [document.id for document in self.documents]
        if ref.document_id in ids:
            hint = "The document has other sentence numbers; correct the id."
            close = ""
        else:
            close = next(iter(get_close_matches(ref.document_id, ids, n=1)), "")
            hint = "Did you mean document “{close}”?" if close else "Correct the document id."
        return Problem(
            what="Topic “{topic}” has no sentence “{ref}”.",
            hint=hint,
            fields={"topic": self.id, "ref": str(ref), "close": close},
            path=path,
        )

    def refs(self) -> Iterator[SentenceRef]:
        """Yields the address of every source sentence, in the order of the documents."""
        for document in self.documents:
            yield from document.refs()

    def sentences(self) -> Iterator[tuple[SentenceRef, SourceSentence]]:
        """Yields every source sentence with its address, in the order of the documents."""
        for document in self.documents:
            for sentence in document.sentences:
                yield SentenceRef(document.id, sentence.n), sentence

    def abstract(self, abstract_id: str) -> Abstract | None:
        """Returns the abstract with this id, None when there is none."""
        return next((one for one in self.abstracts if one.id == abstract_id), None)


_system_and_length: Callable[[Output], tuple[str, str | None]] = attrgetter("system", "length")


def _entries(abstracts: Iterable[Abstract]) -> list[SentenceAlignment]:
    """Returns all entries of annotators and of the gold."""
    found: list[SentenceAlignment] = []
    for abstract in abstracts:
        for alignment in abstract.alignments:
            found += alignment.sentences
        found += [decided.entry for decided in abstract.gold]
    return found


Change = Callable[[Topic], Topic]  # makes another topic with the same id, or returns the same


def ids_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns the ids of the topics, in their order."""
    return tuple([topic.id for topic in topics])


def annotators_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns all annotators, in order of appearance."""
    names = (
        alignment.annotator
        for topic in topics
        for abstract in topic.abstracts
        for alignment in abstract.alignments
    )
    return tuple(dict.fromkeys(names))


def lengths_of(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Returns the length classes of abstracts, in the order in which they first appear."""
    lengths = (abstract.length for topic in topics for abstract in topic.abstracts)
    return tuple(length for length in dict.fromkeys(lengths) if length is not None)


def select_topics(topics: Iterable[Topic], ids: Collection[str]) -> tuple[Topic, ...]:
    """Returns the topics with these ids, in their order."""
    wanted = frozenset(ids)
    return tuple([topic for topic in topics if topic.id in wanted])


def map_topics(
    topics: Iterable[Topic], change: Change, only: Collection[str] | None = None
) -> tuple[Topic, ...]:
    """Applies `change` to each topic, or to those with the ids in `only`."""
    if only is None:
        return tuple(map(change, topics))
    return tuple([change(topic) if topic.id in only else topic for topic in topics])


def with_progress(topics: Sequence[Topic], reporter: Reporter) -> Iterator[Topic]:
    """Yields the topics, reporting progress before each."""
    for idx, topic in enumerate(topics):
        reporter.advance(idx, len(topics), topic.id)
        yield topic


def with_topics_at(
    topics: Iterable[Topic], places: Iterable[tuple[int, str]], new: Mapping[str, Topic]
) -> tuple[Topic, ...]:
    """Inserts new topics at (position, id), positions counted with earlier insertions."""
    found = [*topics]
    for place, topic_id in places:
        found.insert(place, new[topic_id])
    return tuple(found)


def changed_pairs(old: Iterable[Topic], new: Iterable[Topic]) -> Iterator[tuple[Topic, Topic]]:
    """Yields the topics that both have and that are not the same object, in the new order."""
    known = {topic.id: topic for topic in old}
    for topic in new:
        before = known.get(topic.id)
        if before is not None and before is not topic:
            yield before, topic
