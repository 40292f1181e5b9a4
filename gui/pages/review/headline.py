"""Headline of the selected annotators' value, and a scale of comparison."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from awase.core.agreement.results import AgreementRow
from awase.core.plots.axis import ScaleMark, scale
from awase.core.plots.picture import Picture
from awase.core.reports.agreement_report import alpha_text, names_text
from awase.gui.kit.announcing import LiveLabel
from awase.gui.kit.fitting.labels import ElidedLabel
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.pictures.view import PictureView
from awase.gui.kit.texts.i18n import labelled, tr, what_of
from awase.gui.pages.review.tables import row_tip
from awase.gui.pages.review.wording import coefficient_text, who_text


class Headline(QWidget):
    """One row of a study."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: AgreementRow | None = None
        self.value, self.facts = LiveLabel(), ElidedLabel()
        self.value.setProperty("look", "title")
        self.facts.setProperty("look", "muted")
        self.picture = PictureView(themes)
        declare(self.value, self._why)
        above = QHBoxLayout()
        above.setSpacing(self.fontMetrics().height())
        above.addWidget(self.value)
        above.addWidget(self.picture, 1)
        layout = QVBoxLayout(self)
        line_px = self.fontMetrics().height()
        above.setSpacing(line_px)
        layout.setContentsMargins(line_px, 0, line_px, line_px // 3)
        layout.setSpacing(0)
        layout.addLayout(above)
        layout.addWidget(self.facts)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_row(self, row: AgreementRow | None) -> None:
        """Shows a row; None clears."""
        self._row = row
        self.retranslate()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        row = self._row
        self.picture.setVisible(row is not None)
        if row is None:
            self.value.clear()
            self.facts.clear()
            self.picture.show_picture(None)
            return
        sign = coefficient_text(row.distance)
        self.value.setText(f"{sign} = {alpha_text(row)}")
        facts = [
            names_text(row.annotators),
            tr("{items} sentences in {topics} topics", items=row.n_items, topics=row.n_topics),
        ]
        if row.reason is not None:
            facts.append(what_of(row.reason))
        self.facts.setText(" · ".join(facts))
        self.value.setToolTip(row_tip(row))
        self.picture.show_picture(self._made)
        self.picture.setMaximumHeight(self.picture.minimumHeight())

    def _why(self) -> Why | None:
        if self._row is None:
            return None
        how = tr("H shows the formula with the numbers of this corpus.")
        return Why(name=self.value.text(), lines=(self.facts.text(), row_tip(self._row), how))

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
