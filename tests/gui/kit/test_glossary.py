"""The glossary is where words are decided; what the program says keeps to it, in both languages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.in_part import in_turn

read_po = pytest.importorskip("babel.messages.pofile").read_po

ROOT = Path(__file__).resolve().parents[3]
JAPANESE = "ぁ-んァ-ヶー一-龠々"
CODE = re.compile(r"\{[^{}]*\}|awase \w.*|\S*[=/<>_]\S*|\"\w+\"|“\w+” and “\w+”")
"""What people type, fields and keys of files: no words of prose."""
OTHERWISE = {
    "cover": ("Coverage", "重な", "未対応"),
    "document": ("文書",),
    "extract": ("抽出",),
    "keep": ("残", "置", "守る", "持ち", "添え", "分け", "別に"),
    "lead": ("lead", "含む"),
    "measure": ("指標", "測"),
    "person": ("作業者", "人"),
    "precision": ("適合率",),
    "rank": ("順位",),
    "reference": ("参照訳",),
    "save": ("救出",),
    "score (verb)": ("スコア", "評価", "値", "点", "bert-score"),
    "unit": ("EDU", "単位"),
}
"""What Japanese says for another sense of the word."""
LEFT_OUT = {
    "abstract": 7,
    "abstract sentence": 2,
    "annotator": 2,
    "corpus": 3,
    "document": 2,
    "metric": 3,
    "person": 2,
    "score (verb)": 2,
    "system": 6,
    "topic": 4,
}
"""In how many messages Japanese needs no word for it, or has a field's name; of others in one."""


def rows(name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Returns the cells of both tables of a glossary: words, and words that are not used."""
    tables: list[list[list[str]]] = []
    for line in (ROOT / "docs" / name).read_text("utf-8").splitlines():
        if line.startswith("|---"):
            tables.append([])
        elif line.startswith("| ") and not line.startswith(("| not used", "| 使わない")) and tables:
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    words, unused = tables
    return words, unused


WORDS, UNUSED = rows("glossary.md")
WORDS_JA, UNUSED_JA = rows("glossary.ja.md")
PLACES_JA = sorted(
    path
    for path in (*ROOT.glob("docs/*.ja.md"), *ROOT.glob("resources/help/ja/*.md"))
    if path.name != "glossary.ja.md"
)


def said() -> Iterator[tuple[str, str]]:
    with (ROOT / "resources" / "i18n" / "ja" / "LC_MESSAGES" / "awase.po").open("rb") as stream:
        for one in read_po(stream):
            if one.id:
                strings = one.string if isinstance(one.string, tuple) else (one.string,)
                yield one.id if isinstance(one.id, str) else one.id[0], strings[0]


@pytest.fixture(scope="module")
def messages() -> dict[str, str]:
    return dict(said())


@pytest.fixture(scope="module")
def prose(messages: dict[str, str]) -> dict[str, str]:
    """Returns what stands in each message beside code, in small letters."""
    return {text: CODE.sub(" ", text).lower() for text in messages}


def test_that_both_glossaries_pair_the_same_words():
    def pairs(rows: list[list[str]]) -> set[tuple[str, str]]:
        bare = [(en.removeprefix("pages: "), ja.removeprefix("画面：")) for en, ja, _ in rows]
        return {(en, ja.split("（")[0]) for en, ja in bare}

    assert pairs(WORDS) == pairs([[en, ja, why] for ja, en, why in WORDS_JA])
    assert len(WORDS) >= 45


@in_turn(("avoided", "used"), [(row[0], row[1]) for row in UNUSED_JA])
def test_that_one_thing_has_one_name_in_japanese(messages, avoided, used):
    found = [text for text in messages.values() if avoided in text]
    found += [path.name for path in PLACES_JA if avoided in path.read_text("utf-8")]
    assert not found, f"write “{used}”: {found}"


def test_that_one_thing_has_one_name_in_english(messages):
    for avoided, used, _ in UNUSED:
        pattern = re.compile(rf"(?<![\w-]){re.escape(avoided)}\b", re.IGNORECASE)
        found = [text for text in messages if pattern.search(text)]
        assert not found, f"write “{used}”: {found}"


@in_turn(
    ("english", "japanese"),
    [
        (english, japanese)
        for term, japanese, _ in WORDS
        for english in term.split(", ")
        if english != "h"
        if not re.search(r"e\(i\)|SCU|pages|^minimal|\(ROUGE", term)
    ],
)
def test_that_a_message_with_a_word_of_the_glossary_has_its_pair(
    messages, prose, english, japanese
):
    bare = english.partition(" (")[0]
    bare = bare.lower()
    word = re.compile(rf"(?<![\w-]){re.escape(bare)}(?:s|ed|d)?(?![\w-])")
    pairs = [re.sub(r"（.*|す$|る$|む$", "", each) for each in japanese.split("、")]
    pairs += OTHERWISE.get(english, ())
    having = {
        text: messages[text]
        for text, plain in prose.items()
        if bare in plain and word.search(plain)
    }
    missing = [text for text, ja in having.items() if not any(pair in ja for pair in pairs)]
    assert len(missing) <= LEFT_OUT.get(english, 1), (pairs, missing)


@pytest.mark.slow
def test_that_english_spells_weighted_coverage_as_the_columns_of_the_window_do():
    places = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("resources/help/en/*.md")]
    places += [*ROOT.glob("core/**/*.py"), *ROOT.glob("gui/**/*.py"), *ROOT.glob("cli/**/*.py")]
    english = [one for one in places if ".ja." not in one.name and one.name != "glossary.md"]
    assert len(english) > 250
    assert not [one.name for one in english if "Weighted Coverage" in one.read_text("utf-8")]
    japanese = "".join(one.read_text("utf-8") for one in PLACES_JA)
    assert "Weighted Coverage" in japanese
    assert "Weighted coverage" not in japanese


def test_that_latin_letters_stand_apart_from_japanese_ones(messages):
    side_by_side = re.compile(f"[{JAPANESE}][A-Za-z0-9{{]|[A-Za-z0-9}}][{JAPANESE}]")
    unit = re.compile(r"\{unit\}超過|\{all\}中 ")  # fields that end in a Japanese word
    found = [text for text in messages.values() if side_by_side.search(unit.sub("", text))]
    assert found == []


def test_that_marks_between_japanese_words_are_wide(messages):
    narrow = re.compile(f"[{JAPANESE}」] ?[(?]|[)]?[{JAPANESE}」]: |％|[{JAPANESE}]:$")
    key = re.compile(r"\(&.\)|\(n\)|\(\*[^)]*\)")
    assert [text for text in messages.values() if narrow.search(key.sub("", text))] == []
    help_lines = [
        f"{path.name}: {line}"
        for path in ROOT.glob("resources/help/ja/*.md")
        for line in path.read_text("utf-8").splitlines()
    ]
    assert [one for one in help_lines if narrow.search(re.sub(r"`[^`]*`|\]\(", "", one))] == []


@pytest.mark.slow
def test_that_japanese_has_no_narrow_comma_or_colon_beside_its_code(messages):
    code = re.compile(
        r"\[.*\](?:, …|:)?|\"\w+\": \d|\w+\(\w.*\)|^A1, A2, A3$|&\w+;|Facet-0:"
        r"|\S+:\S+=\S+|「\w+:\w+」"
    )
    narrow = re.compile(rf"[,;:](?: |$)|，|[{JAPANESE}」}}][,;:]")
    assert [text for text in messages.values() if narrow.search(code.sub("", text))] == []


JOINED_AS_THEY_ARE = {
    "gui/dialogs/whole_corpus.py",  # what the log keeps
    "gui/kit/problems.py",  # what is sent to us
    "gui/pages/project/dialogs.py",  # names as they are typed
    "gui/pages/project/page.py",  # what the log keeps
}


def marks_between_values(source: str) -> Iterator[int]:
    """Yields the lines in which code itself puts English marks between what it shows."""
    tree = ast.parse(source)
    of_messages = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"tr", "ntr", "mark"}
        for argument in node.args[:1]
        for inner in ast.walk(argument)
    }
    within: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            within.update(node.values)
            parts = (one.value if isinstance(one, ast.Constant) else "\0" for one in node.values)
            text = "".join(map(str, parts))
            if re.search(r"\0[,:;](?: (?![a-z-]+:)|$|<)", re.sub(r"\[\0, \0\]", "", text)):
                yield node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_mark = re.fullmatch(r"[,:;] +…?", node.value)
            if is_mark and node not in of_messages | within:
                yield node.lineno


@pytest.mark.slow
def test_that_the_window_joins_words_by_the_marks_of_its_language():
    sample = 'a = ", ".join(b)\nc = f"{a}: {b}"\nd = f"h = [{a}, {b}]"\ne = tr(", ")'
    assert {*marks_between_values(sample)} == {1, 2}
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in ROOT.glob("gui/**/*.py")
        for line in marks_between_values(path.read_text("utf-8"))
    }
    assert {one for one in found if one.partition(":")[0] not in JOINED_AS_THEY_ARE} == set()


@pytest.mark.slow
def test_that_problems_list_names_for_every_language():
    joined = re.compile(r"(?:\w+=|\w\": )\", \"\.join\(")
    found = [
        f"{path.relative_to(ROOT)}: {hit}"
        for folder in ("core", "jobs", "storage")
        for path in ROOT.glob(f"{folder}/**/*.py")
        for hit in joined.findall(path.read_text("utf-8"))
    ]
    assert found == ['storage/store.py: subject=", ".join(']  # which the log keeps


def test_that_no_number_begins_with_its_point(messages):
    pointed = re.compile(r"(?<![\w.\])}*/~\\-])\.\d")
    pages = (*ROOT.glob("docs/metrics/*.md"), *ROOT.glob("resources/help/**/*.md"))
    found = [
        text for pair in messages.items() for text in pair if pointed.search(CODE.sub("", text))
    ]
    for path in pages:
        plain = re.sub(
            r"```.*?```|^    .*$|`[^`]*`|\S*\(http\S*",
            "",
            path.read_text("utf-8"),
            flags=re.DOTALL | re.MULTILINE,
        )
        found += [f"{path.name}: {hit}" for hit in pointed.findall(plain)]
    assert found == []
