"""The explanation itself, found on another thread."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from awase.core.errors import EnvironmentProblem
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.pseudo_pyramid.family import (
    Explained,
    explain,
    explainable_request,
    signature_with,
)
from awase.core.oracles.oracle_file import read_oracles
from awase.core.oracles.splitters import read_edus
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.text.encoding import decode
from awase.jobs.file_contents import read_file

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidPlan:
    """What is to be explained.

    Attributes:
        metric: As the command line spells it.
        edus: File of the user's own segmenter; empty = none.
        oracles: File of oracles found before; empty = none.
    """

    metric: str
    edus: str = ""
    oracles: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Every value of the corpus explained, and their signature."""

    explained: tuple[Explained, ...]
    signature: str


def find(store: "CorpusStore", corpus: Corpus, plan: PyramidPlan, reporter: Reporter) -> Found:
    """Returns what every value of `corpus` rests on.

    Raises:
        InputError: The metric is another one, or a file is not what it should be.
        ScoringUndefinedError: Parses or EDUs are missing.
        EnvironmentProblem: A file cannot be read.
        Cancelled: The reporter asked to stop.
    """
    from awase.jobs.supplies.parses import supplies_of

    request = explainable_request(plan.metric)
    supplies = _with_files(supplies_of(store, corpus, [request]), plan)
    explained = tuple(explain(corpus, request, reporter, supplies))
    return Found(explained=explained, signature=signature_with(corpus, request, supplies))


def _with_files(supplies: Supplies, plan: PyramidPlan) -> Supplies:
    if plan.edus:
        supplies = replace(supplies, edus=read_edus(_text(plan.edus), plan.edus))
    if plan.oracles:
        supplies = replace(supplies, oracles=read_oracles(_text(plan.oracles), plan.oracles))
    return supplies


def _text(place: str) -> str:
    try:
        return decode(read_file(Path(place).expanduser()), "utf-8").text
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Choose another file.",
            path=place,
            error=error.strerror or str(error),
        ) from error
