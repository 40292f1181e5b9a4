import re
import shutil
import subprocess
from fractions import Fraction
from html import escape
from html.parser import HTMLParser

import pytest
from tests.building import abstract, extract, topic
from tests.core.analysis.test_sentences import TABLE_1, topic_of
from tests.in_part import in_turn

from awase.core.analysis.inspection import inspect_topic
from awase.core.errors import Problem, Silent
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.reports.grid import RowsOnDemand, column_values
from awase.core.reports.html_report import ReportContent, Voice, html_pieces, inspected_as
from awase.core.reports.score_report import (
    ScoreWording,
    View,
    ViewKind,
    arranged,
    grid_of_scores,
    report_cell,
)

EXTRACTS = {"lead": (1, 3, 8, 12), "<b>&": (10, 3)}
VOID = {"meta", "br", "img", "link"}


def html_report(*given):
    return "".join(html_pieces(*given))


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: dict[str, str] = {}
        self.loaded: list[str] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self._key = ""
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.loaded += [values[name] for name in ("src", "href") if name in values]
        self._key = values.get("data-key", "") if tag == "td" else self._key
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        self._key = ""

    def handle_data(self, data):
        self.texts.append(data)
        if self._key:
            self.cells[self._key] = data


def content(**changes) -> ReportContent:
    topic = topic_of(TABLE_1, EXTRACTS)
    corpus = Corpus(name="Table <1>", topics=(topic,))
    table = score_corpus(corpus, requests_of(["tsc3"]), Silent())
    values = {
        "corpus": corpus,
        "table": table,
        "inspection": inspect_topic(topic, "first", Tsc3Options()),
        "made": "2026-01-01",
        **changes,
    }
    return ReportContent(**values)


def test_that_every_mean_is_on_the_page():
    page = Page(html_report(content()))
    means = {
        f"{score.length or ''}/{score.system}/{score.metric}": f"{float(score.value):.3f}"
        for score in content().table.scores
        if score.topic is None and score.value is not None
    }
    assert len(means) >= 4
    assert means.items() <= page.cells.items()


def test_that_the_page_loads_nothing_and_runs_nothing():
    text = html_report(content())
    assert Page(text).loaded == []
    assert "<script" not in text
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text)


def test_that_signatures_and_findings_are_there():
    text = html_report(content())
    assert "coverage:first=h" in text
    assert "sentence 3" in text
    assert "What each system spent its places on" in text
    silent = content(inspection=inspect_topic(topic_of(TABLE_1, {}), "first", Tsc3Options()))
    assert "spent its places" not in html_report(silent)
    assert "0 of 3 abstract sentences are missed by every system." in text


def test_that_what_the_page_says_is_translated():
    text = html_report(content(), Voice(say=lambda message: f"«{message}»", language="ja"))
    assert '<html lang="ja">' in text
    assert "<h2>«Scores»</h2>" in text


def test_that_reasons_remarks_and_metrics_are_in_the_words_of_the_page():
    bare = topic_of({1: []}, EXTRACTS)
    table = score_corpus(Corpus(topics=(bare,)), requests_of(["coverage"]), Silent())
    table += ScoreTable(warnings=(Problem(what="Something of {name}.", fields={"name": "lead"}),))
    voice = Voice(tell=lambda one: f"told: {one.what}", metric=lambda name: f"the {name}")
    text = html_report(content(table=table), voice)
    reasons = {score.reason.what for score in table.scores if score.reason is not None}
    assert reasons
    assert all(f'title="told: {escape(one, quote=True)}"' in text for one in reasons)
    assert "<li>told: Something of {name}.</li>" in text
    assert '<th scope="col">the coverage</th>' in text
    assert Page(text).cells["/lead/coverage"] == "—"


@pytest.mark.slow
def test_that_a_browser_shows_a_score(tmp_path):
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    page = tmp_path / "report.html"
    page.write_text(html_report(content()), encoding="utf-8")
    done = subprocess.run(
        [
            chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    assert Page(done.stdout).cells["/lead/coverage"] == "0.611"


CORPUS = Corpus(
    topics=(
        topic("a", docs=["It rained.", "It snowed."],
              abstracts=[abstract("s", {"A1": ["s1", "s2"]}, texts=["Rain.", "Snow."])],
              outputs=[extract("x", 1), extract("y", 2, 1)]),
        topic("b", docs=["It rained.", "It snowed."],
              abstracts=[abstract("s", {"A1": ["s1", "-"]}, texts=["Rain.", "Snow."])],
              outputs=[extract("x", 2)]),
    )
)  # fmt: skip


@in_turn(
    "view", [View(), View(kind=ViewKind.SYSTEM, subject="x"), View(kind=ViewKind.LIST_BY_TOPIC)]
)
def test_that_rows_as_asked_are_those_made_at_once_and_sorted_alike(view):
    table = score_corpus(CORPUS, requests_of(["tsc3"]), Silent())
    shown, wording = arranged(ScoreArrays(table=table), view), ScoreWording(cell=report_cell)
    at_once = grid_of_scores(shown, wording)
    asked = grid_of_scores(shown, wording, as_asked=True)
    assert isinstance(asked.rows, RowsOnDemand)
    assert len(at_once.rows) > 1
    assert [*asked.rows] == [*at_once.rows]
    plain = RowsOnDemand(len(at_once.rows), at_once.rows.__getitem__)
    for column in range(len(asked.columns)):
        keys = [*column_values(at_once, column)]
        assert keys == [*column_values(asked, column)] == [*plain.values(column)]


def test_that_h_and_resampling_are_those_of_what_is_shown():
    table = score_corpus(CORPUS, requests_of(["tsc3"]), Silent())
    made = ScoreArrays(table=table, resampling=("r",), baseline="x")
    for kind, subject, h, told in (
        (ViewKind.MEANS, "", Fraction(3, 2), ("r",)), (ViewKind.TOPIC, "a", 2, ()),
        (ViewKind.TOPIC, "b", 1, ()), (ViewKind.SYSTEM, "x", Fraction(3, 2), ()),
    ):  # fmt: skip
        shown = arranged(made, View(kind=kind, subject=subject))
        assert (shown.h, shown.resampling) == (((None, h),), told)
        assert shown.baseline == ("x" if told else "")


@in_turn(
    ("metrics", "annotator", "first"),
    [
        (["rouge-1", "coverage:annotator=A2,first=2", "precision"], "A2", "2"),
        (["coverage:annotator=all,first=all"], "first", "all"), (["rouge-1"], "first", "h"),
    ],
)  # fmt: skip
def test_that_extracts_are_inspected_as_the_first_metric_of_them_says(metrics, annotator, first):
    assert inspected_as(requests_of(metrics), CORPUS)[0] == annotator
    assert f"{inspected_as(requests_of(metrics), CORPUS)[1].first}" == first
