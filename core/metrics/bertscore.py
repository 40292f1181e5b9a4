"""BERTScore of every output of a corpus, by the package `bert-score` and local models.

Nothing is downloaded: a model is a folder, or a name in Hugging Face's cache. Scores are by the
package's own functions, made deterministic.
"""

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from awase.core.errors import EnvironmentProblem, InputError, Problem, Reporter
from awase.core.language.models import digest_of, name_of, without_bar
from awase.core.metrics.entries import AUTO, BASELINE, BERT_MODEL, LAYERS, PACKAGE, PACKAGES
from awase.core.metrics.kit.metric import ANY_PACKAGE, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import EMPTY, ScoringLog, TextLog
from awase.core.metrics.kit.runner import Case, Values, score_texts, values_of
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import Supplies
from awase.core.packages import check_installed
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.text.tokenisers import has_unspaced_script

_PACKAGES = ("bert_score", "transformers", "torch")
_DIGEST = re.compile(r"@([0-9a-f]{12})\Z")
_DIGITS_IN_LABEL = 12
_T5 = "t5"
_AT_ONCE = 1  # texts read together are padded to one length, which changes the last digits of each
# Models whose tokenisers need a blank before the first word.
_PREFIXED = ("roberta", "gpt2")


class ModelValues(NamedTuple):
    """Recall, precision and F1 of a text."""

    r: float
    p: float
    f: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Which model, as a request names it."""

    location: str  # folder or name, without the digest that signatures add
    digest: str = ""  # its first 12 digits, if given; else empty
    layer: int | None = None  # from 1; None = the package's choice
    # Language of the package's baseline; None = no rescaling.
    baseline: str | None = None

    @property
    def name(self) -> str:
        """Returns the model's name in signatures."""
        path = Path(self.location)
        return name_of(path) if os.path.isdir(path) else self.location


def model_spec(text: str, layer: int | None, baseline: str | None) -> ModelSpec:
    """Returns the model that `folder`, `name`, or `name@digest` spells."""
    match = _DIGEST.search(text)
    location = text[: match.start()] if match else text
    digest = match[1] if match else ""
    return ModelSpec(location=location, digest=digest, layer=layer, baseline=baseline)


class BertScoreModel:
    """A loaded model, cut off after one layer."""

    def __init__(self, asked: ModelSpec) -> None:
        check_installed(*_PACKAGES, extra="bertscore", needed_for="bertscore")
        folder = _folder_of(asked.location)
        self.name = asked.name
        self.digest = digest_of(folder)[:_DIGITS_IN_LABEL]
        if asked.digest not in ("", self.digest):
            raise InputError.of(
                "The model {name} is not the one requested: its digest is {own}, not {asked}.",
                "Give that model, or leave the digest out; the numbers may differ.",
                name=self.name, own=self.digest, asked=asked.digest,
            )  # fmt: skip
        self._utils = import_module("bert_score.utils")
        try:
            with without_bar():
                config = import_module("transformers").AutoConfig.from_pretrained(
                    folder, local_files_only=True
                )
                self.layer = self._layer_of(asked.layer, int(config.num_hidden_layers))
                _check_kind(folder, config.model_type)
                self._model = self._utils.get_model(str(folder), self.layer)
                self.tokenizer = _tokenizer(folder, config)
        except (OSError, ValueError, KeyError, AttributeError, AssertionError) as error:
            raise EnvironmentProblem(
                "“{path}” holds no model that bert-score can use: {reason}",
                "Give the folder of a model with its config.json, weights and tokenizer.",
                path=asked.location,
                reason=" ".join(str(error).split()),
            ) from error
        self._baseline: tuple[float, float, float] | None = None
        if asked.baseline is not None:
            self._baseline = _baseline(self.name, asked.baseline, self.layer)

    @cached_property
    def package_signature(self) -> str:
        """Returns how the package describes what it computes."""
        text: str = self._utils.get_hash(
            self.name, self.layer, False, self._baseline is not None, False, False
        )
        return text

    @property
    def of_nothing(self) -> ModelValues:
        """Returns the package's score of an empty text: 0, before the baseline."""
        if self._baseline is None:
            return ModelValues(0.0, 0.0, 0.0)
        precision, recall, f = (-one / (1 - one) for one in self._baseline)
        return ModelValues(recall, precision, f)

    def is_cut(self, text: str) -> bool:
        """Returns whether a text is longer than the model reads, so that its end is not scored."""
        longest: int = self.tokenizer.model_max_length
        return len(self.tokenizer.encode(text, truncation=False, verbose=False)) > longest

    def scores(
        self, texts: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[ModelValues]:
        """Returns each text's best R, P and F1 over its references; texts are not blank."""
        flat_texts = [text for text, own in zip(texts, references, strict=True) for _ in own]
        flat_references = [one for own in references for one in own]
        # As the package has it without idf.
        weights: defaultdict[int, float] = defaultdict(lambda: 1.0)
        weights[self.tokenizer.sep_token_id] = 0
        weights[self.tokenizer.cls_token_id] = 0
        found = self._utils.bert_cos_score_idf(
            self._model, flat_references, flat_texts, self.tokenizer, weights,
            batch_size=_AT_ONCE, device=next(self._model.parameters()).device,
        ).double()  # fmt: skip
        if self._baseline is not None:
            baseline = found.new_tensor(self._baseline)
            found = (found - baseline) / (1 - baseline)
        best = (part.max(dim=0)[0].tolist() for part in found.split([*map(len, references)]))
        return [ModelValues(recall, precision, f) for precision, recall, f in best]

    def _layer_of(self, asked: int | None, n_layers: int) -> int:
        if asked is None:
            known: Mapping[str, int] = self._utils.model2layers
            layer = known.get(self.name) or known.get(self.name.rpartition("/")[2])
            if layer is None:
                raise InputError.of(
                    "bert-score has not chosen a layer for the model {name}.",
                    "Give one: layers=1 to layers={most}.",
                    name=self.name, most=n_layers,
                )  # fmt: skip
            return layer
        if asked > n_layers:
            raise InputError.of(
                "The model {name} has {most} {most:layer|layers}, not {asked}.",
                "Choose from layers=1 to layers={most}.",
                name=self.name, most=n_layers, asked=asked,
            )  # fmt: skip
        return asked


def _folder_of(location: str) -> Path:
    """Returns a model's local folder."""
    path = Path(location)
    if os.path.isdir(path):
        return path
    hub = import_module("huggingface_hub")
    try:
        found = hub.try_to_load_from_cache(location, "config.json")
    except ValueError:  # no name of a model either
        found = None
    if isinstance(found, str):
        return Path(found).parent
    raise EnvironmentProblem(
        "The language model {model} is not on this machine, and nothing is downloaded while "
        "scoring.",
        "Give the folder of a model (model=FOLDER), or download it beforehand: hf download "
        "{model}.",
        model=location,
    )


def _check_kind(folder: Path, kind: str) -> None:
    if _T5 in str(folder) and _T5 not in kind:
        raise EnvironmentProblem(
            "bert-score treats “{path}” as a T5 model because of its name.",
            "Copy it to a folder without “t5” in its path.",
            path=str(folder),
        )


def _tokenizer(folder: Path, config: Any) -> Any:  # noqa: ANN401 - of transformers, not typed
    """Returns the model's tokeniser, which truncates.

    WORKAROUND: bert-score 0.3.13 requests the blank before the first word in each call, which
    transformers 5 ignores silently; until bert-score is fixed, it is requested here.
    """
    is_prefixed = any(kind in config.model_type for kind in _PREFIXED)
    options = {"add_prefix_space": True} if is_prefixed else {}
    tokenizer = import_module("transformers").AutoTokenizer.from_pretrained(
        folder, local_files_only=True, **options
    )
    longest = int(config.max_position_embeddings)
    if "roberta" in config.model_type:
        longest -= int(config.pad_token_id) + 1  # its positions begin after that of padding
    tokenizer.model_max_length = min(int(tokenizer.model_max_length), longest)
    return tokenizer


def _baseline(name: str, language: str, layer: int) -> tuple[float, float, float]:
    """Returns the package's baseline of P, R and F1 for unrelated sentences."""
    spec = find_spec("bert_score")
    root = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    path = root / "rescale_baseline" / language / f"{name}.tsv"
    if os.path.isfile(path):
        for line in path.read_text("utf-8").splitlines()[1:]:
            number, *values = line.split(",")
            if int(number) == layer:
                p, r, f = map(float, values)
                return p, r, f
    raise InputError.of(
        "bert-score has no baseline for the model {name}, layer {layer}, in the language "
        "“{language}”.",
        "Choose baseline=none.",
        name=name, layer=layer, language=language,
    )  # fmt: skip


_ENGLISH = ("roberta-", "distilroberta-", "deberta-", "bert-base-cased", "bert-base-uncased",
            "bert-large-")  # fmt: skip
_CUT = Problem(
    what="Texts of {systems} or their references are longer than {model} reads, and the rest of "
    "them is not scored (topics {topics}).",
    hint="Choose a model that reads longer texts.",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BertScoreRequest(ParsedRequest):
    """A request with parsed options; compared by identity."""

    model: ModelSpec


def parse_request(request: MetricRequest, _supplies: Supplies | None = None) -> BertScoreRequest:
    """Parses the options, without looking for the model."""
    chosen = Chosen.of_family(request, PACKAGES)
    layer = None if chosen[LAYERS] == AUTO else int(chosen[LAYERS])
    asked = model_spec(chosen[BERT_MODEL], layer, chosen[BASELINE])
    digest = f"@{asked.digest}" if asked.digest else ""
    spelled = {**chosen.spelled, BERT_MODEL.name: f"{asked.name}{digest}"}
    return BertScoreRequest(metric=request.name, model=asked, spelled=spelled)


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""
    cut_log = ScoringLog((_CUT,))
    find = partial(_find, cut_log, reporter)
    return score_texts(corpus, map(parse_request, requests), find, more_warnings=cut_log.problems)


def _find(
    cut_log: ScoringLog,
    reporter: Reporter,
    cases: Sequence[Case],
    wanted: Sequence[BertScoreRequest],
    log: TextLog,
) -> Mapping[BertScoreRequest, Values]:
    """Returns the values of cases by request, with options that the model decides."""
    loaded = lru_cache(maxsize=1)(BertScoreModel)  # a model may fill half of the memory
    found: dict[BertScoreRequest, Values] = {}
    for request_idx, request in enumerate(wanted):
        _check_language(cases, request.model)
        model = loaded(request.model)
        resolved = _with_model(request, model)
        if resolved.signature in [one.signature for one in found]:
            continue
        values: list[ModelValues | None] = []
        for topic, of_topic in groupby(cases, attrgetter("topic")):
            n_done = request_idx * len(cases) + len(values)
            reporter.advance(n_done, len(wanted) * len(cases), topic)
            values += _scored([*of_topic], model)
        found[resolved] = values_of(values, 3)
        is_cut = cache(model.is_cut)
        for case in cases:
            if any(map(is_cut, (_joined(case.text), *_references(case)))):
                cut_log.note(_CUT, case.system, case.topic, model=model.name)
    for case in cases:
        if not _joined(case.text):
            log.note(EMPTY, case.system, case.topic)
    reporter.advance(1, 1)
    return found


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
    """Returns the request with the options that the model decides."""
    asked, own = request.spelled[PACKAGE.name], model.package_signature
    if asked not in (ANY_PACKAGE, own):
        raise InputError.of(
            "{metric} requires what bert-score calls {asked}; here it would be {own}.",
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
    """Returns the values of cases; None = no reference."""
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
