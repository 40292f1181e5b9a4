"""Explains the pseudo-pyramid of each system and topic, unit by unit."""

from PySide6.QtWidgets import QWidget

from awase.core.annotation.formula import running_numbers
from awase.core.metrics.pseudo_pyramid.family import METRIC, Explained
from awase.core.progress import Reporter
from awase.gui.dialogs.pyramid.report import pyramid_report
from awase.gui.kit.forms.job_dialog import JobDialog
from awase.gui.kit.forms.parts import Body, Choice, Field, Form, Gap, Note, Own, Place, Row
from awase.gui.kit.texts.browser import Browser
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.button import TopicButton
from awase.jobs.explaining import ExplainedPyramids, explain_pyramids, pyramid_request

PYRAMID_JOB = "pyramid"
_USUAL = (
    METRIC,
    f"{METRIC}:unit=sentence",
    f"{METRIC}:oracle=be,unit=sentence",
    f"{METRIC}:unit=edu-file",
)
_FAILED = mark("Nothing can be explained.")


class PyramidDialog(JobDialog):
    """Finds all explanations at once; one topic and system of them is shown."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session, self._services = session, services
        self._found: ExplainedPyramids | None = None
        self.browser = Browser()
        self.topics = TopicButton(lambda: session)
        self.topics.chosen.connect(self._on_topic_chosen)
        super().__init__(self._form(), services.jobs, _FAILED, parent)
        self.show_state()

    def choose(
        self, *, metric: str | None = None, edus: str | None = None, oracles: str | None = None
    ) -> None:
        """Sets what is given."""
        self.fields.choose("metric", metric)
        self.fields.set_given(edus=edus, oracles=oracles)

    def submit(self) -> None:
        """Finds the oracles and compares every system with them."""
        metric, corpus = self.fields.text("metric"), self._session.corpus()
        supplies = self._services.supplier(
            self._session.store, edus=self.fields.text("edus"), oracles=self.fields.text("oracles")
        )

        def work(reporter: Reporter) -> ExplainedPyramids:
            return explain_pyramids(corpus, pyramid_request(metric), reporter, supplies)

        self._found = None
        self.start(PYRAMID_JOB, work, self._on_found)

    def refresh(self) -> None:
        found = self._found
        for name in ("topic", "system"):
            self.fields.show_part(name, found is not None and bool(found.explained))
        self.fields.write("signature", found.signature if found is not None else "")
        of_topic, at = self._of_topic(), self.fields.box("system").currentIndex()
        if not 0 <= at < len(of_topic):
            nothing = tr("Which units of the oracles a system found, at what weight, and missed.")
            self.browser.show_html(f"<p>{nothing}</p>")
            return
        one = of_topic[at]
        topic = self._session.topic(one.topic)
        numbers = running_numbers(topic) if topic is not None else {}
        self.browser.show_html(pyramid_report(one, numbers, self._services.themes.theme))

    def _form(self) -> Form:
        title, metrics = mark("Pseudo-pyramid explained"), self._metrics()
        edus = Place(hint=mark("of your own segmenter, for unit=edu-file"))
        oracles = Place(
            hint=mark("found before, with awase oracle -o; without it they are found now")
        )
        return Form(
            title=title,
            parts=(
                Field(
                    "metric",
                    mark("Metric"),
                    Choice([(one, one) for one in metrics], metrics[0]),
                ),
                Field("edus", mark("EDU file"), edus),
                Field("oracles", mark("Oracle file"), oracles),
                Row(
                    (
                        Field("topic", mark("Topic"), Own(self.topics), is_live=True),
                        Field("system", mark("System"), Choice(), is_live=True),
                        Gap(),
                    )
                ),
                Body("report", title, self.browser, is_live=True),
                Note(name="signature", is_selectable=True),
            ),
            accept=mark("Explain"),
            leave=mark("Close"),
            width=52,
            height=40,
        )

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first."""
        known = self._services.settings.settings.score_metrics
        of_page = known.get(self._session.location, ())
        chosen = [text for text in of_page if text.partition(":")[0] == METRIC]
        return [*dict.fromkeys((*chosen, *_USUAL))]

    def _of_topic(self) -> list[Explained]:
        if self._found is None:
            return []
        return [one for one in self._found.explained if one.topic == self.topics.topic_id]

    def _on_topic_chosen(self, topic: str) -> None:
        self.topics.show_topic(topic)
        self._offer_systems()
        self.show_state()

    def _offer_systems(self) -> None:
        names = [" · ".join(filter(None, (one.system, one.length))) for one in self._of_topic()]
        self.fields.offer("system", Choice([(name, name) for name in names]))

    def _on_found(self, found: ExplainedPyramids) -> None:
        self._found = found
        known = {one.topic: None for one in found.explained}
        if self.topics.topic_id not in known:
            self.topics.show_topic(next(iter(known), ""))
        self._offer_systems()
