"""Parsing with stanza: models of Universal Dependencies for many languages.

Importing stanza imports torch, which takes seconds; nothing here does before it is used.
"""

import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from awase.core.batches import batches
from awase.core.errors import EnvironmentProblem, Problem
from awase.core.parsing.engines import ParserRequest
from awase.core.parsing.offsets import with_spans
from awase.core.parsing.rooting import with_one_root
from awase.core.parsing.stanza_models import StanzaModel, find_model
from awase.core.records.parse import MultiWordToken, Parse, ParsedSentence, ParsedWord

Foreign = Any
"""An object of a library without types."""

_TEXTS_AT_A_TIME: Final = 32
_BETWEEN: Final = "\n\n"
_BREAK: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNKNOWN_FORM: Final = "<UNK>"


def resources_folder() -> Path:
    """Returns where stanza keeps its models; imports stanza."""
    return Path(importlib.import_module("stanza.resources.common").DEFAULT_MODEL_DIR)


def missing(request: ParserRequest) -> Problem | None:
    """Returns what keeps the model from being loaded."""
    try:
        _model(request)
    except EnvironmentProblem as error:
        return error.problem
    return None


def load(request: ParserRequest) -> "StanzaParser":
    """Returns the parser.

    Raises:
        EnvironmentProblem: Its model is missing, cut off, or of another version.
    """
    model = _model(request)
    model.check()
    return StanzaParser(model, gpu=request.gpu)


def _model(request: ParserRequest) -> StanzaModel:
    return find_model(request.folder or resources_folder(), request.language, request.package)


class StanzaParser:
    """A stanza pipeline up to dependencies; each text is taken for one sentence."""

    def __init__(self, model: StanzaModel, *, gpu: bool) -> None:
        """Loads the model, which takes seconds.

        Args:
            model: Downloaded before.
            gpu: Whether to compute on the graphics card where there is one.

        Raises:
            EnvironmentProblem: It cannot be loaded.
        """
        self.model = model.name()
        stanza = importlib.import_module("stanza")
        try:
            self._pipeline: Foreign = stanza.Pipeline(
                model.language,
                dir=str(model.folder),
                package=None,
                processors=dict(model.processors),
                download_method=None,
                use_gpu=gpu,
                tokenize_no_ssplit=True,
                verbose=False,
            )
        except Exception as error:  # whatever unpickling a foreign file raises
            raise EnvironmentProblem(
                "The stanza model “{package}” in “{folder}” cannot be loaded ({error}).",
                "It is cut off, or made for another version than stanza {version}: download it "
                "again.",
                package=model.package,
                folder=str(model.folder),
                error=f"{type(error).__name__}: {error}",
                version=stanza.__version__,
            ) from error

    def parses(self, texts: Sequence[str]) -> Iterator[Sequence[Parse]]:
        """Yields the parses of the texts, some at a time."""
        for batch in batches(texts, _TEXTS_AT_A_TIME):
            yield self._batch(batch)

    def _batch(self, texts: Sequence[str]) -> list[Parse]:
        lines = [_BREAK.sub(" ", text) for text in texts]
        found: list[list[ParsedSentence]] = [[] for _ in lines]
        ends: list[int] = []
        for line in lines:
            ends.append((ends[-1] + len(_BETWEEN) if ends else 0) + len(line))
        if any(line.strip() for line in lines):
            text_idx = 0
            for sentence in self._pipeline(_BETWEEN.join(lines)).sentences:
                while sentence.tokens[0].start_char >= ends[text_idx]:
                    text_idx += 1
                found[text_idx].append(_record(sentence, lines[text_idx]))
        return [tuple(sentences) for sentences in found]


def _record(sentence: Foreign, text: str) -> ParsedSentence:
    words: list[ParsedWord] = []
    tokens: list[MultiWordToken] = []
    for token in sentence.tokens:
        if len(token.words) > 1:
            first = len(words) + 1
            tokens.append(
                MultiWordToken(first=first, last=len(words) + len(token.words), form=token.text)
            )
        for word in token.words:
            words.append(
                ParsedWord(
                    # What is absurdly long has no form of its own any more.
                    form=token.text if word.text == _UNKNOWN_FORM else word.text,
                    lemma=word.lemma or "",
                    upos=word.upos or "",
                    xpos=word.xpos or "",
                    feats=word.feats or "",
                    head=word.head,
                    deprel=word.deprel,
                )
            )
    rooted, _ = with_one_root(words)
    return with_spans(ParsedSentence(words=tuple(rooted), text=text, tokens=tuple(tokens)))
