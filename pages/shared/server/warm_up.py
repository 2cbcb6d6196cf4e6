"""What everyone needs, made before the first visitor asks: torch, the models, a capture, what "Open it" compares with.

Alive is who answers `/_stcore/health`; whom visitors should be sent to answers `/ready` with 200. In between, or where
something cannot be made, `/ready` is 503, says what is lacking, and it is tried again.
"""

import gc
import logging
import threading
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from core import reference
from pages.shared.server.base_path import base_path

AGAIN = 10  # seconds until a failed warm-up is tried again

_lock = threading.Lock()
_done = threading.Event()
_begun = threading.Event()
_ready = threading.Event()
_failure = ""


def start(last: Callable[[], object] = lambda: None) -> None:
    """Begin warming up, in a thread of its own, which tries until it is done; last what pages open on that takes
    seconds."""
    if not _begun.is_set():
        _begun.set()
        threading.Thread(target=_until_done, args=(last,), name="warm-up", daemon=True).start()


def _until_done(last: Callable[[], object]) -> None:
    for part in (once, _warm_models, reference.load):  # the last for "Open it": seconds
        _tried(part)
    _ready.set()
    _warm_claims()
    last()
    _settle()


def _tried(part: Callable[[], None]) -> None:
    """Do a part of it, again and again until it is done."""
    while True:
        try:
            return part()
        except Exception:
            logging.getLogger(__name__).exception("The warm-up failed; trying again in %d s", AGAIN)
            time.sleep(AGAIN)


def ready() -> bool:
    """Whether everything is there: each model, and what "Open it" compares with."""
    return _ready.is_set()


def routes() -> list[Route]:
    """For the server (app.py)."""
    return [Route(f"{base_path()}/ready", _answer)]


async def _answer(_: Request) -> PlainTextResponse:
    headers = {"cache-control": "no-store"}
    return PlainTextResponse("ready" if ready() else "warming up", 200 if ready() else 503, headers)


def wait(seconds: float) -> bool:
    """Whether the warm-up is done, after waiting for it at most this long."""
    return _done.wait(seconds)


def failure() -> str:
    """What kind of error the warm-up ended in; empty while it has not. Visitors read it: the log says where."""
    return _failure


def once() -> None:
    """Warm up, once in a process; later and parallel calls wait for the first. A failed one is tried again."""
    global _failure
    with _lock:
        if _done.is_set():
            return
        try:
            _warm()
        except Exception as error:  # whatever it is, visitors must not wait for ever
            _failure = type(error).__name__
            raise
        _failure = ""
        _done.set()
        _warm_labs()


def _warm_labs() -> None:
    """What only a lab needs: nobody waits for it before the first picture."""
    from pages.shared.server import cached

    cached.dictionary()


def _warm_models() -> None:
    """Those that no first picture needs: to verify a large file, and to bring it into single precision once, takes
    seconds."""
    from core.zoo import SOURCES
    from pages.shared.server import cached

    for id in SOURCES:
        cached.model(id)


def _warm_claims() -> None:
    """The numbers of all claims: seconds, which whoever opens the page need not wait for."""
    from core.claims import CLAIMS
    from pages.shared.server import claim_facts

    for claim in CLAIMS:
        claim_facts.facts(claim)


def _settle() -> None:
    """What is here now, stays: a collection need not look through it. With all of it one stops everyone for 200 ms."""
    gc.collect()
    gc.freeze()


def _warm() -> None:
    import os

    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # without a network, asking the hub hangs for 46 s
    import torch

    from core.zoo import model_for
    from pages.shared.server import cached
    from pages.shared.words import samples

    torch.set_num_threads(1)  # many visitors on few cores: measured in benchmarks/
    for language in ("en", "zh"):
        text = samples.example(language)
        cached.capture(model_for(text), text)
        cached.table_summary(model_for(text))
    _settle()
    # A run leaves hundreds of objects in cycles. By Python's default many grow old while others run, and 200 visitors
    # stall together for a quarter of a second, every four seconds; collected less often, most of them die young.
    gc.set_threshold(10_000, 10, 100)
