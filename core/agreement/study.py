"""Agreement and what the disagreement does, together: what commands and the window ask for."""

from dataclasses import dataclass

from awase.core.agreement.effects import Effects, effects_of
from awase.core.agreement.report import agreement_of
from awase.core.agreement.request import AgreementRequest
from awase.core.agreement.results import Agreement
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementStudy:
    """What was found.

    Attributes:
        request: What was asked for.
        agreement: How far annotators agree.
        effects: What the disagreement of each pair does.
    """

    request: AgreementRequest
    agreement: Agreement
    effects: tuple[Effects, ...]


def study_agreement(
    corpus: Corpus, request: AgreementRequest, reporter: Reporter
) -> AgreementStudy:
    """Returns agreement and effects.

    Raises:
        InputError: There are fewer than two annotators, one asked for aligned nothing, or there is
            no abstract of the length asked for.
        Cancelled: The reporter asked to stop.
    """
    agreement = agreement_of(corpus, request, reporter)
    effects = effects_of(corpus, agreement.annotators, request.length, reporter)
    return AgreementStudy(request=request, agreement=agreement, effects=effects)
