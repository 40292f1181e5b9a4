"""What is scored: metrics and their options, topics and systems; buttons and dialogs."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from awase.core.errors import Listing, Missing, Problem
from awase.core.metrics.registry import GROUPS, METRICS, defaults_of, options_of
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Columns,
    Field,
    Form,
    Gap,
    Note,
    Part,
    PathField,
    Row,
    model_field,
    vectors_field,
)
from awase.gui.kit.i18n import (
    Message,
    aside,
    follow,
    joined_sentences,
    labelled,
    listed,
    mark,
    ntr,
    shows_codes,
    tr,
)
from awase.gui.kit.look.fitting import ElidedButton
from awase.gui.kit.look.flow import stacked, styled
from awase.gui.kit.look.rows import WrappingDelegate
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import Banner, Step
from awase.gui.session.metric_drafts import Draft, OptionFields, why_failed
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.scoring import DEFAULT_METRICS
from awase.jobs.subset import Subset
from awase.jobs.supplies.gathering import MODEL, VECTORS, Places

ORACLES = "oracle"  # option of metrics that use oracles
_FILES = ("edus", "oracles")
_NAME = Qt.ItemDataRole.UserRole  # of a metric, a topic or a system


class MetricsDialog(FormDialog):
    """Lists the registered metrics, and edits the selected ones."""

    # The metrics, as `awase score` spells them, and the `Places` of their resources.
    chosen = Signal(object, object)

    def __init__(
        self,
        corpus: Corpus,
        metrics: Sequence[str],
        *,
        parsers: Sequence[str] = (),
        places: Places | None = None,
        offers: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        """With `offers` one of these is selected, with its files; else any number of all."""
        self._corpus = corpus
        self._parsers = tuple(parsers)
        self._names = tuple(offers) or (*GROUPS, *METRICS)
        self._is_single = bool(offers)
        known = (Draft.of_text(text) for text in metrics)
        self.drafts: list[Draft] = [draft for draft in known if draft is not None]
        self._old = tuple(self.drafts)
        self.offer, self.columns, self.options = QListWidget(), QListWidget(), OptionFields()
        # A long word is cut with an ellipsis; its tool tip has all of it.
        for part in (self.offer, self.columns):
            part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            part.setWordWrap(True)
            part.setItemDelegate(WrappingDelegate(part))
        super().__init__(self._form(places or Places()), parent)
        self._fill_offer()
        self._fill_columns(0)
        if self._is_single:
            self.offer.currentRowChanged.connect(self._on_one_chosen)
        else:
            self.offer.itemActivated.connect(lambda _item: self._on_add())
        self.columns.currentRowChanged.connect(lambda _row: self._show_draft())
        self.options.changed.connect(self._on_options_changed)

    def texts(self) -> tuple[str, ...]:
        """Returns the metrics chosen, each once."""
        return tuple(dict.fromkeys(draft.text() for draft in self.drafts))

    def refresh(self) -> None:
        draft = self._draft()
        signatures, _ = draft.check(self._corpus) if draft is not None else ((), "")
        self.fields.write("what", _explanation(draft.name) if draft is not None else "")
        self.fields.write("signature-title", tr("Signature") if signatures else "")
        self.fields.write("signature", "\n".join(signatures))
        if not self._is_single:
            self.fields.enable("remove", draft is not None)
        for name, option in (("vectors", VECTORS), ("model", MODEL)):
            is_asked = any(option in defaults_of(one.name) for one in self.drafts)
            self.fields.show_part(name, is_asked)
        has_files = self._is_single and draft is not None and ORACLES in defaults_of(draft.name)
        for name in _FILES:
            self.fields.show_part(name, has_files)

    def verdict(self) -> Verdict:
        if not self.drafts:
            return refused(tr("Add at least one metric."))
        draft = self._draft()
        problem = draft.check(self._corpus)[1] if draft is not None else ""
        is_sound = all(not one.check(self._corpus)[1] for one in self.drafts)
        return Verdict(problem, "danger", is_ready=is_sound)

    def has_unsaved(self) -> bool:
        return super().has_unsaved() or tuple(self.drafts) != self._old

    def submit(self) -> None:
        names = ("vectors", "model", *_FILES)
        self.chosen.emit(self.texts(), Places(**{name: self.fields.text(name) for name in names}))
        self.accept()

    def _form(self, places: Places) -> Form:
        options = (
            Note(name="what", is_selectable=True),
            Body("options", "", self.options, scrolls=True),
        )
        title = mark("Metric") if self._is_single else mark("Metrics")
        return Form(
            title=title,
            parts=(
                Columns(((3, self._offered()), *self._chosen_ones(), (6, options))),
                vectors_field(places.vectors),
                model_field(places.model),
                *_file_fields(places),
                Note(name="signature-title", look="heading"),
                Note(name="signature", look="", is_code=True),
            ),
            accept=mark("OK"),
            width=58,
            height=34,
        )

    def _offered(self) -> tuple[Part, ...]:
        if self._is_single:
            return (Body("offer", mark("Metric"), self.offer, has_heading=True),)
        return (
            Body("offer", mark("Every metric"), self.offer, has_heading=True),
            Button("add", mark("Add as a column"), self._on_add),
        )

    def _chosen_ones(self) -> tuple[tuple[int, tuple[Part, ...]], ...]:
        if self._is_single:
            return ()
        usual = Button(
            "usual",
            mark("Default"),
            self._on_usual,
            tip=mark("Only the TSC-3 metrics, as in a new corpus"),
        )
        columns = (
            Body("columns", mark("Columns"), self.columns, has_heading=True),
            Row(Button("remove", mark("Remove"), self._on_remove), usual),
        )
        return ((3, columns),)

    def _fill_offer(self) -> None:
        for name in self._names:
            item = QListWidgetItem(aside(name, listed(GROUPS[name])) if name in GROUPS else name)
            item.setData(_NAME, name)
            self.offer.addItem(item)
        known = self.drafts[0].name if self._is_single and self.drafts else ""
        self.offer.setCurrentRow(self._names.index(known) if known in self._names else 0)
        if self._is_single and known not in self._names:
            self.drafts = [_fitting(self._names[0], self._corpus)]
        follow(self.offer, self._write_lists)

    def _write_lists(self) -> None:
        """Writes the texts that depend on the language."""
        for row in range(self.offer.count()):
            item = self.offer.item(row)
            item.setToolTip(_explanation(item.data(_NAME)))
        for row, draft in enumerate(self.drafts[: self.columns.count()]):
            self.columns.item(row).setText(_line(draft, self._corpus))

    def _fill_columns(self, row: int) -> None:
        blocker = QSignalBlocker(self.columns)
        self.columns.clear()
        for draft in self.drafts:
            item = QListWidgetItem(_line(draft, self._corpus))
            item.setToolTip(draft.text())
            self.columns.addItem(item)
        del blocker
        self.columns.setCurrentRow(min(row, len(self.drafts) - 1))
        self._show_draft()

    def _draft(self) -> Draft | None:
        row = self.columns.currentRow()
        return self.drafts[row] if 0 <= row < len(self.drafts) else None

    def _show_draft(self) -> None:
        draft = self._draft()
        options = options_of(draft.name) if draft is not None else ()
        values = {one.name: draft.value(one.name) for one in options} if draft is not None else {}
        self.options.show_options(options, values, self._corpus, self._parsers)
        self.show_state()

    def _on_add(self) -> None:
        name = self.offer.currentItem().data(_NAME)
        self.drafts.append(_fitting(name, self._corpus))
        self._fill_columns(len(self.drafts) - 1)

    def _on_one_chosen(self, row: int) -> None:
        self.drafts = [_fitting(self._names[row], self._corpus)]
        self._fill_columns(0)

    def _on_remove(self) -> None:
        row = self.columns.currentRow()
        if 0 <= row < len(self.drafts):
            del self.drafts[row]
            self._fill_columns(row)

    def _on_usual(self) -> None:
        self.drafts = [Draft(name=name) for name in DEFAULT_METRICS]
        self._fill_columns(0)

    def _on_options_changed(self, values: dict[str, str]) -> None:
        row = self.columns.currentRow()
        if not 0 <= row < len(self.drafts):
            return
        self.drafts[row] = self.drafts[row].with_values(values)
        item = self.columns.item(row)
        item.setText(_line(self.drafts[row], self._corpus))
        item.setToolTip(self.drafts[row].text())
        self.show_state()


def _file_fields(places: Places) -> tuple[Field, Field]:
    edus = PathField(places.edus, hint=mark("of your own segmenter, for units of a file"))
    oracles = PathField(
        places.oracles,
        hint=mark("found before, with awase oracle -o; without it they are found now"),
    )
    return (
        Field("edus", mark("EDU file"), edus),
        Field("oracles", mark("Oracle file"), oracles),
    )


def _line(draft: Draft, corpus: Corpus) -> str:
    """Returns a draft as its English signature; in other languages described as well."""
    text = draft.text()
    if not shows_codes():
        spelled = (f"  {option} = {value}" for option, value in draft.spelled())
        text = "\n".join((draft.name, *spelled))
    return f"⚠ {text}" if draft.check(corpus)[1] else text


def _explanation(name: str) -> str:
    if name in GROUPS:
        return tr("{name}: short for {members}", name=name, members=Listing(GROUPS[name]))
    return labelled(name, tr(METRICS[name].what))


def _fitting(name: str, corpus: Corpus) -> Draft:
    """Returns the metric with a tokeniser that loses no letters of the corpus's first sentences."""
    from awase.core.text.script import detect_language
    from awase.core.text.tokenisers import has_unspaced_script, lost_letters

    draft = Draft(name=name)
    text = "\n".join(
        s.text for topic in corpus.topics[:1] for a in topic.abstracts for s in a.sentences
    )
    if defaults_of(name).get("tokens") != "ascii" or not lost_letters(text):
        return draft
    if detect_language(text) == "ja":
        return draft.with_values({"tokens": "ja"})
    return draft.with_values({"tokens": "chars" if has_unspaced_script(text) else "unicode"})


_SHOWN = 2


class MetricsButton(ElidedButton):
    """The metrics of one question; paths of vectors and models are in the settings."""

    chosen = Signal()  # other metrics, or other files for them

    def __init__(
        self,
        session: CorpusSession,
        services: Services,
        metrics: Sequence[str],
        *,
        offers: Sequence[str] = (),
    ) -> None:
        """With `offers` exactly one of these is selected, else any number."""
        super().__init__()
        self._session, self._services = session, services
        # The selection, as `awase score` spells it.
        self.metrics, self._offers = tuple(metrics), tuple(offers)
        self._files = Places()
        self.clicked.connect(self.ask)
        follow(self, self._write)

    @property
    def places(self) -> Places:
        """Paths of the metrics' resources."""
        settings = self._services.settings.settings
        return replace(self._files, vectors=settings.vectors, model=settings.model)

    def show_metrics(self, metrics: Sequence[str]) -> None:
        """Sets the selection without signals."""
        self.metrics = tuple(metrics)
        self._write()

    def choose(self, metrics: Sequence[str], places: Places | None = None) -> None:
        if places is not None:
            self._files = places
            self._services.settings.set(vectors=places.vectors, model=places.model)
        self.show_metrics(metrics)
        self.chosen.emit()

    def ask(self) -> MetricsDialog:
        """Opens the dialog that chooses."""
        dialog = MetricsDialog(
            self._session.corpus(),
            self.metrics,
            parsers=self._session.parsers(),
            places=self.places,
            offers=self._offers,
            parent=self,
        )
        dialog.chosen.connect(self.choose)
        return open_once(dialog)

    def _write(self) -> None:
        names = [named(text) for text in self.metrics]
        shown = listed(names[:_SHOWN])
        if len(names) > _SHOWN:
            n_more = len(names) - _SHOWN
            shown = tr("{names} and {more}", names=shown, more=ntr("{n} more", "{n} more", n_more))
        title = tr("Metric") if self._offers else tr("Metrics")
        self.setText(tr("{title}: {shown}…", title=title, shown=shown))
        self.setToolTip("\n".join(names))
        self.setAccessibleName(labelled(title, listed(names)))


class FailedMetrics(QWidget):
    """Lines that say which metrics could not be computed and why, with a button that mends it."""

    commandChosen = Signal(str)  # id of a command of the window

    def __init__(self, metrics: MetricsButton, themes: ThemeBox) -> None:
        super().__init__()
        self._parse: Step = (
            mark("Parse sentences…"),
            lambda: self.commandChosen.emit("menu:parse"),
        )
        self._choose: Step = (mark("Metrics…"), metrics.ask)
        self._unparsed, self._others = Banner(themes, icon="scores"), Banner(themes, icon="scores")
        self._unparsed.chosen.connect(self._parse[1])
        self._others.chosen.connect(self._choose[1])
        stacked(self, self._unparsed, self._others)
        self.show_failed(())

    def show_failed(self, failed: Sequence[Score]) -> None:
        """Shows the reasons of failed metrics, given a score of each."""
        unparsed = [one for one in failed if one.reason and one.reason.missing is Missing.PARSES]
        others = [one for one in failed if one not in unparsed]
        _explain(self._unparsed, unparsed, self._parse[0])
        _explain(self._others, others, self._choose[0])
        self.setVisible(bool(failed))

    def steps(self, problems: Sequence[Problem]) -> list[Step]:
        """Returns what mends these where no metric could be computed."""
        is_unparsed = any(one.missing is Missing.PARSES for one in problems)
        return [self._parse, self._choose] if is_unparsed else [self._choose]


def _explain(banner: Banner, failed: Sequence[Score], action: Message) -> None:
    def text() -> str:
        return joined_sentences(*dict.fromkeys(map(why_failed, failed)))

    if failed:
        banner.show_message(text, action)
    banner.setVisible(bool(failed))


def named(metric: str) -> str:
    """Returns a metric's label on a button: rouge-2 (stem = yes)."""
    draft = Draft.of_text(metric)
    if draft is None:
        return metric
    if not draft.values:
        return draft.name
    return aside(draft.name, listed(f"{option} = {value}" for option, value in draft.spelled()))


class CheckList(QWidget):
    """A list of check boxes, with all and none."""

    changed = Signal()

    def __init__(
        self, title: str, items: Sequence[tuple[str, str]], checked: tuple[str, ...] | None
    ) -> None:
        """`checked` None = all."""
        super().__init__()
        self._title = title
        self._heading = styled(QLabel(), "heading")
        self.list = QListWidget()
        self.list.setProperty("look", "checks")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for item_id, text in items:
            item = QListWidgetItem(text)
            item.setData(_NAME, item_id)
            item.setToolTip(text)
            is_checked = checked is None or item_id in checked
            item.setCheckState(Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.itemChanged.connect(self._on_item_changed)
        everything = Button("all", mark("All"), lambda: self.check_all(Qt.CheckState.Checked))
        nothing = Button("none", mark("None"), lambda: self.check_all(Qt.CheckState.Unchecked))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._heading)
        parts = (Body("list", title, self.list), Row(everything, nothing, Gap()))
        layout.addWidget(FormPanel(parts), 1)
        follow(self, self._count)

    def checked(self) -> tuple[str, ...]:
        """Returns the checked ids, in order."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(i.data(_NAME) for i in items if i.checkState() is Qt.CheckState.Checked)

    def chosen(self) -> tuple[str, ...] | None:
        """Returns the checked ids; None = all."""
        checked = self.checked()
        return None if len(checked) == self.list.count() else checked

    def check_all(self, state: Qt.CheckState) -> None:
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            self.list.item(row).setCheckState(state)
        self.list.blockSignals(False)
        self._on_item_changed()

    def _on_item_changed(self, *_: object) -> None:
        self._count()
        self.changed.emit()

    def _count(self) -> None:
        n, total = len(self.checked()), self.list.count()
        self._heading.setText(f"{tr(self._title)}  {n} / {total}")


class SubsetDialog(FormDialog):
    """Two lists of check boxes."""

    chosen = Signal(object)  # the `Subset`

    def __init__(
        self,
        topics: Sequence[tuple[str, str]],
        systems: Sequence[str],
        subset: Subset,
        parent: QWidget | None = None,
    ) -> None:
        self.topics = CheckList(mark("Topics"), topics, subset.topics)
        self.systems = CheckList(mark("Systems"), [(s, s) for s in systems], subset.systems)
        # Titles are beside ids.
        lists = ((3, Body("topics", "", self.topics)), (2, Body("systems", "", self.systems)))
        form = Form(
            title=mark("Topics and systems"),
            parts=(Columns([(share, (part,)) for share, part in lists]),),
            accept=mark("OK"),
            width=44,
            height=26,
        )
        super().__init__(form, parent)
        for part in (self.topics, self.systems):
            part.changed.connect(self.show_state)

    def verdict(self) -> Verdict:
        if self.topics.checked() and self.systems.checked():
            return Verdict()
        return refused(tr("Choose at least one topic and one system."), "warning")

    def submit(self) -> None:
        self.chosen.emit(Subset(topics=self.topics.chosen(), systems=self.systems.chosen()))
        self.accept()


def subset_text(subset: Subset) -> str:
    """Describes the selection; empty = everything."""
    parts = []
    if subset.topics is not None:
        parts.append(ntr("{n} topic", "{n} topics", len(subset.topics)))
    if subset.systems is not None:
        parts.append(ntr("{n} system", "{n} systems", len(subset.systems)))
    return listed(parts)
