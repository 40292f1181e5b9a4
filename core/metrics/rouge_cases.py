"""What the ROUGE metrics compare in a corpus: each system's text with its references."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from awase.core.errors import InputError
from awase.core.metrics.outputs import answers_in, sentences_of
from awase.core.metrics.rouge_requests import ASCII, RougeRequest
from awase.core.metrics.rouge_warnings import RougeLog
from awase.core.records.corpus import Corpus
from awase.core.records.output import References
from awase.core.text.ascii_tokens import lost_letters
from awase.core.text.word_tokens import has_unspaced_script

_LETTERS_SHOWN = 5


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


def check_letters(cases: Sequence[Case], requests: Iterable[RougeRequest], log: RougeLog) -> None:
    """Sees to it that no request's tokeniser makes nonsense of the text without a word.

    Raises:
        InputError: Letters would be lost; it names the first system that it strikes.
    """
    tokenisers = {request.tokens: request.metric for request in reversed([*requests])}
    if ASCII in tokenisers:
        for case in cases:
            _refuse_loss(case, tokenisers[ASCII])
    if "unicode" in tokenisers:
        for case in cases:
            if any(map(has_unspaced_script, _texts(case))):
                log.note_unspaced(case.topic, case.system)


def _refuse_loss(case: Case, metric: str) -> None:
    joined = "\n".join(_texts(case))
    lost = lost_letters(joined)
    if lost:
        raise InputError.of(
            "{metric} with tokens=ascii, the tokeniser of ROUGE-1.5.5, would delete letters of "
            "system “{system}” or its references in topic “{topic}”: {letters}.",
            "Choose tokens=chars: this script sets no blanks between words."
            if has_unspaced_script(joined)
            else "Choose tokens=unicode.",
            metric=metric,
            system=case.system,
            topic=case.topic,
            letters=" ".join(lost[:_LETTERS_SHOWN]) + (" …" if len(lost) > _LETTERS_SHOWN else ""),
        )


def _texts(case: Case) -> Iterator[str]:
    yield from case.text
    for reference in case.references:
        yield from reference
