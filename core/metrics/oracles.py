"""Oracles of a corpus, topic by topic and reference by reference, and requests for them."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import Final

from awase.core.errors import CorpusFormatError, InputError, Missing, ScoringUndefinedError
from awase.core.kernel.binding import kernel
from awase.core.language.conllu import parse_of
from awase.core.metrics.kit.extractive import (
    Elements,
    OnNews,
    Oracle,
    OracleEffort,
    Places,
    Recount,
    Splitter,
    Unit,
    each_ngram,
    find_oracle,
    ngrams,
    places_of,
    problem_of,
    recount,
    recount_compiled,
    source_units,
    unit_elements,
)
from awase.core.metrics.kit.metric import STEM, STOP, Chosen
from awase.core.metrics.kit.oracle_choices import (
    BE,
    FILE,
    LIMIT,
    ORACLE,
    PARSES,
    SENTENCE,
    TOKENS,
    UNIT,
    UNIT_IDS,
)
from awase.core.metrics.kit.splitters import BUILT_IN, EdusOfParses
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.rouge.tokens import Preparation
from awase.core.records.abstract import Abstract, Limit
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.core.solvers.budget_solving import ignore_bounds
from awase.core.text import tokenisers
from awase.core.text.numbered_tokens import NumberedTexts, numbered_texts
from awase.core.text.script import length_of, lengths_of, usual_unit
from awase.core.text.tokenisers import (
    BLANKS,
    is_mostly_unspaced,
    language_of,
    settled,
    tokeniser_called,
    tokeniser_of,
    unicode_tokens,
)

Tokens = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleOptions:
    """Objective, units and limit of an oracle."""

    n: int | None  # of the n-grams; None = basic elements
    unit: str  # `sentence`, `edu`, `edu-parse` or `edu-file`
    limit: Limit | None  # None = the reference's own
    stem: bool
    stop: bool
    tokens: str  # as `tokeniser_id` returns it

    @property
    def uses_parses(self) -> bool:
        """Whether oracles rest on parses."""
        return self.n is None or self.unit == PARSES

    def settled_in(self, corpus: Corpus, supplies: Supplies, unit: str) -> Mapping[str, str]:
        """Returns the options as resolved in the corpus; `unit` is unresolved."""
        if self.unit == FILE and supplies.edus is not None:
            unit = supplies.edus.id
        return {"tokens": settled(corpus, self.tokens), "unit": unit}

    def tokens_with(self, tokeniser: str) -> Tokens:
        """Returns the tokenising function of counted tokens."""
        found = tokeniser_called(tokeniser, stem=self.stem, stop=self.stop)
        split, drops_here = found.tokens, self.stop and not found.drops_function_words
        reduced = Preparation(stem=self.stem, drops_stop_words=drops_here).reduction()
        if reduced is None:
            return split
        return lambda text: [word for token in split(text) if (word := reduced(token))]


def oracle_options(chosen: Chosen) -> OracleOptions:
    """Returns the options of oracles among others."""
    unit = next((name for name, full in UNIT_IDS.items() if full == chosen[UNIT]), chosen[UNIT])
    limit = chosen[LIMIT]
    if limit is not None and limit.unit == "sentences" and unit != SENTENCE:
        raise InputError.of(
            "limit={limit} counts sentences, but oracles of unit={unit} choose parts of sentences.",
            "Give a limit in words (100w) or characters (200c), or choose unit=sentence.",
            limit=LIMIT.spell(limit),
            unit=unit,
        )
    oracle = chosen[ORACLE]
    options = OracleOptions(
        n=None if oracle == BE else int(oracle[-1]),
        unit=unit.partition(".")[0],
        limit=limit,
        stem=chosen[STEM],
        stop=chosen[STOP],
        tokens=chosen[TOKENS],
    )
    if options.n is None and (options.stem or options.stop):
        raise InputError.of(
            "Basic elements have neither stems nor stop words here.",
            "Leave stem and stop out, or choose oracle=rouge-2.",
        )
    return options


NOWHERE: Final = -1  # the index of a unit that a topic does not have


def _without_words(on_news: OnNews) -> OnNews:
    """Unloads the dictionary once a search takes long, which needs as much memory."""
    # Once: any lookup meanwhile would load it again, 40 ms each time.
    is_kept = True

    def heard(value: int, upper: int) -> None:
        nonlocal is_kept
        if value and is_kept:
            is_kept = False
            tokenisers.forget_analyser()
        on_news(value, upper)

    return heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A text that an oracle maximises overlap with."""

    sentences: tuple[str, ...]
    limit: Limit | None = None  # how long it was allowed to be; None = unknown
    name: str = ""

    @classmethod
    def of(cls, abstract: Abstract) -> "Reference":
        """Returns the abstract as a reference."""
        texts = tuple(sentence.text for sentence in abstract.sentences)
        return cls(sentences=texts, limit=abstract.limit, name=abstract.id)


def splitter_for(options: OracleOptions, supplies: Supplies) -> Splitter:
    """Returns the splitter that the options name."""
    if options.unit == PARSES:
        _check_parses(supplies, "unit=edu-parse")
        return EdusOfParses(parses=supplies.parses)
    if options.unit == FILE:
        if supplies.edus is None:
            raise ScoringUndefinedError.of(
                "unit=edu-file needs a file of EDUs.", missing=Missing.EDUS
            )
        return supplies.edus
    return BUILT_IN[options.unit]


def _check_parses(supplies: Supplies, what: str) -> None:
    if not supplies.parses:
        raise ScoringUndefinedError.of(
            "{asked} needs a parse of every source sentence, and there are none.",
            "Parse them first.",
            asked=what,
            missing=Missing.PARSES,
        )


def check_supplied(options: OracleOptions, supplies: Supplies) -> None:
    """Raises unless the resources of these options are available."""
    if options.n is None:
        _check_parses(supplies, "oracle=be")
    splitter_for(options, supplies)


@dataclass(slots=True)
class OracleFinder:
    """Finds oracles with one set of options, and remembers them."""

    options: OracleOptions
    supplies: Supplies
    effort: OracleEffort  # how much work each may cost
    found: dict[str, Oracle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_supplied(self.options, self.supplies)

    def source_of(self, topic: Topic) -> "TopicSource":
        """Returns the topic's units, read once for all its references."""
        return TopicSource(topic, self)


class _Remembered(dict[str, tuple[str, ...]]):
    """Text -> its tokens, cut when it is met first."""

    def __init__(self, cut: Tokens) -> None:
        self.cut = cut

    def __missing__(self, text: str) -> tuple[str, ...]:
        tokens = self[text] = tuple(self.cut(text))
        return tokens


def _numbered(texts: Sequence[str], tokens: _Remembered) -> NumberedTexts:
    """Returns texts as token numbers, in the kernel if possible."""
    cut = tokens.cut
    return numbered_texts(texts, cut if cut is unicode_tokens else tokens.__getitem__)


class TopicSource:
    """A topic's units, in document order, and their elements."""

    def __init__(self, topic: Topic, finder: OracleFinder) -> None:
        self._finder = finder
        self.text_by_ref = {ref: sentence.text for ref, sentence in topic.sentences()}
        self.topic = topic
        self.language = language_of(topic)
        self.tokeniser = tokeniser_of(topic, finder.options.tokens)
        self.splitter = splitter_for(finder.options, finder.supplies)
        self.units = source_units(self.text_by_ref, self.splitter, self.language)
        self._counted_tokens = _Remembered(finder.options.tokens_with(self.tokeniser))
        self._plain_tokens = self._counted_tokens
        if self._counted_tokens.cut is not (plain := tokeniser_called(self.tokeniser).tokens):
            self._plain_tokens = _Remembered(plain)
        self._elements: dict[tuple[str, ...], Elements] = {}
        self._places: Places | None = None
        self._lengths: dict[str, list[int]] = {}
        self._numbered: dict[tuple[str, ...], tuple[NumberedTexts, NumberedTexts]] = {}
        self._cut = tokeniser_called(self.tokeniser)
        self._is_unspaced = is_mostly_unspaced("".join(self.text_by_ref.values()))
        self._digest = hashlib.sha256(
            repr([(*unit.ref, unit.start, unit.end, unit.text) for unit in self.units]).encode()
        ).hexdigest()

    def limit_for(self, reference: Reference) -> Limit | None:
        """Returns L for a reference: the options', the reference's, or its length; None = 0."""
        limit = self._finder.options.limit or reference.limit
        if limit is not None and limit.unit != "bytes":
            if limit.unit == "words":
                self._check_words(limit)
            return limit
        unit = "characters" if self._is_unspaced else usual_unit(self.language)
        size = self.length(reference.sentences, unit)
        return Limit(unit=unit, size=size) if size else None

    def _check_words(self, limit: Limit) -> None:
        if self._is_unspaced and not self._cut.counts_words and self._cut.name != BLANKS:
            raise InputError.of(
                "Topic “{topic}” has no blanks between words, so {size} {size:word says|words "
                "say} nothing about its length.",
                "Give the limit in characters, such as 400c; or choose tokens=ja, whose words are "
                "counted, or tokens=blanks for text that is already tokenised.",
                topic=self.topic.id,
                size=limit.size,
            )

    def oracle_for(self, reference: Reference, on_news: OnNews = ignore_bounds) -> Oracle:
        """Returns the oracle for a reference: cached, from a file, or searched.

        `on_news` receives bounds on the overlap; raising ends the work.
        """
        limit = self.limit_for(reference)
        elements = self.elements_of_reference(reference.sentences)
        key = self._key(elements, limit)
        finder = self._finder
        if key not in finder.found:
            kept = finder.supplies.oracles.get(key)
            if kept is not None and self._serves(kept):
                self._check(kept, elements, limit, reference)
                finder.found[key] = kept
            else:
                finder.found[key] = find_oracle(
                    self.units,
                    self._places_of(elements),
                    self.lengths(limit.unit if limit else "words"),
                    elements,
                    limit.size if limit else 0,
                    effort=finder.effort,
                    on_news=_without_words(on_news),
                )
        return finder.found[key]

    def key_for(self, reference: Reference) -> str:
        """Returns an oracle's cache key: everything that it depends on."""
        return self._key(self.elements_of_reference(reference.sentences), self.limit_for(reference))

    def lengths(self, unit: str) -> list[int]:
        """Returns the length of each unit of the source; as `sentences`, each is 1."""
        if unit not in self._lengths:
            texts = [one.text for one in self.units]
            self._lengths[unit] = (
                [self.length([text], unit) for text in texts]
                if unit == "words" and self._cut.counts_words
                else lengths_of(texts, unit)
            )
        return self._lengths[unit]

    def length(self, sentences: Sequence[str], unit: str) -> int:
        """Returns the length of a text; words are the tokeniser's where it counts words."""
        if unit == "words" and self._cut.counts_words:
            return sum(len(self._cut.words(text)) for text in sentences)
        return length_of(sentences, unit)

    def elements_of_reference(self, sentences: tuple[str, ...]) -> Elements:
        """Returns the elements of a reference; its n-grams cross sentences."""
        if sentences not in self._elements:
            self._elements[sentences] = self._elements_of(sentences)
        return self._elements[sentences]

    def _elements_of(self, sentences: Sequence[str]) -> Elements:
        n = self._finder.options.n
        if n is not None:
            return ngrams([token for text in sentences for token in self._counted_tokens[text]], n)
        counted: Counter[tuple[str, ...]] = Counter()
        for text in sentences:
            counted += self._elements_in(text, 0, len(text))
        return counted

    def _check(
        self,
        oracle: Oracle,
        elements: Elements,
        limit: Limit | None,
        reference: Reference,
    ) -> None:
        """Verifies an oracle from a file."""
        size = limit.size if limit else 0
        optima = (oracle.units, *oracle.optima)
        sets = [[*map(self.place_of, units)] for units in optima]
        known = oracle.limit == size and all(
            NOWHERE not in idxs and len({*idxs}) == len(idxs) for idxs in sets
        )
        if known:
            counted = self._recounted(elements, limit, reference, sets)
            known = (counted.total, counted.sets[0].length) == (oracle.total, oracle.length)
            # A greedy choice proves nothing, yet it beats most oracles that are not the best.
            known = known and counted.greedy <= oracle.value
            known = known and all(
                one.value == oracle.value
                and one.length <= size
                and (not oracle.is_settled or one.is_irredundant)
                for one in counted.sets
            )
        if not known:
            raise CorpusFormatError.of(
                "The file's oracle for “{reference}” in topic “{topic}” does not match its units: "
                "it was changed.",
                "Find the oracles again.",
                reference=reference.name,
                topic=self.topic.id,
            )

    def _recounted(
        self,
        elements: Elements,
        limit: Limit | None,
        reference: Reference,
        sets: Sequence[Sequence[int]],
    ) -> Recount:
        lengths, size = self.lengths(limit.unit if limit else "words"), limit.size if limit else 0
        n, found = self._finder.options.n, None
        if n is not None and kernel() is not None:
            units, sentences = self._numbered_with(reference.sentences)
            found = recount_compiled(units, sentences, n, lengths, size, sets)
        if found is None:
            problem = problem_of(self._places_of(elements), lengths, elements, size)
            found = recount(problem, lengths, sets)
        return found

    def _numbered_with(self, reference: tuple[str, ...]) -> tuple[NumberedTexts, NumberedTexts]:
        """Returns the units' counted tokens and a reference's, for all abstracts together."""
        if reference not in self._numbered:
            known = [Reference.of(abstract).sentences for abstract in self.topic.abstracts]
            references = [*dict.fromkeys([*known, reference])]
            texts = [*(unit.text for unit in self.units), *chain.from_iterable(references)]
            found = _numbered(texts, self._counted_tokens)
            n_units = len(self.units)
            units, ends = found.part(0, n_units), [*accumulate(map(len, references))]
            for sentences, end in zip(references, ends, strict=True):
                part = found.part(n_units + end - len(sentences), n_units + end)
                self._numbered[sentences] = units, part
        return self._numbered[reference]

    def numbered(self, texts: Sequence[str]) -> NumberedTexts:
        """Returns the tokens of texts as numbers, neither stemmed nor without stop words."""
        return _numbered(texts, self._plain_tokens)

    def _serves(self, oracle: Oracle) -> bool:
        wanted = self._finder.effort.max_optima
        is_known = oracle.is_settled if wanted == 1 else oracle.are_all
        return oracle.is_proved and is_known and (wanted == 1 or len(oracle.optima) <= wanted)

    def _key(self, elements: Elements, limit: Limit | None) -> str:
        options = self._finder.options
        parts = [
            "be" if options.n is None else f"rouge-{options.n}",
            self._finder.supplies.parse_label if options.n is None else "",
            options.stem,
            options.stop,
            self.tokeniser,
            [self._counted(limit.unit), limit.size] if limit else None,
            self._digest,
            sorted(elements.items()),
        ]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _counted(self, unit: str) -> str:
        return "tokens" if unit == "words" and self._cut.counts_words else unit

    def tokens_of(self, text: str) -> tuple[str, ...]:
        """Returns the plain tokens of a text, cached."""
        return self._plain_tokens[text]

    def _places_of(self, elements: Elements) -> Places:
        """Returns the index of at least these elements, for all abstracts together."""
        if self._finder.options.n is None:  # not every abstract needs to have a parse
            self._places = self._places or places_of(map(self._each_element, self.units))
        elif self._places is None or not elements.keys() <= self._places.keys():
            known = [Reference.of(abstract).sentences for abstract in self.topic.abstracts]
            wanted = {one for of in map(self.elements_of_reference, known) for one in of}
            wanted.update(elements, self._places or ())
            self._places = places_of(map(self._each_element, self.units), wanted)
        return self._places

    def _each_element(self, unit: Unit) -> Iterable[tuple[str, ...]]:
        n = self._finder.options.n
        if n is not None:
            return each_ngram(self._counted_tokens[unit.text], n)
        return self._elements_in(self.text_by_ref[unit.ref], unit.start, unit.end).elements()

    def place_of(self, unit: Unit) -> int:
        """Returns the index of a unit; `NOWHERE` = it is none of the topic's."""
        places = self._places_by_ref.get(unit.ref, ())
        return next((place for place in places if self.units[place] == unit), NOWHERE)

    @cached_property
    def _places_by_ref(self) -> dict[SentenceRef, list[int]]:
        places: dict[SentenceRef, list[int]] = {}
        for place, unit in enumerate(self.units):
            places.setdefault(unit.ref, []).append(place)
        return places

    def _elements_in(self, text: str, start: int, end: int) -> Counter[tuple[str, ...]]:
        conllu = self._finder.supplies.parses.get(text)
        if conllu is None:
            if not text.strip():
                return Counter()
            raise ScoringUndefinedError.of(
                "oracle=be needs a parse of every sentence; “{text}” in topic “{topic}” has none.",
                "Parse the corpus again.",
                missing=Missing.PARSES,
                text=text[:30],
                topic=self.topic.id,
            )
        return unit_elements(parse_of(conllu), start, end)
