"""That a server cannot be reached, or lets nobody in: no fault of what is stored."""

from awase.core.errors import EnvironmentProblem


class ServerUnreachable(EnvironmentProblem):
    """The server is gone, or does not let this person in."""


class PasswordRefused(ServerUnreachable):
    """The server wants a password, or another one."""
