"""Base of dialogs that write texts: a sentence a line, and review of links."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.core.annotation.content import Uses
from awase.core.errors import EnvironmentProblem, Reporter
from awase.core.records.abstract import AbstractSentence, Limit
from awase.core.records.edits import Edit
from awase.core.records.source import SourceSentence
from awase.core.text.encoding import decode
from awase.core.text.resplitting import Resplit, ResplitOutcome, resplit
from awase.core.text.script import Cleaned, cleaned, detect_language, on_one_line
from awase.core.text.sentences import SPLITTER_IDS, split_sentences
from awase.gui.kit.forms.dialog import FormDialog, JobDialog, Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, Button, Check, Field, Form, Gap, Note, Pairs, Row
from awase.gui.kit.i18n import isolated, listed, mark, ntr, tr
from awase.gui.kit.jobs.running import Jobs, once
from awase.gui.kit.look.fitting import TextEditor
from awase.gui.kit.look.rows import WrappingDelegate
from awase.gui.session.session import CorpusSession
from awase.jobs.files.reading import check_readable

_LONGEST = 60

# Unit of a limit to its English name.
UNIT_TITLES = {
    "characters": mark("characters"),
    "words": mark("words"),
    "bytes": mark("bytes"),
    "sentences": mark("sentences"),
}


def quoted(text: str) -> str:
    """Shortens a text and isolates its writing direction."""
    return isolated(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def count_text(size: int, unit: str, limit: Limit | None) -> str:
    """Describes a summary's length and excess."""
    name = tr(UNIT_TITLES[unit])
    if limit is None:
        return tr("{size} {unit}", size=size, unit=name)
    if size > limit.size:
        return tr(
            "{size} of {limit} {unit}: {over} too many",
            size=size,
            limit=limit.size,
            unit=name,
            over=size - limit.size,
        )
    return tr("{size} of {limit} {unit}", size=size, limit=limit.size, unit=name)


def removed_text(found: Cleaned) -> str:
    codes = listed((code for code, _ in found.removed), most=5)
    return ntr(
        "{n} character that cannot be stored or shown was left out ({codes}).",
        "{n} characters that cannot be stored or shown were left out ({codes}).",
        found.n_removed,
        codes=codes,
    )


def uses_text(uses: Uses) -> str:
    parts = []
    if uses.n_links:
        links = ntr("{n} link", "{n} links", uses.n_links)
        of = ntr("in {n} alternative", "in {n} alternatives", uses.n_alternatives)
        is_japanese_order = tr(", ") == "、"
        parts.append(f"{of}{links}" if is_japanese_order else f"{links} {of}")
    if uses.n_extract_members:
        parts.append(ntr("{n} extract member", "{n} extract members", uses.n_extract_members))
    return listed(parts)


def store_and_close(dialog: FormDialog, session: CorpusSession, edit: Edit | None) -> None:
    """Performs the edit (None = no change) and closes; stays open when it cannot be stored."""
    if not session.perform(edit):
        dialog.show_outcome(tr("It was not stored. Your text is still here."), "danger")
        return
    dialog.accept()


_FEWEST_LINES = 3
_N_LINES = 7


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An old sentence under review."""

    n: int
    text: str
    is_gone: bool = False


class ReviewList(FormPanel):
    """Review list; removed sentences are put back one by one, or accepted together."""

    putBack = Signal(int)  # number of the old sentence to restore
    decided = Signal()  # the user agreed to let go, or no longer does

    def __init__(self) -> None:
        self.rows: tuple[ReviewRow, ...] = ()
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setItemDelegate(WrappingDelegate(self._list))
        self._list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        parts = (
            Body("rows", mark("To review"), self._list, has_heading=True, share=0),
            Row(
                Field("agree", self._agreement, Check()),
                Gap(),
                Button("put-back", mark("Put it back"), self._on_put_back),
            ),
        )
        super().__init__(parts)
        line_px = self.fontMetrics().height()
        self._list.setMinimumHeight(line_px * _FEWEST_LINES)
        self._list.setMaximumHeight(line_px * _N_LINES)
        self.changed.connect(lambda _: self.decided.emit())
        self._list.currentRowChanged.connect(lambda _: self._show_current())
        self._show_rows()

    @property
    def is_decided(self) -> bool:
        """Whether no link is lost, or the user agreed."""
        return self.is_checked("agree") or not self._gone()

    def show_rows(self, rows: Sequence[ReviewRow]) -> None:
        """Sets the rows; earlier acceptance does not cover further removals."""
        new = tuple(sorted(rows, key=lambda row: not row.is_gone))
        before = self._gone()
        if new != self.rows:
            self.rows = new
            self._show_rows()
        if self._gone() - before:
            self.set("agree", False)

    def _gone(self) -> set[int]:
        return {row.n for row in self.rows if row.is_gone}

    def _show_rows(self) -> None:
        self._list.clear()
        for row in self.rows:
            self._list.addItem(QListWidgetItem(f"{'×' if row.is_gone else '·'}  {row.text}"))
        self._list.setCurrentRow(0)
        self.retitle("agree", self._agreement)
        for name in ("agree", "put-back"):
            self.show_part(name, bool(self._gone()))
        self.setVisible(bool(self.rows))
        self._show_current()

    def _agreement(self) -> str:
        return ntr(
            "Remove what refers to {n} sentence",
            "Remove what refers to {n} sentences",
            len(self._gone()),
        )

    def _show_current(self) -> None:
        at = self._list.currentRow()
        self.enable("put-back", 0 <= at < len(self.rows) and self.rows[at].is_gone)

    def _on_put_back(self) -> None:
        at = self._list.currentRow()
        if 0 <= at < len(self.rows):
            self.putBack.emit(self.rows[at].n)


_DIGITS: Final = 4


class SentenceEditor(TextEditor):
    """Splits pasted text into sentences; Enter splits, Backspace at the start joins."""

    pasted = Signal(object)  # `Cleaned`: the text pasted, when something had to be left out of it

    def __init__(self, language: str | None) -> None:
        super().__init__()
        self.language = language if language in SPLITTER_IDS else None
        self._labels: tuple[str, ...] = ()
        self._gutter = _Gutter(self)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._gutter.update)
        self.updateRequest.connect(self._on_update_requested)
        self._fit()

    def sentences(self) -> tuple[str, ...]:
        """Returns the sentences; lines without text are none."""
        lines = map(on_one_line, self.toPlainText().split("\n"))
        return tuple(line for line in lines if line)

    def set_sentences(self, texts: Sequence[str]) -> None:
        """Replaces the text, undoably."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText("\n".join(map(on_one_line, texts)))

    def put(self, text: str, at: int) -> None:
        texts = list(self.sentences())
        texts.insert(at, text)
        self.set_sentences(texts)

    def resplit_text(self) -> None:
        """Splits the whole text by the rules, whatever the lines are now."""
        joined = self.sentences()
        if not joined:
            return
        text = "".join(a + _joint(a, b) for a, b in zip(joined, (*joined[1:], ""), strict=True))
        self.set_sentences(split_text(text, self.language))

    def set_labels(self, labels: Sequence[str]) -> None:
        self._labels = tuple(labels)
        self._gutter.update()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Inserts pasted or dropped text, cleaned and split."""
        found: Cleaned = cleaned(source.text())
        self.insertPlainText("\n".join(split_text(found.text, self.language)))
        if found.removed:
            self.pasted.emit(found)

    def take(self, texts: Sequence[str], found: Cleaned) -> None:
        """Replaces the contents by sentences, and reports what was cleaned."""
        self.set_sentences(texts)
        if found.removed:
            self.pasted.emit(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Joins lines with the language's joint."""
        cursor = self.textCursor()
        is_plain = not cursor.hasSelection()
        if event.key() == Qt.Key.Key_Backspace and is_plain and cursor.atBlockStart():
            self._join(cursor.block().previous().position())
        elif event.key() == Qt.Key.Key_Delete and is_plain and cursor.atBlockEnd():
            self._join(cursor.block().position())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inner = self.contentsRect()
        width = self.viewportMargins().left()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), width, inner.height()))

    def paint_gutter(self, event: QPaintEvent) -> None:
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), self.palette().alternateBase())
        painter.setPen(self.palette().placeholderText().color())
        block, place = self.document().firstBlock(), 0
        width = self._gutter.width() - self.fontMetrics().averageCharWidth()
        while block.isValid():
            is_sentence = bool(on_one_line(block.text()))
            if is_sentence and block.isVisible() and place < len(self._labels):
                top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
                if top > event.rect().bottom():
                    break
                area = QRect(0, round(top), width, self.fontMetrics().height())
                painter.drawText(area, Qt.AlignmentFlag.AlignRight, self._labels[place])
            place += is_sentence
            block = block.next()

    def _join(self, first: int) -> None:
        block = self.document().findBlock(first)
        if first < 0 or not block.next().isValid():
            return
        before, after = block.text().rstrip(), block.next().text().lstrip()
        cursor = QTextCursor(block)
        cursor.beginEditBlock()
        end = block.next().position() + len(block.next().text())
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        joint = _joint(before, after)
        cursor.insertText(before + joint + after)
        cursor.endEditBlock()
        cursor.setPosition(first + len(before) + len(joint))
        self.setTextCursor(cursor)

    def _fit(self) -> None:
        width = self.fontMetrics().averageCharWidth() * (_DIGITS + 2)
        self.setViewportMargins(width, 0, 0, 0)

    def _on_update_requested(self, rect: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        self._gutter.update(0, rect.top(), self._gutter.width(), rect.height())


class _Gutter(QWidget):
    def __init__(self, editor: SentenceEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(event)


def split_text(text: str, language: str | None) -> list[str]:
    """Returns the sentences of a text; Japanese ones by the rules for Japanese in any case."""
    # The rules for English do not know where a Japanese sentence ends.
    rules = "ja" if detect_language(text) == "ja" else language
    return [part.text for part in split_sentences(text, rules)]


def _joint(before: str, after: str) -> str:
    """Returns the joint of two sentences on one line: none beside Japanese."""
    if not before or not after:
        return ""
    is_wide = any(unicodedata.east_asian_width(char) in "WF" for char in (before[-1], after[0]))
    return "" if is_wide else " "


_BLOCK_BYTES: Final = 1 << 20
_STEPS_AFTER_READING: Final = 2


def read_text_file(
    path: Path, language: str | None, reporter: Reporter
) -> tuple[list[str], Cleaned]:
    """Returns the sentences of a text file, and what was cleaned."""
    data = bytearray()
    try:
        check_readable(path)
        n_blocks = path.stat().st_size // _BLOCK_BYTES + 1
        total = n_blocks + _STEPS_AFTER_READING
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                data += block
                reporter.advance(min(len(data) // _BLOCK_BYTES, n_blocks), total, path.name)
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Check that the file is there and may be read.",
            path=path.name,
            error=error.strerror or str(error),
        ) from error
    found = cleaned(decode(bytes(data)).text)
    reporter.advance(total - 1, total, path.name)
    sentences = split_text(found.text, language)
    reporter.advance(total, total, path.name)
    return sentences, found


# Numbers are updated once typing pauses: alignment is slow for long texts.
_PAUSE_MS: Final = 120


class TextDialog(JobDialog):
    """Form, text, review and Save; stays open until stored."""

    headline = mark("The text was not read.")
    uses_text = False

    def __init__(
        self,
        session: CorpusSession,
        jobs: Jobs,
        language: str | None,
        fields: Sequence[tuple[Field, Field]],
        old: Sequence[AbstractSentence] | Sequence[SourceSentence],
        *,
        title: str,
        buttons: Sequence[Button] = (),
        parent: QWidget | None = None,
    ) -> None:
        """Builds the dialog with the `old` sentences below two rows of fields."""
        self._session = session
        self.old = {one.n: one.text for one in old}  # texts by number
        self._removed: Cleaned | None = None
        self.editor = SentenceEditor(language)
        self.review = ReviewList()
        anew = Button("resplit", mark("Split into sentences again"), self.editor.resplit_text)
        form = Form(
            title=title,
            parts=(
                Pairs(fields),
                Note(
                    mark(
                        "One sentence a line. Enter splits a sentence, Backspace at its start "
                        "joins it."
                    )
                ),
                Body("text", mark("Text, one sentence a line"), self.editor),
                Row(Note(name="count", share=1), *buttons, anew),
                Body("review", "", self.review, share=0),
            ),
            accept=mark("Save"),
            focus="text",
            width=46,
            height=36,
        )
        super().__init__(form, jobs, parent)
        self._timer = once(self, _PAUSE_MS, self.show_state)
        # What went before cannot be undone into.
        self.editor.set_sentences([*self.old.values()])
        self.editor.document().clearUndoRedoStacks()
        self.editor.document().setModified(False)
        self.editor.textChanged.connect(self._on_text_changed)
        self.editor.pasted.connect(self._on_pasted)
        self.review.putBack.connect(self.put_back)
        self.review.decided.connect(self.show_state)

    # What the two dialogs fill in

    def edit(self) -> Edit | None:
        """Returns the edit that stores the form and the text; None = no difference."""
        raise NotImplementedError

    def problem(self) -> str:
        """Returns why the text cannot be stored; empty when it can."""
        raise NotImplementedError

    # What they share

    def resplit(self) -> Resplit:
        """Returns what became of the old sentences."""
        return resplit([*self.old.items()], self.editor.sentences())

    def fate(self, label: str, n: int, found: Resplit) -> str:
        """Describes what became of an old sentence."""
        message = {
            ResplitOutcome.GONE: tr("{label} was removed: “{text}”"),
            ResplitOutcome.JOINED: tr("{label} was joined with its neighbour: “{text}”"),
            ResplitOutcome.EDITED: tr("{label} was changed: “{text}”"),
            ResplitOutcome.SAME: tr("{label} is unchanged: “{text}”"),
        }.get(found.fates[n])
        if message is None:
            message = ntr(
                "{label} became {n} sentence: “{text}”",
                "{label} became {n} sentences: “{text}”",
                len(found.found[n]),
                label="{label}",
                text="{text}",
            )
        return message.format(label=label, text=quoted(self.old[n]))

    def put_back(self, n: int) -> None:
        """Restores an old sentence, after the last one before it that still exists."""
        numbers, found = [*self.old], self.resplit()
        place_by_n = {new: place for place, (new, _) in enumerate(found.sentences)}
        before = numbers[: numbers.index(n)]
        kept = [place_by_n[new] for old in before for new in found.found[old]]
        self.editor.put(self.old[n], max(kept, default=-1) + 1)
        self.show_state()

    def verdict(self) -> Verdict:
        problem = self.problem()
        if problem:
            # An unstarted form is no error.
            return refused(problem, "danger" if self.editor.sentences() else "muted")
        if self._removed is not None:
            return Verdict(removed_text(self._removed), "warning")
        return Verdict()

    def submit(self) -> None:
        """Stores the text and closes; stays open on failure."""
        store_and_close(self, self._session, self.edit())

    def _on_text_changed(self) -> None:
        self.forget_failure()
        self._timer.start()

    def _on_pasted(self, found: Cleaned) -> None:
        self._removed = found
        self.show_state()


def free_id(start: str, known: Iterable[str]) -> str:
    """Returns `start` with the lowest number that is not known yet."""
    taken = {*known}
    return next(name for n in count(1) if (name := f"{start}{n}") not in taken)
