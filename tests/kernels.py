"""The program as it is where its kernel was not built, in this process; tests that need one."""

from contextlib import AbstractContextManager
from unittest.mock import patch

import pytest

from awase.core.kernel import binding


def without_kernel() -> AbstractContextManager[object]:
    return patch.object(binding, "_opened", lambda: None)


needs_kernel = pytest.mark.skipif(
    binding.kernel() is None,
    reason="no compiled kernel here: tools/build_kernel.py builds it where cargo is",
)
