"""What holds of every dialog: keys, names, order, sizes, languages, and that nothing is lost."""

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.exceptions import capture_exceptions
from tests.gui.conftest import small_topic
from tests.gui.every_dialog import MAKERS, NO_FORMS, Place, dialogs_of_the_window, form_of
from tests.gui.looking import covered, cut_texts, outside
from tests.gui.seeing import press, resize
from tests.gui.walking import reached, unnamed
from tests.in_part import in_part

from awase.core.errors import Cancelled
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.gui.app import compose
from awase.gui.dialogs.transfer.plan import NewCorpusDialog
from awase.gui.kit.forms.controls import PlaceField
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.i18n import LANGUAGES, set_language, tr
from awase.gui.kit.look.theme import Theme
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

K = Qt.Key
SCREEN = (1366, 728)
N_LAWS = 5


def every_dialog(law: int) -> pytest.MarkDecorator:
    """Parametrizes a law by dialog: in the default run every dialog keeps one of them."""
    at = {kind: number for number, kind in enumerate(MAKERS)}
    kinds = in_part(MAKERS, by_default=lambda kind: at[kind] % N_LAWS == law)
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


def unasked(*_: object) -> None:
    raise Cancelled


@pytest.fixture(scope="module")
def place(qapp, tmp_path_factory) -> Iterator[Place]:
    """One corpus and window for all: making them takes longer than the dialogs.

    No parser is asked how it is: that imports it, for seconds.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr("awase.gui.dialogs.deriving.look", unasked)
    folder = tmp_path_factory.mktemp("dialogs")
    services = compose(config=folder, data=folder, log=folder)
    window = QWidget()
    window.resize(*SCREEN)
    window.show()
    corpus = Corpus(name="small", topics=(small_topic(),))
    with CorpusStore.create(
        folder / "small.awase", name="small", who="1", addition=addition_of(corpus)
    ) as store:
        yield Place(CorpusSession(store, who="1"), services, window, folder)
        services.jobs.stop_all()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    patch.undo()


@pytest.fixture(autouse=True)
def _dialogs_gone(place) -> Iterator[None]:
    yield
    for dialog in place.window.findChildren(QDialog):
        dialog.deleteLater()


def shown(kind: type[QDialog], place: Place, *, points: int = 10) -> FormDialog:
    place.services.themes.set_theme(Theme.named("light", points))
    place.services.themes.apply()  # the test before may have had the same, which is undone
    dialog = form_of(MAKERS[kind](place))
    dialog.open()
    QApplication.processEvents()
    dialog.activateWindow()
    return dialog


def writable(dialog: FormDialog) -> list[QLineEdit | QPlainTextEdit]:
    """The fields in sight that a person can type into."""
    found = [*dialog.findChildren(QLineEdit), *dialog.findChildren(QPlainTextEdit)]
    return [one for one in found if one.isVisible() and one.isEnabled() and not one.isReadOnly()]


def stops(dialog: FormDialog) -> list[QWidget]:
    """What Tab comes to, from the first to the last."""
    found = reached(dialog)
    parts = [dialog.fields[name] for name in dialog.fields.names()]
    targets = [part.focusProxy() or part for part in parts]
    inner = [one for part in targets for one in (part, *part.findChildren(QWidget))]
    first = next((found.index(one) for one in inner if one in found), 0)
    return found[first:] + found[:first]


def text_of(widget: QLineEdit | QPlainTextEdit) -> str:
    return widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText()


def test_that_every_dialog_is_in_the_table():
    assert dialogs_of_the_window() == {*MAKERS, *NO_FORMS}


@every_dialog(0)
def test_that_enter_accepts_and_never_cancels_wherever_tab_has_been(kind, place, monkeypatch):
    dialog = shown(kind, place)
    submitted, left = [], []
    monkeypatch.setattr(dialog, "submit", lambda: submitted.append(1))
    dialog.rejected.connect(lambda: left.append(1))
    for widget in stops(dialog):
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if dialog.accept_button is not None:
            assert dialog.accept_button.isDefault()
        if isinstance(widget, QLineEdit) and dialog.accept_button is not None:
            before = len(submitted)
            is_ready = dialog.accept_button.isEnabled()
            QTest.keyClick(widget, K.Key_Return)
            assert len(submitted) == before + is_ready
        elif not isinstance(widget, QPushButton):
            QTest.keyClick(widget, K.Key_Return)
        if dialog.leave_button is None:
            return  # Enter goes to what was found
        assert dialog.isVisible()
        assert not left
    if dialog.accept_button is not None and dialog.leave_button is not None:
        QTest.keyClick(dialog.leave_button, K.Key_Return)
        assert dialog.isVisible()
    assert not left


@every_dialog(1)
@pytest.mark.parametrize("way", in_part(["escape", "close"]))
def test_that_what_is_typed_is_asked_about_or_kept(kind, place, way):
    dialog = shown(kind, place)
    fields = writable(dialog)
    if not fields:
        pytest.skip("there is nothing to type into")
    for field in fields:
        if field.isVisible() and field.isEnabled():
            field.setFocus()
            QTest.keyClicks(field, "7")
    typed = [text_of(field) for field in fields]
    assert any("7" in text for text in typed)

    def leave() -> None:
        if way == "escape":
            QTest.keyClick(dialog, K.Key_Escape)
        else:
            dialog.close()

    leave()
    if dialog.keeps_text:
        assert not dialog.isVisible()
        assert [text_of(field) for field in fields] == typed
        return
    assert dialog.isVisible()
    assert dialog.question is not None
    QTest.keyClick(dialog.question, K.Key_Return)
    assert dialog.isVisible()
    assert [text_of(field) for field in fields] == typed
    leave()
    press(dialog.question, tr("Discard and close"))
    assert not dialog.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_that_a_dialog_nobody_typed_into_closes_at_once(kind, place):
    dialog = shown(kind, place)
    QTest.keyClick(dialog, K.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.question is None


@every_dialog(2)
def test_that_tab_comes_to_everything_in_the_order_in_which_it_is_read(kind, place):
    dialog = shown(kind, place)
    found = stops(dialog)
    assert len(found) == len(set(found))
    for name in dialog.fields.names():
        widget = dialog.fields[name]
        target = widget.focusProxy() or widget
        can_be_used = widget.isVisible() and widget.isEnabled()
        if can_be_used and target.focusPolicy() & Qt.FocusPolicy.TabFocus:
            assert target in found, name
    areas = [QRect(one.mapTo(dialog, QPoint(0, 0)), one.size()) for one in found]
    for (at, above), (later, below) in combinations(enumerate(areas), 2):
        is_beside = above.right() <= below.left() or below.right() <= above.left()
        is_swapped = not is_beside and below.bottom() <= above.top()
        assert not is_swapped, (found[at], found[later])


@every_dialog(3)
def test_that_every_control_has_a_name_and_every_label_its_field(kind, place):
    dialog = shown(kind, place)
    assert unnamed(dialog) == []
    assert dialog.windowTitle()
    for label in dialog.findChildren(QLabel):
        buddy = label.buddy()
        if buddy is not None and not isinstance(buddy, QLabel):
            named = buddy.focusProxy() or buddy
            assert named.accessibleName() == label.text()


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_that_it_fits_a_small_screen_in_large_letters_in_every_language(kind, place):
    for language, points in product(LANGUAGES, (16, 20)):
        set_language(language)
        dialog = shown(kind, place, points=points)
        least = dialog.minimumSizeHint()
        assert least.width() <= SCREEN[0]
        assert least.height() <= SCREEN[1]
        resize(dialog, dialog.size().boundedTo(QSize(*SCREEN)))
        assert covered(dialog) == cut_texts(dialog) == outside(dialog) == []
        dialog.leave()


@every_dialog(4)
def test_that_an_open_dialog_follows_the_language(kind, place):
    set_language("en")
    dialog = shown(kind, place)
    title = dialog.windowTitle()
    english = {id(one): one.text() for one in _texts(dialog)}
    names = {id(one): one.accessibleName() for one in stops(dialog)}
    set_language("ja")
    QApplication.processEvents()
    assert dialog.windowTitle() == tr(title) != title
    for widget in _texts(dialog):
        before = english.get(id(widget), "")
        assert widget.text() != before or tr(before) == before, before
    for widget in stops(dialog):
        before = names.get(id(widget), "")
        assert widget.accessibleName() == tr(before), before


def _texts(dialog: FormDialog) -> list[QLabel | QAbstractButton]:
    found = [*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton)]
    return [one for one in found if one.isVisible() and one.text()]


@pytest.mark.parametrize(
    "kind",
    in_part(MAKERS, by_default=lambda kind: kind is NewCorpusDialog),
    ids=lambda kind: kind.__name__,
)
def test_that_whatever_is_typed_as_a_place_is_answered_in_words(place, kind):
    dialog = MAKERS[kind](place)
    for field in dialog.findChildren(PlaceField):
        for text in (".", "..", "/", "~", "~nobody-of-this-name", "a/.", "", "\0", " ", 300 * "x"):
            with capture_exceptions() as faults:
                field.line.setText(text)
                if isinstance(dialog, FormDialog):
                    dialog.show_state()
            assert faults == []
