"""What a reader of TSC-3 scores should know, gathered so that each thing is said once."""

from collections.abc import Iterator
from dataclasses import replace

from awase.core.errors import Problem
from awase.core.metrics.gold import Gold
from awase.core.metrics.outputs import unanswered
from awase.core.metrics.registry import FIRST_ANNOTATOR
from awase.core.metrics.tsc3 import CountedExtract
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract, TextOutput
from awase.core.records.topic import Topic

_SHOWN = 5
_REPETITIVE = Problem(
    what="Extracts of “{system}” repeat sentences; each counts once, at its first place "
    "(topics {topics})."
)
_TOO_SHORT = Problem(
    what="Extracts of “{system}” are shorter than the part that counts; Precision's "
    "denominator stays (topics {topics})."
)
_TOO_LONG = Problem(
    what="Extracts of “{system}” are longer than the part that counts; the surplus is cut "
    "(topics {topics})."
)


class WarningLog:
    """Collects what is worth saying while a corpus is scored."""

    def __init__(self) -> None:
        self._unfinished: list[Problem] = []
        self._several_annotators: dict[str, None] = {}
        self._too_long: dict[str, dict[str, None]] = {}
        self._too_short: dict[str, dict[str, None]] = {}
        self._repetitive: dict[str, dict[str, None]] = {}
        self._rest: list[Problem] = []

    def note_annotation(self, topic: Topic, abstract: Abstract, annotator: str, gold: Gold) -> None:
        """Takes note of what is unfinished, and of a choice between annotators."""
        if annotator == FIRST_ANNOTATOR and len(abstract.alignments) > 1:
            names = " / ".join(alignment.annotator for alignment in abstract.alignments)
            self._several_annotators[names] = None
        unfinished = sorted((*gold.skipped, *gold.unsettled))
        if unfinished:
            self._unfinished.append(
                Problem(
                    what="Scores are provisional: in abstract “{abstract}” of topic “{topic}” "
                    "these sentences are not settled: {numbers} ({skipped} of them skipped, as "
                    "they have no alternative).",
                    hint="Confirm them, or mark them “no source”.",
                    fields={
                        "abstract": abstract.id,
                        "topic": topic.id,
                        "numbers": ", ".join(map(str, unfinished)),
                        "skipped": len(gold.skipped),
                    },
                )
            )

    def note_extract(self, topic: Topic, extract: Extract, part: CountedExtract) -> None:
        """Takes note of an extract that is cut, too short or repetitive."""
        if part.surplus:
            self._too_long.setdefault(extract.system, {})[topic.id] = None
        if part.shortfall:
            self._too_short.setdefault(extract.system, {})[topic.id] = None
        if part.repeated:
            self._repetitive.setdefault(extract.system, {})[topic.id] = None

    def note_unanswered(self, topic: Topic) -> None:
        """Takes note of outputs whose length class no abstract of the topic has."""
        for output in unanswered(topic):
            self._rest.append(
                Problem(
                    what="The output of “{system}” for topic “{topic}” is not scored: "
                    "no abstract has its length class “{length}”.",
                    hint="Add the abstract or correct the length.",
                    fields={
                        "system": output.system,
                        "topic": topic.id,
                        "length": output.length or "",
                    },
                )
            )

    def note_systems_without_extracts(self, corpus: Corpus) -> None:
        """Takes note of systems that only wrote texts, which these metrics cannot score."""
        texts: dict[str, None] = {}
        extracts: set[str] = set()
        for topic in corpus.topics:
            for output in topic.outputs:
                if isinstance(output, TextOutput):
                    texts[output.system] = None
                else:
                    extracts.add(output.system)
        without = [system for system in texts if system not in extracts]
        if without:
            self._rest.append(
                Problem(
                    what="Not scored, as they are texts and not extracts: the outputs of "
                    "{systems}.",
                    fields={"systems": _listed(without)},
                )
            )

    def note_mean(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Takes note of a mean over fewer topics than there are."""
        if n_defined < n_topics:
            self._rest.append(
                Problem(
                    what="The mean {metric} of “{system}” ({length}) is over {defined} of "
                    "{topics} topics; compare it with care.",
                    fields={
                        "metric": metric,
                        "system": system,
                        "length": length or "any length",
                        "defined": n_defined,
                        "topics": n_topics,
                    },
                )
            )

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings, what matters most first."""
        return (
            *self._unfinished,
            *(
                Problem(
                    what="Abstracts have alignments by several annotators ({names}); "
                    "the first one's was used.",
                    hint="Choose one with the option annotator=….",
                    fields={"names": names},
                )
                for names in self._several_annotators
            ),
            *_of_systems(self._repetitive, _REPETITIVE),
            *_of_systems(self._too_short, _TOO_SHORT),
            *_of_systems(self._too_long, _TOO_LONG),
            *self._rest,
        )


def _of_systems(
    topics_by_system: dict[str, dict[str, None]], warning: Problem
) -> Iterator[Problem]:
    for system, topics in topics_by_system.items():
        yield replace(warning, fields={"system": system, "topics": _listed([*topics])})


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown}, … ({len(names)})" if len(names) > _SHOWN else shown
