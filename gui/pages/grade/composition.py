"""The draft extract: goals, undo, effects of every change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from awase.core.analysis.grading import (
    BestExtract,
    Goal,
    SentenceEffect,
    best_extract,
    best_next,
    goals_of,
    read_refs,
    save_edit,
    sentence_effects,
)
from awase.core.annotation.formula import label_of
from awase.core.errors import AwaseError, Reporter, ScoringUndefinedError
from awase.core.metrics.extracts.gold import KnownSize, not_proved
from awase.core.metrics.extracts.scorers import EVERYTHING, MINIMAL_COVER, VALUES, Tsc3Values
from awase.core.metrics.kit.outputs import extracts_for
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.edits import Changes
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
from awase.core.reports.grid import (
    PROVISIONAL,
    UNDEFINED,
    Cell,
    Column,
    Grid,
    change_text,
    decimal_text,
    grid_of,
    text_cell,
)
from awase.core.text.tokenisers import has_unspaced_script
from awase.gui.kit.i18n import labelled, problem_text, tr
from awase.gui.kit.jobs.running import Jobs, once
from awase.gui.session.session import CorpusSession
from awase.gui.session.undo_stack import UndoStack
from awase.jobs.covers import sizes_of_covers

Place = tuple[str, str]  # ids of topic and abstract
Refs = tuple[SentenceRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftStep:
    """An undoable change of a draft."""

    place: Place
    before: Refs
    after: Refs

    @property
    def only_sentence(self) -> SentenceRef | None:
        """The single sentence added or removed; None for other changes."""
        differing = set(self.before) ^ set(self.after)
        return next(iter(differing)) if len(differing) == 1 else None

    def title(self, numbers: Mapping[SentenceRef, int]) -> str:
        sentence = self.only_sentence
        if sentence is not None:
            label = label_of(sentence, numbers)
            if sentence in self.after:
                return tr("add {sentence} to the extract", sentence=label)
            return tr("remove {sentence} from the extract", sentence=label)
        if not self.after:
            return tr("empty the extract")
        if {*self.before} == {*self.after}:
            return tr("change the order of the extract")
        return tr("replace the extract")


COVERS_JOB: Final = "grade-covers"
BEST_JOB: Final = "grade-best"
TEXTS_JOB: Final = "grade-texts"
_QUIET_MS: Final = 120
_BEST_TIMEOUT_S: Final = 60.0
DRAFT: Final = "draft"


class Composition(QObject):
    """A draft extract of one topic, graded against an abstract."""

    # Another topic or abstract, or edited ones; the goals may be pending.
    placeChanged = Signal()
    # Another extract or corpus: the last result is outdated.
    renewed = Signal()
    graded = Signal()  # the extract, or what it is measured against, is another one
    textsScored = Signal(object)  # scores of metrics of text, as a tuple of `Score`
    bestFound = Signal(object)  # the requested `BestExtract`, already applied
    # The `SentenceRef` added or removed by an undone or redone step.
    sentenceChanged = Signal(object)
    failed = Signal(object)  # an error to be shown

    def __init__(self, session: CorpusSession, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self.topic: Topic | None = None
        self.abstract: Abstract | None = None
        self.goals: tuple[Goal, ...] = ()  # one's own first
        self.extract: Refs = ()  # in the order in which they count
        self._drafts: dict[Place, Refs] = {}
        self._is_watched = False
        self.steps: Final = UndoStack[DraftStep](
            lambda step: step.title(session.numbers(step.place[0])),
            lambda step: self._show_step(step, step.before),
            lambda step: self._show_step(step, step.after),
            self,
        )
        self._quiet = once(self, _QUIET_MS, self.score_now)
        session.changed.connect(self._on_session_changed)
        session.sightChanged.connect(self._find_goals)

    # What is there

    def sentence_effects(self) -> dict[SentenceRef, SentenceEffect]:
        if self.topic is None or not self.goals:
            return {}
        return sentence_effects(self.goals[0], self.extract, tuple(self.topic.refs()))

    def systems(self) -> dict[str, Extract]:
        if self.topic is None or self.abstract is None:
            return {}
        return extracts_for(self.topic, self.abstract.length)

    # What can be done

    def watch(self, is_watched: bool) -> None:
        """Follows changes of the corpus only while visible."""
        self._is_watched = is_watched
        if is_watched:
            self._refresh()
        else:
            self._quiet.stop()

    def go_to(self, topic_id: str | None, abstract_id: str | None) -> None:
        """Shows a topic and an abstract; None = the first."""
        self._quiet.stop()
        self._jobs.drop(TEXTS_JOB)
        ids = self._session.topic_ids()
        topic = self._session.topic(topic_id or (ids[0] if ids else ""))
        self.topic = topic
        abstracts = topic.abstracts if topic is not None else ()
        self.abstract = next(
            (a for a in abstracts if a.id == abstract_id), next(iter(abstracts), None)
        )
        self.extract = self._drafts.get(self._key(), ())
        self.textsScored.emit(())
        self._find_goals()

    def toggle(self, ref: SentenceRef) -> None:
        """Appends a sentence to the extract, or removes it."""
        if ref in self.extract:
            self.set_extract([member for member in self.extract if member != ref])
        else:
            self.set_extract([*self.extract, ref])

    def move(self, place: int, by: int) -> None:
        """Moves the sentence at `place`, from 0, up (-1) or down (1)."""
        other = place + by
        if 0 <= place < len(self.extract) and 0 <= other < len(self.extract):
            order = list(self.extract)
            order[place], order[other] = order[other], order[place]
            self.set_extract(order)

    def set_extract(self, sentences: Sequence[SentenceRef]) -> None:
        before, after = self.extract, tuple(dict.fromkeys(sentences))
        if after != before:
            self.steps.push(DraftStep(place=self._key(), before=before, after=after))
        self._show_extract(after)

    def _show_step(self, step: DraftStep, sentences: Refs) -> bool:
        """Shows a step's extract and sets its sentences, so that nothing changes out of sight."""
        if step.place != self._key():
            self.go_to(*step.place)
        known = frozenset(self.topic.refs() if self.topic is not None else ())
        self._show_extract(tuple(ref for ref in sentences if ref in known))
        if step.only_sentence is not None:
            self.sentenceChanged.emit(step.only_sentence)
        return True

    def _show_extract(self, extract: Refs) -> None:
        self.extract = self._drafts[self._key()] = extract
        self.renewed.emit()
        self.graded.emit()
        self._quiet.start()

    def add_best(self, *, weighted: bool) -> SentenceRef | None:
        """Adds the sentence that adds most and returns it; None when none adds anything."""
        if self.topic is None or not self.goals:
            return None
        refs = tuple(self.topic.refs())
        ref = best_next(self.goals[0], self.extract, refs, weighted=weighted)
        if ref is not None:
            self.set_extract([*self.extract, ref])
        return ref

    def find_best(self, most: int, *, weighted: bool) -> None:
        """Computes the best extract of at most `most` sentences on a worker."""
        if not self.goals:
            return
        goal = self.goals[0]

        def work(reporter: Reporter) -> object:
            go_on = partial(reporter.advance, 0, 1, "")
            go_on()
            return best_extract(
                goal, most, weighted=weighted, timeout_s=_BEST_TIMEOUT_S, on_wait=go_on
            )

        self._jobs.start(BEST_JOB, work, self._on_best, self.failed)

    def paste(self, text: str) -> None:
        if self.topic is not None:
            self.set_extract(read_refs(text, self.topic))

    def save(self, system: str) -> bool:
        """Stores the extract as a system's output; returns whether it was written."""
        if self.topic is None or self.abstract is None:
            return False
        edit = save_edit(self.topic, system, self.abstract.length, self.extract)
        return self._session.perform(edit)

    # Keeping up

    def _key(self) -> Place:
        return (
            self.topic.id if self.topic else "",
            self.abstract.id if self.abstract else "",
        )

    def _on_session_changed(self, changes: Changes) -> None:
        self.steps.keep(
            lambda step: step.place[0] not in changes.topics or self._is_there(*step.place)
        )
        is_shown_anew = self._is_watched and self._refresh()
        if changes.corpus and not is_shown_anew:  # whose work is seen may change
            self._find_goals()

    def _is_there(self, topic_id: str, abstract_id: str) -> bool:
        topic = self._session.topic(topic_id)
        return topic is not None and any(one.id == abstract_id for one in topic.abstracts)

    def _refresh(self) -> bool:
        """Shows an edited topic anew; returns whether it did."""
        topic_id, abstract_id = self._key()
        topic = self._session.topic(topic_id)
        if topic is not None and topic is self.topic:
            return False
        known = set(topic.refs()) if topic is not None else set()
        for key in [key for key in self._drafts if key[0] == topic_id]:
            self._drafts[key] = tuple(ref for ref in self._drafts[key] if ref in known)
        self.go_to(topic_id if topic is not None else None, abstract_id)
        return True

    def _find_goals(self) -> None:
        self._jobs.drop(BEST_JOB)  # it would become the draft of what is shown when it ends
        self.goals = ()
        self.renewed.emit()
        self.placeChanged.emit()
        self.graded.emit()
        if self.abstract is not None:
            work = partial(sizes_of_covers, self._seen(self.abstract))
            self._jobs.start(COVERS_JOB, work, self._on_sizes, self.failed)

    def _seen(self, abstract: Abstract) -> Abstract:
        seen = self._session.seen(self.topic) if self.topic is not None else None
        return (seen and seen.abstract(abstract.id)) or abstract

    def _on_sizes(self, sizes: dict[str, KnownSize]) -> None:
        if self.abstract is None:
            return
        known = {who: size.h for who, size in sizes.items() if size.h is not None}
        who, weights = self._session.who, self._session.frame.rank_weights
        goals = goals_of(self._seen(self.abstract), weights, known)
        self.goals = tuple(sorted(goals, key=lambda goal: goal.annotator != who))
        self.placeChanged.emit()
        self.graded.emit()
        self._quiet.start()
        unproved = [not_proved(self.abstract.id, size) for size in sizes.values() if size.h is None]
        if unproved:
            self.failed.emit(ScoringUndefinedError(unproved[:1]))

    def _on_best(self, found: BestExtract) -> None:
        self.set_extract(found.sentences)
        self.bestFound.emit(found)

    def score_now(self) -> None:
        """Has the draft scored by the metrics of text, off the GUI thread."""
        self._quiet.stop()
        topic, abstract = self.topic, self.abstract
        if topic is None or abstract is None or not self.extract:
            self.textsScored.emit(())
            return
        draft = Extract(system=DRAFT, sentences=self.extract, length=abstract.length)
        alone = replace(topic, abstracts=(abstract,), outputs=(draft,))
        unspaced = any(has_unspaced_script(sentence.text) for sentence in abstract.sentences)
        tokens = "chars" if unspaced else "unicode"

        def work(reporter: Reporter) -> object:
            requests = requests_of([f"rouge:tokens={tokens}"])
            scores = score_corpus(Corpus(topics=(alone,)), requests, reporter).scores
            return tuple(score for score in scores if score.topic is not None)

        self._jobs.start(TEXTS_JOB, work, self.textsScored, self._on_texts_failed)

    def _on_texts_failed(self, error: BaseException) -> None:
        if not isinstance(error, AwaseError):
            self.failed.emit(error)
        self.textsScored.emit(())


def change(now: Fraction | None, before: Fraction | None) -> Fraction | None:
    """Returns the difference; None when zero or undefined."""
    if now is None or before is None or now == before:
        return None
    return now - before


_EXACT_DECIMALS: Final = 6


def source_table(
    topic: Topic,
    extract: Sequence[SentenceRef],
    sentence_effects: Mapping[SentenceRef, SentenceEffect],
    goal: Goal | None,
) -> Grid:
    """Returns a row for each source sentence: selected, and its effect."""
    columns = (
        Column(title=tr("No."), tip=tr("Place in the extract")),
        Column(title=tr("Sentence")),
        Column(title=tr("Text"), stretches=True),
        Column(
            title=tr("Coverage"),
            tip=tr("What Coverage gains when it is added, or loses when it is removed."),
        ),
        Column(
            title=tr("Weighted"),
            tip=tr("What Weighted coverage gains when it is added, or loses when it is removed."),
        ),
    )
    places = {ref: place for place, ref in enumerate(extract, start=1)}
    rows = [
        (
            Cell(text=str(places.get(ref, "")), value=places.get(ref)),
            Cell(text=f"s{number}", value=number, tip=str(ref), is_number=False),
            text_cell(sentence.text),
            _worth_cell(sentence_effects.get(ref), goal, "coverage"),
            _worth_cell(sentence_effects.get(ref), goal, "weighted-coverage"),
        )
        for number, (ref, sentence) in enumerate(topic.sentences(), start=1)
    ]
    return grid_of(columns, rows)


def _worth_cell(worth: SentenceEffect | None, goal: Goal | None, metric: str) -> Cell:
    if worth is None or goal is None:
        return Cell(text=UNDEFINED, tip=tr("There is no alignment to measure it by yet."))
    value = worth.coverage if metric == "coverage" else worth.weighted_coverage
    if value is None:
        return Cell(text=UNDEFINED, tip=problem_text(goal.why_undefined(metric)))
    change = -value if worth.is_member else value
    return Cell(
        text=change_text(change),
        value=float(value),
        shade=min(1.0, float(value) * 2) if value else None,
        tip=f"{'+' if change > 0 else ''}{change} = {change_text(change, _EXACT_DECIMALS)}",
    )


def grade_table(
    goals: Sequence[Goal],
    extract: Sequence[SentenceRef],
    compared: Extract | None,
) -> Grid:
    """Returns a row for each annotator: the draft's values beside a system's."""
    columns = (
        Column(title=tr("Annotator"), stretches=True),
        Column(title="h", tip=tr("Size of the minimal cover")),
        Column(title="P", tip=tr("Precision of the first h sentences")),
        Column(title="Cov", tip=tr("Coverage of the first h sentences")),
        Column(title="WC", tip=tr("Weighted coverage of the first h sentences")),
        Column(title=tr("Cov, all"), tip=tr("Coverage of the whole extract")),
        Column(title=tr("WC, all"), tip=tr("Weighted coverage of the whole extract")),
    )
    rows = []
    for goal in goals:
        rows.append(_grade_row(goal, tr("{who}: this extract", who=goal.annotator), extract))
        if compared is not None:
            title = labelled(goal.annotator, compared.system)
            rows.append(_grade_row(goal, title, compared.sentences))
    return grid_of(columns, rows)


def _grade_row(goal: Goal, title: str, extract: Sequence[SentenceRef]) -> tuple[Cell, ...]:
    first: Tsc3Values = goal.values(extract, MINIMAL_COVER)
    whole: Tsc3Values = goal.values(extract, EVERYTHING)
    values = [(metric, first.of(metric)) for metric in VALUES]
    values += [(metric, whole.of(metric)) for metric in VALUES[1:]]
    mark = PROVISIONAL if goal.gold.provisional else ""
    return (
        text_cell(title),
        Cell(text=str(goal.h), value=goal.h),
        *(
            Cell(
                text=decimal_text(value) + (mark if value is not None else ""),
                value=None if value is None else float(value),
                tip=_exact(value, is_provisional=bool(mark))
                if value is not None
                else problem_text(goal.why_undefined(metric)),
            )
            for metric, value in values
        ),
    )


def _exact(value: Fraction, *, is_provisional: bool) -> str:
    text = f"{value} = {float(value):.6f}"
    if is_provisional:
        text += "\n" + tr("Provisional: the annotation it is based on is unfinished.")
    return text
