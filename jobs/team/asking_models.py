"""Queries a language model about unsettled sentences.

The server speaks OpenAI's protocol (`/chat/completions`), such as llama.cpp, Ollama, vLLM. Only
servers on this computer are allowed by default. Answers are cached in the user's folder by prompt;
the window reads that cache (`core.annotation.suggesters`).
"""

import ipaddress
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from awase.core.annotation.evidence import TopicEvidence
from awase.core.annotation.suggesters import (
    ANSWER_SCHEMA,
    Answers,
    CachedAnswer,
    Prompt,
    family_of,
    prompt_for,
)
from awase.core.errors import CorpusFormatError, EnvironmentProblem, InputError, Problem, Reporter
from awase.core.packages import check_installed
from awase.core.records.corpus import Corpus
from awase.core.records.source import sentence_place

if TYPE_CHECKING:
    from httpx import Client

EXTRA: Final = "llm"
LOCAL_SERVER: Final = "http://127.0.0.1:11434/v1"
MOST_BYTES: Final = 1 << 20
_TRIES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """Address and parameters of a model server."""

    url: str = LOCAL_SERVER  # up to and with `/v1`
    model: str = ""
    is_elsewhere_allowed: bool = False  # whether texts may leave this computer
    seed: int = 0  # sent along; temperature is 0
    max_tokens: int = 512  # of an answer, at least 1
    timeout_s: float = 30.0  # timeout of an answer in seconds, above 0

    def check(self) -> None:
        """Raises unless the server is local or remote ones are allowed."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError.of(
                "“{url}” is not the address of a server.",
                "Write it as {example}.",
                url=self.url,
                example=LOCAL_SERVER,
            )
        if not self.model:
            raise InputError.of("No model is named.", "Name one that the server has.")
        if not self.is_elsewhere_allowed and not _is_this_computer(parts.hostname):
            raise InputError.of(
                "{host} is another computer: the texts of the corpus would be sent there.",
                "Use a server on this computer, or allow texts to be sent.",
                host=parts.hostname,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """Counts of queries and answers."""

    n_sentences: int  # abstract sentences that are not settled by everybody
    n_kept: int
    n_answered: int
    refused: tuple[Problem, ...]  # what is wrong with the others, a sentence each


def ask_model(
    corpus: Corpus, server: ModelServer, reporter: Reporter, folder: Path | None = None
) -> ModelAnswer:
    """Queries every unsettled abstract sentence; answers are cached one by one.

    Only texts are sent, 60 source sentences with each abstract sentence.
    """
    server.check()
    check_installed("httpx", extra=EXTRA, needed_for="assist-ask")
    answers, items = _Folder(folder or answers_folder()), list(_items(corpus))
    refused: list[Problem] = []
    n_kept = 0
    with _client(server) as client:
        for done, (place, prompt) in enumerate(items):
            reporter.advance(done, len(items), place)
            known = answers(prompt.digest)
            if known is not None and known.model == server.model:
                n_kept += 1
                continue
            try:
                text = _answer(client, server, prompt)
            except CorpusFormatError as error:
                refused += [problem.below(place) for problem in error.problems]
                continue
            at = datetime.now(UTC).isoformat(timespec="seconds")
            answers.keep(prompt.digest, CachedAnswer(model=server.model, at=at, text=text))
    n_answered = len(items) - n_kept - len(refused)
    return ModelAnswer(
        n_sentences=len(items), n_kept=n_kept, n_answered=n_answered, refused=tuple(refused)
    )


def answers_folder() -> Path:
    """Returns the user's cache folder."""
    from platformdirs import PlatformDirs

    return PlatformDirs("awase", appauthor=False).user_data_path / "answers"


def cached_answers(folder: Path | None = None) -> Answers | None:
    """Returns a lookup in the cache; None where no model was ever queried."""
    folder = folder or answers_folder()
    return _Folder(folder) if folder.is_dir() else None


class _Folder:
    """A file for each answer, named by the prompt's digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, digest: str) -> CachedAnswer | None:
        try:
            value = json.loads((self._folder / f"{digest}.json").read_text("utf-8"))
            return CachedAnswer(
                model=str(value["model"]), at=str(value["at"]), text=str(value["text"])
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None  # like an unanswered one

    def keep(self, digest: str, answer: CachedAnswer) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            place = self._folder / f"{digest}.json"
            beside = place.with_suffix(".part")
            beside.write_text(json.dumps(asdict(answer), ensure_ascii=False), "utf-8")
            beside.replace(place)
        except OSError as error:
            raise EnvironmentProblem(
                "The answer cannot be kept in {folder}: {reason}.",
                "Free disk space there, or allow writing.",
                folder=str(self._folder),
                reason=str(error.strerror or error),
            ) from error


def _items(corpus: Corpus) -> Iterator[tuple[str, Prompt]]:
    """Yields each sentence's address and prompt."""
    for topic in corpus.topics:
        evidence: TopicEvidence | None = None
        for abstract in topic.abstracts:
            for sentence in abstract.sentences:
                settled = [one.of_sentence(sentence.n).state for one in abstract.alignments]
                if settled and all(state.is_settled for state in settled):
                    continue
                evidence = evidence or TopicEvidence(topic)
                place = sentence_place(topic.id, abstract.id, sentence.n)
                yield place, prompt_for(evidence, topic, sentence)


def _client(server: ModelServer) -> "Client":
    import httpx

    # Neither a proxy of the surroundings nor a redirect may carry the texts elsewhere.
    return httpx.Client(
        timeout=server.timeout_s,
        trust_env=False,
        follow_redirects=False,
        verify=server.url.startswith("https:"),  # loading certificates takes longer than a start
    )


def _answer(client: "Client", server: ModelServer, prompt: Prompt) -> str:
    for left in reversed(range(_TRIES)):
        text = _answered(client, server, prompt)
        try:
            family_of(text, prompt.refs)
        except CorpusFormatError:
            if not left:
                raise
        else:
            return text
    raise AssertionError  # the last try returned or raised


def _answered(client: "Client", server: ModelServer, prompt: Prompt) -> str:
    import httpx

    url = f"{server.url.rstrip('/')}/chat/completions"
    try:
        with client.stream("POST", url, json=_body(server, prompt)) as reply:
            read = bytearray()
            for part in reply.iter_bytes():
                read += part
                if len(read) > MOST_BYTES:
                    raise _failed(server, f"its answer is longer than {MOST_BYTES} bytes")
    except httpx.TimeoutException as error:
        raise _failed(server, f"no answer within {server.timeout_s:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        raise _failed(server, str(error) or type(error).__name__) from error
    if reply.status_code != httpx.codes.OK:
        raise _failed(server, f"it answered {reply.status_code}")
    try:
        content = json.loads(read)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise _failed(server, "its answer is not of OpenAI's protocol") from error
    return content if isinstance(content, str) else ""


def _body(server: ModelServer, prompt: Prompt) -> dict[str, Any]:
    return {
        "model": server.model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "temperature": 0,
        "seed": server.seed,
        "max_tokens": server.max_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "alignment", "strict": True, "schema": ANSWER_SCHEMA},
        },
    }


def _failed(server: ModelServer, reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The language model at {url} cannot be queried: {reason}.",
        "Start its server and try again: the answers so far are kept.",
        url=server.url,
        reason=reason,
    )


def _is_this_computer(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
