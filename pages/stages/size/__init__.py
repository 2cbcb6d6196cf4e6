"""Size: what a Transformer of any size costs, in parameters, multiply-adds and memory."""

from collections.abc import Sequence

from core.lessons.size import BYTES, Shape, wider
from core.questions import Question, some
from core.questions.size import each
from core.views.size import SHOWN, SizeView, groups_that_fit, heads_that_fit
from pages.shared.address.address import Parameter, Repair, choice, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.stage import PICTURE, Asked, PageContext, Section, Stage
from pages.stages.size import growing, head, models, tied, words
from pages.stages.size.context import LIMITS, PARTS, SIZES, StageContext, known_models
from pages.stages.size.followed import followed
from pages.stages.size.opened import opened
from pages.stages.size.picture import STACKS, beside, controls, shares, treemap


def which(page: PageContext) -> dict[str, Parameter]:
    """The model to begin with, and every number of it: what is not set is that model's. d_ff goes with d."""
    models, raw = known_models(), page.address.raw
    own = page.address.model if page.address.model in models else next(iter(models))
    base = models[raw["preset"] if raw.get("preset") in models else own].shape
    d = whole(*LIMITS["d"], base.d_model)
    typed = d.parse(raw["d"]) if "d" in raw else None
    width = typed if isinstance(typed, int) else base.d_model
    ff = min(wider(base, width).d_ff, LIMITS["ff"][1])
    opening = {"d": base.d_model, "n": base.length, "layers": base.layers, "vocab": base.vocab, "ff": ff}
    opening |= {"h": heads_that_fit(width, base.heads), "batch": 1}
    return {
        "preset": choice(*models, default=own),
        "stack": choice(*STACKS, default=base.stack),
        **{name: whole(*LIMITS[name], opening[name]) for name in SIZES},
        "tied": choice("on", "off", default="on" if base.tied else "off"),
        "precision": choice(*BYTES, default="fp32"),
        "show": choice(*SHOWN, default="parameters"),
    }


def view(page: PageContext, chosen) -> SizeView:
    """Of a d that does not divide into the heads asked for, the most that fit; which is said."""
    d, wanted = chosen["d"], chosen["h"]
    heads = heads_that_fit(d, wanted)
    base = known_models()[chosen["preset"]].shape
    before = wanted if wanted != heads else base.heads if "h" not in page.address.chosen else heads
    if before != heads:
        page.address.repairs.append(
            Repair("size_heads", {"d": f"{d:,}", "wanted": f"{before:,}", "heads": f"{heads:,}"})
        )
    sizes = (chosen["vocab"], d, heads, chosen["layers"], chosen["ff"], chosen["n"], chosen["batch"])
    groups = groups_that_fit(heads, base) if chosen["stack"] == "llama" else 0
    shape = Shape(chosen["stack"], *sizes, chosen["tied"] == "on", groups)
    return SizeView(chosen["preset"], base, shape, chosen["precision"])


def questions(page: PageContext, view: SizeView) -> Sequence[Question]:
    """Of the model that reads, whatever is calculated: its own shape, and this sentence's tokens."""
    models = known_models()
    name = page.address.model if page.address.model in models else next(iter(models))
    return some(each(models[name].shape, len(page.trace.tokens)))


def parameters(page: PageContext, view: SizeView, asked: Asked):
    return {"part": choice(*PARTS, default=None)}


def along(page: PageContext, view: SizeView):
    """Of L few parameters depend; of the work and the memory, what is worth seeing."""
    return {"along": choice("n", "d", default="d" if page.address["show"] == "parameters" else "n")}


SHAPE = ("preset", "stack", *SIZES, "tied", "precision", "show")


def drawn(context: StageContext) -> None:
    """The whole, and every part with its number."""
    shows("treemap", treemap)(context)
    shows("shares", shares)(context)


BODY = Body(
    Panel(
        drawn,
        followed,
        (1.5, 1),
        "medium",
        above=shows("controls", controls),
        beside=beside,
        says=words.write,
    ),
    opened,
    resets=("part",),
    try_this=words.to_try,
    waits=True,
)

STAGE = Stage(
    "size",
    BODY,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    asked=lambda context: {"model": context.page.model_name},
    parameters=parameters,
    opened_by=("preset", *SIZES, "stack", "tied", "part", "show"),
    sections={
        "growth": Section(growing.draw, along, pieces={growing.GROWN: (*SHAPE, "along")}),
        "models": Section(models.draw, redraws=("preset", "d", "ff", "n", "h")),
        "head": Section(head.draw, redraws=("preset", "d", "h")),
        "tied": Section(tied.draw, redraws=("preset", "vocab", "d", "stack")),
    },
    redraws={PICTURE: SHAPE},
    recap={
        "parts": {"show": "parameters", "part": None},
        "square": {"show": "work", "part": "mixing"},
        "training": {"show": "memory"},
    },
)
