"""Measure every budget and say, a line each, what was found: `make bench`. Nothing here is asserted by a test."""

import sys

from benchmarks import (
    attack,
    browser,
    capture,
    classroom,
    experiments,
    first_visit,
    floor,
    fuzz,
    heads,
    labs,
    loadtest,
    lost,
    prompts,
    share,
    sheet,
    soak,
)
from benchmarks.controls import CELL, controls, pages
from core.zoo import SOURCES

MINUTES = 10  # of the long soak


def line(what: str, found: float, budget: float, unit: str) -> None:
    mark = "" if found <= budget else "  OVER"
    print(f"{what:58} {found:9.2f} {unit:4} budget {budget:g}{mark}", flush=True)


def main() -> int:
    speed = capture.measure()
    line("capture, 128 tokens, every tap / Hugging Face forward", speed["ratio"], 1.15, "x")
    writing = capture.translate()
    line("a translation with every tap, written and taped", writing["capture_ms"], 60, "ms")
    line("the same / torch.nn.Transformer writing it", writing["ratio"], 2, "x")
    if "smollm2" in SOURCES:
        line("the chat model, 36 tokens, every tap / Hugging Face", capture.chat()["ratio"], 1.3, "x")
        line("a token it writes with its cache / `generate`", capture.goes_on()["ratio"], 1.3, "x")
    behind = labs.measure()
    line("CPU, a t-SNE map of 300 words", behind["map_ms"], 1500, "ms")
    line("CPU, neighbours in the whole vocabulary", behind["neighbours_ms"], 30, "ms")
    line("CPU, the segmentation of 500 characters, with its graph", behind["segmentation_ms"], 20, "ms")
    line("CPU, the same, of rare characters", behind["rare_ms"], 20, "ms")
    line("CPU, the tokens of 10,000 characters", behind["tokens_ms"], 500, "ms")
    heads.report(line)
    with loadtest.serve() as server:
        line("start to the first real picture", server.ready_s + loadtest.first_picture(server.url, CELL), 10, "s")
        with floor.beside(server, CELL) as held:
            against(held)
        served(server)
        voted = classroom.measure(server.url)
        line("200 pupils answer within 5 s: until the bars know, 95 %", voted["bars_p95_ms"], 1000, "ms")
        line("the same: until a pupil has the page with the answer", voted["own_p95_ms"], 5000, "ms")
        for tokens, head, layer in ((9, 100, 100), (128, 100, 100), (512, 300, 800)):
            waited = browser.measure(server.url, tokens)
            line(f"Chromium, {tokens} tokens: click to derivation", waited["cell_ms"], 100, "ms")
            line(f"Chromium, {tokens} tokens: another head", waited["head_ms"], head, "ms")
            line(f"Chromium, {tokens} tokens: another layer", waited["layer_ms"], layer, "ms")
        sheet.report(line, server.url)
        for tokens, budget in ((9, 2000), (64, 2000), (512, 2000)):
            seen = heads.browsed(server.url, tokens)
            line(f"Chromium, heads, {tokens} tokens: the page to its lines", seen["open_ms"], budget, "ms")
            line(f"Chromium, heads, {tokens} tokens: a hover", seen["slow_ms"], 16.7, "ms")
        first = first_visit.measure(server.url)
        line("Chromium, a phone, thirty on 20 Mbit/s: the first picture", first["first_s"], 10, "s")
        line("the same: the next page", first["next_s"], 2, "s")
    line("pages that show another number after a restart of the server", len(lost.restarted()), 0, "")
    return 0


def against(held: floor.Floor) -> None:
    """The server's CPU for what a visitor does, as multiples of the least click."""
    click = held.hold(CELL)
    print(f"the floor: {click['floor_ms']:.1f} ms of CPU a click")
    line("floors: a click on a cell of attention", click["floors"], 1.3, "x")
    for name, visit in controls().items():
        line(f"floors: {name}", held.hold(visit, 1)["floors"], 3, "x")
    for slug, visit in pages().items():
        line(f"floors: the whole page of {slug}", held.hold(visit, 1)["floors"], 8, "x")


def served(server: loadtest.Server) -> None:
    """Many visitors, a burst, one with many tabs, and memory while they come and go."""
    options = {"url": server.url, "pid": server.pid}
    for visitors in (100, 200):
        many = loadtest.measure(**options, visitors=visitors, seconds=20, think=3, visit=CELL)
        line(f"{visitors} visitors, a click every 3 s: 95 %", many["p95_ms"], 100, "ms")
        line(f"{visitors} visitors: memory a visitor", many["memory_mib_per_visitor"], 1, "MiB")
    for name, visit in controls().items():
        many = loadtest.measure(**options, visitors=100, seconds=10, think=3, visit=visit)
        line(f"100 visitors moving {name}: 95 %", many["p95_ms"], 200, "ms")
    beside = experiments.measure(server, 50, visit=CELL)
    line("50 visitors clicking while as many train as may: 95 %", beside["p95_ms"], 150, "ms")
    burst = loadtest.measure(**options, visitors=100, seconds=12, think=3, burst=True, visit=CELL)
    line("100 visitors in the same instant: 95 %", burst["p95_ms"], 600, "ms")
    waited = share.measure(server.url, 20, visit=CELL)
    line("one person with 20 tabs at work, the others' clicks: 95 %", waited["p95_ms"], 300, "ms")
    typed = prompts.measure(server.url)
    line("50 visitors, a new prompt for the chat model every 10 s: 95 %", 1000 * typed["prompt_p95_s"], 1500, "ms")
    line("the same: ten others' clicks: 95 %", typed["others_p95_ms"], 150, "ms")
    for kind in attack.KINDS:
        waited = attack.measure(server, kind)
        line(f"attacked ({kind}), a visitor's clicks: 95 %", waited["p95_ms"], attack.BUDGET, "ms")
    line("pages that show another number after 140 s without a connection", len(lost.slept(server.url)), 0, "")
    seen = soak.soak(server, 60, MINUTES)
    line(f"60 visitors with new sentences for {MINUTES} minutes: most memory", max(seen.memory), soak.BUDGET, "MiB")
    line("the same: pages that failed", len(seen.errors), 0, "")
    wrong = fuzz.measure(server.url, rounds=100)
    line("addresses and reports without sense, a hundred a page: faults", len(wrong), 0, "")
    seen = soak.soak(server, 40, 1, pages=("input",), tokens=512)
    line("40 visitors with new 512-token sentences: most memory", max(seen.memory), soak.BUDGET, "MiB")


if __name__ == "__main__":
    sys.exit(main())
