"""What a model writes after a prompt, token by token, filled into the picture of it (written.py)."""

from collections.abc import Sequence

from ..numbers import grouped
from ..views.generation import special, spelt
from ..writing import Left, Sampling, Step
from ..zoo import Model
from .said import Said
from .written import Chip, Drawn, Line, Listed

SHARES = 12  # of a line, the largest
LISTED = 3  # tokens with their probability, the drawn one among them
DIGITS = 5  # behind the point, of what is drawn: each step sends all there is so far
WORDS = ("label", "go", "stop", "step", "again", "choose", "line", "looked", "shade", "plain", "rest")


def chips(model: Model, ids: Sequence[int]) -> list[Chip]:
    """Tokens, given or written."""
    names = model.tokenizer.names
    said = ((id, spelt(model, id), names[id]) for id in ids)
    return [Chip(text, name, special(model, id), text == name and text.startswith("⟨")) for id, text, name in said]


def drawn(t: Said, model: Model, sampling: Sampling, step: Step) -> Drawn:
    """The likeliest tokens, and the one that was drawn, wherever it stands."""
    names = model.tokenizer.names
    likeliest = dict(zip(step.best[:LISTED], step.lines[0].shares, strict=False))
    if step.id not in likeliest:
        likeliest = dict(list(likeliest.items())[:-1]) | {step.id: step.probability}
    ids = [*step.best[:SHARES]]
    chosen = "greedy" if step.point is None else "drawn"
    return Drawn(
        place=ids.index(step.id) if step.id in ids else -1,
        texts=[names[id] for id in ids],
        listed=[Listed(id, names[id], round(share, 2 * DIGITS), id == step.id) for id, share in likeliest.items()],
        lines=[line(t, sampling, left) for left in step.lines],
        point=step.point,
        said=t(f"picture.{chosen}", u=f"{step.point or 0:.4f}", seed=sampling.seed, count=grouped(step.count)),
    )


def line(t: Said, sampling: Sampling, left: Left) -> Line:
    name = t(f"rules.{left.rule}", T=f"{sampling.temperature:g}", k=sampling.top_k, p=f"{sampling.top_p:g}")
    shares = [round(share, DIGITS) for share in left.shares[:SHARES] if share]
    others = left.count - len(shares)
    return Line(name, shares, t("picture.others", count=grouped(others)) if others else "")
