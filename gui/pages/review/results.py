"""Tables of an agreement study: pairs, kinds, sentences by disagreement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from awase.core.agreement.comparison import (
    ComparedSource,
    Drifts,
    SentenceComparison,
    WorstFirst,
    compare,
)
from awase.core.agreement.distances import Kind, SetDistance
from awase.core.agreement.results import (
    AgreementDifference,
    AgreementRow,
    AgreementStudy,
    SentenceAgreement,
)
from awase.core.annotation.formula import AND, label_of
from awase.core.errors import InputError
from awase.core.plots.axis import ScaleMark, scale
from awase.core.plots.picture import Picture
from awase.core.records.abstract import Alternative
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.reports.grid import UNDEFINED, change_text, decimal_text, typeset
from awase.core.reports.study_report import BETWEEN_NAMES, alpha_text, names_text
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SharingSplitter
from awase.gui.kit.i18n import LiveLabel, follow, labelled, mark, problem_text, tr, what_of
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.look.flow import called, holding, spaced, stacked, styled, titled_tabs
from awase.gui.kit.look.markup import Browser
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import Why, declare, declare_text
from awase.gui.kit.picture_view import PictureView
from awase.gui.pages.review.tables import (
    KINDS,
    LEVELS,
    SHORT_LEVELS,
    Pair,
    coefficient_text,
    counts_of,
    effects_table,
    kinds_table,
    matrix_table,
    notes_html,
    pair_at,
    row_tip,
    sentences_table,
    size_text,
    topics_table,
    weeks_table,
    who_text,
)
from awase.gui.session.session import CorpusSession

SHOW_SCHEME = "show"
_BOTH, _ONLY_FIRST, _ONLY_SECOND = "=", "−", "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport:
    """Both entries as HTML: matched formulas, then the source sentences and their links."""

    sentence: SentenceAgreement
    compared: SentenceComparison
    numbers: Mapping[SentenceRef, int]
    theme: Theme

    def html(self) -> str:
        sentence, compared, muted = self.sentence, self.compared, self.theme.colours.muted
        distances = " · ".join(
            f"{tr(title)} {decimal_text(sentence.distances[level])}"
            for level, title in SHORT_LEVELS.items()
        )
        place = sentence_place(sentence.topic, sentence.abstract, sentence.n)
        return (
            f'<p style="color:{muted}">{escape(place)}</p><p><b>{escape(compared.text)}</b></p>'
            f"<p>{escape(tr(KINDS[sentence.kind]))}"
            f'<br><span style="color:{muted}">{escape(distances)}</span></p>'
            + self._formulas()
            + self._sources()
            + notes_html(zip(compared.annotators, compared.notes, strict=True), self.theme)
        )

    def _formulas(self) -> str:
        compared, muted = self.compared, self.theme.colours.muted
        heads = "".join(
            f'<td style="padding-right:2em; color:{muted}">{escape(who)}'
            f" · {escape(tr(STATE_NAMES[state]))}</td>"
            for who, state in zip(compared.annotators, compared.states, strict=True)
        )
        rows = "".join(
            f"<tr>{self._set_cell(one, other, _ONLY_FIRST)}"
            f"{self._set_cell(other, one, _ONLY_SECOND)}</tr>"
            for one, other in compared.alternatives
        )
        table = f'<table cellspacing="4"><tr>{heads}</tr>{rows}</table>'
        n = sum(compared.dropped)
        note = tr("Alternatives that contain another one are not shown: {n}", n=n)
        return table + (f'<p style="color:{muted}">{escape(note)}</p>' if n else "")

    def _set_cell(self, own: Alternative | None, other: Alternative | None, sign: str) -> str:
        """Returns an alternative; a member missing in its counterpart has a sign before it."""
        if own is None:
            muted = self.theme.colours.muted
            return f'<td style="padding-right:2em; color:{muted}">{UNDEFINED}</td>'
        shared = other.as_set if other is not None else frozenset()
        labels = {ref: escape(label_of(ref, self.numbers)) for ref in own.members}
        terms = [
            label if ref in shared else f"<b>{sign}{label}</b>" for ref, label in labels.items()
        ]
        return f'<td style="padding-right:2em">{AND.join(terms)}</td>'

    def _sources(self) -> str:
        if not self.compared.sources:
            return ""
        names = "".join(
            f'<td style="color:{self.theme.colours.muted}">{escape(who)}&nbsp;</td>'
            for who in self.compared.annotators
        )
        rows = "".join(map(self._source_row, self.compared.sources))
        return f'<table cellspacing="4"><tr>{names}<td></td><td></td></tr>{rows}</table>'

    def _source_row(self, one: ComparedSource) -> str:
        is_common = one.by_first and one.by_second
        sign = _BOTH if is_common else _ONLY_FIRST if one.by_first else _ONLY_SECOND
        colour = self.theme.colours.highlight_match
        back = "" if is_common else f' style="background-color:{colour}"'
        ref = escape(str(one.ref), quote=True)
        label = escape(label_of(one.ref, self.numbers))
        return (
            f'<tr><td align="center">{"●" if one.by_first else "○"}</td>'
            f'<td align="center">{"●" if one.by_second else "○"}</td>'
            f'<td>{sign}&nbsp;<a href="{SHOW_SCHEME}:{ref}">{label}</a>&nbsp;</td>'
            f"<td{back}>{escape(one.text)}</td></tr>"
        )


def explanation_html(
    row: AgreementRow, differences: Sequence[AgreementDifference], theme: Theme
) -> str:
    """Returns the derivation of a value, and its differences from others, as HTML."""
    sign = coefficient_text(row.distance)
    value = f"{sign} = {alpha_text(row)}"
    head = f"<p><b>{escape(labelled(tr(LEVELS[row.distance]), value))}</b></p>"
    reason = problem_text(row.reason) if row.reason is not None else ""
    why = f"<p>{escape(reason)}</p>"
    signature = f'<p style="color:{theme.colours.muted}">{escape(row.signature)}</p>'
    if row.observed is None or row.expected is None or row.alpha is None:
        return head + why + signature
    lines = [
        tr("Do, the mean distance of two annotators on the same sentence: {value}",
           value=f"{row.observed:.4f}"),
        tr("De, that of two values drawn at random within a topic: {value}",
           value=f"{row.expected:.4f}")
        if row.distance is not SetDistance.LINKS
        else tr("De, expected by chance: {value}", value=f"{row.expected:.4f}"),
        f"{sign} = 1 − Do / De = 1 − {row.observed:.4f} / {row.expected:.4f} = {row.alpha:.4f}",
        size_text(row),
        tr("1 = full agreement, 0 = as by chance. What suffices depends on the use: compare with "
           "the robot, and look at what the disagreement does."),
    ]  # fmt: skip
    if row.distance is SetDistance.LINKS:
        lines.append(f"F1 {decimal_text(row.f1)}")
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return head + body + (why if reason else "") + _differences(differences) + signature


def _differences(differences: Sequence[AgreementDifference]) -> str:
    """Returns a line for each comparison with others, and the meaning of its interval."""
    lines = []
    for one in differences:
        if one.value is None:
            continue
        bounds = one.interval
        told = "" if bounds is None else f" [{change_text(bounds.low)}, {change_text(bounds.high)}]"
        both = f"{_names(one.first)} − ({_names(one.second)})"
        lines.append(f"<p>{escape(labelled(both, ''))}{typeset(change_text(one.value) + told)}</p>")
    if not lines:
        return ""
    note = tr("Differences in the topics that both have, with their intervals:")
    return f"<p>{escape(note)}</p>" + "".join(lines)


def _names(annotators: Sequence[str]) -> str:
    return BETWEEN_NAMES.join(map(who_text, annotators))


class Headline(QWidget):
    """One row of a study."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: AgreementRow | None = None
        self.value, self.facts = styled(LiveLabel(), "title"), styled(ElidedLabel(), "muted")
        self.picture = PictureView(themes)
        how = mark("H shows the formula with the numbers of this corpus.")
        declare_text(self.value, self.facts.text, self.value.toolTip, lambda: tr(how))
        line_px = self.fontMetrics().height()
        above = spaced(
            QHBoxLayout(), self, self.value, self.picture, grows=self.picture,
            across=0, down=0, between=1,
        )  # fmt: skip
        column = stacked(self, above, self.facts, grows=self.facts)
        column.setContentsMargins(line_px, 0, line_px, line_px // 3)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_row(self, row: AgreementRow | None) -> None:
        self._row = row
        self.retranslate()

    def retranslate(self) -> None:
        row = self._row
        self.picture.setVisible(row is not None)
        if row is None:
            self.value.clear()
            self.facts.clear()
            self.picture.show_picture(None)
            return
        sign = coefficient_text(row.distance)
        self.value.setText(f"{sign} = {alpha_text(row)}")
        facts = [names_text(row.annotators), size_text(row)]
        if row.reason is not None:
            facts.append(what_of(row.reason))
        self.facts.setText(" · ".join(facts))
        self.value.setToolTip(row_tip(row))
        self.picture.show_picture(self._made)
        self.picture.setMaximumHeight(self.picture.minimumHeight())

    def _made(self, width: float, _height: float) -> Picture:
        row = self._row
        assert row is not None
        others = (("robot", row.robot), ("gold", row.gold))
        marks = [
            ScaleMark(
                label=who_text(other),
                value=alpha,
                tip=labelled(f"{who_text(other)} – {who}", f"{alpha:.3f}"),
            )
            for other, alphas in others
            for who, alpha in alphas.items()
            if alpha is not None
        ]
        bounds = None if row.interval is None else (row.interval.low, row.interval.high)
        title = f"{coefficient_text(row.distance)} = {alpha_text(row)}"
        return scale(row.alpha, interval=bounds, marks=marks, title=title, width=width)


class Reviewed(NamedTuple):
    """Agreement as visible to the user, and the choices."""

    study: AgreementStudy | InputError
    lengths: tuple[str, ...]
    n_hidden: int
    seconds: Mapping[str, float]  # of work for each sentence, by topic
    weeks: Drifts
    sentences: WorstFirst


_EXACT = 6  # decimals of exact values
_MOST_ABOVE = 0.42  # share of the height that the tables above the sentences have


class AgreementResults(QWidget):
    """A study; a click on a cell filters the sentences by pair or kind."""

    filterChanged = Signal(str)  # what the sentences are narrowed to, in words; empty = nothing
    sourceChosen = Signal(str)  # a source sentence to look at in its document

    def __init__(
        self, session: CorpusSession, themes: ThemeBox, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._themes = session, themes
        self._study: AgreementStudy | None = None
        self._found: Reviewed | None = None
        self._distance = SetDistance.ALTERNATIVES
        self.pair: Pair | None = None
        self.kind: Kind | None = None
        self._is_explaining = False
        self.shown = WorstFirst()
        # Created in place: reparented ones would all be restyled.
        self.headline = Headline(themes, self)
        self._tables_px = 0  # height of the tables above the sentences; 0 = not filled yet
        self._halves = SharingSplitter(self._height_of_tables, Qt.Orientation.Vertical, self)
        self._upper, self._lower = (
            QSplitter(Qt.Orientation.Horizontal, self._halves) for _ in range(2)
        )
        self.overview = QTabWidget(self._upper)
        pages = self.overview.findChild(QStackedWidget)
        self.matrix = called(GridView(pages), mark("Annotators with annotators"))
        self.topics = called(GridView(pages), mark("Agreement by topic"))
        self.effects = called(GridView(pages), mark("What the disagreement does"))
        self.weeks = called(GridView(pages), mark("Disagreement from week to week"))
        self.kinds = called(GridView(self._upper), mark("How they differ"))
        self.sentences = called(GridView(self._lower), mark("Sentences, the worst first"))
        self.detail = called(Browser(self._lower), mark("Both annotators' alternatives"))
        self._lay_out()
        self._connect()
        follow(self, self.retranslate)

    # What is shown

    def show_study(self, study: AgreementStudy, found: Reviewed, distance: SetDistance) -> None:
        self._study, self._found, self._distance = study, found, distance
        pairs = {one.annotators for one in study.agreement.pairs}
        if self.pair not in pairs:
            self.pair = None
        self._fill()

    def show_level(self, distance: SetDistance) -> None:
        self._distance = distance
        if self._study is not None:
            self._fill_level(self._study)
            self._fill_sentences()

    def narrow(self, pair: Pair | None, kind: Kind | None) -> None:
        is_same_pair = pair == self.pair
        self.pair, self.kind = pair, kind
        if is_same_pair:
            self._fill_sentences()
        else:
            self._fill()

    def row(self) -> AgreementRow | None:
        """Returns the row of the annotators shown: of a pair, or of everybody."""
        if self._study is None:
            return None
        found = self._study.agreement
        return found.row(self.pair or found.annotators, self._distance)

    def current(self) -> SentenceAgreement | None:
        sentence: SentenceAgreement | None = self.sentences.item()
        return sentence

    # What the user does

    def open_comparison(self) -> None:
        if self.current() is not None:
            self.explain(False)
            self._upper.hide()
            self.sentences.hide()
            self.detail.setFocus()

    def close_comparison(self) -> bool:
        if not self._upper.isHidden():
            return False
        self._upper.show()
        self.sentences.show()
        self.sentences.setFocus()
        return True

    def step(self, by: int) -> None:
        """Goes to the next sentence, or with -1 to the previous one."""
        row = self.sentences.currentIndex().row() + by
        if 0 <= row < self.sentences.n_rows:
            self.sentences.choose(self.sentences.grid.order[row])

    def explain(self, is_wanted: bool) -> None:
        self._is_explaining = is_wanted
        self._show_detail()

    # Layout and connections

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        for grid in (self.matrix, self.topics, self.weeks, self.kinds, self.sentences):
            grid.setItemDelegate(ShadeDelegate(self._themes, grid))
        self.matrix.setSortingEnabled(False)
        self.sentences.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        stacked(self, self.headline, self._halves, grows=self._halves)
        holding(self._halves, self._upper, self._lower)
        holding(self._upper, self.overview, self.kinds)
        holding(self._lower, self.sentences, self.detail)
        for grid in (self.matrix, self.topics, self.effects, self.weeks):
            self.overview.addTab(grid, "")
        titles = (mark("Annotators"), mark("By topic"), mark("Effects"), mark("By week"))
        titled_tabs(self.overview, *titles)
        self.overview.setDocumentMode(True)
        for splitter in (self._upper, self._lower):
            splitter.setChildrenCollapsible(False)
            splitter.setSizes([line_px * 40, line_px * 26])

    def _connect(self) -> None:
        self.matrix.clicked.connect(self._on_matrix_chosen)
        self.matrix.activated.connect(self._on_matrix_chosen)
        self.kinds.on_item(lambda kind: self.narrow(self.pair, None if kind is self.kind else kind))
        self.sentences.selectionModel().currentRowChanged.connect(self._show_detail)
        self.detail.linkChosen.connect(lambda _, ref: self.sourceChosen.emit(ref))
        declare(self.detail, self._why)
        self._themes.changed.connect(self._on_theme_changed)

    def _fill(self) -> None:
        study, found = self._study, self._found
        if study is None or found is None:
            return
        self._fill_level(study)
        self.effects.show_grid(effects_table(study.effects))
        self.weeks.show_grid(weeks_table(found.weeks.get(self.pair, ())))
        self.kinds.show_grid(*kinds_table(counts_of(study.agreement.pairs, self.pair)))
        self._share_out()
        self._fill_sentences()

    def _share_out(self) -> None:
        grids = (self.matrix, self.topics, self.effects, self.weeks)
        tabs_px = self.overview.tabBar().sizeHint().height()
        tabbed_px = tabs_px + max(grid.preferred_height_px() for grid in grids)
        self._tables_px = max(tabbed_px, self.kinds.preferred_height_px())
        self._halves.share_out()

    def _height_of_tables(self) -> int:
        """Returns the height of the tables' rows, and leaves more than half to the sentences."""
        room = self._halves.room_px()
        return min(self._tables_px or room, round(room * _MOST_ABOVE))

    def _fill_level(self, study: AgreementStudy) -> None:
        self.matrix.show_grid(matrix_table(study.agreement, self._distance))
        row = self.row()
        self.headline.show_row(row)
        if row is not None and self._found is not None:
            self.topics.show_grid(topics_table(row, self._found.seconds))

    def _fill_sentences(self) -> None:
        if self._study is None or self._found is None:
            return
        before = self.current()
        self.shown = self._found.sentences.narrowed(self.pair, self.kind)
        has_pairs = len(self._study.agreement.annotators) > 2 and self.pair is None
        table = sentences_table(self.shown, self._text, self._distance, has_pairs=has_pairs)
        self.sentences.show_grid(table, self.shown)
        self.sentences.choose(max(0, self.shown.place_of(before)))
        self._show_detail()
        pair = names_text(self.pair) if self.pair else ""
        kind = tr(KINDS[self.kind]) if self.kind else ""
        self.filterChanged.emit(" · ".join(filter(None, (pair, kind))))

    def _show_detail(self) -> None:
        row, sentence = self.row(), self.current()
        if self._is_explaining and row is not None:
            self.detail.show_html(explanation_html(row, self._differences(row), self._themes.theme))
        elif sentence is not None:
            self.detail.show_html(self._html(sentence))
        else:
            self.detail.show_html(f"<p>{tr('They agree on every sentence that both settled.')}</p>")

    def _text(self, sentence: SentenceAgreement) -> str:
        return self._session.sentence_text(sentence.topic, sentence.abstract, sentence.n)

    def _html(self, sentence: SentenceAgreement) -> str:
        topic = self._session.topic(sentence.topic)
        abstract = topic.abstract(sentence.abstract) if topic else None
        if topic is None or abstract is None:
            return ""
        compared = compare(topic, abstract, sentence.n, sentence.annotators)
        if compared is None:
            return ""
        return ComparisonReport(
            sentence=sentence,
            compared=compared,
            numbers=self._session.numbers(topic.id),
            theme=self._themes.theme,
        ).html()

    def _why(self) -> Why | None:
        sentence = self.current()
        if sentence is None or self._is_explaining:
            return None
        place = sentence_place(sentence.topic, sentence.abstract, sentence.n)
        lines = [
            labelled(tr(title), decimal_text(sentence.distances[level], _EXACT))
            for level, title in SHORT_LEVELS.items()
        ]
        name = f"{place} · {names_text(sentence.annotators)}"
        return Why(name=name, lines=(*lines, tr("Distance: 0 = the same")))

    def _differences(self, row: AgreementRow) -> list[AgreementDifference]:
        found = self._study.agreement.differences if self._study is not None else ()
        return [
            one
            for one in found
            if one.distance is row.distance
            and (row.annotators in (one.first, one.second) or len(row.annotators) > 2)
        ]

    # What came

    def _on_matrix_chosen(self, index: QModelIndex) -> None:
        if self._study is not None:
            pair = pair_at(self._study.agreement, index.row(), index.column())
            if pair is not None and len(self._study.agreement.annotators) > 2:
                self.narrow(pair if pair != self.pair else None, self.kind)

    def _on_theme_changed(self) -> None:
        self.headline.retranslate()
        self._show_detail()

    def retranslate(self) -> None:
        self.headline.retranslate()
        self._fill()
