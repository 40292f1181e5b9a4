"""Extractive oracles of the references of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from awase.core.errors import Cancelled, InputError
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.oracles.finding import OracleFinder, Reference
from awase.core.metrics.oracles.options import chosen_with
from awase.core.metrics.oracles.requests import OracleOptions, oracle_options
from awase.core.oracles.extractive import Effort
from awase.core.oracles.oracle_file import FoundOracle
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.jobs.supplies.gathering import Supplying


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleRequest:
    """Which oracles are wanted.

    Attributes:
        options: What is maximised, of which units, within which limit.
        signature: The options as files and people read them.
        effort: How hard is searched.
    """

    options: OracleOptions
    signature: str
    effort: Effort

    @property
    def supplied_as(self) -> tuple[MetricRequest, ...]:
        """Metrics that need the same of the corpus: parses, or nothing."""
        needs_parses = self.options.n is None or self.options.unit == "edu-parse"
        return (MetricRequest(name="be"),) if needs_parses else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOracles:
    """The oracles of every reference, or those up to where the user stopped the work.

    Attributes:
        oracles: In the order of the corpus.
        is_stopped: Whether the user stopped the work.
    """

    oracles: tuple[FoundOracle, ...]
    is_stopped: bool = False


def oracle_request(effort: Effort, **given: str) -> OracleRequest:
    """Returns the request for oracles with these options; what is not named has its default.

    Raises:
        InputError: An option's value does not exist.
    """
    chosen = chosen_with(given)
    return OracleRequest(
        options=oracle_options(chosen),
        signature=signature_text("oracle", chosen.spelled),
        effort=effort,
    )


def find_oracles(
    corpus: Corpus, request: OracleRequest, reporter: Reporter, supplies: Supplying
) -> FoundOracles:
    """Returns the oracles; when it is stopped, those found by then.

    References are the abstracts, and texts that outputs bring as references of their own.

    Args:
        corpus: With the topics that are wanted.
        request: Which oracles.
        reporter: Told of each reference, and of the bounds where it takes longer; it stops the
            work with `Cancelled`, the terminal with `KeyboardInterrupt`.
        supplies: Gathers the parses and the EDUs.

    Raises:
        InputError: There is no reference.
        ScoringUndefinedError: Parses or EDUs are missing.
        EnvironmentProblem: Something cannot be read.
    """
    gathered = supplies(corpus, request.supplied_as, reporter)
    finder = OracleFinder(request.options, gathered, request.effort)
    found: list[FoundOracle] = []
    try:
        for one in _each(corpus, finder, reporter):
            found.append(one)
    except (Cancelled, KeyboardInterrupt):
        return FoundOracles(oracles=tuple(found), is_stopped=True)
    return FoundOracles(oracles=tuple(found))


def _each(corpus: Corpus, finder: OracleFinder, reporter: Reporter) -> Iterator[FoundOracle]:
    references = [_references(topic) for topic in corpus.topics]
    n_all = sum(map(len, references))
    if not n_all:
        raise InputError.of("There is no reference to find an oracle for.", "Import abstracts.")
    n_done = 0
    for topic, of_topic in zip(corpus.topics, references, strict=True):
        source = finder.source_of(topic)
        for reference in of_topic:
            step = partial(reporter.advance, n_done, n_all)
            step(topic.id)
            tell = partial(_show_bounds, step, f"{topic.id} {reference.name}")
            oracle = source.oracle_for(reference, tell)
            yield FoundOracle(
                key=source.key_for(reference),
                topic=topic.id,
                reference=reference.name,
                oracle=oracle,
            )
            n_done += 1


def _references(topic: Topic) -> Sequence[Reference]:
    own = [Reference.of(abstract) for abstract in topic.abstracts]
    given = dict.fromkeys(text for output in topic.outputs for text in output.references or ())
    own += [
        Reference(sentences=text, name=f"reference {number}")
        for number, text in enumerate(given, 1)
    ]
    return own


def _show_bounds(step: partial[None], place: str, value: int, upper: int) -> None:
    step(f"{place}: {value} to {upper} shared")
