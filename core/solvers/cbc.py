"""CBC, the solver of the engine `ilp`, by the package PuLP, which is an extra: 36 MB."""

from typing import TYPE_CHECKING

from awase.core.extras import check_installed

if TYPE_CHECKING:
    import pulp


def check_cbc_is_installed() -> None:
    """Returns if PuLP is there.

    Raises:
        EnvironmentProblem: It is not installed.
    """
    check_installed(
        "pulp",
        extra="ilp",
        needed_for="engine=ilp",
        hint='Choose another engine, or install it: pip install "{project}[{extra}]".',
    )


def cbc(time_limit_s: float | None = None) -> "pulp.COIN_CMD":
    """Returns the solver, silent and in one thread; None = no limit."""
    import pulp

    # WORKAROUND (until PuLP 4): PULP_CBC_CMD itself warns; this is the CBC that PuLP 3 carries.
    return pulp.COIN_CMD(
        path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False, threads=1, timeLimit=time_limit_s
    )
