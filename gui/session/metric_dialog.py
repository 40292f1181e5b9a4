"""Dialog for metrics and their options."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.core.errors import Listing
from awase.core.metrics.registry import GROUPS, METRICS, defaults_of
from awase.core.records.corpus import Corpus
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Columns,
    Field,
    Form,
    Note,
    Part,
    PathField,
    Row,
    model_field,
    vectors_field,
)
from awase.gui.kit.i18n import aside, labelled, listed, mark, shows_codes, tr
from awase.gui.kit.look.rows import WrappingDelegate
from awase.gui.kit.texts import follow
from awase.gui.session.metric_drafts import Draft, OptionFields, what_is
from awase.jobs.scoring import DEFAULT_METRICS
from awase.jobs.supplies.gathering import MODEL, VECTORS, Places

ORACLES = "oracle"  # option of metrics that use oracles
_FILES = ("edus", "oracles")
_NAME = Qt.ItemDataRole.UserRole


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
        """Builds the dialog.

        Args:
            metrics: Initial selection, as `awase score` spells it.
            offers: Metrics of which one is to be selected, with its files; empty = any number of
                all.
        """
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
            leave=mark("Cancel"),
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
            mark("As usual"),
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
        self.options.show_draft(self._draft(), self._corpus, self._parsers)
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
        return tr("{name}: stands for {members}", name=name, members=Listing(GROUPS[name]))
    return labelled(name, tr(what_is(name)))


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
