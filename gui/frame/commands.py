"""Registry of the window's menu commands.

A new command is one entry here, in menu order, that names its dialog or has an entry in
`MainWindow.actions_by_id`. Commands of a page are in its `commands.py`.
"""

from typing import Any, Final

from awase.gui.frame.pages import PAGES
from awase.gui.kit.commands import (
    IMPORT,
    TAKE_BACK,
    Command,
    Need,
    ShowDialog,
    bindings_of,
    in_menu,
)
from awase.gui.kit.i18n import mark
from awase.gui.session.pages import Page

_EVERYWHERE: Final = mark("Everywhere")

RECENT: Final = "menu:recent"
DEMONSTRATIONS: Final = "menu:demonstrations"
LANGUAGE: Final = "menu:language"
PALETTE: Final = "menu:palette"


def _command(id: str, title: str, *keys: str, **more: Any) -> Command:  # noqa: ANN401 (fields)
    """Returns a command of `MainWindow.actions_by_id`, unless `run` is among `more`."""
    return Command(id, title, keys, **{"run": lambda window: window.actions_by_id()[id](), **more})


FILE: Final = in_menu(
    mark("&File"),
    (
        _command("menu:new", mark("&New corpus…"), "Ctrl+N"),
        _command("menu:new-from-texts", mark("Ne&w corpus from texts…"), "Ctrl+Shift+N"),
        _command("menu:open", mark("&Open…"), "Ctrl+O"),
        _command("menu:open-shared", mark("Open &shared corpus…")),
        _command("menu:restore", mark("Restore a bac&kup…")),
        Command(RECENT, mark("Open &recent")),
        Command(DEMONSTRATIONS, mark("&Demonstration corpora")),
    ),
    (
        _command(
            "menu:import", mark("&Import…"), "Ctrl+I", needs=Need.WRITING, run=ShowDialog(IMPORT)
        ),
        _command("menu:import-texts", mark("Import te&xts…"), needs=Need.WRITING),
        _command(
            "menu:export",
            mark("&Export…"),
            "Ctrl+E",
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.transfer.export_dialog:ExportDialog"),
        ),
        _command(
            "menu:hand-out",
            mark("&Hand out…"),
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.team:HandOutDialog"),
        ),
        _command(
            "menu:take-back", mark("Take &back…"), needs=Need.WRITING, run=ShowDialog(TAKE_BACK)
        ),
        _command("menu:report", mark("Repor&t…"), needs=Need.CORPUS),
    ),
    (
        _command("menu:print", mark("&Print…"), "Ctrl+Shift+P", needs=Need.CORPUS),
        _command("menu:pdf", mark("Save as PD&F…"), needs=Need.CORPUS),
    ),
    (
        _command("menu:close", mark("&Close corpus"), "Ctrl+W", needs=Need.CORPUS),
        _command("menu:quit", mark("&Quit"), "Ctrl+Q"),
    ),
)
EDIT: Final = in_menu(
    mark("&Edit"),
    (
        _command("undo", mark("&Undo"), "Ctrl+Z", group=_EVERYWHERE, needs=Need.UNDO),
        _command(
            "redo", mark("&Redo"), "Ctrl+Shift+Z", "Ctrl+Y", group=_EVERYWHERE, needs=Need.REDO
        ),
    ),
    (
        _command(
            "menu:find-in-corpus",
            mark("&Find in the corpus…"),
            "Ctrl+F",
            group=_EVERYWHERE,
            needs=Need.CORPUS,
        ),
        _command(
            "menu:topics", mark("&Go to a topic…"), "Ctrl+T", group=_EVERYWHERE, needs=Need.CORPUS
        ),
        _command(
            "menu:next-free",
            mark("&Take the next free topic"),
            "Ctrl+Shift+T",
            group=_EVERYWHERE,
            needs=Need.WRITING,
        ),
    ),
)


def _editing(what: str, title: str, *keys: str) -> Command:
    """Returns a command that edits the corpus at the position on the Annotate page."""
    return Command(
        f"menu:edit:{what}",
        title,
        keys,
        needs=Need.WRITING,
        run=lambda window: window.shown.edit(f"edit:{what}"),
    )


CORPUS: Final = in_menu(
    mark("&Corpus"),
    (_editing("text", mark("Edit the &text of the sentence"), "F2"),),
    (_editing("topic", mark("Edit the t&opic…")),),
    (
        _editing("new-abstract", mark("&Write an abstract…")),
        _editing("abstract", mark("&Edit the abstract…"), "Shift+F2"),
        _editing("remove-abstract", mark("Remove the a&bstract…")),
    ),
    (
        _editing("new-document", mark("&Add a document…")),
        _editing("document", mark("&Split the document anew…")),
        _editing("remove-document", mark("Re&move the document…")),
    ),
    (
        _editing("guidelines", mark("Edit the &guidelines…")),
        _command("menu:annotator", mark("A&nnotator…"), needs=Need.CORPUS),
        _command("menu:times", mark("T&ime worked…"), needs=Need.CORPUS),
        _command(
            "menu:parse",
            mark("&Parse sentences…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.parsing:ParseDialog"),
        ),
        _command(
            "menu:extract",
            mark("E&xtractors as systems…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.extracting:ExtractorsDialog"),
        ),
        _command("menu:pyramid", mark("Pseudo-p&yramid explained"), needs=Need.CORPUS),
        _command("menu:clusters", mark("Words that &count as one"), needs=Need.CORPUS),
        _command("menu:trees", mark("Trees side by si&de"), needs=Need.CORPUS),
        _command(
            "menu:remove",
            mark("&Remove…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.removing:RemoveDialog"),
        ),
    ),
)


def _showing(page: Page) -> Command:
    return Command(
        f"menu:page:{page.id}",
        page.title,
        page.keys,
        group=_EVERYWHERE,
        needs=Need.CORPUS,
        run=lambda window: window.shown.show_page(page.id),
    )


def _to_pane(id: str, title: str, key: str, by: int) -> Command:
    return Command(
        id,
        title,
        (key,),
        group=_EVERYWHERE,
        together=mark("Next or previous pane"),
        needs=Need.CORPUS,
        run=lambda window: window.shown.step_pane(by),
    )


VIEW: Final = in_menu(
    mark("&View"),
    (
        *map(_showing, PAGES),
        _command(
            "menu:back",
            mark("&Back to where you came from"),
            "Alt+Left",
            group=_EVERYWHERE,
            needs=Need.CORPUS,
        ),
        _to_pane("next-pane", mark("Next pane"), "F6", 1),
        _to_pane("previous-pane", mark("Previous pane"), "Shift+F6", -1),
    ),
    (
        _command("menu:guidelines", mark("G&uidelines"), needs=Need.CORPUS),
        _command("menu:others", mark("&Other annotators"), needs=Need.CORPUS),
    ),
    (
        _command(
            "menu:sort-table",
            mark("So&rt the table by the current column"),
            "Ctrl+Shift+O",
            group=_EVERYWHERE,
            needs=Need.CORPUS,
        ),
        _command(
            "menu:palette-of-commands", mark("Comman&ds…"), "Ctrl+P", "Ctrl+K", group=_EVERYWHERE
        ),
    ),
    (
        Command(LANGUAGE, mark("&Language")),
        Command(PALETTE, mark("&Palette")),
        _command("menu:larger", mark("Larger &text"), "Ctrl++"),
        _command("menu:smaller", mark("S&maller text"), "Ctrl+-"),
    ),
    (_command("menu:settings", mark("S&ettings…"), "Ctrl+,"),),
)
HELP: Final = in_menu(
    mark("&Help"),
    (
        _command("menu:help", mark("&Help"), "F1", group=_EVERYWHERE),
        _command(
            "menu:why", mark("&Why this number?"), "Shift+F1", group=_EVERYWHERE, needs=Need.CORPUS
        ),
        _command("menu:tour", mark("Five-minute &tour")),
        _command("show-keys", mark("&Keys"), "?", group=_EVERYWHERE),
        _command("menu:about", mark("&About Awase")),
    ),
)
# In the order of the menus.
WINDOW_COMMANDS: Final[tuple[Command, ...]] = (*FILE, *EDIT, *CORPUS, *VIEW, *HELP)

# Every command of the program: those of the pages, then those of the window.
ALL_COMMANDS: Final[tuple[Command, ...]] = (
    *(command for page in PAGES for command in page.commands),
    *WINDOW_COMMANDS,
)

BY_ID: Final = {command.id: command for command in ALL_COMMANDS}


def default_bindings() -> dict[str, tuple[str, ...]]:
    """Returns the default keys by command id."""
    return bindings_of(ALL_COMMANDS)
