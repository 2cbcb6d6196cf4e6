"""The picture: the text as it goes on, and the controls above."""

from core.derivation.measures.words import LIKELY
from core.figures.controls import Control, Controls, More, Option
from core.figures.generated import WORDS, chips, drawn
from core.figures.written import Written, WrittenWords
from core.model.places import attention_at
from core.run_spec import RunSpec
from core.views.generation import MOST
from pages.shared.number.cell_path import FITS, RUN, run_prefix, spoken
from pages.shared.words.numbers import short
from pages.stages.generation.context import KS, PS, SEEDS, TEMPERATURES, StageContext, usual
from pages.stages.generation.words import looking

ROOM = 60  # characters of a number, behind the run that it is of


def controls(context: StageContext) -> Controls:
    t, config, opens = context.t, context.page.model.config, usual(context.page)
    modes = [Control("mode", t("mode"), [(id, t(f"modes.{id}")) for id in ("text", "chat")])]
    shown = [Control("temperature", t("temperature"), [(id, id) for id in TEMPERATURES])]
    more = [
        Control("topk", "top-k", [(id, t("all") if id == "all" else id) for id in KS], usual=opens["topk"]),
        Control("topp", "top-p", [(id, id) for id in PS], usual="1"),
        Control("seed", t("seed"), number=(0, SEEDS), usual=1),
        *(
            Control(name, t(name), means(context, count), stepper="always", plain=True, usual=opens[name])
            for name, count in (("layer", config.layers), ("head", config.heads))
        ),
    ]
    return Controls([*(modes if context.page.model.chats else []), *shown], More(t("more"), more))


def means(context: StageContext, count: int) -> list[Option]:
    """Layers or heads, and before the first the mean of all."""
    return [(0, context.t("mean")), *((i, str(i)) for i in range(1, count + 1))]


def picture(context: StageContext) -> Written:
    t, steps = context.t, context.steps
    seconds = sum(step.seconds for step in steps[1:]) / max(1, len(steps) - 1)
    count = t("picture.count", n=len(steps), seconds=short(seconds, 2)) if len(steps) > 1 else ""
    likely, looked = trails(context)
    return Written(
        tokens=chips(context.page.model, context.view.ids(steps)),
        given=context.given,
        steps=[drawn(t, context.page.model, context.view.sampling, step) for step in steps],
        weights=[context.weights(step) for step in steps],
        more=len(steps) < min(MOST, context.view.room) and not (steps and steps[-1].last),
        chat=context.view.chat,
        open=context.veiled,
        waits=context.job is not None,
        busy=t("busy") if context.busy else "",
        likely=likely,
        looked=looked,
        sure=context.sure,
        words=WrittenWords(
            count=t("busy") if context.busy else count,
            head=looking(context),
            **{name: t(f"picture.{name}") for name in WORDS},
        ),
    )


def trails(context: StageContext) -> tuple[str, str]:
    """How a trail begins with a probability, and with a weight: the row and what stands in it come after."""
    run = f"{run_prefix(RunSpec(context.whole))}{RUN}"
    if context.veiled or len(run) + ROOM > FITS:
        return "", ""
    if not (context.layer and context.head):
        return f"{run}{LIKELY}", ""
    tap = attention_at(context.page.model.attentions[0], context.layer - 1).tap("weights")
    return f"{run}{LIKELY}", f"{run}{spoken(tap, full=True)}.{context.head}"
