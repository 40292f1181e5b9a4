"""Live results of each key: cover, systems' shares and scores; suggestions at rest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from awase.core.annotation.candidates import keys_of
from awase.core.annotation.evidence import (
    FamilyWeights,
    MemberRemark,
    UncoveredWord,
    keys_of_all,
    member_remarks,
    uncovered_words,
    weights_of,
)
from awase.core.annotation.suggesters import SUGGESTERS, build_suggesters
from awase.core.annotation.suggestion import (
    CLOSURE,
    AssistLevel,
    Items,
    Suggester,
    Suggestion,
    control_items,
    decoy_items,
    decoy_model,
    decoy_of,
    is_shown,
    own_view,
)
from awase.core.annotation.visibility import Sight
from awase.core.errors import CorpusFormatError, Problem
from awase.core.metrics.extracts.gold import Gold, GoldMaker, GoldSentence, ProblemMaker
from awase.core.metrics.extracts.scorers import (
    PreparedGold,
    Tsc3Options,
    Tsc3Values,
    counted_part,
    undefined_reason,
)
from awase.core.metrics.kit.outputs import extracts_for
from awase.core.metrics.kit.signature import exact_weight
from awase.core.records.abstract import AbstractSentence, AssistSettings, ShownSuggestion
from awase.core.records.corpus import RankWeights
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
from awase.core.solvers.cover import CoverProblem, MinimalCover, Status
from awase.core.solvers.cover_solving import (
    IN_PLACE_EFFORT,
    CoverSession,
    CoverThread,
    better_of,
    bounds_after_edit,
)
from awase.gui.kit.i18n import labelled, tr
from awase.gui.kit.jobs.running import once
from awase.gui.pages.annotate.annotation_state import AnnotatePosition, AnnotationState
from awase.jobs.team.asking_models import cached_answers

# A search only starts when the annotator pauses: the next key would end it at once.
QUIET_MS: Final = 150
_OPEN: Final = (Status.FEASIBLE, Status.TIMED_OUT)
_POLL_MS: Final = 40
# Beyond this size of a hard problem components are not searched within the frame.
_MANY_NEEDS: Final = 1_000
_DEADLINE_S: Final = 120.0


class CoverSearch(QObject):
    """Answers immediately, with bounds where h takes longer, and updates in the background."""

    found = Signal(object)  # news, as a `MinimalCover`, of the current problem

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = CoverSession()
        self._worker: CoverThread | None = None
        self._problem: CoverProblem | None = None
        self._known: MinimalCover | None = None
        self._solved: tuple[CoverProblem, MinimalCover] | None = None
        self._pause = once(self, QUIET_MS, self._on_quiet)
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._on_timeout)

    @property
    def is_searching(self) -> bool:
        """Whether there may be news."""
        return self._pause.isActive() or self._poll.isActive()

    def begin_topic(self) -> None:
        """Clears cached components, as their numbers mean other sentences now."""
        self.drop()
        self._session = CoverSession()
        self._worker = self._solved = None

    def seek(self, problem: CoverProblem) -> MinimalCover:
        """Returns current bounds of `problem`, and cancels the search before."""
        self.drop()
        known = self._followed(problem)
        if known is None:
            known = self._session.solve(problem, effort=IN_PLACE_EFFORT)
            self._solved = problem, known
        self._known = known
        if not known.is_final:
            self._problem = problem
            self._pause.start()
        return known

    def _followed(self, problem: CoverProblem) -> MinimalCover | None:
        """Returns bounds derived from the last answer, where a new search would delay the key."""
        if self._solved is None or len(problem.needs) <= _MANY_NEEDS:
            return None
        before, known = self._solved
        return bounds_after_edit(before, known, problem) if known.status in _OPEN else None

    def drop(self) -> None:
        """Stops looking: the answer is not wanted any more."""
        self._problem = None
        self._pause.stop()
        self._poll.stop()
        if self._worker is not None and self._worker.running:
            self._worker.cancel()

    def _on_quiet(self) -> None:
        if self._problem is None:
            return
        if self._worker is None:
            self._worker = CoverThread(self._session)
            self.destroyed.connect(self._worker.close)
        self._worker.start(self._problem, deadline_s=_DEADLINE_S)
        self._poll.start()

    def _on_timeout(self) -> None:
        news = self._worker.poll() if self._worker is not None else None
        if self._worker is None or not self._worker.running:
            self._poll.stop()
        if news is not None and self._problem is not None:
            self._known = news if self._known is None else better_of(self._known, news)
            self._solved = self._problem, self._known
            self.found.emit(self._known)


# e(i): number of an abstract sentence to (system, value) in the systems' order.
Shares = Mapping[int, tuple[tuple[str, Fraction], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScores:
    """Scores of all systems with an extract for the abstract."""

    gold: Gold
    extracts: Mapping[str, Extract]
    h: int | None  # size of a minimal cover; None while unknown
    options: Tsc3Options

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, whether they can be scored or not."""
        return tuple(self.extracts)

    def values(self, system: str) -> Tsc3Values | None:
        """Returns the system's values; None = unknown."""
        if self.h is None or system not in self.extracts or not self.gold.sentences:
            return None
        part = counted_part(self.extracts[system].sentences, self.h, self.options)
        return PreparedGold(self.gold, self.options).values(part)

    def masks(self) -> dict[str, int]:
        """Returns each extract's bits within the cut; empty while h is unknown."""
        if self.h is None:
            return {}
        return {
            system: self.gold.mask_of(counted_part(extract.sentences, self.h, self.options).counted)
            for system, extract in self.extracts.items()
        }

    def reason(self, metric: str) -> Problem:
        """Returns why `metric` has no value."""
        return undefined_reason(self.gold, metric, self.options)


class ShareMaker:
    """Computes every system's e(i) after each action, incrementally."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[GoldSentence, tuple[tuple[str, Fraction], ...]]] = {}
        self._masks: dict[str, int] = {}
        self.n_made = 0  # Number of abstract sentences computed.

    def shares(self, scores: LiveScores) -> Shares:
        """Returns every system's e(i), for the bars; empty while h is unknown."""
        masks = scores.masks()
        if not masks:
            return {}
        if masks != self._masks:
            self._masks, self._known = masks, {}
        return {sentence.n: self._of(sentence) for sentence in scores.gold.sentences}

    def _of(self, sentence: GoldSentence) -> tuple[tuple[str, Fraction], ...]:
        known = self._known.get(sentence.n)
        if known is None or known[0] is not sentence:
            self.n_made += 1
            values = tuple(
                (system, share_of(sentence, mask)) for system, mask in self._masks.items()
            )
            known = self._known[sentence.n] = sentence, values
        return known[1]


def share_of(sentence: GoldSentence, mask: int) -> Fraction:
    """Returns e(i) of an extract's bits, as `score_extract` without explanation, within a frame."""
    if not mask & sentence.union:
        return _fraction(0, 1)
    most, of = 0, 1
    for alternative, size in zip(sentence.masks, sentence.sizes, strict=True):
        held = (alternative & mask).bit_count()
        if held * of > most * size:
            most, of = held, size
    return _fraction(most, of)


@cache
def _fraction(held: int, size: int) -> Fraction:
    """Returns the same object for the same numbers: they are few, and quick to compare then."""
    return Fraction(held, size)


def live_scores(
    place: AnnotatePosition, gold: Gold, h: int | None, rank_weights: RankWeights
) -> LiveScores:
    """Returns every system's scores for the abstract at `place`; none in a blind project."""
    weights = tuple((rank, exact_weight(weight)) for rank, weight in rank_weights)
    topic, abstract = place.topic, place.abstract
    is_seen = place.sight is not Sight.NOTHING  # what systems chose tells where to look
    extracts = extracts_for(topic, abstract.length) if topic and abstract and is_seen else {}
    return LiveScores(gold=gold, extracts=extracts, h=h, options=Tsc3Options(weights=weights))


_NO_SHARES: Final[Shares] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """Contents of the status strip."""

    has_abstract: bool = False
    lower: int | None = None  # h is at least this; None when there is nothing to cover
    upper: int | None = None  # h is at most this
    n_covers: int | None = None  # number of minimal covers; None while h is unknown
    is_count_exact: bool = True
    cover_is_known: bool = True
    is_searching: bool = False
    skipped: tuple[int, ...] = ()  # numbers of the abstract sentences without alternatives
    unsettled: tuple[int, ...] = ()
    systems: tuple[str, ...] = ()
    values: Tsc3Values | None = None
    # The chosen system's values before the last action; None = do not compare.
    before: Tsc3Values | None = None
    scores: LiveScores | None = field(default=None, compare=False)

    @property
    def is_provisional(self) -> bool:
        """Whether the annotation is unfinished."""
        return bool(self.skipped or self.unsettled)

    def change(self, metric: str) -> Fraction | None:
        """Returns the last action's change of a value; None = none."""
        new = self.values.of(metric) if self.values else None
        old = self.before.of(metric) if self.before else None
        return new - old if new is not None and old is not None and new != old else None

    def reason(self, metric: str) -> Problem | None:
        """Returns why `metric` is undefined; None while h is unknown."""
        return self.scores.reason(metric) if self.scores and self.cover_is_known else None


class LiveResults(QObject):
    """h and the scores of the current abstract."""

    changed = Signal()  # `state` is another one
    sharesChanged = Signal(object)  # e(i): number of the abstract sentence to (system, value)
    systemChanged = Signal(str)  # another system is chosen

    def __init__(
        self, annotation: AnnotationState, cover_search: CoverSearch, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._cover_search = cover_search
        self.state = LiveState()
        self._gold: Gold | None = None
        self._gold_maker, self._share_maker = GoldMaker(), ShareMaker()
        self._problem_maker = ProblemMaker()
        self.system = ""  # the selected system; empty without any
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.entryChanged.connect(lambda _: self._compute(before=self.state.values))
        cover_search.found.connect(self._on_result)

    def choose(self, system: str) -> None:
        if system != self.system:
            self.system = system
            scores = self.state.scores
            values = scores.values(system) if scores else None
            self._show(replace(self.state, values=values, before=None))
            self.systemChanged.emit(system)

    def stop(self) -> None:
        """Stops looking for h."""
        self._cover_search.drop()

    def _on_place_changed(self) -> None:
        self._cover_search.begin_topic()
        self._gold_maker, self._share_maker = GoldMaker(), ShareMaker()
        self._problem_maker = ProblemMaker()
        self._compute(before=None)

    def _on_result(self, cover: MinimalCover) -> None:
        if self._gold is not None:
            self._show_cover(self._gold, cover, self.state.before)

    def _compute(self, before: Tsc3Values | None) -> None:
        place = self._annotation.place
        if place.topic is None or place.abstract is None:
            self._gold = None
            self._show(LiveState())
            self.sharesChanged.emit(_NO_SHARES)
            return
        self._gold = self._gold_maker.gold_of(place.abstract, place.alignment)
        numbers = self._annotation.session.numbers(place.topic.id)
        problem = self._problem_maker.problem_of(self._gold, numbers)
        cover = self._cover_search.seek(problem)
        self._show_cover(self._gold, cover, before)

    def _show_cover(self, gold: Gold, cover: MinimalCover, before: Tsc3Values | None) -> None:
        weights = self._annotation.session.frame.rank_weights
        scores = live_scores(self._annotation.place, gold, cover.h, weights)
        if self.system not in scores.systems:
            self.system = next(iter(scores.systems), "")
            self.systemChanged.emit(self.system)
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
                values=scores.values(self.system),
                before=before,
                scores=scores,
            )
        )
        self.sharesChanged.emit(self._share_maker.shares(scores))

    def _show(self, state: LiveState) -> None:
        old, self.state = self.state, state
        if state != old:
            self.changed.emit()


# Shorter than a pause to read, longer than painting a page.
_QUIET_MS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A suggestion and its suggester."""

    suggestion: Suggestion
    source: str
    model: str


class Assistance(QObject):
    """The best suggestion and the marks of the selected sentence."""

    # Computed in idle time after painting: a digit never waits for it.

    changed = Signal()  # suggestion, words or remarks are others

    def __init__(
        self, annotation: AnnotationState, now_ms: Callable[[], int], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._now_ms = now_ms
        self._made: tuple[str, dict[str, Suggester]] | None = None
        self._drawn: tuple[object, Items, Items] | None = None
        self._texts: tuple[object, dict[str, str]] | None = None
        self._keys: tuple[object, frozenset[str]] | None = None
        self.offered: Offered | None = None  # the surest suggestion; None = there is none
        self._seen: Offered | None = None
        self._since_ms = 0
        self._failed: set[str] = set()
        self._timer = once(self, _QUIET_MS, self.refresh)
        annotation.placeChanged.connect(self._on_moved)
        annotation.sentenceChanged.connect(self._on_moved)
        annotation.alternativeChanged.connect(self._timer.start)
        annotation.entryChanged.connect(lambda _: self._timer.start())

    @property
    def level(self) -> AssistLevel:
        """At which the selected sentence is shown."""
        settings = self._settings
        if settings.control_percent and self._is_in(self._items()[0]):
            return min(AssistLevel(settings.level), AssistLevel.RANKED)
        return AssistLevel(settings.level)

    @property
    def decoy_percent(self) -> int:
        """The share of suggestions that are wrong on purpose, where any are shown."""
        settings = self._settings
        return settings.decoy_percent if settings.level > AssistLevel.MARKS else 0

    @property
    def counts_keys(self) -> bool:
        """Whether a comparison runs."""
        return self._settings.control_percent > 0

    def shown(self, offered: Offered) -> ShownSuggestion:
        return ShownSuggestion(
            kind=offered.suggestion.kind,
            family=tuple(tuple(map(str, one.members)) for one in offered.suggestion.family),
            confidence=offered.suggestion.confidence,
            source=offered.source,
            model=offered.model,
            shown_ms=max(0, self._now_ms() - self._since_ms),
        )

    def refused(self) -> ShownSuggestion | None:
        """Returns the visible suggestion that was not accepted, lints excepted."""
        seen = self._seen
        return self.shown(seen) if seen is not None and seen.suggestion.kind != CLOSURE else None

    def uncovered(self) -> tuple[UncoveredWord, ...]:
        """Returns the words that the current alternative lacks; none while it has no member."""
        by_ref, texts = self._members(), self._text_by_name()
        if not by_ref:
            return ()
        if self._keys is None or self._keys[0] is not texts:
            self._keys = texts, keys_of_all(texts.values())
        text = self._annotation.place.text(self._annotation.n)
        return uncovered_words(text, [*by_ref.values()], self._keys[1])

    def remarks(self) -> tuple[MemberRemark, ...]:
        """Returns which members of the current alternative seem needless."""
        by_ref, annotation = self._members(), self._annotation
        return member_remarks(annotation.place.text(annotation.n), tuple(by_ref), by_ref)

    def _members(self) -> dict[SentenceRef, str]:
        """Returns the texts of the current alternative's members; none where nothing is marked."""
        annotation = self._annotation
        if self.level < AssistLevel.MARKS or annotation.is_fresh or not annotation.n:
            return {}
        texts = self._text_by_name()
        members = annotation.entry.alternatives[annotation.alternative_idx].members
        return {ref: texts.get(str(ref), "") for ref in members}

    def refresh(self) -> None:
        self._timer.stop()
        self.offered = self._best()
        if self.offered is not None and self.offered != self._seen:
            self._seen, self._since_ms = self.offered, self._now_ms()
        self.changed.emit()

    def _on_moved(self) -> None:
        self.offered = self._seen = None
        self._timer.start()

    @property
    def _settings(self) -> AssistSettings:
        return self._annotation.session.frame.assist

    def _best(self) -> Offered | None:
        annotation, level = self._annotation, self.level
        place = annotation.place
        if level < AssistLevel.MARKS or not annotation.can_edit or not place.topic:
            return None
        sentences = place.abstract.sentences if place.abstract else ()
        sentence = next((one for one in sentences if one.n == annotation.n), None)
        if sentence is None or not keys_of(sentence.text):
            return None
        view = own_view(place.topic, place.who)
        found = [
            Offered(suggestion=one, source=name, model=one.model or SUGGESTERS[name].version)
            for name, suggester in self._suggesters(level).items()
            for one in self._asked(name, suggester, view, sentence)
            if is_shown(one, level)
        ]
        best = max(found, key=lambda one: one.suggestion.confidence, default=None)
        return best if best is None else self._or_decoy(best)

    def _or_decoy(self, offered: Offered) -> Offered:
        annotation = self._annotation
        if not self.decoy_percent or not self._is_in(self._items()[1]):
            return offered
        decoy = decoy_of(offered.suggestion, annotation.order, annotation.entry)
        if decoy is None:
            return offered
        return replace(offered, suggestion=decoy, model=decoy_model(offered.model))

    def _items(self) -> tuple[Items, Items]:
        """Returns the topic's control and decoy items."""
        settings, topic = self._settings, self._annotation.place.topic
        if topic is None:
            return frozenset(), frozenset()
        key = (settings, topic.documents, topic.id)
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = key, control_items(settings, topic), decoy_items(settings, topic)
        return self._drawn[1:]

    def _is_in(self, items: Items) -> bool:
        abstract = self._annotation.place.abstract
        return abstract is not None and (abstract.id, self._annotation.n) in items

    def _asked(
        self, name: str, suggester: Suggester, view: Topic, sentence: AbstractSentence
    ) -> tuple[Suggestion, ...]:
        """Runs a suggester; failures of plug-ins are reported once."""
        try:
            return suggester.suggest(view, sentence, self._annotation.entry)
        except Exception as error:  # whatever a stranger's code raises
            if name not in self._failed:
                self._failed.add(name)
                kind = type(error).__name__
                why = labelled(kind, str(error)) if str(error) else kind
                self._annotation.said.emit(
                    tr("The suggester {name} failed, so it suggests nothing here: {why}",
                       name=name, why=why)
                )  # fmt: skip
            return ()

    def _suggesters(self, level: AssistLevel) -> dict[str, Suggester]:
        weights = self._settings.weights
        if self._made is None or self._made[0] != weights:
            self._made = weights, build_suggesters(SUGGESTERS, _fitted(weights), cached_answers())
        made = self._made[1]
        # Below suggestions only the lint runs, to save time.
        return made if level > AssistLevel.MARKS else {CLOSURE: made[CLOSURE]}

    def _text_by_name(self) -> dict[str, str]:
        topic = self._annotation.place.topic
        documents = topic.documents if topic else ()
        if self._texts is None or self._texts[0] is not documents:
            texts = {str(ref): one.text for ref, one in topic.sentences()} if topic else {}
            self._texts = documents, texts
        return self._texts[1]


def _fitted(weights: str) -> FamilyWeights | None:
    try:
        return weights_of(weights) if weights else None
    except CorpusFormatError:
        return None
