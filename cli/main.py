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
    "assign": "awase.cli.assign",
    "check": "awase.cli.check",
    "agreement": "awase.cli.agreement",
    "clusters": "awase.cli.clusters",
    "correlate": "awase.cli.correlate",
    "cover": "awase.cli.cover",
    "demo": "awase.cli.demo",
    "explain": "awase.cli.explain",
    "export": "awase.cli.exporting",
    "extract": "awase.cli.extract",
    "formats": "awase.cli.formats",
    "hand-out": "awase.cli.hand_out",
    "import": "awase.cli.importing",
    "info": "awase.cli.info",
    "merge": "awase.cli.merge",
    "metrics": "awase.cli.metrics",
    "oracle": "awase.cli.oracle",
    "parse": "awase.cli.parse",
    "people": "awase.cli.people",
    "progress": "awase.cli.progress",
    "redo": "awase.cli.redo",
    "remove": "awase.cli.remove",
    "rescue": "awase.cli.rescue",
    "rouge155": "awase.cli.rouge155",
    "report": "awase.cli.report",
    "score": "awase.cli.score",
    "scores": "awase.cli.scores",
    "time": "awase.cli.times",
    "undo": "awase.cli.undo",
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
