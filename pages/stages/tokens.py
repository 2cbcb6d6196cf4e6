"""Tokens: every step from the characters typed to the ids the model reads, and one word walked piece by piece."""

import csv
import html
import io
import unicodedata

import streamlit as st

from core.questions.tokens import pieces_of_word
from core.text import characters, normalization, splitting
from core.text.characters import Characters
from core.text.whole import Whole
from core.text.wordpiece import LONGEST_WORD, WordPiece
from core.views.tokens import Lookup, TokensView, Unit, reserved, tokens_view
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.open_it import OPEN, Opened, open_it
from pages.shared.page import Strip, current
from pages.shared.state import whole

UNFOLDED = "tokenization"  # not in the vocabulary, and spelt all the same
EXAMPLES = {
    "minilm": ("unaffable", "electroencephalography", "naïve café", "snow☃man", "I [MASK] you."),
    "translator": ("小明昨天晚上吃了一碗螺蛳粉", "我 昨天 在北京,买了三本书!", "你昨天买书了吗?"),
}
CODE = {
    "minilm": (
        WordPiece._longest_match,
        WordPiece._walk,
        splitting.split,
        normalization.clean,
        normalization.separate_cjk,
        normalization.strip_accents,
        normalization.lowercase,
    ),
    "translator": (Characters.split, Whole._words, Whole._token, characters.normalize, normalization.clean),
}
CLIPPED = 28  # characters of a word in running text

page = current()
tokenizer = page.model.tokenizer
view: TokensView = cached.remember(
    ("tokens", page.address.model, page.text), lambda: tokens_view(page.trace, tokenizer.steps)
)
examples = EXAMPLES[page.address.model]
units, last = view.units, len(view.units) - 1
question = pieces_of_word(view)
veiled = ask.is_open(page, question)
VEIL = view.same(question.row) if veiled and question else ()
TABLE = {
    "word": whole(0, last, view.opening(without=VEIL)),
    "step": whole(1, max(1, *(len(unit.lookups) for i, unit in enumerate(units) if i not in VEIL)), 1),
    **OPEN,
}
page.read(TABLE)
VALUES = [i for i, unit in enumerate(units) for _ in range(unit.kept)]  # for each token, its unit
page.strip = Strip(first="word", click="word", values=VALUES, whole={i: units[i].text for i in VEIL})


def counted(name: str, n: int) -> str:
    return page.t(f"counts.{name}_one" if n == 1 else f"counts.{name}", n=n)


def clip(text: str, most: int = CLIPPED) -> str:
    """A word in running text: not too long, and where it runs from right to left, the sentence around it does not."""
    text = text if len(text) <= most else text[: most - 1] + "…"
    return f"\u2068{text}\u2069" if leftward(text) else text


def leftward(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def spelt(pieces: list[str]) -> str:
    return clip(" ".join(pieces), 3 * CLIPPED)


def texts(unit: Unit) -> list[str]:
    return [token.text for token in unit.tokens]


def special_ids() -> str:
    """The special tokens with their ids, as the vocabulary has them."""
    return " · ".join(f"{special} {tokenizer.id_of(special)}" for special in tokenizer.specials)


# ---- the picture


def picture() -> dict:
    """What the ruler draws; the pieces of a veiled word are not in it."""
    t = page.t
    return {
        "text": page.text,
        "rows": [
            {
                "label": t(f"rows.{row.name}"),
                "hint": hint(row.name),
                "changes": [(i, row.cells[i]) for i in told(row.name)],
            }
            for row in view.rows
        ],
        "units": [(unit.kind, unit.start, unit.end, unit.text[:120], unit.cut) for unit in units],
        "pieces": [
            (i, step, token.start, token.end, token.text, token.id, step <= unit.kept)
            for i, unit in enumerate(units)
            if i not in VEIL
            for step, token in enumerate(unit.tokens, 1)
        ],
        "veiled": list(VEIL),
        "words": {
            **{name: t(f"ruler.{name}") for name in ("label", "offsets", "added", "veiled", "say")},
            **{name: t(f"rows.{name}") for name in ("words", "pieces", "ids")},
            **{f"{name}Hint": hint(name) for name in ("words", "pieces", "ids")},
            "legend": [(kind, t(f"legend.{kind}")) for kind in legend()],
        },
    }


def hint(name: str) -> str:
    """What a row is; where every character is a token, some are something else."""
    own = f"hints_characters.{name}"
    return page.t(own if page.writes and own in page.t else f"hints.{name}")


def told(name: str) -> list[int]:
    """The columns a row must be told: what its step changed, and in the first step what it does not touch."""
    row = view.row_of[name]
    if name != "clean":
        return list(row.changed)
    literal = [i for unit in view.typed for i in range(unit.start, unit.end)]
    return sorted({*row.changed, *literal})


def legend() -> list[str]:
    """Only the marks that this picture has."""
    cuts = {unit.cut for unit in units}
    cells = [row.cells[i] for row in view.rows for i in row.changed]
    marks = {
        "changed": any(cells),
        "gone": "" in cells,
        "blank": view.spaces > 0,
        "punctuation": "punctuation" in cuts,
        "cjk": "cjk" in cuts,
        "special": True,
        "veil": bool(VEIL),
    }
    return [kind for kind, there in marks.items() if there]


def controls() -> dict:
    t = page.t
    return {
        "controls": [
            {
                "name": "word",
                "label": t("word"),
                "options": [(i, clip(unit.text, 16)) for i, unit in enumerate(units)],
                "stepper": "always",
                "plain": True,
            },
            {
                "name": "step",
                "label": t("step"),
                "by": "word",
                "counts": [1 if i in VEIL else max(1, len(unit.lookups)) for i, unit in enumerate(units)],
            },
        ]
    }


# ---- the word being followed


def walk(now: dict) -> dict:
    """The walk through one unit, every stop of it, in the visitor's language; nothing of a veiled one."""
    index = now["word"]
    t, unit = page.t, units[index]
    hidden = index in VEIL
    where = t("walk.where_added") if unit.kind == "added" else t("walk.where", start=unit.start, end=unit.end)
    stops = [] if hidden else [stop(unit, lookup) for lookup in unit.lookups]
    joined = "".join(text.removeprefix("##") if i else text for i, text in enumerate(texts(unit)))
    spelt_out = bool(stops) and len(stops) > 1 and joined == unit.text
    return {
        "unit": index,
        "title": t("walk.title"),
        "value": clip(unit.text, 22),
        "where": where,
        "intro": [t("walk.veiled")] if hidden else intro(unit),
        "text": unit.text if stops else None,
        "stops": stops,
        "check": t("walk.check", word=clip(unit.text)) if spelt_out else "",
        "words": {name: t(f"walk.{name}", count="{count}") for name in ("no", "none", "gap")},
    }


def intro(unit: Unit) -> list[str]:
    """Why it stands apart; and where there is nothing to walk, what became of it."""
    t, id = page.t, unit.tokens[0].id
    said = [t(f"cut.{unit.cut}")] if unit.cut else []
    if unit.kind != "word":
        reason = "typed" if unit.kind == "typed" else f"added_{unit.text.strip('[]').lower()}"
        said += [t(f"walk.{reason}", id=id), t("walk.specials", specials=special_ids())]
    if unit.unknown == "too_long":
        said.append(t("walk.too_long", length=len(unit.text), limit=LONGEST_WORD, id=id))
    if unit.kept < len(unit.tokens):
        said.append(t("walk.cutoff", limit=page.model.config.positions, cut=len(unit.tokens) - unit.kept))
    return said


def stop(unit: Unit, lookup: Lookup) -> dict:
    """One place of the walk: what was tried there, and what came of it."""
    return {
        "start": lookup.start,
        "end": lookup.end,
        "id": lookup.id,
        "tried": lookup.tried,
        "reason": reason(unit, lookup),
    }


def reason(unit: Unit, lookup: Lookup) -> str:
    t, start, end = page.t, lookup.start, lookup.end
    if end is None:
        found = " ".join(piece(unit, found) for found in unit.lookups if found.end is not None)
        shortest = clip(("##" if start else "") + unit.text[start])
        id = unit.tokens[0].id
        key = ("walk.failed_after" if found else "walk.failed") + ("_one" if lookup.tried == 1 else "")
        return t(key, start=start, piece=shortest, tried=lookup.tried, found=found, id=id)
    if lookup.rejected:
        key = "walk.found_one" if lookup.rejected == 1 else "walk.found"
    else:
        key = "walk.found_at_once" if start else "walk.whole"
    return t(key, start=start, rejected=lookup.rejected, piece=piece(unit, lookup), id=lookup.id)


def piece(unit: Unit, lookup: Lookup) -> str:
    return clip(("##" if lookup.start else "") + unit.text[lookup.start : lookup.end])


# ---- the words


def lead() -> None:
    unit = units[view.opening()]
    counts = {
        "characters": counted("characters", len(page.text)),
        "words": cut_into(),
        "tokens": counted("tokens", view.kept + view.truncated),
        "total": counted("tokens", view.total + view.truncated),
        "around": page.t(page.own("around")),
    }
    page.title(lead_key(unit), word=clip(unit.text), limit=LONGEST_WORD, pieces=spelt(texts(unit)), **counts)


def cut_into() -> str:
    words, specials = counted("words", len(view.words)), len(view.typed)
    return page.t("counts.and_specials", words=words, specials=counted("specials", specials)) if specials else words


def lead_key(unit: Unit) -> str:
    if veiled:
        return "lead_open"
    if not view.words:
        return "lead_specials" if view.typed else "lead_empty"
    if page.writes:
        return "lead_character_unknown" if unit.unknown else "lead_characters"
    if unit.unknown:
        return f"lead_{unit.unknown}"
    return "lead" if unit.pieces > 1 else "lead_whole"


def notices() -> tuple[list[str], tuple]:
    """Sentences about this text; nothing about a veiled word."""
    words = [units[i] for i in range(len(units)) if i not in VEIL and units[i].kind == "word" and units[i].kept]
    said = characters_said(words) if page.writes else [*[*spelling(words), *typing(words)][:3], *around()]
    said.append(page.t.html(page.own("differs")))
    return said, (page.t("notice.try", text=next_example()), {"text": next_example()})


def spelling(words: list[Unit]) -> list[str]:
    """The longest piece wins; and what [UNK] does not mean."""
    t, said = page.t, []
    cut = max((word for word in words if word.pieces > 1), key=lambda word: word.lookups[0].rejected, default=None)
    unknown = next((word for word in words if word.unknown), None)
    if cut:
        first = cut.lookups[0]
        key = "notice.longest_one" if first.rejected == 1 else "notice.longest"
        said.append(t.html(key, word=clip(cut.text), piece=clip(cut.tokens[0].text), rejected=first.rejected))
    elif words and not unknown and not VEIL:
        said.append(t.html("notice.whole", words=counted("words", len(words)).strip(), size=f"{len(tokenizer):,}"))
    if unknown:
        example = " ".join(token.text for token in tokenizer.trace(UNFOLDED).tokens[1:-1])
        key = f"notice.{unknown.unknown}"
        said.append(t.html(key, word=clip(unknown.text), example=example, limit=LONGEST_WORD))
    return said


def typing(words: list[Unit]) -> list[str]:
    """What of the typed text the model cannot see: capitals, accents, whitespace."""
    t, said = page.t, []
    for name, key in (("lowercase", "uncased"), ("accents", "accents")):
        changed = set(view.row_of[name].changed)
        word = next((word for word in words if changed.intersection(range(word.start, word.end))), None)
        if word:
            said.append(t.html(f"notice.{key}", typed=clip(page.text[word.start : word.end]), word=clip(word.text)))
    after = next((word for word in words if word.cut == "whitespace"), None)
    if after:
        key = "notice.spaces_one" if view.spaces == 1 else "notice.spaces"
        said.append(t.html(key, spaces=view.spaces, word=clip(after.text), start=after.start))
    return said


def characters_said(words: list[Unit]) -> list[str]:
    """Where every character is a token: what one is, what nobody sees, what [UNK] means."""
    t, own = page.t, [piece for piece in tokenizer.pieces if tokenizer.id_of(piece) is not None]
    specials = len(tokenizer.specials)
    counts = {"known": len(own) - specials, "words": len(tokenizer) - len(own), "specials": specials}
    said = [t.html("notice.characters", size=len(tokenizer), **counts)]
    if unknown := [word for word in words if word.unknown]:
        said.append(t.html("notice.character_unknown", word=clip(unknown[0].text), count=len(unknown)))
    if changed := view.row_of["punctuation"].changed:
        typed, meant = page.text[changed[0]], view.row_of["punctuation"].cells[changed[0]]
        said.append(t.html("notice.marks", typed=typed, meant=meant or ""))
    after = next((word for word in words if word.cut == "whitespace"), None)
    if after:
        said.append(t.html("notice.spaces_gone", word=clip(after.text)))
    return said


def around() -> list[str]:
    """Special tokens, and the direction of the script."""
    assert isinstance(tokenizer, WordPiece)
    t, said = page.t, []
    if view.typed:
        typed = view.typed[0]
        said.append(t.html("notice.typed", special=typed.text, id=typed.tokens[0].id))
    said.append(t.html("notice.specials", specials=special_ids(), unused=reserved(tokenizer)))
    if leftward(page.text):
        said.append(t.html("notice.rtl"))
    return said


def next_example() -> str:
    """The example that shows what this text does not: a word in pieces, [UNK], a special token that was typed."""
    if page.writes:
        return next(example for example in examples if example != page.text)
    if not any(word.pieces > 1 for word in view.words):
        return examples[0]
    if not any(word.unknown for word in view.words):
        return "snow☃man"
    return examples[-1] if not view.typed else examples[1]


# ---- the table, and what "open it" shows

COLUMNS = ("piece", "id", "start", "end", "word", "special")


def table() -> list[tuple[object, ...]]:
    """A row for each token that the model reads; a veiled word is one row that says where it stands."""
    rows: list[tuple[object, ...]] = []
    for i, unit in enumerate(units):
        if i in VEIL:
            rows.append(("", "", unit.start, unit.end, unit.text, ""))
            continue
        word, special = (unit.text, "") if unit.kind == "word" else ("", unit.kind)
        rows += [(token.text, token.id, token.start, token.end, word, special) for token in unit.tokens[: unit.kept]]
    return rows


def table_html() -> str:
    head = "".join(f"<th>{page.t.html(f'columns.{name}')}</th>" for name in COLUMNS)
    body = "".join(f"<tr>{row_html(row)}</tr>" for row in table())
    grid = f"<table class='shapes'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div class='tokens'>{grid}</div>"


def row_html(row: tuple[object, ...]) -> str:
    text, *numbers, word, special = row
    kind = page.t(f"kinds.{special}") if special else ""
    cells = (text or page.t("veiled"), *numbers, clip(str(word)), kind)
    return "".join(f"<td><bdi>{html.escape(str(cell))}</bdi></td>" for cell in cells)


def table_csv() -> str:
    file = io.StringIO()
    csv.writer(file).writerows([COLUMNS, *table()])
    return file.getvalue()


def opened() -> Opened:
    unit = units[int(state.Address().read(TABLE)["word"])]
    normalized = sum(len(cell or "") for cell in view.rows[-1].cells)
    lists = [
        ("text", "character", len(page.text)),
        ("normalized", "character", normalized),
        ("words", "word", len(view.words)),
        ("vocabulary", "vocab", len(tokenizer)),
    ]
    if not VEIL:
        lists += [
            ("tokens", "token", view.total),
            ("ids", "token", view.total),
            ("attention_mask", "token", view.total),
        ]
    return Opened(
        formula=formula(unit, hidden=units.index(unit) in VEIL),
        code=CODE[page.address.model],
        shapes=[(name, (dim,), (size,)) for name, dim, size in lists],
        compare=lambda: (page.t("compared_what"), compare.token_differences(page.address.model, page.text)),
        compared=page.own("compared"),
        table=table_csv,
        table_name="tokens.csv",
        captured=not VEIL,
    )


def formula(unit: Unit, hidden: bool) -> str:
    """The rule, and under it each stop of the selected word with its numbers."""
    rule = r"s_1 = 0, \quad s_{k+1} = \max\{\, e > s_k : " + candidate("s_k", marked=False) + r" \in V \,\}"
    if page.writes:
        return character_formula(unit)
    if hidden or not unit.lookups:
        return rule
    lines = [stop_formula(unit, k, lookup) for k, lookup in enumerate(unit.lookups[:8], 2)]
    return r"\begin{aligned} & " + r" \\ & ".join([rule, *lines]) + r" \end{aligned}"


def character_formula(unit: Unit) -> str:
    """The rule where a character is a token, and the number of the selected one."""
    rule = r"\mathrm{id}(c) = V[c] \ \text{if}\ c \in V, \quad \text{else}\ V[\texttt{[UNK]}]"
    return rf"\begin{{aligned}} & {rule} \\ & = {unit.tokens[0].id} \end{{aligned}}"


def candidate(start: object, marked: bool) -> str:
    """A stretch of the word as the vocabulary would write it."""
    return (r"\texttt{\#\#}" if marked else "") + rf"w[{start}{{:}}e]"


def stop_formula(unit: Unit, k: int, lookup: Lookup) -> str:
    start = lookup.start
    left = rf"s_{{{k}}} = \max\{{\, e > {start} : {candidate(start, marked=start > 0)} \in V \,\}}"
    if lookup.end is None:
        return left + r" = \max \emptyset"
    text = unit.text[start : lookup.end]
    plain = text.isascii() and text.isalnum()
    marks = r"\#\#" if start else ""
    named = rf"\texttt{{{marks}{text}}}" if plain else ""
    return left + rf" = {lookup.end} \quad {named} \to {lookup.id}"


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=dict.fromkeys(("word", "step")))
with st.container(key="top", horizontal=True, vertical_alignment="center", gap="small"):
    components.controls(key="controls", data=controls())
    st.html(f"<span class='soft'>{page.t.html('examples')}</span>", width="content")
    for i, example in enumerate(examples):
        st.button(ask.plain(example), key=f"example_{i}", type="tertiary", on_click=state.change_text, args=(example,))
left, right = st.columns([1.9, 1], gap="medium")
with left:
    components.ruler(key="ruler", data=picture())
with right:
    follow.follow(page, TABLE, walk, components.walk, key="walk")
page.notice(*notices())
st.html(f"<h2 class='part'>{page.t.html('table_title')}</h2>{table_html()}")
open_it(page, opened)
page.next_stop()
