"""GiNZA parser for Japanese with ja_ginza (MIT licence).

Words are Sudachi's short units (split mode A), as in UD: labelled attachment on the test part of
UD_Japanese-GSD is 86.2, and 81.7 with the default mode.
"""

import importlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any, Final

from awase.core.errors import EnvironmentProblem, InputError, Problem, batches
from awase.core.language.conllu import with_one_root, with_spans
from awase.core.language.engines import ParserRequest
from awase.core.records.parse import Parse, ParsedSentence, ParsedWord

Foreign = Any  # an object of a library without types

_TEXTS_AT_A_TIME: Final = 64
_MOST_BYTES: Final = 49_149  # Sudachi's limit
_ROOT: Final = "ROOT"
_SPLIT_MODE: Final = "A"
# Without bunsetu_recognizer labels have a suffix, so it stays.
_UNUSED: Final = ("ner",)


def missing(request: ParserRequest) -> Problem | None:
    """Returns None: the model is part of the package."""
    return None


def load(request: ParserRequest) -> "GinzaParser":
    """Returns the parser."""
    return GinzaParser()


class GinzaParser:
    """ja_ginza; each text is parsed as one sentence."""

    def __init__(self) -> None:
        spacy, ginza = map(importlib.import_module, ("spacy", "ginza"))
        try:
            self._pipeline: Foreign = spacy.load("ja_ginza", exclude=list(_UNUSED))
            # An override of the configuration has no effect.
            ginza.set_split_mode(self._pipeline, _SPLIT_MODE)
        except Exception as error:  # whatever its parts raise
            raise EnvironmentProblem(
                "GiNZA cannot be loaded ({error}).",
                'Install it again (pip install --force-reinstall "awase[ja-parse]").',
                error=f"{type(error).__name__}: {error}",
            ) from error
        dictionary = version("sudachidict_core")
        self.model = f"ginza-ja-{version('ja_ginza')}-sudachidict-{dictionary}"

    def parses(self, texts: Sequence[str]) -> Iterator[Sequence[Parse]]:
        """Yields the parses of the texts, some at a time."""
        for text in texts:
            if len(text.encode("utf-8", "replace")) > _MOST_BYTES:
                raise InputError.of(
                    "“{text}…” is too long a sentence for GiNZA; its limit is {limit} bytes.",
                    "Split it.",
                    text=text[:20],
                    limit=_MOST_BYTES,
                )
        for batch in batches(texts, _TEXTS_AT_A_TIME):
            documents = self._pipeline.pipe(batch)
            yield [_parse(document, text) for document, text in zip(documents, batch, strict=True)]


def _parse(document: Foreign, text: str) -> Parse:
    """Returns the parse, merging spaCy's sentences and dropping white space."""
    kept = [token for token in document if not token.text.isspace()]
    if not kept:
        return ()
    numbers = {token.i: number for number, token in enumerate(kept, start=1)}
    words, _ = with_one_root([_word(token, numbers) for token in kept])
    return (with_spans(ParsedSentence(words=tuple(words), text=text)),)


def _word(token: Foreign, numbers: dict[int, int]) -> ParsedWord:
    head, child = token.head, token
    while head.i not in numbers and head.i != child.i:  # below white space
        head, child = head.head, head
    is_root = head.i not in numbers or head.i == token.i
    return ParsedWord(
        form=token.text,
        lemma=token.lemma_,
        upos=token.pos_,
        xpos=token.tag_,
        feats=str(token.morph),
        head=0 if is_root else numbers[head.i],
        deprel="root" if is_root or token.dep_ == _ROOT else token.dep_,
    )
