"""Settings dialog; changes apply immediately."""

from dataclasses import replace

from PySide6.QtWidgets import QLineEdit, QTabWidget, QWidget

from awase.gui.frame.keys_editor.editor import KeysEditor
from awase.gui.frame.menus import PALETTE_TITLES
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, ChoiceField, Field, Form, Line, Note, Number, Part, Tabs
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.texts.i18n import LANGUAGES, mark
from awase.gui.session.settings import FONT_POINT_SIZES, Settings, SettingsFile


class SettingsDialog(FormDialog):
    """Edits the settings file; text is stored on leaving the field."""

    keeps_text = True

    def __init__(
        self,
        file: SettingsFile,
        parent: QWidget | None = None,
        keys: KeyBindings | None = None,
    ) -> None:
        self._file = file
        pages: list[tuple[str, tuple[Part, ...]]] = [(mark("General"), _general(file.settings))]
        if keys is not None:
            pages.append((mark("Keys"), (Body("keys", "", KeysEditor(keys)),)))
        form = Form(
            title=mark("Settings"),
            parts=(Tabs(pages),),
            leave=mark("Close"),
            focus="language",
            width=47,  # that of a command and its keys
            height=30,
        )
        super().__init__(form, parent)
        self.fields.widget_as("annotator", QLineEdit).editingFinished.connect(self._store_annotator)

    def show_keys(self) -> None:
        tabs = self.fields.widget_as("tabs", QTabWidget)
        tabs.setCurrentIndex(tabs.count() - 1)

    def changed(self, name: str) -> None:
        match name:
            case "language":
                self._change(language=self.fields.text("language"))
            case "palette":
                self._change(palette=self.fields.text("palette"))
            case "size":
                self._change(point_size=self.fields.number("size"))

    def done(self, result: int) -> None:
        self._store_annotator()
        super().done(result)

    def _fit(self) -> None:
        super()._fit()
        line_px = self.fontMetrics().height()
        self.setMinimumWidth(line_px * self.form.width)

    def _store_annotator(self) -> None:
        annotator = self.fields.text("annotator")
        if annotator:
            self._change(annotator=annotator)
        else:
            self.fields.set("annotator", self._file.settings.annotator)

    def _change(self, **changes: str | int) -> None:
        self._file.change(replace(self._file.settings, **changes))  # type: ignore[arg-type]


def _general(settings: Settings) -> tuple[Part, ...]:
    languages = ChoiceField(
        [(code, name) for code, name in LANGUAGES.items()],
        settings.language,
        messages=(("", mark("As the system")),),
    )
    palettes = ChoiceField((), settings.palette, messages=[*PALETTE_TITLES.items()])
    low, high = FONT_POINT_SIZES.start, FONT_POINT_SIZES.stop - 1
    size = Number(settings.point_size, low, high, unit=mark(" pt"))
    return (
        Field("language", mark("Language"), languages),
        Field("palette", mark("Palette"), palettes),
        Field("size", mark("Text size"), size),
        Field("annotator", mark("Annotator"), Line(settings.annotator)),
        Note(
            mark(
                "Alignments are stored under the annotator's id; it counts from the next corpus on."
            )
        ),
    )
