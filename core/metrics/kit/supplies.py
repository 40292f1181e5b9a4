"""Resources of metrics besides the corpus: parses, vectors, models, workers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import tee
from typing import TYPE_CHECKING, overload

from awase.core.errors import InputError, Missing
from awase.core.language.stored_parses import WordVectors, label_of, parses_of
from awase.core.metrics.kit.workers import ALONE, Workers
from awase.core.records.topic import Topic

if TYPE_CHECKING:  # most scoring needs neither oracles nor models
    from awase.core.language.contextual import WordEncoder
    from awase.core.language.vector_file import Vector
    from awase.core.metrics.kit.extractive import Oracle
    from awase.core.metrics.kit.units import Splitter


ANY_PARSER = "any"
_DIGITS_IN_LABEL = 12
_DIGEST = re.compile(rf"@[0-9a-f]{{{_DIGITS_IN_LABEL}}}\Z")


def parser_of(asked: str, label: str) -> str:
    """Returns the signature's parser.

    Args:
        asked: The option: `any`, a model, or a model with the digest of its parses.
        label: `Supplies.parse_label`; empty = no parses.
    """
    if label and asked not in (ANY_PARSER, label, model_of(label)):
        raise InputError.of(
            "Parses by “{asked}” are asked for; those here are by “{model}”.",
            "Parse with that model, or leave parser out.",
            asked=asked,
            model=label,
        )
    return label or asked


def model_of(label: str) -> str:
    """Returns the model in a label, with or without digest."""
    return _DIGEST.sub("", label)


def label_of_parses(model: str, digest: str) -> str:
    """Returns the signature's label of the parses; empty without."""
    return f"{model}@{digest[:_DIGITS_IN_LABEL]}" if model else ""


TIME_LIMIT_S = 30.0  # default of each search


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """Resources of scoring; a metric reports what it lacks.

    Attributes:
        parses: A sentence's text to its dependency parse in CoNLL-U; may be `StoredParses`.
        parse_model: The model of the parses; empty = no parses.
        parse_digest: `digest_of_models` of all parses by the model in the corpus; empty = these are
            all.
        vectors: Word vectors; None = none.
        edus: EDUs of the user's own segmenter; None = none.
        time_limit_s: Seconds for each search that may take for ever: h of an abstract, an oracle;
            values that rest on an unproved one are undefined. None = no limit.
    """

    parses: Mapping[str, str] = field(default_factory=dict)
    parse_model: str = ""
    parse_digest: str = ""
    vectors: WordVectors | None = None
    encoders: Mapping[str, "WordEncoder"] = field(default_factory=dict)
    workers: Workers = ALONE
    oracles: Mapping[str, "Oracle"] = field(default_factory=dict)
    edus: "Splitter | None" = None
    time_limit_s: float | None = TIME_LIMIT_S

    @property
    def parse_label(self) -> str:
        """Returns the signature's label of the parses; empty = none."""
        return label_of_parses(self.parse_model, self._whole_digest())

    def shares(self, topics: Iterable[Topic]) -> Iterator["Supplies"]:
        """Yields each topic's resources, with the label of all parses."""
        # Workers, vectors and encoders are not passed on.
        from awase.core.language.stored_parses import texts_of_topic  # brings the sentence rules

        digest, has_parses = self._whole_digest(), bool(self.parses)
        for topic in topics:
            texts = [text for _, text in texts_of_topic(topic)] if has_parses else ()
            parses = parses_of(self.parses, texts)
            yield Supplies(
                parses={text: parses[text] for text in texts if text in parses},
                parse_model=self.parse_model,
                parse_digest=digest,
                oracles=self.oracles,
                edus=self.edus,
                time_limit_s=self.time_limit_s,
            )

    def _whole_digest(self) -> str:
        if self.parse_digest or not self.parse_model:
            return self.parse_digest
        from awase.core.language.conllu import digest_of_models, sha256_of

        digests = [(sha256_of(text), sha256_of(one)) for text, one in self.parses.items()]
        return digest_of_models(sorted(digests))

    @property
    def oracles_label(self) -> str:
        """Returns the signature's label of oracles from a file; empty = none."""
        if not self.oracles:
            return ""
        from awase.core.metrics.kit.extractive import digest_of_oracles

        return f"file@{digest_of_oracles(self.oracles)[:_DIGITS_IN_LABEL]}"


NO_SUPPLIES = Supplies()

# For signatures before resources are known: nothing is missing, `any` stays.
UNDECIDED = Supplies()


ANY_MODEL = "any"
LABEL = re.compile(r"(?s:.+)@[0-9a-f]{12}")


def encoder_spec(metric: str, asked: str, supplies: Supplies) -> "WordEncoder":
    """Returns a request's model.

    Args:
        asked: The option: `any`, a folder or name, or a signature's spelling.
    """
    encoder = supplies.encoders.get(asked)
    if encoder is None:
        raise InputError.of(
            "{metric} needs a language model, and none was given.",
            metric=metric,
            missing=Missing.MODEL,
        )
    label = label_of(encoder)
    if LABEL.fullmatch(asked) and asked != label:
        raise InputError.of(
            "{metric} asks for the model {asked}; the one given is {label}.",
            "Give that model, or leave model out.",
            metric=metric,
            asked=asked,
            label=label,
        )
    return encoder


ANY_VECTORS = "any"
NO_VECTORS = "none"


def vectors_label(metric: str, asked: str, supplies: Supplies, *, are_needed: bool) -> str:
    """Returns the signature's label of the vectors.

    Args:
        asked: The option: `any`, or a signature's spelling.
    """
    if not are_needed:
        if asked not in (ANY_VECTORS, NO_VECTORS):
            raise InputError.of(
                "{metric} without clusters needs no vectors, but vectors={asked} are asked for.",
                "Leave vectors out, or choose prune=cls or prune=cnt+cls.",
                metric=metric,
                asked=asked,
            )
        return NO_VECTORS
    if supplies is UNDECIDED:
        return asked
    if supplies.vectors is None:
        raise InputError.of(
            "{metric} needs word vectors, and none were given.",
            "They come as a file (word2vec, GloVe, fastText), a model's folder, or ja-ginza.",
            metric=metric,
            missing=Missing.VECTORS,
        )
    label = label_of(supplies.vectors)
    if asked not in (ANY_VECTORS, label):
        raise InputError.of(
            "{metric} asks for the vectors {asked}; those given are {label}.",
            "Give those vectors, or leave vectors out.",
            metric=metric,
            asked=asked,
            label=label,
        )
    return label


class FetchedVectors:
    """The vectors of some words, in memory."""

    def __init__(self, source: WordVectors, words: Iterable[str]) -> None:
        self.name = source.name
        self.digest = source.digest
        self._vectors: Mapping[str, Vector] = source.vectors_of(dict.fromkeys(words))

    def vectors_of(self, words: Iterable[str]) -> "Mapping[str, Vector]":
        """Returns the vectors of the words that have one."""
        return {word: self._vectors[word] for word in words if word in self._vectors}


class TopicTasks(Sequence[tuple[Topic, Supplies]]):
    """Topics with their own resources, lazily."""

    def __init__(self, topics: Sequence[Topic], supplies: Supplies) -> None:
        """Lazy; the supplies are those of all topics."""
        self._topics, self._supplies = topics, supplies

    def __len__(self) -> int:
        return len(self._topics)

    @overload
    def __getitem__(self, at: int) -> tuple[Topic, Supplies]: ...
    @overload
    def __getitem__(self, at: slice) -> "TopicTasks": ...
    def __getitem__(self, at: int | slice) -> "tuple[Topic, Supplies] | TopicTasks":
        if isinstance(at, slice):
            return TopicTasks(self._topics[at], self._supplies)
        return next(iter(self[at : at + 1]))

    def __iter__(self) -> Iterator[tuple[Topic, Supplies]]:
        topics, shared = tee(self._topics)
        return zip(topics, self._supplies.shares(shared), strict=True)
