"""The comparison itself: it runs no code of ours, meets no half-imported package, and sees a difference."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import Model, capture
from core.model.attention import MultiHeadAttention
from core.model.norm import LayerNorm
from core.model.position import LearnedPosition, SinusoidalPosition
from core.reference import decoder, hugging_face, load, pytorch
from tests.models import loaded

ROOT = Path(__file__).parents[2]
CAT, BOOKS, MOON = "The cat sat on the mat.", "我昨天在北京买了三本书", "床前明月光，疑"


def test_the_waves_are_the_papers() -> None:
    table = pytorch.sinusoids(40, 6)
    for p in range(40):
        for i in range(3):
            angle = p / 10000 ** (2 * i / 6)
            assert table[p, 2 * i] == pytest.approx(math.sin(angle), abs=1e-7)
            assert table[p, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-7)


def test_a_pass_of_theirs_runs_nothing_of_ours(
    minilm: Model, translator: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every number is there while none of our modules can run."""
    poet = loaded("poet")
    runs = {"minilm": capture(minilm, CAT), "translator": capture(translator, BOOKS), "poet": capture(poet, MOON)}

    def ours(*_: object) -> None:
        raise AssertionError("a module of ours ran")

    for module in (MultiHeadAttention, LayerNorm, SinusoidalPosition, LearnedPosition):
        monkeypatch.setattr(module, "forward", ours)
    with pytest.raises(AssertionError):
        capture(translator, BOOKS)
    given = tuple(token.id for token in runs["translator"].target_in)
    found = {
        "minilm": [hugging_face.weights(minilm.folder, CAT), hugging_face.states(minilm.folder, CAT)],
        "translator": [
            pytorch.weights(translator.folder, BOOKS, given),
            pytorch.states(translator.folder, BOOKS, given),
            {"embedding.output": pytorch.inputs(translator.folder, BOOKS)},
            {"embedding.token": pytorch.rows(translator.folder, BOOKS)},
        ],
        "poet": [
            decoder.weights(poet.folder, MOON),
            decoder.states(poet.folder, MOON),
            decoder.written(poet.folder, MOON),
            {"embedding.token": decoder.rows(poet.folder, MOON)},
        ],
    }
    for name, parts in found.items():
        for tap, theirs in ((tap, theirs) for part in parts for tap, theirs in part.items()):
            np.testing.assert_allclose(theirs, runs[name][tap], atol=2e-5, err_msg=tap)


@pytest.mark.thorough
def test_two_who_ask_in_the_same_second_both_find_it_whole() -> None:
    code = """
from threading import Barrier, Thread
from core.reference import load
begin, found = Barrier(4), []
def visit():
    begin.wait()
    load()
    from core.reference import hugging_face, pytorch
    found.append((hugging_face.BertModel.__name__, pytorch.Tokenizer.__name__))
threads = [Thread(target=visit) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found), *set(found))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[0] == "4 ('BertModel', 'Tokenizer')", done.stderr


def test_what_is_slow_to_make_is_made_once(minilm: Model, translator: Model) -> None:
    load()
    assert hugging_face.model(minilm.folder) is hugging_face.model(minilm.folder)
    assert pytorch.model(translator.folder) is pytorch.model(translator.folder)
