"""What the window gives is, byte for byte, what the command line gives."""

import gzip
import json
import re
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("PySide6")

from tests.cli.conftest import CSV, LATEX
from tests.core.language.trees import tree
from tests.gui.dialogs.test_extractors_dialog import choose
from tests.in_part import in_part
from tests.jobs.faces import Faces, whole
from tests.jobs.small_corpus import of_two_annotators
from tests.models_made_up import put_parser

from awase.gui.dialogs.deriving import ExtractorsDialog, ParseDialog
from awase.gui.dialogs.transfer.files_dialog import ExportDialog, ImportDialog
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
from awase.gui.dialogs.whole_corpus import ReportDialog
from awase.gui.pages.correlations.page import CorrelationsPage
from awase.gui.pages.inspect.explaining import InspectedPlace, WordsPane
from awase.gui.pages.scores.page import EXPORTS, ScoresPage
from awase.jobs.subset import Subset
from awase.jobs.supplies.gathering import Places
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

MINUTE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")


PRUNED = "prouge-1:ratio=0.6,vocabulary=topic"
METRICS = (("tsc3",), ("rouge-1:tokens=unicode", "coverage:strict=yes"), (PRUNED,),
           ("prouge-1", "rouge-we-1"))  # fmt: skip
SUBSETS = (
    Subset(),
    Subset(systems=("one", "lead")),
    Subset(topics=("u", "t"), systems=("two", "lead")),
)


def words_of(faces: Faces, metrics: tuple[str, ...], subset: Subset) -> list[object]:
    words: list[object] = [word for name in metrics for word in ("-m", name)]
    words += [word for name in subset.topics or () for word in ("--topic", name)]
    words += [word for name in subset.systems or () for word in ("--system", name)]
    needs = any(name.startswith(("prouge", "rouge-we")) for name in metrics)
    return [*words, "--vectors", faces.vectors] if needs else words


def scores_page(faces: Faces, session, metrics: tuple[str, ...], subset: Subset) -> ScoresPage:
    page = faces.owned(ScoresPage(session, faces.services, None))
    page.controls.metrics.choose(metrics, Places(vectors=str(faces.vectors)))
    page.choose_subset(subset)
    faces.settle()
    return page


def export_scores(page: ScoresPage, kind: str) -> None:
    page.controls.export.menu().actions()[[*EXPORTS].index(kind)].trigger()


@pytest.mark.parametrize(
    ("metrics", "subset"),
    in_part(product(METRICS, SUBSETS), by_default=lambda case: case == (METRICS[0], SUBSETS[2])),
)
def test_that_scores_are_those_of_the_command_line(faces, session, metrics, subset):
    page = scores_page(faces, session, metrics, subset)
    export_scores(page, "tidy")
    shown = faces.saved(page, faces.folder / "scores.csv")
    assert shown == faces.says("score", faces.corpus, CSV, *words_of(faces, metrics, subset))


@pytest.mark.slow
def test_that_the_range_over_annotators_is_shown_by_both(faces):
    faces.store(of_two_annotators())
    metric = "coverage:annotator=all"
    with faces.window_on(faces.corpus) as session:
        page = scores_page(faces, session, (metric,), Subset())
        written = []
        for name in ("tidy", "wide"):
            export_scores(page, name)
            written.append(faces.saved(page, faces.folder / f"{name}.csv"))
        model = page.table.model()
        texts = [
            str(model.index(row, column).data())
            for row in range(model.rowCount())
            for column in range(model.columnCount())
        ]
    assert written[0] == faces.says("score", faces.corpus, CSV, "-m", metric)
    assert "lowest" in written[0].splitlines()[0]
    assert " highest" in written[1].splitlines()[0]
    said = faces.says("score", faces.corpus, "-m", metric)
    assert re.search(r"[01]\.\d{4} \{[01]\.\d{4}–[01]\.\d{4}\}", said), said
    assert "{low–high} range over annotators" in said
    assert any(re.search(r"\{[01]\.\d{3}–[01]\.\d{3}\}", text) for text in texts), texts


@pytest.mark.slow
@pytest.mark.parametrize("baseline", in_part(["last", ""]))
def test_that_intervals_and_tests_are_the_same(faces, session, baseline):
    page = scores_page(faces, session, ("tsc3", "rouge-1"), Subset())
    page.controls.intervals.setChecked(True)
    page.controls.baseline.setCurrentIndex(page.controls.baseline.findData(baseline))
    page.controls.baseline.activated.emit(page.controls.baseline.currentIndex())
    faces.settle()
    export_scores(page, "tidy")
    shown = faces.saved(page, faces.folder / "scores.csv")
    words = ["--baseline", baseline] if baseline else []
    words += ["-m", "tsc3", "-m", "rouge-1"]
    assert shown == faces.says("score", faces.corpus, CSV, "--interval", *words)


@pytest.mark.slow
def test_that_scores_of_a_file_are_kept_alike(faces, session):
    file = faces.folder / "scores.csv"
    file.write_text(faces.says("score", faces.corpus, CSV), "utf-8")
    page = faces.owned(ScoresPage(session, faces.services, None))
    page.kept.bring(file)
    faces.qtbot.waitUntil(lambda: page.kept.shown is not None)
    export_scores(page, "tidy")
    shown = faces.saved(page, faces.folder / "kept.csv")
    faces.services.jobs.stop_all()
    session.store.close()
    faces.says("scores", faces.corpus, "--import", file)
    said = [faces.says("scores", faces.corpus, "--show", run, CSV) for run in (1, 2)]
    assert [shown, shown] == said


@pytest.mark.parametrize(
    ("subset", "has_intervals"),
    in_part(product(SUBSETS, [True, False]), by_default=lambda case: case[0].topics and case[1]),
)
def test_that_reports_are_the_same(faces, session, subset, has_intervals):
    metrics = ("tsc3", PRUNED)
    faces.remember_vectors()
    dialog = faces.owned(ReportDialog(session, faces.services, metrics, subset))
    dialog.fields.set("place", str(faces.folder / "window.html"))
    dialog.fields.set("intervals", has_intervals)
    dialog.submit()
    faces.settle()
    words = words_of(faces, metrics, subset)
    words += [] if has_intervals else ["--interval", "none"]
    faces.says("report", faces.corpus, faces.folder / "line.html", *words)
    pages = [(faces.folder / name).read_text("utf-8") for name in ("window.html", "line.html")]
    assert all(len(MINUTE.findall(page)) == 1 for page in pages)
    shown, said = (MINUTE.sub("then", page) for page in pages)
    assert shown == said


@pytest.mark.parametrize(
    "metrics", in_part(map(pytest.param, [("tsc3",), ("prouge-2", "rouge-we-1"), (PRUNED,)]))
)
def test_that_correlations_are_the_same(faces, session, metrics):
    faces.remember_vectors()
    page = faces.owned(CorrelationsPage(session, faces.services, None))
    page.controls.metrics.show_metrics(metrics)
    page.compute()
    faces.settle()
    words = ("--human", "quality", "--test", "permutation", *words_of(faces, metrics, Subset()))
    for ending, flag in (("csv", CSV), ("tex", LATEX)):
        assert page.text_of(ending) == faces.says("correlate", faces.corpus, flag, *words)


@pytest.mark.parametrize(
    ("format_id", "words", "fields"),
    in_part(
        [
            ("awase-json", ("--topic", "t"), {"topic": "t"}),
            ("awase-json", (), {}),
            ("extract-lines", (), {}),
            ("score-table", (), {}),
            (
                "alignment-table",
                ("--topic", "t", "--abstract", "t-short", "--annotator", "1"),
                {"topic": "t", "abstract": "t-short", "annotator": "1"},
            ),
            ("parallel-text", (), {}),
            ("awase-json", ("--unassisted",), {"unassisted": True}),
        ]
    ),
)
def test_that_exports_are_the_same(faces, session, format_id, words, fields):
    dialog = faces.owned(ExportDialog(session, faces.services, None))
    shown, said = faces.folder / "window", faces.folder / "line"
    for name, value in {"format": format_id, **fields, "place": str(shown)}.items():
        dialog.fields.set(name, value)
    dialog.submit()
    faces.settle()
    faces.says("export", faces.corpus, said, "--format", format_id, *words)
    assert content_of(shown) == content_of(said)


def content_of(place: Path) -> dict[str, bytes]:
    files = [place] if place.is_file() else sorted(place.rglob("*"))
    found = {str(one.relative_to(place)): one.read_bytes() for one in files if one.is_file()}
    assert found
    assert all(found.values())
    return found


@pytest.mark.parametrize("name", in_part(["all.json.gz", "all.json"]))
def test_that_imports_are_the_same(faces, name):
    file = faces.folder / name
    content = faces.says("export", faces.corpus, "-").encode()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    window, line = faces.folder / "window.awase", faces.folder / "line.awase"
    for path in (window, line):
        CorpusStore.create(path, name="x", who="1").close()
    with faces.window_on(window) as session:
        dialog = faces.owned(ImportDialog(session, faces.services, None))
        dialog.add_files([file])
        faces.settle()
        dialog.submit()
    faces.says("import", line, file)
    assert whole(faces, window) == whole(faces, line)
    assert '"outputs"' in whole(faces, line)


@pytest.mark.slow
def test_that_texts_of_a_folder_become_the_same(faces, qtbot):
    folder = faces.folder / "quake"
    folder.mkdir()
    for stem, text in (("asahi", "A hall fell. It rained."), ("abstract", "A hall broke.")):
        (folder / f"{stem}.txt").write_text(text, "utf-8")
    dialog = faces.owned(TextsDialog(faces.services, folder=faces.folder))
    dialog.add_files([folder])
    faces.settle()
    with qtbot.waitSignal(dialog.created) as made:
        dialog.submit()
    line = faces.folder / "line.awase"
    faces.says("import", line, folder)
    assert whole(faces, Path(made.args[0])) == whole(faces, line)
    assert "A hall broke." in whole(faces, line)


@pytest.mark.slow
def test_that_extracts_are_the_same(faces):
    window, line = faces.copies()
    with faces.window_on(window) as session:
        dialog = faces.owned(ExtractorsDialog(session, faces.services, None))
        choose(dialog, {"tfidf": {}, "random": {}})
        dialog.submit()
    faces.says("extract", line, "--with", "tfidf,random")
    assert whole(faces, window) == whole(faces, line)
    assert '"tfidf-' in whole(faces, line)


def parses_of(faces: Faces, corpus: Path) -> str:
    target = corpus.with_suffix(".conllu")
    faces.says("parse", corpus, "--to", target, "--force")
    return target.read_text("utf-8")


class OneWord:
    model = "one-word"

    def parses(self, texts):
        return ([(tree("word//NOUN 0 root"),)] for _ in texts)


@pytest.mark.slow
def test_that_parses_are_the_same(faces, monkeypatch):
    put_parser(monkeypatch, OneWord())
    window, line = faces.copies()
    with faces.window_on(window) as session:
        dialog = faces.owned(ParseDialog(session, faces.services, None))
        faces.settle()
        dialog.submit()
    faces.says("parse", line, "--engine", "stanza")
    assert parses_of(faces, window) == parses_of(faces, line)
    assert "one-word" in parses_of(faces, line)


@pytest.mark.slow
def test_that_words_that_count_as_one_are_the_same(faces, session):
    metric = "prouge-1:ratio=0.6"
    pane = faces.owned(WordsPane(session, faces.services))
    pane.chooser.choose((metric,), Places(vectors=str(faces.vectors)))
    pane.show()
    pane.show_place(InspectedPlace(topic="t"))
    faces.settle()
    shown = {tuple(line.split("\t")[1:]) for line in pane.grid.as_text().splitlines()[1:]}
    words = ("-m", metric, "--vectors", faces.vectors, "--topic", "t", "--json")
    reports = json.loads(faces.says("clusters", faces.corpus, *words))["clusters"]
    said = {
        (
            report["system"],
            report["length"],
            " ".join(merged["in_references"]),
            " ".join(merged["in_outputs"]),
            f"{merged['distance']:.3f}",
        )
        for report in reports
        for merged in report["merged"]
    }
    assert len(said) > 1
    assert shown == said
