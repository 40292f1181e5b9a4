"""The topic and the abstract that a file is about."""

import unicodedata

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def is_same_name(first: str, second: str) -> bool:
    """Returns whether names are one, however their letters are composed."""
    return unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second)


def topic_named(corpus: Corpus, topic_id: str | None) -> Topic:
    """Returns the topic with this id; the only one when none is named.

    Raises:
        CorpusFormatError: There is no such topic, or several and none is named.
    """
    if topic_id is None and len(corpus.topics) == 1:
        return corpus.topics[0]
    topic = corpus.topic(topic_id) if topic_id is not None else None
    if topic is None and topic_id is not None:
        topic = next((one for one in corpus.topics if is_same_name(one.id, topic_id)), None)
    if topic is None:
        raise CorpusFormatError.of(
            "The corpus has no topic “{topic}”."
            if topic_id is not None
            else "The file does not say which topic it is about.",
            "Name one of: {known}.",
            topic=topic_id or "",
            known=known_ids([topic.id for topic in corpus.topics]),
        )
    return topic


def abstract_named(topic: Topic, abstract_id: str | None) -> Abstract:
    """Returns the abstract with this id; the only one when none is named.

    Raises:
        CorpusFormatError: There is no such abstract, or several and none is named.
    """
    if abstract_id is None and len(topic.abstracts) == 1:
        return topic.abstracts[0]
    abstract = topic.abstract(abstract_id) if abstract_id is not None else None
    if abstract is None and abstract_id is not None:
        abstract = next((one for one in topic.abstracts if is_same_name(one.id, abstract_id)), None)
    if abstract is None:
        raise CorpusFormatError.of(
            "Topic “{topic}” has no abstract “{abstract}”."
            if abstract_id is not None
            else "The file does not say which abstract of topic “{topic}” it is about.",
            "Name one of: {known}.",
            topic=topic.id,
            abstract=abstract_id or "",
            known=known_ids([abstract.id for abstract in topic.abstracts]),
        )
    return abstract
