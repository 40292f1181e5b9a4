"""Work handed to a cluster: real workers in processes of their own, and the same numbers."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from tests.reporters import Heard

from awase.cli.main import main
from awase.core.errors import Cancelled, EnvironmentProblem, InputError, Silent
from awase.core.metrics.kit.supplies import StillWanted
from awase.jobs.supplies import gathering as module
from awase.jobs.supplies.gathering import cluster_workers

if TYPE_CHECKING:
    import distributed

if find_spec("distributed") is None:
    pytest.skip("there is no distributed", allow_module_level=True)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # the cluster's own, when its workers are killed
]


@contextmanager
def running_cluster(n_workers: int = 2) -> Iterator["distributed.LocalCluster"]:
    import distributed

    with distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_cluster() as cluster:
        yield cluster.scheduler_address


def square(task: int, _still_wanted: StillWanted) -> int:
    return task * task


def failing(task: tuple[Exception, "ClientInProcess | None"], _still_wanted: StillWanted) -> None:
    error, going = task
    if going is not None:
        going.status = "closed"
    raise error


def pid_of(_task: int, _still_wanted: StillWanted) -> int:
    sum(range(5_000_000))  # long enough for both workers to have some
    return os.getpid()


def deadly(_task: int, _still_wanted: StillWanted) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def output_of(*args: str) -> str:
    printed = StringIO()
    with redirect_stdout(printed), pytest.raises(SystemExit) as stopped:
        main([*args])
    assert not stopped.value.code
    return printed.getvalue()


class Killed(Exception):
    """Stands for `distributed.KilledWorker`."""


class ClientInProcess:
    """Speaks as much of a Dask client's protocol as is asked of it."""

    threads, theirs = {"w1": 1, "w2": 2}, None
    made: "list[ClientInProcess]"

    def __init__(self, address: str, *, timeout: int, set_as_default: bool) -> None:
        assert (address, set_as_default) == ("tcp://h:1", False)
        self.status = "running"
        self.made.append(self)

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def run(self, function: Callable[[], object], *, on_error: str) -> dict[str, object]:
        assert on_error == "return"
        return {"w1": function(), "w2": self.theirs or function()}

    def get_executor(self, *, pure: bool) -> ThreadPoolExecutor:
        assert not pure
        return ThreadPoolExecutor(2)

    def close(self, *, timeout: int) -> None:
        self.status = "closed"


@pytest.fixture
def client(monkeypatch) -> type[ClientInProcess]:
    made = type("Client", (ClientInProcess,), {"made": []})
    monkeypatch.setitem(
        sys.modules, "distributed", SimpleNamespace(Client=made, KilledWorker=Killed)
    )
    return made


@pytest.mark.main
@pytest.mark.parametrize(
    ("has", "said"),
    [
        ({"threads": {}}, "cluster at tcp://h:1 has no worker"),
        ({"theirs": ("0.0.1", "3.11")}, "worker w2 has Awase 0.0.1 on Python 3.11; here it is"),
        ({"theirs": ImportError("no awase")}, r"w2 cannot load Awase \(ImportError: no awase\)"),
    ],
)
def test_that_workers_that_cannot_give_the_same_are_refused(client, has, said):
    for name, value in has.items():
        setattr(client, name, value)
    with pytest.raises(EnvironmentProblem, match=said), cluster_workers("tcp://h:1"):
        pytest.fail("they are not refused")


@pytest.mark.main
@pytest.mark.parametrize(
    ("error", "is_lost", "told", "said"),
    [
        (Killed(), False, EnvironmentProblem, "killed every worker of tcp://h:1"),
        (CancelledError(), False, EnvironmentProblem, "connection to the cluster at tcp://h:1"),
        (TypeError("cannot unpack"), True, EnvironmentProblem, "connection to the cluster"),
        (TypeError("a defect"), False, TypeError, "a defect"),
        (InputError.of("of the work"), False, InputError, "of the work"),
    ],
)
def test_that_what_goes_wrong_on_a_cluster_is_told(client, error, is_lost, told, said):
    log = logging.getLogger("distributed.client")
    before = log.level
    with cluster_workers("tcp://h:1") as workers:
        assert log.level == logging.CRITICAL
        assert [*workers.map(square, range(99), Silent())] == [n * n for n in range(99)]
        going = client.made[0] if is_lost else None
        with pytest.raises(told, match=said):
            [*workers.map(failing, [(error, going)], Silent())]
    assert (client.made[0].status, log.level) == ("closed", before)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("cluster")
    output_of("demo", "en", str(folder))
    return str(folder / "demo-en.awase")


@pytest.mark.parametrize(
    "args",
    [
        ("score", "-m", "tsc3", "-m", "rouge", "-m", "bleu", "-m", "pseudo-pyramid", "--json"),
        ("score", "-m", "chrf", "-m", "coverage:annotator=all", "--json"),
        ("oracle", "--json"),
        ("extract", "--table"),
        ("agreement", "--json"),
    ],
    ids=lambda args: " ".join(args[:3]),
)
def test_that_a_cluster_gives_the_same_to_the_last_digit(args, corpus, address):
    command, *options = args
    alone = output_of(command, corpus, *options, "--processes", "1")
    assert output_of(command, corpus, *options, "--cluster", address) == alone


def test_that_pieces_are_done_in_the_order_of_the_tasks_by_several_processes(address):
    with cluster_workers(address) as workers:
        assert [*workers.map(square, range(100), Silent())] == [n * n for n in range(100)]
        pids = {*workers.map(pid_of, range(8), Silent())}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_that_a_worker_that_dies_is_survived():
    with running_cluster() as cluster, cluster_workers(cluster.scheduler_address) as workers:
        results = workers.map(pid_of, range(16), Silent())
        os.kill(next(results), signal.SIGKILL)
        assert len([*results]) == 15


def test_that_a_piece_that_kills_every_worker_is_told():
    with (
        running_cluster() as cluster,
        cluster_workers(cluster.scheduler_address) as workers,
        pytest.raises(EnvironmentProblem, match="killed every worker"),
    ):
        list(workers.map(deadly, [1], Silent()))


def test_that_a_lost_cluster_is_told():
    with running_cluster() as cluster, cluster_workers(cluster.scheduler_address) as workers:
        results = workers.map(pid_of, range(100), Silent())
        next(results)
        cluster.close()
        with pytest.raises(EnvironmentProblem, match="connection to the cluster"):
            list(results)


def test_that_work_on_a_cluster_is_stopped(address):
    with cluster_workers(address) as workers:
        with pytest.raises(Cancelled):
            list(workers.map(pid_of, range(100), Heard(at=3)))
        assert [*workers.map(square, [7], Silent())] == [49]


@pytest.mark.parametrize(
    ("is_installed", "why"),
    [
        (True, "No scheduler answers"),
        pytest.param(False, "needs the package", marks=pytest.mark.main),
    ],
)
def test_that_nobody_at_an_address_and_a_missing_package_are_told(monkeypatch, is_installed, why):
    monkeypatch.setattr(module, "SECONDS_TO_ANSWER", 1)
    if not is_installed:
        monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EnvironmentProblem, match=why), cluster_workers("tcp://127.0.0.1:9"):
        pass
