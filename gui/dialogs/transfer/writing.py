"""The export itself, on another thread: the file appears when it is whole."""

from dataclasses import dataclass
from pathlib import Path

from awase.core.formats.registry import WriteRequest, format_by_id
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.gui.kit.writing import write_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """What is to be written, and where.

    Attributes:
        format_id: Its format.
        path: The file, replaced when it exists; or the folder, which must be new or empty.
        topic: Only this topic; None = all.
        abstract: Only this abstract, for formats about one.
        annotator: Whose alignment, for formats about one.
    """

    format_id: str
    path: Path
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None


def export_file(corpus: Corpus, plan: ExportPlan, reporter: Reporter) -> str:
    """Writes the file or the folder and returns its path.

    Raises:
        InputError: The format cannot hold the records.
        EnvironmentProblem: The file cannot be written.
        Cancelled: The reporter asked to stop.
    """
    reporter.advance(0, 2, plan.path.name)
    request = WriteRequest(
        corpus=corpus, topic=plan.topic, abstract=plan.abstract, annotator=plan.annotator
    )
    entry = format_by_id(plan.format_id)
    if entry.is_folder:
        from awase.jobs.folders import write_folder

        files = entry.folder_writer()(request)
        reporter.advance(1, 2, plan.path.name)
        write_folder(plan.path, files)
        return str(plan.path)
    text = entry.writer()(request)
    reporter.advance(1, 2, plan.path.name)
    write_text(plan.path, text)
    return str(plan.path)
