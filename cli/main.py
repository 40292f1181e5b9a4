"""The program `awase`: finds the command that was typed, or opens the window when there is none."""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from awase.cli.output.failures import told_to_people
from awase.cli.output.streams import as_utf_8, prepare_streams

# Modules are imported when their command is typed, so that none pays for another's imports.
COMMANDS = {
    "assign": "awase.cli.team.assign",
    "check": "awase.cli.corpus.check",
    "agreement": "awase.cli.team.agreement",
    "clusters": "awase.cli.scoring.clusters",
    "correlate": "awase.cli.scoring.correlate",
    "cover": "awase.cli.extracts.cover",
    "demo": "awase.cli.corpus.demo",
    "explain": "awase.cli.scoring.explain",
    "export": "awase.cli.corpus.exporting",
    "extract": "awase.cli.extracts.extract",
    "formats": "awase.cli.corpus.formats",
    "hand-out": "awase.cli.team.hand_out",
    "import": "awase.cli.corpus.importing",
    "info": "awase.cli.corpus.info",
    "merge": "awase.cli.team.merge",
    "metrics": "awase.cli.scoring.metrics",
    "oracle": "awase.cli.extracts.oracle",
    "parse": "awase.cli.parsing.parse",
    "people": "awase.cli.team.people",
    "progress": "awase.cli.team.progress",
    "redo": "awase.cli.corpus.redo",
    "remove": "awase.cli.corpus.remove",
    "rescue": "awase.cli.corpus.rescue",
    "rouge155": "awase.cli.scoring.rouge155",
    "report": "awase.cli.scoring.report",
    "score": "awase.cli.scoring.score",
    "scores": "awase.cli.scoring.scores",
    "server-setup": "awase.cli.team.server_setup",
    "time": "awase.cli.team.times",
    "undo": "awase.cli.corpus.undo",
}


class Commands(click.Group):
    """The commands of `COMMANDS` and of this module, with errors told the way people need them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns every command's name."""
        return sorted([*COMMANDS, *self.commands])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command, importing its module."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command; any error becomes lines and an exit status."""
        with told_to_people():
            return super().invoke(ctx)


def _print_version(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        from awase.core.version import VERSION

        click.echo(f"awase {VERSION}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Print the version and exit.",
)  # fmt: skip
@click.option(
    "--screens", type=click.Choice(["main", "all"]), default="main", show_default=True,
    help="Which screens are drawn when no window can be shown.",
)  # fmt: skip
@click.option(
    "--pictures", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    default=Path("screens"), show_default=True, help="Where they are written.",
)  # fmt: skip
@click.pass_context
def cli(ctx: click.Context, screens: str, pictures: Path) -> None:  # read by `show_window`
    """Build TSC-3-style extract corpora, find minimal covers, and score systems.

    Without a command, Awase opens its window.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    if ctx.invoked_subcommand is None:
        from awase.cli.window import show_window

        show_window(ctx, None)


_EXAMPLES = """\b
Example:
  awase open demo-en.awase
"""


@cli.command("open", short_help="Open the window on a corpus.", epilog=_EXAMPLES)
@click.argument("corpus")
@click.pass_context
def open_window(ctx: click.Context, corpus: str) -> None:
    """Open the window on CORPUS, an .awase file or a database URL."""
    from awase.cli.window import show_window

    show_window(ctx, corpus)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and ends the process with its exit status.

    Args:
        arguments: What was typed after the program's name; None = this process's.
    """
    prepare_streams()
    typed = map(as_utf_8, sys.argv[1:] if arguments is None else arguments)
    try:
        cli.main(args=[*typed], prog_name="awase")
    except KeyboardInterrupt:
        sys.exit(130)
