"""Parsing many texts, with progress, and keeping what is done when it is stopped."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from awase.core.batches import batches
from awase.core.parsing.conllu import conllu_of
from awase.core.parsing.engines import Parser
from awase.core.progress import Reporter

Keep = Callable[[Mapping[str, str]], None]
"""Takes parses: text to CoNLL-U."""

_KEPT_AT_A_TIME: Final = 500
GIVEN_AT_A_TIME: Final = 6_400
"""Whole batches of each parser, so that they are those of all texts given at once."""


def parse_texts(
    texts: Collection[str], parser: Parser, keep: Keep, reporter: Reporter
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
        for some in batches(texts, GIVEN_AT_A_TIME):
            given = iter(some)
            for parses in parser.parses(some):
                for parse, text in zip(parses, given, strict=False):
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
