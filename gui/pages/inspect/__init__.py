"""The Inspect page: where systems fail, and why."""

from typing import Final

from awase.gui.kit.commands import ENTER_KEYS, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command
from awase.gui.session.pages import (
    NO_ABSTRACTS,
    NO_OUTPUTS,
    NO_TEXTS,
    NOTHING_LINKED,
    Page,
    calling,
)

PAGE: Final = Page(
    id="inspect",
    title=mark("&Inspect"),
    keys=("Ctrl+2",),
    needs=(NO_TEXTS, NO_ABSTRACTS, NO_OUTPUTS, NOTHING_LINKED),
    commands=in_group(
        mark("Sentence and system"),
        why_command("inspect"),
        calling("inspect:link", mark("Link what probably should be linked"), "link_first", "L"),
        calling(
            "inspect:annotate",
            mark("Show the sentence on the Annotate page"),
            "annotate_current",
            *ENTER_KEYS,
        ),
    ),
)
