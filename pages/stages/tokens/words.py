"""The sentences: what the lead says, what to notice, the thing to try. Nothing about a veiled word."""

from core.text.byte_pairs import BytePairs
from core.text.characters import MARKS
from core.text.wordpiece import LONGEST_WORD, WordPiece
from core.views.tokens import SPELT_WHOLE, Unit, reserved
from pages.stages.tokens.context import StageContext, leftward, shown, spelt

UNFOLDED = "tokenization"  # not in the vocabulary, and spelt all the same


def lead(context: StageContext) -> tuple[str, dict[str, object]]:
    page, view = context.page, context.view
    unit = view.units[view.opening()]
    total = context.counted("tokens", view.total + view.truncated)
    names = {
        "word": shown(unit.text),
        "limit": LONGEST_WORD,
        "pieces": spelt(unit.tokens),
        "characters": context.counted("characters", len(page.text)),
        "each": each(context),
        "words": cut_into(context),
        "tokens": context.counted("tokens", view.kept + view.truncated),
        "total": total,
        "around": beside(context, total),
        "marks": context.t("marks") if len(unit.tokens) > 1 else "",
        "beside": view.beside.text if view.beside else "",
    }
    return lead_key(context, unit), names


def beside(context: StageContext, total: str) -> str:
    """Which tokens the model adds, and how many there are with them."""
    first, last = ("".join(tokens) for tokens in (context.tokenizer.front, context.tokenizer.back))
    where = "both" if first and last else "first" if first else "last" if last else "none"
    return context.t(f"around_{where}", first=first, last=last, total=total)


def each(context: StageContext) -> str:
    """Where every character is a token: all of them, or all that were not dropped."""
    gone = len(context.page.text) - len(context.view.words)
    return context.counted("each_left", gone) if gone else context.t("counts.each")


def cut_into(context: StageContext) -> str:
    han = any(unit.cut == "cjk" for unit in context.view.words)
    words = context.counted("words_han" if han else "words", len(context.view.words))
    specials = len(context.view.typed)
    if not specials:
        return words
    return context.t("counts.and_specials", words=words, specials=context.counted("specials", specials))


def lead_key(context: StageContext, unit: Unit) -> str:
    if context.veiled_units:
        return "lead_open"
    if not context.view.words:
        return "lead_specials" if context.view.typed else "lead_empty"
    if not context.tokenizer.cuts_words:
        return "lead_character_unknown" if unit.unknown else "lead_characters"
    if unit.unknown:
        return f"lead_{unit.unknown}"
    if unit.pieces > 1 and context.tokenizer.merges_bytes and not unit.merges:
        return "lead_apart"
    if unit.pieces > 1:
        return "lead"
    return "lead_whole_one" if len(context.view.words) == 1 and not context.tokenizer.merges_bytes else "lead_whole"


# ---- what to notice


def notices(context: StageContext) -> list[str]:
    units = enumerate(context.view.units)
    words = [unit for i, unit in units if i not in context.veil and unit.kind == "word" and unit.kept]
    if context.tokenizer.merges_bytes:
        said = [*merges_said(context, words), *why(context, words)]
    elif not context.tokenizer.cuts_words:
        said = characters_said(context, words)
    else:
        said = [*[*spelling(context, words), *typing(context, words)][:2], *why(context, words), *around(context)]
    return [*said, *context.t.if_said("differs")]


def spelling(context: StageContext, words: list[Unit]) -> list[str]:
    """The longest piece wins; and what [UNK] does not mean."""
    t, said = context.t, []
    cut = max((word for word in words if word.pieces > 1), key=lambda word: word.lookups[0].rejected, default=None)
    unknown = next((word for word in words if word.unknown), None)
    if cut:
        first = cut.lookups[0]
        key = "notice.longest_one" if first.rejected == 1 else "notice.longest"
        said.append(t.html(key, word=shown(cut.text), piece=shown(cut.tokens[0].text), rejected=first.rejected))
    elif words and not unknown and not context.veiled_units:
        facts = {"words": context.counted("words", len(words)).strip(), "size": f"{len(context.tokenizer):,}"}
        key = "notice.whole_one" if len(words) == 1 else "notice.whole"
        said.append(t.html(key, **facts))
    if unknown:
        key = f"notice.{unknown.unknown}"
        said.append(t.html(key, word=shown(unknown.text), example=unfolded(context), limit=LONGEST_WORD))
    return said


def why(context: StageContext, words: list[Unit]) -> list[str]:
    """What pieces are for, on a text that needs them, all of which can be spelt, and which is shorter by them."""
    characters, tokens = sum(word.end - word.start for word in words), sum(word.pieces for word in words)
    cut, view = any(word.pieces > 1 for word in words), context.view
    partly = context.veiled_units or view.typed or view.truncated or any(word.unknown for word in words)
    if partly or not cut or tokens >= characters:
        return []
    facts = {"characters": characters, "tokens": tokens, "size": f"{len(context.tokenizer):,}"}
    return [context.t.html("notice.why", **facts)]


def unfolded(context: StageContext) -> str:
    return " ".join(token.text for token in context.tokenizer.trace(UNFOLDED).tokens[1:-1])


def typing(context: StageContext, words: list[Unit]) -> list[str]:
    """What of the typed text the model cannot see: capitals, accents, whitespace."""
    t, said = context.t, []
    for name, key in (("lowercase", "uncased"), ("accents", "accents")):
        changed = set(context.view.row_of[name].changed)
        word = next((word for word in words if changed.intersection(range(word.start, word.end))), None)
        if word:
            typed = context.page.text[word.start : word.end]
            became = typed.lower() if name == "lowercase" else word.text  # accents are another step
            said.append(t.html(f"notice.{key}", typed=shown(typed), word=shown(became)))
    if after := after_space(words):
        spaces = context.view.spaces
        key = "notice.spaces_one" if spaces == 1 else "notice.spaces"
        if [word.text for word in words].count(after.text) > 1:  # it starts at several
            key += "_again"
        said.append(t.html(key, spaces=spaces, word=shown(after.text), start=after.start))
    return said


def after_space(words: list[Unit]) -> Unit | None:
    """A word that follows whitespace: one that stands there once, if there is any."""
    after = [word for word in words if word.cut == "whitespace"]
    texts = [word.text for word in words]
    return next((word for word in after if texts.count(word.text) == 1), after[0] if after else None)


def characters_said(context: StageContext, words: list[Unit]) -> list[str]:
    """Where every character is a token: what one is, what nobody sees, what [UNK] means."""
    t, tokenizer = context.t, context.tokenizer
    own = [piece for piece in tokenizer.pieces if tokenizer.id_of(piece) is not None]
    specials = len(tokenizer.specials)
    counts = {"known": len(own) - specials, "words": len(tokenizer) - len(own), "specials": specials}
    said = [t.html("notice.characters", size=f"{len(tokenizer):,}", **counts)]
    if unknown := [word for word in words if word.unknown]:
        key = "notice.character_unknown_one" if len(unknown) == 1 else "notice.character_unknown"
        said.append(t.html(key, word=shown(unknown[0].text), count=len(unknown)))
    said += [mark_said(context, at) for at in context.view.row_of["punctuation"].changed[:1]]
    if after := after_space(words):
        said.append(t.html("notice.spaces_gone", word=shown(after.text)))
    return said


def merges_said(context: StageContext, words: list[Unit]) -> list[str]:
    """Where bytes are merged: the rule on one word, whose the spaces are, what capitals and other scripts become."""
    t, tokenizer, said = context.t, context.tokenizer, []
    assert isinstance(tokenizer, BytePairs)
    if merged := max((word for word in words if word.merges), key=lambda word: len(word.merges), default=None):
        first = merged.merges[0]
        count = len(merged.letters) - len(merged.tokens)  # each merge leaves one piece fewer
        facts = {"left": first.left, "right": first.right, "rank": f"{first.rank + 1:,}", "count": count}
        key = "notice.merges" if first.chances > 1 else "notice.merges_only"
        said.append(t.html(key, word=shown(merged.text), pieces=spelt(merged.tokens), **facts))
    spaced = (word.text[1:] for word in words if word.text[0] == "␣" and word.pieces == SPELT_WHOLE)
    if bare := next((word for word in spaced if len(tokenizer.encode(word)) == SPELT_WHOLE), None):
        id, other = (tokenizer.encode(text)[0].id for text in (f" {bare}", bare))
        said.append(t.html("notice.space", word=shown(f"␣{bare}"), bare=shown(bare), id=id, other=str(other)))
    wide = next((i for i, character in enumerate(context.page.text) if not character.isascii()), None)
    if wide is not None:
        character = context.page.text[wide]
        bytes = " ".join(f"{byte:02X}" for byte in character.encode(errors="surrogatepass"))
        tokens = sum(token.start <= wide < token.end for token in context.page.trace.tokens)
        said.append(t.html("notice.bytes", character=character, bytes=bytes, count=len(bytes.split()), tokens=tokens))
    said.append(t.html("notice.vocabulary", size=f"{len(tokenizer):,}", merges=f"{tokenizer.count_of_merges:,}"))
    return said


def mark_said(context: StageContext, at: int) -> str:
    """What became of a mark typed on an English keyboard, and whether the vocabulary has that."""
    meant = context.view.row_of["punctuation"].cells[at] or ""
    own = [mark for mark in MARKS.values() if context.tokenizer.id_of(mark) is not None]
    key = "notice.marks" if meant in own else "notice.marks_unknown"
    return context.t.html(key, typed=context.page.text[at], meant=meant, known=" ".join(dict.fromkeys(own)))


def around(context: StageContext) -> list[str]:
    """Special tokens, and the direction of the script."""
    t, tokenizer, said = context.t, context.tokenizer, []
    assert isinstance(tokenizer, WordPiece)
    if context.view.typed:
        typed = context.view.typed[0]
        key = "notice.mask" if typed.text == "[MASK]" else "notice.typed"
        said.append(t.html(key, special=typed.text, id=typed.tokens[0].id))
    said.append(t.html("notice.specials", specials=context.special_ids(), unused=reserved(tokenizer)))
    if leftward(context.page.text):
        said.append(t.html("notice.rtl"))
    return said


# ---- the thing to try


def attempt(context: StageContext) -> tuple[str, dict[str, str]] | None:
    if not context.examples:
        return None
    text = next_example(context)
    return context.t("notice.try", text=text), {"text": text}


def next_example(context: StageContext) -> str:
    """The example that shows what this text does not: a word in pieces, [UNK], a special token that was typed."""
    view, examples = context.view, context.examples
    if not context.tokenizer.cuts_words:
        return next(example for example in examples if example != context.page.text)
    if not any(word.pieces > 1 for word in view.words):
        return examples[0]
    if context.tokenizer.merges_bytes:
        return next((example for example in examples[1:] if example != context.page.text), examples[0])
    if not any(word.unknown for word in view.words):
        return "snow☃man"
    return examples[-1] if not view.typed else examples[1]
