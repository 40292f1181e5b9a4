"""`--vectors` on the command line: what it names, and where indices of large files are kept."""

from collections.abc import Sequence

import click

from awase.cli.output.progress import ProgressBar
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.registry import METRICS
from awase.core.vectors.source import WordVectors

HELP = (
    "Word vectors: a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza."
)


def vectors_for(requests: Sequence[MetricRequest], location: str | None) -> WordVectors | None:
    """Returns the vectors that were named on the command line; None when none were.

    Raises:
        UsageError: No metric that was asked for uses vectors.
        InputError: The file holds no word vectors, or is damaged.
        EnvironmentProblem: It cannot be read, or needs what is not installed.
    """
    if location is None:
        return None
    if not any("vectors" in METRICS[request.name].defaults for request in requests):
        users = [name for name, metric in METRICS.items() if "vectors" in metric.defaults]
        raise click.UsageError(f"--vectors is for the metrics {', '.join(users)}.")
    return opened_vectors(location)


def opened_vectors(location: str) -> WordVectors:
    """Returns the vectors; large files are gone through once and remembered.

    Raises:
        InputError: The file holds no word vectors, or is damaged.
        EnvironmentProblem: It cannot be read, or needs what is not installed.
    """
    from platformdirs import PlatformDirs

    from awase.core.vectors.opening import open_vectors

    cache = PlatformDirs("awase", appauthor=False).user_cache_path / "vectors"
    with ProgressBar("Reading vectors") as bar:
        return open_vectors(location, reporter=bar, cache=cache)
