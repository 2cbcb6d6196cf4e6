"""What the C library is told about memory, for everybody who imports `core`: the site, the terminal, Python.

A capture of 128 tokens keeps 38 MB. Left alone, glibc returns most of that to the kernel as soon as it is freed, and
the next capture pays with thousands of page faults; and it opens an arena for every few threads, each with holes of its
own, so that a server of many threads grows and grows. So: one arena, which keeps what is freed for the next capture,
and whoever serves for long gives back from time to time what nobody used. Other C libraries are left as they are.
"""

import ctypes
import os
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # malloc.h
KEPT = 256 << 20  # bytes at the top of the arena that stay; a capture of 128 tokens and its work fit
OWN_PAGES = 4 << 20  # from this size on (captures of 512 tokens) an array goes back to the kernel at once
SET_BY_HAND = ("GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_")


@cache
def glibc() -> ctypes.CDLL | None:
    """The C library, where it is GNU's."""
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "gnu_get_libc_version") else None
    except (OSError, TypeError):  # Windows
        return None


def keep() -> bool:
    """Keep freed memory for the next capture; whether the C library could be told. What was set by hand stays."""
    library = glibc()
    if library is None or any(name in os.environ for name in SET_BY_HAND):
        return False
    settings = ((ARENA_MAX, 1), (MMAP_THRESHOLD, OWN_PAGES), (TRIM_THRESHOLD, KEPT))
    return all([library.mallopt(*setting) for setting in settings])


def give_back() -> bool:
    """Return every free page to the kernel; whether there was any."""
    library = glibc()
    return bool(library and hasattr(library, "malloc_trim") and library.malloc_trim(0))


def resident() -> int:
    """Bytes of memory that this process alone holds now: files that are mapped, as large weights are, do not count, for
    the kernel shares them and may drop them. 0 where that cannot be asked."""
    try:
        with open("/proc/self/statm") as file:
            _, held, mapped, *_ = map(int, file.read().split())
            return (held - mapped) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
