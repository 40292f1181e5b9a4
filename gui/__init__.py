"""The window: views, models, commands."""

import builtins

import PySide6.QtCore  # noqa: F401 - wraps `import`

# To look for a feature that nobody uses here, it would read the source of every module from now on.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
