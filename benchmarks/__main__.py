"""Measure every budget and say, a line each, what was found: `make bench`. Nothing here is asserted by a test."""

import sys
from urllib.parse import urlencode

from benchmarks import browser, capture, labs, loadtest
from benchmarks.loadtest import Visit
from core.stages import STAGES

VISIT = Visit(query=urlencode({"lang": "en", "text": "The cat sat on the mat.", "guess": "skip"}))


def line(what: str, found: float, budget: float, unit: str) -> None:
    mark = "" if found <= budget else "  OVER"
    print(f"{what:58} {found:9.2f} {unit:4} budget {budget:g}{mark}", flush=True)


def main() -> int:
    speed = capture.measure()
    line("capture, 128 tokens, every tap / Hugging Face forward", speed["ratio"], 1.15, "x")
    writing = capture.translate()
    line("a translation with every tap, written and taped", writing["capture_ms"], 60, "ms")
    line("the same / torch.nn.Transformer writing it", writing["ratio"], 2, "x")
    behind = labs.measure()
    line("CPU, a t-SNE map of 300 words", behind["map_ms"], 1500, "ms")
    line("CPU, neighbours in the whole vocabulary", behind["neighbours_ms"], 30, "ms")
    line("CPU, the segmentation of 500 characters, with its graph", behind["segmentation_ms"], 20, "ms")
    line("CPU, the same, of rare characters", behind["rare_ms"], 20, "ms")
    line("CPU, the tokens of 10,000 characters", behind["tokens_ms"], 500, "ms")
    with loadtest.serve() as server:
        line("start to the first real picture", server.ready_s + loadtest.first_picture(server.url, VISIT), 10, "s")
        served(server)
        for tokens, head, layer in ((9, 100, 100), (128, 100, 100), (512, 300, 800)):
            waited = browser.measure(server.url, tokens)
            line(f"Chromium, {tokens} tokens: click to derivation", waited["cell_ms"], 100, "ms")
            line(f"Chromium, {tokens} tokens: another head", waited["head_ms"], head, "ms")
            line(f"Chromium, {tokens} tokens: another layer", waited["layer_ms"], layer, "ms")
    return 0


def served(server: loadtest.Server) -> None:
    """The server's share: CPU a click and a rerun, many visitors, a burst, memory."""
    options = {"url": server.url, "pid": server.pid}
    click = loadtest.measure(**options, visitors=10, seconds=10, think=0.5, visit=VISIT)
    line("server CPU, a click on attention", click["server_cpu_ms_per_click"], 6, "ms")
    for slug in stages():
        visit = Visit(slug, VISIT.query, "strip", {})  # outside all fragments: the whole page runs
        rerun = loadtest.measure(**options, visitors=5, seconds=5, think=0.5, visit=visit)
        line(f"server CPU, a full rerun of {slug}", rerun["server_cpu_ms_per_click"], 20, "ms")
    for visitors in (100, 200):
        many = loadtest.measure(**options, visitors=visitors, seconds=20, think=3, visit=VISIT)
        line(f"{visitors} visitors, a click every 3 s: 95 %", many["p95_ms"], 100, "ms")
        line(f"{visitors} visitors: memory a visitor", many["memory_mib_per_visitor"], 1, "MiB")
    burst = loadtest.measure(**options, visitors=100, seconds=12, think=3, burst=True, visit=VISIT)
    line("100 visitors in the same instant: 95 %", burst["p95_ms"], 600, "ms")


def stages() -> list[str]:
    """The slugs of the pages there are, in the path's order."""
    return [stage.slug for stage in STAGES if (loadtest.ROOT / f"pages/stages/{stage.slug}.py").is_file()]


if __name__ == "__main__":
    sys.exit(main())
