"""Trees of a system's sentence and an abstract sentence."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QScrollArea, QWidget

from awase.core.errors import Listing, Reporter
from awase.core.metrics.registry import requests_of
from awase.core.metrics.subtree import (
    METRIC,
    PictureTexts,
    ReadCase,
    check_trees,
    comparison_picture,
    read_cases,
)
from awase.core.metrics.subtree_similarity import (
    ReadSentence,
    SubtreeComparison,
    SubtreeMatch,
    SubtreeScore,
    words_of,
)
from awase.core.plots.picture import BACK, Box
from awase.core.records.corpus import Corpus
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, decimal_text, grid_of, text_cell
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SharingSplitter
from awase.gui.kit.i18n import follow, labelled, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import called, holding, stacked, styled
from awase.gui.kit.number_explanation import declare_text
from awase.gui.kit.picture_view import PictureView
from awase.gui.pages.inspect.explaining import ExplanationPane, name_of
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.supplies.gathering import Supplying


def match_table(
    comparison: SubtreeComparison | None, *, of_reference: bool
) -> tuple[Grid, Sequence[SubtreeMatch]]:
    """Returns the table of matches, most similar and longest first, and the match of each row."""
    columns = (
        Column(title=tr("Words"), tip=tr("How many words the subtree has."), is_spare=True),
        Column(
            title=tr("Similarity"),
            tip=tr("Of the subtree and its best partner, as the metric counts it."),
        ),
        Column(
            title=tr("Subtree"),
            tip=tr("Subtree of the reference") if of_reference else tr("Subtree of the output"),
            stretches=True,
        ),
        Column(title=tr("Best partner"), stretches=True, is_spare=True),
    )
    if comparison is None:
        return grid_of(columns, ()), ()
    own, other = comparison.system, comparison.reference
    matches: Sequence[SubtreeMatch] = comparison.of_system
    if of_reference:
        own, other, matches = other, own, comparison.of_reference
    ordered = sorted(
        matches, key=lambda match: (match.partner is None, -match.length, -match.similarity)
    )
    rows = [
        (
            Cell(text=str(match.length), value=match.length),
            Cell(
                text=decimal_text(match.similarity if match.partner is not None else None),
                value=match.similarity,
                shade=match.similarity or None,
                tip=""
                if match.partner is not None
                else tr("The other text has no subtree of as many words that is similar."),
            ),
            text_cell(words_of(match.subtree, own)),
            text_cell(words_of(match.partner, other) if match.partner is not None else UNDEFINED),
        )
        for match in ordered
    ]
    return grid_of(columns, rows), ordered


def score_text(score: SubtreeScore | None, digits: int = 3) -> str:
    """Returns the scores of two sentences in a line, with this many decimals."""
    if score is None:
        return ""
    lengths = Listing(
        labelled(str(one.length), decimal_text(one.f, digits)) for one in score.lengths if one.f > 0
    )
    return tr(
        "These two sentences: R {r}, P {p}, F {f} · F by number of words: {lengths}",
        r=decimal_text(score.recall, digits),
        p=decimal_text(score.precision, digits),
        f=decimal_text(score.f, digits),
        lengths=lengths or UNDEFINED,
    )


_TITLE = mark("Trees side by side")
_SIDES = (("output", mark("Subtrees of the output")),
          ("reference", mark("Subtrees of the reference")))  # fmt: skip
_SPARE = 8  # spare width of the trees, in heights of a line
# That a box of sentences shows, and more where there is room; its list shows them whole.
_LEAST_LETTERS = 22
# The pane is this many times as wide as a box of sentences, unless a line has room for more.
_BOX_SHARE = 5
_BESIDE_BOXES = 54  # width beside the boxes of sentences, in heights of a line


class TreesPane(ExplanationPane):
    """Two trees and the list of subtrees; selecting one highlights its words."""

    JOB = "trees"
    TITLE = mark("Parse trees")
    OFFERS = (METRIC,)

    def __init__(self, session: CorpusSession, services: Services) -> None:
        super().__init__(session, services)
        self._cases: tuple[ReadCase, ...] = ()
        self._comparison: SubtreeComparison | None = None
        self._offered: list[ReadSentence] = []
        self.output = called(ElidedComboBox(), mark("Output"))
        self.sentence = called(ElidedComboBox(), mark("Its sentence"))
        self.reference = called(ElidedComboBox(), mark("Reference sentence"))
        self.side = called(ElidedComboBox(), mark("List"))
        for box in (self.sentence, self.reference):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(_LEAST_LETTERS)
        fill(self.side, ChoiceField(messages=_SIDES))
        self.picture = PictureView(services.themes)
        self.grid = called(GridView(), mark("Matched subtrees"))
        self.summary = styled(QLabel(), wraps=True)
        self._exact = ""
        declare_text(self.summary, lambda: self._exact)
        self.grid.setItemDelegate(ShadeDelegate(services.themes, self.grid))
        self._scroll = called(QScrollArea(), _TITLE)
        self._scroll.setWidget(self.picture)
        self._scroll.setWidgetResizable(True)
        self.output.activated.connect(self._offer)
        self.sentence.activated.connect(self._compare)
        self.reference.activated.connect(self._compare)
        self.side.activated.connect(self._show_matches)
        self.grid.selectionModel().currentChanged.connect(self._on_row_changed)
        self.lay_out((self.output, self.sentence, self.reference, self.side), self._body())
        follow(self, self._show_matches)

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        request = check_trees(requests_of([metric]))
        gathered = supplies(corpus, [request], reporter)
        return tuple(read_cases(corpus, request, reporter, gathered))

    def take(self, found: Sequence[object]) -> None:
        self._cases = cast("tuple[ReadCase, ...]", found)
        fill_names(self.output, (name_of(one.system, one.length) for one in self._cases))
        self._offer()

    def follow_place(self) -> None:
        place = self.place
        if place is not None and place.system:
            self.output.setCurrentText(name_of(place.system, place.length))
        self._offer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._widen()

    def _widen(self) -> None:
        metrics = self.fontMetrics()
        letter_px = metrics.horizontalAdvance("X")
        in_line = (self.width() - _BESIDE_BOXES * metrics.height()) // 2
        most = max(self.width() // _BOX_SHARE, in_line) // letter_px
        for box in (self.sentence, self.reference):
            lines = (box.itemText(at) for at in range(box.count()))
            longest = max(map(metrics.horizontalAdvance, lines), default=0)
            needed = min(most, longest // letter_px + 1)
            box.setMinimumContentsLength(max(_LEAST_LETTERS, needed))

    # What is compared

    def _offer(self) -> None:
        """Fills the sentences of both sides; selects the most similar pair."""
        case = self._case()
        texts = [one.sentence.text for one in case.text] if case is not None else []
        references = case.references if case is not None else ()
        self._offered = [one for reference in references for one in reference]
        named = [
            f"{number}:{n}  {one.sentence.text}"
            for number, reference in enumerate(references, start=1)
            for n, one in enumerate(reference, start=1)
        ]
        numbered = [f"{number}  {text}" for number, text in enumerate(texts, start=1)]
        for box, lines in ((self.sentence, numbered), (self.reference, named)):
            with QSignalBlocker(box):
                box.clear()
                box.addItems(lines)
                for at, line in enumerate(lines):
                    box.setItemData(at, line, Qt.ItemDataRole.ToolTipRole)
        self._widen()
        self._take_most_similar()
        self._compare()

    def _take_most_similar(self) -> None:
        """Selects the current abstract sentence if present, and its most similar one."""
        case, text = self._case(), self.place.text if self.place is not None else ""
        if case is None or not case.text or not self._offered:
            return
        here = [at for at, one in enumerate(self._offered) if one.sentence.text == text]
        own = range(len(case.text)) if here else range(1)
        best, best_f = (0, here[0] if here else 0), -1.0
        for ours in own:
            for theirs in here[:1] or range(len(self._offered)):
                score = case.compared((case.text[ours],), (self._offered[theirs],)).score
                if score is not None and score.f > best_f:
                    best, best_f = (ours, theirs), score.f
        self.sentence.setCurrentIndex(best[0])
        self.reference.setCurrentIndex(best[1])

    def _case(self) -> ReadCase | None:
        at = self.output.currentIndex()
        return self._cases[at] if 0 <= at < len(self._cases) else None

    def _compare(self) -> None:
        case, ours = self._case(), self.sentence.currentIndex()
        theirs = self.reference.currentIndex()
        self._comparison = None
        if case is not None and 0 <= ours < len(case.text) and 0 <= theirs < len(self._offered):
            self._comparison = case.compared((case.text[ours],), (self._offered[theirs],))
        score = self._comparison.score if self._comparison is not None else None
        self.summary.setText(score_text(score))
        self._exact = score_text(score, 6)
        self._show_matches()

    def _show_matches(self) -> None:
        of_reference = self.side.currentData() == "reference"
        self.grid.show_grid(*match_table(self._comparison, of_reference=of_reference))
        self._draw(None)
        self._both.share_out()

    def _draw(self, match: SubtreeMatch | None) -> None:
        comparison = self._comparison
        if comparison is None:
            self.picture.show_picture(None)
            return
        texts = PictureTexts(title=tr(_TITLE), system=tr("Output"), reference=tr("Reference"))
        self.picture.show_picture(
            lambda width, _height: comparison_picture(comparison, match, texts, width)
        )

    def _on_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        match = self.grid.item(index)
        if match is not None:
            self._draw(match)
            picture = self.picture.picture()
            boxes = [s for s in picture.shapes if isinstance(s, Box)] if picture else []
            bands = [box for box in boxes if box.colour != BACK]
            for box in reversed(bands):  # the first one is scrolled to last
                place = self.picture.rectangle_of(box).toRect()
                self._scroll.ensureVisible(place.x(), place.center().y())

    # Layout and texts

    def _body(self) -> QWidget:
        self._both = holding(SharingSplitter(self._width_of_trees), self._scroll, self.grid)
        body, line_px = QWidget(), self.fontMetrics().height()
        self.summary.setContentsMargins(line_px // 2, 0, line_px // 2, line_px // 4)
        stacked(body, self.summary, self._both, grows=self._both).setSpacing(line_px // 3)
        return body

    def _width_of_trees(self) -> int:
        """Returns the trees' own width, up to half."""
        needed = self.picture.minimumWidth() + self.fontMetrics().height() * _SPARE
        return min(needed, self._both.room_px() // 2)
