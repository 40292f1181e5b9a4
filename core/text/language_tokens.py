"""Which tokeniser reads a topic: its language's own, or the one that was asked for."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.text.sentences import detect_language
from awase.core.text.word_tokens import TOKENISER_IDS, char_tokens, unicode_tokens

Tokeniser = Callable[[str], tuple[str, ...]]

BY_LANGUAGE = "auto"

TOKENISERS: Mapping[str, Tokeniser] = MappingProxyType(
    {TOKENISER_IDS["unicode"]: unicode_tokens, TOKENISER_IDS["chars"]: char_tokens}
)
"""Id with its version -> tokeniser."""

_OF_LANGUAGE = MappingProxyType({"ja": TOKENISER_IDS["chars"]})
_OF_OTHERS = TOKENISER_IDS["unicode"]


def tokeniser_id(choice: str) -> str:
    """Returns `auto`, or the id of the tokeniser that `choice` names.

    Raises:
        InputError: There is none.
    """
    chosen = TOKENISER_IDS.get(choice, choice)
    if chosen != BY_LANGUAGE and chosen not in TOKENISERS:
        raise InputError.of(
            "tokens={value} is no tokeniser of this version.",
            "Use one of {known}.",
            value=choice,
            known=", ".join([BY_LANGUAGE, *TOKENISER_IDS]),
        )
    return chosen


def tokeniser_of(topic: Topic, choice: str) -> str:
    """Returns the id of the tokeniser that reads `topic` under `choice`, a `tokeniser_id`."""
    if choice != BY_LANGUAGE:
        return choice
    return _OF_LANGUAGE.get(language_of(topic), _OF_OTHERS)


def settled(corpus: Corpus, choice: str) -> str:
    """Returns the tokeniser that `choice` comes to for all of the corpus.

    It stays `auto` where topics in several languages need several.
    """
    used = {tokeniser_of(topic, choice) for topic in corpus.topics}
    return used.pop() if len(used) == 1 else choice


def language_of(topic: Topic) -> str:
    """Returns the topic's language; where it does not say, that of its first sentences."""
    if topic.language is not None:
        return topic.language
    return detect_language("\n".join(_first_texts(topic)))


def _first_texts(topic: Topic, n_sentences: int = 20) -> Iterable[str]:
    for _, (_, sentence) in zip(range(n_sentences), topic.sentences(), strict=False):
        yield sentence.text
