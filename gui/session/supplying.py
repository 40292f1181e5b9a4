"""What metrics need besides the corpus: its parses, vectors and models that the user named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from awase.core.metrics.kit.encoder_supply import encoders_for
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import metric_by_name
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.vectors.source import WordVectors

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.core.vectors.contextual import WordEncoder
    from awase.storage.store import CorpusStore

VECTORS, MODEL = "vectors", "model"


class VectorCache:
    """The word vectors opened last: opening them again for every edit would take seconds."""

    def __init__(self, folder: Path) -> None:
        """Opens nothing; `folder` is for what is found out about large files."""
        self._folder = folder
        self._lock = Lock()
        self._location = ""
        self._opened: WordVectors | None = None

    def opened(self, location: str, reporter: Reporter) -> WordVectors:
        """Returns the word vectors at `location`.

        Raises:
            CorpusFormatError: A file holds none.
            EnvironmentProblem: It cannot be read, or needs what is not installed.
            Cancelled: The reporter asked to stop.
        """
        from awase.core.vectors.opening import open_vectors

        with self._lock:
            if self._opened is None or location != self._location:
                self._opened = open_vectors(location, reporter=reporter, cache=self._folder)
                self._location = location
            return self._opened


class ModelCache:
    """The language models opened so far; each is kept with the vectors that it made last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._opened: dict[str, WordEncoder] = {}

    def opened(self, location: str) -> "WordEncoder":
        """Returns the model at `location`.

        Raises:
            EnvironmentProblem: There is none, or it needs what is not installed.
        """
        from awase.core.vectors.transformer_encoder import open_encoder

        with self._lock:
            if location not in self._opened:
                self._opened[location] = open_encoder(location)
            return self._opened[location]

    def keep(self, location: str, encoder: "WordEncoder") -> None:
        """Takes `encoder` for the model at `location` from now on."""
        with self._lock:
            self._opened[location] = encoder


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are that the user named; empty = there is none.

    Attributes:
        vectors: Word vectors.
        model: The language model.
    """

    vectors: str = ""
    model: str = ""


class Supplier:
    """Gathers what the requests need, on the thread that scores."""

    def __init__(
        self,
        store: "CorpusStore",
        places: Places,
        cache: VectorCache,
        models: ModelCache | None = None,
    ) -> None:
        """Gathers nothing yet.

        Args:
            store: Where the parses are.
            places: Where vectors and models are.
            cache: Of opened word vectors.
            models: Those opened before; None = there are none yet.
        """
        self._store = store
        self._places = places
        self._cache = cache
        self._models = models or ModelCache()

    def __call__(
        self, corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter
    ) -> Supplies:
        """Returns the parses, vectors and models that the requests need.

        Raises:
            InputError: Two models' parses are asked for, or one's that parsed nothing.
        """
        from awase.jobs.supplies import supplies_of

        others = NO_SUPPLIES
        if self._places.vectors and uses_vectors(request.name for request in requests):
            others = replace(others, vectors=self._cache.opened(self._places.vectors, reporter))
        encoders = encoders_for(requests, self._places.model, self._models.opened)
        others = replace(others, encoders=encoders)
        return supplies_of(self._store, corpus, requests, others)


def uses_vectors(names: Iterable[str]) -> bool:
    """Returns whether any of the metrics may use word vectors."""
    return any(VECTORS in metric_by_name(name).defaults for name in names)
