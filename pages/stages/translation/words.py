"""The sentences: what the lead says, what to notice, the thing to try."""

from core.derivation import Cell
from core.model.places import attention_at
from core.text.token import named
from core.views.translation import turned
from pages.shared.number.number_links import number, two_largest
from pages.shared.number.translation_numbers import log_of, run_of
from pages.shared.page.parts import Place, say
from pages.shared.page.renderings import rendered
from pages.shared.words import samples
from pages.shared.words.numbers import grouped, percent
from pages.stages.translation import writing
from pages.stages.translation.context import StageContext, aligned_rows, aligns, clearest

MOSTLY = 0.5  # of the words
SURE = {"sure": 0.9, "leaning": 0.5, "guessing": 0.0}  # from which probability on


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the selection."""
    key, names = lead_of(context)
    say(context, lead, said, (key, names), notices(context))


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    row = context.values["q"]
    if row in context.asked.rows or row >= len(context.written):
        return "lead_open", {}
    weights = context.cross[row]
    best = int(weights.argmax())
    probability = float(context.view.probabilities[row])
    tap = attention_at("cross", context.layer - 1).tap("weights")
    return "lead", {
        "word": context.written[row],
        "best": named(context.source, best),
        "layer": context.layer,
        "head": context.head,
        "weight": number(context, weights[best], Cell(tap, (context.head - 1, row, best))),
        "probability": number(context, probability, Cell("output.probabilities", (row, context.view.written[row].id))),
        "sure": context.t(f"sure.{next(word for word, least in SURE.items() if probability >= least)}"),
    }


def asked(context: StageContext) -> dict[str, object]:
    """Which head the question is about, and the two weights that its answer names, to be followed."""
    layer, head = clearest()
    names: dict[str, object] = {"layer": layer, "head": head}
    if context.question is None:
        return names
    row, tap = context.question.row, attention_at("cross", layer - 1).tap("weights")
    of = Cell(tap, (head - 1, row, None))
    return names | two_largest(context, context.view.cross[layer - 1, head - 1, row], of)


def confidence(context: StageContext) -> str:
    """How sure the model was of the whole: in its grammar or not, and of which word least."""
    row = int(context.view.probabilities.argmin())
    likely = number(
        context, context.view.probabilities[row], Cell("output.probabilities", (row, context.view.written[row].id))
    )
    names: dict[str, object] = {"word": context.written[row], "probability": likely}
    sure = likely >= SURE["sure"]
    if context.known is None:
        return context.t.html("knows.outside_sure" if sure else "knows.outside", **names)
    return context.t.html("knows.sure" if sure else "knows.known", **names)


def notices(context: StageContext) -> list[str]:
    t = context.t
    said = [confidence(context), shift(context)]
    if not context.veiled and (crossed := crossings(context)):
        said.append(t.html("notice.order", **crossed))
    said += [aligned_said(context), *function_words(context), against_the_grammar(context)]
    return [*said, beam_said(context)] if context.beam else said


def shift(context: StageContext) -> str:
    """What goes in is one step behind what comes out."""
    first = context.view.written[0]
    key = "shift_end" if first.special else "shift_one" if context.view.written[1].special else "shift"
    return context.t.html(f"notice.{key}", given=context.given[0], first=first.text, last=context.written[-1])


def aligned_said(context: StageContext) -> str:
    """How often the head looks at what it translates: an alignment, where that is mostly."""
    counted = aligns()
    share = float(counted.shares[context.layer - 1, context.head - 1])
    facts = {"share": percent(share), "words": grouped(counted.words), "file": counted.file}
    key = "notice.aligned" if share > MOSTLY else "notice.not_aligned"
    return context.t.html(key, layer=context.layer, head=context.head, **facts)


def function_words(context: StageContext) -> list[str]:
    """The words of this translation that render no character of this sentence, where that is known."""
    known = rendered(context.text)
    none = dict.fromkeys(word.text for word in known if not word.source and word.text[0].isalnum())
    return [context.t.html("notice.function", words=" · ".join([*none, context.written[-1]]))] if known and none else []


def against_the_grammar(context: StageContext) -> str:
    if context.known is None:
        return context.t.html("notice.outside" if len(context.written) > 1 else "notice.outside_silent")
    return context.t.html(
        "notice.right" if context.known.en == context.english else "notice.differs", reference=context.known.en
    )


def crossings(context: StageContext) -> dict[str, str] | None:
    """Two words that stand in the other order than the characters they render, each written while looking at those."""
    (layer, head), rows = clearest(), aligned_rows(context.text)
    pair = turned(context.view.cross[layer - 1, head - 1], rows)
    if pair is None:
        return None
    a, b = pair
    first, second = ("".join(context.source[place] for place in rows[row]) for row in (b, a))
    names = {"layer": str(layer), "head": str(head)}
    return {"a": context.written[a], "b": context.written[b], "first": first, "second": second, **names}


def beam_said(context: StageContext) -> str:
    """Whether keeping several translations ends in another one."""
    kept, greedy = writing.beam(context.text), writing.greedy(context.text)
    facts = {"width": writing.BEAM, "log": whole(context, kept), "greedy_log": whole(context, greedy)}
    if kept.text == greedy.text:
        return context.t.html("notice.beam_same", **facts)
    return context.t.html("notice.beam_other", text=kept.text, **facts)


def whole(context: StageContext, way: writing.Writing) -> float:
    """The log-probability of all of a translation."""
    return log_of(context, way.log_probability, run_of(context, context.text, way.ids), len(way.ids) - 1)


def attempt(context: StageContext) -> tuple[str, dict]:
    """Another sentence in which the order turns round."""
    texts = samples.presets("translation", "zh")
    text = next(text for text in texts[1:] if text != context.text)
    return context.t("notice.try", text=text), {"text": text}
