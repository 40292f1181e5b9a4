"""The metrics of a corpus for which none were chosen."""

from awase.core.project.parts import Part
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


def correlated_metrics(session: CorpusSession) -> tuple[str, ...]:
    """Returns metrics to correlate with what people say."""
    rouge = _rouge(session)
    return (*DEFAULT_METRICS, rouge) if session.has_alignments() else (rouge,)


def _rouge(session: CorpusSession) -> str:
    """Returns ROUGE with tokens for the topics' languages; one that is not told is English."""
    is_english = {*session.languages()} <= {None, "en"}
    return "rouge:stem=yes,tokens=unicode" if is_english else "rouge:tokens=chars"
