"""Passwords that a person keeps in the system's keyring; the package for it is an extra.

Nobody else's business: what stands in an address, in `~/.pgpass` or in the environment is used by
the database's own library, and none of them is ever written anywhere by Awase.
"""

from typing import Final

from sqlalchemy import URL

from awase.core.extras import is_installed

_SERVICE: Final = "awase"
_PORT: Final = 5432


def has_keyring() -> bool:
    """Returns whether passwords can be kept."""
    return is_installed("keyring")


def kept_password(url: URL) -> str | None:
    """Returns the password that was kept for an address; None when there is none."""
    if not has_keyring():
        return None
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, _name_of(url))
    except (KeyringError, OSError, RuntimeError):  # locked, or there is none on this machine
        return None


def keep_password(url: URL, password: str) -> bool:
    """Keeps a password for an address; returns whether that was possible."""
    if not has_keyring():
        return False
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, _name_of(url), password)
    except (KeyringError, OSError, RuntimeError):
        return False
    return True


def _name_of(url: URL) -> str:
    return f"{url.username or ''}@{url.host or ''}:{url.port or _PORT}/{url.database or ''}"
