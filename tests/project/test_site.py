"""Every page of docs/ is in the navigation of the site, and every Japanese one has an original."""

from importlib import import_module
from pathlib import Path

import pytest
from tests.in_part import in_turn
from tests.written import write_files

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SETTINGS = ROOT / "mkdocs.yml"
pytestmark = pytest.mark.skipif(not SETTINGS.exists(), reason="tested in a checkout")


@in_turn("page", sorted(DOCS.glob("*.md")))
def test_that_a_page_is_in_the_navigation(page):
    if page.name.endswith(".ja.md"):
        assert page.with_name(page.name.replace(".ja.md", ".md")).exists()
    else:
        navigation = SETTINGS.read_text("utf-8").partition("\nnav:\n")[2]
        assert f" {page.name}\n" in navigation


@in_turn("name", ["index", "install", "tour", "first-corpus", "annotate", "glossary", "cite"])
def test_that_what_an_annotator_needs_is_in_japanese(name):
    text = (DOCS / f"{name}.ja.md").read_text("utf-8")
    letters = [letter for letter in text if letter.isalpha()]
    assert sum("ぁ" <= letter <= "鿿" for letter in letters) > len(letters) / 3


def test_that_links_that_lead_nowhere_are_found(tmp_path):
    japanese = '<h2 id="カバー">x</h2><a href="../a.html">'
    links = ["ja/#%E3%82%AB%E3%83%90%E3%83%BC", "#here", "https://elsewhere/x", "mailto:a@b", "ja"]
    broken = ["#gone", "b.md", "ja/index.html#gone", "c.png"]
    whole = "".join(f"<a class=x href='{one}'>" for one in links + broken[:-1])
    page = f'<p id="here">{whole}<img src={broken[-1]}>'
    write_files(tmp_path, {"ja/index.html": japanese, "a.html": page})
    assert import_module("tools.build_site").broken_links(tmp_path) == [
        f"a.html: {one}" for one in broken
    ]


def test_that_a_set_in_a_table_is_shown_and_not_taken_for_attributes():
    pytest.importorskip("mkdocs")
    markdown = pytest.importorskip("markdown")
    module = import_module("tools.build_site")
    page = DOCS / "metrics" / "minimal-cover.md"
    text = module.page_with_links_inside(page, DOCS)
    shown = markdown.markdown(text, extensions=["tables", "attr_list"])
    assert "{1} or {10, 11}" in shown.replace("&#123;", "{")
