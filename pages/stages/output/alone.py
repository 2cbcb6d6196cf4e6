"""And ChatGPT? The same, without an encoder: what our decoder writes when it hears nothing of the source."""

from core.views.output import alone
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.renderings import ID
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.output.context import StageContext

OTHER = "小明昨天晚上看了一部电影"
PARTS = ("reads", "cross", "mask", "norm", "positions", "vocabulary", "choosing", "trained")


@cached.shared
def unheard(text: str) -> tuple[str, bool]:
    return alone(cached.model(ID), text)


def draw(context: StageContext) -> None:
    t = context.t
    texts = list(dict.fromkeys([context.translated, OTHER, "我的书被老师拿走了"]))
    rows = [[text or "—", cached.translation(ID, text).text_out or "", unheard(text)[0]] for text in texts]
    same = len({unheard(text)[0] for text in texts}) == 1
    write(
        heading(t, "alone"),
        paragraph(t, "alone.said"),
        table(
            [[t(f"alone.{name}"), t(f"alone.{name}_ours"), t(f"alone.{name}_theirs")] for name in PARTS],
            [t("alone.what"), t("alone.ours"), t("alone.theirs")],
            "prose",
        ),
        f"<h3>{t.html('alone.deaf')}</h3>",
        paragraph(t, "alone.deaf_said"),
        table(rows, [t("alone.source"), t("alone.with"), t("alone.without")]),
        paragraph(t, "alone.same" if same else "alone.other"),
    )


SECTION = Section(draw)
