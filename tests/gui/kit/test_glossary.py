"""The glossary is where words are decided; what the program says keeps to it."""

import re
from pathlib import Path

import pytest

read_po = pytest.importorskip("babel.messages.pofile").read_po

ROOT = Path(__file__).resolve().parents[3]
GLOSSARY = (ROOT / "docs" / "glossary.ja.md").read_text("utf-8")
_AVOIDED = GLOSSARY.partition("## 使わない言葉")[2]
PAIRS = [
    (avoided, used)
    for avoided, used in re.findall(r"^\| (\S+) \| (\S+) \|$", _AVOIDED, re.MULTILINE)
    if avoided != "使わない"
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    path = ROOT / "resources" / "i18n" / "ja" / "LC_MESSAGES" / "awase.po"
    with path.open("rb") as stream:
        catalogue = read_po(stream)
    forms = [one.string if isinstance(one.string, tuple) else (one.string,) for one in catalogue]
    return [text for each in forms for text in each if text]


@pytest.mark.parametrize(("avoided", "used"), PAIRS)
def test_that_one_thing_has_one_name_in_japanese(texts: list[str], avoided: str, used: str) -> None:
    found = [text for text in texts if avoided in text]
    assert not found, f"write “{used}”: {found}"


def test_that_the_words_that_are_used_instead_are_used(texts: list[str]) -> None:
    assert len(PAIRS) >= 6
    for _, used in PAIRS:
        stem = used.rstrip("むすう")
        assert any(stem in text for text in texts), used


def test_that_latin_letters_stand_apart_from_japanese_ones(texts: list[str]) -> None:
    japanese = "ぁ-んァ-ヶー一-龠々"
    side_by_side = re.compile(f"[{japanese}][A-Za-z]|[A-Za-z][{japanese}]")
    assert [text for text in texts if side_by_side.search(_WITHIN_BRACES.sub("{", text))] == []


_WITHIN_BRACES = re.compile(r"\{\w*\}")
