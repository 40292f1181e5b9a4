"""Warnings about ROUGE scores, aggregated."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.errors import Listing, Problem
from awase.core.metrics.kit.outputs import Answer, unscored_outputs
from awase.core.records.output import Extract, Output, TextOutput
from awase.core.records.topic import Topic

_SHOWN = 5


class PartialMeans:
    """Collects the means over fewer topics than there are."""

    def __init__(self) -> None:
        self._means: defaultdict[tuple[str | None, int, int, str], dict[str, None]]
        self._means = defaultdict(dict)

    def note(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Records a mean over fewer topics than there are."""
        if 0 < n_defined < n_topics:
            self._means[length, n_defined, n_topics, system][metric] = None

    def problems(self) -> Iterator[Problem]:
        """Yields the warnings."""
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


_Listing = defaultdict[str, dict[str, None]]

_UNSPACED = Problem(
    what="Text of {systems} or its references is in a script without blanks between words, and "
    "tokens=unicode takes everything between two marks for one word (topics {topics}).",
    hint="Choose tokens=ja for Japanese, tokens=chars for other languages.",
)
_WITHOUT_BLANKS = Problem(
    what="Text of {systems} or its references has no blank between words, and tokens=blanks takes "
    "it for one word (topics {topics}).",
    hint="Choose tokens=ja for Japanese, tokens=chars for other languages.",
)
_CUT_CHARACTER = Problem(
    what="limit={limit} ends within a character of {systems} or their references, and what it "
    "leaves of the character does not count (topics {topics}).",
    hint="Give the limit in characters, such as limit=400c, unless bytes were the rule.",
)
_EMPTY = Problem(what="Outputs of {systems} have no token and score 0 (topics {topics}).")
_NO_ELEMENT = Problem(
    what="Outputs of {systems} have no basic element of this mode and score 0 (topics {topics})."
)
_TOO_SHORT = Problem(
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


class TextLog:
    """Collects warnings during scoring."""

    def __init__(self) -> None:
        self._unspaced: _Listing = defaultdict(dict)
        self._without_blanks: _Listing = defaultdict(dict)
        self._cut_characters: defaultdict[int, _Listing]
        self._cut_characters = defaultdict(lambda: defaultdict(dict))
        self._empty: _Listing = defaultdict(dict)
        self._no_element: _Listing = defaultdict(dict)
        self._too_short: _Listing = defaultdict(dict)
        self._repetitive: _Listing = defaultdict(dict)
        self._two_outputs: _Listing = defaultdict(dict)
        self._unanswering: defaultdict[str | None, _Listing]
        self._unanswering = defaultdict(lambda: defaultdict(dict))
        self._partial_means = PartialMeans()

    def note_output(self, topic: Topic, output: Output) -> None:
        """Records an extract with a repeated sentence."""
        if isinstance(output, Extract) and len({*output.sentences}) < len(output.sentences):
            self._repetitive[output.system][topic.id] = None

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
                self._two_outputs[output.system][topic.id] = None
            else:
                self._unanswering[output.length][output.system][topic.id] = None

    def note_unspaced(self, topic: str, system: str) -> None:
        """Records words that run together under `tokens=unicode`."""
        self._unspaced[system][topic] = None

    def note_without_blanks(self, topic: str, system: str) -> None:
        """Records a text that is one word under `tokens=blanks`."""
        self._without_blanks[system][topic] = None

    def note_cut_character(self, n_bytes: int, topic: str, system: str) -> None:
        """Records a byte limit that splits a character."""
        self._cut_characters[n_bytes][system][topic] = None

    def note_empty(self, topic: str, system: str) -> None:
        """Records an output without tokens."""
        self._empty[system][topic] = None

    def note_no_element(self, topic: str, system: str) -> None:
        """Records an output without basic elements."""
        self._no_element[system][topic] = None

    def note_short_references(self, topic: str, metric: str) -> None:
        """Records references with tokens but without units of the metric."""
        self._too_short[metric][topic] = None

    def note_mean(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Records a mean over fewer topics than there are."""
        self._partial_means.note(system, length, metric, n_defined, n_topics)

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings by importance."""
        return (
            *of_systems(self._unspaced, _UNSPACED),
            *of_systems(self._without_blanks, _WITHOUT_BLANKS),
            *(
                problem
                for n_bytes, systems in self._cut_characters.items()
                for problem in of_systems(systems, _CUT_CHARACTER, limit=f"{n_bytes}b")
            ),
            *of_systems(self._empty, _EMPTY),
            *of_systems(self._no_element, _NO_ELEMENT),
            *of_systems(self._too_short, _TOO_SHORT),
            *of_systems(self._two_outputs, _TWO_OUTPUTS),
            *of_systems(self._repetitive, _REPETITIVE),
            *(
                problem
                for length, systems in self._unanswering.items()
                for problem in of_systems(
                    systems,
                    _UNANSWERING_ANY if length is None else _UNANSWERING,
                    length=length or "",
                )
            ),
            *self._partial_means.problems(),
        )
