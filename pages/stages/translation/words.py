"""The sentences: what the lead says, what to notice, the thing to try."""

from streamlit.delta_generator import DeltaGenerator

from core.text.token import named
from pages.shared import samples
from pages.shared.parts import paragraphs, write_lead
from pages.stages.translation import writing
from pages.stages.translation.look import DECIDED, Look, aligns, clearest, content


def write(lead: DeltaGenerator, said: DeltaGenerator, look: Look) -> None:
    """Into places made before: these sentences follow the selection."""
    key, names = lead_of(look)
    write_lead(look, lead, key, n=len(look.source), m=len(look.written), **names)
    said.html(paragraphs(notices(look)))


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    row = look.values["q"]
    if row in look.asked.rows or row >= len(look.written):
        return "lead_open", {}
    weights = look.cross[row]
    best = int(weights.argmax())
    probability = float(look.view.probabilities[row])
    return "lead", {
        "word": look.written[row],
        "best": named(look.source, best),
        "weight": float(weights[best]),
        "probability": probability,
    }


def notices(look: Look) -> list[str]:
    t = look.t
    said = [t.html("notice.shift", given=look.given[0], first=look.written[0] if look.written else "")]
    if not look.veiled and (crossed := crossings(look)):
        said.append(t.html("notice.order", **crossed))
    share = aligns()[look.layer - 1, look.head - 1]
    said.append(t.html("notice.aligned", layer=look.layer, head=look.head, share=f"{100 * share:.0f}"))
    said += [t.html("notice.function"), against_the_grammar(look)]
    return [*said, beam_said(look)] if look.beam else said


def against_the_grammar(look: Look) -> str:
    if look.known is None:
        return look.t.html("notice.guess")
    return look.t.html("notice.right" if look.known.en == look.english else "notice.differs", reference=look.known.en)


def crossings(look: Look) -> dict[str, str] | None:
    """Two words that stand in the other order than the characters they look at decidedly, farthest apart."""
    layer, head = clearest()
    weights, source, written = look.view.cross[layer - 1, head - 1], look.source, look.written
    best, carries = weights.argmax(-1), content(look.view)
    decided = [row for row in range(len(written)) if carries[row] and weights[row].max() >= DECIDED]
    pairs = [
        (a, b)
        for a in decided
        for b in decided
        if a < b and best[a] > best[b] and written[a] != written[b] and source[best[a]] != source[best[b]]
    ]
    if not pairs:
        return None
    a, b = max(pairs, key=lambda pair: best[pair[0]] - best[pair[1]] + pair[1] - pair[0])
    names = {"first": named(source, int(best[b])), "second": named(source, int(best[a]))}
    return {"a": written[a], "b": written[b], **names}


def beam_said(look: Look) -> str:
    """Whether keeping several translations ends in another one."""
    kept, greedy = writing.beam(look.text), writing.greedy(look.text)
    facts = {"width": writing.BEAM, "log": kept.log_probability, "greedy_log": greedy.log_probability}
    if kept.text == greedy.text:
        return look.t.html("notice.beam_same", **facts)
    return look.t.html("notice.beam_other", text=kept.text, **facts)


def attempt(look: Look) -> tuple[str, dict]:
    """Another sentence in which the order turns round."""
    texts = samples.presets("translation", "zh")
    text = next(text for text in texts[1:] if text != look.text)
    return look.t("notice.try", text=text), {"text": text}
