"""Two sentences with their translations; under each word that changed, where it looked."""

import html
from collections.abc import Sequence

import numpy as np

from core import grammar
from core.derivation import Cell, RunSpec
from core.model.places import Place, attention_at
from core.text.token import Token, named
from pages.shared.number.number_links import number
from pages.shared.page.renderings import rendered
from pages.shared.server import cached
from pages.stages.translation.context import DECIDED, ID, StageContext, clearest, view_of


def comparison(context: StageContext, variant: str) -> str:
    """The visitor's sentence and `variant`. Sentences of two forms have nothing to compare: then the new one stands
    alone."""
    text = context.text
    if not comparable(context, variant):
        english = cached.translation(ID, variant).text_out or ""
        return f"<div class='pair'><p class='zh'>{html.escape(variant)}</p><p>{html.escape(english)}</p></div>"
    both = ((text, variant), (variant, text))
    made = (f"<div class='pair'>{translated(context, mine, other)}</div>" for mine, other in both)
    return f"<div class='pairs'>{''.join(made)}</div>"


def comparable(context: StageContext, variant: str) -> bool:
    """Whether `variant` is of the visitor's sentence's form, with another word in it."""
    known, parts = context.known, grammar.parse(variant)
    return known is not None and parts is not None and parts.form == known.parts.form


def translated(context: StageContext, text: str, other: str) -> str:
    mine, theirs = cached.translation(ID, text), cached.translation(ID, other)
    characters = differing(mine.tokens, theirs.tokens)
    words = differing(mine.target_out, theirs.target_out)
    looks = [] if context.veiled else [said for row in words for said in looked(context, text, characters, row)]
    below = "".join(f"<p class='soft'>{said}</p>" for said in looks)
    chinese = marked(text, mine.tokens, characters)
    return f"<p class='zh'>{chinese}</p><p>{marked(mine.text_out or '', mine.target_out, words)}</p>{below}"


def differing(mine: Sequence[Token], theirs: Sequence[Token]) -> list[int]:
    """The places of those tokens that must be replaced or left out to come to the other row, with fewest changes."""
    a, b = ([token.text for token in row] for row in (mine, theirs))
    least = list(
        range(len(b), -1, -1)
    )  # of the rest of a and each rest of b: fewest tokens replaced, left out or added
    table = [least]
    for text in reversed(a):
        now = [least[-1] + 1]
        for j in range(len(b) - 1, -1, -1):
            now.insert(0, min(least[j + 1] + (text != b[j]), least[j] + 1, now[0] + 1))
        table.insert(0, least := now)
    found, i, j = [], 0, 0
    while i < len(a):
        if j < len(b) and table[i][j] == table[i + 1][j + 1] + (a[i] != b[j]):
            found += [i] if a[i] != b[j] else []
            i, j = i + 1, j + 1
        elif table[i][j] == table[i + 1][j] + 1:
            found, i = [*found, i], i + 1
        else:
            j += 1
    return found


def marked(text: str, tokens: Sequence[Token], rows: Sequence[int]) -> str:
    """A text with these of its tokens in bold."""
    said, at = "", 0
    for i, token in enumerate(tokens):
        word = html.escape(text[token.start : token.end])
        said += html.escape(text[at : token.start]) + (f"<b>{word}</b>" if i in rows and word else word)
        at = max(at, token.end)
    return said + html.escape(text[at:])


def looked(context: StageContext, text: str, differ: Sequence[int], row: int) -> list[str]:
    """Where a word looked when it was written; and, where the encoder had looked decidedly from there at a character
    that the other sentence has not there, that too: so a verb may know its object."""
    t, seen, (layer, head) = context.t, view_of(text), clearest()
    source = tuple(token.text for token in seen.source)
    weights = seen.cross[layer - 1, head - 1, row]
    at = int(weights.argmax())
    weight = of_head(context, text, attention_at("cross", layer - 1), (head - 1, row, at), weights[at])
    facts = {"word": seen.written[row].text, "best": named(source, at), "weight": weight}
    said = [t.html("change.looked", layer=layer, head=head, **facts)]
    if seen.source[at].special:
        return said
    weight, layer, head, there = elsewhere(text, at, row, context.page.model.config.layers)
    if weight < DECIDED or there not in differ:
        return said
    weight = of_head(context, text, attention_at("encoder", layer - 1), (head - 1, at, there), weight)
    facts = {"best": named(source, at), "there": named(source, there), "weight": weight}
    return [*said, t.html("change.inside", layer=layer, head=head, **facts)]


def of_head(context: StageContext, text: str, place: Place, index: tuple[int, ...], weight: float) -> float:
    """A weight that can be pressed, of whichever of the two sentences it is."""
    return number(
        context, weight, Cell(place.tap("weights"), index), given=None if text == context.text else RunSpec(text)
    )


def elsewhere(text: str, at: int, row: int, layers: int) -> tuple[float, int, int, int]:
    """The largest weight with which the encoder looked from a character out of the word it belongs to, that of the
    written `row`: weight, layer and head (from 1), and the place it looked at."""
    run = cached.capture(ID, text, only=("encoder.*.attention.weights",))
    inside = np.stack([run[f"encoder.{i}.attention.weights"][:, at] for i in range(layers)])
    known = rendered(text)
    inside[..., [at, *(known[row].source if row < len(known) else ())]] = 0
    layer, head, there = np.unravel_index(inside.argmax(), inside.shape)
    return float(inside[layer, head, there]), int(layer) + 1, int(head) + 1, int(there)
