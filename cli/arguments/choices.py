"""What options may be given, spelled out, so that a command's help imports nothing that computes.

The core declares each as an enumeration or a table; `tests/cli/test_late_imports.py` holds these
to them.
"""

from typing import Final

COEFFICIENTS: Final = ("r", "rho", "tau-b", "accuracy")
"""Of `correlate`: `core.statistics.correlation.coefficients.Coefficient`."""

UNITS: Final = ("systems", "topics", "both")
"""What `correlate` draws: `core.statistics.correlation.resampling.Unit`."""

PAIR_TESTS: Final = ("permutation", "williams")
"""Of `correlate`: `core.statistics.correlation.study.PairTest`."""

SYSTEM_KINDS: Final = ("extractive", "abstractive")
"""Of `correlate`: `core.metrics.tables.extractive_systems.SystemKind`."""

PAIRED_TESTS: Final = ("randomisation", "bootstrap")
"""Of `score`: `core.metrics.tables.significance.PairedTest`."""

AGREEMENT_ROWS: Final = ("pair", "topic", "sentence")
"""Of `agreement`: `core.reports.agreement_report.By`."""

TIMES_BY: Final = ("sentence", "topic", "annotator")
"""Of `time`: `core.annotation.times.TimesBy`."""

ENGINES: Final = ("auto", "ilp")
"""Of `oracle`: `core.solvers.budget.solving.ENGINES`."""

PYRAMID: Final = "pseudo-pyramid"
"""What `explain` explains when nothing is named: `core.metrics.pseudo_pyramid.family.METRIC`."""

TIME_LIMIT_S: Final = 30.0
"""`core.metrics.kit.supplies.supplies.TIME_LIMIT_S`."""
