"""Where real corpora lie that are not part of the project: beside the checkout, or as told."""

import os
from pathlib import Path

_BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "data"

SHARED_DATA = Path(os.environ.get("AWASE_SHARED_DATA") or _BESIDE_THE_CHECKOUT)
"""The folder; AWASE_SHARED_DATA names another one. Tests that need it are skipped without it."""
