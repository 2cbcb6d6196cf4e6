"""The way back: ids to text again, and what does not come back."""

import html
from difflib import SequenceMatcher

from core.text.back import decoded
from core.text.byte_pairs import BytePairs
from core.text.token import Token
from core.views.tokens import TokensView
from pages.shared.page.parts import Html, heading, paragraph, paragraphs, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.rows import lines

LONG = 400  # characters of a text
CHANGED = ("lowercase", "accents", "punctuation")  # steps that change a character for good


def draw(context: StageContext) -> None:
    t, name = context.t, context.page.address.model
    tokens = context.page.trace.tokens
    text = back(name, tokens)
    again = cached.trace(name, text).tokens
    rows = [
        [t(f"back.{name}"), Html(f"<bdi>{marked(one, other)}</bdi>")]
        for name, one, other in (("typed", context.page.text, text), ("decoded", text, context.page.text))
    ]
    lost = losses(context.view, tokens, text, context.tokenizer.merges_bytes)
    if context.tokenizer.merges_bytes and (dropped := context.page.model.unknown(context.page.text)):
        lost.append(("bytes", len(dropped), 0))
    write(
        heading(t, "back"),
        *t.if_said("back.said"),
        lines(context, tokens, "id"),
        table(rows, kind="known named"),
        paragraphs([t.html(f"back.lost_{kind}", n=n, left=left) for kind, n, left in lost] or [t.html("back.nothing")]),
        paragraph(t, "back.again" if same(tokens, again) else "back.again_not") if lost else "",
    )


def marked(text: str, other: str) -> str:
    """A text in which what the other has not, or has otherwise, stands out."""
    text, other = clip(text, LONG), clip(other, LONG)
    made = []
    for kind, start, end, _, _ in SequenceMatcher(None, text, other, autojunk=False).get_opcodes():
        piece = html.escape(text[start:end])
        made.append(piece if kind == "equal" or not piece else f"<mark>{piece}</mark>")
    return "".join(made) or "–"


def back(name: str, tokens: tuple[Token, ...]) -> str:
    """The tokens as a text again."""
    tokenizer = cached.model(name).tokenizer
    if isinstance(tokenizer, BytePairs):
        return tokenizer.decode(token.id for token in tokens)
    if tokenizer.cuts_words:
        return decoded(tokens)
    return "".join(token.text for token in tokens if not token.special)


def same(tokens: tuple[Token, ...], again: tuple[Token, ...]) -> bool:
    return [token.id for token in tokens] == [token.id for token in again]


def losses(view: TokensView, tokens: tuple[Token, ...], text: str, merged: bool = False) -> list[tuple[str, int, int]]:
    """What the text that came back lacks: which kind of loss, how often, and where it helps, how much is left."""
    found = [(name, len(view.row_of[name].changed), 0) for name in CHANGED if name in view.row_of]
    invisible = sum(cell == "" for cell in view.row_of["clean"].cells) if "clean" in view.row_of else 0
    blank, left = (sum(map(str.isspace, one)) for one in (view.text, text))
    found += [
        ("unknown", sum(token.text == "[UNK]" and not token.special for token in tokens), 0),
        ("invisible", invisible, 0),
        ("typed", 0 if merged else len(view.typed), 0),
        ("cut", view.truncated, 0),
        ("spaces", blank if blank != left else 0, left),
    ]
    if blank == 0 != left:
        found.append(("more_spaces", left, 0))
    if text != view.text and not any(count for _, count, _ in found):
        found.append(("moved_spaces", 1, 0))
    return [loss for loss in found if loss[1]]


SECTION = Section(draw)
