"""Extractive oracles of the references of a corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from awase.core.errors import Cancelled, InputError, Reporter
from awase.core.metrics.kit.extractive import OracleEffort, ReferenceOracle
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies import ALONE, StillWanted, Supplies, TopicTasks, Workers
from awase.core.metrics.oracles import (
    OracleFinder,
    OracleOptions,
    Reference,
    check_supplied,
    oracle_options,
)
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.jobs.supplies.gathering import Supplying


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleRequest:
    """Which oracles are wanted."""

    options: OracleOptions  # what is maximised, of which units, within which limit
    spelled: Mapping[str, str]
    effort: OracleEffort

    @property
    def supplied_as(self) -> tuple[MetricRequest, ...]:
        """Metrics with the same resources: parses, or nothing."""
        return (MetricRequest(name="be"),) if self.options.uses_parses else ()

    def signature(self, corpus: Corpus, supplies: Supplies) -> str:
        """Returns the resolved options as a signature."""
        known = self.options.settled_in(corpus, supplies, self.spelled["unit"])
        parses = {"parser": supplies.parse_label} if self.options.uses_parses else {}
        return signature_text("oracle", {**self.spelled, **known, **parses})


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleResults:
    """The oracles of every reference, or those up to where the user stopped the work."""

    oracles: Sequence[ReferenceOracle]  # in the order of the corpus
    signature: str
    is_stopped: bool = False


def oracle_request(effort: OracleEffort, **given: str) -> OracleRequest:
    """Parses options of oracles; missing ones have defaults."""
    chosen = chosen_with(given)
    return OracleRequest(options=oracle_options(chosen), spelled=chosen.spelled, effort=effort)


def find_oracles(
    corpus: Corpus,
    request: OracleRequest,
    reporter: Reporter,
    supplies: Supplying,
    workers: Workers = ALONE,
) -> OracleResults:
    """Returns the oracles for abstracts and outputs' own references, partial when stopped.

    It is stopped by Ctrl+C in a terminal; the reporter receives each topic, and bounds of slow
    ones.
    """
    gathered = supplies(corpus, request.supplied_as, reporter)
    check_supplied(request.options, gathered)
    tasks = TopicTasks(corpus.topics, gathered)
    find = partial(_oracles_in, request.options, request.effort)
    found: list[ReferenceOracle] = []
    is_stopped = False
    try:
        for oracles, is_stopped in workers.map(find, tasks, reporter):
            found += oracles
            if is_stopped:
                break
    except (Cancelled, KeyboardInterrupt):
        is_stopped = True
    if not found and not is_stopped:
        raise InputError.of("There is no reference to find an oracle for.", "Import abstracts.")
    signature = request.signature(corpus, gathered)
    return OracleResults(oracles=tuple(found), signature=signature, is_stopped=is_stopped)


def _oracles_in(
    options: OracleOptions,
    effort: OracleEffort,
    task: tuple[Topic, Supplies],
    still_wanted: StillWanted,
) -> tuple[list[ReferenceOracle], bool]:
    """Returns a topic's oracles, and whether the search was stopped."""
    topic, supplies = task
    references, found = _references(topic), list[ReferenceOracle]()
    if not references:
        return found, False
    try:
        source = OracleFinder(options, supplies, effort).source_of(topic)
        for reference in references:
            still_wanted(topic.id)
            tell = partial(_show_bounds, still_wanted, f"{topic.id} {reference.name}")
            oracle = source.oracle_for(reference, tell)
            key = source.key_for(reference)
            found.append(
                ReferenceOracle(key=key, topic=topic.id, reference=reference.name, oracle=oracle)
            )
    except (Cancelled, KeyboardInterrupt):
        return found, True
    return found, False


def _references(topic: Topic) -> Sequence[Reference]:
    own = [Reference.of(abstract) for abstract in topic.abstracts]
    given = dict.fromkeys(text for output in topic.outputs for text in output.references or ())
    own += [
        Reference(sentences=text, name=f"reference {number}")
        for number, text in enumerate(given, 1)
    ]
    return own


def _show_bounds(step: StillWanted, place: str, value: int, upper: int) -> None:
    step(f"{place}: {value} to {upper} shared")
