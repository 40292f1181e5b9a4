"""Every metric by its name: which family scores it, and with which options.

A family is one module with a function `score(corpus, requests, reporter, supplies) -> ScoreTable`
that serves all requests of its metrics at once, so that what they share is computed once. It may
have a function `signature(corpus, request) -> str`, too, which tells the signature that values of
the request will carry. To add a metric, write its family module and its docs page, name it in
`METRICS`, and describe in `options.py` what its options mean. Modules are imported when first used.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Final, Protocol, cast

from awase.core.errors import AwaseError, InputError, Problem
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.metrics.kit.options import COMMON_OPTIONS, ORACLE_OPTIONS, Option
from awase.core.metrics.kit.outputs import identical_systems
from awase.core.metrics.kit.signature import (
    BY,
    FACTS,
    MetricRequest,
    signature_text,
    with_facts,
)
from awase.core.metrics.kit.supplies.encoders import ANY_MODEL
from awase.core.metrics.kit.supplies.parses import ANY_PARSER
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.supplies.vectors import ANY_VECTORS
from awase.core.metrics.packages.options import BERTSCORE_OPTIONS, SACREBLEU_OPTIONS
from awase.core.metrics.subtree.options import SUBTREE_OPTIONS
from awase.core.plugins import Extended, Plugins
from awase.core.progress import Reporter, Silent
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable


class Family(Protocol):
    """Scores every system of a corpus with the requested metrics."""

    def __call__(
        self,
        corpus: Corpus,
        requests: Sequence[MetricRequest],
        reporter: Reporter,
        supplies: Supplies,
    ) -> ScoreTable:
        """Returns the scores by topic, then the means, with warnings."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric as the command line and stored signatures name it.

    Attributes:
        name: Stable for ever.
        what: One line for lists of metrics, in English.
        family: Module with `score`.
        defaults: Option name to default value, in the order in which signatures spell them.
        page: Its page below `docs/metrics/`; empty = it is called as the metric is.
        options: What its options mean where that differs from `COMMON_OPTIONS`.
        needs: What of `Supplies` it cannot do without: `parses`, `vectors`, `model`.
        needs_with: (option, value) to what it cannot do without under that option.
        greatest: The value of a perfect output.
        by: The package that adds it, with its version; empty = this program has it.
    """

    name: str
    what: str
    family: str
    defaults: Mapping[str, str] = field(default_factory=dict)
    page: str = ""
    needs: tuple[str, ...] = ()
    needs_with: Mapping[tuple[str, str], str] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    greatest: float = 1.0
    by: str = ""

    def option(self, name: str) -> Option | None:
        """Returns what the option means and takes; None = nobody described it."""
        return self.options.get(name, COMMON_OPTIONS.get(name))

    def needs_of(self, request: MetricRequest) -> set[str]:
        """Returns what of `Supplies` a request for this metric cannot do without."""
        return {*self.needs} | {
            self.needs_with[pair] for pair in request.options if pair in self.needs_with
        }


def _rouge(name: str, *own: str, what: str) -> Metric:
    """Returns a metric of the ROUGE family; `own` are its options that not all of it have."""
    options = {
        "stem": "no", "stop": "no", "limit": "none", "refs": "a", "alpha": "0.5", "gap": "*",
        "w": "1.2", "tokens": "ascii", "average": "plain", "level": "summary",
    }  # fmt: skip
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge.family",
        defaults={k: v for k, v in options.items() if k in own or k not in ("gap", "w", "level")},
        page="rouge",
    )


def _pruned(name: str, ratio: str, own: Mapping[str, str], *needs: str, what: str) -> Metric:
    """Returns a metric that prunes units; `own` are the options of its kind of unit."""
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.pruned.family",
        defaults={
            "prune": "cnt+cls", "ratio": ratio, "distance": "cosine", "vocabulary": "pair",
            **own, "vectors": ANY_VECTORS,
        },
        page="pruned",
        needs=needs,
    )  # fmt: skip


def _rouge_we(name: str, *, what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge_we.family",
        defaults={"stop": "no", "limit": "none", "tokens": "ascii", "vectors": ANY_VECTORS},
        page="rouge-we",
        needs=("vectors",),
    )


def _sacrebleu(name: str, own: Mapping[str, str], *, what: str) -> Metric:
    """Returns a metric of the package sacrebleu; `own` are its options that not all of it have."""
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.packages.sacrebleu",
        defaults={"case": "mixed", **own, "average": "plain", "sacrebleu": ANY_PACKAGE},
        options=SACREBLEU_OPTIONS,
        greatest=100.0,
    )


def table_of(*metrics: Metric) -> Mapping[str, Metric]:
    """Returns the metrics by name; that one stands twice is a defect of the table."""
    table: dict[str, Metric] = {}
    for metric in metrics:
        if metric.name in table:
            raise ValueError(f"two metrics are called {metric.name}")
        table[metric.name] = metric
    return MappingProxyType(table)


_TSC3 = "awase.core.metrics.extracts.family"
CORPUS_WEIGHTS = "corpus"
ANY_PACKAGE = "any"
ANY_ORACLES = "any"
_OF_WORDS = {"stop": "no", "limit": "none", "tokens": "ascii"}

_OWN = table_of(
    Metric(
        name="precision",
        what="share of the counted part of an extract that is in some alternative",
        family=_TSC3,
        defaults={"first": "h", "annotator": FIRST_ANNOTATOR},
    ),
    Metric(
        name="coverage",
        what="mean over abstract sentences of how far an extract fills the fullest alternative",
        family=_TSC3,
        defaults={"first": "h", "strict": "no", "annotator": FIRST_ANNOTATOR},
    ),
    Metric(
        name="weighted-coverage",
        what="coverage, abstract sentences weighted by their ranks",
        family=_TSC3,
        defaults={
            "first": "h",
            "strict": "no",
            "weights": CORPUS_WEIGHTS,
            "annotator": FIRST_ANNOTATOR,
        },
    ),
    _rouge("rouge-1", what="words shared with references, as ROUGE-1.5.5 counts"),
    _rouge("rouge-2", what="pairs of neighbouring words shared with references"),
    *(
        _rouge(f"rouge-{n}", what="runs of so many words shared with references")
        for n in range(3, 10)
    ),
    _rouge(
        "rouge-l", "level", what="words in longest common subsequences with reference sentences"
    ),
    _rouge("rouge-w", "w", what="as rouge-l, consecutive words weighing more"),
    _rouge("rouge-s", "gap", what="ordered pairs of words shared with references"),
    _rouge("rouge-su", "gap", what="as rouge-s, and single words"),
    Metric(
        name="be",
        what="head-modifier-relation triples of parses shared with references, as ROUGE-1.5.5 -3",
        family="awase.core.metrics.be.family",
        defaults={
            "mode": "hmr",
            "words": "form",
            "labels": "auto",
            "stem": "no",
            "refs": "a",
            "alpha": "0.5",
            "average": "plain",
            "parser": ANY_PARSER,
        },
        needs=("parses",),
    ),
    Metric(
        name="subtree",
        what="similarity of subtrees of parses to those of references, by a language model",
        family="awase.core.metrics.subtree.family",
        defaults={
            "head": "yes",
            "key": "surface",
            "punct": "keep",
            "dedupe": "yes",
            "vector": "mean",
            "refs": "mean",
            "parser": ANY_PARSER,
            "model": ANY_MODEL,
        },
        needs=("parses", "model"),
        options=SUBTREE_OPTIONS,
    ),
    Metric(
        name="pseudo-pyramid",
        what="units found of extractive oracles, weighted by how many references agree on them",
        family="awase.core.metrics.pseudo_pyramid.family",
        defaults={
            "oracle": "rouge-2",
            "unit": "edu",
            "limit": "reference",
            "stem": "no",
            "stop": "no",
            "tokens": "auto",
            "ties": "first",
            "sim": "lcs",
            "tau": "0.6",
            "merge": "no",
            "parser": ANY_PARSER,
            "oracles": ANY_ORACLES,
        },
        needs_with={
            ("oracle", "be"): "parses",
            ("unit", "edu-parse"): "parses",
            ("unit", "edu-parse-1"): "parses",
        },
        options=ORACLE_OPTIONS,
    ),
    _pruned(
        "prouge-1",
        "0.95",
        {**_OF_WORDS, "stop": "yes"},
        what="different words shared with references, words of nearly one meaning being one",
    ),
    _pruned("prouge-2", "0.95", _OF_WORDS, what="as prouge-1, of pairs of neighbouring words"),
    _pruned(
        "pbe",
        "0.975",
        {"words": "form", "labels": "auto", "lookup": "form", "parser": ANY_PARSER},
        "parses",
        what="different head-modifier-relation triples shared with references, likewise",
    ),
    _rouge_we("rouge-we-1", what="words matched with the nearest in meaning (best-match variant)"),
    _rouge_we("rouge-we-2", what="as rouge-we-1, of pairs of neighbouring words"),
    _rouge_we("rouge-we-su4", what="as rouge-we-1, of pairs with up to 4 words between, and words"),
    _sacrebleu(
        "bleu",
        {"tokens": "13a", "smooth": "exp"},
        what="precision of runs of 1 to 4 words, 0 to 100, by the package sacrebleu",
    ),
    _sacrebleu(
        "chrf",
        {"nc": "6", "nw": "0", "beta": "2", "space": "no"},
        what="F of runs of 1 to 6 characters, 0 to 100, by the package sacrebleu",
    ),
    Metric(
        name="bertscore",
        what="words matched by a language model's vectors in context, by the package bert-score",
        family="awase.core.metrics.packages.bertscore",
        defaults={
            "model": "roberta-large",
            "layers": "auto",
            "baseline": "none",
            "package": ANY_PACKAGE,
        },
        options=BERTSCORE_OPTIONS,
    ),
)

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


ADDED: Final = Plugins("awase.metrics", Metric, _complaint_of)
"""Metrics of other packages."""


METRICS: Mapping[str, Metric] = Extended(
    _OWN, ADDED, lambda plugin: replace(plugin.added, by=plugin.label)
)

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tsc3": ("precision", "coverage", "weighted-coverage"),
        "rouge": ("rouge-1", "rouge-2", "rouge-l"),
    }
)
"""Names that stand for several metrics; options go to those that have them."""


def requests_of(texts: Iterable[str]) -> tuple[MetricRequest, ...]:
    """Returns the requests that metric texts spell, groups spread out.

    Raises:
        InputError: A metric or option that does not exist, or a text of the wrong form.
    """
    requests: list[MetricRequest] = []
    for text in texts:
        request = MetricRequest.parse(text)
        members = GROUPS.get(request.name)
        requests.extend(_spread(request, members) if members else [request])
    return tuple(dict.fromkeys(map(_checked, requests)))


def _checked(request: MetricRequest) -> MetricRequest:
    """Returns the request without the package that a signature names.

    Raises:
        InputError: The metric or an option does not exist, or is another package's.
    """
    metric = metric_by_name(request.name)
    packages = [value for option, value in request.options if option == BY]
    if packages and packages != [metric.by]:
        raise InputError.of(
            "The signature of {metric} is of {asked}; this is {own}.",
            "Leave {by} out to score with this version; the number may differ.",
            metric=request.name,
            asked=", ".join(packages),
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
            group.chosen(_options_of(members))
    return [
        MetricRequest(
            name=name,
            options=tuple(pair for pair in group.options if pair[0] in METRICS[name].defaults),
        )
        for name in members
    ]


def _options_of(names: Iterable[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for name in names:
        options |= METRICS[name].defaults
    return options


def need_all_systems(requests: Iterable[MetricRequest]) -> bool:
    """Returns whether a system's score depends on which other systems are scored with it.

    So it does where words are merged over all outputs of a topic: leaving systems out beforehand
    would change the scores of the others under the same signature.
    """
    return any(("vocabulary", "topic") in request.options for request in requests)


def metric_by_name(name: str) -> Metric:
    """Returns the metric with this name.

    Raises:
        InputError: There is none.
    """
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
            known=", ".join(known),
        )
    return metric


def greatest_of(column: str) -> float:
    """Returns the value of a perfect output in a column of scores; 1 for names not known here.

    Args:
        column: A metric's name, with its component after a dot when it has several.
    """
    metric = METRICS.get(column.partition(".")[0])
    return 1.0 if metric is None else metric.greatest


def defaults_of(name: str) -> dict[str, str]:
    """Returns every option of a metric, or of any member of a group, with its default value.

    Raises:
        InputError: There is neither metric nor group of this name.
    """
    if name in GROUPS:
        return _options_of(GROUPS[name])
    return dict(metric_by_name(name).defaults)


def described_option(name: str, option: str) -> Option | None:
    """Returns what an option of a metric or group means; None = nobody described it."""
    members = GROUPS.get(name, (name,))
    found = (METRICS[one].option(option) for one in members if option in METRICS[one].defaults)
    return next(found, None)


def signature_of(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of `request` will carry, without facts about the data.

    Raises:
        InputError: The metric, an option or its value does not exist.
    """
    metric = metric_by_name(request.name)
    if metric.by:
        with _strangers(metric):
            return _by(_signature_of(metric, corpus, request), metric)
    return _signature_of(metric, corpus, request)


def _signature_of(metric: Metric, corpus: Corpus, request: MetricRequest) -> str:
    chosen = request.chosen(metric.defaults)
    family = import_module(metric.family)
    spell = getattr(family, "signature", None)
    if spell is not None:
        return cast(str, spell(corpus, request))
    # A family that does not spell beforehand still refuses what it does not understand.
    topics = tuple(replace(topic, outputs=()) for topic in corpus.topics)
    bare = replace(corpus, topics=topics, human_scores=())
    cast(Family, family.score)(bare, [request], Silent(), NO_SUPPLIES)
    return signature_text(request.name, chosen)


def score_corpus(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every system of the corpus.

    Args:
        corpus: What is scored.
        requests: As `requests_of` returns them.
        reporter: Told of each topic.
        supplies: Parses and word vectors, for metrics that need them.

    Raises:
        InputError: A request names a metric, an option or an option's value that does not exist.
        Cancelled: The reporter asked to stop.
    """
    by_family: dict[str, list[MetricRequest]] = {}
    for request in requests:
        by_family.setdefault(metric_by_name(request.name).family, []).append(request)
    table = ScoreTable()
    for module, of_family in by_family.items():
        metric = metric_by_name(of_family[0].name)
        score = partial(_scored, module, corpus, of_family, reporter, supplies)
        table += _scored_by_others(metric, of_family, score) if metric.by else score()
    return table + ScoreTable(warnings=tuple(_twins(corpus)))


def _scored(
    module: str,
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies,
) -> ScoreTable:
    return cast(Family, import_module(module).score)(corpus, requests, reporter, supplies)


def _scored_by_others(
    metric: Metric, requests: Sequence[MetricRequest], score: Callable[[], ScoreTable]
) -> ScoreTable:
    """Returns scores of another package, with its name and version in their signatures.

    What it cannot do is told among the warnings, so that the other metrics are scored.
    """
    try:
        with _strangers(metric):
            table = score()
            names = {request.name for request in requests}
            for one in table.scores:
                if one.metric.partition(".")[0] not in names:
                    raise ValueError(f"a score of {one.metric} was not asked for")
                if one.signature.partition(":")[0] not in names:
                    raise ValueError(f"“{one.signature}” is no signature of it")
    except InputError as error:
        if any(problem.what != _STRANGE.what for problem in error.problems):
            raise
        return ScoreTable(warnings=tuple(error.problems))
    scores = tuple(replace(one, signature=_by(one.signature, metric)) for one in table.scores)
    return replace(table, scores=scores)


_STRANGE: Final = Problem(
    what="The metric {metric} of {package} failed: {reason}",
    hint="Update or remove the package, or tell those who made it.",
)


@contextmanager
def _strangers(metric: Metric) -> Iterator[None]:
    """Turns whatever another package's code raises into a message that names it."""
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
    for systems in identical_systems(corpus.topics):
        yield Problem(
            what="The outputs of {systems} are the same in every topic.",
            hint="Is one of them a copy?",
            fields={"systems": ", ".join(systems)},
        )
