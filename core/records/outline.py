"""What of a topic is known without reading its texts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOutline:
    """A topic in a list.

    Attributes:
        id: Unique within the corpus.
        title: What the topic is about.
        language: Language of the texts; None when unknown.
    """

    id: str
    title: str | None = None
    language: str | None = None
