"""Questions for a warm process that go wrong."""

import os
import time


def quick() -> int:
    return 1


def endless() -> None:
    time.sleep(3600)


def dies() -> None:
    os._exit(3)


FUNCTIONS = {"quick": quick, "endless": endless, "dies": dies}
