"""After a layer: are the two equal tokens still equal, alike, strangers?"""

from core.questions.question import CLEAR, Choice, Question
from core.text.token import named
from core.views.overview import OverviewView

EQUAL = 1 - 1e-4  # a cosine from here on: the same vector, but for rounding


def after_layer(view: OverviewView, layer: int, stranger: tuple[float, float]) -> Question | None:
    """After layer n: are the two {t} still equal, alike, strangers? Only where the sentence has a word twice.

    `stranger` is mean and standard deviation of the cosine of random rows; up to two deviations above the mean
    counts as strangers.
    """
    a, b = view.pair()
    if view.ids[a] != view.ids[b] or view.special[a]:
        return None
    depth = next(i for i, depth in enumerate(view.depths) if depth.number == layer)
    cosines = view.cosines(a, b)
    border = stranger[0] + 2 * stranger[1]
    cosine = float(cosines[depth])
    margin = min(abs(cosine - border), abs(EQUAL - cosine)) if cosine < EQUAL else 1.0
    if margin < CLEAR:
        return None
    answer = "equal" if cosine >= EQUAL else "alike" if cosine > border else "strangers"
    facts = {
        "first": named(view.tokens, a),
        "second": named(view.tokens, b),
        "layer": layer,
        "cosine": cosine,
        "start": float(cosines[0]),
        "border": border,
    }
    return Question(
        "after_layer", tuple(Choice(id) for id in ("equal", "alike", "strangers")), answer, margin, b, facts
    )
