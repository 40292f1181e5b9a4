"""h and the scores as they follow every action."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from PySide6.QtCore import QObject, Signal

from awase.core.errors import Problem
from awase.core.metrics.extracts.gold import Gold, GoldMaker
from awase.core.metrics.extracts.minimal_cover import ProblemMaker
from awase.core.metrics.extracts.scorers import Tsc3Values
from awase.core.solvers.cover.problem import MinimalCover
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.cover_search import CoverSearch
from awase.gui.pages.annotate.state.live_scores import (
    LiveScores,
    ShareMaker,
    Shares,
    live_scores,
)

_NO_SHARES: Final[Shares] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """What the strip shows.

    Attributes:
        has_abstract: Whether there is an abstract at all.
        lower: h is at least this; None when there is nothing to cover.
        upper: h is at most this.
        n_covers: How many minimal covers there are; None while h is not known.
        is_count_exact: Whether that is the number or a lower bound.
        cover_is_known: Whether h is proved, or there is nothing to cover.
        is_searching: Whether h is being looked for.
        skipped: Numbers of the abstract sentences without alternatives.
        unsettled: Numbers of those that count but are not confirmed.
        systems: Systems with an extract for this abstract.
        values: The chosen system's.
        before: The chosen system's values before the last action; None = do not compare.
        scores: Behind the values.
    """

    has_abstract: bool = False
    lower: int | None = None
    upper: int | None = None
    n_covers: int | None = None
    is_count_exact: bool = True
    cover_is_known: bool = True
    is_searching: bool = False
    skipped: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()
    systems: tuple[str, ...] = ()
    values: Tsc3Values | None = None
    before: Tsc3Values | None = None
    scores: LiveScores | None = field(default=None, compare=False)

    @property
    def is_provisional(self) -> bool:
        """Whether the annotation is unfinished."""
        return bool(self.skipped or self.unsettled)

    def change(self, metric: str) -> Fraction | None:
        """Returns what the last action changed about a value; None when nothing."""
        now, before = _by_metric(self.values), _by_metric(self.before)
        new, old = now.get(metric), before.get(metric)
        return new - old if new is not None and old is not None and new != old else None

    def reason(self, metric: str) -> Problem | None:
        """Returns why `metric` has no value; None while h is not known."""
        return self.scores.reason(metric) if self.scores and self.cover_is_known else None


class LiveResults(QObject):
    """Keeps h and the scores of the current abstract up to date."""

    changed = Signal()
    """`state` is another one."""
    sharesChanged = Signal(object)
    """e(i): number of the abstract sentence to (system, value)."""
    systemChanged = Signal(str)
    """Another system is chosen."""

    def __init__(
        self, annotation: AnnotationState, cover_search: CoverSearch, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._cover_search = cover_search
        self._state = LiveState()
        self._gold: Gold | None = None
        self._gold_maker, self._share_maker = GoldMaker(), ShareMaker()
        self._problem_maker = ProblemMaker()
        self._system = ""
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.entryChanged.connect(self._on_entry_changed)
        cover_search.found.connect(self._on_found)

    @property
    def state(self) -> LiveState:
        """What is known now."""
        return self._state

    @property
    def system(self) -> str:
        """The system whose scores are shown; empty when there is none."""
        return self._system

    def choose(self, system: str) -> None:
        """Shows the scores of this system."""
        if system != self._system:
            self._system = system
            scores = self._state.scores
            values = scores.values(system) if scores else None
            self._show(replace(self._state, values=values, before=None))
            self.systemChanged.emit(system)

    def stop(self) -> None:
        """Stops looking for h."""
        self._cover_search.drop()

    def _on_place_changed(self) -> None:
        self._cover_search.begin_topic()
        self._gold_maker, self._share_maker = GoldMaker(), ShareMaker()
        self._problem_maker = ProblemMaker()
        self._compute(before=None)

    def _on_entry_changed(self, _n: int) -> None:
        self._compute(before=self._state.values)

    def _on_found(self, cover: MinimalCover) -> None:
        if self._gold is not None:
            self._show_cover(self._gold, cover, self._state.before)

    def _compute(self, before: Tsc3Values | None) -> None:
        place = self._annotation.place
        session = self._annotation.session
        if session is None or place.topic is None or place.abstract is None:
            self._gold = None
            self._show(LiveState())
            self.sharesChanged.emit(_NO_SHARES)
            return
        self._gold = self._gold_maker.gold_of(place.abstract, place.alignment)
        problem = self._problem_maker.problem_of(self._gold, session.numbers(place.topic.id))
        cover = self._cover_search.seek(problem)
        self._show_cover(self._gold, cover, before)

    def _show_cover(self, gold: Gold, cover: MinimalCover, before: Tsc3Values | None) -> None:
        session = self._annotation.session
        weights = session.rank_weights if session else ()
        scores = live_scores(self._annotation.place, gold, cover.h, weights)
        if self._system not in scores.systems:
            self._system = next(iter(scores.systems), "")
            self.systemChanged.emit(self._system)
        has_needs = bool(gold.sentences)
        self._show(
            LiveState(
                has_abstract=True,
                lower=cover.lower if has_needs else None,
                upper=cover.upper if has_needs else None,
                n_covers=cover.n_covers if has_needs else None,
                is_count_exact=cover.n_covers_exact,
                cover_is_known=not has_needs or cover.h is not None,
                is_searching=self._cover_search.is_searching,
                skipped=gold.skipped,
                unsettled=gold.unsettled,
                systems=scores.systems,
                values=scores.values(self._system),
                before=before,
                scores=scores,
            )
        )
        self.sharesChanged.emit(self._share_maker.shares(scores))

    def _show(self, state: LiveState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit()
        else:
            self._state = state


def _by_metric(values: Tsc3Values | None) -> dict[str, Fraction | None]:
    if values is None:
        return {}
    return {
        "precision": values.precision,
        "coverage": values.coverage,
        "weighted-coverage": values.weighted_coverage,
    }
