"""A language model of this machine, as the package `bert-score` compares texts with it.

Nothing is downloaded: a model is a folder, or a name that Hugging Face's cache keeps already.
The package's own functions do the work; what they leave to chance is settled here.
"""

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.extras import check_installed
from awase.core.vectors.opening import digest_of, name_of, without_bar

_PACKAGES = ("bert_score", "transformers", "torch")
_DIGEST = re.compile(r"@([0-9a-f]{12})\Z")
_DIGITS_IN_LABEL = 12
_T5 = "t5"
_AT_ONCE = 1
"""Texts read together are padded to one length, which changes the last digits of each."""
_PREFIXED = ("roberta", "gpt2")
"""Kinds of models whose tokenisers the package asks to set a blank before the first word."""


class ModelValues(NamedTuple):
    """BERTScore of a text and a reference: recall, precision, F1."""

    r: float
    p: float
    f: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Which model, as a request names it.

    Attributes:
        location: Folder or name, without the digest that signatures add.
        digest: Its first 12 digits, when they were given; else empty.
        layer: From 1; None = the package's choice.
        baseline: Language of the package's baseline; None = scores stay as they are.
    """

    location: str
    digest: str = ""
    layer: int | None = None
    baseline: str | None = None

    @property
    def name(self) -> str:
        """Returns what signatures call the model."""
        path = Path(self.location)
        return name_of(path) if os.path.isdir(path) else self.location


def asked_model(text: str, layer: int | None, baseline: str | None) -> ModelSpec:
    """Returns the model that `folder`, `name`, or `name@digest` spells."""
    match = _DIGEST.search(text)
    location = text[: match.start()] if match else text
    digest = match[1] if match else ""
    return ModelSpec(location=location, digest=digest, layer=layer, baseline=baseline)


class BertScoreModel:
    """A loaded model, cut off after one layer."""

    def __init__(self, asked: ModelSpec) -> None:
        """Loads it."""
        check_installed(*_PACKAGES, extra="bertscore", needed_for="bertscore")
        folder = _folder_of(asked.location)
        self.name = asked.name
        self.digest = digest_of(folder)[:_DIGITS_IN_LABEL]
        if asked.digest not in ("", self.digest):
            raise InputError.of(
                "The model {name} is not the one asked for: its digest is {own}, not {asked}.",
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
        """Returns what the package gives an empty text: 0, before the baseline is taken off."""
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
        """Returns for each text the best R, P and F1 over its references, each by itself.

        Args:
            texts: Not empty, and none of them blank.
        """
        flat_texts = [
            text for text, own in zip(texts, references, strict=True) for _ in range(len(own))
        ]
        flat_references = [one for own in references for one in own]
        weights: defaultdict[int, float] = defaultdict(
            lambda: 1.0
        )  # as the package has it without idf
        weights[self.tokenizer.sep_token_id] = 0
        weights[self.tokenizer.cls_token_id] = 0
        found = self._utils.bert_cos_score_idf(
            self._model, flat_references, flat_texts, self.tokenizer, weights,
            batch_size=_AT_ONCE, device=next(self._model.parameters()).device,
        ).double()  # fmt: skip
        if self._baseline is not None:
            baseline = found.new_tensor(self._baseline)
            found = (found - baseline) / (1 - baseline)
        rows: list[ModelValues] = []
        begin = 0
        for own in references:
            precision, recall, f = found[begin : begin + len(own)].max(dim=0)[0].tolist()
            rows.append(ModelValues(recall, precision, f))
            begin += len(own)
        return rows

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
                "The model {name} has {most} layers, not {asked}.",
                "Choose from layers=1 to layers={most}.",
                name=self.name, most=n_layers, asked=asked,
            )  # fmt: skip
        return asked


def _folder_of(location: str) -> Path:
    """Returns where a model lies on this machine."""
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
        "Give the folder of a model (model=FOLDER), or fetch it beforehand: hf download {model}.",
        model=location,
    )


def _check_kind(folder: Path, kind: str) -> None:
    if _T5 in str(folder) and _T5 not in kind:
        raise EnvironmentProblem(
            "bert-score takes “{path}” for a model of the kind T5, because of its name.",
            "Copy it to a folder without “t5” in its path.",
            path=str(folder),
        )


def _tokenizer(folder: Path, config: Any) -> Any:  # noqa: ANN401 - of transformers, not typed
    """Returns the model's tokeniser, which cuts what is too long for the model.

    WORKAROUND: bert-score 0.3.13 asks for the blank before the first word in each call, which
    transformers 5 passes over without a word; until bert-score is mended, it is asked for here.
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
    """Returns P, R and F1 that the package expects of unrelated sentences."""
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
