"""What the tab People says of the project as a whole."""

from awase.core.errors import Listing
from awase.core.project.assigning import unassigned
from awase.core.project.people import may_lead
from awase.core.records.assist import AssistSettings
from awase.core.records.corpus import Corpus
from awase.core.records.project import is_shared_out
from awase.core.reports.agreement_report import names_text
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.texts.i18n import joined_sentences, labelled, listed, ntr, tr
from awase.jobs.team.standing import ProjectProgress


def about_text(corpus: Corpus, who: str) -> str:
    """Returns what holds of everybody, as far as `who` may know."""
    if not corpus.persons:
        return tr("Nobody is named: whoever opens the corpus may do everything.")
    left = len(unassigned(corpus))
    parts = [
        tr("Others' work is hidden from annotators.")
        if corpus.is_blind
        else tr("Annotators see others' work on the sentences that they settled.")
    ]
    if not is_shared_out(corpus.assignments):
        parts.append(tr("Nothing is assigned: everybody has all topics."))
    elif left:
        parts.append(ntr("{n} abstract is nobody's.", "{n} abstracts are nobody's.", left))
    parts.append(_help_text(corpus.assist))
    if not may_lead(corpus, who):
        parts = [tr("You see your own line; who leads the project sees all."), parts[0], parts[-1]]
    return joined_sentences(*parts)


def _help_text(settings: AssistSettings) -> str:
    parts = [tr("Help: level {n}.", n=settings.level)]
    if settings.control_percent:
        parts.append(tr("{n} % of sentences without it.", n=settings.control_percent))
    if settings.decoy_percent:
        parts.append(tr("{n} % of suggestions are wrong on purpose.", n=settings.decoy_percent))
    return joined_sentences(*parts)


def gate_text(found: ProjectProgress) -> str:
    """Returns how far what everybody does first is; empty = there is nothing."""
    if found.gate is None:
        return ""
    text = ntr("First, for everybody: {n} abstract.", "First, for everybody: {n} abstracts.",
               len(found.gate.jobs))  # fmt: skip
    left = Listing(f"{who} {n}" for who, n in found.gate.n_left.items() if n)
    rest = tr("Sentences left: {left}.", left=left) if left else tr("All have done it.")
    pairs = [
        f"{names_text(row.annotators)} {decimal_text(row.alpha)}"
        for row in found.gate_rows
        if row.n_items
    ]
    return joined_sentences(text, rest, labelled("α", listed(pairs)) if pairs else "")
