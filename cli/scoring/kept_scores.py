"""Scores into a stored corpus."""

from awase.cli.arguments.corpora import opened_store
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar
from awase.core.records.score import KeptScores, ScoreTable, Selection
from awase.storage.addresses import without_password


def keep_table(
    location: str,
    table: ScoreTable,
    *,
    title: str,
    who: str,
    state: str,
    selection: Selection,
) -> KeptScores:
    """Keeps scores in the corpus at `location`, and says under which number.

    Raises:
        CorpusLocked: Another process has the corpus open for writing.
    """
    with opened_store(location, who=who) as store, ProgressBar("Writing"):
        kept = store.keep_scores(
            table, title=title, who=who, corpus_state=state, selection=selection
        )
    say(f"{without_password(location)}: kept as scores {kept.id}, “{kept.title}”.", err=True)
    return kept
