"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.stages.overview.look import Look

MOVED = 0.005  # less than this is no change to speak of


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the pair that is compared."""
    say(look, lead, said, lead_of(look), notices(look))


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    page, view = look.page, look.view
    if all(view.special[: view.read]):
        return "lead_nothing", {"tokens": " ".join(view.tokens[: view.read])}
    names = {"n": view.read, "d": page.model.config.d_model, "layers": view.layers, **pair_named(look)}
    key = {True: "lead_same", False: "lead_different"}.get(view.ids[look.pair[0]] == view.ids[look.pair[1]])
    if look.pair[0] == look.pair[1]:
        key = "lead_one"
    return f"{key}_two" if page.translates else str(key), {**names, "m": len(view.rows) - view.read}


def pair_named(look: Look) -> dict[str, object]:
    one, other = look.pair
    return {"first": look.name(one), "second": look.name(other)}


# ---- what to notice


def notices(look: Look) -> list[str]:
    t = look.t
    said = [t.html("notice.one")] if look.pair[0] == look.pair[1] else compared(look)
    said.append(t.html("notice.state", token=look.name(look.pair[1])))
    pressed = [] if look.veiled else [t.html("notice.doors")]  # while a question is open, no number can be pressed
    return [*said, *pressed, *t.if_said("differs", layers=look.view.layers), t.html("notice.chatgpt")]


def compared(look: Look) -> list[str]:
    """The pair on its way, as far as it may be seen."""
    before = [cosine_at(look, depth) for depth in range(len(look.cosines) - look.view.layers)]
    facts = {"row": before[0], "sum": before[-2:][0], "enter": before[-1], **pair_named(look)}
    said = [look.t.html(f"entrance{entered(look)}", **facts)]
    if not any(map(look.hidden, range(len(look.cosines)))):
        said += [*through_the_layers(look, before[-1]), *also_twins(look)]
    return said


def entered(look: Look) -> str:
    """Which steps there are between a row of the table and the first layer."""
    there = look.page.model.tap_dims
    if "embedding.position" not in there:
        return "_alone"
    return "_normed" if "embedding.norm.output" in there else "_scaled" if "embedding.scaled" in there else ""


def cosine_at(look: Look, depth: int) -> float:
    """How alike the two are at one depth."""
    return alike_at(look, depth, *look.pair)


def alike_at(look: Look, depth: int, one: int, other: int) -> float:
    value = float(look.view.cosines(one, other)[depth])
    return measured(look, value, "cosine", look.state(depth, one), look.state(depth, other))


def others_of(look: Look, one: int, other: int) -> float | None:
    """How alike the other words are at the end."""
    found, last = look.view.others(one, other), len(look.cosines) - 1
    if found is None or max(one, other) >= look.view.read:
        return found
    return measured(look, found, "others", look.state(last, one), look.state(last, other))


def asked(look: Look) -> dict[str, object]:
    """What the answer names can be followed."""
    question, last = look.question, len(look.cosines) - 1
    if question is None:
        return {}
    if question.template == "most_alike":
        here = question.row
        alike = {int(choice.id): alike_at(look, last, here, int(choice.id)) for choice in question.choices}
        near, second, *_ = sorted(alike, key=lambda i: -alike[i])
        start = alike_at(look, 0, here, near)
        return {"near_cosine": alike[near], "second_cosine": alike[second], "start": start}
    one, other = next(twins for twins in look.view.twins() if twins[1] == question.row)
    enter, *after = (alike_at(look, depth, one, other) for depth in range(last - look.view.layers, last + 1))
    return {"enter": enter, "low": min(after), "last": after[-1], "others": others_of(look, one, other)}


def through_the_layers(look: Look, enter: float) -> list[str]:
    """What became of the two from layer 1 on, and of other words."""
    t, layers = look.t, look.view.layers
    count = len(look.cosines)
    after = [cosine_at(look, depth) for depth in range(count - layers, count)]
    low, last = min(after), after[-1]
    facts = {"enter": enter, "low": low, "last": last, "layers": layers, "layer": after.index(low) + 1}
    if low < enter - MOVED:
        key = "notice.part_to_the_end" if low == last else "notice.part"
    else:
        key = "notice.meet" if last > enter + MOVED else "notice.stay"
    said = t.html(key, **{**facts, "low": min(low, enter), "high": max(*after, enter)})
    others = None if look.veiled else others_of(look, *look.pair)  # of few words, their mean would answer
    return [said if others is None else said + t.html("notice.others", others=others)]


def also_twins(look: Look) -> list[str]:
    """Another word that stands there twice: at the end alike, or not, whatever it means."""
    view, shown = look.view, set(look.pair)
    if view.ids[look.pair[0]] != view.ids[look.pair[1]]:
        return []
    others = [pair for pair in view.twins() if view.ids[pair[0]] != view.ids[look.pair[0]] and not shown & set(pair)]
    if not others or look.veiled:
        return []
    a, b = others[0]
    facts = {"first": look.name(a), "second": look.name(b), "last": alike_at(look, -1, a, b)}
    return [look.t.html("notice.twins", **facts)]


def attempt(look: Look) -> tuple[str, dict[str, str]] | None:
    """Two of the same word, and what becomes of them."""
    text = look.page.opening.get("example", look.page.text)
    return None if look.page.text == text else (look.t("try"), {"text": text})
