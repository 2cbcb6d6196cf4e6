"""The sentences: what the lead says, and what to notice of this very text."""

from collections.abc import Iterable

from core.numbers import power_of_ten
from core.text.unicode import is_cjk
from core.text.word_graph import Edge
from core.text.wordpiece import LONGEST_WORD
from core.views.segmentation import METHODS, Piece, SegmentationView
from core.zoo import able
from pages.shared.page.parts import Place, say
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.segmentation.context import CLIPPED, StageContext, begins_with
from pages.stages.segmentation.reading import reading
from pages.stages.segmentation.second_step import second_step


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: a text may be cut in another way without its page being drawn anew."""
    say(context, lead, said, lead_of(context), notices(context))


def joined(words: Iterable[str]) -> str:
    return clip(" / ".join(words), CLIPPED)


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    t, view = context.t, context.view
    best = view.paths[0]
    if not best.edges:
        return "lead_nothing", {}
    if all(edge.frequency == 0 and edge.text.isascii() for edge in best.edges):
        return "lead_joined", {"path": joined(word.text for word in view.words if any(map(str.isalnum, word.text)))}
    count, read = ways(view), reading(t, best.texts)
    key = "ways_one" if count == 1 else "ways" if context.mode == "accurate" else "ways_accurate"
    facts: dict[str, object] = {
        "path": joined(best.texts),
        "ways": t(key, n=f"{count:,}" if count < 10**6 else power(count)),
        "new": joined(dict.fromkeys(word.text for word in view.new)),
        "also": t("reads_as", reading=read) if read else "",
        "alone": t("alone") if any(edge.frequency == 0 and len(edge.text) == 1 for edge in on_a_way(view)) else "",
    }
    if not context.chinese:
        own = t("own_letters") if view.text == begins_with(context.page.address.own_text) else ""
        return "lead_english", {**{name: fact for name, fact in facts.items() if name != "new"}, "own": own}
    return "lead_hmm" if view.new else "lead", facts


def on_a_way(view: SegmentationView) -> list[Edge]:
    """The words of the graph that a way through it may use."""
    starts, ends = ({getattr(edge, end) for edge in view.edges} for end in ("start", "end"))
    reached, leading = {0}, {len(view.text)}
    for at in range(len(view.text)):  # where no word begins, as at a comma, the way goes on behind
        if at in reached:
            reached |= {edge.end for edge in view.edges if edge.start == at} if at in starts else {at + 1}
    for at in range(len(view.text), 0, -1):
        if at in leading:
            leading |= {edge.start for edge in view.edges if edge.end == at} if at in ends else {at - 1}
    return [edge for edge in view.edges if edge.start in reached and edge.end in leading]


def ways(view: SegmentationView) -> int:
    """How many ways there are through the graph."""
    count = {len(view.text): 1}
    starts: dict[int, list[int]] = {}
    for edge in view.edges:
        starts.setdefault(edge.start, []).append(edge.end)
    for at in range(len(view.text) - 1, -1, -1):
        count[at] = sum(count[end] for end in starts[at]) if at in starts else count[at + 1]
    return count[0]


def power(count: int) -> str:
    """A great number as people write it: 2.4 × 10⁸⁷."""
    exponent = len(str(count)) - 1
    return f"{count / 10**exponent:.1f} × {power_of_ten(exponent)}"


def notices(context: StageContext) -> list[str]:
    """Of the word most worth weighing, of what is not the path, and of what the path leaves out of account."""
    view, said = context.view, threshold_said(context)
    if context.mode != "accurate":
        key, facts = in_full(view) if context.mode == "full" else (context.mode, {})
        said.append(context.t.html(f"notice.{key}", **facts))
    key, facts = second_step(context)
    if context.chinese and context.mode != "full" and key in ("hmm", "hmm_listed", "hmm_off"):  # full mode has one step
        said.append(context.t.html(f"notice.{key}", **facts))
    return [*said, context.t.html("notice.counts")]


def in_full(view: SegmentationView) -> tuple[str, dict[str, str]]:
    """What full mode listed: every word of two characters or more; or what it joined besides; or neither."""
    if joined := made_up(view):
        return "full_joined", {"word": clip(joined, CLIPPED)}
    listed = {(word.start, word.end) for word in view.shown}
    long = [edge for edge in view.edges if edge.frequency and len(edge.text) > 1]
    return ("full" if all((edge.start, edge.end) in listed for edge in long) else "full_part"), {}


def made_up(view: SegmentationView) -> str:
    """The first piece of letters that full mode joined and no dictionary has; "" where there is none."""
    joined = (word.text for word in view.shown if word.kind == "joined")
    return next((text for text in joined if len(text) > 1 and not view.dictionary.frequency(text)), "")


def threshold_said(context: StageContext) -> list[str]:
    rival = context.rival
    at = context.threshold(rival) if rival else None
    if rival is None or context.mine.get(rival.text) == 0 or at is None or at <= rival.frequency:
        return []
    facts = {"word": rival.text, "frequency": f"{rival.frequency:,}", "threshold": f"{at:,}"}
    return [context.t.html("notice.threshold", **facts)]


def methods_said(context: StageContext) -> list[str]:
    """What letters, spaces, unknown words and bytes become in this text."""
    t, view, said = context.t, context.view, []
    if latin := next((word for word in view.words if word.kind == "joined"), None):
        said.append(t.html("notice.joined", word=clip(latin.text, CLIPPED), letters=" / ".join(clip(latin.text, 12))))
    if " " in context.text:
        said.append(t.html("notice.space", **spaces(context)))
    for name in ("wordpiece", "unigram"):
        if unknown := [piece for piece in view.methods[name] if piece.kind == "unknown"]:
            first = context.text[int(unknown[0].start) : int(unknown[0].end)]
            facts = {
                "count": len(unknown),
                "first": clip(first, 12),
                "known": known_characters(),
                "limit": LONGEST_WORD,
            }
            said.append(t.html(f"notice.unknown_{name}{why_unknown(first) if name == 'wordpiece' else ''}", **facts))
    if parted := next((c for c in (first_parted(context.text, piece) for piece in view.methods["bpe"]) if c), None):
        said.append(t.html("notice.bytes", character=parted, bytes=parted.encode().hex(" ").upper()))
    return said


def why_unknown(word: str) -> str:
    """What a word is to WordPiece that became [UNK]: longer than any it looks up, no Chinese, or a character."""
    if len(word) > LONGEST_WORD:
        return "_long"
    return "" if any(map(is_cjk, word)) else "_other"


@cached.shared
def known_characters() -> int:
    """How many Chinese characters MiniLM's vocabulary has."""
    return sum(len(piece) == 1 and is_cjk(piece) for piece in cached.model(able("cut words")).tokenizer.pieces)


def first_parted(text: str, piece: Piece) -> str | None:
    """The character that a byte-level token ends in the middle of."""
    return None if piece.end == int(piece.end) else text[int(piece.end)]


def spaces(context: StageContext) -> dict[str, str]:
    """What becomes of the first space: the piece it is in, or nothing."""
    at, methods = context.text.index(" "), context.view.methods
    holding = {name: next((p.text for p in methods[name] if p.start <= at < p.end), None) for name in METHODS}
    kept = [f"{context.method(name)} {clip(text.replace(' ', '␣'), 16)}" for name, text in holding.items() if text]
    lost = [context.method(name) for name, text in holding.items() if text is None]
    return {"kept": " · ".join(kept), "lost": " · ".join(lost)}
