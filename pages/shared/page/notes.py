"""What was repaired, refused or cut: a sentence each, below the lead. That a page shows a sentence of its own stands
beside its title, where there is room: no picture begins lower for it."""

import streamlit as st

from core.text.wordpiece import LONGEST_WORD
from pages.shared.address import visit
from pages.shared.address.address import Repair
from pages.shared.page.sentence_box import clipped
from pages.shared.page.stage import PageContext, StageContext
from pages.shared.server import cached

UNKNOWN = "[UNK]"
OWN = ("reads_own", "reads_chinese")


def draw(context: StageContext) -> None:
    page = context.page
    repairs = [repair for repair in page.address.repairs if repair.code not in OWN]
    if refused := visit.refused():
        repairs.append(refused)
    if page.stage.shown is None:
        repairs += of_the_text(page)
    with st.container(key="notes", gap=None):
        st.html(paragraphs(page, repairs, "note") or "<p class='none'></p>")


def own(page: PageContext) -> str:
    """That it is a sentence of the page's own, where it is, as HTML."""
    return paragraphs(page, [repair for repair in page.address.repairs if repair.code in OWN], "own")


def paragraphs(page: PageContext, repairs: list[Repair], kind: str) -> str:
    said = (page.t.html(f"notes.{repair.code}", **repair.values) for repair in repairs)
    return "".join(f"<p class='{kind}'>{sentence}</p>" for sentence in said)


def of_the_text(page: PageContext) -> list[Repair]:
    """What the model cannot read of the sentence, or write."""
    repairs = []
    trace = page.trace
    if not page.text.strip():
        typed = any(token.end > token.start for token in trace.tokens)
        key, name = ("text_blank", "tokens") if typed else ("text_empty", "specials")
        repairs.append(Repair(key, {name: " ".join(page.tokens)}))
    elif page.translates and not any(map(str.isalnum, page.text)):
        repairs.append(Repair("no_words"))
    repairs += of_the_tokens(page)
    if trace.truncated:
        repairs.append(tokens_cut(page))
    repairs += of_what_is_unknown(page)
    if page.translates and page.translation.cut:
        repairs.append(Repair("translation_cut", {"limit": page.model.config.target_positions - 1}))
    return repairs


def of_what_is_unknown(page: PageContext) -> list[Repair]:
    """What the vocabulary cannot spell, and what WordPiece does not look up, for it is too long."""
    unknown = cached.draft(page.address.model, page.text)[1]
    too_long = [word for word in unknown if page.model.tokenizer.cuts_words and len(word) > LONGEST_WORD]
    rest = [word for word in unknown if word not in too_long]
    kinds = {"unknown_bytes" if page.model.tokenizer.merges_bytes else "unknown": rest, "unknown_long": too_long}
    facts = {"model": page.model_name, "limit": LONGEST_WORD}
    return [Repair(key, {**facts, "characters": " ".join(clipped(words))}) for key, words in kinds.items() if words]


def of_the_tokens(page: PageContext) -> list[Repair]:
    """Why every picture of this sentence looks the way it does: there is nothing to compare, or all words are one."""
    if len(page.tokens) == 1:
        return [Repair("one_token", {"token": page.tokens[0]})]
    written = [token.text for token in page.trace.tokens if token.end > token.start]
    if len(written) > 1 and set(written) == {UNKNOWN}:
        return [Repair("all_unknown", {"count": len(written)})]
    return []


def tokens_cut(page: PageContext) -> Repair:
    """Where the model's positions end, and how much of the text lies beyond."""
    trace = page.trace
    at = trace.cuts[0].offset or 0
    rest = page.text[at:] if len(page.text) <= at + 16 else f"{page.text[at : at + 16]}…"
    facts = {
        "model": page.model_name,
        "limit": page.model.config.positions,
        "cut": trace.truncated,
        "at": at,
        "rest": rest,
    }
    return Repair("tokens_cut", facts)
