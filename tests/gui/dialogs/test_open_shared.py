"""A corpus on a server is tried before the window goes there; nobody sees or keeps a password."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from awase.core.errors import EnvironmentProblem
from awase.gui.dialogs.opening import OpenSharedDialog
from awase.storage.addresses import PasswordRefused
from awase.storage.postgresql.servers import ServerCorpus
from awase.storage.store import CorpusStore

ADDRESS = "postgresql://ann@server.example:5433/tsc3"
FOUND = ServerCorpus(
    location=ADDRESS, name="TSC-3", n_topics=30, role="ann", may_write=True, is_older=False
)


@pytest.fixture
def asked(monkeypatch):
    """What servers were asked for, and what they answer."""
    answers = {"asked": [], "answer": FOUND, "kept": []}

    def look(location, password=""):
        answers["asked"].append((location, password))
        if isinstance(answers["answer"], Exception):
            raise answers["answer"]
        return answers["answer"]

    monkeypatch.setattr("awase.storage.postgresql.servers.look_at_server", look)
    monkeypatch.setattr(
        "awase.storage.postgresql.servers.keep_server_password",
        lambda *given: answers["kept"].append(given) is None,
    )
    return answers


@pytest.fixture
def dialog(services, qtbot):
    return qtbot.shown(OpenSharedDialog(services))


def fill(dialog, **values):
    for name, value in values.items():
        dialog.fields.set(name, value)


def test_that_an_address_may_be_typed_and_enter_opens_after_the_test(dialog, asked, qtbot):
    host = dialog.fields.widget_as("host", QLineEdit)
    fill(dialog, database="tsc3", user="me", password="old")
    host.setFocus()
    QTest.keyClicks(host, "postgresql://ann:ge%3Aheim@server.example:5433")
    assert dialog.accept_button.isEnabled()
    assert dialog.location() == ADDRESS
    dialog.fields["test"].setFocus()
    password = dialog.fields.widget_as("password", QLineEdit)
    assert (dialog.fields.text("host"), password.text()) == ("server.example", "ge:heim")
    assert password.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClick(dialog.fields["test"], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert dialog.focusWidget() is dialog.accept_button
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert chosen.args == [ADDRESS, "ge:heim"]


@pytest.mark.parametrize(
    ("answer", "said", "look"),
    [
        (FOUND, "Connected to “TSC-3”: 30 topics.", "muted"),
        (replace(FOUND, name="n", n_topics=1, may_write=False, is_older=True),
         "Connected to “n”: 1 topic. “ann” may only read it. It was made by an older version",
         "muted"),
        (PasswordRefused("The server does not take it."), "The server does not take it.", "danger"),
        (EnvironmentProblem("“x” is not an Awase corpus."), "not an Awase", "danger"),
    ],
)  # fmt: skip
def test_that_the_connection_is_tested_without_opening(dialog, asked, qtbot, answer, said, look):
    asked["answer"] = answer
    fill(dialog, host="server.example", port=5433, database="tsc3", password=" a b ")
    qtbot.keyClicks(dialog.fields["user"], "ann")
    opened = []
    dialog.chosen.connect(lambda *given: opened.append(given))
    dialog.fields["test"].click()
    qtbot.waitUntil(lambda: said in dialog.message.text())
    assert dialog.message.property("look") == look
    assert asked["asked"] == [(ADDRESS, " a b ")]
    assert not opened
    assert dialog.isVisible()
    assert dialog.has_unsaved()  # a test has no use for what was typed
    fill(dialog, database="other")
    assert said not in dialog.message.text()


@pytest.mark.parametrize(("password", "keep"), [("w", False), ("w", True), ("", True)])
def test_that_opening_hands_over_the_password_and_keeps_it_only_where_that_is_wanted(
    services, asked, qtbot, monkeypatch, password, keep
):
    monkeypatch.setattr("awase.storage.postgresql.servers.has_keyring", lambda: True)
    dialog = qtbot.shown(OpenSharedDialog(services))
    fill(dialog, host=ADDRESS)
    assert dialog.fields.text("host") == "server.example"  # at once, as it was pasted
    fill(dialog, password=password, keep=keep)
    with qtbot.waitSignal(dialog.chosen) as opened:
        dialog.accept_button.click()
    kept = [(ADDRESS, password)] if password and keep else []
    assert (opened.args, asked["kept"]) == ([ADDRESS, password], kept)


def test_that_a_server_that_wants_a_password_is_asked_for_one_over_the_open_corpus(
    open_window, qtbot, monkeypatch
):
    tried = []

    def refuse(location, **given):
        tried.append((location, given.get("password")))
        raise PasswordRefused("The server of “{path}” requires a password.", path=location)

    monkeypatch.setattr(CorpusStore, "open", refuse)
    open_window.open_location(ADDRESS)
    qtbot.waitUntil(lambda: bool(open_window.findChildren(OpenSharedDialog)))
    (dialog,) = open_window.findChildren(OpenSharedDialog)
    assert dialog.location() == ADDRESS
    assert "requires a password" in dialog.message.text()
    assert dialog.message.property("look") == "danger"
    dialog.chosen.emit(ADDRESS, "w")
    qtbot.waitUntil(lambda: len(open_window.findChildren(OpenSharedDialog)) == 2)
    assert (tried, open_window.shown.isVisible()) == ([(ADDRESS, ""), (ADDRESS, "w")], True)
