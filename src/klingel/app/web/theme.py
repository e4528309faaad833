"""Colours, fonts and spacing, once: for the style sheet, the charts and the animation.

Series keep a contrast of at least 3 on their ground; red means an error and nothing else.
"""

ACCENT, ACCENT_DARK, HEADER = "#0B5394", "#58A6FF", "#1F3A5F"
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7A5C00", "#5B6770", "#4B2E83", "#8C2D04")
SERIES_DARK = ("#56B4E9", "#E69F00", "#2BC48A", "#E48BC0", "#D9C36C", "#A9B4BD", "#B9A3E3", "#F0A58F")
LIGHT = {
    "ground": "#FFFFFF", "panel": "#F6F8FA", "line": "#D0D7DE", "text": "#1F2328", "muted": "#57606A",
    "grid": "#E4E8EC", "accent": ACCENT, "header": HEADER, "error": "#B3261E", "changed": "#8A5A00",
    "steel": "#8793A0", "body": "#B9C6D3", "good": "#1A7F37",
}  # fmt: skip
DARK = {
    "ground": "#161B22", "panel": "#0D1117", "line": "#3B434D", "text": "#E6EDF3", "muted": "#9DA7B3",
    "grid": "#2A313A", "accent": ACCENT_DARK, "header": "#0D1B2E", "error": "#FF8A80", "changed": "#E3B341",
    "steel": "#9AA7B5", "body": "#46586B", "good": "#56D364",
}  # fmt: skip

# state of a run -> icon and word: never colour alone
STATES = {
    "queued": ("schedule", "queued"),
    "running": ("play_circle", "running"),
    "paused": ("pause_circle", "paused"),
    "done": ("check_circle", "done"),
    "derailed": ("warning", "derailed"),
    "stopped": ("stop_circle", "stopped"),
    "failed": ("error", "failed"),
}


def variables() -> str:
    """Custom properties of the style sheet, for both themes."""
    return f":root {{ {_rules(LIGHT, SERIES)} }} body.body--dark {{ {_rules(DARK, SERIES_DARK)} }}"


def _rules(colours: dict[str, str], series: tuple[str, ...]) -> str:
    rules = [f"--{name}: {value};" for name, value in colours.items()]
    return " ".join([*rules, *(f"--series-{k}: {value};" for k, value in enumerate(series))])
