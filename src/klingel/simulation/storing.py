"""The file of a run that goes on: a journal beside it every few seconds, the file itself at the end.

What was computed is never thrown away because its place is full: the journal, and the file, then go to the
temporary folder or the current one, which one line says.
"""

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io import blocks, run_journal
from klingel.io.atomic import write_bytes
from klingel.io.netcdf4 import Variable, file_content
from klingel.io.run_journal import RunJournal, journal_of
from klingel.io.runs import FORMATS, RUN

log = logging.getLogger("klingel")


def place_of(out: Any, field: str = "out") -> Path | None:
    """The argument as a path."""
    if out is not None and not isinstance(out, str | os.PathLike):
        raise InputError(field, out, "must be the name of a file")
    return None if out is None else Path(out)


def check_place(out: Path, overwrite: bool, field: str = "out") -> None:
    """Before any work: nothing is overwritten unasked, and the folder is there."""
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise InputError(field, str(out), "must be a file in a folder that exists")
    if not os.access(out.absolute().parent, os.W_OK):
        raise InputError(field, str(out), "must be in a folder that may be written to")
    if not overwrite:
        refuse_existing(out, field)
    elif run_journal.is_run_journal(journal_of(out)):
        blocks.refuse_in_use(journal_of(out))


def refuse_existing(out: Path, field: str = "out") -> None:
    if out.exists():
        raise InputError(field, str(out), "exists: give another name, or overwrite it (--force, overwrite=True)")
    if run_journal.is_run_journal(journal_of(out)):
        raise InputError(
            field,
            str(out),
            "has an unfinished run: go on with it (--continue), or overwrite it (--force, overwrite=True)",
        )


class RunFile:
    """Where a run is kept while it goes on."""

    def __init__(
        self, out: Path, variables: Mapping[str, Variable], attributes: dict[str, Any], begun: bool = False
    ):
        """Columns like `variables`; their rows are the first ones if the run has begun."""
        self.out = out
        self._journal = RunJournal(variables, attributes)
        if begun:
            self._journal.append(variables, attributes)
        self._told = False
        self._try_places()

    def add(self, variables: Mapping[str, Variable], attributes: dict[str, Any]) -> None:
        """Rows that are new; what cannot be written here is written elsewhere, or again with the next rows."""
        self._journal.append(variables, attributes)
        try:
            if self._journal.path is None:
                self._try_places()
            else:
                self._journal.write()
        except OSError as error:
            self._try_places(error)

    def _try_places(self, reason: OSError | None = None) -> None:
        """The journal in its place if there is no reason against it, else where there is room."""
        places = [journal_of(self.out)] if reason is None else []
        for path in (*places, *(journal_of(place) for place in other_places(self.out))):
            if path == self._journal.path:
                continue
            try:
                self._journal.create(path)
            except OSError as error:
                reason = reason or error
                continue
            if reason is not None:
                log.warning(
                    "klingel: %s: %s; the run goes on in %s", self.out, _words(reason), path.with_suffix("")
                )
            return
        if not self._told and reason is not None:
            self._told = True
            log.warning("klingel: %s: %s; rows since then are in memory only", self.out, _words(reason))

    def finish(self) -> Path:
        """The file, from what is in memory; where it is."""
        journal = self._journal
        content = file_content(
            journal.growing, journal.fixed,
            {**journal.attributes, "format": FORMATS[RUN], "journal": journal.identity},
        )  # fmt: skip
        reason: OSError | None = None
        for path in (self.out, *other_places(self.out)):
            try:
                write_bytes(path, content)
            except OSError as error:
                reason = reason or error
                continue
            journal.close()
            if reason is None:
                run_journal.remove(journal_of(self.out))
            else:
                log.warning(
                    "klingel: %s: %s; the run is kept in %s: move it where there is room",
                    self.out, _words(reason), path,
                )  # fmt: skip
            if journal.path != journal_of(self.out):
                run_journal.remove(journal.path)
            return path
        journal.close()
        assert reason is not None
        if journal.path is None:
            raise reason
        kept = journal.path.with_suffix("")  # read by the name of the file it belongs to
        log.warning("klingel: %s: %s; the run is kept in %s", self.out, _words(reason), journal.path)
        return kept

    def give_up(self) -> None:
        """Nothing was computed: nothing stays."""
        self._journal.close()
        run_journal.remove(self._journal.path)


def other_places(out: Path) -> Iterator[Path]:
    """Files of this process in the temporary folder and the current one."""
    name = f"klingel-{os.getpid()}-{out.name}"
    seen = {out.absolute().parent}
    for folder in (Path(tempfile.gettempdir()), Path.cwd()):
        if folder.absolute() not in seen:
            seen.add(folder.absolute())
            yield folder / name


def _words(error: OSError) -> str:
    return error.strerror or str(error)
