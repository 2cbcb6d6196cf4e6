"""And ChatGPT? The same, without an encoder: what our decoder writes when it hears nothing of the source."""

import html
from itertools import pairwise

from core.figures.flow import Flow, FlowWords, Line, Node
from core.views.output import alone
from pages.shared.page.parts import Html, heading, paragraph, table, write
from pages.shared.page.renderings import ID
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.output.context import StageContext

OTHER = "小明昨天晚上看了一部电影"
GPT3 = 175_000_000_000  # parameters, as Brown et al. 2020 give them
PARTS = ("norm", "positions", "vocabulary", "size", "choosing", "trained")


@cached.shared
def unheard(text: str) -> tuple[str, bool]:
    return alone(cached.model(ID), text)


def draw(context: StageContext) -> None:
    t = context.t
    texts = list(dict.fromkeys([context.translated, OTHER, "我的书被老师拿走了"]))
    rows = [[text or "—", cached.translation(ID, text).text_out or "", unheard(text)[0]] for text in texts]
    same = len({unheard(text)[0] for text in texts}) == 1
    own = sum(table.numel() for table in cached.model(ID).network.parameters())
    facts = {"count": grouped(own), "times": grouped(int(round(GPT3 / own, -4)))}
    chat = html.escape(context.page.href("training", section="chat"))
    facts["door"] = Html(f"<a href='{chat}' target='_self'>{t.html('alone.trained_door')}</a>")
    write(heading(t, "alone"), paragraph(t, "alone.said"))
    components.flow(key="stacks", data=stacks(context).data())
    write(
        table(
            [
                [Html(t.html(f"alone.{key}", **facts)) for key in (name, f"{name}_ours", f"{name}_theirs")]
                for name in PARTS
            ],
            [t("alone.what"), t("alone.ours"), t("alone.theirs")],
            "prose",
        ),
        f"<h3>{t.html('alone.deaf')}</h3>",
        paragraph(t, "alone.deaf_said"),
        table(rows, [t("alone.source"), t("alone.with"), t("alone.without")]),
        paragraph(t, "alone.same" if same else "alone.other"),
    )


def stacks(context: StageContext) -> Flow:
    """The translator's two stacks beside the one of a decoder alone; where that has nothing, nothing stands."""
    t, layers = context.t, cached.model(ID).stacks["decoder"].layers
    own = {id: t(f"depth.{id}") for id in ("self_attention", "cross_attention", "feedforward")}
    masked = f"{own['self_attention']}, {t('alone.mask')}"
    decoder = [t("alone.so_far"), masked, own["cross_attention"], own["feedforward"], t("alone.choice")]
    columns = {
        "encoder": {0: t("alone.source"), 1: own["self_attention"], 2: own["feedforward"]},
        "decoder": dict(enumerate(decoder, 1)),
        "alone": {1: t("alone.reads"), 2: masked, 4: own["feedforward"], 5: t("alone.choice")},
    }
    nodes = [Node("ours", t("alone.ours"), 0, 0, 2, sign=True), Node("theirs", t("alone.theirs"), 0, 2, sign=True)]
    lines = [Line("encoder.2", "decoder.3")]
    for column, (id, boxes) in enumerate(columns.items()):
        nodes += [Node(f"{id}.{row}", title, row + 1, column) for row, title in boxes.items()]
        lines += [Line(f"{id}.{here}", f"{id}.{below}") for here, below in pairwise(boxes)]
    return Flow(3, nodes, lines, FlowWords(t("alone.label"), t("alone.caption", layers=layers)))


SECTION = Section(draw)
