"""The states of an abstract sentence in words."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from awase.core.records.alignment import AlignmentState
from awase.gui.kit.texts.i18n import mark

# English; shown through `tr`.
STATE_NAMES: Final[Mapping[AlignmentState, str]] = MappingProxyType(
    {
        AlignmentState.TODO: mark("to do"),
        AlignmentState.INCOMPLETE: mark("incomplete"),
        AlignmentState.CONFIRMED: mark("confirmed"),
        AlignmentState.NO_SOURCE: mark("no source"),
        AlignmentState.FLAGGED: mark("flagged"),
    }
)
