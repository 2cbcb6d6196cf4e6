"""Open it: the rule with the selected word's numbers, the code of every step, the lists and their lengths."""

from core.text import byte_pairs, characters, normalization, splitting
from core.text.byte_pairs import BytePairs
from core.text.characters import Characters
from core.text.whole import Whole
from core.text.wordpiece import WordPiece
from core.views.tokens import Lookup, Unit
from pages.shared.page import compare
from pages.shared.page.opened import Opened
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.repeat import repeat
from pages.stages.tokens.table import as_csv

CODE = {  # by what is done to words
    "merged": (BytePairs._word, BytePairs.merges, byte_pairs.words_of, byte_pairs.signs),
    "cut": (
        WordPiece._longest_match,
        WordPiece._walk,
        splitting.split,
        normalization.clean,
        normalization.separate_cjk,
        normalization.strip_accents,
        normalization.lowercase,
    ),
    "whole": (Characters.split, Whole._words, Whole._token, characters.normalize, normalization.clean),
}
STOPS = 8  # of a walk in the formula


def opened(context: StageContext) -> Opened:
    page, way = context.page, way_of(context)
    return Opened(
        formula=formula(context),
        code=CODE["cut"][:2] if context.aside and way == "whole" else CODE[way],
        shapes=shapes(context),
        compare=lambda: (page.t("compared_what"), compare.token_differences(page.address.model, page.text)),
        compared="compared",
        table=lambda: as_csv(context),
        table_name="tokens.csv",
        captured=not context.veiled_units,
        repeat=repeat,
    )


def way_of(context: StageContext) -> str:
    """What the tokenizer does to words."""
    return "merged" if context.tokenizer.merges_bytes else "cut" if context.tokenizer.cuts_words else "whole"


def shapes(context: StageContext) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Each list on the way and its length; none that counts the pieces of a veiled word."""
    view = context.view
    lists = [
        ("text", "character", len(context.page.text)),
        ("normalized", "character", sum(len(cell or "") for cell in view.rows[-1].cells)),
        ("words", "word", len(view.words)),
        ("vocabulary", "vocab", len(context.tokenizer)),
    ]
    if not context.veiled_units:
        lists += [(name, "token", view.total) for name in ("tokens", "ids", "attention_mask")]
    return [(name, (dim,), (size,)) for name, dim, size in lists]


def formula(context: StageContext) -> str:
    """The rule, and under it each stop of the selected word with its numbers."""
    unit = context.unit
    if not context.tokenizer.cuts_words and not context.aside:
        return character_formula(unit)
    if context.tokenizer.merges_bytes:
        return merging_formula(context)
    rule = r"s_1 = 0, \quad s_{k+1} = \max\{\, e > s_k : " + candidate("s_k", marked=False) + r" \in V \,\}"
    if context.hidden or not unit.lookups:
        return rule
    lines = [stop_formula(unit, k, lookup) for k, lookup in enumerate(unit.lookups[:STOPS], 2)]
    return r"\begin{aligned} & " + r" \\ & ".join([rule, *lines]) + r" \end{aligned}"


def merging_formula(context: StageContext) -> str:
    """The rule, and under it the ranks of the selected word's merges."""
    rule = r"(a, b) = \arg\min_{(p_i, p_{i+1})} \mathrm{rank}(p_i, p_{i+1}), \quad a, b \to ab"
    if context.hidden or not context.unit.merges:
        return rule
    ranks = [str(merge.rank + 1) for merge in context.unit.merges[:STOPS]]
    return rf"\begin{{aligned}} & {rule} \\ & \mathrm{{rank}} = {', '.join(ranks)} \end{{aligned}}"


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
