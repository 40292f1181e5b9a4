"""`awase progress`, `time`, `agreement`: how people work; `assist` and its like: their help."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import open_corpus, opened_store, store_to_read
from awase.cli.output.messages import ProgressBar, counted, print_problems
from awase.cli.output.report import Output, Report, emit, report_of, report_of_facts
from awase.core.errors import NOTHING, InputError
from awase.core.reports.grid import (
    Cell,
    Shown,
    attributes,
    decimal_text,
    grid_of_records,
    plain_fields,
    records_of,
)

if TYPE_CHECKING:
    from awase.core.agreement.distances import SetDistance
    from awase.core.records.corpus import Corpus
    from awase.core.team.progress import LoggedTime
    from awase.jobs.team.assisting import AssistStudy
    from awase.jobs.team.project_reports import ProjectProgress, TimeReport


@options.corpus_command(
    "progress", "awase progress tsc3.awase", "awase progress tsc3.awase --output-format csv"
)
@options.output_options()
def progress(corpus: str, output: Output) -> None:
    """Show everybody's progress with CORPUS: work, speed, flags, agreement, due dates.

    Speed is of abstract sentences for which time was logged; agreement is the mean of alpha
    (alternatives) with each other person; taken are suggestions. What is undefined is a dash.
    """
    from awase.jobs.team.project_reports import study_progress

    with (
        store_to_read(corpus) as store,
        store.snapshot(with_sources=False) as whole,
        ProgressBar("Comparing") as bar,
    ):
        found = study_progress(whole, store.logged_times(), bar, store.logged_suggestions())
    emit(_report_of_progress(found), output)


def _report_of_progress(found: "ProjectProgress") -> Report:
    from awase.core.reports.study_report import PROGRESS_FIELDS

    people = found.people
    json = {"people": [*records_of(PROGRESS_FIELDS, people)], "calibration": _gate(found)}
    return report_of(PROGRESS_FIELDS, people, shown=lambda: _progress_shown(found), json=json.items)


def _gate(found: "ProjectProgress") -> Mapping[str, object] | None:
    if found.gate is None:
        return None
    return {
        "abstracts": [{"topic": job.topic, "abstract": job.abstract} for job in found.gate.jobs],
        "sentences_left": dict(found.gate.n_left),
        "agreement": [
            {"annotators": [*row.annotators], "alpha": row.alpha, "items": row.n_items}
            for row in found.gate_rows
        ],
    }


def _progress_shown(found: "ProjectProgress") -> Shown:
    from awase.core.reports.study_report import names_text, report_of_progress

    yield report_of_progress(found.people)
    if found.gate is None:
        return
    left = ", ".join(f"{who} {n}" for who, n in found.gate.n_left.items())
    jobs = counted(len(found.gate.jobs), "abstract")
    yield f"\nfirst, for everybody: {jobs}; sentences left: {left}"
    for row in found.gate_rows:
        yield (
            f"  {names_text(row.annotators)}: alpha {decimal_text(row.alpha)}, "
            f"{counted(row.n_items, 'sentence')}"
        )
    if found.gate_reason is not None:
        yield f"  {found.gate_reason}"
    if found.gate.n_unassigned:
        left = counted(found.gate.n_unassigned, "abstract is", "abstracts are")
        yield f"{left} not assigned: awase assign"


@options.corpus_command(
    "time",
    "awase time tsc3.awase",
    "awase time tsc3.awase --by sentence --annotator 1 --output-format csv",
)
@click.option(
    "--by",
    type=click.Choice(options.TIMES_BY),
    default="annotator",
    show_default=True,
    help="What each row is about.",
)
@click.option("--annotator", help="Count this annotator's work only.")
@options.output_options()
def time(corpus: str, by: str, annotator: str | None, output: Output) -> None:
    """Show how long annotators worked on CORPUS, from its operation log.

    Times are in seconds; a pause counts 30 seconds at most. Where no time was logged, it is
    undefined.
    """
    from awase.core.team.progress import TimesBy
    from awase.jobs.team.project_reports import report_times

    opened = open_corpus(corpus, with_sources=False)
    print_problems("warning", opened.warnings)
    log = _log(corpus, opened.kind)
    with ProgressBar("Counting") as bar:
        report = report_times(opened.corpus.topics, log, TimesBy(by), bar, annotator=annotator)
    emit(_report_of_times(report), output)


def _log(location: str, kind: str) -> "Sequence[LoggedTime]":
    if kind == "awase-json":
        raise InputError.of(
            "“{name}” has no operation log, so no times.",
            "Name the .awase file or the database in which people worked.",
            name=location,
        )
    with store_to_read(location) as store:
        return store.logged_times()


def _report_of_times(report: "TimeReport") -> Report:
    from awase.jobs.team.project_reports import time_fields

    names, figures = time_fields(report.by, _clock)
    fields = [*names, *figures]

    def shown() -> Shown:
        table = grid_of_records(fields, report.lines)
        measures = (one.text_of(report.total) for one in figures if one.title)
        total = ("all", *[""] * (len(names) - 1), *measures)
        yield replace(table, rows=(*table.rows, tuple(Cell(text=text) for text in total)))

    def json() -> Iterator[tuple[str, object]]:
        yield "by", report.by.value
        yield "times", records_of(fields, report.lines)
        yield "total", next(records_of(figures, [report.total]))

    return report_of(fields, report.lines, shown=shown, json=json)


def _clock(milliseconds: float | None) -> str:
    """Formats a duration: 1:02:03, 4:05, 12.3 s; a dash if undefined."""
    if milliseconds is None:
        return NOTHING
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _distances(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> "tuple[SetDistance, ...]":
    from awase.core.agreement.distances import SetDistance

    names = [name.strip() for text in given for name in text.split(",")]
    known = [one.value for one in SetDistance]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.BadParameter(f"“{unknown[0]}” is not one of {', '.join(known)}.")
    return tuple(map(SetDistance, dict.fromkeys(names))) or tuple(SetDistance)


def _compares(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    found = []
    for text in given:
        first, _, second = text.partition(":")
        both = tuple(first.split("+")), tuple(second.split("+"))
        if not all(who.strip() for choice in both for who in choice):
            raise click.BadParameter(f"“{text}” is not a comparison; write it as A+B:A+C.")
        found.append(both)
    return tuple(found)


@options.corpus_command(
    "agreement",
    "awase agreement corpus.awase",
    "awase agreement corpus.awase --annotators A1,A2 --length short --json",
    "awase agreement corpus.awase --distance alternatives,function --by topic",
    "awase agreement corpus.awase --by sentence",
    "awase agreement corpus.awase --annotators A1,robot",
    "awase agreement corpus.awase --compare A1+A2:A1+robot",
)
@click.option("--annotators", "given_annotators", metavar="A,B,…", multiple=True,
              help="Whose agreement; “robot” takes the first candidate of each sentence.  "
              "[default: everybody]")  # fmt: skip
@click.option(
    "--compare",
    "compares",
    metavar="A+B:A+C",
    multiple=True,
    callback=_compares,
    help="Whether A and B agree more than A and C: the difference, with its interval.",
)
@options.length_option()
@click.option("--distance", "distances", metavar="LEVEL,…", multiple=True, callback=_distances,
              help="alternatives, function, support, equal, state, rank, links.  "
              "[default: all]")  # fmt: skip
@click.option("--by", type=click.Choice(options.AGREEMENT_ROWS), default=options.AGREEMENT_ROWS[0],
              show_default=True, help="What each row is, in the table and in CSV.")  # fmt: skip
@options.resamples_option(9999, "Resamples of topics, for intervals.")
@options.seed_option(1)
@options.confidence_option()
@options.output_options()
@options.workers_options()
def command(
    corpus: str,
    given_annotators: tuple[str, ...],
    compares: "tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]",
    length: str | None,
    distances: "tuple[SetDistance, ...]",
    by: str,
    n_resamples: int,
    seed: int,
    confidence: float,
    output: Output,
    processes: int | None,
    cluster: str | None,
) -> None:
    """Show how well the annotators of CORPUS agree, why they differ, and the effects.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    from awase.cli.output.study_output import report_of_agreement_study
    from awase.core.agreement.results import AgreementRequest
    from awase.core.metrics.significance import Resampling
    from awase.core.reports.study_report import By
    from awase.jobs.team.project_reports import study_agreement

    opened = open_corpus(corpus)
    request = AgreementRequest(
        annotators=_annotators(opened.corpus, given_annotators),
        length=length,
        distances=distances,
        compares=compares,
        resampling=Resampling(n_resamples=n_resamples, seed=seed, level=confidence),
    )
    with options.workers_for(processes, cluster) as workers, ProgressBar("Comparing") as bar:
        study = study_agreement(opened.corpus, request, bar, workers)
    warnings = (*opened.warnings, *study.agreement.warnings)
    print_problems("warning", warnings)
    emit(report_of_agreement_study(study, warnings, By(by)), output)


def _annotators(corpus: "Corpus", given: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the given names, split at commas that are not part of a name."""
    from awase.core.records.topic import annotators_of

    known = annotators_of(corpus.topics)
    names = [name for text in given for name in ([text] if text in known else text.split(","))]
    return tuple(name.strip() for name in names if name.strip())


@options.corpus_command(
    "assist",
    "awase assist tsc3.awase",
    "awase assist tsc3.awase --assist-level 3 --control 20 --seed 7",
)
@click.option(
    "--assist-level", type=click.IntRange(0, 4), default=None,
    help="0 document order, 1 ranked, 2 marks, 3 and 4 suggestions.",
)  # fmt: skip
@click.option(
    "--control", type=click.IntRange(0, 90), default=None,
    help="Percent of sentences shown at level 1, as a control; 0 = none.",
)  # fmt: skip
@click.option(
    "--decoys", type=click.IntRange(0, 10), default=None,
    help="Percent of the other sentences with wrong suggestions, to see who reads; 0 = none.",
)  # fmt: skip
@options.seed_option(None, "Seed of the draw of those sentences.")
@options.who_option("changes it")
@options.output_options()
def assist(
    corpus: str,
    assist_level: int | None,
    control: int | None,
    decoys: int | None,
    seed: int | None,
    who: str,
    output: Output,
) -> None:
    """Show or change how annotators of CORPUS are helped.

    Everybody sees the same; a change shows when the corpus is opened next. With --control, keys are
    counted and `awase assist-report` compares.
    """
    from awase.core.records.edits import EDIT_PROJECT
    from awase.jobs.team.assisting import with_assist

    def change(before: "Corpus") -> "Corpus":
        return with_assist(
            before, level=assist_level, control_percent=control, decoy_percent=decoys, seed=seed
        )

    is_change = any(one is not None for one in (assist_level, control, decoys, seed))
    options.check_counts("who", where=is_change, needs="a change")
    with opened_store(corpus, who=who, read_only=not is_change) as store:
        if is_change:
            with ProgressBar("Changing") as bar:
                store.change(
                    change, verb=EDIT_PROJECT, names=("assistance",), who=who, reporter=bar
                )
        settings = store.corpus().assist
    facts = attributes(settings, "level", "control_percent", "decoy_percent", "seed")
    emit(report_of_facts(facts | {"has_own_weights": bool(settings.weights)}), output)


@options.corpus_command(
    "assist-ask",
    "awase assist-ask tsc3.awase --ask llama3.1",
    "awase assist-ask tsc3.awase --ask qwen3 --at http://127.0.0.1:8080/v1 --topic 0310",
)
@click.option("--ask", metavar="MODEL", required=True, help="Name of the model on the server.")
@click.option(
    "--at", default="http://127.0.0.1:11434/v1", show_default=True, metavar="URL",
    help="A server with an OpenAI-compatible API.",
)  # fmt: skip
@click.option("--send-texts", is_flag=True, help="Allow a server on another computer.")
@click.option(
    "--answer-within", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True,
    metavar="SECONDS", help="Time limit for an answer.",
)  # fmt: skip
@options.topics_option()
@options.seed_option(0, "Seed sent to the model.")
@options.output_options()
def assist_ask(
    corpus: str,
    ask: str,
    at: str,
    *,
    send_texts: bool,
    answer_within: float,
    topics: tuple[str, ...],
    seed: int,
    output: Output,
) -> None:
    """Query a language model about the sentences of CORPUS that are not settled.

    Its answers are kept on this computer, and the window suggests them at levels 3 and 4. Texts go
    to a server on this computer only, unless --send-texts is given.
    """
    from awase.jobs.subset import Subset
    from awase.jobs.team.asking_models import ModelServer, ask_model

    server = ModelServer(
        url=at, model=ask, is_elsewhere_allowed=send_texts, seed=seed, timeout_s=answer_within
    )
    with store_to_read(corpus) as store, ProgressBar("Asking") as bar:
        whole, subset = store.corpus(), Subset(topics=topics or None)
        subset.check(whole)
        asked = ask_model(subset.topics_of(whole), server, bar)
    facts = {
        "sentences": asked.n_sentences,
        "kept": asked.n_kept,
        "answered": asked.n_answered,
        "refused": len(asked.refused),
        "first_refused": str(asked.refused[0]) if asked.refused else None,
    }
    emit(report_of_facts(facts), output)


@options.corpus_command("assist-fit")
@options.who_option("changes it")
@options.output_options()
def assist_fit(corpus: str, who: str, output: Output) -> None:
    """Fit the weights of suggestions on the confirmed sentences of CORPUS.

    They are kept when either half of the topics is predicted better by weights of the other half
    than by those in use (average precision of another alternative). It needs 200 sentences;
    of more than 500 topics 500 at most are looked at.
    """
    from awase.core.records.edits import EDIT_PROJECT
    from awase.jobs.team.assisting import fit_assistance, with_assist

    with opened_store(corpus, who=who) as store:
        with store.snapshot() as whole, ProgressBar("Fitting"):
            refit = fit_assistance(whole)
        if refit.weights:
            store.change(lambda before: with_assist(before, weights=refit.weights),
                verb=EDIT_PROJECT, names=("assistance",), who=who,
            )  # fmt: skip
    facts = {
        "sentences": refit.n_sentences,
        "before": refit.before,
        "after": refit.after,
        "is_kept": bool(refit.weights),
    }
    emit(report_of_facts(facts), output)


@options.corpus_command("assist-report")
@options.output_options()
def assist_report(corpus: str, output: Output) -> None:
    """Compare sentences of CORPUS shown with help with those shown without.

    Medians of seconds and keys (difference as a share of control), how often the suggestion is in
    what was decided, the same where gold calls the suggestion wrong (the difference there is the
    anchor index), and alpha among all annotators. Intervals are of 95 %, from bootstrap samples of
    the topics, where there are eight or more. Sentences with decoys are in no group; those taken
    are listed, to be done again.
    """
    from awase.jobs.team.assisting import study_assistance

    with store_to_read(corpus) as store, ProgressBar("Comparing") as bar:
        study = study_assistance(store, bar)
    json = {
        "assisted": study.n_assisted,
        "control": study.n_control,
        "compared": [asdict(row) for row in study.compared],
        "decoys": [asdict(one) for one in study.decoys],
    }
    fields = plain_fields("what", "assisted", "control", "difference", "low", "high")
    report = report_of(fields, study.compared, shown=lambda: _lines(study), json=json.items)
    emit(report, output)


def _lines(study: "AssistStudy") -> Iterator[str]:
    yield f"sentences  assisted {study.n_assisted}  control {study.n_control}"
    for row in study.compared:
        cells = (row.assisted, row.control, row.difference, row.low, row.high)
        texts = [NOTHING if cell is None else f"{cell:.3f}" for cell in cells]
        interval = "" if row.low is None else f" [{texts[3]}, {texts[4]}]"
        yield f"{row.what:<14} {texts[0]:>8} {texts[1]:>8}   {texts[2]}{interval}"
    if study.decoys:
        taken = [one for one in study.decoys if one.is_taken]
        yield f"decoys  seen {len(study.decoys)}  taken {len(taken)}"
        yield from (f"  {one.annotator}: {one.topic} {one.abstract} {one.n}" for one in taken)
