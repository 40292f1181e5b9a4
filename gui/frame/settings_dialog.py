"""The settings: every change takes effect while the dialog is open."""

from dataclasses import replace

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from awase.gui.frame.keys_editor.editor import KeysEditor
from awase.gui.frame.menus import PALETTE_TITLES
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.texts.i18n import LANGUAGES, tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.settings import FONT_POINT_SIZES, Settings, SettingsFile


class SettingsDialog(Retranslated, QDialog):
    """Edits the settings file."""

    def __init__(
        self,
        file: SettingsFile,
        parent: QWidget | None = None,
        keys: KeyBindings | None = None,
    ) -> None:
        super().__init__(parent)
        self._tabs = QTabWidget()
        self._file = file
        self._language, self._palette = QComboBox(), QComboBox()
        self._size, self._annotator = QSpinBox(), QLineEdit()
        self._size.setRange(FONT_POINT_SIZES.start, FONT_POINT_SIZES.stop - 1)
        self._hint = QLabel()
        self._hint.setProperty("look", "muted")
        self._hint.setWordWrap(True)
        self._form = QFormLayout()
        for field in (self._language, self._palette, self._size, self._annotator):
            self._form.addRow(QLabel(), field)
        self._form.addRow(QLabel(), self._hint)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        general = QWidget()
        general.setLayout(self._form)
        self._tabs.addTab(general, "")
        if keys is not None:
            self._tabs.addTab(KeysEditor(keys), "")
        layout.addWidget(self._tabs, 1)
        layout.addWidget(self._buttons)
        self._fill_choices()
        self._show(file.settings)
        self._retranslate()
        self._fit()
        self._language.activated.connect(self._on_language_chosen)
        self._palette.activated.connect(self._on_palette_chosen)
        self._size.valueChanged.connect(self._on_size_changed)
        self._annotator.editingFinished.connect(self._on_annotator_edited)

    def show_keys(self) -> None:
        """Shows the keys."""
        self._tabs.setCurrentIndex(self._tabs.count() - 1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def done(self, result: int) -> None:
        self._on_annotator_edited()
        super().done(result)

    def _fill_choices(self) -> None:
        self._language.addItem("", "")
        for code, name in LANGUAGES.items():
            self._language.addItem(name, code)
        for name in PALETTE_TITLES:
            self._palette.addItem("", name)

    def _show(self, settings: Settings) -> None:
        self._language.setCurrentIndex(self._language.findData(settings.language))
        self._palette.setCurrentIndex(self._palette.findData(settings.palette))
        self._size.setValue(settings.point_size)
        self._annotator.setText(settings.annotator)

    def _fit(self) -> None:
        line_px = self.fontMetrics().height()
        margins = (line_px, line_px, line_px, line_px)
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(*margins)
        self._form.setContentsMargins(*margins)
        self._form.setHorizontalSpacing(line_px)
        self._form.setVerticalSpacing(line_px // 2)
        # The style sheet cannot: Qt gives the field in a spin box its own place.
        self._size.lineEdit().setTextMargins(line_px // 3, 0, 0, 0)
        self.setMinimumWidth(line_px * 30)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Settings"))
        for at, title in enumerate((tr("General"), tr("Keys"))[: self._tabs.count()]):
            self._tabs.setTabText(at, title)
        for field, text in (
            (self._language, tr("Language")),
            (self._palette, tr("Palette")),
            (self._size, tr("Text size")),
            (self._annotator, tr("Annotator")),
        ):
            label = self._form.labelForField(field)
            if isinstance(label, QLabel):
                label.setText(text)
            field.setAccessibleName(text)
        self._language.setItemText(0, tr("As the system"))
        for index, title in enumerate(PALETTE_TITLES.values()):
            self._palette.setItemText(index, tr(title))
        self._size.setSuffix(tr(" pt"))
        self._hint.setText(
            tr("Alignments are stored under the annotator's id; it counts from the next corpus on.")
        )

    def _on_language_chosen(self) -> None:
        self._change(language=self._language.currentData())

    def _on_palette_chosen(self) -> None:
        self._change(palette=self._palette.currentData())

    def _on_size_changed(self, size: int) -> None:
        self._change(point_size=size)

    def _on_annotator_edited(self) -> None:
        annotator = self._annotator.text().strip()
        if annotator:
            self._change(annotator=annotator)
        else:
            self._annotator.setText(self._file.settings.annotator)

    def _change(self, **changes: str | int) -> None:
        self._file.change(replace(self._file.settings, **changes))  # type: ignore[arg-type]
