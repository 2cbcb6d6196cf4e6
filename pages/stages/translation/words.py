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
from pages.shared.words.numbers import grouped
from pages.stages.translation import writing
from pages.stages.translation.look import Look, aligned_rows, aligns, clearest

MOSTLY = 0.5  # of the words
SURE = {"sure": 0.9, "leaning": 0.5, "guessing": 0.0}  # from which probability on


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the selection."""
    key, names = lead_of(look)
    say(look, lead, said, (key, {**names, **confidence(look)}), notices(look))


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    row = look.values["q"]
    if row in look.asked.rows or row >= len(look.written):
        return "lead_open", {}
    weights = look.cross[row]
    best = int(weights.argmax())
    probability = float(look.view.probabilities[row])
    tap = attention_at("cross", look.layer - 1).tap("weights")
    return "lead", {
        "word": look.written[row],
        "best": named(look.source, best),
        "weight": number(look, weights[best], Cell(tap, (look.head - 1, row, best))),
        "probability": number(look, probability, Cell("output.probabilities", (row, look.view.written[row].id))),
        "sure": look.t(f"sure.{next(word for word, least in SURE.items() if probability >= least)}"),
    }


def asked(look: Look) -> dict[str, object]:
    """Which head the question is about, and the two weights that its answer names, to be followed."""
    layer, head = clearest()
    names: dict[str, object] = {"layer": layer, "head": head}
    if look.question is None:
        return names
    row, tap = look.question.row, attention_at("cross", layer - 1).tap("weights")
    of = Cell(tap, (head - 1, row, None))
    return names | two_largest(look, look.view.cross[layer - 1, head - 1, row], of)


def confidence(look: Look) -> dict[str, object]:
    """How sure the model was of the whole: in its grammar or not, and of which word least."""
    row = int(look.view.probabilities.argmin())
    likely = number(look, look.view.probabilities[row], Cell("output.probabilities", (row, look.view.written[row].id)))
    names: dict[str, object] = {"word": look.written[row], "probability": likely}
    if look.known is None:
        return {"knows": look.t("knows.guess", **names)}
    return {"knows": look.t("knows.sure" if likely >= SURE["sure"] else "knows.known", **names)}


def notices(look: Look) -> list[str]:
    t = look.t
    said = [shift(look)]
    if not look.veiled and (crossed := crossings(look)):
        said.append(t.html("notice.order", **crossed))
    said += [aligned_said(look), *function_words(look), against_the_grammar(look)]
    return [*said, beam_said(look)] if look.beam else said


def shift(look: Look) -> str:
    """What goes in is one step behind what comes out."""
    first = look.view.written[0]
    key = "notice.shift_end" if first.special else "notice.shift"
    return look.t.html(key, given=look.given[0], first=first.text)


def aligned_said(look: Look) -> str:
    """How often the head looks at what it translates: an alignment, where that is mostly."""
    counted = aligns()
    share = float(counted.shares[look.layer - 1, look.head - 1])
    facts = {"share": f"{100 * share:.0f}", "words": grouped(counted.words), "file": counted.file}
    key = "notice.aligned" if share > MOSTLY else "notice.not_aligned"
    return look.t.html(key, layer=look.layer, head=look.head, **facts)


def function_words(look: Look) -> list[str]:
    """The words of this translation that render no character of this sentence, where that is known."""
    known = rendered(look.text)
    none = dict.fromkeys(word.text for word in known if not word.source and word.text[0].isalnum())
    return [look.t.html("notice.function", words=" · ".join([*none, look.written[-1]]))] if known else []


def against_the_grammar(look: Look) -> str:
    if look.known is None:
        return look.t.html("notice.guess")
    return look.t.html("notice.right" if look.known.en == look.english else "notice.differs", reference=look.known.en)


def crossings(look: Look) -> dict[str, str] | None:
    """Two words that stand in the other order than the characters they render, each written while looking at those."""
    (layer, head), rows = clearest(), aligned_rows(look.text)
    pair = turned(look.view.cross[layer - 1, head - 1], rows)
    if pair is None:
        return None
    a, b = pair
    first, second = ("".join(look.source[place] for place in rows[row]) for row in (b, a))
    names = {"layer": str(layer), "head": str(head)}
    return {"a": look.written[a], "b": look.written[b], "first": first, "second": second, **names}


def beam_said(look: Look) -> str:
    """Whether keeping several translations ends in another one."""
    kept, greedy = writing.beam(look.text), writing.greedy(look.text)
    facts = {"width": writing.BEAM, "log": whole(look, kept), "greedy_log": whole(look, greedy)}
    if kept.text == greedy.text:
        return look.t.html("notice.beam_same", **facts)
    return look.t.html("notice.beam_other", text=kept.text, **facts)


def whole(look: Look, way: writing.Writing) -> float:
    """The log-probability of all of a translation."""
    return log_of(look, way.log_probability, run_of(look, look.text, way.ids), len(way.ids) - 1)


def attempt(look: Look) -> tuple[str, dict]:
    """Another sentence in which the order turns round."""
    texts = samples.presets("translation", "zh")
    text = next(text for text in texts[1:] if text != look.text)
    return look.t("notice.try", text=text), {"text": text}
