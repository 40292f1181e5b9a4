"""Assistance: `awase assist`, `assist-ask`, `assist-fit` and `assist-report`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import opened_store
from awase.cli.options import (
    CommandOptions,
    check_counts,
    output_options,
    seed_option,
    topics_option,
    who_option,
)
from awase.cli.output.messages import ProgressBar
from awase.cli.output.report import Output, emit, report_of, report_of_facts
from awase.core.errors import NOTHING
from awase.core.reports.grid import plain_fields

if TYPE_CHECKING:
    from awase.core.records.corpus import Corpus
    from awase.jobs.team.assisting import AssistStudy

_EXAMPLES_OF_ASSIST = """\b
Examples:
  awase assist tsc3.awase
  awase assist tsc3.awase --assist-level 3 --control 20 --seed 7
"""


@click.command("assist", cls=CommandOptions, epilog=_EXAMPLES_OF_ASSIST)
@click.argument("corpus")
@click.option(
    "--assist-level", type=click.IntRange(0, 4), default=None,
    help="0 document order, 1 ranked, 2 marks, 3 and 4 suggestions.",
)  # fmt: skip
@click.option(
    "--control", type=click.IntRange(0, 90), default=None,
    help="Percent of sentences shown at level 1, to compare with; 0 = none.",
)  # fmt: skip
@click.option(
    "--decoys", type=click.IntRange(0, 10), default=None,
    help="Percent of the other sentences with wrong suggestions, to see who reads; 0 = none.",
)  # fmt: skip
@seed_option(None, "Of the draw of those sentences.")
@who_option("changes it")
@output_options()
def assist(
    corpus: str,
    assist_level: int | None,
    control: int | None,
    decoys: int | None,
    seed: int | None,
    who: str,
    output: Output,
) -> None:
    """Tell how annotators of CORPUS are helped, or change it.

    Everybody sees the same; a change shows when the corpus is opened next. With --control, keys are
    counted and `awase assist-report` compares.
    """
    from awase.core.annotation.verbs import EDIT_PROJECT
    from awase.jobs.team.assisting import with_assist

    def change(before: "Corpus") -> "Corpus":
        return with_assist(
            before, level=assist_level, control_percent=control, decoy_percent=decoys, seed=seed
        )

    is_change = any(one is not None for one in (assist_level, control, decoys, seed))
    check_counts("who", where=is_change, needs="a change")
    with opened_store(corpus, who=who, read_only=not is_change) as store:
        if is_change:
            with ProgressBar("Changing") as bar:
                store.change(
                    change, verb=EDIT_PROJECT, names=("assistance",), who=who, reporter=bar
                )
        settings = store.corpus().assist
    facts = {
        "level": settings.level,
        "control_percent": settings.control_percent,
        "decoy_percent": settings.decoy_percent,
        "seed": settings.seed,
        "has_own_weights": bool(settings.weights),
    }
    emit(report_of_facts(facts), output)


_EXAMPLES_OF_ASK = """\b
Examples:
  awase assist-ask tsc3.awase --ask llama3.1
  awase assist-ask tsc3.awase --ask qwen3 --at http://127.0.0.1:8080/v1 --topic 0310
"""


@click.command("assist-ask", cls=CommandOptions, epilog=_EXAMPLES_OF_ASK)
@click.argument("corpus")
@click.option("--ask", metavar="MODEL", required=True, help="Name of the model on the server.")
@click.option(
    "--at", default="http://127.0.0.1:11434/v1", show_default=True, metavar="URL",
    help="A server that speaks OpenAI's protocol.",
)  # fmt: skip
@click.option("--send-texts", is_flag=True, help="Allow a server on another computer.")
@click.option(
    "--answer-within", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True,
    metavar="SECONDS", help="How long an answer may take.",
)  # fmt: skip
@topics_option()
@seed_option(0, "Sent to the model.")
@output_options()
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
    """Ask a language model about the sentences of CORPUS that are not settled.

    Its answers are kept on this computer, and the window suggests them at levels 3 and 4. Texts go
    to a server on this computer only, unless --send-texts is given.
    """
    from awase.jobs.subset import Subset
    from awase.jobs.team.asking_models import ModelServer, ask_model
    from awase.storage.store import CorpusStore

    server = ModelServer(
        url=at, model=ask, is_elsewhere_allowed=send_texts, seed=seed, timeout_s=answer_within
    )
    with CorpusStore.open(corpus, who="", read_only=True) as store, ProgressBar("Asking") as bar:
        whole, subset = store.corpus(), Subset(topics=topics or None)
        subset.check(whole)
        asked = ask_model(subset.topics_of(whole), server, reporter=bar)
    facts = {
        "sentences": asked.n_sentences,
        "kept": asked.n_kept,
        "answered": asked.n_answered,
        "refused": len(asked.refused),
        "first_refused": str(asked.refused[0]) if asked.refused else None,
    }
    emit(report_of_facts(facts), output)


@click.command("assist-fit", cls=CommandOptions)
@click.argument("corpus")
@who_option("changes it")
@output_options()
def assist_fit(corpus: str, who: str, output: Output) -> None:
    """Fit the weights of suggestions on the confirmed sentences of CORPUS.

    They are kept when either half of the topics is predicted better by weights of the other half
    than by those in use (average precision of another alternative). It takes 200 sentences;
    of more than 500 topics 500 at most are looked at.
    """
    from awase.core.annotation.verbs import EDIT_PROJECT
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


@click.command("assist-report", cls=CommandOptions)
@click.argument("corpus")
@output_options()
def assist_report(corpus: str, output: Output) -> None:
    """Compare sentences of CORPUS shown with help with those shown without.

    Medians of seconds and keys (difference as a share of control), how often the suggestion is in
    what was decided, the same where gold calls the suggestion wrong (the difference there is the
    anchor index), and alpha among all annotators. Intervals are of 95 %, from bootstrap samples of
    the topics, where there are eight or more. Sentences with decoys are in no group; those taken
    are listed, to be done again.
    """
    from awase.jobs.team.assisting import study_assistance
    from awase.storage.store import CorpusStore

    with CorpusStore.open(corpus, who="", read_only=True) as store, ProgressBar("Comparing") as bar:
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
