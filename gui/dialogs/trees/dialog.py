"""Shows how subtree similarity matches two sentences: their trees, and a list of subtrees."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QScrollArea, QWidget

from awase.core.metrics.subtree.comparison import Comparison, Match
from awase.core.metrics.subtree.explaining import ReadCase
from awase.core.metrics.subtree.picture import PictureTexts, comparison_picture
from awase.core.metrics.subtree.reading import ReadSentence
from awase.core.metrics.subtree.requests import METRIC
from awase.core.plots.picture import Box, Picture
from awase.core.progress import Reporter
from awase.gui.dialogs.trees.tables import match_table, score_text
from awase.gui.kit.forms.dialog import Verdict
from awase.gui.kit.forms.job_dialog import JobDialog
from awase.gui.kit.forms.parts import Body, Choice, Field, Form, Note, Own, Pairs, Split
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.shade_delegate import ShadeDelegate
from awase.gui.kit.pictures.view import PictureView
from awase.gui.kit.supply_fields import model_field
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.button import TopicButton
from awase.jobs.explaining import read_trees, trees_request
from awase.jobs.subset import Subset

_WORK = "trees"
_OF_READING = ("output", "sentence", "reference", "side")


class TreesDialog(JobDialog):
    """Asks for a topic and a model; then for two sentences, whose trees stand below."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session, self._services = session, services
        self._cases: tuple[ReadCase, ...] = ()
        self._comparison: Comparison | None = None
        self._matches: Sequence[Match] = ()
        self._offered: list[ReadSentence] = []
        self.picture, self.grid = PictureView(services.themes), GridView()
        self.grid.setItemDelegate(ShadeDelegate(services.themes, self.grid))
        self.topics = TopicButton(lambda: session)
        self.topics.show_topic(next(iter(session.topic_ids()), ""))
        self.topics.chosen.connect(self.topics.show_topic)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.picture)
        self._scroll.setWidgetResizable(True)
        super().__init__(self._form(), services.jobs, _FAILED, parent)
        self.grid.selectionModel().currentChanged.connect(self._on_row_changed)
        self._offer_outputs()
        self.show_state()

    def choose(
        self, *, topic: str | None = None, model: str | None = None, metric: str | None = None
    ) -> None:
        """Sets what is given."""
        self.fields.choose("metric", metric)
        self.fields.set_given(model=model)
        if topic is not None:
            self.topics.show_topic(topic)

    def submit(self) -> None:
        """Reads the outputs of the chosen topic; what was shown goes."""
        location = self.fields.text("model")
        settings = self._services.settings
        settings.change(replace(settings.settings, model=location))
        metric, store = self.fields.text("metric"), self._session.store
        corpus = Subset(topics=(self.topics.topic_id,)).part_of(self._session.corpus())
        supplier = self._services.supplier(store, model=location)

        def read(reporter: Reporter) -> tuple[ReadCase, ...]:
            return read_trees(corpus, trees_request(metric), reporter, supplier)

        self._cases = ()
        self._offer_outputs()
        self.start(_WORK, read, self._on_read)

    def choose_match(self, row: int) -> None:
        """Lets the subtrees of a row of the list stand out."""
        self.grid.choose(row, 0)

    def verdict(self) -> Verdict:
        return Verdict(is_ready=bool(self._session.topics()))

    def changed(self, name: str) -> None:
        if name == "output":
            self._offer_sentences()
        elif name == "sentence":
            self._offer_references()
        elif name == "reference":
            self._compare()

    def refresh(self) -> None:
        for name in _OF_READING:
            self.fields.enable(name, bool(self._cases))
        score = self._comparison.score if self._comparison is not None else None
        self.fields.write("summary", score_text(score))
        self._show_matches()

    def _form(self) -> Form:
        title, metrics = mark("Trees side by side"), self._metrics()
        metric = Choice([(one, one) for one in metrics], metrics[0])
        sides = Choice(
            value="output",
            messages=(
                ("output", mark("Subtrees of the output")),
                ("reference", mark("Subtrees of the reference")),
            ),
        )
        return Form(
            title=title,
            parts=(
                Note(
                    mark(
                        "Subtree similarity compares texts by parts of their dependency trees. "
                        "Here are the trees of two sentences; click a row to see which words it is "
                        "about."
                    )
                ),
                model_field(self._services.settings.settings.model),
                Pairs(
                    (
                        (
                            Field("metric", mark("Metric"), metric),
                            Field("topic", mark("Topic"), Own(self.topics)),
                        ),
                        (
                            Field("output", mark("Output"), Choice(), is_live=True),
                            Field("side", mark("List"), sides, is_live=True),
                        ),
                        (Field("sentence", mark("Its sentence"), Choice(), is_live=True), None),
                        (
                            Field("reference", mark("Reference sentence"), Choice(), is_live=True),
                            None,
                        ),
                    )
                ),
                Note(name="summary", look=""),
                Split(
                    (
                        (26, Body("picture", title, self._scroll, is_live=True)),
                        (36, Body("grid", mark("Matched subtrees"), self.grid, is_live=True)),
                    )
                ),
            ),
            accept=mark("Show"),
            leave=mark("Close"),
            width=62,
            height=46,
        )

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first, as they are most likely asked about."""
        known = self._services.settings.settings.score_metrics.get(self._session.location, ())
        of_page = [text for text in known if text.partition(":")[0] == METRIC]
        return [*dict.fromkeys((*of_page, METRIC))]

    # What is compared

    def _offer_outputs(self) -> None:
        names = (
            f"{one.system} · {one.length}" if one.length else one.system for one in self._cases
        )
        self.fields.offer("output", Choice([*enumerate(names)]))
        self._offer_sentences()

    def _offer_sentences(self) -> None:
        case = self._case()
        texts = [one.sentence.text for one in case.text] if case is not None else []
        numbered = (f"{number}  {text}" for number, text in enumerate(texts, start=1))
        self.fields.offer("sentence", Choice([*enumerate(numbered)]))
        self._offer_references()

    def _offer_references(self) -> None:
        """Offers every sentence of the references; the most similar one is taken first."""
        self._offered = []
        texts = []
        case, system = self._case(), self._system_sentence()
        best, best_f = 0, -1.0
        for number, reference in enumerate(case.references if case is not None else (), start=1):
            for n, one in enumerate(reference, start=1):
                texts.append(f"{number}:{n}  {one.sentence.text}")
                self._offered.append(one)
                if case is None or system is None:
                    continue
                score = case.compared((system,), (one,)).score
                if score is not None and score.f > best_f:
                    best, best_f = len(self._offered) - 1, score.f
        self.fields.offer("reference", Choice([*enumerate(texts)]))
        self.fields.set("reference", best)
        self._compare()

    def _case(self) -> ReadCase | None:
        at = self.fields.box("output").currentIndex()
        return self._cases[at] if 0 <= at < len(self._cases) else None

    def _system_sentence(self) -> ReadSentence | None:
        case, at = self._case(), self.fields.box("sentence").currentIndex()
        return case.text[at] if case is not None and 0 <= at < len(case.text) else None

    def _reference_sentence(self) -> ReadSentence | None:
        at = self.fields.box("reference").currentIndex()
        return self._offered[at] if 0 <= at < len(self._offered) else None

    def _compare(self) -> None:
        case = self._case()
        system, reference = self._system_sentence(), self._reference_sentence()
        self._comparison = None
        if case is not None and system is not None and reference is not None:
            self._comparison = case.compared((system,), (reference,))

    def _show_matches(self) -> None:
        of_reference = self.fields.value("side") == "reference"
        grid, matches = match_table(self._comparison, of_reference=of_reference)
        self._matches = matches
        self.grid.show_grid(grid)
        self._draw(None)

    def _draw(self, match: Match | None) -> None:
        comparison = self._comparison
        if comparison is None:
            self.picture.show_picture(None)
            return
        texts = PictureTexts(
            title=tr("Trees side by side"), system=tr("Output"), reference=tr("Reference")
        )

        def made(width: float, _height: float) -> Picture:
            return comparison_picture(comparison, match, texts, width)

        self.picture.show_picture(made)

    # What came

    def _on_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        row = self.grid.row_of(index)
        if 0 <= row < len(self._matches):
            self._draw(self._matches[row])
            picture = self.picture.picture()
            boxes = [s for s in picture.shapes if isinstance(s, Box)] if picture else []
            for box in reversed(boxes):  # the first one is made visible last
                place = self.picture.rectangle_of(box).toRect()
                self._scroll.ensureVisible(place.x(), place.center().y())

    def _on_read(self, cases: tuple[ReadCase, ...]) -> None:
        self._cases = cases
        self._offer_outputs()
        if not cases:
            self.show_outcome(tr("There is nothing to compare in this topic."))


_FAILED = mark("The trees cannot be compared.")
