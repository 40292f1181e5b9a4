"""Registry of metrics: built-in families and plug-ins.

`entries.py` declares the metrics of each family and their options. A family is a module with
`score(corpus, requests, reporter, supplies) -> ScoreTable`, which serves all requests of its
metrics together, so that common work is done once; it may have `signature(corpus, request) -> str`,
or `parse_request(request, supplies) -> ParsedRequest`, which knows its signature.
To add a metric, write both and its docs page, and name the entry in `ENTRIES` of `entries.py`.
Families are imported lazily.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from awase.core.errors import (
    AwaseError,
    EnvironmentProblem,
    InputError,
    Listing,
    Problem,
    RefusedError,
    Reporter,
    Silent,
    distinct,
    joined_error,
)
from awase.core.metrics.entries import ENTRIES
from awase.core.metrics.kit.metric import Metric, Option, ParsedRequest, defaults_in
from awase.core.metrics.kit.outputs import identical_systems
from awase.core.metrics.kit.signature import BY, FACTS, MetricRequest, signature_text, with_facts
from awase.core.metrics.kit.supplies import ANY_MODEL, LABEL, NO_SUPPLIES, UNDECIDED, Supplies
from awase.core.packages import Extended, Plugins, table_of
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import map_topics

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no model
    from awase.core.language.models import WordEncoder


_OWN = table_of(attrgetter("name"), *ENTRIES)

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def _complaint_of(name: str, metric: Metric) -> str:
    if metric.name != name:
        return f"its metric is called {metric.name}"
    if not _NAME.fullmatch(name):
        return "a name is small letters, digits and hyphens"
    if name in _OWN or name in GROUPS:
        return "this program has something of that name"
    taken = sorted({*metric.defaults} & {*FACTS, "version", BY})
    return f"an option cannot be called {taken[0]}" if taken else ""


ADDED: Final = Plugins("awase.metrics", Metric, _complaint_of)  # metrics of other packages


METRICS: Mapping[str, Metric] = Extended(
    _OWN, ADDED, lambda plugin: replace(plugin.added, by=plugin.label)
)

# Names of groups of metrics; options apply to those that have them.
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tsc3": ("precision", "coverage", "weighted-coverage"),
        "rouge": ("rouge-1", "rouge-2", "rouge-l"),
    }
)


def requests_of(texts: Iterable[str]) -> tuple[MetricRequest, ...]:
    """Returns the requests that metric texts spell, groups spread out."""
    requests: list[MetricRequest] = []
    for text in texts:
        request = MetricRequest.parse(text)
        members = GROUPS.get(request.name)
        requests.extend(_spread(request, members) if members else [request])
    return tuple(dict.fromkeys(map(_checked, requests)))


def _checked(request: MetricRequest) -> MetricRequest:
    """Returns the request without a signature's package."""
    metric = metric_by_name(request.name)
    packages = [value for option, value in request.options if option == BY]
    if packages and packages != [metric.by]:
        raise InputError.of(
            "The signature of {metric} is from {asked}; this is {own}.",
            "Leave {by} out to score with this version; the number may differ.",
            metric=request.name,
            asked=Listing(packages),
            own=metric.by or "Awase",
            by=BY,
        )
    options = tuple(pair for pair in request.options if pair[0] != BY)
    bare = replace(request, options=options)
    bare.chosen(metric.defaults)
    return bare


def _spread(group: MetricRequest, members: tuple[str, ...]) -> list[MetricRequest]:
    for option, _ in group.options:
        if not any(option in METRICS[name].defaults for name in members):
            group.chosen(defaults_of(group.name))
    return [
        MetricRequest(
            name=name,
            options=tuple(pair for pair in group.options if pair[0] in METRICS[name].defaults),
        )
        for name in members
    ]


def need_all_systems(requests: Iterable[MetricRequest]) -> bool:
    """Returns whether scores depend on which other systems are scored."""
    # Where words are merged over all outputs of a topic, excluding systems would change the scores
    # of others under the same signature.
    return any(("vocabulary", "topic") in request.options for request in requests)


def read_sources(requests: Iterable[MetricRequest]) -> bool:
    """Returns whether any of the metrics reads source sentences."""
    return any(metric_by_name(request.name).reads_sources for request in requests)


def metric_by_name(name: str) -> Metric:
    """Returns the default values of a metric or group; raises as `options_of`."""
    metric = METRICS.get(name)
    if metric is None:
        problem = ADDED.problem_of(name)
        if problem is not None:
            raise InputError([problem])
        known = [*METRICS, *GROUPS]
        close = get_close_matches(name, known, n=1)
        raise InputError.of(
            "There is no metric “{name}”.",
            "Did you mean “{close}”?" if close else "Use one of {known}.",
            name=name,
            close=close[0] if close else "",
            known=Listing(known),
        )
    return metric


def greatest_of(column: str) -> float:
    """Returns the maximum of a column of scores (metric, with component); 1 if unknown."""
    metric = METRICS.get(column.partition(".")[0])
    return 1.0 if metric is None else metric.greatest


def options_of(name: str) -> tuple[Option[Any], ...]:
    """Returns every option of a metric, or of any member of a group."""
    metrics = [METRICS[one] for one in GROUPS[name]] if name in GROUPS else [metric_by_name(name)]
    return tuple({one.name: one for metric in metrics for one in metric.options}.values())


def defaults_of(name: str) -> dict[str, str]:
    """Returns option to default value of a metric or group; raises as `options_of` does."""
    return defaults_in(options_of(name))


def signature_of(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of `request` will carry, without facts about the data."""
    metric = metric_by_name(request.name)
    if metric.by:
        with _plugin_errors(metric):
            return _by(_signature_of(metric, corpus, request), metric)
    return _signature_of(metric, corpus, request)


def _signature_of(metric: Metric, corpus: Corpus, request: MetricRequest) -> str:
    chosen = request.chosen(metric.defaults)
    family = import_module(metric.family)
    spell = getattr(family, "signature", None)
    if spell is not None:
        return cast(str, spell(corpus, request))
    parse = getattr(family, "parse_request", None)
    if parse is not None:
        parsed: ParsedRequest = parse(request, UNDECIDED)
        return parsed.signature
    # A family that does not spell beforehand still refuses what it does not understand.
    topics = map_topics(corpus.topics, lambda topic: replace(topic, outputs=()))
    bare = replace(corpus, topics=topics, human_scores=())
    _scored(metric.family, bare, [request], Silent(), NO_SUPPLIES)
    return signature_text(request.name, chosen)


def score_corpus(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
    refused: Mapping[MetricRequest, RefusedError] = MappingProxyType({}),
) -> ScoreTable:
    """Returns the scores of every system of the corpus.

    A metric that fails does not keep others from it: its scores are undefined, with warnings. Only
    if all fail, an error is raised.

    Args:
        requests: As `requests_of` returns them.
        refused: Those that are known to fail, and why.
    """
    by_family: dict[str, list[MetricRequest]] = {}
    failed = dict(refused)
    for request in requests:
        if request not in failed:
            by_family.setdefault(metric_by_name(request.name).family, []).append(request)
    table = ScoreTable()
    for module, of_family in by_family.items():
        score = partial(_scored_by_anybody, module, corpus, reporter, supplies)
        table += _scored_or_failed(of_family, score, failed)
    if failed and all(request in failed for request in requests):
        raise joined_error([*failed.values()])
    return _with_failed(table, failed) + ScoreTable(warnings=tuple(_twins(corpus)))


def _scored_or_failed(
    requests: Sequence[MetricRequest],
    score: Callable[[Sequence[MetricRequest]], ScoreTable],
    failed: dict[MetricRequest, RefusedError],
) -> ScoreTable:
    """Returns the scores of a family's requests; after a failure each is tried alone."""
    try:
        return score(requests)
    except (InputError, EnvironmentProblem) as error:
        if len(requests) == 1:
            failed[requests[0]] = error
            return ScoreTable()
    tables = (_scored_or_failed([request], score, failed) for request in requests)
    table = sum(tables, ScoreTable())
    return replace(
        table,
        warnings=distinct(table.warnings),
        cover_sizes=tuple(dict.fromkeys(table.cover_sizes)),
    )


def _with_failed(table: ScoreTable, failed: Mapping[MetricRequest, RefusedError]) -> ScoreTable:
    if not failed:
        return table
    rows = dict.fromkeys((one.topic, one.length, one.system) for one in table.scores)
    for request, error in failed.items():
        signature = signature_text(
            request.name, request.chosen(metric_by_name(request.name).defaults)
        )
        scores = tuple(
            Score(
                topic=topic,
                length=length,
                system=system,
                metric=request.name,
                value=None,
                signature=signature,
                reason=error.problems[0],
                n_topics=0,
            )
            for topic, length, system in rows
        )
        table += ScoreTable(scores=scores)
    problems = (problem for error in failed.values() for problem in error.problems)
    return replace(table, warnings=(*table.warnings, *distinct(problems)))


def _scored(
    module: str,
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies,
) -> ScoreTable:
    scored: ScoreTable = import_module(module).score(corpus, requests, reporter, supplies)
    return scored


def _scored_by_anybody(
    module: str,
    corpus: Corpus,
    reporter: Reporter,
    supplies: Supplies,
    requests: Sequence[MetricRequest],
) -> ScoreTable:
    """Returns the scores of a family, signed by a plug-in's package."""
    metric = metric_by_name(requests[0].name)
    if not metric.by:
        return _scored(module, corpus, requests, reporter, supplies)
    with _plugin_errors(metric):
        table = _scored(module, corpus, requests, reporter, supplies)
        names = {request.name for request in requests}
        for one in table.scores:
            if one.metric.partition(".")[0] not in names:
                raise ValueError(f"a score of {one.metric} was not asked for")
            if one.signature.partition(":")[0] not in names:
                raise ValueError(f"“{one.signature}” is no signature of it")
    scores = tuple(replace(one, signature=_by(one.signature, metric)) for one in table.scores)
    return replace(table, scores=scores)


_STRANGE: Final = Problem(
    what="The metric {metric} of {package} failed: {reason}.",
    hint="Update or remove the package, or report this to its authors.",
)


@contextmanager
def _plugin_errors(metric: Metric) -> Iterator[None]:
    """Translates a plug-in's errors into a message that names it."""
    try:
        yield
    except (AwaseError, MemoryError):
        raise
    except Exception as error:
        problem = replace(
            _STRANGE,
            fields={
                "metric": metric.name,
                "package": metric.by,
                "reason": f"{type(error).__name__}: {error}",
            },
        )
        raise InputError([problem]) from error


def _by(signature: str, metric: Metric) -> str:
    return with_facts(signature, {BY: metric.by})


def _twins(corpus: Corpus) -> Iterator[Problem]:
    content = attrgetter("length", "__class__", "sentences", "references")
    for systems in identical_systems(corpus.topics, content):
        yield Problem(
            what="The outputs of {systems} are the same in every topic.",
            hint="Is one of them a copy?",
            fields={"systems": Listing(systems)},
        )


_OPTION = "model"


def uses_encoders(name: str) -> bool:
    """Returns whether a metric needs a given language model; others find theirs themselves."""
    return _OPTION in metric_by_name(name).needs


def encoders_for(
    requests: Sequence[MetricRequest], given: str, opened: "Callable[[str], WordEncoder]"
) -> "dict[str, WordEncoder]":
    """Returns the requests' models by option value.

    `given` is the location of the one for `any`, and for a signature's spelling, which cannot be
    opened; empty = none.
    """
    asked = {
        dict(request.options).get(_OPTION, ANY_MODEL)
        for request in requests
        if uses_encoders(request.name)
    }
    found: dict[str, WordEncoder] = {}
    for one in sorted(asked):
        location = given if one == ANY_MODEL or LABEL.fullmatch(one) else one
        if location:
            found[one] = opened(location)
    return found
