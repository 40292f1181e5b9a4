"""Checks answers without the engines that gave them, from the problem's own sets."""

from collections.abc import Sequence

from awase.core.solvers.cover import Certificate, CoverProblem, MinimalCover


def verify(problem: CoverProblem, result: MinimalCover) -> tuple[str, ...]:
    """Returns what is wrong with `result`, nothing when all that can be checked holds.

    Checked: that the cover is one and has the stated size, that the bounds and the item sets agree
    with it and with each other, that each need of the conflict cannot be met and all others can,
    and the certificate. When its `lower` is `result.upper`, the cover is thereby proved minimal.
    """
    allowed = [
        [alternative for alternative in need if not alternative & problem.forbidden]
        for need in problem.needs
    ]
    wrong = []
    if result.conflict != tuple([idx for idx, need in enumerate(allowed) if not need]):
        wrong.append("the conflict is not the set of needs that cannot be met")
    if result.cover is None or result.lower is None or result.certificate is None:
        if not result.conflict:
            wrong.append("no cover is given though there is one")
        return tuple(wrong)
    if result.conflict:
        wrong.append("a cover is given though there is none")
    wrong += _wrong_cover(problem, result, result.cover, result.lower)
    wrong += _wrong_certificate(allowed, result.certificate, result.lower)
    return tuple(wrong)


def _wrong_cover(
    problem: CoverProblem, result: MinimalCover, cover: frozenset[int], lower: int
) -> list[str]:
    wrong = []
    if cover & problem.forbidden:
        wrong.append("the cover holds a forbidden item")
    if not all(any(alternative <= cover for alternative in need) for need in problem.needs):
        wrong.append("the cover leaves a need unmet")
    if len(cover) != result.upper:
        wrong.append("the upper bound is not the size of the cover")
    if lower > len(cover):
        wrong.append("the lower bound is above the upper")
    if not result.in_every <= cover and lower == len(cover):
        wrong.append("the cover lacks an item that is in every minimal cover")
    if result.in_none & cover and lower == len(cover):
        wrong.append("the cover holds an item that is in no minimal cover")
    return wrong


def _wrong_certificate(
    allowed: Sequence[Sequence[frozenset[int]]], certificate: Certificate, lower: int
) -> list[str]:
    wrong = []
    common = [frozenset.intersection(*need) for need in allowed if need]
    if not certificate.forced <= frozenset().union(*common):
        wrong.append("a forced item is not in every alternative of any need")
    counted: frozenset[int] = frozenset()
    for step in certificate.steps:
        alternatives = _minimal([one - certificate.forced for one in allowed[step.need]])
        fewest = min([len(alternative - counted) for alternative in alternatives], default=0)
        if step.n_items > fewest:
            wrong.append(f"need {step.need} asks for {fewest} further items only")
        counted = counted.union(*alternatives)
    if certificate.lower > lower:
        wrong.append("the certificate proves more than the lower bound")
    return wrong


def _minimal(alternatives: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    return [one for one in alternatives if not any(other < one for other in alternatives)]
