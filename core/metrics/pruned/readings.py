"""Texts as units of words, with what is needed to look the words up."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import LIMIT, STOP, TOKENS, limit_with
from awase.core.metrics.pruned.counting import Unit
from awase.core.metrics.rouge.tokens.preparation import stop_list
from awase.core.text.limits import NO_LIMIT, LengthLimit, as_bytes, running_text
from awase.core.text.tokens.tokenisers import Tokeniser, tokeniser_called
from awase.core.vectors.vector_file import Spellings, spellings_of

Text = tuple[str, ...]
"""Sentences of a system's summary or of a reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitText:
    """A text as units.

    Attributes:
        units: In reading order, as often as they occur.
        surfaces: Each word of the units to how it is written where it stands.
        lemmas: A word to a last spelling to look it up by; words without one are left out.
    """

    units: tuple[Unit, ...]
    surfaces: Mapping[str, frozenset[str]]
    lemmas: Mapping[str, str] = field(default_factory=dict)


Read = Callable[[Text], UnitText]
"""A text to its units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRules:
    """How text becomes words: the same for equal rules.

    Attributes:
        drops_stop_words: Whether words of ROUGE's list are dropped before units are formed.
        limit: How much of each text counts.
    """

    tokeniser: Tokeniser
    drops_stop_words: bool = False
    limit: LengthLimit = NO_LIMIT

    def words(self, text: Text) -> list[str]:
        """Returns the words of a text as they are written, across sentence ends."""
        dropped = frozenset(stop_list()) if self.drops_stop_words else frozenset()
        if self.limit.tokens:
            cut_words = (word for line in text for word in self.tokeniser.for_limits.words(line))
            return [word for word in islice(cut_words, self.limit.tokens) if word]
        sentences: Iterable[str] = text
        if self.limit != NO_LIMIT:
            cut = running_text([as_bytes(sentence) for sentence in text], self.limit)
            # A byte limit may have cut a character in the middle.
            sentences = (sentence.decode("utf-8", "ignore") for sentence in cut)
        words = (word for sentence in sentences for word in self.tokeniser.words(sentence))
        return [word for word in words if word.casefold() not in dropped]


def word_rules(chosen: Chosen) -> WordRules:
    """Returns the rules that these options make."""
    tokeniser = tokeniser_called(chosen[TOKENS], stop=chosen[STOP])
    return WordRules(
        tokeniser=tokeniser,
        drops_stop_words=chosen[STOP] and not tokeniser.drops_function_words,
        limit=limit_with(chosen[LIMIT], tokeniser),
    )


def surfaces_of(words: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Returns each word with all the ways in which it is written."""
    surfaces: dict[str, set[str]] = {}
    for word, surface in words:
        surfaces.setdefault(word, set()).add(surface)
    return {word: frozenset(written) for word, written in surfaces.items()}


def ngram_reading(rules: WordRules, size: int) -> Read:
    """Returns what reads texts as n-grams, which cross sentence ends as in ROUGE-1.5.5."""

    def read(text: Text) -> UnitText:
        written = rules.words(text)
        words = [word.casefold() for word in written]
        shifted = (words[shift:] for shift in range(size))
        return UnitText(
            units=tuple(zip(*shifted, strict=False)),
            surfaces=surfaces_of(zip(words, written, strict=True)),
        )

    return read


def remembered(read: Read) -> Read:
    """Returns the same, reading each text once."""
    known: dict[Text, UnitText] = {}

    def reading(text: Text) -> UnitText:
        found = known.get(text)
        if found is None:
            found = known[text] = read(text)
        return found

    return reading


def spellings(readings: Sequence[UnitText]) -> dict[str, Spellings]:
    """Returns the words of some texts, each with the spellings to look it up by.

    They depend on these texts alone, so that no score changes when others are loaded.
    """
    surfaces: dict[str, set[str]] = {}
    lemmas: dict[str, str] = {}
    for reading in readings:
        for word, written in reading.surfaces.items():
            surfaces.setdefault(word, set()).update(written)
        for word, lemma in reading.lemmas.items():
            lemmas[word] = min(lemma, lemmas.get(word, lemma))
    return {
        word: spellings_of(word, written, lemmas.get(word, ""))
        for word, written in sorted(surfaces.items())
    }


def every_spelling(readings: Iterable[UnitText]) -> Iterator[str]:
    """Yields all that is looked up for the texts; the same ones may come again."""
    for reading in readings:
        for word, written in reading.surfaces.items():
            yield word
            yield from written
        yield from reading.lemmas.values()
