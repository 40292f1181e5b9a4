"""The Project page: its commands."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark


def _of_people(name: str, title: str, keys: tuple[str, ...]) -> Command:
    def run(page: object) -> None:
        people = page.people_shown()  # type: ignore[attr-defined]  # the page, which imports this
        getattr(people, name.replace("-", "_"))()

    return Command(f"project:{name}", title, keys, run=run)


PROJECT_COMMANDS: Final = in_group(
    mark("People and work"),
    _of_people("add-person", mark("Add a person…"), ("A",)),
    _of_people("change-person", mark("Change the person…"), ("E",)),
    _of_people("remove-person", mark("Remove the person"), ("Delete",)),
    _of_people("assign", mark("Assign work…"), ("W",)),
    _of_people("hand-over", mark("Hand over what the person has not begun"), ("H",)),
    _of_people("change-assistance", mark("Help for annotators…"), ("S",)),
    _of_people("toggle-blind", mark("Hide others' work, or allow it"), ("B",)),
    Command("project:find", mark("Find a topic"), ("/",), run=lambda page: page.find_topic()),
)
