"""What a layer is made of: how many numbers were learned where."""

from core.views.encoder import counted
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.encoder.look import Look

FORMULAS = {
    **{f"to_{name}": "d² + d" for name in ("query", "key", "value", "output")},
    "widen": "d · d_ff + d_ff",
    "narrow": "d_ff · d + d",
    "norms": "4d",
}


@cached.shared
def parameters_of(name: str) -> dict[str, int]:
    return counted(cached.model(name))


def draw(look: Look) -> None:
    t, config = look.t, look.page.model.config
    made = parameters_of(look.page.address.model)
    whole = sum(made.values())
    attention = sum(made[name] for name in made if name.startswith("to_"))
    network = made["widen"] + made["narrow"]
    d = config.d_model
    facts = {"d": d, "d_ff": grouped(config.d_ff), "heads": config.heads, "d_head": config.d_head}
    shares = {"attention": round(100 * attention / whole), "network": round(100 * network / whole)}
    heads = {"one": grouped(3 * d * config.d_head), "three": grouped(3 * d * d), "four": grouped(4 * d * d)}
    rows = [[t(f"inside.{name}"), FORMULAS[name], grouped(count)] for name, count in made.items()]
    write(
        heading(t, "inside"),
        paragraph(t, "inside.said", **facts),
        table(
            [*rows, [t("inside.whole"), "", grouped(whole)]],
            [t("inside.part"), t("inside.formula"), t("inside.count")],
            kind="sums",
        ),
        paragraph(t, "inside.shares", **shares, layers=config.layers, all=grouped(whole * config.layers)),
        paragraph(t, "inside.three", **heads),
        paragraph(t, "inside.between"),
    )
