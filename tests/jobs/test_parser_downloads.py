"""Fetching a model from a server on this machine: whole, or nothing at all."""

import json
import multiprocessing
import os
import threading
from functools import partial
from hashlib import md5
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from types import SimpleNamespace

import pytest
from tests.reporters import Heard

from awase.core.errors import Cancelled, EnvironmentProblem, Silent
from awase.jobs.supplies.downloads import Address, download_stanza, merged

CONTENT = {name: name.encode() * 50_000 for name in ("tokenize", "pos", "lemma", "depparse")}
EXPECTED = {
    "damaged": "“pos/x.pt” was damaged in the download",
    "missing": "“pos/x.pt” cannot be downloaded (404",
    "no server": "“resources.json” cannot be downloaded",
    "no language": "no model for parsing “xx”",
    "no folder": "cannot be written",
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


@pytest.fixture
def served(tmp_path, monkeypatch):
    """The server's folder, with a model of English, and its address."""
    pytest.importorskip("requests")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    folder = tmp_path / "server"
    resources = {"en": {"packages": {"default": dict.fromkeys(CONTENT, "x")}}}
    for name, content in CONTENT.items():
        path = folder / "v9" / "en" / name / "x.pt"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        resources["en"][name] = {"x": {"md5": md5(content).hexdigest()}}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    url = f"http://127.0.0.1:{server.server_port}"
    resources["url"] = url + "/v{resources_version}/{lang}/{filename}"
    (folder / "resources_9.json").write_text(json.dumps(resources))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield folder, Address(lists=url, version="9")
    server.shutdown()
    thread.join()
    server.server_close()


class ThreadAsProcess(threading.Thread):
    """Downloads as the process does that it stands for; a process takes a second to begin."""

    def __init__(self, target, args, **named):
        *rest, sending = args
        own = Connection(os.dup(sending.fileno()), readable=False)
        super().__init__(target=self.work, args=(target, rest, own), **named)

    @staticmethod
    def work(target, arguments, sending):
        with sending:
            target(*arguments, sending)

    def kill(self):
        pass

    def close(self):
        assert not self.is_alive()


@pytest.fixture(params=[True, pytest.param(False, marks=pytest.mark.slow)])
def in_a_thread(request, monkeypatch):
    if request.param:
        context = SimpleNamespace(Pipe=multiprocessing.Pipe, Process=ThreadAsProcess)
        monkeypatch.setattr(multiprocessing, "get_context", lambda _how: context)


@pytest.mark.usefixtures("in_a_thread")
def test_that_a_model_is_fetched_with_progress_and_joins_what_is_there(served, tmp_path):
    target = tmp_path / "models"
    target.mkdir()
    old = {"mine": {"tokenize": "m"}, "default": {"tokenize": "old"}}
    own = {"en": {"packages": old}, "ja": {"packages": {}}}
    (target / "resources.json").write_text(json.dumps(own))
    listener = Heard()
    model = download_stanza("en", target, listener, served[1])
    assert model.package == "default"
    assert not model.lacking()
    model.check()
    resources = json.loads((target / "resources.json").read_text())
    assert resources["en"]["packages"] == old | {"default": dict.fromkeys(CONTENT, "x")}
    assert "ja" in resources
    assert {path.name for path in target.iterdir()} == {"resources.json", "en"}
    done = [done for done, _ in listener.steps]
    assert done == sorted(done)
    assert (done[-1], {total for _, total in listener.steps}) == (4000, {1, 4000})
    assert any(step % 1000 for step in done)
    assert {what for _, _, what in listener.calls} == {"", *(f"{name}/x.pt" for name in CONTENT)}
    for name, content in CONTENT.items():
        assert (target / "en" / name / "x.pt").read_bytes() == content
    (target / "resources.json").unlink()
    (target / "en" / name / "x.pt").unlink()
    (target / "en" / name / "x.pt").mkdir()
    with pytest.raises(EnvironmentProblem):
        download_stanza("en", target, Silent(), served[1])
    assert not (target / "resources.json").exists()  # it would list a model that is not whole


@pytest.mark.slow
def test_that_nothing_is_left_when_it_is_cancelled(served, tmp_path):
    target = tmp_path / "models"
    with pytest.raises(Cancelled):
        download_stanza("en", target, Heard(at=1), served[1])
    assert [*target.iterdir()] == []


@pytest.mark.usefixtures("in_a_thread")
@pytest.mark.parametrize("fault", EXPECTED)
def test_that_a_failure_says_what_it_is_and_leaves_nothing(served, tmp_path, fault):
    folder, address = served
    target, language = tmp_path / "models", "en"
    if fault == "damaged":
        (folder / "v9" / "en" / "pos" / "x.pt").write_bytes(b"cut")
    elif fault == "missing":
        (folder / "v9" / "en" / "pos" / "x.pt").unlink()
    elif fault == "no server":
        address = Address(lists="http://127.0.0.1:9", version="9")
    elif fault == "no language":
        language = "xx"
    else:
        target = tmp_path / "file" / "models"
        (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem) as caught:
        download_stanza(language, target, Silent(), address)
    assert EXPECTED[fault] in str(caught.value)
    assert not target.is_dir() or [*target.iterdir()] == []


def test_that_lists_are_joined_and_the_newer_entry_counts():
    old = {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
    new = {"a": {"c": {"d": 4, "f": 5}}, "g": 6}
    assert merged(old, new) == {"a": {"b": 1, "c": {"d": 4, "f": 5}}, "e": 3, "g": 6}


def test_that_an_entry_of_another_kind_takes_the_place_of_the_old_one():
    assert merged({"a": {"b": 1}, "c": 2}, {"a": 3, "c": {"d": 4}}) == {"a": 3, "c": {"d": 4}}
    assert merged({"a": 1, "b": 2}, {}) == {"a": 1, "b": 2}
