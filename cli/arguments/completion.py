"""What a shell completes where a name stands: files, metrics, formats; asked for on a Tab only."""

import click
from click.shell_completion import CompletionItem

_PLACES = ("FILE", "FOLDER", "NAME=FILE")


class _Named(click.types.StringParamType):
    """A text which the shell may complete by what it stands for."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if param.name in ("metric", "metrics"):
            from awase.core.metrics.registry import GROUPS, METRICS

            names = [*METRICS, *GROUPS]
        elif param.name == "format_id":
            from awase.core.formats.registry import FORMATS

            names = [*FORMATS]
        else:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def completed(command: click.Command) -> click.Command:
    """Returns the command, whose arguments, metrics, formats and files a shell can complete."""
    for param in command.params:
        is_place = isinstance(param, click.Argument) or param.metavar in _PLACES
        is_listed = param.name in ("metric", "metrics", "format_id")
        if type(param.type) is click.types.StringParamType and (is_place or is_listed):
            param.type = _Named()
    return command
