"""The program `awase`: runs a command, or opens the window without one."""

import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from awase.cli.options import completed, examples
from awase.cli.output.messages import errors_reported, prepare_streams, say, use_utf_8
from awase.core.errors import search_seldom
from awase.storage.addresses import is_url

# Module and what the command does. Modules are imported when their command is typed, so that none
# pays for another's imports, and the list of all of them for none.
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "agreement": ("team.agreement_and_assistance", "Show how well the annotators agree."),
    "assign": ("team.people", "Assign work to people."),
    "assist": ("team.agreement_and_assistance", "Show or change how annotators are helped."),
    "assist-ask": ("team.agreement_and_assistance", "Query a language model about open sentences."),
    "assist-fit": ("team.agreement_and_assistance", "Fit suggestions to a corpus's annotation."),
    "assist-report": ("team.agreement_and_assistance", "Compare work with and without help."),
    "check": ("corpus.undo_and_repair", "Check a corpus file for damage."),
    "clusters": ("scoring.explain", "Show which words pruned metrics merge."),
    "correlate": ("scoring.correlate", "Correlate metrics with human scores."),
    "cover": ("scoring.cover_and_oracle", "Find the minimal covers of the abstracts."),
    "demo": ("corpus.inspecting", "Write the demonstration corpora and print their scores."),
    "diff": ("corpus.inspecting", "Show what differs between two corpora."),
    "explain": ("scoring.explain", "Show what scores are based on."),
    "export": ("corpus.import_export", "Write a corpus, or a part of it, to a file."),
    "extract": ("scoring.extract", "Add extracts made by extractors to a corpus."),
    "formats": ("corpus.inspecting", "List the file formats."),
    "hand-out": ("team.people", "Give a person their work as a file."),
    "import": ("corpus.import_export", "Import files into a corpus, all of them or none."),
    "info": ("corpus.inspecting", "Show what a corpus contains and who has it open."),
    "merge": ("team.people", "Merge handed-out files back."),
    "metrics": ("corpus.inspecting", "List the metrics and their options."),
    "oracle": ("scoring.cover_and_oracle", "Find the extractive oracles of references."),
    "parse": ("corpus.parse", "Parse the sentences of a corpus."),
    "people": ("team.people", "Show or change who works on a corpus."),
    "progress": ("team.agreement_and_assistance", "Show everybody's progress."),
    "redo": ("corpus.undo_and_repair", "Redo what was undone last."),
    "remove": ("corpus.undo_and_repair", "Remove parts of a corpus; it can be undone."),
    "report": ("scoring.score", "Write an HTML report about the systems."),
    "rescue": ("corpus.undo_and_repair", "Save what can be read of a damaged file."),
    "restore": ("corpus.undo_and_repair", "Replace a corpus with its backup."),
    "rouge": ("scoring.rouge", "Score texts with ROUGE, without a corpus."),
    "rouge155": ("scoring.rouge155", "Score like the Perl program ROUGE-1.5.5."),
    "score": ("scoring.score", "Score the systems of a corpus."),
    "scores": ("scoring.score", "List, show and import kept scores."),
    "server-setup": ("team.people", "Prepare a server for a team."),
    "time": ("team.agreement_and_assistance", "Show how long annotators worked."),
    "undo": ("corpus.undo_and_repair", "Undo the last action in a corpus."),
    "validate": ("corpus.inspecting", "Check whether files can be read, and report problems."),
}


class Commands(click.Group):
    """The commands of `COMMANDS` and of this module, with errors translated."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns every command's name."""
        return sorted([*COMMANDS, *self.commands])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command, importing its module."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, help_text = COMMANDS[cmd_name]
        declared = vars(import_module(f"awase.cli.{module}")).values()
        command = next(
            one for one in declared if isinstance(one, click.Command) and one.name == cmd_name
        )
        command.short_help = help_text
        return completed(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command that was typed; where there is none, the error names the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].lower().endswith(".awase") or is_url(args[0]):
                return "open", open_window, args
            close = get_close_matches(args[0].lower(), self.list_commands(ctx), n=2)
            if close:
                told = f"{error.message} Did you mean {' or '.join(close)}?"
                raise click.UsageError(told, ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands, importing none."""
        rows = [(name, self._help_of(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes command names, importing none, and global options."""
        commands = [
            CompletionItem(name, help=self._help_of(name))
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def _help_of(self, name: str) -> str:
        return COMMANDS[name][1] if name in COMMANDS else self.commands[name].get_short_help_str()

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command; any error becomes lines and an exit status."""
        with errors_reported():
            return super().invoke(ctx)


def _print_version(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        from awase.core.kernel.binding import description
        from awase.core.packages import VERSION

        say(f"awase {VERSION}\nCounts with: {description()}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Print the version and the kernel in use, and exit.",
)  # fmt: skip
@click.option(
    "--screens", type=click.Choice(["main", "all"]), default="main", show_default=True,
    help="Which screens to draw if no window can be shown.",
)  # fmt: skip
@click.option(
    "--pictures", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    default=Path("screens"), show_default=True, help="Folder for them.",
)  # fmt: skip
@click.pass_context
def cli(ctx: click.Context, screens: str, pictures: Path) -> None:  # read by `show_window`
    """Build TSC-3-style extract corpora, find minimal covers, and score systems.

    Without a command, Awase opens its window, on a corpus if one is given.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    if ctx.invoked_subcommand is None:
        from awase.cli.window import show_window

        show_window(ctx, None)


@cli.command(
    "open", short_help="Open the window on a corpus.", epilog=examples("awase open demo-en.awase")
)
@click.argument("corpus")
@click.pass_context
def open_window(ctx: click.Context, corpus: str) -> None:
    """Open the window on CORPUS, an .awase file or a database URL."""
    from awase.cli.window import show_window

    show_window(ctx, corpus)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and exits with its status; `arguments` None = this process's."""
    if arguments is None:
        use_utf_8()
        search_seldom()
    prepare_streams()
    typed = sys.argv[1:] if arguments is None else arguments
    try:
        cli.main(args=[*typed], prog_name="awase")
    except KeyboardInterrupt:
        sys.exit(130)
