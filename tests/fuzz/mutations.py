"""Random changes of texts, numbers and words: what slips of the hand, broken editors and malice leave behind."""

import random
import re

NUMBERS = (
    "-1",
    "0",
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e309",
    "5e-324",
    "1e-300",
    "1e9",
    "1e-9",
    "-1e308",
    "0x10",
    "1_0",
    "9" * 400,
    "9" * 5000,
    "1e",
    ".",
    "--1",
    "1/0",
    "1/40",
    "0/0",
    "1e400/1e400",
    "12 furlong",
    "5mm",
    "16t",
    "120km/h",
    "1 2",
    "1" + " " * 20000 + "2",
    "true",
    "[]",
    "[1, 2]",
    "{}",
    '""',
    '"x"',
    "٣",
    "1,5",
)
WORDS = (
    "",
    " ",
    "\0",
    "a\0b",
    "\n",
    "a\nb",
    "\r\n",
    "\x1b[31mred",
    "\u202e",
    "\ufeff",
    "ÿ",
    "é" * 400,
    "x" * 100_000,
    "..",
    "/",
    "/dev/zero",
    "/dev/null",
    "/dev/stdin",
    ".",
    "~",
    "*",
    "%s",
    "{0}",
    "{name}",
    "$(id)",
    "';--",
    "None",
    "[]",
    "-h=1",
    "=",
    "=1",
    "a=",
    "name=value=more",
    "carbody.mass",
    "front_wheelset.y",
    "S1002",
    "UIC60",
    "hbbills311",
    "auto",
    "PTP",
    "\ud800",
)
CHARACTERS = "[]{}=\"'\\#.,-+eE0 \n\t\0\x07\u200b\ufeffé"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_STRING = re.compile(r'"[^"\n]*"')
_KEY = re.compile(r"^\s*([A-Za-z_.]+)\s*=", re.M)


def mutated(text: str, rng: random.Random) -> bytes:
    """The content of a text file after one to three changes, rarely broken as bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(TEXT_CHANGES)(text, rng)
    content = text.encode("utf-8", errors="surrogatepass")
    return rng.choice(BYTE_CHANGES)(content, rng) if rng.random() < 0.1 else content


def _other(pattern: re.Pattern[str], text: str, new: str, rng: random.Random) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text + new
    one = rng.choice(found)
    return text[: one.start()] + new + text[one.end() :]


def _number(text: str, rng: random.Random) -> str:
    return _other(_NUMBER, text, rng.choice(NUMBERS), rng)


def _string(text: str, rng: random.Random) -> str:
    word = rng.choice(WORDS)
    return _other(_STRING, text, f'"{word}"' if rng.random() < 0.7 else rng.choice(NUMBERS), rng)


def _key(text: str, rng: random.Random) -> str:
    return _other(_KEY, text, f"{rng.choice(('mas', 'kind', 'template', 'meta', 'name', 'x' * 500))} =", rng)


def _lines(text: str, rng: random.Random) -> str:
    """A line lost, doubled, or two in each other's place."""
    lines = text.splitlines() or [""]
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(3)
    if what == 0:
        del lines[a]
    elif what == 1:
        lines.insert(b, lines[a])
    else:
        lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def _character(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(CHARACTERS) + text[at + rng.randrange(2) :]


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _added(text: str, rng: random.Random) -> str:
    extra = (
        "x = " + "[" * 2000 + "]" * 2000,
        "x = " + "{a=" * 900,
        "[meta]\norigin = 1",
        "kind = []",
        "[[parts]]",
        "[bodies]",
        '[[parts]]\nkind = "two_axle"\nprefix = "a"',
        "[[stage]]\nlength = 10",
        "[[irregularity]]\nkind = []",
        "a.b.c.d = 1",
        '[[irregularity]]\nkind = "samples"\nfile = "/dev/zero"',
        "[sources]\nx = 1",
        "# " + "y" * 100_000,
    )
    line = rng.choice(extra)
    return f"{line}\n{text}" if rng.random() < 0.5 else f"{text}\n{line}\n"


def _mark(text: str, rng: random.Random) -> str:
    """A byte-order mark, or the line ends of another system."""
    return rng.choice(("\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r"), text + "\x1a"))


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content or b"\0")
    for _ in range(rng.randrange(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _torn(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _wide(content: bytes, rng: random.Random) -> bytes:
    return content.decode("utf-8", errors="replace").encode("utf-16")


TEXT_CHANGES = (_number, _number, _number, _string, _string, _key, _lines, _lines, _character, _cut, _added, _mark)
BYTE_CHANGES = (_flipped, _torn, _wide)


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    return rng.choice((_flipped, _flipped, _torn))(content, rng)


def mutated_words(words: list[str], rng: random.Random) -> list[str]:
    """A command line with one or two of its words changed, lost or doubled; its first word stays."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(1, len(words))
        name, sign, value = words[at].partition("=")
        what = rng.random()
        if what < 0.55:
            new = rng.choice(NUMBERS + WORDS)
            words[at] = f"{name}={new}" if sign and value else new if not words[at].startswith("--") else words[at]
        elif what < 0.7:
            del words[at]
        elif what < 0.8:
            words.insert(at, words[at])
        else:
            words[at] = words[at][: rng.randrange(len(words[at]) + 1)] + rng.choice(CHARACTERS)
        if len(words) < 2:
            words.append("")
    return words
