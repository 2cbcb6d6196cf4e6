"""The sentences about runs that differ in one thing. What is said of two of them is computed."""

from collections.abc import Mapping, Sequence

from core.derivation import Recorded
from core.training import recorded
from core.training.recorded import Run
from pages.shared.number.number_links import number
from pages.shared.words.numbers import Html, grouped, percent
from pages.stages.training.contest_followed import written as line_written
from pages.stages.training.context import StageContext

IN_PAIRS = ("residual", "warmup")  # what differs does so within each two


def lead(context: StageContext) -> tuple[str, Mapping[str, object]]:
    first = context.family.first
    facts: dict[str, object] = {
        "task": context.t(f"tasks.{first.setting.task}", line=line_written(context.example)),
        "what": context.t(f"differs_in.{context.what}"),
        "layers": first.setting.layers,
    }
    if context.what == "norm":
        return "contest.norm", facts
    return ("contest.task" if context.what == "task" else "contest.lead"), facts


def why(context: StageContext) -> str:
    """What this part is for, or what is to be looked for."""
    return context.t.html(f"why.{context.what}")


def ends(context: StageContext) -> str:
    """The last loss of every run on lines that it was not trained on."""
    every = Html(context.t("contest.and").join(ended(context, id) for id in context.family.runs))
    return context.t.html("contest.ends", steps=str(context.family.steps), ends=every)


def ended(context: StageContext, id: str) -> str:
    """A run, and its last loss on lines that it was not trained on."""
    return context.t.html("contest.end", name=context.name(id), loss=noted(context, id, "held", at=-1))


def noted(context: StageContext, id: str, curve: str, seed: int = 0, at: int = 0) -> float:
    """A number that was written down in training: of one run's curve, from one of its first weights."""
    values = context.family.runs[id].seeds[seed][curve]
    at %= len(values)
    return number(
        context, float(values[at]), Recorded(f"recorded.training.{context.family.name}.{id}.{curve}", (seed, at))
    )


def measured(context: StageContext) -> list[str]:
    """What came out, compared, and how it was made."""
    first, *others = context.family.runs
    every = [first, *others]
    in_pairs = context.what in IN_PAIRS
    pairs = zip(every[::2], every[1::2], strict=True) if in_pairs else ((first, other) for other in others)
    said = [ends(context)]
    if context.what == "norm":
        said.append(gradients(context))
    if context.what == "width":
        said.append(widths(context))
    elif context.what != "task":
        said.append(context.t.together(compared(context, *pair) for pair in pairs))
    return [*said, made_by(context)]


def gradients(context: StageContext) -> str:
    """The first gradients; and whether the run without norms came below a blind guess, and learned the task."""
    none = context.family.runs["none"]
    facts = {id: noted(context, id, "gradient") for id in ("none", "post")}
    right, best = all_right(none), max(all_right(context.family.runs[id]) for id in ("post", "pre"))
    below, learnt = min(none.ends) < none.setting.guessing, right >= best / 2
    outcome = f"notice.{'learnt' if below and learnt else 'below' if below else 'never'}"
    end = {"end": noted(context, "none", "held", at=-1), "guess": none.setting.guessing, "steps": str(len(none.loss))}
    end |= {"right": percent(right), "best": percent(best)}
    return context.t.together((context.t.html("notice.gradient", **facts), context.t.html(outcome, **end)))


def all_right(run: Run) -> float:
    """The share of held-out lines without a mistake, on average over the first weights."""
    return mean([float(curves["right"][-1]) for curves in run.seeds])


def widths(context: StageContext) -> str:
    """The narrowest, the widest and the one that ends lowest: on their own lines, and on held-out ones."""
    runs = context.family.runs
    narrow, wide = min(runs, key=width_of(runs)), max(runs, key=width_of(runs))
    best = min(runs, key=lambda id: sum(runs[id].ends))
    facts = {}
    for role, id in {"narrow": narrow, "wide": wide}.items():
        facts |= {
            role: context.name(id),
            f"{role}_own": tail(runs[id]),
            f"{role}_held": noted(context, id, "held", at=-1),
        }
    facts |= {"few": runs[best].setting.few, "best": context.name(best), "best_held": mean(runs[best].ends)}
    return context.t.html("notice.widths", wide_mean=mean(runs[wide].ends), **facts)


def width_of(runs: Mapping[str, Run]):
    return lambda id: runs[id].setting.d_model


def tail(run: Run, steps: int = 20) -> float:
    """The mean loss of the last steps: of one alone it is the luck of its batch."""
    return mean(run.loss[-steps:].tolist())


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def compared(context: StageContext, first: str, other: str) -> str:
    """Whether two runs can be told apart at all, from all their first weights."""
    seeds = range(len(context.family.first.seeds))
    ours, theirs = ([noted(context, id, "held", seed, -1) for seed in seeds] for id in (first, other))
    names = {"first": context.name(first), "other": context.name(other)}
    ends = {"low": min(ours), "high": max(ours), "other_low": min(theirs), "other_high": max(theirs)}
    wins = {"pairs": len(ours) * len(theirs), "wins": sum(own < other for own in ours for other in theirs)}
    key = "lower" if max(ours) < min(theirs) else "higher" if max(theirs) < min(ours) else "alike"
    return context.t.html(f"notice.{key}", **names, **ends, **(wins if key == "alike" else {"runs": len(ours)}))


def made_by(context: StageContext) -> str:
    card = recorded.card()
    return context.t.html(
        "made",
        runs=len(card["runs"]),
        seeds=len(card["seeds"]),
        command=card["command"],
        date=card["date"],
        minutes=round(card["seconds"] / 60),
        torch=card["versions"]["torch"],
        parameters=" / ".join(map(grouped, dict.fromkeys(run.parameters for run in context.family.runs.values()))),
        held=card["look"]["at"],
    )
