"""`klingel reproduce`: published numbers next to computed ones."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from klingel._errors import InputError
from klingel.app.commands.run import INTERRUPTED
from klingel.app.console import note, note_file, print_json
from klingel.app.options import Json
from klingel.app.progress import kill_as_interrupt, progress_bar

if TYPE_CHECKING:
    from klingel.literature.reproduce.claim import Study
    from klingel.literature.reproduce.run import Extent, Report


def reproduce(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="claims or studies; all if none")] = None,
    list_: Annotated[bool, typer.Option("--list", help="only say what there is")] = False,
    fast: Annotated[bool, typer.Option("--fast", help="only the studies that take seconds")] = False,
    seed: Annotated[int, typer.Option(help="of random starts")] = 0,
    workers: Annotated[int | None, typer.Option(help="processes [default: cores]")] = None,
    json: Json = False,
    out: Annotated[Path | None, typer.Option(help="file for that JSON document")] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="with both readings of AUTO, and the errors that tolerances cause")
    ] = False,
    mutate: Annotated[
        bool, typer.Option("--mutate", help="with the wrong parameters that must make claims fail")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(help="page made anew from the whole list, thorough and mutated, and its .json beside it"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="take what an interrupted run of these sources has computed")
    ] = False,
    check: Annotated[
        Path | None, typer.Option(help="page that is told whether an older engine made it; nothing runs")
    ] = None,
) -> None:
    """Compute what was published and compare: reproduced, differs, or not run.

    Example: klingel reproduce --fast
    """
    from klingel.literature.reproduce.catalogue import all_studies, choose
    from klingel.literature.reproduce.run import Extent

    if workers is not None and workers < 1:
        raise InputError("--workers", workers, "must be at least 1")
    if check is not None:
        _check(check)
        return
    for name, path in (("--out", out), ("--markdown", markdown)):
        if path is not None and not path.absolute().parent.is_dir():
            raise InputError(name, str(path), "must be in a folder that exists")
    if markdown is not None and (ids or fast or list_):
        raise InputError("--markdown", str(markdown), "must come without ids, --fast and --list: it shows all")
    studies = choose(all_studies(), ids or [], fast)
    if list_:
        _list(studies, json)
        return
    whole = markdown is not None
    reports = _execute(
        studies, seed, workers, Extent(thorough or whole, thorough or whole, mutate or whole), resume
    )
    document = [finding.as_dict() for report in reports for finding in report.findings]
    _write(reports, document, seed, out, markdown)
    if json:
        print_json(document)
    else:
        _print(reports)
    raise typer.Exit(INTERRUPTED if any(report.time is None for report in reports) else 0)


def _check(path: Path) -> None:
    """Write into a page that it is older than the engine, or that it is not; exit code 1 if it is."""
    from klingel.io.atomic import write_text
    from klingel.literature.reproduce.page import checked, is_current

    if not path.is_file():
        raise InputError("--check", str(path), "must be a page made by --markdown")
    page = path.read_text("utf-8")
    write_text(path, checked(page))
    note(f"{path}: {'made with this engine' if is_current(page) else 'made with an older engine'}")
    raise typer.Exit(0 if is_current(page) else 1)


def _execute(
    studies: "Sequence[Study]", seed: int, workers: int | None, extent: "Extent", resume: bool
) -> "tuple[Report, ...]":
    from klingel.literature.reproduce.run import execute, run
    from klingel.literature.reproduce.store import remember, resumed

    done = 0
    if resume:
        remember(studies)
    with kill_as_interrupt(), progress_bar("reproducing") as on_chunk:

        def on_study(_: "Report") -> None:
            nonlocal done
            done += 1
            on_chunk(SimpleNamespace(t=done, t_end=len(studies)))

        return run(studies, seed, workers, on_study, extent, resumed if resume else execute)


def _list(studies: "Sequence[Study]", json: bool) -> None:
    from klingel.literature.reproduce.claim import Finding, not_run
    from klingel.literature.reproduce.table import published

    claims = [(study, claim) for study in studies for claim in study.claims]
    if json:
        print_json([Finding(claim, not_run(claim, "")).as_dict() for _, claim in claims])
        return
    for study, claim in claims:
        speed = "fast" if study.fast else "slow"
        words = f"{claim.id:34s} {study.name:24s} {claim.kind:9s} {speed} {published(claim):28s}"
        print(f"{words} {claim.quantity} [{claim.source}]")


def _write(
    reports: "Sequence[Report]", document: list[dict], seed: int, out: Path | None, markdown: Path | None
) -> None:
    from json import dumps

    from klingel.io.atomic import write_text
    from klingel.literature.reproduce.page import placed
    from klingel.literature.reproduce.table import render

    if out is not None:
        write_text(out, dumps(document, indent=2, default=float) + "\n")
        note_file(out)
    if markdown is not None and any(report.time is None for report in reports):
        note(f"not every study has finished: left {markdown} as it was")
    elif markdown is not None:
        page = markdown.read_text("utf-8") if markdown.exists() else ""
        write_text(markdown, placed(page, render(reports, seed)))
        write_text(markdown.with_suffix(".json"), dumps(document, indent=2, default=float) + "\n")
        note(f"wrote {markdown} and {markdown.with_suffix('.json')}")


def _print(reports: "Sequence[Report]") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from klingel.literature.reproduce.table import computed, published, totals

    colours = {"reproduced": "green", "differs": "yellow", "not-run": "red"}
    table = Table("id", "kind", "quantity", "published", "computed", "status", "note")
    for report in reports:
        for finding in report.findings:
            claim = finding.claim
            value = computed(claim, finding.verdict)
            words = (claim.id, finding.kind, claim.quantity, published(claim), value, finding.status, finding.note)
            style = colours[finding.status]
            table.add_row(*(Text(word, style=style if word == finding.status else "") for word in words))
    console = Console()
    console.print(table)
    for report in reports:
        took = "interrupted" if report.time is None else f"{report.time:.1f} s"
        console.print(Text(f"{report.study.name}: {took}"))
    found = totals([finding for report in reports for finding in report.findings])
    for kind, counts in found.items():
        told = ", ".join(f"{counts[word]} {word}" for word in colours)
        console.print(Text(f"{kind}: {told}{', not counted' if kind == 'identity' else ''}"))
