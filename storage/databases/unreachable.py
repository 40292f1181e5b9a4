"""That a server cannot be reached: the one problem with a corpus that passes by itself."""

from awase.core.errors import EnvironmentProblem


class ServerUnreachable(EnvironmentProblem):
    """The server is gone, or does not let this person in."""
