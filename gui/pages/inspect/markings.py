"""What can be marked in texts that resemble each other, in words."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from awase.core.inspection.similarity import Marking
from awase.gui.kit.texts.i18n import mark

MARKINGS: Final[Mapping[Marking, str]] = MappingProxyType(
    {
        Marking.WORDS: mark("Words in common"),
        Marking.RUNS: mark("Runs of two words and more"),
        Marking.SUBSEQUENCE: mark("Longest common subsequence"),
    }
)
"""English; shown through `tr`."""
