"""The deeper sections of the attention page: both languages, both models, every kind, any input."""

import json
import re
from html import unescape
from random import Random

import numpy as np
import pytest

from core import grammar
from pages.shared.words.numbers import short
from pages.stages.attention import STAGE, importance, maps, masks, rollout, scale
from pages.stages.attention import small_layer_step as step_section
from pages.stages.attention.context import WINDOW

CHINESE = "我昨天在北京买了三本书"
SECTIONS = list(STAGE.sections)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("more", [{}, {"text": CHINESE, "kind": "cross"}, {"text": ""}], ids=["cat", "cross", "empty"])
def test_every_section_opens(opened, lang, section, more):
    page = opened("attention", lang, section=section, guess="skip", **more)
    assert "{" not in page.html and page.address.get("section", SECTIONS[0]) == section


@pytest.mark.parametrize("section", SECTIONS)
def test_no_section_answers_an_open_question(opened, section):
    page = opened("attention", "en", section=section)
    for said in (page.html, *(component.proto.json for component in page.app.get("bidi_component"))):
        assert not any(answer in said for answer in ("0.8357", "0.836", "4.8638", "6.219"))


@pytest.mark.parametrize(
    ("text", "kind"), [("The cat sat on the mat.", "encoder"), (CHINESE, "self"), (CHINESE, "cross")]
)
def test_a_block_is_a_part_of_the_real_product(looked, text, kind):
    context = looked("attention", text=text, guess="skip", kind=kind, layer=2, head=3, q=2, k=1)
    for part in maps.LETTERS:
        for dim in (0, 7, context.view.d_head - 1):
            block = maps.block_of(context, part, dim)
            source = context.view.asking if part == "query" else context.view.answering
            projection, place = context.view.projections[part], list(block.outer).index(dim)
            whole = source[block.token] @ projection.weight[block.column] + projection.bias[block.column]
            assert block.result[place] == pytest.approx(whole, abs=1e-4)
            products = np.abs(source[block.token] * projection.weight[block.column])
            assert products.max() == products[block.largest] and block.largest in block.inner
            assert (block.weight[:, place] == projection.weight[block.column][block.inner]).all()


@pytest.mark.parametrize("part", maps.LETTERS)
def test_a_number_of_the_matrices_is_followed_in_its_section(opened, looked, part):
    page = opened("attention", "en", section="maps", q=5, k=6, dim=23, map=part)
    protos = [c.proto for c in page.app.get("bidi_component") if c.proto.component_name == "see_derivation"]
    view = looked("attention", text="The cat sat on the mat.", guess="skip").view
    number = getattr(view, part)[8, 5 if part == "query" else 6, 23]
    assert [json.loads(proto.json)[0]["value"] for proto in protos] == ["0.8357", short(float(number))]
    assert "encoder.2.output" in protos[1].json  # x is behind it


def test_what_is_said_of_a_cell_adds_up(looked):
    context = looked("attention", text="The cat sat on the mat.", q=5, k=6, dim=23)
    said = re.sub("<[^>]*>", "", unescape(" ".join(maps.words(context))))
    assert "−2.565\u00a0×\u00a0−2.424 = 6.219" in said and "q·k = 27.51" in said and "score is 4.864" in said
    assert "36,864" in maps.shapes_said(context) and "589,824" in maps.shapes_said(context)


@pytest.mark.parametrize("mask", ["none", "padding", "causal"])
def test_a_mask_says_what_it_lets_through(looked, mask):
    context = looked("attention", text="The cat sat on the mat.", q=5, k=6, mask=mask, pads=3)
    said, through = (
        " ".join(masks.words(context, masks.made_of(context))),
        {"none": 81, "padding": 54, "causal": 45}[mask],
    )
    assert str(through) in said and ("used here" in said) == (mask == "none")
    assert ("6 keys" in said) == (mask in ("padding", "causal"))


def test_masks_that_cannot_be_are_repaired(opened):
    page = opened("attention", "en", section="masks", text=CHINESE, kind="cross", mask="causal", pads=99, guess="skip")
    assert "mask=causal" in page.html and "pads=99" in page.html


def test_a_slider_of_widths(opened):
    page = opened("attention", "zh", section="scale", dk=64, guess="skip")
    assert "<i>d</i><sub>k</sub> = 64" in page.html and len(page.packed("curves")[1]) == 3 * 4 * 128
    assert "dk=500" in opened("attention", "zh", section="scale", dk=500, guess="skip").html
    assert scale.parameters(None, page_view())["dk"].default == 8


def page_view():
    class View:
        d_head = 8

    return View


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("put", ["WQ.0.0=x", "WQ.0.0=1e9", "WO.7.7=1", "<script>=1", "E.0.0=", "X.0.0=nan"])
def test_numbers_that_are_none_are_refused_with_a_sentence(opened, lang, put):
    for section in ("layer", "step"):
        page = opened("attention", lang, section=section, put=put, guess="skip")
        assert "class='note'" in page.html and "<script>=" not in page.app.get("html")[-1].proto.body
        assert "{" not in page.html


def test_the_calculator_shows_every_number_and_what_was_changed(opened):
    page = opened("attention", "en", section="layer", put="WQ.0.0=2", guess="skip")
    data = page.data("worksheet")
    blocks = {item["id"]: item for line in data["lines"] for item in line["items"] if isinstance(item, dict)}
    assert blocks["WQ"]["cells"][0] == ["2", "0"] and data["put"] == {"WQ.0.0": "2"}
    assert blocks["products"]["cells"][0][0] == "2.000" and blocks["weights"]["cells"][0][0] == "0.804"
    first, attends, last = (
        opened("attention", "en", section="layer", line=line, guess="skip").html
        for line in ("project", "attend", "choose")
    )
    assert "0.670" in attends and "0.622" in attends  # what ÷ 2 would give
    assert "0.622" not in first + last and "0.8581" in last and "0.8581" not in first + attends


def test_a_gradient_step_on_the_page(opened):
    page = opened("attention", "zh", section="step", guess="skip")
    assert "0.6698" in page.html and "0.7063" in page.html and "torch.autograd.grad" in page.html
    still = opened("attention", "zh", section="step", eta=0, guess="skip")
    assert "没有降" in still.html


@pytest.mark.parametrize("put", ["", "WQ.0.0=2;X.1.3=-1", "E.0.0=3"])
def test_what_meets_in_the_flow_of_the_gradient_adds_up(looked, put):
    """The lines are held against autograd's own gradient where two or more of them meet."""
    made = step_section.step_of(looked("attention", section="step", put=put, guess="skip"))
    gradients, matrices = made.gradients, made.before
    into_x = gradients["residual"] + sum(gradients[name] @ matrices[f"W{name}"].T for name in "QKV")
    np.testing.assert_allclose(into_x, gradients["X"], atol=1e-12)
    np.testing.assert_allclose(gradients["fed"], gradients["residual2"], atol=1e-12)  # an addition passes it on
    np.testing.assert_allclose(gradients["attended"], gradients["residual"], atol=1e-12)
    hidden = gradients["hidden"] * (made.states[0]["hidden"] > 0)
    into_normed = gradients["residual2"] + hidden @ matrices["W1"].T
    np.testing.assert_allclose(into_normed, gradients["normed"], atol=1e-12)
    carried = step_section.arriving(made)
    assert carried["hidden", "normed"] == pytest.approx(np.linalg.norm(hidden @ matrices["W1"].T))
    into = {end for _, end in carried}
    assert into == set(step_section.WAY) and {start for start, _ in carried} == (into - {"X"}) | {"loss"}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_importance_and_of_rollout_holds(looked, seed):
    text = grammar.sample(Random(seed)).zh
    for head in range(1, 5):
        context = looked("attention", text=text, guess="skip", layer=2, head=head, q=1, k=0)
        view, row = context.view, importance.row_of(context)
        weights, shares = view.weights[head - 1, row], view.contribution(head - 1)[row]
        said = " ".join(importance.words(context, row, len(view.keys)))
        assert ("also the largest contribution" in said) == (weights.argmax() == shares.argmax())
        lines = [importance.line(context, row, k) for k in importance.shown(context, row)]
        assert sum(float(str(line[4])) for line in lines) > 0.5 and len(lines) <= importance.MOST
    context = looked("attention", text=text, guess="skip", layer=2, q=1)
    made = rollout.rolled(*context.page.key)
    said = rollout.row_said(context, made, 2, 1)
    others = [i for i in range(len(made.tokens)) if i != 1]
    best = [max(others, key=lambda i, values=values: values[1, i]) for values in (made.rolled[1], made.means[1])]
    assert ("alone, too, it attends" in said) == (best[0] == best[1])


@pytest.mark.parametrize(("lang", "ranks"), [("zh", "其次"), ("en", "followed by")])
@pytest.mark.parametrize("text", ["the the the the the", "Why is the sky blue?", "我昨天买了三本书"])
def test_rollout_ranks_no_place_after_one_that_has_less(looked, lang: str, ranks: str, text: str) -> None:
    """The share of a place itself is not always the largest; whatever comes second is not said to follow a smaller."""
    context = looked("attention", lang, text=text, guess="skip", layer=2)
    made = rollout.rolled(*context.page.key)
    for row, shares in enumerate(made.rolled[1]):
        said = rollout.row_said(context, made, 2, row)
        others = [share for i, share in enumerate(shares) if i != row]
        assert ranks not in said or max(others) <= shares[row]


def test_importance_points_at_a_head_where_the_two_part(opened):
    page = opened("attention", "en", section="importance", guess="skip")
    assert "not how much it adds" in page.html and "A contribution is not a cause either" in page.html
    long = opened("attention", "en", section="importance", text="cat " * 140, guess="skip")
    assert "There are 142 keys" in long.html


@pytest.mark.parametrize("section", SECTIONS)
def test_every_choice_moves_what_is_drawn_from_it(section):
    query = {"section": section}
    for name in ("head", "show", "q", "k", "dim"):
        assert "derivation" in (STAGE.concerned(query, {name: 1}) or ())
    assert STAGE.concerned({}, {"q": 1, "k": 2}) == ["derivation"]  # a click costs what it did
    assert STAGE.concerned({"section": "maps"}, {"map": "key"}) == [maps.FOLLOWS]
    assert STAGE.concerned({"section": "scale"}, {"dk": 7}) == [scale.MEASURED]
    for name in STAGE.sections[section].redraws:
        assert {"section", "picture"} & set(STAGE.concerned(query, {name: "1"}) or ())


def test_where_the_numbers_of_our_own_model_began(looked):
    (said,) = maps.began(looked("attention", text=CHINESE, guess="skip"))
    assert "0.153" in said and maps.began(looked("attention", text="The cat sat on the mat.", guess="skip")) == []


@pytest.mark.parametrize("q", [0, 150, 300])
def test_masks_of_a_long_text_are_sent_around_the_query(looked, q: int) -> None:
    context = looked("attention", "en", text="the cat sat " * 100, guess="skip", section="masks", q=q)
    made = masks.made_of(context)
    sent = masks.picture(context, made, "weights")
    rows, columns = sent.rows, sent.columns
    assert rows.from_ <= q < rows.from_ + rows.count == rows.from_ + WINDOW
    (plane,) = sent.planes.values()
    own = made.weights[rows.from_ : rows.from_ + rows.count, columns.from_ : columns.from_ + columns.count]
    assert np.array_equal(plane, own, equal_nan=True)
    said = context.t.html("window", first=rows.from_, last=rows.from_ + WINDOW - 1, n=len(context.view.queries))
    assert masks.cut(context) == [said]
