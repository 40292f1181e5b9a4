from tests.gui.lending import lend

__all__ = ["lend"]
