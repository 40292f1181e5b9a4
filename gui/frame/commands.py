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
            id="menu:new",
            title=mark("&New corpus…"),
            keys=("Ctrl+N",),
            run=lambda window: window.dialogs.ask_new_corpus(),
        ),
        Command(
            id="menu:new-from-texts",
            title=mark("Ne&w corpus from texts…"),
            keys=("Ctrl+Shift+N",),
            run=lambda window: window.dialogs.show_new_from_texts(),
        ),
        Command(
            id="menu:open",
            title=mark("&Open…"),
            keys=("Ctrl+O",),
            run=lambda window: window.dialogs.ask_corpus(),
        ),
        Command(
            id="menu:open-shared",
            title=mark("Open &shared corpus…"),
            run=lambda window: window.dialogs.ask_shared(),
        ),
        Command(
            id="menu:restore",
            title=mark("Restore a bac&kup…"),
            run=lambda window: window.ask_backup(),
        ),
        Command(id=RECENT, title=mark("Open &recent")),
        Command(id=DEMONSTRATIONS, title=mark("&Demonstration corpora")),
    ),
    (
        Command(
            id="menu:import",
            title=mark("&Import…"),
            keys=("Ctrl+I",),
            needs=Need.WRITING,
            run=ShowDialog(IMPORT),
        ),
        Command(
            id="menu:import-texts",
            title=mark("Import te&xts…"),
            needs=Need.WRITING,
            run=lambda window: window.dialogs.show_texts(window.shown.session),
        ),
        Command(
            id="menu:export",
            title=mark("&Export…"),
            keys=("Ctrl+E",),
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.transfer.export_dialog:ExportDialog"),
        ),
        Command(
            id="menu:hand-out",
            title=mark("&Hand out…"),
            needs=Need.CORPUS,
            run=ShowDialog("dialogs.team:HandOutDialog"),
        ),
        Command(
            id="menu:take-back",
            title=mark("Take &back…"),
            needs=Need.WRITING,
            run=ShowDialog(TAKE_BACK),
        ),
        Command(
            id="menu:report",
            title=mark("Repor&t…"),
            needs=Need.CORPUS,
            run=lambda window: window.dialogs.show_report(
                window.shown.session, window.shown.scored_subset()
            ),
        ),
    ),
    (
        Command(
            id="menu:print",
            title=mark("&Print…"),
            keys=("Ctrl+Shift+P",),
            needs=Need.CORPUS,
            run=lambda window: window.shown.print_when_computed(window.dialogs.show_print),
        ),
        Command(
            id="menu:pdf",
            title=mark("Save as PD&F…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.print_when_computed(
                partial(window.dialogs.ask_pdf, window.shown.session)
            ),
        ),
    ),
    (
        Command(
            id="menu:close",
            title=mark("&Close corpus"),
            keys=("Ctrl+W",),
            needs=Need.CORPUS,
            run=lambda window: window.leave_corpus(),
        ),
        Command(
            id="menu:quit",
            title=mark("&Quit"),
            keys=("Ctrl+Q",),
            run=lambda window: window.close(),
        ),
    ),
)
EDIT: Final = in_menu(
    mark("&Edit"),
    (
        Command(
            id="undo",
            title=mark("&Undo"),
            keys=("Ctrl+Z",),
            group=_EVERYWHERE,
            needs=Need.UNDO,
            run=lambda window: window.shown.undoing.to_undo.undo(),
        ),
        Command(
            id="redo",
            title=mark("&Redo"),
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            group=_EVERYWHERE,
            needs=Need.REDO,
            run=lambda window: window.shown.undoing.to_redo.redo(),
        ),
    ),
    (
        Command(
            id="menu:find-in-corpus",
            title=mark("&Find in the corpus…"),
            keys=("Ctrl+F",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.find_in_corpus(),
        ),
        Command(
            id="menu:topics",
            title=mark("&Go to a topic…"),
            keys=("Ctrl+T",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.choose_topic(),
        ),
        Command(
            id="menu:next-free",
            title=mark("&Take the next free topic"),
            keys=("Ctrl+Shift+T",),
            group=_EVERYWHERE,
            needs=Need.WRITING,
            run=lambda window: window.shown.take_next_topic(),
        ),
    ),
)


def _editing(what: str, title: str, *keys: str) -> Command:
    """Returns a command that edits the corpus at the position on the Annotate page."""
    return Command(
        id=f"menu:edit:{what}",
        title=title,
        keys=keys,
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
            id="menu:annotator",
            title=mark("A&nnotator…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.ask_annotator(),
        ),
        Command(
            id="menu:times",
            title=mark("T&ime worked…"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_times(),
        ),
        Command(
            id="menu:parse",
            title=mark("&Parse sentences…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.parsing:ParseDialog"),
        ),
        Command(
            id="menu:extract",
            title=mark("E&xtractors as systems…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.extracting:ExtractorsDialog"),
        ),
        Command(
            id="menu:pyramid",
            title=mark("Pseudo-p&yramid explained"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("pyramid"),
        ),
        Command(
            id="menu:clusters",
            title=mark("Words that &count as one"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("clusters"),
        ),
        Command(
            id="menu:trees",
            title=mark("Trees side by si&de"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.show_explanation("trees"),
        ),
        Command(
            id="menu:remove",
            title=mark("&Remove…"),
            needs=Need.WRITING,
            run=ShowDialog("dialogs.removing:RemoveDialog"),
        ),
    ),
)


def _showing(page: Page) -> Command:
    return Command(
        id=f"menu:page:{page.id}",
        title=page.title,
        keys=page.keys,
        group=_EVERYWHERE,
        needs=Need.CORPUS,
        run=lambda window: window.shown.show_page(page.id),
    )


def _to_pane(id: str, title: str, key: str, by: int) -> Command:
    return Command(
        id=id,
        title=title,
        keys=(key,),
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
            id="menu:back",
            title=mark("&Back to where you came from"),
            keys=("Alt+Left",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.go_back(),
        ),
        _to_pane("next-pane", mark("Next pane"), "F6", 1),
        _to_pane("previous-pane", mark("Previous pane"), "Shift+F6", -1),
    ),
    (
        Command(
            id="menu:guidelines",
            title=mark("G&uidelines"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.run_on_page("annotate", "guidelines"),
        ),
        Command(
            id="menu:others",
            title=mark("&Other annotators"),
            needs=Need.CORPUS,
            run=lambda window: window.shown.run_on_page("annotate", "show-others"),
        ),
    ),
    (
        Command(
            id="menu:sort-table",
            title=mark("So&rt the table by the current column"),
            keys=("Ctrl+Shift+O",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.sort_table(),
        ),
        Command(
            id="menu:palette-of-commands",
            title=mark("Comman&ds…"),
            keys=("Ctrl+P", "Ctrl+K"),
            group=_EVERYWHERE,
            run=lambda window: window.show_palette(),
        ),
    ),
    (
        Command(id=LANGUAGE, title=mark("&Language")),
        Command(id=PALETTE, title=mark("&Palette")),
        Command(
            id="menu:larger",
            title=mark("Larger &text"),
            keys=("Ctrl++",),
            run=lambda window: window.change_point_size(1),
        ),
        Command(
            id="menu:smaller",
            title=mark("S&maller text"),
            keys=("Ctrl+-",),
            run=lambda window: window.change_point_size(-1),
        ),
    ),
    (
        Command(
            id="menu:settings",
            title=mark("S&ettings…"),
            keys=("Ctrl+,",),
            run=lambda window: window.dialogs.show_settings(),
        ),
    ),
)
HELP: Final = in_menu(
    mark("&Help"),
    (
        Command(
            id="menu:help",
            title=mark("&Help"),
            keys=("F1",),
            group=_EVERYWHERE,
            run=lambda window: window.dialogs.show_help(),
        ),
        Command(
            id="menu:why",
            title=mark("&Why this number?"),
            keys=("Shift+F1",),
            group=_EVERYWHERE,
            needs=Need.CORPUS,
            run=lambda window: window.shown.why.toggle(),
        ),
        Command(
            id="menu:tour",
            title=mark("Five-minute &tour"),
            run=lambda window: window.begin_tour(),
        ),
        Command(
            id="show-keys",
            title=mark("&Keys"),
            keys=("?",),
            group=_EVERYWHERE,
            run=lambda window: window.show_keys(),
        ),
        Command(
            id="menu:about",
            title=mark("&About Awase"),
            run=lambda window: window.dialogs.show_about(),
        ),
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
