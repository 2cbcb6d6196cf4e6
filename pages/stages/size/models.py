"""The models people speak of, counted; and what d they took."""

import html
import math

from core.lessons.size import Shape, crossing_width, parameters, share, total
from core.views.size import LAYERS
from pages.shared.page.parts import Html, folded, heading, paragraph, table, write
from pages.shared.words.numbers import grouped
from pages.shared.words.papers import cited_in, linked
from pages.shared.words.texts import Texts
from pages.stages.size.context import StageContext, known_models, name_of
from pages.stages.size.numbers import in_units, lettered, rounded

ENDS = 10**6, 10**12  # of the line the models lie on
SCALE = {"en": ("1 M", "1 B", "1000 B"), "zh": ("百万", "十亿", "万亿")}
TOO_LARGE = 2048  # the width a hand-out calls too large; it cites 12288 in its next line


# What has parts that this page does not count: billions of parameters in all and active, layers, d, experts, source.
QUOTED = (
    ("DeepSeek-V3", 671, 37, 61, 7168, "256 + 1", "DeepSeek-AI 2024"),
    ("Qwen3-235B-A22B", 235, 22, 94, 4096, "128", "Yang et al. 2025"),
    ("Qwen3-8B", 8.2, 8.2, 36, 4096, "–", "Yang et al. 2025"),
)


def draw(context: StageContext) -> None:
    t, models = context.t, known_models()
    ordered = sorted(models.items(), key=lambda item: total(parameters(item[1].shape)))
    marked = [i for i, (id, _) in enumerate(ordered) if id == context.values["preset"]]
    rows, sizes = [], []
    for id, one in ordered:
        s, count = one.shape, total(parameters(one.shape))
        source = cited(t, one.source)
        rows.append([name_of(t, id), lettered(t, count), placed(count, one.said), said_in(t, one.said), source])
        numbers = (s.d_model, s.heads, s.layers, s.d_ff, s.vocab, s.length)
        sizes.append([name_of(t, id), *map(grouped, numbers), source])
    source = t("models.source")
    today = ["", t("models.all"), t("models.active"), "N", "d", t("models.experts"), source]
    quoted = [
        [name, *(in_units(t, n * 10**9) for n in counts), *map(grouped, sizes), experts, cited(t, source_of)]
        for name, *counts, layers, d, experts, source_of in QUOTED
        for sizes in [(layers, d)]
    ]
    of_sizes = table(sizes, ["", "d", "h", "N", "d_ff", "V", "L", source], "named sourced", marked)
    write(
        heading(t, "models"),
        paragraph(t, "models.text"),
        table(rows, ["", t("models.counted"), scale(t), t("models.said"), source], "named sourced", marked),
        folded(t.html("models.sizes"), paragraph(t, "models.sizes_said") + of_sizes),
        folded(t.html("models.why"), paragraph(t, "models.differ") + paragraph(t, "models.large")),
        f"<h2 class='part'>{t.html('models.today')}</h2>",
        paragraph(t, "models.today_said"),
        table(quoted, today, "named sourced"),
        f"<h2 class='part'>{t.html('models.law')}</h2>",
        *(paragraph(t, f"models.law_{key}", **facts(context)) for key in ("cost", "taken", "so")),
    )


def placed(count: int, said: str) -> Html:
    """Both numbers on a line: a dot where the count is, a ring where its authors' is."""
    ring = f"<b style='--at:{along(read(said)):.3f}'></b>" if said else ""
    return Html(f"<span class='scale' aria-hidden='true'><u style='--at:{along(count):.3f}'></u>{ring}</span>")


def scale(t: Texts) -> Html:
    """What stands at the ends of the line and in its middle."""
    return Html("<span class='scale ends'>" + "".join(f"<i>{end}</i>" for end in SCALE[t.language]) + "</span>")


def said_in(t: Texts, said: str) -> str:
    """A number of the authors', in the units of the language."""
    return "–" if not said else said if t.language == "en" else in_units(t, read(said))


def along(n: float) -> float:
    """Where a number lies on the line, from 0 to 1: each tenfold is as long as any other.

    >>> along(10**6), along(10**9), along(10**12)
    (0.0, 0.5, 1.0)
    """
    low, high = (math.log10(end) for end in ENDS)
    return (math.log10(n) - low) / (high - low)


def read(said: str) -> float:
    """A number as authors write it.

    >>> read("4.4 M"), read("175.0 B")
    (4400000.0, 175000000000.0)
    """
    number, letter = said.split()
    return float(number) * {"M": 10**6, "B": 10**9}[letter]


def cited(t: Texts, source: str) -> Html:
    """A source as the page's language writes it, linked."""
    return Html(f"<span class='soft'>{linked(html.escape(cited_in(t.language, source)))}</span>")


def facts(context: StageContext) -> dict[str, object]:
    """What a layer of 2048 and of 12288 costs beside the d that is set here."""
    t, models, own = context.t, known_models(), context.shape
    widths = (own.d_model, models["bert_base"].shape.d_model, TOO_LARGE, models["gpt3"].shape.d_model)
    here, usual, large, largest = (a_layer(d) for d in widths)
    fits = own.d_ff == 4 * own.d_model and not own.gated and own.d_model not in widths[1:]
    return {
        "own": Html(t.html("models.law_own", d=grouped(own.d_model), here=rounded(t, here)) if fits else ""),
        "usual": rounded(t, usual),
        "large": rounded(t, large),
        "most": rounded(t, largest),
        "largest": grouped(models["gpt3"].shape.d_model),
        "largest_times": largest / large,
        "opt": grouped(models["opt"].shape.d_model),
        "crossing": grouped(math.ceil(crossing_width(own))),
        "length": grouped(own.length),
    }


def a_layer(d: int) -> int:
    """Parameters of one layer as in BERT, with d_ff = 4d."""
    return share(parameters(Shape("encoder", 1, d, 1, 1, 4 * d, 1)), LAYERS) - 2 * d
