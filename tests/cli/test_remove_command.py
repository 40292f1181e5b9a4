import pytest
from tests.cli.conftest import Finished
from tests.in_part import in_part

from awase.cli.output.messages import ProgressBar


@pytest.mark.parametrize(
    ("what", "name"), in_part([("topics", "0310"), ("systems", "前置"), ("alignments", "花子")])
)
def test_that_what_is_removed_comes_back_by_undo(run, corpus, what, name):
    before = run("export", corpus, "-").out
    result = run("remove", what, corpus, name, "--who", "me")
    assert (result.status, result.out) == (0, "")
    after = run("export", corpus, "-").out
    assert after != before
    assert run("undo", corpus, "--who", "me").status == 0
    assert run("export", corpus, "-").out == before
    assert "redone" in run("redo", corpus, "--who", "me").err
    assert run("export", corpus, "-").out == after


def test_that_an_import_is_taken_back_by_undo(run, corpus, write_file):
    before = run("export", corpus, "-").out
    news = write_file("x.json", '{"awase": 1, "topics": [{"id": "new", "documents": []}]}')
    assert run("import", corpus, news, "--who", "me").status == 0
    assert "new" in run("export", corpus, "-").out
    assert "import x.json: undone" in run("undo", corpus, "--who", "me").err
    assert run("export", corpus, "-").out == before


def test_that_what_is_not_there_is_told_with_what_is(run, corpus):
    result = run("remove", "systems", corpus, "nobody")
    assert result.status == 1
    assert "There is no system “nobody”. There are: " in result.err
    for what, name, option in (
        ("systems", "前置", "--topic"), ("alignments", "花子", "--topic"),
        ("alignments", "花子", "--abstract"), ("documents", "980101001", "--topic"),
        ("abstracts", "short", "--topic"),
    ):  # fmt: skip
        assert "“nowhere”" in run("remove", what, corpus, name, option, "nowhere").err
    assert run("remove", "human-scores", corpus).status == 2
    assert run("undo", corpus, "--who", "stranger").status == 1


@pytest.mark.parametrize(
    ("title", "words", "before"),
    in_part(
        [
            ("Removing", ("remove", "systems", "前置"), ()),
            ("Undoing", ("undo",), ("remove", "systems", "前置")),
        ]
    ),
)
def test_that_ctrl_c_says_where_a_change_of_all_topics_stopped_and_leaves_it(
    run, corpus, monkeypatch, title, words, before
):
    def on_corpus(given: tuple[str, ...]) -> Finished:
        n_first = len(given) - 1 if given[0] == "remove" else 1
        return run(*given[:n_first], corpus, *given[n_first:], "--who", "me")

    if before:
        assert on_corpus(before).status == 0
    stored, tell = run("export", corpus, "-").out, ProgressBar.advance

    def stopped(bar: ProgressBar, done: int, total: int, what: str = "") -> None:
        tell(bar, done, total, what)
        if what == "0310":
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ProgressBar, "advance", stopped)
        result = on_corpus(words)
    assert result.status == 130
    assert f"{title} stopped at 0310." in result.err
    assert run("export", corpus, "-").out == stored
