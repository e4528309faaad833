"""The command that repeats what was asked: only what was typed, quoted for a shell."""

import shlex
from collections.abc import Sequence
from typing import Any

SILENT = ("json", "report", "out")  # parameters that only say where results go


def repeat(context: Any, without: Sequence[str] = SILENT) -> str:
    """The command of a Click context with the options its user gave, in the order of its help."""
    words = ["klingel", context.info_name]
    options: list[str] = []
    for parameter in context.command.params:
        value = context.params.get(parameter.name)
        source = context.get_parameter_source(parameter.name)
        if parameter.name in without or source is None or source.name != "COMMANDLINE":
            continue
        if parameter.param_type_name == "argument":
            words.append(str(value))
        elif value is True:
            options.append(parameter.opts[0])
        else:
            given = value if isinstance(value, list | tuple) else [value]
            options += [word for one in given for word in (parameter.opts[0], str(one))]
    return shlex.join([*words, *options])
