import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from awase.storage.store import CorpusStore
from tests.storage.sample import addition
from tests.storage.servers import Server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus.awase"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus file that is only copied: creating one takes a tenth of a second."""
    path = tmp_path_factory.mktemp("template") / "corpus.awase"
    CorpusStore.create(path, name="sample", who="ann", addition=addition()).close()
    return path


@pytest.fixture
def stored(path: Path, template: Path) -> Path:
    shutil.copy(template, path)
    return path


@pytest.fixture
def store(stored: Path) -> Iterator[CorpusStore]:
    """The same, open for writing."""
    with CorpusStore.open(stored, who="ann") as store:
        yield store


@pytest.fixture
def url(server: Server) -> str:
    """Of an empty database."""
    return server.url_of(server.make_database())


@pytest.fixture
def as_nobody() -> Iterator[Callable[[Path], None]]:
    """Gives up root's rights until the test ends; the folder given stays reachable."""
    if os.name != "posix":
        pytest.skip("permissions are POSIX's")
    if os.geteuid() != 0:
        yield lambda _folder: None
        return

    def give_up(folder: Path) -> None:
        for parent in [folder, *folder.parents]:
            if not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o055)
        os.seteuid(65534)

    yield give_up
    os.seteuid(0)
