"""Topics that would not fit the memory, in a temporary file that nobody else sees."""

import pickle
import weakref
from collections.abc import Iterator, MutableMapping
from threading import Lock

from awase.core.records.topic import Topic
from awase.jobs.files.on_disk import unnamed_blocks


class TopicShelf(MutableMapping[str, Topic]):
    """Topics by their ids, of which no more than the ids are held; threads may share it.

    The file goes when nobody has the shelf any more.
    """

    def __init__(self) -> None:
        """Begins without any.

        Raises:
            EnvironmentProblem: The file cannot be made.
        """
        self._blocks = unnamed_blocks()
        weakref.finalize(self, self._blocks.close)
        self._places: dict[str, int] = {}
        self._lock = Lock()

    def __getitem__(self, topic_id: str) -> Topic:
        place = self._places[topic_id]
        with self._lock:
            packed = self._blocks[place]
        topic: Topic = pickle.loads(packed)
        return topic

    def __setitem__(self, topic_id: str, topic: Topic) -> None:
        packed = pickle.dumps(topic, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._blocks.append(packed)
            self._places[topic_id] = len(self._blocks) - 1

    def __delitem__(self, topic_id: str) -> None:
        del self._places[topic_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, topic_id: object) -> bool:
        return topic_id in self._places
