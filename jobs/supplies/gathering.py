"""Loading of metrics' resources, on the worker's thread; caches of them, and workers of long jobs.

Parses of a stored corpus are loaded lazily. Workers are this process, a local pool, or a Dask
cluster (extra `cluster`), whose scheduler reassigns tasks when a worker dies. Results are those of
one process, to the last digit, because each task is the same pure function of the same values.
"""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from awase.core.errors import (
    AwaseError,
    EnvironmentProblem,
    InputError,
    Listing,
    Missing,
    RefusedError,
    Reporter,
)
from awase.core.language.stored_parses import StoredParses, WordVectors, texts_of
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import (
    ANY_PARSER,
    NO_SUPPLIES,
    Elsewhere,
    Piece,
    Processes,
    Supplies,
    Workers,
    model_of,
)
from awase.core.metrics.registry import encoders_for, metric_by_name
from awase.core.packages import missing_package, version_of_code
from awase.core.records.corpus import Corpus

if TYPE_CHECKING:  # numpy is slow to import, and most work needs neither
    from distributed import Client

    from awase.core.language.models import WordEncoder
    from awase.storage.rows.reading import FileReader
    from awase.storage.store import CorpusStore

    StoredCorpus = CorpusStore | FileReader


def user_index_folder() -> Path:
    """Returns the user's one folder for indices of large vector files."""
    from platformdirs import PlatformDirs

    return PlatformDirs("awase", appauthor=False).user_cache_path / "vectors"


class SupplyCaches:
    """The word vectors opened last, and models with their latest vectors, by location."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is for indices of large vector files; None = the user's."""
        self.models: dict[str, WordEncoder] = {}  # what is put here is not opened
        self._folder = folder
        self._vectors_lock, self._models_lock = Lock(), Lock()
        self._location = ""
        self._vectors: WordVectors | None = None

    def vectors(self, location: str, reporter: "Reporter") -> "WordVectors":
        """Returns the word vectors at `location`."""
        from awase.core.language.models import open_vectors

        with self._vectors_lock:
            if self._vectors is None or location != self._location:
                cache = self._folder or user_index_folder()
                self._vectors = open_vectors(location, reporter=reporter, cache=cache)
                self._location = location
            return self._vectors

    def model(self, location: str) -> "WordEncoder":
        """Returns the model at `location`, where `~` is the home folder."""
        from awase.core.language.models import open_encoder

        with self._models_lock:
            if location not in self.models:
                # A shell expands the home folder before a blank only, not behind “model=”.
                is_home = location.startswith("~")
                place = str(Path(location).expanduser()) if is_home else location
                self.models[location] = open_encoder(place)
            return self.models[location]


VECTORS, MODEL = "vectors", "model"

# Returns the metrics' resources besides the corpus.
Supplying = Callable[[Corpus, Sequence[MetricRequest], Reporter], Supplies]

# Returns the parses that metrics need.
Parses = Callable[[Corpus, Sequence[MetricRequest]], Supplies]


def without_supplies(
    _corpus: Corpus, _requests: Sequence[MetricRequest], _reporter: Reporter
) -> Supplies:
    """Supplies nothing: a metric that needs something reports it."""
    return NO_SUPPLIES


def gather(
    supplies: Supplying, corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter
) -> tuple[Supplies, dict[MetricRequest, RefusedError]]:
    """Returns what the requests need, and which need something that cannot be had, with why.

    Raises only if none can be served, or not all together.
    """
    try:
        return supplies(corpus, requests, reporter), {}
    except (InputError, EnvironmentProblem):
        refused: dict[MetricRequest, RefusedError] = {}
        for request in requests:
            try:
                supplies(corpus, [request], reporter)
            except (InputError, EnvironmentProblem) as error:
                refused[request] = error
        rest = [request for request in requests if request not in refused]
        if not refused or not rest:
            raise
        return supplies(corpus, rest, reporter), refused


def stored_parses(store: "CorpusStore") -> Parses:
    """Returns a loader of a stored corpus's parses."""
    return partial(supplies_of, store)


def known_parses(supplies: Supplies) -> Parses:
    """Returns a loader of parses that were loaded before."""
    return lambda _corpus, _requests: supplies


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Locations of resources named by the user; empty = none."""

    vectors: str = ""
    model: str = ""
    oracles: str = ""
    edus: str = ""


class Supplier:
    """Loads the resources that requests need; see `Supplying`."""

    def __init__(
        self, parses: Parses, places: Places | None = None, caches: SupplyCaches | None = None
    ) -> None:
        self._parses = parses
        self._places = places or Places()
        self._caches = caches or SupplyCaches()

    def __call__(
        self, corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter
    ) -> Supplies:
        """Returns the parses, vectors, models, oracles and EDUs that the requests need."""
        places = self._places
        supplies = self._parses(corpus, requests)
        if places.vectors and uses_vectors(request.name for request in requests):
            opened = self._caches.vectors(places.vectors, reporter)
            supplies = replace(supplies, vectors=opened)
        encoders = encoders_for(requests, places.model, self._caches.model)
        return with_files(replace(supplies, encoders=encoders), places)


def uses_vectors(names: Iterable[str]) -> bool:
    """Returns whether any of the metrics may need word vectors."""
    return any(VECTORS in metric_by_name(name).defaults for name in names)


def with_files(supplies: Supplies, places: Places) -> Supplies:
    """Returns the supplies with the oracles and EDUs of the files that are named."""
    if places.oracles:
        from awase.core.metrics.kit.extractive import read_oracles

        oracles = read_oracles(_text(places.oracles), places.oracles)
        supplies = replace(supplies, oracles=oracles)
    if places.edus:
        from awase.core.metrics.kit.splitters import read_edus

        supplies = replace(supplies, edus=read_edus(_text(places.edus), places.edus))
    return supplies


def _text(place: str) -> str:
    from awase.core.text.encoding import decode
    from awase.jobs.files.reading import read_argument, unreadable

    try:
        return decode(read_argument(Path(place).expanduser()), "utf-8").text
    except OSError as error:
        raise unreadable(place, error, "Choose another file.") from error


JOINED = "+"  # between the models of a corpus in several languages, each of which one model parsed


def supplies_of(
    store: "StoredCorpus", corpus: Corpus, requests: Sequence[MetricRequest]
) -> Supplies:
    """Returns the parses that the requests need, loaded lazily while the store is open.

    The default `parser` is the model with most parses.
    """
    needing = [one for one in requests if "parses" in metric_by_name(one.name).needs_of(one)]
    if not needing:
        return NO_SUPPLIES
    known = store.parse_models()
    model = _model_spec_of(needing) or next(iter(known), "")
    if not model:
        return NO_SUPPLIES
    models = model.split(JOINED)
    for one in models:
        if one not in known:
            raise InputError.of(
                "The corpus has no parses by “{model}”.",
                "It has those by {known}." if known else "Parse it first.",
                model=one,
                known=Listing(known),
                missing="" if known else Missing.PARSES,
            )
    return Supplies(
        parses=_parses(store, corpus, models),
        parse_model=model,
        parse_digest=store.digest_of_parses(models),
    )


def _parses(store: "StoredCorpus", corpus: Corpus, models: Sequence[str]) -> StoredParses:
    def look_up(texts: Sequence[str]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for model in models:
            found = {**store.parses(model, texts), **found}
        return found

    return StoredParses(lambda: (one.text for one in texts_of(corpus)), look_up)


def _model_spec_of(requests: Sequence[MetricRequest]) -> str:
    asked = {model_of(dict(request.options).get("parser", ANY_PARSER)) for request in requests}
    asked -= {ANY_PARSER}
    if len(asked) > 1:
        raise InputError.of(
            "Scores can use the parses of one model at a time, not of {models}.",
            "Choose one.",
            models=Listing(sorted(asked)),
        )
    return next(iter(asked), "")


Task = TypeVar("Task")
Result = TypeVar("Result")

SECONDS_TO_ANSWER: Final = 10  # timeout of a scheduler

_PIECES_PER_THREAD: Final = 8
_START_WORKERS: Final = "dask worker"


def local_workers(n_processes: int | None = None) -> Workers:
    """Returns a local pool, used for large jobs; None = as many processes as cores."""
    # Of the processor, not of the day: on a busy machine more processes help least.
    return Processes(n_processes or os.cpu_count() or 1, time.process_time)


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """Connects to a Dask scheduler, such as tcp://scheduler:8786."""
    client = _connected(address)
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)  # lost workers are survived, a lost scheduler told: once, by us
    try:
        n_threads = _check_workers(client, address)
        yield _OfCluster(client, address, n_threads)
    finally:
        client.close(timeout=SECONDS_TO_ANSWER)  # type: ignore[no-untyped-call]
        log.setLevel(level)


def _versions() -> tuple[str, str]:
    """Returns the versions of Awase and Python, which must agree for equal results."""
    return version_of_code(), "{}.{}".format(*sys.version_info)


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise missing_package("distributed", extra="cluster", needed_for="Dask") from error
    try:
        return Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_ANSWER, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "No scheduler answers at {address} ({error}).",
            "Check the address, and that the scheduler runs: dask scheduler.",
            address=address,
            error=str(error).splitlines()[0],
        ) from error


def _check_workers(client: "Client", address: str) -> int:
    """Returns the number of parallel tasks."""
    threads: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
    if not threads:
        raise EnvironmentProblem(
            "The cluster at {address} has no worker.",
            "Start some: {workers} {address}.",
            address=address,
            workers=_START_WORKERS,
        )
    own = _versions()
    found: dict[str, Any] = client.run(_versions, on_error="return")
    for worker, theirs in found.items():
        if not isinstance(theirs, tuple):
            raise EnvironmentProblem(
                "The worker {worker} cannot load Awase ({error}).",
                "Install the same version of Awase where the workers run.",
                worker=worker,
                error=f"{type(theirs).__name__}: {theirs}",
            )
        if theirs != own:
            raise EnvironmentProblem(
                "The worker {worker} has Awase {theirs} on Python {their_python}; here it is "
                "{ours} on Python {our_python}.",
                "Install the same on both sides, so that the numbers are the same.",
                worker=worker,
                theirs=theirs[0],
                their_python=theirs[1],
                ours=own[0],
                our_python=own[1],
            )
    return sum(threads.values())


class _OfCluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: "Client", address: str, n_threads: int) -> None:
        self._client = client
        self._address = address
        self._elsewhere = Elsewhere(
            client.get_executor(pure=False),  # type: ignore[no-untyped-call]
            check=self._check,
            at_once=_PIECES_PER_THREAD * n_threads,
        )

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            yield from self._elsewhere.map(function, tasks, reporter)
        except CancelledError as error:
            raise self._lost() from error
        except KilledWorker as error:
            raise EnvironmentProblem(
                "A piece of the work killed every worker of {address} that ran it.",
                "They probably ran out of memory: give each worker more, or start fewer.",
                address=self._address,
            ) from error
        except AwaseError:
            raise
        except Exception as error:
            # Dask treats a result during connecting as an error of the work.
            if self._client.status == "running":
                raise
            raise self._lost() from error

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> EnvironmentProblem:
        return EnvironmentProblem(
            "The connection to the cluster at {address} was lost.",
            "Nothing was changed; start again when it is back.",
            address=self._address,
        )
