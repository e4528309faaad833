"""Files of compiled kernels: each ends with a digest of its content, and what is damaged is compiled again.

A changed byte within machine code would be carried out like any other. Numba reads its files without looking at
what follows their content, so that the digest stands at their end and costs one reading of them.
"""

import glob
import hashlib
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

SIZE = 16  # of a digest [bytes]


def digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=SIZE).digest()


class DamagedError(Exception):
    """A file that is not what was written."""


def check(path: str) -> None:
    """A missing file is no damaged one."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return
    if digest(content[:-SIZE]) != content[-SIZE:]:
        raise DamagedError(path)


class CheckedFiles(IndexDataCacheFile):
    """Index and code of one kernel, as Numba keeps them, with digests."""

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[Any]:
        content = io.BytesIO()
        yield content
        written = content.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(written + digest(written))

    def _load_index(self) -> Any:
        check(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        check(self._data_path(name))
        return super()._load_data(name)


class SafeCache:
    """Numba's cache of one kernel; what cannot be read is compiled again, what cannot be written is not kept."""

    def __init__(self, cache: Any, full: Callable[[OSError], None]):
        """`full` is told why nothing could be written."""
        self._cache, self._full = cache, full
        files = getattr(cache, "_cache_file", None)
        if type(files) is IndexDataCacheFile:  # a Numba with other files would go without digests
            files.__class__ = CheckedFiles

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._cache.load_overload(sig, target_context)
        except Exception:  # written by another Numba, pickle and LLVM let anything out
            self._remove()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._cache.save_overload(sig, data)
        except OSError as error:
            self._full(error)
        except Exception:  # of a damaged index, which is read before it is written
            self._remove()
            try:
                self._cache.save_overload(sig, data)
            except OSError as error:
                self._full(error)

    def _remove(self) -> None:
        """The index of this kernel and its code."""
        base = self._cache._impl.filename_base
        for path in Path(self._cache.cache_path).glob(f"{glob.escape(base)}.*nb[ci]"):
            with suppress(OSError):
                path.unlink()
