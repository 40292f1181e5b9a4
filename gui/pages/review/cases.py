"""HTML of an adjudication case, and effects of an abstract's decisions."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.agreement.comparison import DecisionEffects, decision_effects
from awase.core.agreement.results import Worth
from awase.core.annotation.formula import AND, formula, label_of
from awase.core.records.abstract import AlignmentState, GoldEntry
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.records.topic import Extract, Topic
from awase.core.reports.grid import UNDEFINED, decimal_text
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import fill_names
from awase.gui.kit.i18n import (
    bind,
    follow,
    joined_sentences,
    labelled,
    listed,
    mark,
    ntr,
    problem_text,
    tr,
)
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.review.tables import notes_html
from awase.gui.session.settings import Services

ORIGINS: Mapping[str, str] = {
    "unanimous": mark("unanimous"),
    "taken": mark("taken from one annotator"),
    "union": mark("union"),
    "intersection": mark("intersection"),
    "majority": mark("majority"),
    "edited": mark("put together"),
}
CAUSES: Mapping[str, str] = {
    "guideline gap": mark("guideline gap"),
    "oversight": mark("oversight"),
    "ambiguous text": mark("ambiguous text"),
    "near-duplicate": mark("near-duplicate"),
    "typing slip": mark("typing slip"),
}
_SHOW = "show"
HERE = "here"  # anchor of the source sentence that Space puts into the gold


def columns_of(case: AdjudicationCase) -> tuple[str, ...]:
    """Returns the annotators in pseudo-random, stable column order, to blind the adjudicator."""
    names = sorted(case.entries)
    random.Random("/".join(map(str, case.key))).shuffle(names)
    return tuple(names)


def titles_of(columns: Sequence[str], *, shows_names: bool) -> list[str]:
    return [f"⇧{at} {who}" if shows_names else f"⇧{at}" for at, who in enumerate(columns, start=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """A case as HTML."""

    case: AdjudicationCase
    topic: Topic
    numbers: Mapping[SentenceRef, int]
    theme: Theme
    shows_names: bool  # columns are headed with annotators' names, not with numbers alone
    shown: Sequence[SentenceRef]  # the source sentences that are listed
    at: SentenceRef | None  # the current one of them

    def html(self) -> str:
        distance = tr("distance {value}", value=decimal_text(self.case.distance))
        place = f"{sentence_place(*self.case.key)} · {distance}"
        columns = columns_of(self.case)
        return (
            f'<p style="color:{self.theme.colours.muted}">{escape(place)}</p>'
            f"<p><b>{escape(self.case.text)}</b></p>"
            + self._families(columns)
            + self._numbered(columns)
            + self._sources(columns)
            + self._notes(columns)
        )

    def _families(self, columns: Sequence[str]) -> str:
        """Returns the formulas: the first annotator, the gold, the others."""
        case, numbers = self.case, self.numbers
        heads = [*map(escape, titles_of(columns, shows_names=self.shows_names))]
        bodies = [
            escape(formula(case.entries[who].alternatives, numbers) or tr("no source"))
            for who in columns
        ]
        heads.insert(1, f"<b>{escape(tr('Gold'))}</b>")
        bodies.insert(1, f"<b>{escape(_gold_text(case.gold, numbers))}</b>")
        style = 'style="padding-right:2em"'
        head = "".join(f"<td {style}>{one}</td>" for one in heads)
        body = "".join(f"<td {style}>{one}</td>" for one in bodies)
        return (
            f'<table cellspacing="4"><tr>{head}</tr><tr>{body}</tr></table>'
            f'<p style="color:{self.theme.colours.muted}">{escape(_state_text(case))}</p>'
        )

    def _numbered(self, columns: Sequence[str]) -> str:
        case = self.case
        inside = {one.as_set for one in case.gold.entry.alternatives} if case.gold else set()
        names = columns if self.shows_names else titles_of(columns, shows_names=False)
        rows = []
        for number, one in enumerate(case.listed, start=1):
            pairs = zip(columns, names, strict=True)
            owners = listed(name for who, name in pairs if who in one.owners)
            sign = "✓" if one.alternative.as_set in inside else "·"
            members = AND.join(
                escape(label_of(ref, self.numbers)) for ref in one.alternative.members
            )
            rows.append(
                f'<tr><td align="center">{sign}</td><td><b>{number}</b>&nbsp;</td>'
                f"<td>{members}&nbsp;</td>"
                f'<td style="color:{self.theme.colours.muted}">{escape(owners)}</td></tr>'
            )
        return f'<table cellspacing="4">{"".join(rows)}</table>'

    def _sources(self, columns: Sequence[str]) -> str:
        gold, muted = self.case.gold, self.theme.colours.muted
        linked = [set(self.case.entries[who].refs()) for who in columns]
        linked.insert(1, set(gold.entry.refs()) if gold else set())
        titles = titles_of(columns, shows_names=False)
        titles.insert(1, tr("Gold"))
        head = "".join(f'<td style="color:{muted}">{escape(title)}&nbsp;</td>' for title in titles)
        rows, shown = [], set(self.shown)
        for ref, sentence in self.topic.sentences():
            if ref in shown:
                dots = "".join(
                    f'<td align="center">{"●" if ref in refs else "○"}</td>' for refs in linked
                )
                name, text = escape(str(ref), quote=True), escape(sentence.text)
                sign = f'<a name="{HERE}">▸</a>' if ref == self.at else "&nbsp;"
                text = f"<b>{text}</b>" if ref == self.at else text
                rows.append(
                    f'<tr><td>{sign}</td>{dots}<td><a href="{_SHOW}:{name}">'
                    f"{escape(label_of(ref, self.numbers))}</a>&nbsp;</td><td>{text}</td></tr>"
                )
        table = f'<table cellspacing="4"><tr><td></td>{head}</tr>{"".join(rows)}</table>'
        return table if rows else ""

    def _notes(self, columns: Sequence[str]) -> str:
        titles = titles_of(columns, shows_names=False)
        own = [self.case.entries[who].note for who in columns]
        gold = [(tr("Gold"), self.case.gold.entry.note)] if self.case.gold is not None else []
        return notes_html([*zip(titles, own, strict=True), *gold], self.theme)


def _gold_text(gold: GoldEntry | None, numbers: Mapping[SentenceRef, int]) -> str:
    if gold is None:
        return UNDEFINED
    if gold.entry.state is AlignmentState.NO_SOURCE:
        return tr("no source")
    return formula(gold.entry.alternatives, numbers) or UNDEFINED


def _state_text(case: AdjudicationCase) -> str:
    gold = case.gold
    if gold is None:
        return tr("Nothing is decided yet.")
    parts = [tr(STATE_NAMES[gold.entry.state]), tr(ORIGINS[gold.origin.value])]
    if gold.decided_by is not None:
        parts.append(tr("decided by {who}", who=gold.decided_by))
    if gold.entry.rank is not None:
        parts.append(tr("rank {rank}", rank=gold.entry.rank))
    if gold.cause is not None:
        parts.append(tr(CAUSES.get(gold.cause, gold.cause)))
    if gold.locked:
        parts.append(tr("locked"))
    if case.is_outdated:
        parts.append(tr("outdated: an annotator has changed the entry since"))
    return " · ".join(parts)


DECISION_JOB = "decision"


class DecisionStrip(QWidget):
    """Effects of the case's decisions, recomputed with every action."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._heads: list[tuple[str | None, str]] = []
        self.effects: DecisionEffects | None = None
        self.told = styled(QLabel(), wraps=True)
        self.system = called(ElidedComboBox(), mark("System whose coverage is shown"))
        self.told.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        parts = (self.told, self.system)
        spaced(QHBoxLayout(self), self, *parts, grows=self.told, down=1 / 3, between=1)
        self.system.currentIndexChanged.connect(self._write)
        bind(self.system, "toolTip", mark("System whose coverage is shown"))
        declare(self.told, self._why)
        follow(self, self._write)

    def show_case(
        self, case: AdjudicationCase | None, topic: Topic | None, *, shows_names: bool
    ) -> None:
        """Computes the effects of the case's decisions; None clears."""
        abstract = topic.abstract(case.abstract) if case and topic else None
        if case is None or topic is None or abstract is None:
            self.effects = None
            self.system.hide()
            self._write()
            return
        columns = columns_of(case)
        titles = titles_of(columns, shows_names=shows_names)
        self._heads = [*zip(columns, titles, strict=True)]
        self._heads.insert(1, (None, ""))
        self._fill_systems(topic, abstract.length)
        self._services.jobs.start(
            DECISION_JOB,
            lambda reporter: decision_effects(
                topic, abstract, case, partial(reporter.advance, 0, 1, topic.id)
            ),
            self._on_computed,
            self._on_failed,
        )

    def _fill_systems(self, topic: Topic, length: str | None) -> None:
        names = [
            one.system
            for one in topic.outputs
            if isinstance(one, Extract) and one.length in (None, length)
        ]
        fill_names(self.system, dict.fromkeys(names))
        self.system.setVisible(bool(names))

    def _on_computed(self, effects: DecisionEffects) -> None:
        self.effects = effects
        self._write()

    def _on_failed(self, error: BaseException) -> None:
        self.told.setText(joined_sentences(*map(problem_text, problems_of(error))))

    def _write(self) -> None:
        effects = self.effects
        if effects is None:
            self.told.clear()
            return
        parts = [self._row("h", effects, _h_text)]
        system = self.system.currentText()
        if system:
            title = tr("Coverage of {system}", system=system)
            parts.append(
                self._row(title, effects, lambda side: decimal_text(side.coverage.get(system)))
            )
        counted = ntr("of {n} sentence", "of {n} sentences", effects.n_sentences)
        if effects.n_open:
            counted = listed((counted, tr("{n} more still open", n=effects.n_open)))
        self.told.setText("   |   ".join([*parts, counted]))

    def _why(self) -> Why | None:
        effects, system = self.effects, self.system.currentText()
        if effects is None:
            return None
        lines = [
            tr("h: the fewest source sentences that make every abstract sentence possible"),
            tr(
                "All are about the same sentences of this abstract: those that all settled, and "
                "on which they agree or for which something is in the gold."
            ),
        ]
        if system:
            title = tr("Coverage of {system}", system=system)
            lines.append(self._row(title, effects, lambda side: _exact_text(side, system)))
            lines.append(tr("Coverage: the mean e(i) of these sentences, the extract cut at h."))
        return Why(name=self.told.text(), lines=tuple(lines))

    def _row(self, title: str, effects: DecisionEffects, text_of: Callable[[Worth], str]) -> str:
        cells = []
        for who, head in self._heads:
            side = effects.gold if who is None else effects.by_annotator.get(who)
            if side is not None:
                cells.append(labelled(head or tr("Gold"), text_of(side)))
        return f"{title}   " + " · ".join(cells)


def _h_text(side: Worth) -> str:
    return UNDEFINED if side.h is None else str(side.h)


def _exact_text(side: Worth, system: str) -> str:
    value = side.coverage.get(system)
    return UNDEFINED if value is None else f"{float(value):.6f}"
