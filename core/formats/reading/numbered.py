"""Documents and abstracts of texts whose sentences a file gives without numbers."""

from collections.abc import Iterable

from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.source import Document, SourceSentence


def numbered_document(id: str, texts: Iterable[str]) -> Document:
    """Returns a document of these sentences."""
    return Document(
        id=id,
        sentences=tuple(SourceSentence(n=n, text=text) for n, text in enumerate(texts, start=1)),
    )


def numbered_abstract(
    id: str,
    texts: Iterable[str],
    *,
    length: str | None = None,
    author: str | None = None,
    limit: Limit | None = None,
) -> Abstract:
    """Returns an abstract of these sentences, which nobody has aligned."""
    return Abstract(
        id=id,
        author=author,
        length=length,
        limit=limit,
        sentences=tuple(AbstractSentence(n=n, text=text) for n, text in enumerate(texts, start=1)),
    )
