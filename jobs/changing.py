"""Changing a corpus as a whole, in one act that can be undone: removals, people, assignments."""

from collections.abc import Callable, Sequence

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.storage.changes import Changes
from awase.storage.store import CorpusStore


def change_corpus(
    store: CorpusStore,
    change: Callable[[Corpus], Corpus],
    *,
    verb: str,
    names: Sequence[str],
    who: str,
    with_sources: bool = True,
    reporter: Reporter | None = None,
) -> Changes:
    """Replaces the corpus by `change(corpus)` in one transaction, and returns the changes.

    Args:
        change: A pure function, such as those of `awase.core.annotation.corpus_edits`.
        with_sources: False where `change` changes no topic: source sentences, most of a corpus, are
            not loaded then.
    """
    return store.change(
        change,
        verb=verb,
        subject=", ".join(names),
        who=who,
        with_sources=with_sources,
        reporter=reporter,
    )
