"""`--model` on the command line, and models that metrics name themselves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.core.metrics.kit.encoder_supply import encoders_for, uses_encoders
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import METRICS

if TYPE_CHECKING:  # numpy is slow to import, and most commands need no model
    from awase.core.vectors.contextual import WordEncoder

MODEL_HELP = "Language model: the folder of one for transformers, or the name of one downloaded."


def with_encoders(
    supplies: Supplies, requests: Sequence[MetricRequest], location: str | None
) -> Supplies:
    """Returns the supplies with the language models that the requests need.

    Args:
        supplies: What else there is.
        requests: Whose option `model` may name one.
        location: What `--model` names, for the others.

    Raises:
        UsageError: `--model` is given, and no metric that was asked for uses a model.
        EnvironmentProblem: There is none, or it needs what is not installed.
    """
    if location is not None and not any(uses_encoders(request.name) for request in requests):
        users = ", ".join(name for name in METRICS if uses_encoders(name))
        raise click.UsageError(f"--model is for the metrics {users}.")
    return replace(supplies, encoders=encoders_for(requests, location or "", _opened))


def _opened(location: str) -> "WordEncoder":
    from awase.core.vectors.transformer_encoder import open_encoder

    # A shell expands the home folder before a blank only, not behind “model=”.
    is_home = location.startswith("~")
    return open_encoder(str(Path(location).expanduser()) if is_home else location)
