"""Which tokeniser reads a topic: its language's own, or the one that was asked for.

The tokeniser of ROUGE-1.5.5 is not among them: for ASCII text `unicode` gives the same tokens, and
of other text it loses letters.
"""

from itertools import islice

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, select_topics
from awase.core.text.script import detect_language, is_chinese
from awase.core.text.tokens.tokenisers import (
    ASCII,
    BLANKS,
    CHARS,
    JAPANESE,
    UNICODE,
    Cut,
    tokeniser_called,
)

BY_LANGUAGE = "auto"
_JOIN = "+"
"""Between the tokenisers that `auto` came to where topics are in several languages."""


def tokeniser_id(choice: str) -> str:
    """Returns `auto`, or the id of the tokeniser that `choice` names."""
    if choice == BY_LANGUAGE:
        return choice
    if _JOIN in choice:  # of a signature; which topic has which follows from their languages
        parts = {tokeniser_called(part).name for part in choice.split(_JOIN)}
        if parts <= {JAPANESE, UNICODE}:
            return BY_LANGUAGE
    if choice == ASCII:
        raise InputError.of(
            "tokens=ascii is for ROUGE only.",
            "Use tokens=unicode, which cuts ASCII text in the same way.",
        )
    return tokeniser_called(choice).id


def cut_of(tokeniser: str, *, stem: bool = False, stop: bool = False) -> tuple[Cut, bool]:
    """Returns what makes tokens, and whether it drops stop words by itself."""
    found = tokeniser_called(tokeniser, stem=stem, stop=stop)
    return found.tokens, found.drops_function_words


def known_tokenisers() -> tuple[str, ...]:
    """Returns the ids of the tokenisers that read topics."""
    return tuple(tokeniser_called(name).id for name in (UNICODE, JAPANESE, CHARS, BLANKS))


def tokeniser_of(topic: Topic, choice: str) -> str:
    """Returns the id of the tokeniser that reads `topic` under `choice`, a `tokeniser_id`."""
    if choice != BY_LANGUAGE and _JOIN not in choice:
        return choice
    return tokeniser_called(JAPANESE if language_of(topic) == "ja" else UNICODE).id


def settled(corpus: Corpus, choice: str) -> str:
    """Returns the tokeniser that `choice` comes to for a corpus, several with + between them."""
    if choice != BY_LANGUAGE:
        return choice
    used: set[str] = set()
    silent: list[str] = []
    for shape in corpus.topics:
        if shape.language is None:
            silent.append(shape.id)
        else:
            used.add(tokeniser_of(shape, choice))
    used |= {tokeniser_of(topic, choice) for topic in select_topics(corpus.topics, silent)}
    return _JOIN.join(sorted(used)) or choice


def language_of(topic: Topic) -> str:
    """Returns the topic's language; where it does not say, that of its first sentences."""
    if topic.language is not None:
        return topic.language
    text = "\n".join(one.text for _, one in islice(topic.sentences(), 20))
    language = detect_language(text)
    return "zh" if language == "ja" and is_chinese(text) else language
