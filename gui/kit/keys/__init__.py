"""Key bindings: defaults and the user's."""
