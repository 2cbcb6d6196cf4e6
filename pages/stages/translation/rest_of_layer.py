"""What comes after the attention: the rest of the layer, and the way out; and how the gradient comes back."""

from core.derivation import Weight
from core.model.places import attention_at
from core.views.translation import gradients
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Html, heading, paragraphs, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.translation.look import ID, Look
from pages.stages.translation.queries_and_keys import sized

ATTENTIONS = ("self_attention", "cross_attention")
FEEDFORWARD = ("hidden", "output", "residual", "norm.output")


def draw(look: Look) -> None:
    t, config = look.t, look.page.model.config
    size = config.vocab * config.d_model
    facts = {"vocab": f"{config.vocab:,}", "d": config.d_model, "size": f"{size:,}", "thrice": f"{3 * size:,}"}
    matrices = f"{attention_at('cross', look.layer - 1)}.to_"
    norms = {
        f"w_{name}": measured(look, norm, "gradient_all", Weight(f"{matrices}{name}.weight", (None, None)))
        for name, norm in gradient_norms(look).items()
    }
    said = paragraphs([t.html("after.tied", **facts), t.html("after.gradients", **norms)])
    write(heading(t, "after", layer=look.layer), the_rest(look), said)


def the_rest(look: Look) -> str:
    """Every array between the attention and the logits, a row each."""
    at, dims = f"decoder.{look.layer - 1}", look.page.model.tap_dims
    inside = [f"{part}.{tap}" for part in ATTENTIONS for tap in ("residual", "norm.output")]
    inside += [f"feedforward.{tap}" for tap in FEEDFORWARD]
    names = [*(f"{at}.{name}" for name in inside), "output.logits"]
    run = look.tap(*names)
    words = [look.t("after." + name.removeprefix(f"{at}.").replace(".", "_")) for name in names]
    return table(
        [
            (word, Html(f"<code>{name}</code>"), *sized(dims[name], run[name].shape))
            for word, name in zip(words, names, strict=True)
        ]
    )


def gradient_norms(look: Look) -> dict[str, float]:
    """Of each matrix of the selected layer's cross-attention."""
    return norms_at(look.text, look.layer - 1)


@cached.shared
def norms_at(text: str, layer: int) -> dict[str, float]:
    return gradients(cached.model(ID), cached.capture(ID, text, only=()), layer)


SECTION = Section(draw, redraws=("layer",))
