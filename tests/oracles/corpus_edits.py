"""Edits of a corpus as a whole."""

from awase.core.records.corpus import Corpus
from awase.core.records.edits import CorpusEdit, corpus_difference


def corpus_edit(old: Corpus, new: Corpus, *, verb: str, subject: str = "") -> CorpusEdit | None:
    """Returns the edit that makes `new` of `old`; None = no difference."""
    before, after = corpus_difference(old, new)
    return (
        None if before == after else CorpusEdit(verb=verb, old=before, new=after, subject=subject)
    )
