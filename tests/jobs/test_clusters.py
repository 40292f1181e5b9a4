"""Work handed to a cluster: real workers in processes of their own, and the same numbers."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from tests.reporters import Heard

from awase.cli.main import main
from awase.core.errors import Cancelled, EnvironmentProblem, Silent
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
        pytest.raises(EnvironmentProblem, match="ended every worker"),
    ):
        list(workers.map(deadly, [1], Silent()))


def test_that_a_lost_cluster_is_told():
    with running_cluster() as cluster, cluster_workers(cluster.scheduler_address) as workers:
        results = workers.map(pid_of, range(100), Silent())
        next(results)
        cluster.close()
        with pytest.raises(EnvironmentProblem, match="connection to the cluster"):
            list(results)


class Torn:
    """Work whose result comes as the connection goes."""

    def __init__(self, _executor: object, *, check: Callable[[], None], at_once: int) -> None:
        self._check = check

    def map(self, *_: object) -> Iterator[int]:
        with suppress(EnvironmentProblem):
            while True:
                self._check()
        yield from ()
        raise TypeError("cannot unpack non-iterable int object")


def test_that_a_result_that_comes_as_the_cluster_goes_is_told_as_its_loss(monkeypatch):
    monkeypatch.setattr(module, "Elsewhere", Torn)
    with (
        running_cluster(n_workers=1) as cluster,
        cluster_workers(cluster.scheduler_address) as workers,
    ):
        cluster.close()
        with pytest.raises(EnvironmentProblem, match="connection to the cluster"):
            list(workers.map(square, [1], Silent()))


def test_that_work_on_a_cluster_is_stopped(address):
    with cluster_workers(address) as workers:
        with pytest.raises(Cancelled):
            list(workers.map(pid_of, range(100), Heard(at=3)))
        assert [*workers.map(square, [7], Silent())] == [49]


def test_that_nobody_at_an_address_is_told(monkeypatch):
    monkeypatch.setattr(module, "SECONDS_TO_ANSWER", 1)
    with (
        pytest.raises(EnvironmentProblem, match="No scheduler answers"),
        cluster_workers("tcp://127.0.0.1:9"),
    ):
        pass


def test_that_workers_of_another_version_are_refused(address, monkeypatch):
    monkeypatch.setattr(module, "version_of_code", lambda: "0.0.1")
    with pytest.raises(EnvironmentProblem, match=r"here it is 0\.0\.1"), cluster_workers(address):
        pass


def test_that_a_cluster_without_workers_is_refused():
    with (
        running_cluster(n_workers=0) as cluster,
        pytest.raises(EnvironmentProblem, match="has no worker"),
        cluster_workers(cluster.scheduler_address),
    ):
        pass


def test_that_a_missing_package_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(EnvironmentProblem, match="needs the package"),
        cluster_workers("tcp://127.0.0.1:9"),
    ):
        pass
