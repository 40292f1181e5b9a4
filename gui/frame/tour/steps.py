"""What the tour shows, as data: a title, a text that names keys, and what says that it is done."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.annotation import actions
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import mark, tr

_KEY = re.compile(r"\[([a-z0-9-]+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the tour.

    Attributes:
        title: English message.
        text: English message; `[command]` stands for the keys of a command.
        signal: What happens when the step is done: `sentence`, `others`, `undo`, `page:ID`, or
            `edit:VERB` for an edit with that verb.
    """

    title: str
    text: str
    signal: str

    def text_in(self, keys: KeyMap, key_text: Callable[[str, KeyMap], str]) -> str:
        """Returns the text in the window's language, with the keys as they are bound."""
        return _KEY.sub(lambda match: key_text(match[1], keys), tr(self.text))


STEPS: Final[Sequence[Step]] = (
    Step(
        title=mark("Choose a sentence."),
        text=mark(
            "On the left stand the sentences of an abstract. Go to the next one with "
            "[next-sentence], or click another one."
        ),
        signal="sentence",
    ),
    Step(
        title=mark("Link a source sentence."),
        text=mark(
            "In the middle stand the source sentences, the likeliest first. Press a digit, such "
            "as [candidate-4], or click a sentence: what is not linked yet joins the alternative "
            "at the right."
        ),
        signal=f"edit:{actions.LINK}",
    ),
    Step(
        title=mark("Begin another alternative."),
        text=mark(
            "Can the sentence be written from other source sentences, too? Press "
            "[new-alternative], then link a sentence. Below you see h and the scores follow."
        ),
        signal="alternative",
    ),
    Step(
        title=mark("Take it back."),
        text=mark(
            "Every action is stored the moment it happens; there is no Save. [undo] takes the "
            "last one back, even after a restart."
        ),
        signal="undo",
    ),
    Step(
        title=mark("Rank the sentence."),
        text=mark("How important is it? [rank-1], [rank-2] or [rank-3]: choose one it has not."),
        signal=f"edit:{actions.RANK}",
    ),
    Step(
        title=mark("Confirm it."),
        text=mark(
            "[confirm] says that the sentence is finished and goes on to the next one that is not."
        ),
        signal=f"edit:{actions.CONFIRM}",
    ),
    Step(
        title=mark("See what somebody else did."),
        text=mark(
            "Your alignment is your own. [show-others] shows the others', by name and to read "
            "only; the same key hides them."
        ),
        signal="others",
    ),
    Step(
        title=mark("Read the guidelines."),
        text=mark("[guidelines] shows what the owner of the corpus asks of its annotators."),
        signal="guidelines",
    ),
    Step(
        title=mark("Look at the scores."),
        text=mark(
            "Choose “Scores” in the rail at the left: systems by metrics, with signatures. "
            "“Correlations” below it tells how far they agree with people."
        ),
        signal="page:scores",
    ),
)
