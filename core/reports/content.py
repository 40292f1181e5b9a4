"""What a report is about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from awase.core.agreement.study.results import AgreementStudy
from awase.core.errors import Problem
from awase.core.inspection.sentences import Inspection
from awase.core.metrics.tables.significance import CellKey, Interval
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable

Say = Callable[[str], str]
"""Translates what a report says itself."""
Tell = Callable[[Problem], str]
"""Says what was noticed, or why there is no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """How a report speaks to people.

    Attributes:
        say: Translates what the report says itself.
        tell: Says what was noticed, or why there is no value.
        metric: Says how a metric is called, given its name with the options that set it apart.
        language: Of what these return.
    """

    say: Say = str
    tell: Tell = str
    metric: Say = str
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """What a report is about.

    Attributes:
        corpus: Its name and topics.
        table: Scores, the means among them.
        inspection: Of the same topics; empty where nothing was inspected.
        made: When and by which version, in words.
        inspection_note: The coverage that it looked at, as a title of a metric: of which part of
            extracts, and by whose alignments.
        intervals: Of means.
        interval_note: How the intervals were made.
        agreement: Of the annotators; None = there is none to tell.
    """

    corpus: Corpus
    table: ScoreTable
    inspection: Inspection
    made: str
    inspection_note: str = ""
    intervals: Mapping[CellKey, Interval] = field(default_factory=dict)
    interval_note: str = ""
    agreement: AgreementStudy | None = None
