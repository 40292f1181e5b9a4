"""The report, the times and the printed pages from the window."""

import re
import zlib
from dataclasses import replace

import pytest
from PySide6.QtCore import QMarginsF, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QPageLayout, QPageSize, QPdfWriter
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog
from PySide6.QtWidgets import QApplication, QTextBrowser, QVBoxLayout, QWidget
from tests.gui.conftest import small_topic
from tests.gui.seeing import says
from tests.in_part import in_turn

from awase.core.errors import EnvironmentProblem
from awase.core.plots.charts import Bar, bars
from awase.core.reports.grid import Cell, Column, grid_of
from awase.core.team.progress import LoggedTime
from awase.gui.dialogs.whole_corpus import ReportDialog, TimesDialog, time_text
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.i18n import set_language
from awase.gui.kit.picture_view import PictureView
from awase.gui.kit.printing import PrintContent, content_of, laid_out, put_on, write_pdf
from awase.jobs.subset import Subset

PICTURE = bars(
    [Bar(label="lead", value=0.5)], title="t", axis_title="a", undefined="-", width=400
)  # fmt: skip


@pytest.fixture
def session(session_over):
    return session_over(small_topic("t"), small_topic("u"))


@pytest.fixture
def dialog(session, services, qtbot, tmp_path):
    dialog = qtbot.shown(ReportDialog(session, services, ("coverage",), Subset()))
    dialog.fields.set("place", str(tmp_path / "out.html"))
    yield dialog
    services.jobs.stop_all()


def settle(dialog, qtbot):
    dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def test_that_the_report_tells_why_scores_have_no_intervals_and_can_be_opened(
    dialog, qtbot, tmp_path, monkeypatch
):
    settle(dialog, qtbot)
    text = (tmp_path / "out.html").read_text("utf-8")
    cell = re.search(r'data-key="short/lead/coverage"[^>]*>([^<]*)<', text)
    assert cell is not None
    assert cell[1] == "1.000"
    assert "No interval: too few topics" in text
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    dialog.fields.button("open").click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path / "out.html"))]


def test_that_metrics_have_options_in_the_words_of_the_window(session, services, qtbot):
    dialog = qtbot.shown(ReportDialog(session, services, ("coverage:strict=yes",), Subset()))
    assert says(dialog, "coverage (strict = yes)")
    set_language("ja")
    QApplication.processEvents()
    assert says(dialog, "一部だけ抽出された対応文集合の得点 = まったくない")
    assert not says(dialog, "strict")


def test_that_a_file_of_that_name_is_told_before_it_is_replaced(dialog, qtbot, tmp_path):
    place = tmp_path / "own.html"
    place.write_text("mine", "utf-8")
    dialog.fields.set("place", str(place))
    assert dialog.message.text() == "A file with this name exists; it will be replaced."
    settle(dialog, qtbot)
    assert dialog.message.text() == f"Exported: {place}"


def test_that_a_place_that_cannot_be_written_is_told(dialog, qtbot, tmp_path):
    dialog.fields.set("place", str(tmp_path / "missing" / "out.html"))
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "cannot be written" in str(failed.args[1])
    assert not dialog.fields.button("open").isVisible()


def pdf_parts(path) -> tuple[bytes, int]:
    """Everything in the file with streams unpacked, and the number of pages."""
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    unpacked = []
    for stream in streams:
        try:
            unpacked.append(zlib.decompress(stream))
        except zlib.error:
            unpacked.append(stream)
    return data + b"".join(unpacked), len(re.findall(rb"/Type\s*/Page\b(?!s)", data))


def test_that_a_pdf_has_text_and_lines_and_no_pixels(qapp, tmp_path):
    lines = "".join(f"<p>Sentence {n}</p>" for n in range(200))
    content = PrintContent(title="x", html=lines, pictures=(PICTURE,))
    n_pages = write_pdf(content, tmp_path / "x.pdf")
    parts, n_in_file = pdf_parts(tmp_path / "x.pdf")
    assert n_pages == n_in_file >= 4
    assert b"/Font" in parts
    assert b"/Subtype /Image" not in parts
    assert [path.name for path in tmp_path.iterdir()] == ["x.pdf"]


def test_that_every_line_is_on_some_page_once(qapp, tmp_path):
    few, many = (
        write_pdf(PrintContent(title="x", html="<p>line</p>" * n), tmp_path / f"{n}.pdf")
        for n in (30, 300)
    )
    assert few == 1
    assert 5 <= many <= 12


def test_that_a_printer_gets_the_same_pages(qapp, tmp_path):
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "p.pdf"))
    content = PrintContent(title="x", html="<p>one</p>", pictures=(PICTURE, PICTURE))
    assert put_on(printer, content) == 3
    del printer
    assert pdf_parts(tmp_path / "p.pdf")[1] == 3


def test_that_a_pdf_that_cannot_be_written_leaves_nothing(qapp, tmp_path):
    with pytest.raises(EnvironmentProblem):
        write_pdf(PrintContent(title="x", html=""), tmp_path / "missing" / "x.pdf")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def page_with(qtbot):
    """Shows these widgets below one another on a page."""

    def show(*widgets):
        page = QWidget()
        layout = QVBoxLayout(page)
        for widget in widgets:
            layout.addWidget(widget)
        return qtbot.shown(page)

    return show


def test_that_tables_texts_and_pictures_in_sight_are_printed(services, page_with):
    grid, text, hidden, view = GridView(), QTextBrowser(), GridView(), PictureView(services.themes)
    columns = [Column(title="System"), Column(title="e(i)")]
    cells = [[Cell(text="a<b", is_number=False), Cell(text=".67", shade=0.67)]]
    grid.show_grid(grid_of(columns, cells))
    hidden.show_grid(grid_of(columns, [[Cell(text="out of sight"), Cell(text="1")]]))
    text.setPlainText("why & how")
    view.show_picture(lambda _width, _height: PICTURE)
    page = page_with(text, grid, hidden, view)
    hidden.hide()
    content = content_of(page, "Corpus")
    assert content.html.index("why &amp; how") < content.html.index("a&lt;b")
    assert 'bgcolor="#' in content.html
    assert "out of sight" not in content.html
    assert content.pictures == (PICTURE,)


def test_that_a_column_that_a_table_does_not_show_is_not_printed(page_with):
    grid = GridView()
    columns = [Column(title="System"), Column(title="Lost", is_shown=False), Column(title="e(i)")]
    grid.show_grid(grid_of(columns, [[Cell(text="lead"), Cell(text="—"), Cell(text=".67")]]))
    html = content_of(page_with(grid), "Corpus").html
    assert "Lost" not in html
    assert "—" not in html
    assert all(text in html for text in ("System", "e(i)", "lead", ".67"))


@pytest.mark.slow
@pytest.mark.parametrize("word", ["rouge-su.r", "文書セット", "Weighted coverage"])
def test_that_a_table_never_breaks_within_a_number_or_a_word(page_with, tmp_path, word) -> None:
    n, grid = 24, GridView()
    titles = [f"{word}{at}" for at in range(n)]
    rows = [[Cell(text=f"−0.{row:02}{at:02}*", value=0.1) for at in range(n)] for row in range(n)]
    columns = [Column(title=title, is_number=True) for title in titles]
    grid.show_grid(replace(grid_of(columns, rows), row_titles=tuple(titles)))
    writer = QPdfWriter(str(tmp_path / "x.pdf"))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(15, 15, 15, 15), QPageLayout.Unit.Millimeter)
    document = laid_out(writer, content_of(page_with(grid), "x"))
    assert document.size().width() <= document.textWidth() + 1
    found, block = [], document.begin()
    while block.isValid():
        found.append(block.text())
        assert block.layout().lineCount() <= max(1, len(block.text().split())), block.text()
        block = block.next()
    assert {cell.text for row in rows for cell in row} <= {*found}


def test_that_a_comparison_in_a_text_prints_as_a_table(page_with) -> None:
    text = QTextBrowser()
    text.setHtml(
        "<p>said</p><table><tr><td>A1</td><td>A2</td></tr><tr><td>●</td><td>a &lt; b</td></tr>"
        "</table><p>below</p>"
    )
    html = content_of(page_with(text), "x").html
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    assert cells == [["A1", "A2"], ["●", "a &lt; b"]]
    assert html.index("said") < html.index("<table") < html.index("below")


def test_that_scores_being_computed_are_printed_with_their_signatures_when_they_are_there(
    qtbot, open_window, services
) -> None:
    workspace, left, printed = open_window.workspace, [], []
    workspace.show_page("scores")
    workspace.print_when_computed(left.append)
    workspace.show_page("annotate")
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    workspace.page("scores").choose_subset(Subset(systems=("last",)))
    workspace.page("scores").choose_subset(Subset())
    workspace.show_page("scores")
    workspace.print_when_computed(printed.append)
    assert left == printed == []
    qtbot.waitUntil(lambda: len(printed) == 1)
    assert "precision:first=h" in printed[0].html
    assert "lead" in printed[0].html
    workspace.print_when_computed(printed.append)
    assert printed[0].html == printed[1].html
    workspace.page("scores").choose_subset(part := Subset(systems=("lead",)))
    assert workspace.scored_subset() == part  # of which a report is made


@pytest.mark.qt_log_ignore("Returned false", extend=True)
def test_that_a_printer_that_cannot_be_used_is_told_of(qtbot, open_window, tmp_path):
    printer = QPrinter()
    printer.setOutputFileName(str(tmp_path / "no" / "x.pdf"))
    open_window.dialogs.show_print(open_window.shown.print_content())
    preview = open_window.findChild(QPrintPreviewDialog)
    with qtbot.waitSignal(open_window.dialogs.failed) as failed:
        preview.paintRequested.emit(printer)
    assert failed.args[0] == "Nothing was printed."
    preview.close()


def test_that_the_table_is_copied_in_seconds(qtbot):
    log = [
        LoggedTime(annotator="1", active_ms=ms, topic="t", abstract="t-short", n=n)
        for n, ms in ((1, 65_000), (2, 2000))
    ]
    qtbot.shown(TimesDialog([small_topic()], log, None)).copy_table()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Annotator\tEdits\tTime\tSentences\tTime per sentence",
        "1\t2\t67.0\t2\t33.5",
    ]


@in_turn(
    ("milliseconds", "text"),
    [(0, "0.0 s"), (59_940, "59.9 s"), (61_000, "1 min 1 s"), (3_720_000, "1 h 2 min")],
)
def test_that_times_are_written_as_people_read_them(milliseconds, text):
    assert time_text(milliseconds) == text
