"""Suggests the first sentence of each document, as news begin with what matters."""

from awase.plugins import (
    FAMILY,
    AbstractSentence,
    Alternative,
    SentenceAlignment,
    SuggesterEntry,
    Suggestion,
    Topic,
)


class FirstSentence:
    """Knows nothing of the abstract sentence, so it is not sure of anything."""

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns one suggestion, as long as nothing is linked."""
        family = tuple(
            Alternative((next(iter(document.refs())),))
            for document in topic.documents
            if document.sentences
        )
        if entry.alternatives or not family:
            return ()
        return (Suggestion(family=family, confidence=0.1, why="begins its document", kind=FAMILY),)


SUGGESTER = SuggesterEntry(
    name="first-sentence", what="the first sentence of each document", make=FirstSentence
)
