"""What holds for the whole run: byte code is kept, and laws are tried in part or whole."""

import os
import sys

from hypothesis import settings

from tests.laws import PART, WHOLE

if sys.dont_write_bytecode:
    # Each worker, and each `awase` that a test starts, would compile all sources anew: a minute.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("part", max_examples=PART, deadline=None)
settings.register_profile("whole", max_examples=WHOLE, deadline=None)
settings.load_profile("part")
