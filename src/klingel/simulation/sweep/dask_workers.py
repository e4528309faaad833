"""Points of a sweep on a Dask cluster; needs the extra `klingel[dask]`, imported only here."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

from klingel._errors import InputError

PATIENCE = 10.0  # for the scheduler to answer [s]


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Executor of the cluster whose scheduler answers at `address`; klingel must be installed on its workers."""
    try:
        client_class = import_module("distributed").Client
    except ImportError:
        raise InputError("dask", address, 'needs the extra: pip install "klingel[dask]"') from None
    try:
        client = client_class(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise InputError("dask", address, f"must be the address of a scheduler ({error})") from None
    with client, client.get_executor() as executor:
        yield executor
