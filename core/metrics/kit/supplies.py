"""Resources of metrics besides the corpus: parses, vectors, models, and workers.

Work is mapped in process, in a pool of processes, or on another executor. Processes, as the GIL
serialises threads and would block the GUI. They are spawned: a frozen program must call
`multiprocessing.freeze_support()` first thing in its main module.
"""

import os
import pickle
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, overload

from awase.core.errors import EnvironmentProblem, InputError, Missing, Reporter
from awase.core.language.stored_parses import WordVectors, label_of, parses_of, texts_of_topic
from awase.core.records.topic import Topic

if TYPE_CHECKING:  # most scoring stays in process, and needs neither oracles nor models
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

    from awase.core.language.models import WordEncoder
    from awase.core.language.vector_file import Vector
    from awase.core.metrics.kit.extractive import Oracle, Splitter


Task = TypeVar("Task")
Result = TypeVar("Result")

# Receives the current item, and may raise to stop; elsewhere it is ignored.
StillWanted = Callable[[str], None]

# Pure; of a module, or a partial of one, with values that can be pickled.
Piece = Callable[[Task, StillWanted], Result]

_SECONDS_BETWEEN_REPORTS: Final = 0.1
_AT_ONCE: Final = 256
# Two processes cost 2.5 s of the processor, with what is sent to and fro, and save half of what is
# left: 5.6 s must be.
_STARTS: Final = 8


class Workers(Protocol):
    """Runs independent tasks."""

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task, still_wanted)` for independent tasks, in order."""
        ...


class Alone:
    """Runs tasks sequentially on the calling thread."""

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        for idx, task in enumerate(tasks):
            yield function(task, partial(reporter.advance, idx, len(tasks)))
            reporter.advance(idx + 1, len(tasks))


ALONE: Final = Alone()


class Elsewhere:
    """Sends every piece to an executor; no more of them at a time than it can be busy with."""

    def __init__(
        self,
        executor: "Executor",
        *,
        check: Callable[[], None] = lambda: None,
        at_once: int = _AT_ONCE,
        takes_back: bool = True,
    ) -> None:
        """Takes an executor; `check` is called now and then, and raises when no worker is left.

        At most `at_once` tasks are pending, so that neither they nor their results fill the memory.
        Unwanted tasks are cancelled here, or, unless it `takes_back`, by whoever shuts the executor
        down.
        """
        self._executor = executor
        self._check = check
        self._at_once = at_once
        self._takes_back = takes_back

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        pickle.dumps(function)  # our mistakes are raised here, not in another process
        sent: deque[Future[Result]] = deque()
        n_given = 0
        left = iter(tasks)  # of tasks that are read in portions each is read once
        try:
            while n_given < len(tasks):
                for task in islice(left, self._at_once - len(sent)):
                    sent.append(self._executor.submit(function, task, _ignore_progress))
                self._wait_for(sent, n_given, len(tasks), reporter)
                while sent and sent[0].done():
                    yield sent.popleft().result()
                    n_given += 1
        finally:
            for future in sent if self._takes_back else ():
                future.cancel()

    def _wait_for(
        self, sent: "Sequence[Future[Result]]", n_given: int, n_tasks: int, reporter: Reporter
    ) -> None:
        """Waits for the first result."""
        from concurrent.futures import FIRST_COMPLETED, wait

        while not sent[0].done():
            self._check()
            wait([one for one in sent if not one.done()], _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
            reporter.advance(n_given + sum(one.done() for one in sent), n_tasks)
        reporter.advance(n_given + sum(one.done() for one in sent), n_tasks)


class Processes:
    """Starts on the calling thread, and moves to processes if much is left.

    So small jobs never pay for starting them, and no estimate is needed.
    """

    def __init__(
        self, n_processes: int, clock: Callable[[], float], patience_s: float = 0.7
    ) -> None:
        """Takes the pool's size, under two = none, and a monotonic clock in seconds.

        Tasks run in process for `patience_s`; several times that must be left to start the pool.
        """
        self._n_processes = n_processes
        self._clock = clock
        self._patience_s = patience_s

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        """Yields `function(task)` for each task, in order."""
        spent_s, n_done = 0.0, 0
        for n_done, task in enumerate(tasks, 1):
            begin_s = self._clock()
            result = function(task, partial(reporter.advance, n_done - 1, len(tasks)))
            # Only this can others do: to read the tasks, and to use what comes of them, stays here.
            spent_s += self._clock() - begin_s
            yield result
            reporter.advance(n_done, len(tasks))
            if self._is_much_left(spent_s, n_done, len(tasks)):
                break
        if n_done < len(tasks):
            yield from self._mapped_elsewhere(function, tasks[n_done:], n_done, reporter)

    def _is_much_left(self, spent_s: float, n_done: int, n_tasks: int) -> bool:
        left_s = spent_s / n_done * (n_tasks - n_done)
        return (
            self._n_processes > 1
            and n_tasks - n_done > 1
            and spent_s >= self._patience_s
            and left_s >= _STARTS * self._patience_s
        )

    def _mapped_elsewhere(
        self,
        function: Piece[Task, Result],
        tasks: Sequence[Task],
        n_done: int,
        reporter: Reporter,
    ) -> Iterator[Result]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        ends_with_it, held = multiprocessing.Pipe(duplex=False)
        executor = ProcessPoolExecutor(
            min(self._n_processes, len(tasks)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_in_worker,
            initargs=(ends_with_it,),
        )
        shifted = _Shifted(reporter, n_done, n_done + len(tasks))
        try:
            # WORKAROUND: until Python 3.12 the thread of a pool whose processes end fails on tasks
            # that others cancelled, and prints that.
            yield from Elsewhere(executor, takes_back=False).map(function, tasks, shifted)
        except BrokenProcessPool as error:
            raise EnvironmentProblem(
                "A worker process of Awase was killed by the system.",
                "It probably ran out of memory: close other programs, or use one process.",
            ) from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            held.close()  # without waiting for their tasks
            ends_with_it.close()


@dataclass(frozen=True, slots=True)
class _Shifted:
    """Progress offset by finished tasks."""

    reporter: Reporter
    n_before: int
    n_all: int

    def advance(self, done: int, total: int, what: str = "") -> None:
        self.reporter.advance(self.n_before + done, self.n_all, what)


def _ignore_progress(what: str) -> None:
    """Ignores progress: the caller is in another process."""


def _begin_in_worker(ends_with_it: "Connection") -> None:
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with, args=(ends_with_it,), daemon=True).start()


def _end_with(connection: "Connection") -> None:
    """Exits when the other end of the pipe is closed: the job or its program ended."""
    try:
        connection.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


ANY_PARSER = "any"
_DIGITS_IN_LABEL = 12
_DIGEST = re.compile(rf"@[0-9a-f]{{{_DIGITS_IN_LABEL}}}\Z")


def parser_of(asked: str, label: str, *, are_needed: bool = True) -> str:
    """Returns the signature's parser; `asked` = `any`, a model, or one with its parses' digest.

    `label` is `Supplies.parse_label`, empty = no parses; unless they are needed, the parser is any.
    """
    if not are_needed:
        return ANY_PARSER
    if label and asked not in (ANY_PARSER, label, model_of(label)):
        raise InputError.of(
            "Parses by “{asked}” were requested; those here are by “{model}”.",
            "Parse with that model, or leave parser out.",
            asked=asked,
            model=label,
        )
    return label or asked


def model_of(label: str) -> str:
    """Returns the model in a label, with or without digest."""
    return _DIGEST.sub("", label)


TIME_LIMIT_S = 30.0  # default of each search


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """Resources of scoring; a metric reports what it lacks.

    Attributes:
        parses: A sentence's text to its dependency parse in CoNLL-U; may be `StoredParses`.
        parse_model: The model of the parses; empty = no parses.
        parse_digest: `digest_of_models` of all parses by the model in the corpus; empty = these are
            all.
        vectors: Word vectors; None = none.
        edus: EDUs of the user's own segmenter; None = none.
        time_limit_s: Seconds for each search that may take for ever: h of an abstract, an oracle;
            values that rest on an unproved one are undefined. None = no limit.
    """

    parses: Mapping[str, str] = field(default_factory=dict)
    parse_model: str = ""
    parse_digest: str = ""
    vectors: WordVectors | None = None
    encoders: Mapping[str, "WordEncoder"] = field(default_factory=dict)
    workers: Workers = ALONE
    oracles: Mapping[str, "Oracle"] = field(default_factory=dict)
    edus: "Splitter | None" = None
    time_limit_s: float | None = TIME_LIMIT_S

    @property
    def parse_label(self) -> str:
        """Returns the signature's label of the parses; empty = none."""
        digest = self._whole_digest()[:_DIGITS_IN_LABEL]
        return f"{self.parse_model}@{digest}" if self.parse_model else ""

    def shares(self, topics: Iterable[Topic]) -> Iterator["Supplies"]:
        """Yields each topic's resources, with the label of all parses."""
        # Workers, vectors and encoders are not passed on.

        digest, has_parses = self._whole_digest(), bool(self.parses)
        for topic in topics:
            texts = [text for _, text in texts_of_topic(topic)] if has_parses else ()
            parses = parses_of(self.parses, texts)
            yield Supplies(
                parses={text: parses[text] for text in texts if text in parses},
                parse_model=self.parse_model,
                parse_digest=digest,
                oracles=self.oracles,
                edus=self.edus,
                time_limit_s=self.time_limit_s,
            )

    def _whole_digest(self) -> str:
        if self.parse_digest or not self.parse_model:
            return self.parse_digest
        from awase.core.language.conllu import digest_of_models, sha256_of

        digests = [(sha256_of(text), sha256_of(one)) for text, one in self.parses.items()]
        return digest_of_models(sorted(digests))

    @property
    def oracles_label(self) -> str:
        """Returns the signature's label of oracles from a file; empty = none."""
        if not self.oracles:
            return ""
        from awase.core.metrics.kit.extractive import digest_of_oracles

        return f"file@{digest_of_oracles(self.oracles)[:_DIGITS_IN_LABEL]}"

    def encoder_for(self, metric: str, asked: str) -> "WordEncoder":
        """Returns a request's model.

        Args:
            asked: The option: `any`, a folder or name, or a signature's spelling.
        """
        encoder = self.encoders.get(asked)
        if encoder is None:
            raise InputError.of(
                "{metric} needs a language model, and none was given.",
                metric=metric,
                missing=Missing.MODEL,
            )
        label = label_of(encoder)
        if LABEL.fullmatch(asked) and asked != label:
            raise InputError.of(
                "{metric} requires the model {asked}; the one given is {label}.",
                "Give that model, or leave model out.",
                metric=metric,
                asked=asked,
                label=label,
            )
        return encoder

    def vectors_label(self, metric: str, asked: str, *, are_needed: bool) -> str:
        """Returns the signature's label of the vectors.

        Args:
            asked: The option: `any`, or a signature's spelling.
        """
        if not are_needed:
            if asked not in (ANY_VECTORS, NO_VECTORS):
                raise InputError.of(
                    "{metric} without clusters needs no vectors, but vectors={asked} were "
                    "requested.",
                    "Leave vectors out, or choose prune=cls or prune=cnt+cls.",
                    metric=metric,
                    asked=asked,
                )
            return NO_VECTORS
        if self is UNDECIDED:
            return asked
        if self.vectors is None:
            raise InputError.of(
                "{metric} needs word vectors, and none were given.",
                "Give a file (word2vec, GloVe, fastText), a model's folder, or ja-ginza.",
                metric=metric,
                missing=Missing.VECTORS,
            )
        label = label_of(self.vectors)
        if asked not in (ANY_VECTORS, label):
            raise InputError.of(
                "{metric} requires the vectors {asked}; those given are {label}.",
                "Give those vectors, or leave vectors out.",
                metric=metric,
                asked=asked,
                label=label,
            )
        return label


NO_SUPPLIES = Supplies()

# For signatures before resources are known: nothing is missing, `any` stays.
UNDECIDED = Supplies()


ANY_MODEL = "any"
LABEL = re.compile(r"(?s:.+)@[0-9a-f]{12}")
ANY_VECTORS = "any"
NO_VECTORS = "none"


class FetchedVectors:
    """The vectors of some words, in memory."""

    def __init__(self, source: WordVectors, words: Iterable[str]) -> None:
        self.name = source.name
        self.digest = source.digest
        self._vectors: Mapping[str, Vector] = source.vectors_of(dict.fromkeys(words))

    def vectors_of(self, words: Iterable[str]) -> "Mapping[str, Vector]":
        """Returns the vectors of the words that have one."""
        return {word: self._vectors[word] for word in words if word in self._vectors}


class TopicTasks(Sequence[tuple[Topic, Supplies]]):
    """Topics with their own resources, lazily."""

    def __init__(self, topics: Sequence[Topic], supplies: Supplies) -> None:
        """Lazy; the supplies are those of all topics."""
        self._topics, self._supplies = topics, supplies

    def __len__(self) -> int:
        return len(self._topics)

    @overload
    def __getitem__(self, at: int) -> tuple[Topic, Supplies]: ...
    @overload
    def __getitem__(self, at: slice) -> "TopicTasks": ...
    def __getitem__(self, at: int | slice) -> "tuple[Topic, Supplies] | TopicTasks":
        if isinstance(at, slice):
            return TopicTasks(self._topics[at], self._supplies)
        return next(iter(self[at : at + 1]))

    def __iter__(self) -> Iterator[tuple[Topic, Supplies]]:
        return zip(self._topics, self._supplies.shares(self._topics), strict=True)
