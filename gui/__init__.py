"""The window: views, models, commands."""

import builtins

import PySide6.QtCore  # noqa: F401 - wraps `import`

# Otherwise its feature detection, unused here, would read the source of every later module.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
