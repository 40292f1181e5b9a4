"""`--vectors`, `--model`, `--oracles` and `--edus`: what they name, and for which metrics."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from awase.cli.arguments.choices import PYRAMID

if TYPE_CHECKING:
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.kit.supplies.supplies import Supplies
    from awase.jobs.supplies.gathering import Supplier


VECTORS_HELP = (
    "Word vectors: a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza."
)
_FILE: Final = click.Path(path_type=Path, dir_okay=False)
EDU_FILE: Final = "edu-file"
F = TypeVar("F", bound=Callable[..., object])
MODEL_HELP = "Language model: the folder of one for transformers, or the name of one downloaded."


def oracles_option(what: str = "") -> Callable[[F], F]:
    """Returns the decorator of `--oracles`; `what` tells for which metrics, behind a comma."""
    return click.option("--oracles", metavar="FILE", type=_FILE,
                        help=f"Oracles found before (awase oracle -o){what}.")  # fmt: skip


def edus_option(unit: str = "unit=edu-file") -> Callable[[F], F]:
    """Returns the decorator of `--edus`, which is asked for by `unit`."""
    return click.option("--edus", metavar="FILE", type=_FILE,
                        help=f"EDUs of your own segmenter, for {unit}.")  # fmt: skip


def supplier_for(
    parses: "Supplies",
    requests: "Sequence[MetricRequest]",
    *,
    vectors: str | None = None,
    model: str | None = None,
    oracles: Path | None = None,
    edus: Path | None = None,
) -> "Supplier":
    """Returns what gathers the supplies that the options name.

    Args:
        parses: Those of the corpus that the requests need.
        requests: The metrics that were asked for.
        vectors: What `--vectors` names.
        model: Likewise.
        oracles: Likewise.
        edus: Likewise.

    Raises:
        UsageError: No metric that was asked for uses the vectors, or the model.
    """
    from awase.core.metrics.encoders_asked import uses_encoders
    from awase.core.metrics.registry import METRICS
    from awase.jobs.supplies.gathering import Places, Supplier, known_parses, uses_vectors

    if vectors is not None and not uses_vectors(request.name for request in requests):
        users = [name for name, metric in METRICS.items() if "vectors" in metric.defaults]
        raise click.UsageError(f"--vectors is for the metrics {', '.join(users)}.")
    if model is not None and not any(uses_encoders(request.name) for request in requests):
        users = [name for name in METRICS if uses_encoders(name)]
        raise click.UsageError(f"--model is for the metrics {', '.join(users)}.")
    if oracles is not None and not any(request.name == PYRAMID for request in requests):
        raise click.UsageError(f"--oracles is for the metric {PYRAMID}.")
    if (
        edus is not None
        and requests
        and not any(("unit", EDU_FILE) in request.options for request in requests)
    ):
        raise click.UsageError(f"--edus goes with {PYRAMID}:unit={EDU_FILE}.")
    places = Places(
        vectors=vectors or "",
        model=model or "",
        oracles="" if oracles is None else str(oracles),
        edus="" if edus is None else str(edus),
    )
    return Supplier(known_parses(parses), places)
