"""The command that repeats what was asked: only what was typed, quoted for a shell."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

NAME = "klingel"
SILENT = ("json", "report", "out")  # parameters that only say where results go


def program() -> str:
    """How this program is called from where we are: by its name if that finds it, else by its path."""
    called = Path(sys.argv[0])
    if called.name != NAME:  # python -m klingel, or within another program
        return NAME if shutil.which(NAME) else f"{shlex.quote(sys.executable)} -m {NAME}"
    found = shutil.which(NAME)
    if found is not None and called.exists() and Path(found).resolve() == called.resolve():
        return NAME
    return shlex.quote(str(called)) if called.exists() else NAME


def typed(context: Any) -> dict[str, str]:
    """Parameters of a Click context that its user gave: name, and how it is written on the command line."""
    found: dict[str, str] = {}
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name)
        if source is not None and source.name == "COMMANDLINE":
            found[parameter.name] = (
                parameter.opts[0] if parameter.param_type_name == "option" else parameter.name.upper()
            )
    return found


def repeat(context: Any, without: Sequence[str] = SILENT) -> str:
    """The command of a Click context with the options its user gave, in the order of its help."""
    words = ["klingel", context.info_name]
    options: list[str] = []
    given_by_user = typed(context)
    for parameter in context.command.params:
        value = context.params.get(parameter.name)
        if parameter.name in without or parameter.name not in given_by_user:
            continue
        if parameter.param_type_name == "argument":
            words.append(str(value))
        elif value is True:
            options.append(parameter.opts[0])
        else:
            given = value if isinstance(value, list | tuple) else [value]
            options += [word for one in given for word in (parameter.opts[0], str(one))]
    return shlex.join([*words, *options])
