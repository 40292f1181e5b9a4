"""The word lists of ROUGE-1.5.5: stop words, and irregular forms for its stemmer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from awase.core.text.tokens.rouge_stemmer import wordnet_exceptions


@cache
def stop_list() -> tuple[str, ...]:
    """Returns the 598 entries in the program's order (provenance: resources/rouge/README.md)."""
    text = files("awase.resources").joinpath("rouge", "stop_words.txt").read_text("utf-8")
    return tuple(text.splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """The lists that a run uses.

    Attributes:
        stop_words: What `-s` drops.
        exceptions: Irregular form to base form, under `-m`.
    """

    stop_words: frozenset[str]
    exceptions: Mapping[str, str]


@cache
def own_lists() -> WordLists:
    """Returns the lists of the program's distribution."""
    return WordLists(stop_words=frozenset(stop_list()), exceptions=wordnet_exceptions())


def stop_words_of(content: bytes) -> frozenset[str]:
    """Returns the stop words in a file of the program, a line each as it stands."""
    return frozenset(content.decode("latin-1").removesuffix("\n").split("\n"))


def exceptions_of(contents: Iterable[bytes]) -> Mapping[str, str]:
    """Returns the irregular forms in WordNet's `.exc` files.

    Args:
        contents: In the order in which the program's database is built of them; of a form that
            stands in several the last counts, as does the first base form of a line.
    """
    lines = (line.split() for content in contents for line in content.decode("latin-1").split("\n"))
    return MappingProxyType({words[0]: words[1] for words in lines if len(words) > 1})
