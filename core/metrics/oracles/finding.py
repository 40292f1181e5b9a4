"""The oracles of a corpus: topic by topic and reference by reference, none found twice."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from awase.core.errors import CorpusFormatError, InputError, Missing, ScoringUndefinedError
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.oracles.requests import OracleOptions, Tokens
from awase.core.oracles.extractive import (
    Effort,
    Elements,
    OnNews,
    Oracle,
    Places,
    each_ngram,
    find_oracle,
    ngrams,
    places_of,
    problem_of,
)
from awase.core.oracles.splitters import BUILT_IN, EdusOfParses
from awase.core.oracles.unit_elements import unit_elements
from awase.core.oracles.units import FILE, PARSES, Splitter, Unit, source_units
from awase.core.parsing.conllu import parse_of
from awase.core.records.abstract import Abstract, Limit
from awase.core.records.topic import Topic
from awase.core.solvers.budget.greedy import RULES, gains_alone, greedy
from awase.core.solvers.budget.problem import is_irredundant, value_of
from awase.core.solvers.budget.solving import ignore_bounds
from awase.core.text.lengths import length_of, usual_unit
from awase.core.text.tokens.tokeniser_choice import cut_of, language_of, tokeniser_of
from awase.core.text.tokens.tokenisers import BLANKS, tokeniser_called
from awase.core.text.tokens.words import is_mostly_unspaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One text that an oracle comes as near to as it can.

    Attributes:
        sentences: Its sentences.
        limit: How long it was allowed to be; None = unknown.
        name: For people: the abstract's id, or its number among an output's references.
    """

    sentences: tuple[str, ...]
    limit: Limit | None = None
    name: str = ""

    @classmethod
    def of(cls, abstract: Abstract) -> "Reference":
        """Returns the abstract as a reference."""
        texts = tuple(sentence.text for sentence in abstract.sentences)
        return cls(sentences=texts, limit=abstract.limit, name=abstract.id)


def splitter_for(options: OracleOptions, supplies: Supplies) -> Splitter:
    """Returns the splitter that the options name.

    Raises:
        ScoringUndefinedError: It needs parses or a file that are not there.
    """
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
    """Does nothing when all is there that oracles of these options need.

    Raises:
        ScoringUndefinedError: Parses or a file of EDUs are missing.
    """
    if options.n is None:
        _check_parses(supplies, "oracle=be")
    splitter_for(options, supplies)


@dataclass(slots=True)
class OracleFinder:
    """Finds oracles with one set of options, and remembers them.

    Attributes:
        options: What the oracles are.
        supplies: Parses, EDUs, and oracles that were found before.
        effort: How much work each may cost.
        found: Every oracle asked for, by its key.

    Raises:
        ScoringUndefinedError: As `check_supplied`.
    """

    options: OracleOptions
    supplies: Supplies
    effort: Effort
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


class TopicSource:
    """A topic's units and what oracles count in them.

    Attributes:
        language: Of the topic.
        tokeniser: Id of the one that reads it.
        splitter: Of its sentences.
        units: Of its documents, in their order.
        text_by_ref: Its sentences.
    """

    def __init__(self, topic: Topic, finder: OracleFinder) -> None:
        self._finder = finder
        self.text_by_ref = {ref: sentence.text for ref, sentence in topic.sentences()}
        self.topic = topic
        self.language = language_of(topic)
        self.tokeniser = tokeniser_of(topic, finder.options.tokens)
        self.splitter = splitter_for(finder.options, finder.supplies)
        self.units = source_units(topic, self.splitter, self.language)
        self._counted_tokens = _Remembered(finder.options.tokens_with(self.tokeniser))
        self._plain_tokens = self._counted_tokens
        if self._counted_tokens.cut is not (plain := cut_of(self.tokeniser)[0]):
            self._plain_tokens = _Remembered(plain)
        self._elements: dict[tuple[str, ...], Elements] = {}
        self._places: Places | None = None
        self._lengths: dict[str, list[int]] = {}
        self._cut = tokeniser_called(self.tokeniser)
        self._is_unspaced = is_mostly_unspaced("".join(self.text_by_ref.values()))
        self._digest = hashlib.sha256(
            repr([(*unit.ref, unit.start, unit.end, unit.text) for unit in self.units]).encode()
        ).hexdigest()

    def limit_for(self, reference: Reference) -> Limit | None:
        """Returns L for a reference: the options', the reference's, or its length; None = 0.

        Raises:
            InputError: It is in words, which nothing parts in this topic.
        """
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
                "Topic “{topic}” sets no blanks between words, so that {size} words say nothing "
                "about its length.",
                "Give the limit in characters, such as 400c; or choose tokens=ja, whose words are "
                "counted, or tokens=blanks for text whose words were parted before.",
                topic=self.topic.id,
                size=limit.size,
            )

    def oracle_for(self, reference: Reference, on_news: OnNews = ignore_bounds) -> Oracle:
        """Returns the oracle for a reference: remembered, supplied or found now.

        Args:
            reference: Its text and limit.
            on_news: Told how much is shared at least and at most; what it raises ends the work.
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
                    on_news=on_news,
                )
        return finder.found[key]

    def key_for(self, reference: Reference) -> str:
        """Returns what an oracle is remembered by: all that it depends on."""
        return self._key(self.elements_of_reference(reference.sentences), self.limit_for(reference))

    def lengths(self, unit: str) -> list[int]:
        """Returns the length of each unit of the source; as `sentences`, each is 1."""
        if unit not in self._lengths:
            self._lengths[unit] = [self.length([one.text], unit) for one in self.units]
        return self._lengths[unit]

    def length(self, sentences: Sequence[str], unit: str) -> int:
        """Returns the length of a text; words are the tokeniser's where it counts words."""
        if unit == "words" and self._cut.counts_words:
            return sum(len(self._cut.words(text)) for text in sentences)
        return length_of(sentences, unit)

    def elements_of_reference(self, sentences: tuple[str, ...]) -> Elements:
        """Returns what is counted of a reference; its n-grams cross its sentences' ends."""
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
        self, oracle: Oracle, elements: Elements, limit: Limit | None, reference: Reference
    ) -> None:
        """Does nothing when an oracle from a file is what it says it is.

        Raises:
            CorpusFormatError: Its numbers are not those of its units, or it is not the best.
        """
        lengths = self.lengths(limit.unit if limit else "words")
        problem = problem_of(
            self._places_of(elements), lengths, elements, limit.size if limit else 0
        )
        places = self.place_by_unit
        known = oracle.total == sum(elements.values()) and oracle.limit == problem.limit
        # A greedy choice proves nothing, yet it beats most oracles of a file that are not the best.
        alone = gains_alone(problem)
        known = known and all(
            value_of(problem, greedy(problem, rule, alone)) <= oracle.value for rule in RULES
        )
        for units in (oracle.units, *oracle.optima):
            idxs = [places.get(unit, -1) for unit in units]
            if not known or -1 in idxs or len({*idxs}) < len(idxs):
                known = False
                break
            length = sum(lengths[idx] for idx in idxs)
            known = value_of(problem, idxs) == oracle.value and length <= problem.limit
            known = known and (units != oracle.units or length == oracle.length)
            known = known and (not oracle.is_settled or is_irredundant(problem, idxs))
        if not known:
            raise CorpusFormatError.of(
                "The file's oracle for “{reference}” in topic “{topic}” is not what its units make "
                "of it: it was changed.",
                "Find the oracles again.",
                reference=reference.name,
                topic=self.topic.id,
            )

    def _serves(self, oracle: Oracle) -> bool:
        wanted = self._finder.effort.max_optima
        has_ties = oracle.are_all or len(oracle.optima) >= wanted
        return oracle.is_proved and (has_ties or wanted == 1)

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
        """Returns the tokens of a text, neither stemmed nor without stop words; made once."""
        return self._plain_tokens[text]

    def _places_of(self, elements: Elements) -> Places:
        """Returns where at least these elements are, those of all abstracts at once."""
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
        return self._of_unit(unit).elements()

    @cached_property
    def place_by_unit(self) -> dict[Unit, int]:
        """The index of each unit."""
        return {unit: place for place, unit in enumerate(self.units)}

    def _of_unit(self, unit: Unit) -> Counter[tuple[str, ...]]:
        return self._elements_in(self.text_by_ref[unit.ref], unit.start, unit.end)

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
