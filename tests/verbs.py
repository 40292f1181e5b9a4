"""The ids of actions that a module declares as constants."""

from types import ModuleType


def ids_in(module: ModuleType) -> list[str]:
    """Returns the texts that the module's own constants in capitals are."""
    return [
        value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)
    ]
