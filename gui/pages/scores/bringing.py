"""Scores of other programs, from a file into the corpus."""

from pathlib import Path
from typing import TYPE_CHECKING

from awase.core.errors import EnvironmentProblem, Problem
from awase.core.formats.scores.score_lines import read_scores
from awase.core.metrics.kit.signature import program_version
from awase.core.records.corpus import Corpus
from awase.core.records.score_run import KeptScores, Origin, Selection
from awase.core.text.encoding import decode
from awase.jobs.file_contents import read_file

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


def bring_scores(
    store: "CorpusStore", corpus: Corpus, path: Path, *, title: str, who: str
) -> tuple[KeptScores, tuple[Problem, ...]]:
    """Returns what was kept, and what is odd about it.

    Raises:
        InputError: The file is no table of scores.
        EnvironmentProblem: It cannot be read, or the corpus not be written.
    """
    try:
        text = decode(read_file(path)).text
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).", "Check the name and the permissions.",
            path=str(path), error=error.strerror or str(error),
        ) from error  # fmt: skip
    state = store.state()
    table = read_scores(text, path.name, corpus)
    selection = Selection(origin=Origin.IMPORTED, program=program_version())
    kept = store.keep_scores(table, title=title, who=who, corpus_state=state, selection=selection)
    return kept, table.warnings
