"""A study of metrics as JSON, for programs."""

from collections.abc import Mapping

from awase.cli.output.option_hints import full_text
from awase.cli.output.score_output import warning_record
from awase.core.statistics.correlation.coefficients import VARIANTS
from awase.core.statistics.correlation.resampling import Interval
from awase.core.statistics.correlation.study import MetricResult, Study


def json_record(
    study: Study, suggestions: Mapping[str, float] | None, *, has_closed_form: bool
) -> dict[str, object]:
    """Returns everything; an interval or p that does not exist is null."""
    request = study.request
    record: dict[str, object] = {
        "human": {"measure": study.human, "signature": study.human_signature},
        "level": request.level,
        "coefficients": {one: VARIANTS[one] for one in request.coefficients},
        "confidence": request.confidence,
        "resample": request.unit,
        "n": request.n_resamples,
        "seed": request.seed,
        "excluded": list(request.excluded),
        "correlations": [_result(one, has_closed_form=has_closed_form) for one in study.results],
        "test": request.test,
        "comparisons": [
            {
                "first": one.first,
                "second": one.second,
                "coefficient": one.coefficient,
                "difference": one.difference,
                "p": one.p,
                "p_holm": one.p_holm,
                "n_systems": one.n_systems,
                "signature": one.signature,
            }
            for one in study.comparisons
        ],
    }
    if suggestions is not None:
        record["suggested_outliers"] = dict(suggestions)
    record["warnings"] = [warning_record(problem) for problem in study.warnings]
    return record


def _result(result: MetricResult, *, has_closed_form: bool) -> dict[str, object]:
    return {
        "metric": result.metric,
        "signature": result.signature,
        "n_systems": result.n_systems,
        "n_topics": result.n_topics,
        "n_scores": result.n_scores,
        "estimates": [
            {
                "coefficient": one.coefficient,
                "value": one.value,
                "bootstrap": _ends(one.bootstrap),
                "n_undefined_resamples": one.bootstrap.n_undefined if one.bootstrap else None,
                "closed_form": _ends(one.closed_form) if has_closed_form else None,
                "undefined_topics": list(one.undefined_topics),
                "reason": None if one.reason is None else full_text(one.reason),
                "signature": one.signature,
            }
            for one in result.estimates
        ],
        "systems": [
            {"system": point.system, "metric": point.metric, "human": point.human}
            for point in result.points
        ],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
