"""The moment, as the file keeps it."""

from datetime import UTC, datetime


def now() -> str:
    """Returns this moment: ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
