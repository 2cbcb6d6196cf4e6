"""The sentences: what the lead says, what to notice, and what to try. What is said of two runs is computed."""

from collections.abc import Mapping, Sequence

from core.derivation import Recorded
from core.training import recorded
from core.training.recorded import Run
from pages.shared.number.number_links import number
from pages.shared.words.numbers import Html, grouped, written
from pages.stages.training.followed import written as line_written
from pages.stages.training.look import Look, fresh


def lead(look: Look) -> tuple[str, Mapping[str, object]]:
    first = look.view.first
    facts: dict[str, object] = {
        "task": look.t(f"tasks.{first.setting.task}", line=line_written(look.example)),
        "what": look.t(f"differs_in.{look.what}"),
        "count": len(look.view.runs),
        "steps": str(look.view.steps),
        "seeds": len(first.seeds),
        "layers": first.setting.layers,
        "guess": first.setting.guessing,
        "ends": Html(look.t("between").join(ended(look, id) for id in look.view.runs)),
    }
    if look.veiled:
        return "lead_open", facts
    if look.what == "norm":
        return "lead_norm", facts | {f"{id}_first": noted(look, id, "loss") for id in look.view.runs}
    return ("lead_task" if look.what == "task" else "lead"), facts


def ended(look: Look, id: str) -> str:
    """A run, and its last loss on lines that it was not trained on."""
    return f"{written(look.name(id))} {written(noted(look, id, 'held', at=-1))}"


def asked(look: Look) -> Mapping[str, float]:
    """The numbers that the answer names, as they were noted: of the curve that the question is about."""
    question = look.question
    if question is None:
        return {}
    first = question.template.removeprefix("first_") if question.template.startswith("first_") else None
    curve, at = (first, 0) if first else ("held", -1)
    ids = {look.name(id): id for id in look.view.runs}
    named = {"held": "best", "value": "best", "next": "other", "end": "worst"}
    return {
        fact: noted(look, ids[str(question.facts[of])], curve, at=at)
        for fact, of in named.items()
        if fact in question.facts
    }


def noted(look: Look, id: str, curve: str, seed: int = 0, at: int = 0) -> float:
    """A number that was written down in training: of one run's curve, from one of its first weights."""
    values = look.view.runs[id].seeds[seed][curve]
    at %= len(values)
    return number(look, float(values[at]), Recorded(f"recorded.training.{look.view.name}.{id}.{curve}", (seed, at)))


def to_try(look: Look) -> tuple[str, Mapping[str, object]]:
    also = fresh(look.page.address["guess"])
    if look.what == "norm" and look.values["layers"] != "2":
        return look.t("try_shallow"), {**also, "layers": "2"}
    if look.what == "norm":
        return look.t("try_warmup"), {**also, "what": "warmup", "layers": None}
    return look.t("try_norm"), {**also, "what": None, "layers": None}


def notices(look: Look) -> list[str]:
    t = look.t
    made = made_by(look)
    if look.veiled:
        return [t.html(f"why.{look.what}"), made]
    first, *others = look.view.runs
    said = [t.html(f"why.{look.what}")]
    if look.what == "norm":
        said.append(gradients(look))
    if look.what == "width":
        said.append(widths(look))
    elif look.what != "task":
        said.append(" ".join(compared(look, first, other) for other in others))
    return [*said, made]


def gradients(look: Look) -> str:
    """The first gradients; and whether the run without norms ever came below a blind guess."""
    none = look.view.runs["none"]
    facts = {id: noted(look, id, "gradient") for id in ("none", "post")}
    learnt = min(none.ends) < none.setting.guessing
    outcome = "notice.learnt" if learnt else "notice.never"
    end = {"end": noted(look, "none", "held", at=-1), "guess": none.setting.guessing, "steps": str(len(none.loss))}
    return look.t.html("notice.gradient", **facts) + " " + look.t.html(outcome, **end)


def widths(look: Look) -> str:
    """The narrowest, the widest and the one that ends lowest: on their own lines, and on held-out ones."""
    runs = look.view.runs
    narrow, wide = min(runs, key=width_of(runs)), max(runs, key=width_of(runs))
    best = min(runs, key=lambda id: sum(runs[id].ends))
    facts = {}
    for role, id in {"narrow": narrow, "wide": wide}.items():
        facts |= {role: look.name(id), f"{role}_own": tail(runs[id]), f"{role}_held": noted(look, id, "held", at=-1)}
    facts |= {"few": runs[best].setting.few, "best": look.name(best), "best_held": mean(runs[best].ends)}
    return look.t.html("notice.widths", wide_mean=mean(runs[wide].ends), **facts)


def width_of(runs: Mapping[str, Run]):
    return lambda id: runs[id].setting.d_model


def tail(run: Run, steps: int = 20) -> float:
    """The mean loss of the last steps: of one alone it is the luck of its batch."""
    return mean(run.loss[-steps:].tolist())


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def compared(look: Look, first: str, other: str) -> str:
    """Whether two runs can be told apart at all, from all their first weights."""
    seeds = range(len(look.view.first.seeds))
    ours, theirs = ([noted(look, id, "held", seed, -1) for seed in seeds] for id in (first, other))
    names = {"first": look.name(first), "other": look.name(other)}
    ends = {"low": min(ours), "high": max(ours), "other_low": min(theirs), "other_high": max(theirs)}
    wins = {"pairs": len(ours) * len(theirs), "wins": sum(own < other for own in ours for other in theirs)}
    key = "lower" if max(ours) < min(theirs) else "higher" if max(theirs) < min(ours) else "alike"
    return look.t.html(f"notice.{key}", **names, **ends, **(wins if key == "alike" else {}))


def made_by(look: Look) -> str:
    card = recorded.card()
    return look.t.html(
        "made",
        runs=len(card["runs"]),
        seeds=len(card["seeds"]),
        command=card["command"],
        date=card["date"],
        minutes=round(card["seconds"] / 60),
        torch=card["versions"]["torch"],
        parameters=" / ".join(grouped(n) for n in sorted({run.parameters for run in look.view.runs.values()})),
        held=card["look"]["at"],
    )
