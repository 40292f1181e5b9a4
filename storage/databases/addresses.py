"""Where a corpus is, in words: a path or the address of a database, never with its password."""

import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote_plus

_URL: Final = re.compile(
    r"[a-z][a-z0-9+]+://", re.IGNORECASE
)  # two letters at least: C:// is no URL
# A password may hold what should have been escaped, so it ends at the last @ before the query.
_IN_AUTHORITY: Final = re.compile(r"(?<=://)([^:/@?\s]*):(?:[^?\s]*|[^@\s]*)@")
_IN_QUERY: Final = re.compile(r"(?<=[?&;])([^=&;\s]*)=([^&;#\s]*)")
_SECRET: Final = "passw"
_MASK: Final = "***"

Location = str | Path


def is_url(location: Location) -> bool:
    """Returns whether `location` is a database URL rather than a file."""
    return isinstance(location, str) and _URL.match(location) is not None


def without_password(text: str) -> str:
    """Returns `text` with the password of every address in it masked, and nothing else changed.

    >>> without_password("postgresql://ann:secret@host/db?sslpassword=x")
    'postgresql://ann:***@host/db?sslpassword=***'
    """
    if "://" not in text:
        return text
    return _IN_QUERY.sub(_masked, _IN_AUTHORITY.sub(rf"\1:{_MASK}@", text))


def has_password(location: str) -> bool:
    """Returns whether the address holds a password."""
    return without_password(location) != location or _MASK in location


def _masked(match: re.Match[str]) -> str:
    is_secret = _SECRET in unquote_plus(match[1]).lower()
    return f"{match[1]}={_MASK}" if is_secret else match[0]
