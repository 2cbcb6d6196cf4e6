"""Which stage shows a cell, and how it opens there with that very cell selected."""

from collections.abc import Mapping
from dataclasses import replace

from core.derivation import Cell, Origin, Weight
from core.derivation.flow import TABLE
from core.figures.followed import See
from core.model.places import Place, norms, split
from core.views.circuits import written_as
from core.zoo import Model
from pages.shared.number.cell_path import path_of
from pages.shared.number.number_panel import Cells

SHEET = "overview"
Opens = tuple[str, Mapping[str, object]]  # a stage, and what is selected there
WRITTEN = ("skip", "output", "residual", "hidden", "activated")  # of a sub-layer


def of(cells: Cells, origin: Origin) -> See | None:
    """A link to the stage that shows this number, where one does and there is such a stage: the stages show a sentence
    as it is."""
    page, model = cells.page, cells.model
    found = weight(origin) if isinstance(origin, Weight) else cell(model, origin) if in_sight(cells, origin) else None
    if found is None or found[0] not in page.links:
        return None
    slug, values = found
    text = page.t("see_cell", stage=page.t.stage(slug))
    return See(text, page.href(slug, **run_of(cells), **{name: str(value) for name, value in values.items()}))


def run_of(cells: Cells) -> dict[str, str]:
    """What a link to another page says of the run, where that is not the one of this page."""
    return {"text": cells.text, "model": cells.name} if cells.page.address.instead or not cells.own else {}


def drawn(cells: Cells, source: object) -> See | None:
    """A link to the sheet of the whole model, with the ancestry of this number drawn on it."""
    page = cells.page
    if not (isinstance(source, Cell) and in_sight(cells, source)) or page.slug == SHEET or SHEET not in page.links:
        return None
    at = path_of(cells.model, source, full=True)
    return See(page.t("see_ancestry"), page.href(SHEET, **run_of(cells), guess="skip", trail=at))


def in_sight(cells: Cells, origin: Origin) -> bool:
    return isinstance(origin, Cell) and cells.plain


def weight(origin: Origin) -> Opens | None:
    """A number of the embedding table: its row, looked up by hand."""
    return ("embedding", {"row": origin.index[0], "dim": origin.index[1]}) if origin.name == TABLE else None


def cell(model: Model, origin: Origin) -> Opens | None:
    place, word = split(origin.name)
    if place.part == "output":
        token, word = (int(i or 0) for i in origin.index)
        if word_is_a_sum(model) and origin.name.endswith("logits"):
            return "circuits", {"q": token, "word": written_as(model, word)}
        return "output", {"q": token, "word": word}
    if place.layer is not None and place.part and not place.norm and word in WRITTEN:
        return in_layer(model, place, origin)
    if place.kind and not place.norm:
        return in_attention(place, word, origin)
    if place.norm or (word == "output" and place.part in ("", "embedding")):
        return in_norm(model, place, word, origin)
    if str(place) == "embedding":
        return in_input(word, origin)
    return None


def word_is_a_sum(model: Model) -> bool:
    """Whether a logit is the sum of what the parts of the model add, so that a page takes it apart."""
    return model.objective == "next" and model.config.norm == "pre"


def in_layer(model: Model, place: Place, origin: Origin) -> Opens:
    """What a sub-layer writes, and what goes past it: an arrow; of the stack that writes, a box on the diagram."""
    target = model.of_target(place)
    token = {"q": origin.index[0], "shown": "blocks"} if target else {"pos": origin.index[0]}
    return "encoder", {"layer": int(place.layer or 0) + 1, "part": f"{place.stack}.{place.part}", **token}


def in_attention(place: Place, word: str, origin: Origin) -> Opens | None:
    if word not in ("query", "key", "value", "scores", "weights", "context"):
        return None
    head, first, second = (int(i or 0) for i in origin.index)
    rows = {"scores": ("q", "k"), "weights": ("q", "k"), "query": ("q", "dim"), "context": ("q", "dim")}
    row, column = rows.get(word, ("k", "dim"))
    at = {"kind": place.kind, "layer": int(place.layer or 0) + 1, "head": head + 1, "show": word}
    return "attention", {**at, row: first, column: second}


def in_norm(model: Model, place: Place, word: str, origin: Origin) -> Opens | None:
    """A norm's numbers; what a layer hands on comes out of its last one, where the norms sit behind."""
    last = place.part or "feedforward"
    place, places = replace(place, part=last, norm=True), norms(model.tap_dims)
    if place not in places:
        return None
    token, *rest = origin.index
    dim = {"dim": rest[0]} if rest else {}
    part = "after" if word == "output" else word
    return "layernorm", {"norm": places.index(place) + 1, "part": part, "pos": token, **dim}


def in_input(word: str, origin: Origin) -> Opens | None:
    if word == "token":
        return "embedding", {"pos": origin.index[0], "dim": origin.index[1]}
    if word not in ("position", "segment", "sum"):
        return None
    return "input", {"part": word, "pos": origin.index[0], "dim": origin.index[1]}
