"""`awase assist-ask`: has a language model asked about sentences that are not settled."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.options import CommandOptions, output_options, seed_option, topics_option

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.jobs.team.asking_models import ModelAnswer

_EXAMPLES = """\b
Examples:
  awase assist-ask tsc3.awase --ask llama3.1
  awase assist-ask tsc3.awase --ask qwen3 --at http://127.0.0.1:8080/v1 --topic 0310
"""


@click.command("assist-ask", cls=CommandOptions, epilog=_EXAMPLES)
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
def command(
    corpus: str,
    ask: str,
    at: str,
    *,
    send_texts: bool,
    answer_within: float,
    topics: tuple[str, ...],
    seed: int,
    output: "Output",
) -> None:
    """Ask a language model about the sentences of CORPUS that are not settled.

    Its answers are kept on this computer, and the window suggests them at levels 3 and 4. Texts go
    to a server on this computer only, unless --send-texts is given.
    """
    from awase.cli.output.forms import give
    from awase.cli.output.progress import ProgressBar
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
    give(_found(asked), output)


def _found(asked: "ModelAnswer") -> "CommandResult":
    from awase.cli.output.forms import of_facts

    first = str(asked.refused[0]) if asked.refused else None
    return of_facts(
        {
            "sentences": asked.n_sentences,
            "kept": asked.n_kept,
            "answered": asked.n_answered,
            "refused": len(asked.refused),
            "first_refused": first,
        }
    )
