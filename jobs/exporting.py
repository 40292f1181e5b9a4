"""Export of a corpus, or of a part, to a file or folder that appears when it is complete."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from awase.core.agreement.effect_study import without_assisted
from awase.core.errors import Reporter
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.corpus import Corpus
from awase.core.records.digests import Ownership
from awase.core.records.topic import map_topics
from awase.core.team.handing_out import only_work_of
from awase.jobs.files.writing import Target, write_folder, write_whole_file

_LETTERS_AT_ONCE: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """Settings of an export."""

    format_id: str
    topic: str | None = None  # only this topic; None = all
    abstract: str | None = None
    annotator: str | None = None  # only this one's work; None = everybody's
    # What copies of the corpus need to be joined again; None = nothing.
    ownership: Ownership | None = None
    is_unassisted: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether the format is a folder of files."""
        return format_by_id(self.format_id).is_folder

    def request(self, corpus: Corpus) -> WriteRequest:
        """Returns the request to the format's writer."""
        if self.annotator is not None:
            corpus = only_work_of(corpus, self.annotator)
        if self.is_unassisted:
            corpus = replace(corpus, topics=map_topics(corpus.topics, without_assisted))
        return WriteRequest(
            corpus=corpus,
            topic=self.topic,
            abstract=self.abstract,
            annotator=self.annotator,
            ownership=self._ownership(),
        )

    def _ownership(self) -> Ownership | None:
        own, annotator = self.ownership, self.annotator
        if own is None or annotator is None:
            return own
        versions = {key: one for key, one in own.versions.items() if key.annotator == annotator}
        return replace(own, versions=versions)


def pieces_of(corpus: Corpus, plan: ExportPlan, reporter: Reporter) -> Iterator[str]:
    """Yields the contents of the file in pieces of some 100,000 characters."""
    held: list[str] = []
    n_letters = 0
    for piece in format_by_id(plan.format_id).piecewise_writer()(plan.request(corpus)):
        held.append(piece)
        n_letters += len(piece)
        if n_letters >= _LETTERS_AT_ONCE:
            reporter.advance(0, 1, plan.format_id)
            yield "".join(held)
            held, n_letters = [], 0
    yield "".join(held)


def export(corpus: Corpus, plan: ExportPlan, target: Target, reporter: Reporter) -> int:
    """Writes the file or the (new or empty) folder, and returns the number of files."""
    reporter.advance(0, 1, target.path.name)
    if not plan.is_folder:
        write_whole_file(target, pieces_of(corpus, plan, reporter))
        return 1
    return write_folder(target, _pieces_with_progress(corpus, plan, reporter))


def _pieces_with_progress(
    corpus: Corpus, plan: ExportPlan, reporter: Reporter
) -> Iterator[tuple[str, str]]:
    for name, text in format_by_id(plan.format_id).folder_writer()(plan.request(corpus)):
        reporter.advance(0, 1, name)
        yield name, text
