"""Shared options, each declared once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from awase.core.errors import in_source

if TYPE_CHECKING:
    from awase.cli.output.report import Output
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.kit.supplies import Supplies, Workers
    from awase.jobs.supplies.gathering import Supplier


F = TypeVar("F", bound=Callable[..., object])

LEVELS: Final = ("system", "topic", "global")
INTERVALS: Final = ("bootstrap", "fisher", "none")
FORMS: Final = (
    "table", "json", "jsonl", "csv", "tsv", "latex", "markdown", "html", "parquet", "xlsx",
)  # fmt: skip
ROWS_FORMS: Final = ("csv", "tsv", "jsonl", "parquet", "xlsx")
_MOST_RESAMPLES: Final = 1_000_000


class Shared(click.Option):
    """An option of the vocabulary; a test refuses other declarations of its spellings."""


class CommandOptions(click.Command):
    """A command that refuses repeated values of single options.

    `--interval` may stand without a value: bootstrap.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments, refusing values that would be ignored."""
        if "--interval" in args:
            at = args.index("--interval")
            if not (args[at + 1 : at + 2] and args[at + 1] in INTERVALS):
                args = [*args[:at], "--interval=bootstrap", *args[at + 1 :]]
        if not ctx.resilient_parsing:
            self._check_each_counts(ctx, args)
        return super().parse_args(ctx, args)

    def _check_each_counts(self, ctx: click.Context, args: list[str]) -> None:
        _, _, given = self.make_parser(ctx).parse_args([*args])
        named = [one for one in given if isinstance(one, click.Option)]
        for option in named:
            if named.count(option) > 1 and not (option.multiple or option.is_flag):
                raise click.UsageError(f"{max(option.opts, key=len)} is given twice.", ctx)


def examples(*lines: str) -> str:
    """Returns what a command's help ends with."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {line}" for line in lines), ""])


def command(name: str, *lines: str) -> Callable[[Callable[..., object]], CommandOptions]:
    """Returns the decorator of a command; `lines` are its examples."""
    return click.command(name, cls=CommandOptions, epilog=examples(*lines) if lines else None)


def corpus_command(name: str, *lines: str) -> Callable[[Callable[..., object]], CommandOptions]:
    """Returns the decorator of a command whose first argument is CORPUS, as `corpus`."""
    decorated = command(name, *lines)
    return lambda function: decorated(click.argument("corpus")(function))


def check_counts(*names: str, where: bool, needs: str) -> None:
    """Raises UsageError for given options without effect; `needs` ends a sentence: `--interval`."""
    context = click.get_current_context()
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        if not where and param.name in names and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{max(param.opts, key=len)} goes with {needs}.")


def _shared(*names: str, **settings: Any) -> Callable[[F], F]:  # noqa: ANN401  (click's own)
    return click.option(*names, cls=Shared, **settings)


def stacked(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Returns one decorator that adds all the options, in their order."""

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def combined(
    name: str, build: Callable[[dict[str, Any]], object], *options: Callable[[F], F]
) -> Callable[[F], F]:
    """Returns one decorator that adds all the options, as one argument of the command.

    `build` makes it of the options' values, which it takes out of all that are given.
    """

    def decorated(command: F) -> F:
        @wraps(command)
        def with_value(**given: Any) -> object:  # noqa: ANN401  (click's own)
            value = build(given)
            return command(**{name: value}, **given)

        return stacked(*options)(cast(F, with_value))

    return decorated


def metrics_option(
    *default: str, what: str = "Metric (awase metrics); repeatable.", told: str = ""
) -> Callable[[F], F]:
    """Returns `-m` and `--metric`, as `metrics`, repeatable; `told` describes the defaults."""
    return _shared(
        "-m", "--metric", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
        default=[*default], help=f"{what}  [default: {told or ', '.join(default)}]",
    )  # fmt: skip


def metric_option(default: str, what: str) -> Callable[[F], F]:
    """Returns `-m` and `--metric` of commands about one, as `metric`."""
    return _shared(
        "-m", "--metric", metavar="NAME[:OPTION=VALUE,…]", default=default, show_default=True,
        help=what,
    )  # fmt: skip


def sentences_option() -> Callable[[F], F]:
    """Returns `--sentences`: one of `SPLITS` of `core.text.sentences`, which the command checks."""
    return _shared(
        "--sentences", metavar="given|lines|one|en-2|ja-2",
        help="How texts are split into sentences.  [default: lists and tags <t> … </t> as given; "
        "text with line feeds by lines; otherwise the rules of its language]",
    )  # fmt: skip


def topics_option(what: str = "Only this topic; repeatable.") -> Callable[[F], F]:
    """Returns `--topic`, as `topics`, repeatable."""
    return _shared("--topic", "topics", metavar="ID", multiple=True, help=what)


def topic_option(what: str, *, is_required: bool = False) -> Callable[[F], F]:
    """Returns `--topic` of commands about one, as `topic`."""
    return _shared("--topic", metavar="ID", required=is_required, help=what)


def systems_option(
    what: str = "Only this system; repeatable.", metavar: str = "NAME"
) -> Callable[[F], F]:
    """Returns `--system`, as `systems`, repeatable."""
    return _shared("--system", "systems", metavar=metavar, multiple=True, help=what)


def length_option(what: str = "Only abstracts of this length class.") -> Callable[[F], F]:
    """Returns `--length`, as `length`."""
    return _shared("--length", metavar="LENGTH", help=what)


def format_option(what: str) -> Callable[[F], F]:
    """Returns `--format` of files that are read or written, as `format_id`."""
    return _shared("--format", "format_id", metavar="ID", help=f"{what} (awase formats).")


def who_option(does: str) -> Callable[[F], F]:
    """Returns `--who`, as `who`, by default the user; `does` is a verb for the help."""
    return _shared("--who", metavar="NAME", help=f"Who {does}, for the log; you if left out.",
                   callback=lambda _context, _option, given: given or _user_name())  # fmt: skip


def _user_name() -> str:
    """Returns the operating system's user name."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container's user may have no name
        return "unknown"


def force_option(what: str = "Replace FILE if it exists.") -> Callable[[F], F]:
    """Returns `--force`, as `force`."""
    return _shared("--force", is_flag=True, help=what)


def shown_level_option(what: str) -> Callable[[F], F]:
    """Returns `--level`, as `level`: means of systems, or every topic as well; None by default."""
    return _shared(
        "--level", type=click.Choice(LEVELS[:2]), default=None,
        help=f"{what}  [default: system in tables for people, topic in JSON, CSV and the like]",
    )  # fmt: skip


def level_option() -> Callable[[F], F]:
    """Returns `--level`, as `level`: of systems' means, of each topic, or of all scores."""
    return _shared(
        "--level", type=click.Choice(LEVELS), default="system", show_default=True,
        help="Means of systems, each topic, or all scores.",
    )  # fmt: skip


def confidence_option() -> Callable[[F], F]:
    """Returns `--confidence`, as `confidence`: the level of intervals, over 0 and under 1."""
    return _shared(
        "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95, show_default=True, help="Confidence level of intervals.",
    )  # fmt: skip


def interval_option(
    *kinds: str, default: str = "none", what: str = "Add an interval to each mean."
) -> Callable[[F], F]:
    """Returns `--interval`, as `interval`: one of `INTERVALS`; without a value, bootstrap."""
    return _shared(
        "--interval", type=click.Choice(kinds or INTERVALS), default=default, show_default=True,
        help=f"{what} Without a value: bootstrap.",
    )  # fmt: skip


def resamples_option(
    default: int, what: str = "Number of resamples of topics."
) -> Callable[[F], F]:
    """Returns `--resamples`, as `n_resamples`."""
    return _shared(
        "--resamples", "n_resamples", type=click.IntRange(1, _MOST_RESAMPLES), default=default,
        show_default=True, help=what,
    )  # fmt: skip


def seed_option(default: int | None, what: str = "Seed of the random numbers.") -> Callable[[F], F]:
    """Returns `--seed`, as `seed`."""
    return _shared(
        "--seed", type=click.IntRange(0), default=default, show_default=default is not None,
        help=what,
    )  # fmt: skip


def test_option(choices: Iterable[str], default: str | None, what: str) -> Callable[[F], F]:
    """Returns `--test`, as `test`: which one."""
    return _shared(
        "--test", type=click.Choice([*choices]), default=default,
        show_default=default is not None, help=what,
    )  # fmt: skip


def check_wide(output: "Output", *, is_wide: bool) -> None:
    """Raises UsageError for `--wide` where it has no effect."""
    if is_wide and output.form.value not in ROWS_FORMS:
        raise click.UsageError(f"--wide goes with --output-format {', '.join(ROWS_FORMS)}.")


def output_options(also_replaced: str = "") -> Callable[[F], F]:
    """Returns the options of the output, as one `Output`, `output`.

    `--force` replaces the file of `-o`, and `also_replaced`.
    """
    force_help = f"Replace {also_replaced or 'FILE if it exists'}."

    def build(given: dict[str, Any]) -> "Output":
        from awase.cli.output.report import Output, output_target
        from awase.jobs.files.writing import TableForm

        form, as_json, file = (
            given.pop(one) for one in ("output_format", "as_json", "output_file")
        )
        force, bom = given.pop("force"), given.pop("bom")
        if force and file is None and not also_replaced:
            raise click.UsageError("--force goes with -o FILE.")
        if as_json and form not in (None, TableForm.JSON):
            raise click.UsageError(f"Choose one of --json and --output-format {form}.")
        chosen = TableForm.JSON.value if as_json else form
        output = Output(
            chosen=TableForm(chosen) if chosen else None,
            target=None if file is None else output_target(file, force=force),
            for_spreadsheet=bom,
            force=force,
        )
        if output.target is not None:
            output.target.check()  # before any work is done
        return output

    return combined(
        "output", build,
        _shared("--output-format", "output_format", type=click.Choice(FORMS),
                help="Output format.  [default: table]"),
        _shared("--json", "as_json", is_flag=True, help="The same as --output-format json."),
        _shared("-o", "--output", "output_file", metavar="FILE",
                type=click.Path(path_type=Path, dir_okay=False),
                help="Write to FILE; its extension sets the format."),
        _shared("--force", is_flag=True, help=force_help),
        _shared("--bom", is_flag=True, help="CSV for Excel: byte order mark, no formulas."),
    )  # fmt: skip


# What the core declares, without importing it; a test holds both to the same.
COEFFICIENTS: Final = ("r", "rho", "tau-b", "accuracy")
UNITS: Final = ("systems", "topics", "both")
PAIR_TESTS: Final = ("permutation", "williams")
SYSTEM_KINDS: Final = ("extractive", "abstractive")
PAIRED_TESTS: Final = ("randomisation", "bootstrap")
AGREEMENT_ROWS: Final = ("pair", "topic", "sentence")
TIMES_BY: Final = ("sentence", "topic", "annotator")
ENGINES: Final = ("auto", "ilp")
PYRAMID: Final = "pseudo-pyramid"
TIME_LIMIT_S: Final = 30.0


def time_limit_options(what: str, settled: str) -> Callable[[F], F]:
    """Returns `--time-limit` and `--settle`, as `time_limit_s`: None = no limit."""

    def build(given: dict[str, Any]) -> float | None:
        time_limit, settle = given.pop("time_limit"), given.pop("settle")
        if settle and time_limit is not None:
            raise click.UsageError("Choose one of --settle and --time-limit.")
        return None if settle else time_limit or TIME_LIMIT_S

    return combined(
        "time_limit_s", build,
        _shared("--time-limit", metavar="SECONDS", type=click.FloatRange(min=0, min_open=True),
                help=f"{what}  [default: {TIME_LIMIT_S:g}]"),
        _shared("--settle", is_flag=True, help=settled),
    )  # fmt: skip


def workers_options() -> Callable[[F], F]:
    """Returns the decorator of both options, as `processes` and `cluster`."""
    return stacked(
        click.option("--processes", type=click.IntRange(min=1), default=None,
                     help="Maximum number of processes.  [default: one per core]"),
        click.option("--cluster", metavar="ADDRESS",
                     help="Run on the Dask cluster with this scheduler, tcp://host:8786."),
    )  # fmt: skip


@contextmanager
def workers_for(processes: int | None, cluster: str | None) -> Iterator["Workers"]:
    """Yields the workers; UsageError if both options are given."""
    from awase.jobs.supplies.gathering import cluster_workers, local_workers

    if cluster is None:
        yield local_workers(processes)
        return
    if processes is not None:
        raise click.UsageError("Choose one of --processes and --cluster.")
    with cluster_workers(cluster) as workers:
        yield workers


VECTORS_HELP = (
    "Word vectors: a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza."
)
_FILE: Final = click.Path(path_type=Path, dir_okay=False)
EDU_FILE: Final = "edu-file"

MODEL_HELP = "Language model: the folder of one for transformers, or the name of one downloaded."


def oracles_option(what: str = "") -> Callable[[F], F]:
    """Returns the decorator of `--oracles`; `what` names its metrics, after a comma."""
    return click.option("--oracles", metavar="FILE", type=_FILE,
                        help=f"Oracles found before (awase oracle -o){what}.")  # fmt: skip


def edus_option(unit: str = "unit=edu-file") -> Callable[[F], F]:
    """Returns the decorator of `--edus`, required by `unit`."""
    return click.option("--edus", metavar="FILE", type=_FILE,
                        help=f"EDUs of your own segmenter, for {unit}.")  # fmt: skip


def supplier_for(
    parses: "Supplies",
    requests: "Sequence[MetricRequest]",
    *,
    vectors: str | None = None,
    model: str | None = None,
    oracles: Path | None = None,
    edus: Path | None = None,
) -> "Supplier":
    """Returns the supplier of the options' resources; UsageError if no metric uses them."""
    from awase.core.metrics.registry import METRICS, uses_encoders
    from awase.jobs.supplies.gathering import Places, Supplier, known_parses, uses_vectors

    if vectors is not None and not uses_vectors(request.name for request in requests):
        users = [name for name, metric in METRICS.items() if "vectors" in metric.defaults]
        raise click.UsageError(f"--vectors is for the metrics {', '.join(users)}.")
    if model is not None and not any(uses_encoders(request.name) for request in requests):
        users = [name for name in METRICS if uses_encoders(name)]
        raise click.UsageError(f"--model is for the metrics {', '.join(users)}.")
    if oracles is not None and not any(request.name == PYRAMID for request in requests):
        raise click.UsageError(f"--oracles is for the metric {PYRAMID}.")
    if (
        edus is not None
        and requests
        and not any(("unit", EDU_FILE) in request.options for request in requests)
    ):
        raise click.UsageError(f"--edus goes with {PYRAMID}:unit={EDU_FILE}.")
    places = Places(
        vectors=vectors or "",
        model=model or "",
        oracles="" if oracles is None else str(oracles),
        edus="" if edus is None else str(edus),
    )
    return Supplier(known_parses(parses), places)


def read_aliases(file: Path | None) -> dict[str, str]:
    """Returns alias to system; empty without a file."""
    from awase.jobs.files.reading import read_argument

    if file is None:
        return {}
    from awase.core.formats.scores.score_lines import aliases_of_file
    from awase.core.text.encoding import decode

    with in_source(str(file)):
        return aliases_of_file(decode(read_argument(file), None).text, str(file))


def names_in(file: Path | None) -> tuple[str, ...]:
    """Returns the names in a file, a line each; none where there is no file, or after `#`."""
    from awase.jobs.files.reading import read_argument

    if file is None:
        return ()
    from awase.core.text.encoding import decode

    lines = (line.strip() for line in decode(read_argument(file), None).text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


_PLACES = ("FILE", "FOLDER", "NAME=FILE")


class _Named(click.types.StringParamType):
    """A text with completion by meaning."""

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
    """Enables shell completion of arguments, metrics, formats and files."""
    for param in command.params:
        is_place = isinstance(param, click.Argument) or param.metavar in _PLACES
        is_listed = param.name in ("metric", "metrics", "format_id")
        if type(param.type) is click.types.StringParamType and (is_place or is_listed):
            param.type = _Named()
    return command
