"""The parse dialog: what it says of a parser, and what becomes of its work."""

import threading
from pathlib import Path

import pytest
from tests.building import topic
from tests.core.language.trees import tree
from tests.gui.seeing import pick, says
from tests.models_made_up import put_parser

from awase.core.errors import Cancelled, Problem, Silent
from awase.core.metrics.registry import requests_of
from awase.gui.dialogs.deriving import ParseDialog
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

N_TEXTS = 5  # three source sentences and two of the abstract


class OneWord:
    """Parses text by text; waits after the first when it is told to."""

    model = "one-word"

    def __init__(self):
        self.go_on = threading.Event()
        self.go_on.set()

    def parses(self, texts):
        for text_idx, _ in enumerate(texts):
            yield [(tree("word//NOUN 0 root"),)]
            if text_idx == 0:
                self.go_on.wait(60)


@pytest.fixture
def module(monkeypatch):
    return put_parser(monkeypatch, OneWord())


def settle(dialog, qtbot):
    qtbot.waitUntil(
        lambda: not dialog.is_busy and dialog.fields["there"].text() not in ("", "Looking…")
    )


@pytest.fixture
def dialog(module, session, services, qtbot):
    """The dialog once it knows what is there."""
    dialog = qtbot.shown(ParseDialog(session, services, None))
    settle(dialog, qtbot)
    return dialog


def test_that_what_lacks_a_parse_is_parsed_kept_and_told(dialog, session, qtbot):
    assert dialog.fields["there"].text() == "no parse of 5 sentences"
    with qtbot.waitSignal(session.changed):
        dialog.accept_button.click()
    settle(dialog, qtbot)
    assert session.store.parse_models() == {"one-word": N_TEXTS}
    assert dialog.message.text() == "5 sentences were parsed. (one-word)"
    assert dialog.fields["there"].text() == "parses of 5 of 5 sentences by one-word"


def test_that_a_parser_that_lacks_something_says_what_and_cannot_be_started(module, dialog, qtbot):
    module.problem = Problem(what="It is not here.", hint="Fetch it.")
    dialog.fields.set("folder", "somewhere")
    dialog.look()
    settle(dialog, qtbot)
    assert dialog.message.text() == "It is not here. Fetch it."
    assert not dialog.accept_button.isEnabled()
    assert dialog.fields["download"].isEnabled()


def test_that_a_failed_look_is_over_and_the_parser_is_not_started(module, dialog, qtbot):
    module.missing = lambda _request: [][0]
    with qtbot.waitSignal(dialog.failed):
        dialog.look()
    assert dialog.fields["there"].text() == "—"
    assert not dialog.accept_button.isEnabled()
    module.missing = lambda _request: None
    dialog.look()
    dialog.fields["engine"].clear()  # as for a language without a parser
    dialog.look()
    qtbot.waitUntil(lambda: not dialog.jobs.is_busy)
    assert not dialog.accept_button.isEnabled()


def test_that_stopping_keeps_what_was_parsed(module, dialog, session, qtbot):
    dialog.take_file(Path("no such file"))
    settle(dialog, qtbot)
    module.parser.go_on.clear()
    dialog.accept_button.click()
    close = dialog.leave_button
    assert close.text() == "Stop"
    qtbot.waitUntil(lambda: dialog.progress.maximum() == N_TEXTS)
    close.click()
    module.parser.go_on.set()
    settle(dialog, qtbot)
    assert 1 <= session.store.parse_models()["one-word"] <= 2
    assert dialog.isVisible()
    assert "what was parsed until then is kept" in dialog.message.text()
    close.click()
    assert not dialog.isVisible()


@pytest.mark.slow
def test_that_nothing_is_looked_at_when_the_window_closes_while_it_parses(
    module, dialog, services, qtbot
):
    module.parser.go_on.clear()
    dialog.accept_button.click()
    qtbot.waitUntil(lambda: dialog.progress.maximum() == N_TEXTS)
    module.parser.go_on.set()
    services.jobs.stop_all()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def test_that_parses_are_taken_from_a_file_and_what_does_not_match_is_told(
    dialog, session, qtbot, tmp_path
):
    path = tmp_path / "theirs.conllu"
    parse = "# text = {}\n1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text(parse.format("It rained.") + parse.format("It snowed."), "utf-8")
    dialog.take_file(path)
    settle(dialog, qtbot)
    assert session.store.parse_models() == {"theirs": 1}
    assert dialog.message.text() == "Kept the parses of 1 of 5 sentences, as by theirs."
    (told,) = dialog.findChildren(ProblemsDialog)
    assert says(told, "1 remark")
    told.close()


def test_that_nothing_of_a_file_is_kept_when_taking_it_is_stopped(
    dialog, session, qtbot, tmp_path, monkeypatch
):
    path = tmp_path / "theirs.conllu"
    path.write_text("# text = It rained.\n1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n\n", "utf-8")

    def stopped(*_, **__):
        raise Cancelled

    monkeypatch.setattr(CorpusStore, "replace_parses", stopped)
    dialog.take_file(path)
    settle(dialog, qtbot)
    assert session.store.parse_models() == {}
    assert dialog.message.text() == "Stopped; nothing from the file was kept."


def test_that_a_corpus_that_cannot_be_written_is_only_looked_at(
    module, make_corpus, services, qtbot
):
    with CorpusStore.open(make_corpus(), who="1", read_only=True) as store:
        dialog = qtbot.added(ParseDialog(CorpusSession(store, who="1"), services, None))
        settle(dialog, qtbot)
        assert not dialog.accept_button.isEnabled()
        assert not dialog.fields["file"].isEnabled()


def test_that_scores_rest_on_the_parses_of_the_open_corpus(dialog, session, qtbot, tmp_path):
    from awase.jobs.scoring import score
    from awase.jobs.supplies.gathering import Supplier, stored_parses

    dialog.accept_button.click()
    settle(dialog, qtbot)
    supplies = Supplier(stored_parses(session.store))
    table = score(session.corpus(), requests_of(["be:mode=h"]), Silent(), supplies=supplies)
    assert {one.value for one in table.scores if one.metric == "be.r"} == {1.0}


def test_that_the_parser_is_looked_at_and_loaded_with_the_folder_of_models(module, dialog, qtbot):
    asked = []
    module.missing = lambda request: asked.append(request.folder)
    module.load = lambda request: asked.append(request.folder) or module.parser
    dialog.fields.set("folder", "my models")
    dialog.look()
    settle(dialog, qtbot)
    assert asked[-1] == Path("my models")
    asked.clear()
    dialog.accept_button.click()
    settle(dialog, qtbot)
    assert asked[0] == Path("my models")


def test_that_a_parser_that_needs_no_folder_is_the_first_and_another_is_looked_at(
    module, session_over, services, qtbot
):
    session = session_over(topic("t", docs=("犬が走った。",), language="ja"))
    dialog = qtbot.added(ParseDialog(session, services, None))
    settle(dialog, qtbot)
    assert dialog.fields.text("engine") == "ginza"
    asked = []
    module.missing = lambda request: asked.append(request.folder)
    dialog.fields.set("folder", "my models")
    pick(dialog.fields["engine"], "stanza")
    qtbot.waitUntil(lambda: asked == [Path("my models")])
