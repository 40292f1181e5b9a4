"""What the ROUGE metrics compare in a corpus: each system's text with its references."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from awase.core.metrics.kit.outputs import answers_in, sentences_of
from awase.core.metrics.kit.text_warnings import RougeLog
from awase.core.records.corpus import Corpus
from awase.core.records.output import References
from awase.core.text.tokens.tokenisers import ASCII, UNICODE, refuse_lost_letters
from awase.core.text.tokens.words import has_unspaced_script


class Case(NamedTuple):
    """One output of one system in one topic.

    Attributes:
        topic: Its id.
        length: Length class under which it is scored.
        system: Its name.
        text: Sentences that it wrote or extracted.
        references: What they are compared with.
    """

    topic: str
    length: str | None
    system: str
    text: tuple[str, ...]
    references: References


def cases_of(corpus: Corpus, log: RougeLog) -> list[Case]:
    """Returns every case of the corpus, topic by topic."""
    cases: list[Case] = []
    for topic in corpus.topics:
        answers = list(answers_in(topic))
        text_by_ref = {ref: sentence.text for ref, sentence in topic.sentences()}
        for output, length, references in answers:
            log.note_output(topic, output)
            text = sentences_of(output, text_by_ref)
            cases.append(Case(topic.id, length, output.system, text, references))
        log.note_unscored(topic, answers)
    return cases


class WordRequest(Protocol):
    """What is asked of a metric that counts words."""

    @property
    def metric(self) -> str: ...  # noqa: D102
    @property
    def tokens(self) -> str:
        """Returns the name of the tokeniser."""
        ...


def check_letters(cases: Sequence[Case], requests: Iterable[WordRequest], log: RougeLog) -> None:
    """Sees to it that no request's tokeniser makes nonsense of the text without a word.

    Raises:
        InputError: Letters would be lost; it names the first system that it strikes.
    """
    tokenisers = {request.tokens: request.metric for request in reversed([*requests])}
    if ASCII in tokenisers:
        metric = tokenisers[ASCII]
        for case in cases:
            refuse_lost_letters(_texts(case), metric=metric, system=case.system, topic=case.topic)
    if UNICODE in tokenisers:
        for case in cases:
            if any(map(has_unspaced_script, _texts(case))):
                log.note_unspaced(case.topic, case.system)


def _texts(case: Case) -> Iterator[str]:
    yield from case.text
    for reference in case.references:
        yield from reference
