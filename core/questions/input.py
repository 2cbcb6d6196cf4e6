"""In the sum: is the token louder, or the position?"""

from core.questions.question import CLEAR, Choice, Question, repeated, words
from core.text.token import named
from core.views.input import InputView


def louder(view: InputView) -> Question | None:
    """In the sum for {t}: is the token louder or the position? For the last repeated word, else the clearest one."""
    shares = view.shares()
    clear = [i for i in words(view.tokens, view.special) if abs(shares[i] - 0.5) >= CLEAR]
    if not clear:
        return None
    again = repeated(clear, view.ids)
    row = again[-1] if again else max(clear, key=lambda i: abs(float(shares[i]) - 0.5))
    facts = {
        "token": named(view.tokens, row),
        "token_norm": float(view.norms("token")[row]),
        "position_norm": float(view.norms("position")[row]),
        "share": float(shares[row]),
    }
    answer = "position" if shares[row] > 0.5 else "token"
    choices = tuple(Choice(id) for id in ("token", "position", "even"))
    return Question("louder", choices, answer, abs(float(shares[row]) - 0.5), row, facts)
