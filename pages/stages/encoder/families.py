"""Which stacks a model has, what it is used for, and which model here is one of each kind."""

from core.zoo import SOURCES
from pages.shared.page.parts import heading, paragraph, table, write
from pages.stages.encoder.context import StageContext

FAMILIES = ("reads", "writes", "both")
COLUMNS = ("kind", "looks", "known", "used", "here")
CAN = {"reads": "compare", "writes": "write", "both": "translate"}  # how those here are known


def draw(context: StageContext) -> None:
    t = context.t
    rows = [
        [
            *(t(f"families.{family}.{name}") for name in COLUMNS[:-1]),
            t("comma").join(t.model(id) for id, source in SOURCES.items() if CAN[family] in source.can),
        ]
        for family in FAMILIES
    ]
    head = [t(f"families.{name}") for name in COLUMNS]
    write(heading(t, "families"), paragraph(t, "families.said"), table(rows, head, "prose"))
