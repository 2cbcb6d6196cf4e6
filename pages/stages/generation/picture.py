"""The picture: the text as it goes on, and the controls above."""

from core.derivation.measures.words import LIKELY
from core.figures.controls import Control, Controls, More, Option
from core.figures.written import Chip, Drawn, Line, Listed, Written, WrittenWords
from core.model.places import attention_at
from core.run_spec import RunSpec
from core.views.generation import MOST, special, spelt
from core.writing import Left, Step
from pages.shared.number.cell_path import FITS, RUN, given_crumb, spoken
from pages.shared.words.numbers import grouped, short
from pages.stages.generation.look import KS, PS, SEEDS, TEMPERATURES, Look, usual

SHARES = 12  # of a line, the largest
LISTED = 6  # tokens with their probability
DIGITS = 5  # behind the point, of what is drawn: each step sends all there is so far
ROOM = 60  # characters of a number, behind the run that it is of
WORDS = ("label", "go", "stop", "step", "again", "choose", "line", "likely", "looked")


def controls(look: Look) -> Controls:
    t, config, opens = look.t, look.page.model.config, usual(look.page)
    modes = [Control("mode", t("mode"), [(id, t(f"modes.{id}")) for id in ("text", "chat")])]
    shown = [Control("temperature", t("temperature"), [(id, id) for id in TEMPERATURES])]
    more = [
        Control("topk", "top-k", [(id, t("all") if id == "all" else id) for id in KS], usual=opens["topk"]),
        Control("topp", "top-p", [(id, id) for id in PS], usual="1"),
        Control("seed", t("seed"), number=(0, SEEDS), usual=1),
        *(
            Control(name, t(name), means(look, count), stepper="always", plain=True, usual=opens[name])
            for name, count in (("layer", config.layers), ("head", config.heads))
        ),
    ]
    return Controls([*(modes if look.page.model.chats else []), *shown], More(t("more"), more))


def means(look: Look, count: int) -> list[Option]:
    """Layers or heads, and before the first the mean of all."""
    return [(0, look.t("mean")), *((i, str(i)) for i in range(1, count + 1))]


def picture(look: Look) -> Written:
    t, steps = look.t, look.steps
    seconds = sum(step.seconds for step in steps[1:]) / max(1, len(steps) - 1)
    count = t("picture.count", n=len(steps), seconds=short(seconds)) if len(steps) > 1 else ""
    likely, looked = trails(look)
    return Written(
        tokens=[chip(look, id) for id in look.view.ids(steps)],
        given=look.given,
        steps=[drawn(look, step) for step in steps],
        weights=[look.weights(step) for step in steps],
        more=len(steps) < min(MOST, look.view.room) and not (steps and steps[-1].last),
        open=look.veiled and not steps,
        waits=look.job is not None,
        busy=t("busy") if look.busy else "",
        likely=likely,
        looked=looked,
        sure=look.sure,
        words=WrittenWords(count=t("busy") if look.busy else count, **{name: t(f"picture.{name}") for name in WORDS}),
    )


def chip(look: Look, id: int) -> Chip:
    text, name = spelt(look.page.model, id), look.name(id)
    return Chip(text, name, special(look.page.model, id), text == name and text.startswith("⟨"))


def drawn(look: Look, step: Step) -> Drawn:
    """The likeliest tokens, and the one that was drawn, wherever it stands."""
    t = look.t
    shown = dict(zip(step.best[:LISTED], step.lines[0].shares, strict=False)) | {step.id: step.probability}
    ids = [*step.best[:SHARES]]
    place = ids.index(step.id) if step.id in ids else -1
    chosen = "greedy" if step.point is None else "drawn"
    return Drawn(
        place=place,
        texts=[look.name(id) for id in ids],
        listed=[Listed(id, look.name(id), round(share, 2 * DIGITS), id == step.id) for id, share in shown.items()],
        lines=[line(look, left) for left in step.lines],
        point=step.point,
        said=t(f"picture.{chosen}", u=f"{step.point or 0:.4f}", seed=look.values["seed"], count=grouped(step.count)),
    )


def line(look: Look, left: Left) -> Line:
    t, values = look.t, look.values
    name = t(f"rules.{left.rule}", T=values["temperature"], k=values["topk"], p=values["topp"])
    shares = [round(share, DIGITS) for share in left.shares[:SHARES] if share]
    others = left.count - len(shares)
    return Line(name, shares, t("picture.others", count=grouped(others)) if others else "")


def trails(look: Look) -> tuple[str, str]:
    """How a trail begins with a probability, and with a weight: the row and what stands in it come after."""
    run = f"{given_crumb(RunSpec(look.whole))}{RUN}"
    if look.veiled or len(run) + ROOM > FITS:
        return "", ""
    if not (look.layer and look.head):
        return f"{run}{LIKELY}", ""
    tap = attention_at(look.page.model.attentions[0], look.layer - 1).tap("weights")
    return f"{run}{LIKELY}", f"{run}{spoken(tap, full=True)}.{look.head}"
