"""Which stacks a model has, who may look at whom in them, what it is used for, and which model here is of each kind."""

from core.zoo import SOURCES
from pages.shared.page.parts import Html, heading, paragraph, table, write
from pages.stages.encoder.context import StageContext

FAMILIES = {"reads": ("encoder",), "writes": ("decoder",), "both": ("encoder", "decoder")}
ROWS = ("looks", "known", "used")
CAN = {"reads": "compare", "writes": "write", "both": "translate"}  # how those here are known
TOKENS = 5  # on each side of a mask that is drawn


def draw(context: StageContext) -> None:
    t = context.t
    here = [
        t("comma").join(t.model(id) for id, source in SOURCES.items() if CAN[family] in source.can)
        for family in FAMILIES
    ]
    rows = [
        [t("families.kind"), *(drawn(context, stacks) for stacks in FAMILIES.values())],
        *([t(f"families.{row}"), *(t(f"families.{family}.{row}") for family in FAMILIES)] for row in ROWS),
        [t("families.here"), *here],
    ]
    head = ["", *(t(f"families.{family}.kind") for family in FAMILIES)]
    write(heading(t, "families"), paragraph(t, "families.said"), table(rows, head, "prose families"))


def drawn(context: StageContext, stacks: tuple[str, ...]) -> Html:
    """Both stacks, in each that is there its mask, and between two the way of the source's states."""
    encoder, decoder = (stack(context, name, name in stacks) for name in ("encoder", "decoder"))
    return Html(f"<div class='family'>{encoder}<b>{'→' if len(stacks) == 2 else ''}</b>{decoder}</div>")


def stack(context: StageContext, name: str, there: bool) -> str:
    if not there:
        return "<span class='none'></span>"
    cells = "".join(f"<i{' class=on' * seen(name, i, j)}></i>" for i in range(TOKENS) for j in range(TOKENS))
    return f"<span><u>{cells}</u>{context.t.html(f'families.{name}')}</span>"


def seen(stack: str, query: int, key: int) -> bool:
    """Whether a token's own stack lets it look at another."""
    return stack == "encoder" or key <= query
