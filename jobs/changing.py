"""Changing a corpus as a whole, in one act that can be undone: removals, people, assignments."""

from collections.abc import Callable, Sequence

from awase.core.annotation.corpus_edits import corpus_edit
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
) -> Changes:
    """Makes the corpus what `change` makes of it, and returns what changed.

    Args:
        store: Open for writing.
        change: A pure function, such as those of `awase.core.annotation.corpus_edits`,
            `awase.core.project.people` and `awase.core.project.assigning`, with its arguments.
        verb: The verb that goes with it.
        names: What it is about, for the log and the menu.
        who: The person.
        with_sources: False where `change` changes no topic: the texts of source sentences, most of
            a corpus, are not read then.

    Raises:
        InputError: What is asked for cannot be.
        StaleEdit: Somebody changed it meanwhile.
        EnvironmentProblem: It cannot be written.
    """
    with store.snapshot(many=0, with_sources=with_sources) as corpus:
        edit = corpus_edit(corpus, change(corpus), verb=verb, subject=", ".join(names))
    return Changes() if edit is None else store.apply(edit, who=who)
