"""BE: basic elements shared with references, of a corpus or as files of ROUGE-1.5.5.

Counting is that of ROUGE-1.5.5 with -3: recall, precision and F, rounded to five decimals.

Source: Hovy, Lin, Zhou and Fukumoto (2006), "Automated summarization evaluation with basic
    elements"; ROUGE-1.5.5; Honda, Hirao and Nagata, section 3.1, for the units.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem, Reporter
from awase.core.language.basic_elements import (
    DEFAULT,
    BasicElementOptions,
    Labels,
    basic_elements,
    phrase_heads,
)
from awase.core.language.conllu import parse_of
from awase.core.metrics.entries import BE, MODE
from awase.core.metrics.kit.metric import (
    ALPHA,
    AVERAGE,
    LABELS,
    PARSER,
    REFS,
    STEM,
    WORDS,
    Chosen,
    ParsedRequest,
)
from awase.core.metrics.kit.outputs import NO_ELEMENT, TextLog
from awase.core.metrics.kit.runner import Case, Values, cases_of, checked_parses, score_texts
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import Supplies, parser_of
from awase.core.metrics.rouge.comparison import REFERENCES, References
from awase.core.metrics.rouge.measures import groups_of, mean_for
from awase.core.metrics.rouge.units import (
    NIL,
    BasicElement,
    BeMode,
    basic_element,
    stemmed_element,
    unit_counts,
    units_of,
)
from awase.core.records.corpus import Corpus
from awase.core.records.parse import ParsedSentence
from awase.core.records.score import ScoreTable
from awase.core.records.topic import with_progress
from awase.core.text.rouge_stemmer import RougeStemmer

_SENTENCES_REMEMBERED = 1 << 14


def simple_lines(
    sentences: Iterable[ParsedSentence], options: BasicElementOptions
) -> Iterator[str]:
    """Yields the lines of a SIMPLE file: each sentence's triples, then its heads alone.

    A bar inside a word becomes a slash, and the word “nil”, which would mean nothing, “nil.”.
    """
    for sentence in sentences:
        for parts in basic_elements(sentence, options=options):
            yield "|".join(map(_field, parts))
        for head in phrase_heads(sentence, options=options):
            yield f"{_field(head)}|{NIL}|{NIL}"


@lru_cache(_SENTENCES_REMEMBERED)
def elements_of(conllu: str, options: BasicElementOptions) -> tuple[BasicElement, ...]:
    """Returns the elements of a stored parse, as the program reads the lines above; cached."""
    # Parsing takes longer than comparing with many others.
    return tuple(
        basic_element(line) for line in simple_lines(parse_of(conllu, has_spans=False), options)
    )


def _field(word: str) -> str:
    word = " ".join(word.replace("|", "/").split())
    return f"{word}." if word == NIL else word


_MOST_SENTENCES: Final = 1 << 15
_NONE: Final = np.empty(0, np.int64)

Units = NDArray[np.int64]  # the units of a text by their numbers, which begin at 1


class UnitNumbers:
    """Thread-safe numbers of units, the same for all sentences."""

    def __init__(self, options: BasicElementOptions, mode: BeMode, *, stem: bool) -> None:
        self._options = options
        self._mode = mode
        self._stemmer = RougeStemmer() if stem else None
        self._numbers: dict[tuple[str, ...], int] = {}
        self._of_parse: dict[str, Units] = {"": _NONE}
        self._lock = Lock()

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget."""
        return len(self._of_parse) > _MOST_SENTENCES

    def units(self, parses: Iterable[str]) -> Units:
        """Returns the units of a text from its sentences' CoNLL-U parses."""
        known = self._of_parse
        found = [known[one] if one in known else self._look_at(one) for one in parses]
        return np.concatenate(found) if found else _NONE

    def _look_at(self, parse: str) -> Units:
        elements: Iterable[BasicElement] = elements_of(parse, self._options)
        if self._stemmer is not None:
            elements = [stemmed_element(element, self._stemmer) for element in elements]
        with self._lock:
            numbers = self._numbers
            units = [
                numbers.setdefault(unit, len(numbers) + 1)
                for unit in units_of(elements, self._mode)
            ]
            found = self._of_parse[parse] = np.array(units, np.int64)
        return found


def unit_numbers(options: BasicElementOptions, mode: BeMode, *, stem: bool) -> UnitNumbers:
    """Returns the cached numbering for the options."""
    numbers = _remembered(options, mode, stem)
    if numbers.is_full:
        _remembered.cache_clear()
        numbers = _remembered(options, mode, stem)
    return numbers


@lru_cache(8)
def _remembered(options: BasicElementOptions, mode: BeMode, stem: bool) -> UnitNumbers:
    return UnitNumbers(options, mode, stem=stem)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeRequest(ParsedRequest):
    """The metric with parsed options; compared by identity."""

    mode: BeMode
    elements: BasicElementOptions
    stem: bool
    references: References
    alpha: float  # towards 1, F favours precision
    averages_as_perl: bool


def element_options(chosen: Chosen) -> BasicElementOptions:
    """Returns what basic elements are made of, as the options say."""
    return BasicElementOptions(lemma=chosen[WORDS] == "lemma", labels=Labels(chosen[LABELS]))


def parse_request(request: MetricRequest, supplies: Supplies) -> BeRequest:
    """Parses and validates the options."""
    chosen = Chosen.of_family(request, BE)
    return BeRequest(
        metric=request.name,
        mode=BeMode(chosen[MODE].upper()),
        elements=element_options(chosen),
        stem=chosen[STEM],
        references=REFERENCES[chosen[REFS]],
        alpha=float(chosen[ALPHA]),
        averages_as_perl=chosen[AVERAGE] == "perl",
        spelled={**chosen.spelled, PARSER.name: parser_of(chosen[PARSER], supplies.parse_label)},
    )


SETTINGS = "settings.xml"


def be_files(corpus: Corpus, supplies: Supplies, reporter: Reporter) -> Iterator[tuple[str, str]]:
    """Yields names and chunks of files of elements, and of settings that compare them.

    Chunks of the settings are interleaved. An evaluation is a topic and length class, called
    `topic` or `topic.length`.
    """
    yield SETTINGS, '<ROUGE-EVAL version="1.5.5">\n'
    files = _Files()
    ids: dict[str, int] = {}
    for topic in with_progress(corpus.topics, reporter):
        cases = cases_of((topic,), TextLog())
        parses = checked_parses("be", cases, supplies, corpus.topics)
        for group in groups_of(cases):
            for of_length in _by_length(cases, group):
                case = cases[of_length[0]]
                id_ = case.topic if case.length is None else f"{case.topic}.{case.length}"
                n_same = ids[id_] = ids.get(id_, 0) + 1
                peers = [(cases[idx].system, files.name_of(cases[idx].text)) for idx in of_length]
                models = [*map(files.name_of, case.references)]
                evaluation = _evaluation(id_ if n_same == 1 else f"{id_}.{n_same}", peers, models)
                yield SETTINGS, "".join(f"{line}\n" for line in evaluation)
        for name, text in files.drain():
            yield name, "".join(_lines(text, parses))
    yield SETTINGS, "</ROUGE-EVAL>\n"


class _Files:
    """Names files by text, equal ones alike."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._new: list[tuple[str, tuple[str, ...]]] = []

    def name_of(self, text: tuple[str, ...]) -> str:
        n_before = len(self._numbers)
        number = self._numbers.setdefault(text, n_before + 1)
        name = f"{number:05}.be"
        if number > n_before:
            self._new.append((name, text))
        return name

    def drain(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yields the names that are new, with their texts, which are forgotten."""
        new, self._new = self._new, []
        yield from new


def _by_length(cases: Sequence[Case], group: Sequence[int]) -> Iterator[list[int]]:
    by_length: dict[str | None, list[int]] = {}
    for case_idx in group:
        by_length.setdefault(cases[case_idx].length, []).append(case_idx)
    yield from by_length.values()


def _lines(text: Sequence[str], parses: Mapping[str, str]) -> Iterator[str]:
    for sentence in text:
        for line in simple_lines(parse_of(parses.get(sentence, "")), DEFAULT):
            yield f"{line}\n"


def _evaluation(id_: str, peers: list[tuple[str, str]], models: list[str]) -> Iterator[str]:
    yield f"<EVAL ID={quoteattr(id_)}>"
    yield "<PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>"
    yield '<INPUT-FORMAT TYPE="SIMPLE"/>'
    yield "<PEERS>"
    yield from (f"<P ID={quoteattr(system)}>{escape(name)}</P>" for system, name in peers)
    yield "</PEERS>"
    yield "<MODELS>"
    yield from (f'<M ID="{number}">{name}</M>' for number, name in enumerate(models, start=1))
    yield "</MODELS>"
    yield "</EVAL>"


_NO_REFERENCE = Problem(
    what="there is no reference with a basic element to compare with.",
    hint="Add an abstract or references, or choose another mode.",
)


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""

    def find(
        cases: Sequence[Case], wanted: Sequence[BeRequest], log: TextLog
    ) -> Mapping[BeRequest, Values]:
        parses = checked_parses("be", cases, supplies, corpus.topics)
        found: dict[BeRequest, Values] = {}
        for request_idx, request in enumerate(wanted):
            reporter.advance(request_idx, len(wanted), request.metric)
            found[request] = _counted(cases, request, parses, reporter, log)
        return found

    return score_texts(
        corpus,
        [parse_request(request, supplies) for request in requests],
        find,
        reason_of=lambda _request: _NO_REFERENCE,
        mean_of=lambda request: mean_for(request.averages_as_perl),
    )


def _counted(
    cases: Sequence[Case],
    request: BeRequest,
    parses: Mapping[str, str],
    reporter: Reporter,
    log: TextLog,
) -> Values:
    numbers = unit_numbers(request.elements, request.mode, stem=request.stem)

    def units(text: Sequence[str]) -> Units:
        return numbers.units([parses.get(sentence, "") for sentence in text])

    values = np.zeros((len(cases), 3))
    lacks_reference = np.ones(len(cases), np.bool_)
    groups = groups_of(cases)
    for group_idx, group in enumerate(groups):
        reporter.advance(group_idx, len(groups), cases[group[0]].topic)
        peers = [units(cases[case_idx].text) for case_idx in group]
        models = [units(text) for text in cases[group[0]].references]
        counts = unit_counts(peers, models)
        if not counts.models.any():
            continue
        lacks_reference[group] = False
        values[group] = request.references.scores(counts, request.alpha)
        for case_idx, n_units in zip(group, counts.peers, strict=True):
            if not n_units:
                log.note(NO_ELEMENT, cases[case_idx].system, cases[case_idx].topic)
    return Values(values, lacks_reference)
