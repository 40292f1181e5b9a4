"""HTML of an adjudication case, and effects of an abstract's decisions."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.agreement.comparison import DecisionEffects, decision_effects
from awase.core.agreement.results import Worth
from awase.core.annotation.formula import AND, formula, label_of
from awase.core.records.abstract import AlignmentState, Alternative, GoldEntry
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.records.topic import Extract, Topic
from awase.core.reports.grid import UNDEFINED, decimal_text
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import fill_names
from awase.gui.kit.i18n import joined_sentences, labelled, listed, mark, ntr, problem_text, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.texts import bind, follow
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


def case_html(
    case: AdjudicationCase,
    topic: Topic,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
    shown: Sequence[SentenceRef] = (),
    at: SentenceRef | None = None,
) -> str:
    """Returns the case as HTML; `shows_names` heads columns with annotators' names, not numbers."""
    muted = theme.colours.muted
    columns = columns_of(case)
    distance = tr("distance {value}", value=decimal_text(case.distance))
    place = f"{sentence_place(*case.key)} · {distance}"
    return (
        f'<p style="color:{muted}">{escape(place)}</p><p><b>{escape(case.text)}</b></p>'
        + _families(case, columns, numbers, theme, shows_names=shows_names)
        + _numbered(case, columns, numbers, theme, shows_names=shows_names)
        + _sources(case, columns, topic, numbers, theme, shown, at)
        + _notes(case, columns, theme)
    )


def _title(columns: Sequence[str], at: int, *, shows_names: bool) -> str:
    return f"⇧{at + 1} {columns[at]}" if shows_names else f"⇧{at + 1}"


def _families(
    case: AdjudicationCase,
    columns: Sequence[str],
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
) -> str:
    """Returns the formulas: the first annotator, the gold, the others."""
    heads = [escape(_title(columns, at, shows_names=shows_names)) for at in range(len(columns))]
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
        f'<p style="color:{theme.colours.muted}">{escape(_state_text(case))}</p>'
    )


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


def _numbered(
    case: AdjudicationCase,
    columns: Sequence[str],
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
) -> str:
    inside = {one.as_set for one in case.gold.entry.alternatives} if case.gold else set()
    rows = []
    for number, one in enumerate(case.listed, start=1):
        owners = listed(
            who if shows_names else f"⇧{columns.index(who) + 1}"
            for who in columns
            if who in one.owners
        )
        sign = "✓" if one.alternative.as_set in inside else "·"
        rows.append(
            f'<tr><td align="center">{sign}</td><td><b>{number}</b>&nbsp;</td>'
            f"<td>{_set_text(one.alternative, numbers)}&nbsp;</td>"
            f'<td style="color:{theme.colours.muted}">{escape(owners)}</td></tr>'
        )
    return f'<table cellspacing="4">{"".join(rows)}</table>'


def _set_text(alternative: Alternative, numbers: Mapping[SentenceRef, int]) -> str:
    return AND.join(escape(label_of(ref, numbers)) for ref in alternative.members)


def _sources(
    case: AdjudicationCase,
    columns: Sequence[str],
    topic: Topic,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    shown: Sequence[SentenceRef],
    at: SentenceRef | None,
) -> str:
    linked = [set(case.entries[who].refs()) for who in columns]
    linked.insert(1, set(case.gold.entry.refs()) if case.gold else set())
    titles = [f"⇧{at + 1}" for at in range(len(columns))]
    titles.insert(1, tr("Gold"))
    muted = theme.colours.muted
    head = "".join(f'<td style="color:{muted}">{escape(title)}&nbsp;</td>' for title in titles)
    rows = []
    listed = set(shown)
    for ref, sentence in topic.sentences():
        if ref in listed:
            dots = "".join(
                f'<td align="center">{"●" if ref in refs else "○"}</td>' for refs in linked
            )
            name = escape(str(ref), quote=True)
            text = escape(sentence.text)
            sign = f'<a name="{HERE}">▸</a>' if ref == at else "&nbsp;"
            text = f"<b>{text}</b>" if ref == at else text
            rows.append(
                f'<tr><td>{sign}</td>{dots}<td><a href="{_SHOW}:{name}">'
                f"{escape(label_of(ref, numbers))}</a>&nbsp;</td><td>{text}</td></tr>"
            )
    return f'<table cellspacing="4"><tr><td></td>{head}</tr>{"".join(rows)}</table>' if rows else ""


def _notes(case: AdjudicationCase, columns: Sequence[str], theme: Theme) -> str:
    notes = [(f"⇧{at + 1}", case.entries[who].note) for at, who in enumerate(columns)]
    if case.gold is not None:
        notes.append((tr("Gold"), case.gold.entry.note))
    return notes_html(notes, theme)


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
        titles = [f"⇧{at + 1} {who}" if shows_names else f"⇧{at + 1}"
                  for at, who in enumerate(columns)]  # fmt: skip
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
