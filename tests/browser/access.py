"""Whether a page can be used by everyone: asked of axe-core, and of the page at the widths that large type leaves."""

from pathlib import Path

AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
GRAVE = ("serious", "critical")
ALSO = ("empty-table-header", "heading-order")  # less grave for axe, but heard at once by whoever does not see the page
RUN = "async (part) => (await axe.run(part ?? document, { resultTypes: ['violations'] })).violations"
WIDTHS = (640, 390)  # 1280 at 200 %, and a phone
# What has the focus, through every shadow root: what it is, and whether anything shows it.
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (!node || node === document.body) return null;
  const ring = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  const shown = ring(node) || (node.parentElement && ring(node.parentElement)) || node.querySelector("svg, canvas");
  return [node.outerHTML.slice(0, 120), Boolean(shown)];
}"""


def grave(tab, part: str | None = None) -> list[str]:
    """What axe finds serious or critical on this tab, or on a part of it: rule, place, why. Nothing where axe is not
    installed."""
    if not AXE.is_file():
        return []
    if not tab.page.evaluate("Boolean(window.axe)"):
        tab.page.evaluate(AXE.read_text(encoding="utf-8"))
    return [
        f"{found['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for found in tab.page.evaluate(RUN, part)
        if found["impact"] in GRAVE or found["id"] in ALSO
        for node in found["nodes"]
    ]


def sideways(tab) -> dict[int, int]:
    """By how many pixels the page is wider than its window, where it is."""
    found = {}
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 844})
        tab.settle()
        if (more := tab.sideways()) > 0:
            found[width] = more
    return found


def without_a_ring(tab, steps: int) -> list[str]:
    """What gets the focus within so many presses of Tab, and shows it by nothing."""
    unseen = []
    for _ in range(steps):
        tab.page.keyboard.press("Tab")
        here = tab.page.evaluate(FOCUSED)
        if here and not here[1]:
            unseen.append(here[0])
    return unseen
