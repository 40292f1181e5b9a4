"""The Project page: topics, people, assignments, progress."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.session.pages import NO_ABSTRACTS, NO_TEXTS, Page, calling


def _of_people(name: str, title: str, key: str) -> Command:
    return calling(f"project:{name}", title, name.replace("-", "_"), key, part="people_shown")


PAGE: Final = Page(
    id="project",
    title=mark("Pro&ject"),
    keys=("Ctrl+7",),
    needs=(NO_TEXTS, NO_ABSTRACTS),
    commands=in_group(
        mark("People and work"),
        _of_people("add-person", mark("Add a person…"), "A"),
        _of_people("change-person", mark("Change the person…"), "E"),
        _of_people("remove-person", mark("Remove the person"), "Delete"),
        _of_people("assign", mark("Assign work…"), "W"),
        _of_people("hand-over", mark("Hand over what the person has not begun"), "H"),
        _of_people("change-assistance", mark("Help for annotators…"), "S"),
        _of_people("toggle-blind", mark("Hide others' work, or allow it"), "B"),
        calling("project:find", mark("Find a topic"), "find_topic", "/"),
    ),
)
