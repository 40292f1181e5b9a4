"""Scores that stand in files: ours or other programs', to be kept or to be correlated."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from awase.core.errors import CorpusFormatError, EnvironmentProblem
from awase.core.metrics.kit.signature import program_version
from awase.core.records.corpus import Corpus
from awase.core.records.score import Origin, ScoreTable, Selection
from awase.core.text.encoding import decode
from awase.jobs.files.packed import Unpacked, unpacked
from awase.jobs.files.reading import read_argument


def table_of_scores(path: Path, corpus: Corpus | None) -> ScoreTable:
    """Returns the scores of a file, with what is odd about them.

    Args:
        corpus: What the scores are said to be about; None = nobody says.
    """
    from awase.core.formats.scores.score_lines import read_scores

    try:
        text = _text_of(unpacked(path.name, read_argument(path)))
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).", "Check the name and the permissions.",
            path=str(path), error=error.strerror or str(error),
        ) from error  # fmt: skip
    return read_scores(text, str(path), corpus)


def _text_of(file: Unpacked) -> str:
    """Returns the text, with the byte order mark that tells a table made for a spreadsheet."""
    text = decode(file.data).text
    return f"\ufeff{text}" if file.data.startswith(BOM_UTF8) else text


def selection_of_imported() -> Selection:
    """Returns what is kept with scores of a file about how they came to be."""
    return Selection(origin=Origin.IMPORTED, program=program_version())


def metric_scores(files: Sequence[Path], format_id: str | None, length: str | None) -> ScoreTable:
    """Returns the metrics' scores of files.

    Args:
        format_id: Their format; None = from their contents or endings.

    Raises:
        OSError: It cannot be read.
    """
    from awase.core.formats.score_files import format_of_scores, metric_scores_of_file

    table = ScoreTable()
    for file in files:
        try:
            content = unpacked(file.name, read_argument(file))
            text = _text_of(content)
            known = format_id or format_of_scores(content.name, text)
            read = metric_scores_of_file(text, str(file), known)
        except CorpusFormatError as error:
            raise CorpusFormatError(one.in_source(str(file)) for one in error.problems) from error
        scores = (
            one if one.length is not None else replace(one, length=length) for one in read.scores
        )
        table += replace(read, scores=tuple(scores))
    return table
