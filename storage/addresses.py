"""Where a corpus is, in words: a path or the address of a database, never with its password."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, unquote_plus, urlsplit

from awase.core.errors import EnvironmentProblem

# Two letters at least: C:// is no URL. A slip of one slash makes no file of an address.
_URL: Final = re.compile(r"[a-z][a-z0-9+]+://|postgres[a-z0-9+]*:", re.IGNORECASE)
# A password may hold what should have been escaped, so it ends at the last @ before the query.
_IN_AUTHORITY: Final = re.compile(
    r"(:///*|postgres[a-z0-9+]*:/*)([^:/@?\s]*):(?:[^?\s]*|[^@\s]*)@", re.IGNORECASE
)
_IN_QUERY: Final = re.compile(r"(?<=[?&;])([^=&;\s]*)=([^&;#\s]*)")
SCHEME: Final = "postgresql"
_SECRET: Final = "passw"
_MASK: Final = "***"

Location = str | Path


def is_url(location: Location) -> bool:
    """Returns whether `location` is a database URL rather than a file."""
    return isinstance(location, str) and _URL.match(location) is not None


def without_password(text: str) -> str:
    """Masks the passwords of all URLs in `text`.

    >>> without_password("postgresql://ann:secret@host/db?sslpassword=x")
    'postgresql://ann:***@host/db?sslpassword=***'
    """
    if "://" not in text and not _URL.search(text):
        return text
    return _IN_QUERY.sub(_masked, _IN_AUTHORITY.sub(rf"\1\2:{_MASK}@", text))


def has_password(location: str) -> bool:
    """Returns whether the URL has a password."""
    return without_password(location) != location or _MASK in location


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPlace:
    """Where a corpus on a server is."""

    host: str
    port: int = 5432
    database: str = ""
    user: str = ""

    def location(self) -> str:
        """Returns the address, which never has a password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        return f"{SCHEME}://{user}{host}:{self.port}/{self.database}"  # names are not escaped


def place_of(location: str) -> tuple[ServerPlace, str]:
    """Returns the parts of a URL, and its password; missing ones are empty."""
    try:
        parts = urlsplit(location)
        port = parts.port
    except ValueError:  # no port, or brackets that do not close
        return ServerPlace(host=""), ""
    place = ServerPlace(
        host=unquote(parts.hostname or ""),
        port=port or 5432,
        database=parts.path.lstrip("/"),
        user=unquote(parts.username or ""),
    )
    password = unquote(parts.password or "")
    return place, "" if password == _MASK else password


def _masked(match: re.Match[str]) -> str:
    is_secret = _SECRET in unquote_plus(match[1]).lower()
    return f"{match[1]}={_MASK}" if is_secret else match[0]


class ServerUnreachable(EnvironmentProblem):
    """The server is down, or refuses the login."""


class PasswordRefused(ServerUnreachable):
    """The server requires a password, or another one."""
