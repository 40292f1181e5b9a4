"""Cases of text metrics: each system's text with its references, and their parses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from typing import NamedTuple

from awase.core.errors import InputError, Missing, Problem, ScoringUndefinedError
from awase.core.language.stored_parses import parses_of
from awase.core.metrics.kit.metric import ParsedRequest
from awase.core.metrics.kit.outputs import (
    CUT_CHARACTER,
    UNSPACED,
    WITHOUT_BLANKS,
    TextLog,
    answered_by_all,
    answers_in,
    chosen_answers,
    sentences_of,
    split_of,
)
from awase.core.metrics.kit.supplies import Supplies
from awase.core.records.corpus import Corpus
from awase.core.records.source import join_splits
from awase.core.records.topic import Extract, References, Topic
from awase.core.text.script import as_bytes, cuts_a_character, is_chinese
from awase.core.text.tokenisers import (
    ASCII,
    BLANKS,
    JAPANESE,
    UNICODE,
    has_unspaced_script,
    is_mostly_unspaced,
    lacks_blanks,
    refuse_lost_letters,
)


class Case(NamedTuple):
    """One output of one system in one topic.

    Attributes:
        split: Its `split=` value, from `join_splits`.
    """

    topic: str
    length: str | None
    system: str
    text: tuple[str, ...]
    references: References
    split: str
    language: str | None = None  # as the topic declares it


_system_in, _sentences_in, _split_in = map(attrgetter, ("system", "sentences", "split"))
_text_in, _references_in = map(itemgetter, map(Case._fields.index, ("text", "references")))


def cases_of(topics: Iterable[Topic], log: TextLog) -> list[Case]:
    """Returns every case of the topics, in order."""
    cases: list[Case] = []
    for topic in topics:
        has_extracts = Extract in {*map(type, topic.outputs)}
        common = None if has_extracts else answered_by_all(topic)
        if common is not None:
            length, references, of_references = common
            outputs = topic.outputs
            systems, texts = map(_system_in, outputs), map(_sentences_in, outputs)
            own = [*map(_split_in, outputs)]
            both = {split: join_splits((split, of_references)) for split in {*own}}
            rows = zip(
                repeat(topic.id), repeat(length), systems, texts, repeat(references),
                map(both.__getitem__, own), repeat(topic.language), strict=False,
            )  # fmt: skip
            cases += map(tuple.__new__, repeat(Case), rows)  # a third of calling the class for each
            continue
        answers = [*(answers_in(topic) if has_extracts else chosen_answers(topic))]
        sentences = topic.sentences() if has_extracts else ()
        text_by_ref = {ref: sentence.text for ref, sentence in sentences}
        split_by_document = {one.id: one.split for one in topic.documents}
        for answer in answers:
            output, length, references, of_references = answer
            if isinstance(output, Extract):
                log.note_output(topic, output)
                text = sentences_of(output, text_by_ref)
            else:
                text = output.sentences
            split = split_of(output, of_references, split_by_document)
            cases.append(
                Case(topic.id, length, output.system, text, references, split, topic.language)
            )
        log.note_unscored(topic, answers)
    return cases


def check_text(cases: Sequence[Case], requests: Iterable[ParsedRequest], log: TextLog) -> None:
    """Records when a request's tokens or limit suit the text badly."""
    asked = [*requests]
    _check_tokens(cases, asked, log)
    _check_limits(cases, asked, log)


def _check_tokens(cases: Sequence[Case], requests: Sequence[ParsedRequest], log: TextLog) -> None:
    tokenisers = {request.tokens: request.metric for request in reversed(requests)}
    if ASCII in tokenisers and not _are_ascii(cases):
        metric = tokenisers[ASCII]
        for case in cases:
            sentences = chain.from_iterable(_texts(case))
            refuse_lost_letters(sentences, metric=metric, system=case.system, topic=case.topic)
    if JAPANESE in tokenisers:
        for case in cases:
            _refuse_chinese(tokenisers[JAPANESE], case)
    if UNICODE in tokenisers:
        for case in cases:
            if any(map(has_unspaced_script, chain.from_iterable(_texts(case)))):
                log.note(UNSPACED, case.system, case.topic)
    if BLANKS in tokenisers:
        for case in cases:
            if any(lacks_blanks(" ".join(text)) for text in _texts(case)):
                log.note(WITHOUT_BLANKS, case.system, case.topic)


def _refuse_chinese(metric: str, case: Case) -> None:
    text = "".join(chain.from_iterable(_texts(case)))
    is_declared = (case.language or "").startswith("zh")
    if is_chinese(text, is_declared=is_declared):
        raise InputError.of(
            "{metric} with tokens=ja reads Japanese, and text of system “{system}” and its "
            "references in topic “{topic}” has no kana: it seems to be Chinese.",
            "Choose tokens=chars; or tokens=blanks for text whose words were parted before.",
            metric=metric,
            system=case.system,
            topic=case.topic,
        )


def _are_ascii(cases: Sequence[Case]) -> bool:
    texts = chain.from_iterable(map(_text_in, cases))
    references = [*map(_references_in, cases)]
    different = dict(zip(map(id, references), references, strict=True)).values()
    of_references = chain.from_iterable(chain.from_iterable(different))
    return all(map(str.isascii, chain(texts, of_references)))


def _check_limits(cases: Sequence[Case], requests: Sequence[ParsedRequest], log: TextLog) -> None:
    by_blanks = next((one for one in requests if one.limit.words and one.tokens != BLANKS), None)
    if by_blanks is not None:
        for case in cases:
            _refuse_words(by_blanks, case)
    for n_bytes in {request.limit.bytes: None for request in requests if request.limit.bytes}:
        for case in cases:
            if any(cuts_a_character([*map(as_bytes, text)], n_bytes) for text in _texts(case)):
                log.note(CUT_CHARACTER, case.system, case.topic, limit=f"{n_bytes}b")


def _refuse_words(request: ParsedRequest, case: Case) -> None:
    if any(is_mostly_unspaced("".join(text)) for text in _texts(case)):
        raise InputError.of(
            "{metric} with limit={limit} counts words between blanks, and text of system "
            "“{system}” or its references in topic “{topic}” sets none between its words.",
            "Give the limit in characters, such as limit=400c; or choose tokens=ja, whose words "
            "are counted, or tokens=blanks for text whose words were parted before.",
            metric=request.metric,
            limit=f"{request.limit.words}w",
            system=case.system,
            topic=case.topic,
        )


def _texts(case: Case) -> Iterator[tuple[str, ...]]:
    yield case.text
    yield from case.references


_SHOWN = 30

_NOTHING_PARSED = Problem(
    what="{metric} needs a parse of every sentence, and there are none: of {outputs} sentences of "
    "systems and {references} of references.",
    hint="Parse them, or parse elsewhere and take CoNLL-U in.",
)
_INCOMPLETE = Problem(
    what="{metric} needs a parse of every sentence. {outputs} of {n_outputs} sentences of systems "
    "and {references} of {n_references} of references have none by {model}; the first is “{text}” "
    "in topic “{topic}”.",
    hint=_NOTHING_PARSED.hint,
)


def needed_texts(cases: Iterable[Case]) -> Iterator[tuple[str, Case, bool]]:
    """Yields each sentence that is compared, where, and whether it is a reference's."""
    for case in cases:
        for text in case.text:
            yield text, case, False
        for reference in case.references:
            for text in reference:
                yield text, case, True


def compared_texts(corpus: Corpus) -> Iterator[str]:
    """Yields the sentences that metrics of text compare: of outputs and their references."""
    for topic in corpus.topics:
        for text, _, _ in needed_texts(cases_of((topic,), TextLog())):
            yield text


def checked_parses(
    metric: str, cases: Sequence[Case], supplies: Supplies, topics: Sequence[Topic]
) -> Mapping[str, str]:
    """Returns the parses of cases; raises unless every sentence but white space has one.

    `topics` are all that are scored, for the number of unparsed sentences.
    """
    parses = _parses_for(cases, supplies)
    if any(text not in parses and text.strip() for text, _, _ in needed_texts(cases)):
        raise ScoringUndefinedError([_problem(metric, supplies, topics)])
    return parses


def _parses_for(cases: Sequence[Case], supplies: Supplies) -> Mapping[str, str]:
    return parses_of(supplies.parses, (text for text, _, _ in needed_texts(cases)))


def _problem(metric: str, supplies: Supplies, topics: Sequence[Topic]) -> Problem:
    needed: dict[bool, set[str]] = {False: set(), True: set()}
    missing: dict[bool, set[str]] = {False: set(), True: set()}
    first: dict[bool, tuple[str, str]] = {}
    cases = cases_of(topics, TextLog())
    parses = _parses_for(cases, supplies)
    for text, case, is_reference in needed_texts(cases):
        if not text.strip():
            continue
        needed[is_reference].add(text)
        if text not in parses:
            missing[is_reference].add(text)
            first.setdefault(is_reference, (text, case.topic))
    text, topic = first.get(False) or first[True]
    fields: dict[str, str | int] = {
        "metric": metric,
        "model": supplies.parse_model,
        "outputs": len(missing[False]),
        "n_outputs": len(needed[False]),
        "references": len(missing[True]),
        "n_references": len(needed[True]),
        "text": text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…",
        "topic": topic,
        "missing": Missing.PARSES,
    }
    return replace(_INCOMPLETE if supplies.parse_model else _NOTHING_PARSED, fields=fields)
