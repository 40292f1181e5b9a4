"""In Japanese a problem names options as the window's fields do, not as the command line."""

import pytest

from awase.core.analysis.extractors import extractions_of
from awase.core.errors import InputError, Problem
from awase.gui.kit.i18n import hint_of, problem_text, set_language


def told(text: str) -> str:
    with pytest.raises(InputError) as refused:
        extractions_of([text])
    return " ".join(map(problem_text, refused.value.problems))


def test_that_a_refused_option_is_told_in_the_words_of_its_field():
    assert told("oracle:limit=a page").startswith("limit=a page is not a length. Use limit=refer")
    set_language("ja")
    assert told("oracle:limit=a page") == (
        "「オラクル要約の長さの上限：a page」は長さではありません。「オラクル要約の長さの上限："
        "参照要約の長さ制限と同じ」とするか、1 以上の語数・文字数・文数を 100w、200c、5s のように"
        "書いてください。"
    )
    assert told("mmr:lambda=2").startswith("「MMR の重点：2」は 0 から 1 の間に")


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        (
            "Use limit=none, or a number of words, characters or bytes such as limit=100w, "
            "limit=400c or limit=665b.",
            "「各テキストのうち数える長さ：全体」か、「各テキストのうち数える長さ：100w」、",
        ),
        ("Choose annotator=first, gold or a name.", "「正解とする対応付け：各アブストラクトの最初"),
    ],
)
def test_that_what_stands_beside_an_option_tells_whose_it_is(hint, shown):
    set_language("ja")
    assert hint_of(Problem(what="", hint=hint, fields={"metric": "subtree"})).startswith(shown)


def test_that_what_is_no_option_stays_as_it_is():
    set_language("ja")
    what = "Anna=A1, where somebody goes by another name in a file"
    assert problem_text(Problem(what=what)) == "Anna=A1（ファイルの中で名前が違う人がいるとき）"
