"""Translation: encoder and decoder at work, a word at a time, and where each word looks."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import grammar
from core.capture import decode, translation_of
from core.derivation.attention import derive
from core.model.attention import MultiHeadAttention
from core.model.decoder import DecoderLayer, causal_mask
from core.model.decoding import Decoding
from core.model.places import attention_at
from core.questions.translation import looked_at_to_write
from core.text.token import named
from core.views.translation import TranslationView, aligned, gradients, translation_view
from core.views.translation import taps as all_taps
from core.zoo import model_for
from pages.shared import ask, cached, compare, components, follow, samples, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import Parameter, Repair, choice, whole
from pages.shared.texts import Texts
from pages.stages import translation_change
from pages.stages.translation_change import DECIDED, PRESET, Sentence, reference
from pages.stages.translation_masks import masks, peeking

ID = "translator"  # the one model that writes
STACK = 300_000  # bytes: up to this size the browser gets every head, beyond it the one looked at
BEAM = 4  # translations kept at once
SECTIONS = ("change", "asks", "after", "masks", "peek")


def only_chinese(page: Page) -> None:
    """This page has one model, which reads Chinese; the visitor's sentence is untouched and travels on."""
    address = page.address
    if model_for(address.own_text) != ID and address.model != ID:
        address.instead = (PRESET, ID)
        said = address.own_text.strip()
        code = "reads_chinese" if any(map(str.isalnum, said)) else "reads_marks" if said else "reads_nothing"
        address.repairs.append(Repair(code))
    elif address.model != ID:
        address.instead = (address.own_text, ID)
        address.repairs.append(Repair("reads_translator"))


page = current()
only_chinese(page)
TEXT, MODEL, t = page.text, page.model, page.t
LAYERS, HEADS = MODEL.config.decoder_layers, MODEL.config.heads


def view_of(text: str) -> TranslationView:
    return cached.remember(
        ("translation", text),
        lambda: translation_view(cached.capture(ID, text, only=all_taps(MODEL)), MODEL),
    )


@st.cache_resource(show_spinner=False, max_entries=256)
def decoding(text: str, width: int) -> Decoding:
    """The writing of a translation; steps are computed once and shared."""
    return decode(cached.model(ID), text, width=width)


def content() -> list[bool]:
    """Which of the written words carry meaning, not grammar."""
    words = [token.text for token in view.written]
    return [word[0].isalnum() and word not in grammar.FUNCTION_WORDS for word in words]


view = view_of(TEXT)
known = reference(TEXT)
ALIGNED = aligned(MODEL)
LAYER, HEAD = (int(i) + 1 for i in np.unravel_index(ALIGNED.argmax(), ALIGNED.shape))
RENDERED = [word.source for word in known.target] if known else []
question = looked_at_to_write(view, LAYER - 1, HEAD - 1, content(), RENDERED)
veiled = ask.is_open(page, question)
VEIL = [question.row] if veiled and question else []


def opening_row() -> int:
    """The asked row once it may be seen; until then the one before it."""
    if question is None:
        return 0
    if not veiled:
        return question.row
    return question.row - 1 if question.row else min(1, len(view.given) - 1)


def largest(row: int, layer: int, head: int) -> int:
    return int(view.cross[layer - 1, head - 1, row].argmax())


ROW = opening_row()
TABLE: dict[str, Parameter] = {
    "layer": whole(1, LAYERS, LAYER),
    "head": whole(1, HEADS, HEAD),
    "search": choice("greedy", "beam", default="greedy"),
    "q": whole(0, len(view.given) - 1, ROW),
    "k": whole(0, len(view.source) - 1, largest(ROW, LAYER, HEAD)),
    "j": Parameter(whole(0, len(view.given) - 1, 0).parse, None, f"0 … {len(view.given) - 1}"),
    **translation_change.PARAMETERS,
    "section": choice(*SECTIONS, default=SECTIONS[0]),
    "marks": choice("1", default=None),
    **OPEN,
}
values = page.read(TABLE)
layer, head, search = values["layer"], values["head"], values["search"]
LETS_GO = {"j": None}  # a cell of self-attention
page.strip = Strip(first="k", click="k", also=LETS_GO, target=Strip(first="q", click="q", also=LETS_GO))

SOURCE = tuple(token.text for token in view.source)
GIVEN = tuple(token.text for token in view.given)
WRITTEN = tuple(token.text for token in view.written)


# ---- the picture


def planes(weights: np.ndarray, veil: list[int]) -> tuple[list[str], list[np.ndarray]]:
    """The heads of [layer, head, row, column] for the browser, as far as they fit, and their names."""
    if veil:
        weights = weights.copy()
        weights[:, :, veil] = np.nan
    every = [(i, h) for i in range(1, LAYERS + 1) for h in range(1, HEADS + 1)]
    here = every if weights.nbytes <= STACK else [(layer, head)]
    return [f"{i}/{h}" for i, h in here], [weights[i - 1, h - 1] for i, h in here]


def picture() -> bytes:
    names, arrays = planes(view.cross, VEIL)
    steps = steps_of(decoding(TEXT, BEAM), None) if search == "beam" else steps_of(None, decoding(TEXT, 1))
    header = {
        "source": SOURCE,
        "given": GIVEN,
        "written": WRITTEN,
        "special": [token.special for token in view.source],
        "planes": names,
        "steps": steps,
        "words": {
            name: t(f"picture.{name}")
            for name in (
                *("label", "first", "back", "play", "pause", "on", "last", "step"),
                *("source", "written", "given", "candidates", "beams", "log", "score"),
            )
        },
    }
    return components.pack(header, *arrays)


def steps_of(beam: Decoding | None, greedy: Decoding | None) -> list[dict]:
    """Of each row that is written: what might come next, or the translations that are kept once it has come."""
    return [
        {
            "candidates": candidates(greedy, row) if greedy else [],
            "beams": beams(beam, row + 1) if beam else [],
        }
        for row in range(len(view.given))
    ]


def candidates(greedy: Decoding, row: int) -> list[tuple[str, float, bool]]:
    pieces, taken = MODEL.tokenizer.pieces, view.written[row].id if row < len(view.written) else None
    return [(pieces[c.id], c.probability, c.id == taken) for c in greedy[row].best.candidates]


def beams(beam: Decoding, number: int) -> list[tuple[str, float, float, bool]]:
    pieces = MODEL.tokenizer.pieces
    return [
        (" ".join(pieces[id] for id in kept.ids), kept.log_probability, kept.score, i == 0)
        for i, kept in enumerate(beam[number].beams)
    ]


def cross_matrix() -> bytes:
    names, arrays = planes(view.cross, VEIL)
    rows = [f"→ {word}" for word in (*WRITTEN, *[""] * (len(GIVEN) - len(WRITTEN)))]
    return matrix("cross", names, arrays, rows, {"param": "k", "labels": SOURCE, "count": len(SOURCE)}, {"j": None})


def own_matrix() -> bytes:
    names, arrays = planes(view.own, [])
    return matrix("own", names, arrays, GIVEN, {"param": "j", "labels": GIVEN, "count": len(GIVEN)}, {})


def lifted_matrix(weights: np.ndarray, given: list[str]) -> None:
    """Self-attention [layer, head, row, column] without its mask: to look at, not to follow."""
    names, arrays = planes(weights, [])
    columns = {"param": "j", "labels": given, "count": len(given)}
    components.matrix(key="lifted", data=matrix("lifted", names, arrays, given, columns, {}, still=True))


def matrix(kind: str, names: list[str], arrays: list, rows, columns: dict, also: dict, still: bool = False) -> bytes:
    header = {
        "name": ["layer", "head"],
        "planes": names,
        "rows": {"param": "q", "labels": rows, "count": len(GIVEN), "from": 0, "word": ""},
        "columns": {**columns, "from": 0, "word": ""},
        "reach": 1,
        "tall": min(350, 26 * len(GIVEN)),
        "also": also,
        "still": still,
        "words": {
            "label": t(f"matrices.{kind}_label"),
            "caption": t(f"matrices.{kind}"),
            **{name: t(f"matrix.{name}") for name in ("range", "marks", "veiled")},
        },
    }
    return components.pack(header, *arrays)


def controls() -> dict:
    return {
        "controls": [
            {"name": "layer", "label": t("layer"), "options": [(i, str(i)) for i in range(1, LAYERS + 1)]},
            {"name": "head", "label": t("head"), "options": [(h, str(h)) for h in range(1, HEADS + 1)]},
            {"name": "search", "label": t("search"), "options": [(s, t(f"searches.{s}")) for s in ("greedy", "beam")]},
        ]
    }


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    """The weight of the selected cell: of cross-attention, or, where one was clicked there, of self-attention."""
    row, own = now["q"], now["j"] is not None
    kind, column = ("self", now["j"]) if own else ("cross", now["k"])
    names = {
        "row": t("writing", word=WRITTEN[row]) if row < len(WRITTEN) else named(GIVEN, row),
        "column": t("at", token=named(GIVEN if own else SOURCE, column)),
        "layer": now["layer"],
        "head": now["head"],
    }
    base = {"id": f"{kind}/{now['layer']}/{now['head']}/{row}/{column}", "title": t("follow")}
    base["where"] = t(f"where.{kind}", **names)
    if row in VEIL and not own:
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(cached.attention(ID, TEXT, now["layer"], kind), "weights", now["head"] - 1, row, column)
    n = len(GIVEN if own else SOURCE)
    steps = follow.lines(Texts(page.address.lang, "attention"), derivation, n=n, **names)
    return {**base, "value": short(derivation.captured), "exact": exact(derivation.captured), "steps": steps}


# ---- the words


def words(now: dict) -> None:
    with lead_place:
        lead(now)
    with said_place:
        paragraphs(notices(now))


def lead(now: dict) -> None:
    counts = {"n": len(SOURCE), "m": len(WRITTEN)}
    row = now["q"]
    if row in VEIL or row >= len(WRITTEN):
        return page.lead("lead_open", **counts)
    weights = view.cross[now["layer"] - 1, now["head"] - 1, row]
    best = int(weights.argmax())
    page.lead(
        "lead", word=WRITTEN[row], best=named(SOURCE, best), weight=float(weights[best]),
        probability=float(view.probabilities[row]), **counts,
    )  # fmt: skip


def notices(now: dict) -> list[str]:
    said = [t.html("notice.shift", given=GIVEN[0], first=WRITTEN[0] if WRITTEN else "")]
    if not VEIL and (crossed := crossings()):
        said.append(t.html("notice.order", **crossed))
    share = ALIGNED[now["layer"] - 1, now["head"] - 1]
    said.append(t.html("notice.aligned", layer=now["layer"], head=now["head"], share=f"{100 * share:.0f}"))
    said.append(t.html("notice.function"))
    if known is None:
        said.append(t.html("notice.guess"))
    elif known.en == page.translation.text_out:
        said.append(t.html("notice.right", reference=known.en))
    else:
        said.append(t.html("notice.differs", reference=known.en))
    if search == "beam":
        said.append(beam_said())
    return said


def crossings() -> dict[str, str] | None:
    """Two words that stand in the other order than the characters they look at decidedly, farthest apart."""
    weights = view.cross[LAYER - 1, HEAD - 1]
    best, carries = weights.argmax(-1), content()
    decided = [row for row in range(len(WRITTEN)) if carries[row] and weights[row].max() >= DECIDED]
    pairs = [
        (a, b)
        for a in decided
        for b in decided
        if a < b and best[a] > best[b] and WRITTEN[a] != WRITTEN[b] and SOURCE[best[a]] != SOURCE[best[b]]
    ]
    if not pairs:
        return None
    a, b = max(pairs, key=lambda pair: best[pair[0]] - best[pair[1]] + pair[1] - pair[0])
    names = {"first": named(SOURCE, int(best[b])), "second": named(SOURCE, int(best[a]))}
    return {"a": WRITTEN[a], "b": WRITTEN[b], **names}


def attempt() -> tuple[str, dict]:
    """Another sentence in which the order turns round."""
    texts = samples.presets("translation", "zh")
    text = next(text for text in texts[1:] if text != TEXT)
    return t("notice.try", text=text), {"text": text}


def beam_said() -> str:
    """Whether keeping several translations ends in another one."""
    last, greedy = decoding(TEXT, BEAM).last.best, decoding(TEXT, 1).last.best
    facts = {"width": BEAM, "log": last.log_probability, "greedy_log": greedy.log_probability}
    if last.ids == greedy.ids:
        return t.html("notice.beam_same", **facts)
    return t.html("notice.beam_other", text=translation_of(MODEL, last.ids).text, **facts)


# ---- who asks, who answers


def shapes_of(kind: str) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    at, seen = attention_at(kind, layer - 1), cached.attention(ID, TEXT, layer, kind)
    parts = ("query", "key", "value", "scores", "mask", "weights", "context")
    return [(f"{at}.{part}", MODEL.tap_dims[f"{at}.{part}"], getattr(seen, part).shape) for part in parts]


def who_asks() -> None:
    st.html(f"<h2 class='part'>{t.html('asks.title')}</h2>")
    rows = "".join(
        f"<tr><td><b>{letter}</b></td><td>{t.html(f'asks.{letter}')}</td>"
        f"<td><code>{name}</code></td><td>{' × '.join(dims)}</td><td>{' × '.join(map(str, shape))}</td></tr>"
        for letter, (name, dims, shape) in zip("QKV", shapes_of("cross"), strict=False)
    )
    st.html(f"<div class='shapes-box'><table class='shapes'>{rows}</table></div>")
    paragraphs([t.html("asks.said", n=len(SOURCE), m=len(GIVEN))])


def one_layer() -> None:
    """What comes after the attention: the rest of the layer, and the way out; and how the gradient comes back."""
    at, config = f"decoder.{layer - 1}", MODEL.config
    names = [
        *(
            f"{at}.{part}.{tap}"
            for part in ("self_attention", "cross_attention")
            for tap in ("residual", "norm.output")
        ),
        *(f"{at}.feedforward.{tap}" for tap in ("hidden", "output", "residual", "norm.output")),
        "output.logits",
    ]
    run = cached.capture(ID, TEXT, only=tuple(names))
    rows = "".join(
        f"<tr><td>{t.html('after.' + name.removeprefix(at + '.').replace('.', '_'))}</td><td><code>{name}</code></td>"
        f"<td>{' × '.join(MODEL.tap_dims[name])}</td><td>{' × '.join(map(str, run[name].shape))}</td></tr>"
        for name in names
    )
    st.html(
        f"<h2 class='part'>{t.html('after.title', layer=layer)}</h2>"
        f"<div class='shapes-box'><table class='shapes'>{rows}</table></div>"
    )
    key = ("gradients", TEXT, layer)
    found = cached.remember(key, lambda: Gradients(gradients(MODEL, cached.capture(ID, TEXT, only=()), layer - 1)))
    size = config.vocab * config.d_model
    facts = {"vocab": f"{config.vocab:,}", "d": config.d_model, "size": f"{size:,}", "thrice": f"{3 * size:,}"}
    paragraphs(
        [
            t.html("after.tied", **facts),
            t.html("after.gradients", **{f"w_{name}": norm for name, norm in found.norms.items()}),
        ]
    )


@dataclass(frozen=True)
class Gradients:
    """Norms by the name of the matrix, as the shared cache keeps them."""

    norms: dict[str, float]
    nbytes: int = 500


# ---- open it


def opened() -> Opened:
    now = state.Address().read(TABLE)
    hidden = view.cross[layer - 1, head - 1].copy()
    hidden[VEIL] = np.nan
    rows = [f"{given} → {word}" for given, word in zip(GIVEN, [*WRITTEN, ""], strict=False)]
    return Opened(
        formula=formula(now),
        code=(DecoderLayer.forward, MultiHeadAttention.forward, causal_mask, Decoding._advance, Decoding._extended),
        shapes=[*shapes_of("cross"), *shapes_of("self")],
        compare=lambda: (
            t("compared.weights", layers=MODEL.config.layers + LAYERS),
            compare.attention_difference(ID, TEXT),
        ),
        table=lambda: csv(hidden, rows, SOURCE),
        table_name=f"cross-layer-{layer}-head-{head}.csv",
        captured=not veiled,
    )


def formula(now: dict) -> str:
    """Cross-attention, and under it the shapes it has here."""
    projected = r"Q = Y W^Q,\quad K = X W^K,\quad V = X W^V"
    general = projected + r",\qquad \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right) V"
    n, m, d_head = len(SOURCE), len(GIVEN), MODEL.config.d_head
    sizes = rf"Q \in \mathbb{{R}}^{{{m} \times {d_head}}},\quad K, V \in \mathbb{{R}}^{{{n} \times {d_head}}}"
    row, column = now["q"], now["k"]
    if row in VEIL:
        return rf"\begin{{aligned}} & {general} \\ & {sizes} \end{{aligned}}"
    weight = short(float(view.cross[now["layer"] - 1, now["head"] - 1, row, column]))
    return rf"\begin{{aligned}} & {general} \\ & {sizes} \qquad \alpha_{{{row},{column}}} = {weight} \end{{aligned}}"


# ---- the page, top to bottom

page.title()
lead_place = st.container()
ask.ask(page, question, reset=("layer", "head", "q", "k", "j"), layer=LAYER, head=HEAD)
components.controls(key="controls", data=controls())
left, right_half = st.columns([1.45, 1], gap="medium")
with left:
    components.decoding(key="decoding", data=picture(), on_selection_change=state.selecting("decoding", TABLE))
with right_half:
    place_of_derivation = st.container()
left, middle = st.columns(2, gap="large")
with left:
    components.matrix(key="cross", data=cross_matrix(), on_selection_change=state.selecting("cross", TABLE))
with middle:
    components.matrix(key="own", data=own_matrix(), on_selection_change=state.selecting("own", TABLE))
said_place = page.notice([], attempt())
with place_of_derivation:
    follow.follow(page, TABLE, derivation_data, also=words)
parts = (
    lambda: translation_change.change_a_word(Sentence(page, known, view_of, (LAYER, HEAD), veiled)),
    who_asks,
    one_layer,
    lambda: masks(page),
    lambda: peeking(page, lifted_matrix),
)
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
