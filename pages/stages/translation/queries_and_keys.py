"""Who asks and who answers: the two sides of cross-attention."""

from core.figures.flow import Flow, FlowWords, Line, Node
from pages.shared.page.parts import Html, heading, paragraphs, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.stages.translation.context import StageContext
from pages.stages.translation.opened import shapes

SIDES = "query", "key", "value"


def draw(context: StageContext) -> None:
    t = context.t
    rows = [(Html(f"<b>{letter}</b>"), t(f"asks.{letter}"), t(f"asks.shape_{letter}")) for letter in "QKV"]
    said = t.html("asks.said", n=len(context.source), m=len(context.given))
    write(heading(t, "asks"))
    components.flow(key="asks", data=flow(context).data())
    write(table(rows, kind="known"), paragraphs([said]))


def flow(context: StageContext) -> Flow:
    """Queries from one text, keys and values from the other, and what comes of them; each with its shape."""
    t, d = context.t, context.page.model.config.d_model
    sizes = {name.rpartition(".")[2]: " × ".join(map(str, shape)) for name, _, shape in shapes(context, "cross")}
    m, n = len(context.given), len(context.source)
    nodes = [
        Node("written", t("asks.written"), 0, 0, 1, f"{m} × {d}"),
        Node("source", t("asks.source"), 0, 1, 2, f"{n} × {d}"),
        *(Node(name, letter, 1, i, 1, sizes[name]) for i, (letter, name) in enumerate(zip("QKV", SIDES, strict=True))),
        Node("weights", t("asks.weights"), 2, 0, 2, sizes["weights"]),
        Node("context", t("asks.context"), 3, 0, 3, sizes["context"]),
    ]
    lines = [Line("written", "query"), Line("source", "key"), Line("source", "value")]
    lines += [Line("query", "weights"), Line("key", "weights"), Line("weights", "context"), Line("value", "context")]
    return Flow(3, nodes, lines, FlowWords(t("asks.label"), t("asks.caption", m=m, n=n)), even=True)


SECTION = Section(draw, redraws=("layer",))
