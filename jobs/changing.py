"""Changing a corpus as a whole, in one act that can be undone: removals, people, assignments."""

from collections.abc import Callable, Sequence

from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.storage.rows.changes import Changes
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
    """Makes the corpus what `change` makes of it, and returns what changed: all of it, or nothing.

    Args:
        change: A pure function, such as those of `awase.core.annotation.corpus_edits`,
            `awase.core.project.people` and `awase.core.project.assigning`, with its arguments.
        with_sources: False where `change` changes no topic: the texts of source sentences, most of
            a corpus, are not read then.
    """
    return store.change(
        change,
        verb=verb,
        subject=", ".join(names),
        who=who,
        with_sources=with_sources,
        reporter=reporter,
    )
