"""A team writes at one server at once, from processes of their own: nothing is lost."""

import pytest

pytest.importorskip("psycopg")

from tests.benchmarks.shared_server import measure
from tests.storage.servers import controlled_server


@pytest.mark.slow
def test_that_eight_writers_lose_no_edit(tmp_path):
    with controlled_server(tmp_path / "server") as server:
        url = server.url_of(server.make_database("many"))
        got = measure(url, n_writers=8, per_second=5, seconds=8)
    assert (len(got.durations_s), got.n_lost) == (8 * 5 * 8, 0)
