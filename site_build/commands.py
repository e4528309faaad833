"""Reference of the command line, from the commands themselves."""

import re
from typing import Any

import click
from typer.main import get_command


def commands_page() -> str:
    from klingel.app.cli import app

    group: Any = get_command(app)
    parts = [
        "# Commands",
        "Made from the commands themselves; `klingel COMMAND --help` says the same. Bad input gets one line"
        " and exit code 2, Ctrl-C ends with 130.",
        "\n".join(
            f"- [`klingel {name}`](#klingel-{name}): {first_line(command)}"
            for name, command in group.commands.items()
        ),
    ]
    for name, command in group.commands.items():
        parts += one(name, command)
    return "\n\n".join(parts) + "\n"


def first_line(command: click.Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


def one(name: str, command: click.Command) -> list[str]:
    """Heading, usage, text with its examples as blocks, and a table of arguments and options."""
    context = click.Context(command, info_name=f"klingel {name}")
    parts = [f"## klingel {name}", f"```text\n{usage(name, command, context)}\n```"]
    for paragraph in (command.help or "").replace("\b", "").split("\n\n"):
        words = " ".join(paragraph.split())
        example = re.match(r"Examples?: *(klingel .*)", words)
        if example:
            lines = re.sub(r" (?=klingel )", "\n", example[1])
            parts.append(f"```sh\n{lines}\n```")
        else:
            parts.append(escaped(words))
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and "--help" not in p.opts]
    for kind, found in (("argument", arguments), ("option", options)):
        if found:
            parts.append("\n".join([f"| {kind} | what it says |", "|---|---|", *map(row, found)]))
    return parts


def usage(name: str, command: click.Command, context: click.Context) -> str:
    return " ".join(["klingel", name, *command.collect_usage_pieces(context)])


def row(parameter: Any) -> str:
    words = parameter.help or ""
    argument = parameter.param_type_name == "argument"
    names = parameter.name.upper() if argument else ", ".join([*parameter.opts, *parameter.secondary_opts])
    many = " (may be given several times)" if parameter.multiple else ""
    default = parameter.default
    shown = default not in (None, False, "", (), []) and not callable(default)
    more = f" Default: `{default.value if hasattr(default, 'value') else default}`." if shown else ""
    return f"| `{names}` | {escaped(words)}{many}{'.' if more and not words.endswith('.') else ''}{more} |"


def escaped(words: str) -> str:
    """Stars, bars and angle brackets as they are meant."""
    return re.sub(r"([*|<>\[\]_])", r"\\\1", words)
