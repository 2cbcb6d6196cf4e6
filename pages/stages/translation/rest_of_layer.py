"""What comes after the attention: the rest of the layer, and the way out; and how the gradient comes back."""

from core.derivation import Weight
from core.model.places import attention_at
from core.views.translation import gradients
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Html, heading, paragraphs, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.translation.context import ID, StageContext
from pages.stages.translation.queries_and_keys import sized

ATTENTIONS = ("self_attention", "cross_attention")
FEEDFORWARD = ("hidden", "output", "residual", "norm.output")


def draw(context: StageContext) -> None:
    t, config = context.t, context.page.model.config
    size = config.vocab * config.d_model
    facts = {"vocab": f"{config.vocab:,}", "d": config.d_model, "size": f"{size:,}", "thrice": f"{3 * size:,}"}
    matrices = f"{attention_at('cross', context.layer - 1)}.to_"
    norms = {
        f"w_{name}": measured(context, norm, "gradient_all", Weight(f"{matrices}{name}.weight", (None, None)))
        for name, norm in gradient_norms(context).items()
    }
    said = paragraphs([t.html("after.tied", **facts), t.html("after.gradients", **norms)])
    write(heading(t, "after", layer=context.layer), the_rest(context), said)


def the_rest(context: StageContext) -> str:
    """Every array between the attention and the logits, a row each."""
    at, dims = f"decoder.{context.layer - 1}", context.page.model.tap_dims
    inside = [f"{part}.{tap}" for part in ATTENTIONS for tap in ("residual", "norm.output")]
    inside += [f"feedforward.{tap}" for tap in FEEDFORWARD]
    names = [*(f"{at}.{name}" for name in inside), "output.logits"]
    run = context.tap(*names)
    words = [context.t("after." + name.removeprefix(f"{at}.").replace(".", "_")) for name in names]
    return table(
        [
            (word, Html(f"<code>{name}</code>"), *sized(dims[name], run[name].shape))
            for word, name in zip(words, names, strict=True)
        ],
        kind="named",
    )


def gradient_norms(context: StageContext) -> dict[str, float]:
    """Of each matrix of the selected layer's cross-attention."""
    return norms_at(context.text, context.layer - 1)


@cached.shared
def norms_at(text: str, layer: int) -> dict[str, float]:
    return gradients(cached.model(ID), cached.capture(ID, text, only=()), layer)


SECTION = Section(draw, redraws=("layer",))
