"""The options that commands share, each declared once: what `--level`, `--seed` and so on mean.

Spellings of before go on working until the next version but one, and say what they are now: a
command made with `cls=Spelled, old={…}` rewrites them before anything is understood.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])

LEVELS: Final = ("system", "topic", "global")
INTERVALS: Final = ("bootstrap", "fisher", "none")
FORMS: Final = (
    "table", "json", "jsonl", "csv", "tsv", "latex", "markdown", "html", "parquet", "xlsx",
)  # fmt: skip
_MOST_RESAMPLES: Final = 1_000_000
_UNTIL: Final = "0.4"
_FLAGS_OF_FORMS: Final = {
    "--csv": "--output-format=csv",
    "--latex": "--output-format=latex",
    "--html": "--output-format=html",
}


class Spelled(click.Command):
    """A command that takes old spellings, with a hint, and `--interval` with or without a value."""

    def __init__(self, *args: Any, old: Mapping[str, str] | None = None, **kwargs: Any) -> None:  # noqa: ANN401  (click's own)
        """Takes what click takes.

        Args:
            args: Of click's.
            old: Spelling of before to what is written now, `--name` or `--name=value`.
            kwargs: Of click's.
        """
        super().__init__(*args, **kwargs)
        self.old = {**(old or {})}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Returns what click returns of the arguments as they are spelled now."""
        known = {name for param in self.params for name in (*param.opts, *param.secondary_opts)}
        forms = _FLAGS_OF_FORMS if "--output-format" in known else {}
        old = {name: new for name, new in {**forms, **self.old}.items() if name not in known}
        spelled = [*_spelled_now(args, known, old)]
        chosen = {one for one in spelled if one.startswith("--output-format=")}
        if len(chosen) > 1:
            names = " and ".join(sorted(one.partition("=")[2] for one in chosen))
            raise click.UsageError(f"Choose one of {names}.", ctx)
        return super().parse_args(ctx, spelled)


def _spelled_now(
    args: Sequence[str], known: Iterable[str], old: Mapping[str, str]
) -> Iterable[str]:
    names = {*known}
    is_over = False
    for at, arg in enumerate(args):
        following = args[at + 1] if at + 1 < len(args) else ""
        is_over = is_over or arg == "--"
        name, equals, value = arg.partition("=")
        if is_over or not arg.startswith("--"):
            yield arg
        elif arg == "--interval" and arg in names and following not in INTERVALS:
            yield "--interval=bootstrap"
        elif name == "--level" and "--confidence" in names and _is_number(value or following):
            _hint(name, "--confidence")
            yield f"--confidence{equals}{value}"
        elif name in old:
            _hint(name, old[name].replace("=", " "))
            first, *others = old[name].split()
            yield from (f"{first}{equals}{value}", *others)
        else:
            yield arg


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _hint(old: str, new: str) -> None:
    click.echo(f"hint: {old} is now {new}; {old} goes until version {_UNTIL}.", err=True)


def level_option(*levels: str, default: str = "system", what: str) -> Callable[[F], F]:
    """Returns `--level`, as `level`: of systems' means, of each topic, or of all scores."""
    return click.option(
        "--level", type=click.Choice(levels or LEVELS), default=default, show_default=True,
        help=what,
    )  # fmt: skip


def confidence_option(default: float = 0.95) -> Callable[[F], F]:
    """Returns `--confidence`, as `confidence`: how sure intervals are, over 0 and under 1."""
    return click.option(
        "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=default, show_default=True, help="Of intervals.",
    )  # fmt: skip


def interval_option(
    *kinds: str, default: str = "none", what: str = "Give each mean its interval."
) -> Callable[[F], F]:
    """Returns `--interval`, as `interval`: one of `INTERVALS`; without a value, bootstrap."""
    return click.option(
        "--interval", type=click.Choice(kinds or INTERVALS), default=default, show_default=True,
        help=f"{what} Without a value: bootstrap.",
    )  # fmt: skip


def resamples_option(
    default: int, what: str = "How often topics are drawn anew."
) -> Callable[[F], F]:
    """Returns `--resamples`, as `n_resamples`."""
    return click.option(
        "--resamples", "n_resamples", type=click.IntRange(1, _MOST_RESAMPLES), default=default,
        show_default=True, help=what,
    )  # fmt: skip


def seed_option(default: int) -> Callable[[F], F]:
    """Returns `--seed`, as `seed`."""
    return click.option(
        "--seed", type=click.IntRange(0), default=default, show_default=True,
        help="Of what is drawn.",
    )  # fmt: skip


def test_option(choices: Iterable[str], default: str | None, what: str) -> Callable[[F], F]:
    """Returns `--test`, as `test`: which one."""
    return click.option(
        "--test", type=click.Choice([*choices]), default=default,
        show_default=default is not None, help=what,
    )  # fmt: skip


def output_options(*, has_file: bool = True) -> Callable[[F], F]:
    """Returns `--output-format`, `--json`, `-o` and `--bom`, which `Output.of` understands.

    They come as `output_format`, `as_json`, `output_file` and `bom`.

    Args:
        has_file: Whether there is `-o`, and with it the forms that are files only.
    """
    forms = FORMS if has_file else FORMS[:-2]
    options = [
        click.option("--output-format", "output_format", type=click.Choice(forms),
                     help="Form of what is printed.  [default: table]"),
        click.option("--json", "as_json", is_flag=True, help="The same as --output-format json."),
        click.option("-o", "--output", "output_file", metavar="FILE",
                     type=click.Path(path_type=Path, dir_okay=False),
                     help="Write it to FILE, whose ending tells the form."),
        click.option("--bom", is_flag=True, help="CSV for Excel: byte order mark, no formulas."),
    ]  # fmt: skip
    if not has_file:
        del options[2]

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated
