"""The sentences: what the lead says, what to notice, the thing to try. Nothing about a veiled word."""

from core.text.byte_pairs import BytePairs
from core.text.characters import MARKS
from core.text.wordpiece import LONGEST_WORD, WordPiece
from core.views.tokens import SPELT_WHOLE, Unit, reserved
from pages.stages.tokens.look import Look, leftward, shown, spelt

UNFOLDED = "tokenization"  # not in the vocabulary, and spelt all the same


def lead(look: Look) -> tuple[str, dict[str, object]]:
    page, view = look.page, look.view
    unit = view.units[view.opening()]
    names = {
        "word": shown(unit.text),
        "limit": LONGEST_WORD,
        "pieces": spelt(unit.tokens),
        "characters": look.counted("characters", len(page.text)),
        "each": each(look),
        "words": cut_into(look),
        "tokens": look.counted("tokens", view.kept + view.truncated),
        "total": look.counted("tokens", view.total + view.truncated),
        "around": beside(look),
        "marks": look.t("marks") if len(unit.tokens) > 1 else "",
        "beside": view.beside.text if view.beside else "",
    }
    return lead_key(look, unit), names


def beside(look: Look) -> str:
    """Which tokens the model adds."""
    first, last = ("".join(tokens) for tokens in (look.tokenizer.front, look.tokenizer.back))
    where = "both" if first and last else "first" if first else "last" if last else "none"
    return look.t(f"around_{where}", first=first, last=last)


def each(look: Look) -> str:
    """Where every character is a token: all of them, or all that were not dropped."""
    gone = len(look.page.text) - len(look.view.words)
    return look.counted("each_left", gone) if gone else look.t("counts.each")


def cut_into(look: Look) -> str:
    words, specials = look.counted("words", len(look.view.words)), len(look.view.typed)
    if not specials:
        return words
    return look.t("counts.and_specials", words=words, specials=look.counted("specials", specials))


def lead_key(look: Look, unit: Unit) -> str:
    if look.veiled_units:
        return "lead_open"
    if not look.view.words:
        return "lead_specials" if look.view.typed else "lead_empty"
    if not look.tokenizer.cuts_words:
        return "lead_character_unknown" if unit.unknown else "lead_characters"
    if unit.unknown:
        return f"lead_{unit.unknown}"
    return "lead" if unit.pieces > 1 else "lead_whole"


# ---- what to notice


def notices(look: Look) -> list[str]:
    units = enumerate(look.view.units)
    words = [unit for i, unit in units if i not in look.veil and unit.kind == "word" and unit.kept]
    if look.tokenizer.merges_bytes:
        said = merges_said(look, words)
    elif not look.tokenizer.cuts_words:
        said = characters_said(look, words)
    else:
        vocabulary = look.t.html("notice.vocabulary", size=f"{len(look.tokenizer):,}")
        said = [*[*spelling(look, words), *typing(look, words)][:3], *around(look), vocabulary]
    return [*said, *look.t.if_said("differs")]


def spelling(look: Look, words: list[Unit]) -> list[str]:
    """The longest piece wins; and what [UNK] does not mean."""
    t, said = look.t, []
    cut = max((word for word in words if word.pieces > 1), key=lambda word: word.lookups[0].rejected, default=None)
    unknown = next((word for word in words if word.unknown), None)
    if cut:
        first = cut.lookups[0]
        key = "notice.longest_one" if first.rejected == 1 else "notice.longest"
        said.append(t.html(key, word=shown(cut.text), piece=shown(cut.tokens[0].text), rejected=first.rejected))
    elif words and not unknown and not look.veiled_units:
        facts = {"words": look.counted("words", len(words)).strip(), "size": f"{len(look.tokenizer):,}"}
        key = "notice.whole_one" if len(words) == 1 else "notice.whole"
        said.append(t.html(key, **facts))
    if unknown:
        key = f"notice.{unknown.unknown}"
        said.append(t.html(key, word=shown(unknown.text), example=unfolded(look), limit=LONGEST_WORD))
    return said


def unfolded(look: Look) -> str:
    return " ".join(token.text for token in look.tokenizer.trace(UNFOLDED).tokens[1:-1])


def typing(look: Look, words: list[Unit]) -> list[str]:
    """What of the typed text the model cannot see: capitals, accents, whitespace."""
    t, said = look.t, []
    for name, key in (("lowercase", "uncased"), ("accents", "accents")):
        changed = set(look.view.row_of[name].changed)
        word = next((word for word in words if changed.intersection(range(word.start, word.end))), None)
        if word:
            typed = look.page.text[word.start : word.end]
            said.append(t.html(f"notice.{key}", typed=shown(typed), word=shown(word.text)))
    if after := after_space(words):
        spaces = look.view.spaces
        key = "notice.spaces_one" if spaces == 1 else "notice.spaces"
        said.append(t.html(key, spaces=spaces, word=shown(after.text), start=after.start))
    return said


def after_space(words: list[Unit]) -> Unit | None:
    return next((word for word in words if word.cut == "whitespace"), None)


def characters_said(look: Look, words: list[Unit]) -> list[str]:
    """Where every character is a token: what one is, what nobody sees, what [UNK] means."""
    t, tokenizer = look.t, look.tokenizer
    own = [piece for piece in tokenizer.pieces if tokenizer.id_of(piece) is not None]
    specials = len(tokenizer.specials)
    counts = {"known": len(own) - specials, "words": len(tokenizer) - len(own), "specials": specials}
    said = [t.html("notice.characters", size=f"{len(tokenizer):,}", **counts)]
    if unknown := [word for word in words if word.unknown]:
        key = "notice.character_unknown_one" if len(unknown) == 1 else "notice.character_unknown"
        said.append(t.html(key, word=shown(unknown[0].text), count=len(unknown)))
    said += [mark_said(look, at) for at in look.view.row_of["punctuation"].changed[:1]]
    if after := after_space(words):
        said.append(t.html("notice.spaces_gone", word=shown(after.text)))
    return said


def merges_said(look: Look, words: list[Unit]) -> list[str]:
    """Where bytes are merged: the rule on one word, whose the spaces are, what capitals and other scripts become."""
    t, tokenizer, said = look.t, look.tokenizer, []
    assert isinstance(tokenizer, BytePairs)
    if merged := max((word for word in words if word.merges), key=lambda word: len(word.merges), default=None):
        first = merged.merges[0]
        facts = {"left": first.left, "right": first.right, "rank": f"{first.rank + 1:,}", "count": len(merged.merges)}
        said.append(t.html("notice.merges", word=shown(merged.text), pieces=spelt(merged.tokens), **facts))
    if spaced := next((word for word in words if word.text[0] == "␣" and word.pieces == SPELT_WHOLE), None):
        ids = [tokenizer.encode(text)[0].id for text in (f" {spaced.text[1:]}", spaced.text[1:])]
        if spaced.text[1:] and len(tokenizer.encode(spaced.text[1:])) == SPELT_WHOLE:
            said.append(
                t.html("notice.space", word=shown(spaced.text), bare=shown(spaced.text[1:]), id=ids[0], other=ids[1])
            )
    if wide := next((i for i, character in enumerate(look.page.text) if not character.isascii()), None):
        character = look.page.text[wide]
        bytes = " ".join(f"{byte:02X}" for byte in character.encode(errors="surrogatepass"))
        tokens = sum(token.start <= wide < token.end for token in look.page.trace.tokens)
        said.append(t.html("notice.bytes", character=character, bytes=bytes, count=len(bytes.split()), tokens=tokens))
    said.append(t.html("notice.vocabulary", size=f"{len(tokenizer):,}", merges=f"{tokenizer.count_of_merges:,}"))
    return said


def mark_said(look: Look, at: int) -> str:
    """What became of a mark typed on an English keyboard, and whether the vocabulary has that."""
    meant = look.view.row_of["punctuation"].cells[at] or ""
    own = [mark for mark in MARKS.values() if look.tokenizer.id_of(mark) is not None]
    key = "notice.marks" if meant in own else "notice.marks_unknown"
    return look.t.html(key, typed=look.page.text[at], meant=meant, known=" ".join(dict.fromkeys(own)))


def around(look: Look) -> list[str]:
    """Special tokens, and the direction of the script."""
    t, tokenizer, said = look.t, look.tokenizer, []
    assert isinstance(tokenizer, WordPiece)
    if look.view.typed:
        typed = look.view.typed[0]
        key = "notice.mask" if typed.text == "[MASK]" else "notice.typed"
        said.append(t.html(key, special=typed.text, id=typed.tokens[0].id))
    said.append(t.html("notice.specials", specials=look.special_ids(), unused=reserved(tokenizer)))
    if leftward(look.page.text):
        said.append(t.html("notice.rtl"))
    return said


# ---- the thing to try


def attempt(look: Look) -> tuple[str, dict[str, str]] | None:
    if not look.examples:
        return None
    text = next_example(look)
    return look.t("notice.try", text=text), {"text": text}


def next_example(look: Look) -> str:
    """The example that shows what this text does not: a word in pieces, [UNK], a special token that was typed."""
    view, examples = look.view, look.examples
    if not look.tokenizer.cuts_words:
        return next(example for example in examples if example != look.page.text)
    if not any(word.pieces > 1 for word in view.words):
        return examples[0]
    if look.tokenizer.merges_bytes:
        return next((example for example in examples[1:] if example != look.page.text), examples[0])
    if not any(word.unknown for word in view.words):
        return "snow☃man"
    return examples[-1] if not view.typed else examples[1]
