"""Topics that would not fit the memory, in a temporary file that nobody else sees."""

import pickle
import tempfile
import weakref
import zlib
from collections.abc import Iterator, MutableMapping
from threading import Lock

from awase.core.errors import EnvironmentProblem
from awase.core.records.topic import Topic


class TopicShelf(MutableMapping[str, Topic]):
    """Topics by their ids, of which no more than the ids are held; threads may share it.

    The file goes when nobody has the shelf any more.
    """

    def __init__(self) -> None:
        """Begins without any."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # it is open as long as the shelf
        weakref.finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0
        self._lock = Lock()

    def __getitem__(self, topic_id: str) -> Topic:
        begin, n_bytes = self._places[topic_id]
        with self._lock:
            self._file.seek(begin)
            packed = self._file.read(n_bytes)
        topic: Topic = pickle.loads(zlib.decompress(packed))
        return topic

    def __setitem__(self, topic_id: str, topic: Topic) -> None:
        packed = zlib.compress(pickle.dumps(topic, pickle.HIGHEST_PROTOCOL), 1)
        with self._lock:
            try:
                self._file.seek(self._end)
                self._file.write(packed)
            except OSError as error:
                raise EnvironmentProblem(
                    "A temporary file cannot be written: {reason}.",
                    "Make room on the disk with temporary files.",
                    reason=error.strerror or str(error),
                ) from error
            self._places[topic_id] = self._end, len(packed)
            self._end += len(packed)

    def __delitem__(self, topic_id: str) -> None:
        del self._places[topic_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, topic_id: object) -> bool:
        return topic_id in self._places
