"""BERTScore of every output of a corpus, computed by the package `bert-score`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter

from awase.core.errors import InputError, Problem
from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import ANY_PACKAGE
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.texts.runner import TextRun, values_of
from awase.core.metrics.kit.texts.scores import TextValues
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.kit.warning_lines import of_systems
from awase.core.metrics.packages.bertscore_model import (
    BertScoreModel,
    ModelSpec,
    ModelValues,
    asked_model,
)
from awase.core.metrics.packages.entry import AUTO, BASELINE, LAYERS, METRICS, MODEL, PACKAGE
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.text.tokens.words import has_unspaced_script

_ENGLISH = ("roberta-", "distilroberta-", "deberta-", "bert-base-cased", "bert-base-uncased",
            "bert-large-")  # fmt: skip
_CUT = Problem(
    what="Texts of {systems} or their references are longer than {model} reads, and the rest of "
    "them is not scored (topics {topics}).",
    hint="Choose a model that reads longer texts.",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BertScoreRequest:
    """A request with its options understood; equal to itself only."""

    metric: str
    model: ModelSpec
    spelled: Mapping[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.spelled)


def understood(request: MetricRequest) -> BertScoreRequest:
    """Returns the request with its options read; the model is not looked for."""
    chosen = Chosen.of(request, options_for(METRICS, request))
    layer = None if chosen[LAYERS] == AUTO else int(chosen[LAYERS])
    asked = asked_model(chosen[MODEL], layer, chosen[BASELINE])
    digest = f"@{asked.digest}" if asked.digest else ""
    spelled = {**chosen.spelled, MODEL.name: f"{asked.name}{digest}"}
    return BertScoreRequest(metric=request.name, model=asked, spelled=spelled)


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[BertScoreRequest]:
    """Returns what scores the topics of a corpus in portions; no model is looked for yet."""
    finding = _Finding()
    return TextRun(map(understood, requests), finding.found, more_warnings=finding.problems)


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known."""
    return understood(request).signature


class _Finding:
    """What models find in topics that come in portions."""

    def __init__(self) -> None:
        self._loaded = lru_cache(maxsize=1)(BertScoreModel)  # a model may fill half of the memory
        self._made: dict[str, BertScoreRequest] = {}
        self._cut: dict[str, dict[str, dict[str, None]]] = {}

    def found(
        self,
        cases: Sequence[Case],
        wanted: Sequence[BertScoreRequest],
        log: TextLog,
        reporter: Reporter,
    ) -> Mapping[BertScoreRequest, TextValues]:
        """Returns the values of cases by request, with what the model decides spelled out."""
        found: dict[BertScoreRequest, TextValues] = {}
        for request_idx, request in enumerate(wanted):
            _check_language(cases, request.model)
            model = self._loaded(request.model)
            made = _with_model(request, model)
            made = self._made.setdefault(made.signature, made)
            if made in found:
                continue
            values: list[ModelValues | None] = []
            for topic, of_topic in groupby(cases, attrgetter("topic")):
                n_done = request_idx * len(cases) + len(values)
                reporter.advance(n_done, len(wanted) * len(cases), topic)
                values += _scored([*of_topic], model)
            found[made] = values_of(values, 3)
            self._note_cut_texts(cases, model)
        for case in cases:
            if not _joined(case.text):
                log.note_empty(case.topic, case.system)
        reporter.advance(1, 1)
        return found

    def _note_cut_texts(self, cases: Sequence[Case], model: BertScoreModel) -> None:
        is_cut = cache(model.is_cut)
        systems = self._cut.setdefault(model.name, {})
        for case in cases:
            if any(map(is_cut, (_joined(case.text), *_references(case)))):
                systems.setdefault(case.system, {})[case.topic] = None

    def problems(self) -> Iterator[Problem]:
        """Yields a warning where the end of a text was not scored."""
        for model, systems in self._cut.items():
            yield from of_systems(systems, _CUT, model=model)


def _check_language(cases: Sequence[Case], model: ModelSpec) -> None:
    if not model.name.rpartition("/")[2].startswith(_ENGLISH):
        return
    for case in cases:
        if any(has_unspaced_script(_joined(text)) for text in (case.text, *case.references)):
            raise InputError.of(
                "{model} is a model of English, and text of system “{system}” or its references in "
                "topic “{topic}” is not.",
                "Choose a model of its language or of many, such as "
                "model=bert-base-multilingual-cased.",
                model=model.name,
                system=case.system,
                topic=case.topic,
            )


def _with_model(request: BertScoreRequest, model: BertScoreModel) -> BertScoreRequest:
    """Returns the request with what the model decides spelled out."""
    asked, own = request.spelled[PACKAGE.name], model.package_signature
    if asked not in (ANY_PACKAGE, own):
        raise InputError.of(
            "{metric} asks for what bert-score calls {asked}; here it would be {own}.",
            "Leave package out to score with this version; the number may differ.",
            metric=request.metric,
            asked=asked,
            own=own,
        )
    spelled = {
        **request.spelled,
        "model": f"{model.name}@{model.digest}",
        "layers": str(model.layer),
        "package": own,
    }
    return BertScoreRequest(metric=request.metric, model=request.model, spelled=spelled)


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(sentences).strip()


def _references(case: Case) -> list[str]:
    return [text for text in map(_joined, case.references) if text]


def _scored(cases: Sequence[Case], model: BertScoreModel) -> list[ModelValues | None]:
    """Returns the values of cases; None = no reference to compare with."""
    found: list[ModelValues | None] = [
        model.of_nothing if _references(case) else None for case in cases
    ]
    full = [idx for idx, case in enumerate(cases) if _references(case) and _joined(case.text)]
    if full:
        texts = [_joined(cases[idx].text) for idx in full]
        values = model.scores(texts, [_references(cases[idx]) for idx in full])
        for idx, one in zip(full, values, strict=True):
            found[idx] = one
    return found
