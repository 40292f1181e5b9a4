"""Bindings of the compiled kernel, with numpy as fallback."""
