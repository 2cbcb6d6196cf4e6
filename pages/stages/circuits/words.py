"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from core.text.byte_pairs import SEEN
from core.views.circuits import next_word
from pages.shared.page.parts import Place, say
from pages.shared.words.signs import signs
from pages.shared.words.texts import clip, tail
from pages.stages.circuits.context import StageContext

PROMPT = 80  # characters of the text that the lead repeats, its last
FIRST = 0.5  # of its weight: from here on a head is said to rest on the first token


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the words that are asked about."""
    say(context, lead, said, lead_of(context), [] if context.veiled else [*first_alone(context), *notices(context)])


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    view, found = context.view, context.view.found
    facts: dict[str, object] = {
        "prompt": tail(context.prompt, PROMPT),
        "word": context.word,
        "signs": signs(context.t, [context.word, context.against or ""]),
        "total": context.total,
        "all": len(found.parts),
        "heads": view.layers * view.heads,
        "layers": view.layers,
    }
    if context.against is not None:
        return "lead_gap", {**facts, "against": context.against}
    best = int(view.best[0])
    if found.word != best:
        return "lead_other", {**facts, "best": context.say(best)}
    return "lead", {**facts, "share": context.likely(best, float(view.probabilities[0]))}


def asked(context: StageContext) -> dict[str, object]:
    """The numbers that the question's answer names."""
    if context.question is None:
        return {}
    first, head = adds_most(context), context.view.first_head
    part = context.view.found.parts[head]
    key = int(context.view.looks(part).argmax())
    said = context.t(f"some.{context.view.found.parts[first].kind}")
    return {
        "head": context.name(part),
        "weight": context.weight(part, key),
        "token": context.token_name(key),
        "added": context.added(head),
        "first": context.name(context.view.found.parts[first]),
        "most": context.added(first),
        "most_to": most_to(context),
        "some": said[:1].upper() + said[1:],
    }


BLANK = SEEN[ord(" ")]  # a token by itself before a digit


def first_alone(context: StageContext) -> list[str]:
    """Of a word that was typed and is several tokens: which of them is asked about."""
    found = context.view.found
    said = []
    for name, id in (("word", found.word), ("against", found.against)):
        typed = (context.values[name] or "").strip()
        if id is None or typed in ("", context.written(id), context.say(id), f"#{id}"):
            continue
        tokens = [token for token in context.model.tokenizer.trace(f" {typed}").tokens if not token.special]
        if len(tokens) > 1:
            spaced = context.t("notice.with_blank") if tokens[0].text == BLANK else ""
            named = {"typed": clip(typed, 20), "word": context.say(id), "count": len(tokens), "spaced": spaced}
            said.append(context.t.html("notice.first_alone", **named))
    against = (context.values["against"] or "").strip()
    if against and found.against is None and next_word(context.model, against) == found.word:
        said.append(context.t.html("notice.same_first", typed=clip(against, 20), word=context.word))
    return said


def most_to(context: StageContext) -> str:
    """What the first of the parts does: what it adds to a difference is not what it adds to either word."""
    key = "word" if context.against is None else "gap"
    return context.t(f"most_to.{key}", word=context.word, against=context.against)


def adds_most(context: StageContext) -> int:
    """The head or network that adds most, which what takes most away does not."""
    found = context.view.found
    asked_of = [i for i, part in enumerate(found.parts) if part.kind in ("head", "feedforward")]
    return max(asked_of, key=lambda i: float(found.values[i]))


def notices(context: StageContext) -> list[str]:
    t = context.t
    sum = t("notice.sum_gap" if context.against is not None else "notice.sum")
    return [*by_kind(context), *the_head(context), t.html("notice.held", sum=sum, difference=difference(context))]


def difference(context: StageContext) -> float:
    return abs(context.view.found.total - context.view.found.captured)


def by_kind(context: StageContext) -> list[str]:
    """What all heads add together, and all networks."""
    heads, networks = context.together("head"), context.together("feedforward")
    most = max(heads, networks)
    key = "neither" if most <= 0 else "networks" if networks == most else "heads"
    return [context.t.html(f"notice.{key}", heads=heads, networks=networks, word=context.word)]


def the_head(context: StageContext) -> list[str]:
    """The head that adds most: where it looks; and whether it only rests on the first token."""
    part = context.view.found.parts[context.view.first_head]
    weights = context.view.looks(part)
    key = int(weights.argmax())
    facts = {
        "head": context.name(part),
        "added": context.added(context.view.first_head),
        "token": context.token_name(key),
        "weight": context.weight(part, key),
        "most_to": most_to(context),
    }
    rests = key == 0 and len(weights) > 1 and weights[0] >= FIRST
    key = "looks_alone" if len(weights) == 1 else "rests" if rests else "looks"
    return [context.t.html(f"notice.{key}", **facts)]


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    """Against a second word; without it again."""
    if context.against is not None:
        return context.t("notice.try_alone", word=context.word), {"against": None, "layer": None, "part": None}
    other = second(context)
    words = context.t("notice.try_against", against=context.say(other), word=context.word)
    return words, {"against": context.written(other), "layer": None, "part": None}


def second(context: StageContext) -> int:
    """The model's own second word for its example; else the likeliest other."""
    own, found = context.example_against, context.view.found
    return own if own not in (None, found.word) else next(id for id in context.view.best.tolist() if id != found.word)
