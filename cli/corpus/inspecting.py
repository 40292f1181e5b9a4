"""Inspecting files: `awase info`, `awase validate`, `awase diff`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awase.cli.corpora import (
    OpenedCorpus,
    Reading,
    counts_text,
    is_corpus_file,
    open_corpus,
    read_corpus,
    reading_options,
    store_to_read,
)
from awase.cli.options import check_counts, command, corpus_command, output_options
from awase.cli.output.messages import (
    ProgressBar,
    full_text,
    print_problems,
    print_taken_as,
    say,
)
from awase.cli.output.report import Output, emit, report_of
from awase.core.errors import NOTHING, EnvironmentProblem, InputError, Problem, Reporter, Silent
from awase.core.reports.grid import (
    Column,
    Field,
    Shown,
    attributes,
    columns_of,
    grid_of_texts,
    plain_fields,
    records_of,
    tuple_fields,
)
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.core.formats.reading.roles import TakenAs
    from awase.core.formats.registry import Format
    from awase.core.metrics.kit.metric import Metric, Option
    from awase.core.records.abstract import Abstract
    from awase.core.records.edits import CorpusCounts


@corpus_command("info", "awase info tsc3.awase")
@output_options()
def info(corpus: str, output: Output) -> None:
    """Show what CORPUS contains, how far its annotators are, and who has it open for writing."""
    opened = open_corpus(corpus, with_sources=False)  # for counts only
    print_problems("warning", opened.warnings)
    version, holder = _stored_facts(corpus, opened.kind)
    with ProgressBar("Counting") as bar:
        facts = _facts(corpus, opened, version, holder, bar)
    report = report_of(
        tuple_fields("part", "name", "fact", "value"),
        _single_facts(facts),
        shown=lambda: _shown(opened, facts),
        json=facts.items,
    )
    emit(report, output)


def _single_facts(facts: Mapping[str, object]) -> Iterator[tuple[str, object, str, object]]:
    """Yields facts: part, subject, name, value."""
    for part, value in facts.items():
        if isinstance(value, Mapping):
            yield from ((part, "", fact, of_fact) for fact, of_fact in value.items())
        elif isinstance(value, list):
            for entry in value:
                (_, name), *more = entry.items()
                yield from ((part, name, fact, of_fact) for fact, of_fact in more)
        else:
            yield part, "", "", value


def _stored_facts(location: str, kind: str) -> tuple[str, dict[str, str | int] | None]:
    """Returns format version and writer; None = no writer, empty = unknown."""
    if kind == "awase-json":
        return "1", None
    from awase.storage.files.locks_and_backups import locked_by_another

    with store_to_read(location) as store:
        version = store.format_version()
    locked = None if is_url(location) else locked_by_another(Path(location))
    if locked is None:
        return version, None
    return version, asdict(locked.holder) if locked.holder else {}


def _facts(
    location: str,
    opened: OpenedCorpus,
    version: str,
    holder: dict[str, str | int] | None,
    reporter: "Reporter",
) -> dict[str, object]:
    from awase.core.records.edits import CorpusCounts
    from awase.core.records.topic import Extract, with_progress

    corpus = opened.corpus
    topics = [*with_progress(corpus.topics, reporter)]
    abstracts = [abstract for topic in topics for abstract in topic.abstracts]
    outputs = [output for topic in topics for output in topic.outputs]
    made = Counter((output.system, isinstance(output, Extract)) for output in outputs)
    lengths = Counter(abstract.length for abstract in abstracts)
    languages = Counter(topic.language for topic in topics)
    measures = Counter(score.measure for score in corpus.human_scores)
    return {
        "location": location,
        "kind": opened.kind,
        "format_version": version,
        "held_by": holder,
        "name": corpus.name,
        "has_guidelines": bool(corpus.guidelines),
        "rank_weights": dict(corpus.rank_weights),
        "counts": CorpusCounts.of(corpus).as_dict(),
        "languages": [{"language": name, "topics": n} for name, n in languages.items()],
        "lengths": [{"length": name, "abstracts": n} for name, n in lengths.items()],
        "annotators": _annotators(abstracts),
        "systems": [
            {"system": name, "extracts": made[name, True], "texts": made[name, False]}
            for name in dict.fromkeys(output.system for output in outputs)
        ],
        "measures": [{"measure": name, "human_scores": n} for name, n in measures.items()],
    }


def _annotators(abstracts: "Iterable[Abstract]") -> list[dict[str, object]]:
    """Returns each annotator's abstracts, and states of sentences; none = to do."""
    from awase.core.records.abstract import AlignmentState

    n_abstracts: Counter[str] = Counter()
    states: dict[str, Counter[str]] = {}
    for abstract in abstracts:
        for alignment in abstract.alignments:
            n_abstracts[alignment.annotator] += 1
            entries = {entry.n: entry.state for entry in alignment.sentences}
            states.setdefault(alignment.annotator, Counter()).update(
                entries.get(sentence.n, AlignmentState.TODO).value
                for sentence in abstract.sentences
            )
    return [
        {
            "annotator": name,
            "abstracts": n_abstracts[name],
            "states": {state.value: counted[state.value] for state in AlignmentState},
        }
        for name, counted in states.items()
    ]


# The facts are JSON values; the keys below are those of `_facts`.
def _shown(opened: OpenedCorpus, facts: dict[str, object]) -> Shown:
    corpus, counts = opened.corpus, facts["counts"]
    yield (
        f"{facts['name'] or facts['location']} ({facts['kind']}, format version "
        f"{facts['format_version'] or NOTHING})"
    )
    yield counts_text(counts) if isinstance(counts, dict) else ""
    weights = ", ".join(f"{rank} {weight:.4g}" for rank, weight in corpus.rank_weights)
    yield f"rank weights: {weights or 'none'}"
    yield f"guidelines: {'yes' if corpus.guidelines else 'none'}"
    for title, key in (("languages", "languages"), ("abstracts by length", "lengths"),
                       ("human scores", "measures")):  # fmt: skip
        entries = facts[key]
        if isinstance(entries, list) and entries:
            pairs = (tuple(entry.values()) for entry in entries)
            yield f"{title}: {', '.join(f'{n or NOTHING} {count}' for n, count in pairs)}"
    for key in ("annotators", "systems"):
        entries = facts[key]
        if isinstance(entries, list) and entries:
            flat = [one | one.pop("states", {}) for one in map(dict, entries)]
            yield ""
            yield grid_of_texts(columns_of(flat[0]), [[[*map(str, one.values())] for one in flat]])
    if opened.kind == "awase-file":
        yield _holder_text(facts["held_by"])


def _holder_text(holder: object) -> str:
    if holder is None:
        return "\nNobody has it open for writing."
    if isinstance(holder, dict) and holder:
        return "\nOpen for writing: {who} on {host} (process {pid}, since {since}).".format(
            **holder
        )
    return "\nAnother process has it open for writing."


@command(
    "validate",
    "awase validate tsc3.awase",
    "awase validate systems.jsonl documents/ --json",
    "zcat scores.csv.gz | awase validate -",
)
@click.argument("places", nargs=-1, required=True, metavar="FILE…")
@reading_options()
@output_options()
def validate(places: tuple[str, ...], reading: Reading, output: Output) -> None:
    """Check whether corpora, and files of any format, can be read, and report problems.

    Nothing is changed. The exit status is 0 if all can be read, else 1; warnings do not change it.
    To look for damage in a corpus file, use awase check.
    """
    findings: list[tuple[str, str, str, str]] = []
    errors: list[Problem] = []
    warnings: list[Problem] = []
    taken_as: list[TakenAs] = []
    formats: list[str] = []
    with ProgressBar("Reading") as bar:
        for at, place in enumerate(places):
            bar.advance(at, len(places), place)
            own: Sequence[Problem] = ()
            try:
                counts, form, odd = _read(place, reading, bar, taken_as)
            except InputError as error:
                own = [one.in_source(place) for one in error.problems]
            except EnvironmentProblem as error:
                own = [error.problem]
            if own:
                errors += own
                findings += [(place, "", "error", full_text(one)) for one in own]
                continue
            warnings += odd
            formats.append(form)
            findings += [(place, form, "warning", full_text(one)) for one in odd]
            findings.append((place, form, "holds", counts_text(counts.as_dict())))
    reading.check_used([one for one in formats if one not in ("awase-file", "database")])
    fields = tuple_fields("file", "format", "kind", "message")
    report = report_of(
        fields,
        findings,
        shown=lambda: [f"{one[0]} ({one[1]}): {one[3]}" for one in findings if one[2] == "holds"],
        json={
            "findings": [*records_of(fields, findings)],
            "taken_as": [one.record() for one in taken_as],
        }.items,
    )
    emit(report, output)
    print_taken_as(taken_as)
    print_problems("warning", warnings)
    print_problems("error", errors)
    if errors:
        raise click.exceptions.Exit(1)


def _read(
    place: str, reading: Reading, reporter: "Reporter", taken_as: "list[TakenAs]"
) -> "tuple[CorpusCounts, str, Sequence[Problem]]":
    """Returns counts, format and warnings of a path, and appends assigned columns."""
    from awase.core.formats.reading.requests import corpus_warnings
    from awase.core.records.corpus import Corpus
    from awase.core.records.edits import CorpusCounts

    if not reading.request.format_id and is_corpus_file(place):
        opened = open_corpus(place)
        counts = CorpusCounts.of(opened.corpus)
        return counts, opened.kind, [*opened.warnings, *corpus_warnings(opened.corpus)]
    from awase.jobs.importing import read_all

    file = reading.request_of(Path(place))
    read = read_all(Corpus(), [file], Silent(), aliases=reading.aliases)
    taken_as += read.taken_as
    return read.added, file.format_id, read.warnings


@command(
    "diff",
    "awase diff before.awase after.awase",
    "awase export tsc3.awase - | awase diff - copy.json --json",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@output_options()
def diff(first: str, second: str, output: Output) -> None:
    """Show what differs between the corpora A and B: topics, texts, alignments, human scores.

    The exit status is 0 if nothing differs, else 1. The order of topics and of their parts is
    ignored.
    """
    from awase.jobs.comparing import differences

    old, new = read_corpus(first), read_corpus(second)
    with ProgressBar("Comparing") as bar:
        found = differences(old, new, bar)
    fields = [
        Field("change", "change", lambda one: one.change.value),
        *plain_fields("part", "topic", "id"),
        Field("n", "n", is_number=True),
        *plain_fields("old", "new"),
    ]
    emit(report_of(fields, found, "differences", empty="Nothing differs."), output)
    if found:
        raise click.exceptions.Exit(1)


@command("formats")
@output_options()
def formats(output: Output) -> None:
    """List the file formats that `awase import` reads and `awase export` writes."""
    from awase.core.formats.registry import ADDED, FORMATS

    fields: list[Field[Format]] = [
        Field("id", "format"),
        Field("title", "what"),
        Field("endings", "endings", lambda one: [*one.suffixes],
                      lambda one: " ".join((*one.suffixes, *["folder"][: one.is_folder]))),
        Field("", "does", text=lambda one: " ".join(
            word for word in ("reads", "writes") if getattr(one, word))),
        Field("", "needs", text=_needs_text),
        *(Field(name) for name in ("is_folder", "reads", "writes")),
        Field("needs", value=lambda one: [*one.needs]),
        Field("may_need", value=lambda one: [*one.may_need]),
    ]  # fmt: skip
    emit(report_of(fields, FORMATS.values(), "formats"), output)
    print_problems("warning", ADDED.problems())


def _needs_text(entry: "Format") -> str:
    return " ".join(
        [f"--{name}" for name in entry.needs] + [f"[--{one}]" for one in entry.may_need]
    )


@command("metrics")
@output_options()
def metrics(output: Output) -> None:
    """List the metrics and what their options mean; write them as name:option=value,…."""
    from awase.core.metrics.registry import ADDED, GROUPS, METRICS

    listed = {
        "metrics": [_metric_record(metric) for metric in METRICS.values()],
        "groups": {name: [*members] for name, members in GROUPS.items()},
    }
    fields: list[Field[Metric]] = [
        Field("metric", value=lambda one: one.name),
        Field("what"),
        Field("options", value=_defaults_text),
    ]
    emit(report_of(fields, METRICS.values(), json=listed.items, shown=_metric_tables), output)
    print_problems("warning", ADDED.problems())


def _defaults_text(metric: "Metric") -> str:
    return ",".join(f"{name}={value}" for name, value in metric.defaults.items())


def _metric_tables() -> Shown:
    from awase.core.metrics.registry import GROUPS, METRICS

    columns = [Column(title=title) for title in ("metric", "what", "options and defaults")]
    rows = [(one.name, one.what, _defaults_text(one)) for one in METRICS.values()]
    groups = [(name, f"short for {', '.join(members)}", "") for name, members in GROUPS.items()]
    yield grid_of_texts(columns, [rows, groups])
    yield ""
    options = {option: None for metric in METRICS.values() for option in metric.options}
    columns = [Column(title=title) for title in ("option", "what", "values")]
    yield grid_of_texts(columns, map(_option_rows, options))


def _option_rows(option: "Option[Any]") -> list[tuple[str, str, str]]:
    """Returns the rows of an option: its description, then its values."""
    return [
        (option.name if not at else "", option.what if not at else "", f"{value}: {what}")
        for at, (value, what) in enumerate(option.listed_values())
    ]


def _metric_record(metric: "Metric") -> dict[str, Any]:
    return {
        **attributes(metric, "name", "what", "needs", "greatest", "by"),
        "options": [
            {
                **attributes(option, "name", "what", "default"),
                "choices": {choice.value: choice.what for choice in option.choices},
                "other": option.form_what,
                **attributes(option, "examples", "of_corpus"),
            }
            for option in metric.options
        ],
    }


LANGUAGES = ("ja", "en")


@command("demo", "awase demo", "awase demo en corpora", "awase demo --window")
@click.argument("language", type=click.Choice([*LANGUAGES, "all"]), default="all")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--window", is_flag=True, help="Open the window on a demonstration corpus instead.")
@click.pass_context
def demo(ctx: click.Context, language: str, folder: Path, window: bool) -> None:
    """Write demo-ja.awase and demo-en.awase to FOLDER (default: here) and print their scores.

    An existing file is kept unchanged, with all work in it.
    """
    from awase.cli.window import print_scores, show_window

    if window:
        check_counts("language", "folder", where=False, needs="files, not with --window")
        show_window(ctx, None, demo=True)
    from awase.jobs.importing import demonstration_file, make_demonstration

    for name in LANGUAGES if language == "all" else (language,):
        is_kept = demonstration_file(name, folder).exists()
        path = make_demonstration(name, folder, who="")
        say(f"{path}: {'kept as it was' if is_kept else 'written'}\n")
        with store_to_read(path) as store:
            corpus = store.corpus()
        print_scores(corpus)
        say()
