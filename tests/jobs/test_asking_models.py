"""A language model is asked over real HTTP, by a small server in this process."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.building import corpus, refs, topic

pytest.importorskip("httpx")

from tests.in_part import in_turn

from awase.core.annotation.suggesters import (
    ANSWERED,
    MOST_SHOWN,
    SUGGESTERS,
    LanguageModel,
    build_suggesters,
)
from awase.core.annotation.suggestion import ANOTHER, FAMILY, own_view
from awase.core.errors import Cancelled, EnvironmentProblem, InputError, Silent
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.jobs.team.asking_models import MOST_BYTES, ModelServer, ask_model, cached_answers

GOOD = '{"alternatives": [[1, 3], [2]], "no_source": false}'
SOURCES = ("A ferry sank off the coast.", "A storm sank a ferry.", "The storm came at night.")


class ModelInProcess:
    """Speaks as much of OpenAI's protocol as is asked of it, and remembers what was asked."""

    def __init__(self, *answers: str | int) -> None:
        self.asked: list[dict] = []
        self.paths: list[str] = []
        self.may_answer = Event()
        self.may_answer.set()
        self.answers = [*answers]
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.may_answer.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.asked.append(asked)
                model.paths.append(self.path)
                model.may_answer.wait(60)
                answer = model.answers.pop(0) if len(model.answers) > 1 else model.answers[0]
                is_text = isinstance(answer, str)
                body = {"choices": [{"message": {"role": "assistant", "content": answer}}]}
                sent = json.dumps(body).encode() if is_text else b"no"
                self.send_response(200 if is_text else answer)
                if answer == 302:
                    self.send_header("Location", f"{model.url}/elsewhere")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                with suppress(OSError):  # whoever asked has gone
                    self.wfile.write(sent)

            def log_message(self, *_args: object) -> None:
                pass

        return Handler


@pytest.fixture
def serve() -> Iterator[Callable[..., ModelInProcess]]:
    servers: list[ModelInProcess] = []

    def start(*answers: str | int) -> ModelInProcess:
        servers.append(ModelInProcess(*answers))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def made(links: str = "?; s1") -> Topic:
    """Two abstract sentences: one that is open for one of two, one that is settled."""
    return topic("t", docs=SOURCES, links={"x": links.split(";"), "z": ["s1", "s2"]})


def asked(
    model: ModelInProcess,
    folder: Path,
    whole: Corpus | None = None,
    called: str = "small",
    **options: object,
):
    server = ModelServer(url=model.url, model=called, **options)
    return ask_model(whole or corpus(made()), server, Silent(), folder)


def test_that_open_sentences_alone_are_sent_once_and_their_answers_are_kept(serve, tmp_path):
    model = serve(GOOD)
    found = asked(model, tmp_path)
    assert (found.n_sentences, found.n_answered, found.refused) == (1, 1, ())
    (sent,) = model.asked
    assert model.paths == ["/v1/chat/completions"]
    assert (sent["model"], sent["temperature"], sent["seed"]) == ("small", 0, 0)
    assert sent["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    text = sent["messages"][1]["content"]
    assert [line for line in text.splitlines() if line[:1].isdigit()] == [
        f"{n}. {one}" for n, one in enumerate(SOURCES, start=1)
    ]
    assert "sentence 1" in text
    assert "sentence 2" not in text
    assert '"x"' not in json.dumps(sent)
    again = asked(model, tmp_path)
    assert (again.n_kept, again.n_answered, len(model.asked)) == (1, 0, 1)
    another = asked(model, tmp_path, called="large")
    assert (another.n_kept, another.n_answered, model.asked[1]["model"]) == (0, 1, "large")


def test_that_the_likeliest_sixty_sentences_are_shown_in_their_order(serve, tmp_path):
    model = serve(GOOD)
    many = topic("t", docs=[f"It rained on day {n}." for n in range(100)], links=["?"])
    asked(model, tmp_path, corpus(many))
    lines = [
        line for line in model.asked[0]["messages"][1]["content"].splitlines() if ". It" in line
    ]
    days = [int(line.rpartition(" ")[2].rstrip(".")) for line in lines]
    assert len(days) == MOST_SHOWN
    assert days == sorted(days)


def test_that_what_was_answered_is_suggested_with_its_model_and_nothing_else_is_sent(
    serve, tmp_path
):
    model = serve(GOOD)
    asked(model, tmp_path)
    view = own_view(made(), "x")
    (abstract,) = view.abstracts
    suggester = build_suggesters(["language-model"], answers=cached_answers(tmp_path))
    sentence, entry = abstract.sentences[0], abstract.alignments[0].sentences[0]
    (one,) = suggester["language-model"].suggest(view, sentence, entry)
    assert [alternative.members for alternative in one.family] == [refs("s1 s3"), refs("s2")]
    assert (one.kind, one.why, one.model[:8]) == (FAMILY, ANSWERED, "small@20")
    has_one = made("? s2; s1").abstracts[0].alignments[0].sentences[0]
    (rest,) = suggester["language-model"].suggest(view, sentence, has_one)
    assert ([a.members for a in rest.family], rest.kind) == ([refs("s1 s3")], ANOTHER)
    assert suggester["language-model"].suggest(view, abstract.sentences[1], entry) == ()
    assert len(model.asked) == 1


def test_that_without_answers_nothing_is_suggested(tmp_path):
    view = own_view(made(), "x")
    (abstract,) = view.abstracts
    assert cached_answers(tmp_path / "none") is None
    plain = SUGGESTERS["language-model"].make()
    assert isinstance(plain, LanguageModel)
    entry = abstract.alignments[0].sentences[0]
    assert plain.suggest(view, abstract.sentences[0], entry) == ()


@in_turn(
    ("answer", "reason"),
    [
        ("Sure! Sentence 1.", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[[1]]", "two fields"),
        ('{"alternatives": [[1]]}', "two fields"),
        ('{"alternatives": {}, "no_source": false}', "kinds"),
        ('{"alternatives": [[4]], "no_source": false}', "it names 4"),
        ('{"alternatives": [[0]], "no_source": false}', "it names 0"),
        ('{"alternatives": [[true]], "no_source": false}', "it names True"),
        ('{"alternatives": [[]], "no_source": false}', "1 to 8"),
        ('{"alternatives": [[1,2,3,1,2,3,1,2,3]], "no_source": false}', "1 to 8"),
        ('{"alternatives": [[1]], "no_source": true}', "names some"),
    ],
)
def test_that_a_bad_answer_is_asked_for_once_more_and_then_refused(
    serve, tmp_path_factory, answer, reason
):
    model, folder = serve(answer), tmp_path_factory.mktemp("answers")
    found = asked(model, folder)
    (problem,) = found.refused
    assert reason in str(problem)
    assert problem.path.startswith("t · a · 1")
    assert (found.n_answered, len(model.asked)) == (0, 2)
    assert not [*folder.iterdir()]
    better = serve(answer, GOOD)
    assert asked(better, folder).n_answered == 1


def test_that_no_source_is_an_answer_that_suggests_nothing(serve, tmp_path):
    asked(serve('{"alternatives": [], "no_source": true}'), tmp_path)
    view = own_view(made(), "x")
    (abstract,) = view.abstracts
    suggester = LanguageModel(cached_answers(tmp_path))
    assert suggester.suggest(view, abstract.sentences[0], abstract.alignments[0].sentences[0]) == ()


@in_turn(
    ("answer", "told"),
    [
        (500, "it answered 500"),
        (302, "it answered 302"),
        ("x" * MOST_BYTES, "its answer is longer than"),
    ],
)
def test_that_a_server_that_fails_ends_the_work_and_what_was_answered_stays(
    serve, tmp_path_factory, answer, told
):
    model, whole = serve(GOOD, answer), corpus(made("?;?;?"))
    folder = tmp_path_factory.mktemp("answers")
    with pytest.raises(EnvironmentProblem, match=told):
        asked(model, folder, whole)
    assert model.paths == ["/v1/chat/completions"] * 2
    found = asked(serve(GOOD), folder, whole)
    assert (found.n_kept, found.n_answered) == (1, 2)


def test_that_a_missing_package_is_told_before_anything_is_sent(serve, tmp_path, monkeypatch):
    monkeypatch.setattr("awase.core.packages.find_spec", lambda _name: None)
    model = serve(GOOD)
    with pytest.raises(EnvironmentProblem, match="needs the package httpx"):
        asked(model, tmp_path)
    assert not model.asked


def test_that_a_server_that_does_not_answer_in_time_is_told(serve, tmp_path):
    model = serve(GOOD)
    model.may_answer.clear()
    with pytest.raises(EnvironmentProblem, match=r"no answer within 0\.2 s"):
        asked(model, tmp_path, timeout_s=0.2)


def test_that_nobody_listening_is_told():
    with pytest.raises(EnvironmentProblem, match="cannot be queried"):
        ask_model(corpus(made()), ModelServer(url="http://127.0.0.1:1/v1", model="small"), Silent())


def test_that_asking_can_be_stopped_between_sentences(serve, tmp_path):
    class Stop:
        def advance(self, done: int, total: int, what: str = "") -> None:
            assert (total, what) == (3, f"t · a · {done + 1}")
            if done == 2:
                raise Cancelled

    model, whole = serve(GOOD), corpus(made("?;?;?"))
    with pytest.raises(Cancelled):
        ask_model(whole, ModelServer(url=model.url, model="small"), Stop(), tmp_path)
    assert (len(model.asked), len([*tmp_path.iterdir()])) == (2, 2)


@in_turn(
    ("url", "told"),
    [
        ("http://192.0.2.7/v1", "192.0.2.7 is another computer"),
        ("http://localhost.example.org/v1", "another computer"),
        ("http://127.0.0.1@example.org/v1", "example.org is another computer"),
        ("file:///etc/passwd", "not the address"),
        ("127.0.0.1:8080", "not the address"),
    ],
)
def test_that_texts_leave_this_computer_only_when_that_is_said(url, told):
    with pytest.raises(InputError, match=told):
        ask_model(corpus(made()), ModelServer(url=url, model="small"), Silent())
    ModelServer(url="http://192.0.2.7/v1", model="small", is_elsewhere_allowed=True).check()
    for own in ("http://localhost:1/v1", "http://[::1]:1/v1", "https://127.8.8.8/v1"):
        ModelServer(url=own, model="small").check()


def test_that_no_proxy_of_the_surroundings_gets_the_texts(serve, tmp_path, monkeypatch):
    proxy, model = serve(GOOD), serve(GOOD)
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    asked(model, tmp_path)
    assert (len(model.asked), proxy.asked) == (1, [])


def test_that_a_model_has_to_be_named():
    with pytest.raises(InputError, match="No model"):
        ask_model(corpus(made()), ModelServer(), Silent())
