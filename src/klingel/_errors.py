"""The one exception for bad input: which field, what was given, what is allowed."""


class InputError(ValueError):
    """Raised before any work is done; the command line prints it as one line and exits with code 2."""

    def __init__(self, field: str, given: object, allowed: str):
        self.field = field
        self.given = given
        self.allowed = allowed
        super().__init__(f"{field}: {allowed}, got {given!r}")
