"""Two sentences with their translations; under each word that changed, where it looked."""

import html

import numpy as np

from core import grammar
from core.capture import Capture
from core.text.token import named
from pages.shared import cached
from pages.stages.translation.look import DECIDED, ID, Look, clearest, reference, view_of


def comparison(look: Look, variant: str) -> str:
    """The visitor's sentence and `variant`. Sentences of two forms have nothing to compare: then the new one stands
    alone."""
    text, known, parts = look.text, look.known, grammar.parse(variant)
    if known is None or parts is None or parts.form != known.parts.form:
        english = cached.translation(ID, variant).text_out or ""
        return f"<div class='pair'><p class='zh'>{html.escape(variant)}</p><p>{html.escape(english)}</p></div>"
    both = ((text, variant), (variant, text))
    return "".join(f"<div class='pair'>{told(look, mine, other)}</div>" for mine, other in both)


def told(look: Look, text: str, other: str) -> str:
    mine, theirs = cached.translation(ID, text), cached.translation(ID, other)
    there = {token.text for token in theirs.target_out}
    changed = [i for i, token in enumerate(mine.target_out) if token.text not in there]
    chinese = "".join(html.escape(c) if c in other else f"<b>{html.escape(c)}</b>" for c in text)
    looks = [] if look.veiled else [said for row in changed for said in looked(look, text, other, row)]
    below = "".join(f"<p class='soft'>{said}</p>" for said in looks)
    return f"<p class='zh'>{chinese}</p><p>{marked(mine, changed)}</p>{below}"


def marked(run: Capture, rows: list[int]) -> str:
    """The translation with the words of these rows in bold."""
    text, english, at = run.text_out or "", "", 0
    for i, token in enumerate(run.target_out):
        said = html.escape(text[token.start : token.end])
        english += html.escape(text[at : token.start]) + (f"<b>{said}</b>" if i in rows else said)
        at = max(at, token.end)
    return english


def looked(look: Look, text: str, other: str, row: int) -> list[str]:
    """Where a word looked when it was written; and, where the encoder had looked decidedly from there at a character
    that the other sentence has not, that too: so a verb may know its object."""
    t, seen, (layer, head) = look.t, view_of(text), clearest()
    source = tuple(token.text for token in seen.source)
    weights = seen.cross[layer - 1, head - 1, row]
    at = int(weights.argmax())
    facts = {"word": seen.written[row].text, "best": named(source, at), "weight": float(weights[at])}
    said = [t.html("change.looked", layer=layer, head=head, **facts)]
    if seen.source[at].special:
        return said
    weight, layer, head, there = elsewhere(text, at, row, look.page.model.config.layers)
    if weight < DECIDED or source[there] in other:
        return said
    facts = {"best": named(source, at), "there": named(source, there), "weight": weight}
    return [*said, t.html("change.inside", layer=layer, head=head, **facts)]


def elsewhere(text: str, at: int, row: int, layers: int) -> tuple[float, int, int, int]:
    """The largest weight with which the encoder looked from a character out of the word it belongs to, that of the
    written `row`: weight, layer and head (from 1), and the place it looked at."""
    run = cached.capture(ID, text, only=("encoder.*.attention.weights",))
    inside = np.stack([run[f"encoder.{i}.attention.weights"][:, at] for i in range(layers)])
    made = reference(text)
    inside[..., [at, *(made.target[row].source if made else ())]] = 0
    layer, head, there = np.unravel_index(inside.argmax(), inside.shape)
    return float(inside[layer, head, there]), int(layer) + 1, int(head) + 1, int(there)
