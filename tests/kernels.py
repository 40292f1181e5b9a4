"""The program as it is where its kernel was not built, in this process."""

from contextlib import AbstractContextManager
from unittest.mock import patch

from awase.core.kernel import binding


def without_kernel() -> AbstractContextManager[object]:
    return patch.object(binding, "_opened", lambda: None)
