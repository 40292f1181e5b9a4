"""Reading of score files, of this or other programs."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from awase.core.errors import EnvironmentProblem, in_source
from awase.core.metrics.kit.signature import program_version
from awase.core.records.corpus import Corpus
from awase.core.records.score import Origin, ScoreTable, Selection
from awase.core.text.encoding import decode
from awase.jobs.files.packed import Unpacked, unpacked
from awase.jobs.files.reading import read_argument


def table_of_scores(path: Path, corpus: Corpus | None) -> ScoreTable:
    """Loads the scores of a file, with warnings; `corpus` checks topics and systems."""
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
    """Returns the text with its byte order mark, which indicates a spreadsheet's table."""
    text = decode(file.data).text
    return f"\ufeff{text}" if file.data.startswith(BOM_UTF8) else text


def selection_of_imported() -> Selection:
    """Returns the `Selection` of imported scores."""
    return Selection(origin=Origin.IMPORTED, program=program_version())


def metric_scores(files: Sequence[Path], format_id: str | None, length: str | None) -> ScoreTable:
    """Loads metrics' scores; `format_id` None = detect by contents or ending."""
    from awase.core.formats.scores.score_lines import format_of_scores, metric_scores_of_file

    table = ScoreTable()
    for file in files:
        with in_source(str(file)):
            content = unpacked(file.name, read_argument(file))
            text = _text_of(content)
            known = format_id or format_of_scores(content.name, text)
            read = metric_scores_of_file(text, str(file), known)
        scores = (
            one if one.length is not None else replace(one, length=length) for one in read.scores
        )
        table += replace(read, scores=tuple(scores))
    return table
