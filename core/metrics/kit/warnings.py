"""Warnings about ROUGE scores, aggregated."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.errors import Listing, Problem
from awase.core.metrics.kit.outputs import Answer, unscored_outputs
from awase.core.records.output import Extract, Output, TextOutput
from awase.core.records.topic import Topic

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
_REPETITIVE = Problem(
    what="Extracts of {systems} repeat sentences; each counts once, at its first place "
    "(topics {topics})."
)
_TWO_OUTPUTS = Problem(
    what="{systems} have both a text and an extract; the text is scored (topics {topics})."
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
            (TOO_SHORT,), (_TWO_OUTPUTS,), (_REPETITIVE,), (_UNANSWERING, _UNANSWERING_ANY),
        )  # fmt: skip

    def note_output(self, topic: Topic, output: Output) -> None:
        """Records an extract with a repeated sentence."""
        if isinstance(output, Extract) and len({*output.sentences}) < len(output.sentences):
            self.note(_REPETITIVE, output.system, topic.id)

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
