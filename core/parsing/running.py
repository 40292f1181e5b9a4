"""Parsing many texts, with progress, and keeping what is done when it is stopped."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from awase.core.parsing.conllu import conllu_of
from awase.core.parsing.engines import Parser
from awase.core.progress import Reporter

Keep = Callable[[Mapping[str, str]], None]
"""Takes parses: text to CoNLL-U."""

_KEPT_AT_A_TIME: Final = 500


def parse_texts(
    texts: Sequence[str], parser: Parser, keep: Keep, reporter: Reporter
) -> int:  # fmt: skip
    """Returns how many texts were parsed.

    Args:
        texts: Different ones.
        parser: That is ready.
        keep: Called now and then with what is new, and with the rest when the work ends, however
            it ends.
        reporter: Told of each batch.

    Raises:
        Cancelled: The reporter asked to stop; what was parsed until then is kept.
    """
    fresh: dict[str, str] = {}
    done = 0
    try:
        reporter.advance(0, len(texts), parser.model)
        for parses in parser.parses(texts):
            for text, parse in zip(texts[done:], parses, strict=False):
                fresh[text] = conllu_of(parse)
            done += len(parses)
            if len(fresh) >= _KEPT_AT_A_TIME:
                keep(fresh)
                fresh = {}
            reporter.advance(done, len(texts), parser.model)
    finally:
        if fresh:
            keep(fresh)
    return done
