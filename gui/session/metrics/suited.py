"""The metrics of a corpus for which none were chosen."""

from collections.abc import Sequence

from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR, OPTION, Choice
from awase.core.metrics.registry import defaults_of
from awase.core.project.parts import Part
from awase.gui.session.drafts import Draft
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Settings
from awase.jobs.scoring import DEFAULT_METRICS


def score_metrics(session: CorpusSession, settings: Settings) -> tuple[str, ...]:
    """Returns the metrics chosen for the Scores page, or those that suit the corpus."""
    return settings.score_metrics.get(session.location) or _suited_to_score(session)


def _suited_to_score(session: CorpusSession) -> tuple[str, ...]:
    """Returns what can be computed: of texts alone, whose references they bring, only ROUGE."""
    is_of_texts = session.has(Part.OUTPUTS) and not session.has(Part.ABSTRACTS)
    return (_rouge(session),) if is_of_texts else DEFAULT_METRICS


def by_gold(metrics: Sequence[str]) -> tuple[str, ...]:
    """Returns metrics as they are spelled for the gold, where they take the first annotator."""
    return tuple(_by_gold(text) for text in metrics)


def _by_gold(text: str) -> str:
    draft = Draft.of_text(text)
    takes_first = draft is not None and dict(defaults_of(draft.name)).get(OPTION) is not None
    if draft is None or not takes_first or draft.value(OPTION) != FIRST_ANNOTATOR:
        return text
    return draft.with_values({OPTION: Choice.GOLD.value}).text()


def correlated_metrics(session: CorpusSession) -> tuple[str, ...]:
    """Returns metrics to correlate with what people say."""
    rouge = _rouge(session)
    return (*DEFAULT_METRICS, rouge) if session.has_alignments() else (rouge,)


def _rouge(session: CorpusSession) -> str:
    """Returns ROUGE with tokens for the topics' languages; one that is not told is English."""
    is_english = {*session.languages()} <= {None, "en"}
    return "rouge:stem=yes,tokens=unicode" if is_english else "rouge:tokens=chars"
