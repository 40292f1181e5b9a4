"""A field for each option of a metric: a choice where the values are known, else a checked text."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from awase.core.metrics.kit.options import Option
from awase.core.records.corpus import Corpus
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.drafts import Draft, names_for, options_of

Field = QComboBox | QLineEdit
_CHARACTERS = 24


class OptionFields(QWidget):
    """Shows the options of one draft."""

    changed = Signal(object)
    """Mapping of option to value, as the fields stand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(self.fontMetrics().height() // 4)
        self.fields: dict[str, Field] = {}

    def show_draft(self, draft: Draft | None, corpus: Corpus, parsers: Sequence[str] = ()) -> None:
        """Replaces the fields; `parsers` are the models that parsed the corpus."""
        options = options_of(draft.name) if draft is not None else []
        values = {name: draft.value(name) for name, _ in options} if draft is not None else {}
        self.show_options(options, values, corpus, parsers)

    def show_options(
        self,
        options: Sequence[tuple[str, Option | None]],
        values: Mapping[str, str],
        corpus: Corpus,
        parsers: Sequence[str] = (),
    ) -> None:
        """Replaces the fields.

        Args:
            options: Names, and what is known of them.
            values: What the fields say.
            corpus: Whose annotators are offered.
            parsers: Models that parsed it.
        """
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.fields = {}
        for name, option in options:
            field = _field(option, names_for(option, corpus, parsers), values[name])
            label = QLabel(_label(name, option))
            label.setBuddy(field)
            label.setWordWrap(True)
            label.setProperty("look", "muted")
            field.setAccessibleName(_label(name, option))
            self._rows.addWidget(label)
            self._rows.addWidget(field)
            self.fields[name] = field
            if isinstance(field, QLineEdit):
                field.textEdited.connect(self._on_edited)
            elif field.isEditable():
                field.editTextChanged.connect(self._on_edited)
            else:
                field.currentIndexChanged.connect(self._on_edited)
        self._rows.addStretch(1)

    def values(self) -> Mapping[str, str]:
        """Returns what the fields say."""
        return {name: _value(field) for name, field in self.fields.items()}

    def _on_edited(self, *_: object) -> None:
        self.changed.emit(self.values())


def _label(name: str, option: Option | None) -> str:
    if option is None:
        return name
    parts = [f"{name}: {tr(option.what)}"]
    if option.form:
        parts.append(f"({tr(option.form_what)})")
    return " ".join(parts)


def _value(field: Field) -> str:
    if isinstance(field, QLineEdit):
        return field.text()
    return field.currentText() if field.isEditable() else str(field.currentData())


def _field(option: Option | None, names: Sequence[str], value: str) -> Field:
    if option is None or not (option.choices or option.of_corpus):
        line = QLineEdit(value)
        if option is not None:
            line.setPlaceholderText(", ".join(option.examples))
        return line
    box = QComboBox()
    box.setMinimumContentsLength(_CHARACTERS)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setEditable(bool(option.form))
    blocker = QSignalBlocker(box)
    for choice in option.choices:
        meaning = tr(choice.what)
        text = choice.value if option.form else f"{choice.value}  –  {meaning}"
        box.addItem(text, choice.value)
        box.setItemData(box.count() - 1, meaning, Qt.ItemDataRole.ToolTipRole)
    for example in option.examples if option.form else ():
        box.addItem(example, example)
    for name in names:
        if box.findData(name) < 0:
            box.addItem(name, name)
    if option.form:
        box.setEditText(value)
    else:
        if box.findData(value) < 0:  # a name that the corpus no longer has
            box.addItem(value, value)
        box.setCurrentIndex(box.findData(value))
    del blocker
    return box
