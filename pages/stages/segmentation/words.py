"""The sentences: what the lead says, and what to notice of this very text."""

from collections.abc import Iterable, Sequence

from core.text.segmentation import Word
from core.text.unicode import is_cjk
from core.views.segmentation import METHODS, Piece, SegmentationView
from core.zoo import able
from pages.shared.page.parts import Place, say
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.segmentation.context import CLIPPED, StageContext
from pages.stages.segmentation.parts_of_speech import reading

MOST_STATES = 8  # characters whose states are told


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
    facts: dict[str, object] = {
        "path": joined(best.texts),
        "ways": t("ways_one") if count == 1 else t("ways", n=f"{count:,}" if count < 10**6 else power(count)),
        "new": joined(dict.fromkeys(word.text for word in view.new)),
        "also": t("reads_as", reading=read) if read else "",
    }
    return "lead_hmm" if view.new else "lead", facts


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
    return f"{count / 10**exponent:.1f} × 10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def notices(context: StageContext) -> list[str]:
    said = [*threshold_said(context), second_step_said(context)]
    if context.mode != "accurate":
        said.append(context.t.html(f"notice.{context.mode}"))
    return [*said, *methods_said(context), context.t.html("notice.agreement")]


def threshold_said(context: StageContext) -> list[str]:
    rival = context.rival
    at = context.threshold(rival) if rival else None
    if rival is None or context.mine.get(rival.text) == 0 or at is None or at <= rival.frequency:
        return []
    facts = {"word": rival.text, "frequency": f"{rival.frequency:,}", "threshold": f"{at:,}"}
    return [context.t.html("notice.threshold", **facts)]


def second_step_said(context: StageContext) -> str:
    """What the second step is, what it did, and that the path stayed."""
    key, facts = second_step(context)
    return context.t.html("notice.what_hmm") + context.t.html(f"notice.{key}", **facts)


def second_step(context: StageContext) -> tuple[str, dict[str, str]]:
    view = context.view
    if not context.hmm:
        return "hmm_off", {}
    if view.new:
        word = view.new[0]
        return "hmm", {"characters": " ".join(word.text), "states": " ".join(word.states), "word": word.text}
    read = [word for word in view.words if word.states]
    if removed := would_be(read):
        return "hmm_removed", {"word": "".join(word.text for word in removed), **states_of(removed)}
    if read:
        return "hmm_alone", states_of(read)
    if view.kept_apart:
        word = view.kept_apart[0]
        return "hmm_word", {"characters": " ".join(word), "word": word}
    return "hmm_idle", {}


def would_be(read: Sequence[Word]) -> Sequence[Word]:
    """The characters of the first word that the second step would make, had the visitor not removed it."""
    first = next((i for i, word in enumerate(read) if word.states != "S"), len(read))
    last = next((i for i, word in enumerate(read) if i >= first and word.states == "E"), len(read))
    return read[first : last + 1]


def states_of(read: Sequence[Word]) -> dict[str, str]:
    """Characters and their states, in a line; of many the first."""
    more = " …" if len(read) > MOST_STATES else ""
    shown = read[:MOST_STATES]
    return {
        "characters": " ".join(word.text for word in shown) + more,
        "states": " ".join(word.states for word in shown) + more,
    }


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
            facts = {"count": len(unknown), "first": clip(first, 12), "known": known_characters()}
            said.append(t.html(f"notice.unknown_{name}", **facts))
    if parted := next((c for c in (first_parted(context.text, piece) for piece in view.methods["bpe"]) if c), None):
        said.append(t.html("notice.bytes", character=parted, bytes=parted.encode().hex(" ").upper()))
    return said


@cached.shared
def known_characters() -> int:
    """How many Chinese characters MiniLM's vocabulary has."""
    return sum(len(piece) == 1 and is_cjk(piece) for piece in cached.model(able("cut words")).tokenizer.pieces)


def first_parted(text: str, piece: Piece) -> str | None:
    """The character that a byte-level token ends in the middle of."""
    return None if piece.end == int(piece.end) else text[int(piece.end)]


def spaces(context: StageContext) -> dict[str, str]:
    """What becomes of the first space: the piece it is in, or nothing."""
    at, t, methods = context.text.index(" "), context.t, context.view.methods
    holding = {name: next((p.text for p in methods[name] if p.start <= at < p.end), None) for name in METHODS}
    kept = [f"{t(f'methods.{name}')} {clip(text.replace(' ', '␣'), 16)}" for name, text in holding.items() if text]
    lost = [t(f"methods.{name}") for name, text in holding.items() if text is None]
    return {"kept": " · ".join(kept), "lost": " · ".join(lost)}
