"""A text that is cut, that is not known, that is exactly so long."""

from ..views.tokens import TokensView
from .exercise import Exercise, Patch, Values, Verdict

PIECES = 3  # of one word
LENGTH = 14  # tokens, those the model adds included
STRANGE = "☃"  # no vocabulary here has it
CUT = "unaffable"
FILLED = {True: "好", False: " the"}  # one token more, by whether the tokenizer is a Chinese one


def cut_up(view: TokensView, values: Values) -> Verdict:
    """Does one word of the text become three pieces or more?"""
    word = max(view.words, key=lambda unit: unit.pieces, default=None)
    if word is None:
        return Verdict(False, said="none")
    facts = {"word": word.text[:40], "count": word.pieces, "pieces": " ".join(token.text for token in word.tokens)[:90]}
    return Verdict(word.pieces >= PIECES, facts, "" if word.pieces else "none")


def with_a_long_word(view: TokensView, values: Values) -> Patch:
    return {"text": f"{view.text.rstrip()} {CUT}".strip()}


def not_known(view: TokensView, values: Values) -> Verdict:
    """Does something in the text become [UNK]?"""
    unknown = [unit for unit in view.units if unit.unknown]
    facts = {"count": len(view.words), "strange": STRANGE, "word": unknown[0].text[:40] if unknown else ""}
    return Verdict(bool(unknown), facts)


def with_something_strange(view: TokensView, values: Values) -> Patch:
    return {"text": f"{view.text.rstrip()} {STRANGE}".strip()}


def so_long(view: TokensView, values: Values) -> Verdict:
    """Is the row that the model reads fourteen tokens long?"""
    added = sum(unit.kind == "added" for unit in view.units)
    facts = {"total": view.total, "added": added, "own": view.total - added, "more": abs(LENGTH - view.total)}
    said = "" if view.total == LENGTH else "short" if view.total < LENGTH else "long"
    return Verdict(view.total == LENGTH, facts, said)


def made_so_long(view: TokensView, values: Values) -> Patch:
    """The longest beginning of the text that is not too long and ends in no space, and a word again and again."""
    room = LENGTH - sum(unit.kind == "added" for unit in view.units)
    end = used = count = 0
    for unit in (unit for unit in view.units if unit.kind != "added"):
        count += len(unit.tokens)
        if count > room:
            break
        if view.text[unit.start : unit.end].strip():
            end, used = unit.end, count
    other = any(unit.text == "[CLS]" or unit.letters for unit in view.units)
    chinese = bool(view.units) and not other  # read a character a token, with something added
    return {"text": (view.text[:end] + (room - used) * FILLED[chinese]).strip()}


EXERCISES = (
    Exercise("pieces", cut_up, with_a_long_word, fits=lambda model: model.tokenizer.cuts_words, writes=True),
    Exercise("unknown", not_known, with_something_strange, fits=lambda model: model.tokenizer.unk_id >= 0, writes=True),
    Exercise("length", so_long, made_so_long, writes=True),
)
