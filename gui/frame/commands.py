"""Registry of the window's menu commands.

A new command or dialog is one entry here, in menu order; `window` is the `MainWindow`, `shown` its
open corpus. Commands of a page are in its `commands.py`.
"""

from functools import partial
from typing import Final

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


FILE: Final = in_menu(
    mark("&File"),
    (
        Command(
            "menu:new",
            mark("&New corpus…"),
            ("Ctrl+N",),
            run=lambda window: window.dialogs.ask_new_corpus(),
        ),
        Command(
            "menu:new-from-texts",
            mark("New corpus from &texts…"),
            ("Ctrl+Shift+N",),
            run=lambda window: window.dialogs.show_new_from_texts(),
        ),
        Command(
            "menu:open", mark("&Open…"), ("Ctrl+O",), run=lambda window: window.dialogs.ask_corpus()
        ),
        Command(
            "menu:open-shared",
            mark("Open &shared corpus…"),
            run=lambda window: window.dialogs.ask_shared(),
        ),
        Command("menu:restore", mark("Restore a bac&kup…"), run=lambda window: window.ask_backup()),
        Command(RECENT, mark("Open &recent")),
        Command(DEMONSTRATIONS, mark("&Demonstration corpora")),
    ),
    (
        Command(
            "menu:import", mark("&Import…"), ("Ctrl+I",), needs=Need.WRITING, run=ShowDialog(IMPORT)
        ),
        Command(
            "menu:import-texts",
            mark("Import te&xts…"),
            needs=Need.WRITING,
            run=lambda window: window.dialogs.show_texts(window.shown.session),
        ),
        Command(
            "menu:export",
            mark("&Export…"),
            ("Ctrl+E",),
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.transfer.export_dialog:ExportDialog"),
        ),
        Command(
            "menu:hand-out",
            mark("&Hand out…"),
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.team:HandOutDialog"),
        ),
        Command(
            "menu:take-back", mark("Take &back…"), needs=Need.WRITING, run=ShowDialog(TAKE_BACK)
        ),
        Command(
            "menu:report",
            mark("&Report…"),
            needs=Need.CORPUS,
            run=lambda window: window.dialogs.show_report(
                window.shown.session, window.shown.scored_subset()
            ),
        ),
    ),
    (
        Command(
            "menu:print",
            mark("&Print…"),
            ("Ctrl+Shift+P",),
            needs=Need.CORPUS,
            run=lambda window: window.shown.print_when_computed(window.dialogs.show_print),
        ),
        Command(
            "menu:pdf",
            mark("Save as PD&F…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.print_when_computed(
                partial(window.dialogs.ask_pdf, window.shown.session)
            ),
        ),
    ),
    (
        Command(
            "menu:close",
            mark("&Close corpus"),
            ("Ctrl+W",),
            needs=Need.CORPUS,
            run=lambda window: window.leave_corpus(),
        ),
        Command("menu:quit", mark("&Quit"), ("Ctrl+Q",), run=lambda window: window.close()),
    ),
)
EDIT: Final = in_menu(
    mark("&Edit"),
    (
        Command(
            "undo",
            mark("&Undo"),
            ("Ctrl+Z",),
            group=_EVERYWHERE,
            needs=Need.UNDO,
            run=lambda window: window.shown.undoing.to_undo.undo(),
        ),
        Command(
            "redo",
            mark("&Redo"),
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            group=_EVERYWHERE,
            needs=Need.REDO,
            run=lambda window: window.shown.undoing.to_redo.redo(),
        ),
    ),
    (
        Command(
            "menu:find-in-corpus",
            mark("&Find in the corpus…"),
            ("Ctrl+F",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.find_in_corpus(),
        ),
        Command(
            "menu:topics",
            mark("&Go to a topic…"),
            ("Ctrl+T",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.choose_topic(),
        ),
        Command(
            "menu:next-free",
            mark("&Take the next free topic"),
            ("Ctrl+Shift+T",),
            group=_EVERYWHERE,
            needs=Need.WRITING,
            run=lambda window: window.shown.take_next_topic(),
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
        Command(
            "menu:annotator",
            mark("A&nnotator…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.ask_annotator(),
        ),
        Command(
            "menu:times",
            mark("&Time worked…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_times(),
        ),
        Command(
            "menu:parse",
            mark("&Parse sentences…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.parsing:ParseDialog"),
        ),
        Command(
            "menu:extract",
            mark("E&xtractors as systems…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.extracting:ExtractorsDialog"),
        ),
        Command(
            "menu:pyramid",
            mark("Pseudo-p&yramid explained"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("pyramid"),
        ),
        Command(
            "menu:clusters",
            mark("Words that &count as one"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("clusters"),
        ),
        Command(
            "menu:trees",
            mark("Trees side by si&de"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("trees"),
        ),
        Command(
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
        Command(
            "menu:back",
            mark("&Back to where you came from"),
            ("Alt+Left",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.go_back(),
        ),
        _to_pane("next-pane", mark("Next pane"), "F6", 1),
        _to_pane("previous-pane", mark("Previous pane"), "Shift+F6", -1),
    ),
    (
        Command(
            "menu:guidelines",
            mark("&Guidelines"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.run_on_page("annotate", "guidelines"),
        ),
        Command(
            "menu:others",
            mark("&Other annotators"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.run_on_page("annotate", "show-others"),
        ),
    ),
    (
        Command(
            "menu:sort-table",
            mark("&Sort the table by the current column"),
            ("Ctrl+Shift+O",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.sort_table(),
        ),
        Command(
            "menu:palette-of-commands",
            mark("&Commands…"),
            ("Ctrl+P", "Ctrl+K"),
            group=_EVERYWHERE,
            run=lambda window: window.show_palette(),
        ),
    ),
    (
        Command(LANGUAGE, mark("&Language")),
        Command(PALETTE, mark("&Palette")),
        Command(
            "menu:larger",
            mark("Larger &text"),
            ("Ctrl++",),
            run=lambda window: window.change_point_size(1),
        ),
        Command(
            "menu:smaller",
            mark("S&maller text"),
            ("Ctrl+-",),
            run=lambda window: window.change_point_size(-1),
        ),
    ),
    (
        Command(
            "menu:settings",
            mark("S&ettings…"),
            ("Ctrl+,",),
            run=lambda window: window.dialogs.show_settings(),
        ),
    ),
)
HELP: Final = in_menu(
    mark("&Help"),
    (
        Command(
            "menu:help",
            mark("&Help"),
            ("F1",),
            group=_EVERYWHERE,
            run=lambda window: window.dialogs.show_help(),
        ),
        Command(
            "menu:why",
            mark("&Why this number?"),
            ("Shift+F1",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.why.toggle(),
        ),
        Command("menu:tour", mark("Five-minute &tour"), run=lambda window: window.begin_tour()),
        Command(
            "show-keys",
            mark("&Keys"),
            ("?",),
            group=_EVERYWHERE,
            run=lambda window: window.show_keys(),
        ),
        Command("menu:about", mark("&About Awase"), run=lambda window: window.dialogs.show_about()),
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
