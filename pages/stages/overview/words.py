"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from core.text.token import named
from pages.stages.overview.look import Look

# Two of the same word, and what becomes of them.
TRY = {
    "minilm": "She sat by the river bank and counted the money from the bank.",
    "translator": "这本书比那本便宜",
}


def lead(look: Look) -> tuple[str, dict[str, object]]:
    page, view, (one, other) = look.page, look.view, look.opening
    names = {"n": view.read, "d": page.model.config.d_model}
    if page.writes:
        return "lead_two", {**names, "m": len(view.rows) - view.read}
    twins = view.ids.count(view.ids[one]) == 2 and view.ids[one] == view.ids[other]
    return "lead" if twins else "lead_plain", {**names, "token": view.tokens[other]}


def notices(look: Look) -> list[str]:
    t, tokens, (one, other) = look.t, look.view.tokens, look.pair
    before, after = look.cosines[: -look.layers], look.cosines[-look.layers :]
    row, *_, total, enter = map(float, before)
    names = {"first": named(tokens, one), "second": named(tokens, other)}
    said = [t.html(look.page.own("entrance"), row=row, sum=total, enter=enter, **names)]
    if not any(map(look.hidden, range(len(look.cosines)))):
        low = int(after.argmin())
        facts = {"low": float(after[low]), "layer": low + 1, "last": float(after[-1])}
        said.append(t.html("notice.layers", layers=look.layers, **facts))
    said.append(t.html("notice.state", token=named(tokens, other)))
    return [*said, t.html(look.page.own("differs"), layers=look.layers), t.html("notice.chatgpt")]


def attempt(look: Look) -> tuple[str, dict[str, str]]:
    return look.t(look.page.own("try")), {"text": TRY[look.page.address.model]}
