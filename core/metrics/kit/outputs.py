"""Assignment of outputs to abstracts, the same for every metric; `annotator`; warnings of ROUGE.

An output with a length class answers the abstracts of that class. An output without one answers
every abstract of its topic for which its system has no output of the abstract's own class.

Metrics of text score extracts, too, by the text of their sentences; of a text and an extract for
the same abstracts, the text. An output with references of its own is compared with them only, and
scored once, under its own length class.

The option `annotator`: whose alignments are the gold standard, and how it resolves.

- `first`: the first alignment of each abstract; resolved as `first(A1+A2)`;
- a name: that person's;
- `gold`: the adjudicated gold;
- `all`: the mean over all annotators; resolved as `all(A1,A2)`.

A person called like one of these words is written `name(gold)`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar
from urllib.parse import unquote

from awase.core.errors import NOTHING, InputError, Listing, Problem
from awase.core.records.abstract import Abstract, Alignment, gold_alignment
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef, join_splits
from awase.core.records.topic import Extract, Output, References, TextOutput, Topic, annotators_of

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


_SHOWN = 5


def of_systems(
    topics_by_system: Mapping[str, Iterable[str]], warning: Problem, **fields: str
) -> Iterator[Problem]:
    """Yields the warning once for all systems that it strikes in the same topics."""
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for system, topics in topics_by_system.items():
        alike[tuple(topics)].append(system)
    for topics, systems in alike.items():
        yield replace(
            warning,
            fields={"systems": listed(systems), "topics": listed(topics), **fields},
        )


def listed(names: Sequence[str]) -> str:
    """Returns the first names, and the total if longer."""
    return Listing(names, most=_SHOWN, is_counted=True)


UNSPACED = Problem(
    what="Text of {systems} or its references is in a script without blanks between words, and "
    "tokens=unicode takes everything between two marks for one word (topics {topics}).",
    hint="Choose tokens=ja for Japanese, tokens=chars for other languages.",
)
WITHOUT_BLANKS = Problem(
    what="Text of {systems} or its references has no blank between words, and tokens=blanks takes "
    "it for one word (topics {topics}).",
    hint="Choose tokens=ja for Japanese, tokens=chars for other languages.",
)
CUT_CHARACTER = Problem(
    what="limit={limit} ends within a character of {systems} or their references, and what it "
    "leaves of the character does not count (topics {topics}).",
    hint="Give the limit in characters, such as limit=400c, unless bytes were the rule.",
)
EMPTY = Problem(what="Outputs of {systems} have no token and score 0 (topics {topics}).")
NO_ELEMENT = Problem(
    what="Outputs of {systems} have no basic element of this mode and score 0 (topics {topics})."
)
TOO_SHORT = Problem(
    what="References are too short for {systems}, which is 0 there as in ROUGE-1.5.5 "
    "(topics {topics})."
)
REPETITIVE = Problem(
    what="Extracts of {systems} repeat sentences; each counts once, at its first place "
    "(topics {topics})."
)
_TWO_OUTPUTS = Problem(
    what="{systems} {systems:has|have} both a text and an extract; the text is scored (topics "
    "{topics})."
)
_UNANSWERING = Problem(
    what="Outputs of {systems} are not scored, as no abstract has their length class “{length}” "
    "(topics {topics}).",
    hint="Add the abstract or correct the length.",
)
_UNANSWERING_ANY = Problem(
    what="Outputs of {systems} without length class are not scored, as there is no abstract that "
    "the system has no other output for (topics {topics}).",
    hint="Add the abstract or remove the outputs.",
)


_Systems = defaultdict[str, dict[str, None]]  # system to topics


class ScoringLog:
    """Collects warnings of systems in topics."""

    def __init__(self, *in_order: tuple[Problem, ...]) -> None:
        """Takes the warnings by importance, those together that come in the order of events."""
        self._slots = {one.what: slot for slot, alike in enumerate(in_order) for one in alike}
        self._found: dict[int, dict[object, tuple[Problem, dict[str, str], _Systems]]] = {}
        self._means: defaultdict[tuple[str | None, int, int, str], dict[str, None]]
        self._means = defaultdict(dict)

    def note(self, warning: Problem, system: str, topic: str, **fields: str) -> None:
        """Records a warning of a system in a topic."""
        of_slot = self._found.setdefault(self._slots[warning.what], {})
        key = warning.what, *fields.values()
        _, _, systems = of_slot.setdefault(key, (warning, fields, defaultdict(dict)))
        systems[system][topic] = None

    def note_mean(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Records a mean over fewer topics than there are."""
        if 0 < n_defined < n_topics:
            self._means[length, n_defined, n_topics, system][metric] = None

    def add(self, other: "ScoringLog") -> None:
        """Adds the warnings of other topics."""
        for of_slot in other._found.values():
            for warning, fields, systems in of_slot.values():
                for system, topics in systems.items():
                    for topic in topics:
                        self.note(warning, system, topic, **fields)

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings by importance."""
        return (*self.of_topics(), *self.of_means())

    def of_topics(self) -> Iterator[Problem]:
        """Yields the warnings of systems in topics."""
        for _, of_slot in sorted(self._found.items()):
            for warning, fields, systems in of_slot.values():
                yield from of_systems(systems, warning, **fields)

    def of_means(self) -> Iterator[Problem]:
        """Yields warnings of means over fewer topics than there are."""
        alike: defaultdict[tuple[str | None, int, int, tuple[str, ...]], dict[str, None]]
        alike = defaultdict(dict)
        for (length, n_defined, n_topics, system), metrics in self._means.items():
            alike[length, n_defined, n_topics, tuple(metrics)][system] = None
        for (length, n_defined, n_topics, names), systems in alike.items():
            yield Problem(
                what="The mean {metrics} of {systems} ({length}) is over {defined} of {topics} "
                "topics; compare it with care.",
                fields={
                    "metrics": listed(names),
                    "systems": listed([*systems]),
                    "length": length or "any length",
                    "defined": n_defined,
                    "topics": n_topics,
                },
            )


class TextLog(ScoringLog):
    """Collects warnings during the scoring of texts."""

    def __init__(self) -> None:
        super().__init__(
            (UNSPACED,), (WITHOUT_BLANKS,), (CUT_CHARACTER,), (EMPTY,), (NO_ELEMENT,),
            (TOO_SHORT,), (_TWO_OUTPUTS,), (REPETITIVE,), (_UNANSWERING, _UNANSWERING_ANY),
        )  # fmt: skip

    def note_output(self, topic: Topic, output: Output) -> None:
        """Records an extract with a repeated sentence."""
        if isinstance(output, Extract) and len({*output.sentences}) < len(output.sentences):
            self.note(REPETITIVE, output.system, topic.id)

    def note_unscored(self, topic: Topic, answers: Sequence[Answer]) -> None:
        """Records outputs that are not scored, and why."""
        unscored = [*unscored_outputs(topic, answers)]
        texts = {
            (answer.output.system, answer.length)
            for answer in (answers if unscored else ())
            if isinstance(answer.output, TextOutput)
        }
        for output in unscored:
            if isinstance(output, Extract) and (output.system, output.length) in texts:
                self.note(_TWO_OUTPUTS, output.system, topic.id)
            else:
                warning = _UNANSWERING_ANY if output.length is None else _UNANSWERING
                self.note(warning, output.system, topic.id, length=output.length or "")


FIRST_ANNOTATOR: Final = "first"
OPTION: Final = "annotator"


class AnnotatorChoice(StrEnum):
    """A choice of annotators."""

    FIRST = FIRST_ANNOTATOR
    GOLD = "gold"
    ALL = "all"
    ONE = "name"


_BETWEEN = {AnnotatorChoice.FIRST: "+", AnnotatorChoice.ALL: ","}
_BRACKETED = re.compile(r"(first|all|name)\(([^()]*)\)")
_SPECIAL = re.compile(r"[%(),+]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotators:
    """A choice of annotators."""

    choice: AnnotatorChoice
    name: str = ""  # a person's; empty for other choices
    expected: tuple[str, ...] | None = None  # the annotators required, sorted; None = any

    @classmethod
    def parse(cls, text: str) -> "Annotators":
        """Returns the choice that an option's value spells."""
        match = _BRACKETED.fullmatch(text)
        if match is not None and match[1] == AnnotatorChoice.ONE:
            return cls(choice=AnnotatorChoice.ONE, name=unquote(match[2]))
        if match is not None:
            choice = AnnotatorChoice(match[1])
            names = [unquote(one) for one in match[2].split(_BETWEEN[choice]) if one]
            return cls(choice=choice, expected=tuple(sorted(names)))
        if text in (AnnotatorChoice.FIRST, AnnotatorChoice.GOLD, AnnotatorChoice.ALL):
            return cls(choice=AnnotatorChoice(text))
        return cls(choice=AnnotatorChoice.ONE, name=text)

    @property
    def spelled(self) -> str:
        """The value of the option, unresolved."""
        if self.choice is not AnnotatorChoice.ONE:
            return self.choice
        if self.name in [*AnnotatorChoice] or _BRACKETED.fullmatch(self.name):
            return f"{AnnotatorChoice.ONE}({_quoted(self.name)})"
        return self.name

    def signed(self, names: Iterable[str]) -> str:
        """Returns the value as resolved to these annotators."""
        found = sorted({*names})
        if self.choice in _BETWEEN and found:
            return f"{self.choice}({_BETWEEN[self.choice].join(map(_quoted, found))})"
        return self.spelled

    def alignments_of(self, abstract: Abstract) -> tuple[Alignment, ...]:
        """Returns the alignments of an abstract that are meant; none where there is none."""
        if self.choice is AnnotatorChoice.ALL:
            return abstract.alignments
        if self.choice is AnnotatorChoice.FIRST:
            return abstract.alignments[:1]
        if self.choice is AnnotatorChoice.GOLD:
            return (gold_alignment(abstract.gold),) if abstract.gold else ()
        found = abstract.alignment_by(self.name)
        return () if found is None else (found,)

    def one_of(self, abstract: Abstract) -> Alignment | None:
        """Returns the one alignment of an abstract that is meant, None where there is none."""
        if self.choice is AnnotatorChoice.ALL:
            raise InputError.of(
                "This looks at one alignment of each abstract, not at annotator=all.",
                "Choose annotator=first, gold or a name.",
            )
        return next(iter(self.alignments_of(abstract)), None)

    def check(self, corpus: Corpus) -> None:
        """Raises unless the corpus has these annotators."""
        if self.choice in (AnnotatorChoice.FIRST, AnnotatorChoice.ALL):
            return
        known = annotators_of(corpus.topics)
        if self.choice is AnnotatorChoice.GOLD and not is_decided(corpus):
            is_person = self.choice in known
            raise InputError.of(
                "Nothing is decided in the gold of this corpus.",
                "The person of that name is annotator=name(gold)."
                if is_person
                else "Adjudicate it, or choose annotator=first.",
            )
        if self.choice is AnnotatorChoice.ONE and self.name not in known:
            raise InputError.of(
                "Nobody called “{annotator}” aligned anything in this corpus.",
                "Use annotator=first or one of {known}." if known else "Align its abstracts first.",
                annotator=self.name,
                known=Listing(known),
            )

    def check_names(self, names: Iterable[Iterable[str]]) -> None:
        """Raises unless the resolved annotators of topics or means are those of a signature."""
        by_topic = [tuple(sorted({*one})) for one in names]
        found = tuple(sorted({name for one in by_topic for name in one}))
        if self.expected is not None and self.expected not in (found, *by_topic):
            raise InputError.of(
                "The alignments of {asked} were requested; here annotator={choice} means those of "
                "{found}.",
                "Choose a name, or annotator={choice} without names.",
                asked=Listing(self.expected) or NOTHING,
                choice=str(self.choice),
                found=Listing(found) or NOTHING,
            )


def alignment_for(abstract: Abstract, annotator: str) -> Alignment | None:
    """Returns the alignment that a value of the option `annotator` means; None = none."""
    return Annotators.parse(annotator).one_of(abstract)


def is_decided(corpus: Corpus) -> bool:
    """Returns whether anything was decided in the gold of the corpus."""
    return any(abstract.gold for topic in corpus.topics for abstract in topic.abstracts)


def annotator_values(names: Iterable[str]) -> list[tuple[str, str]]:
    """Returns (name, value of the option that means it) of each annotator."""
    return [(name, Annotators(choice=AnnotatorChoice.ONE, name=name).spelled) for name in names]


def without_names(value: str) -> str:
    """Returns the unresolved value.

    >>> str(without_names("first(A1+A2)"))
    'first'
    """
    return Annotators.parse(value).spelled


def joined_values(values: Iterable[str]) -> str:
    """Merges values that differ in the resolved annotators only.

    >>> joined_values(["first(A1)", "first(A2)"])
    'first(A1+A2)'
    """
    choices = [*map(Annotators.parse, values)]
    return choices[0].signed(name for one in choices for name in one.expected or ())


def _quoted(name: str) -> str:
    return _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", name)
