"""What can go wrong for a reason a person can mend: a code and its parameters; pages find the words."""


class InputError(ValueError):
    """An input that cannot be used. `code` names the sentence, `parameters` what stands in it."""

    def __init__(self, code: str, **parameters: object):
        self.code, self.parameters = code, parameters
        details = ", ".join(f"{key} = {value!r}" for key, value in parameters.items())
        super().__init__(f"{code.replace('_', ' ')}: {details}" if details else code.replace("_", " "))


class WeightsError(RuntimeError):
    """Weights that are missing or not the ones we know; the message says what to do."""
