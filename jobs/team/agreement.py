"""How far annotators agree, and what their disagreement does."""

from awase.core.agreement.study.effects import effects_of
from awase.core.agreement.study.report import agreement_of
from awase.core.agreement.study.request import AgreementRequest
from awase.core.agreement.study.results import AgreementStudy
from awase.core.metrics.kit.workers import ALONE, Workers
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


def study_agreement(
    corpus: Corpus, request: AgreementRequest, reporter: Reporter, workers: Workers = ALONE
) -> AgreementStudy:
    """Returns agreement and effects; the workers measure the effects, where hard h may be.

    Raises:
        InputError: There are fewer than two annotators, one asked for aligned nothing, or there is
            no abstract of the length asked for.
        Cancelled: The reporter asked to stop.
    """
    agreement = agreement_of(corpus, request, reporter)
    effects = effects_of(corpus, agreement.annotators, request.length, reporter, workers)
    return AgreementStudy(request=request, agreement=agreement, effects=effects)
