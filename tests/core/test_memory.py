"""The C library keeps what a capture frees, for everyone who imports `core`, and gives back what is not needed."""

import os
import subprocess
import sys

import pytest

from core import memory

GNU = memory.glibc() is not None
CLEAN = {name: value for name, value in os.environ.items() if name not in memory.SET_BY_HAND}


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=CLEAN | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(not GNU, reason="another C library")
def test_it_is_told_by_importing_core_alone() -> None:
    assert run("from core import memory; print(memory.keep())") == "True"
    # A block that malloc would map by itself, 1 MB, comes from the arena.
    code = """if True:
        import ctypes, core
        libc = ctypes.CDLL(None)
        libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        libc.free.argtypes = [ctypes.c_void_p]
        first = libc.malloc(1 << 20); libc.free(first); second = libc.malloc(1 << 20)
        size = ctypes.c_size_t.from_address(first - 8).value
        print(first == second, size & 2)
    """
    assert run(code) == "True 0"


@pytest.mark.skipif(not GNU, reason="another C library")
def test_what_was_set_by_hand_stays() -> None:
    assert run("from core import memory; print(memory.keep())", MALLOC_ARENA_MAX="4") == "False"


def test_giving_back_harms_nobody() -> None:
    for _ in range(3):
        assert memory.give_back() in (True, False)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
def test_memory_held_is_in_bytes() -> None:
    import numpy as np

    before = memory.resident()
    block = np.ones(64 << 20, np.uint8)
    assert memory.resident() - before > 48 << 20 and block.any()
