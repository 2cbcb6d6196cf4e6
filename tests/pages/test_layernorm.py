"""The layernorm page through AppTest: both languages, both models, the veil, the hand calculation, bad input."""

import html
import json
import re
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from core import Model, capture
from core.derivation.layernorm import PARTS
from core.views.arrangements import starts
from core.views.layernorm import norm_view, places
from core.views.norms import written
from pages.shared.words.texts import LANGUAGES, lesson
from pages.shared.words.texts import words as words_of
from pages.stages.layernorm import STAGE, hand
from pages.stages.layernorm.context import GIVEN
from pages.stages.layernorm.words import attempt, changed, left_by, notices
from tests.profiles import some
from tests.written import NUMBER, number

CHINESE = "我昨天在北京买了三本书"
BOTH = [("minilm", "The cat sat on the mat."), ("translator", CHINESE)]
MADE = ("before", "normalized", "after")
SECTIONS = {"where": "where.title", "depth": "depth.title", "traits": "traits.title", "hand": "hand.title",
            "start": "start.title"}  # fmt: skip


def visit(opened, **parameters):
    page = opened("layernorm", parameters.pop("lang", "en"), **parameters)
    unfilled = re.findall(r"\{[a-z_]+\}", page.html)
    assert not unfilled, unfilled
    return page


def lanes(page) -> tuple[dict, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The header; key -> [lane, d_model]; fixed lane -> [d_model]."""
    header, body = page.packed("lanes")
    fixed = [lane["id"] for lane in header["lanes"] if lane["fixed"]]
    made = [lane["id"] for lane in header["lanes"] if not lane["fixed"]]
    values = np.frombuffer(body, "<f4").reshape(-1, header["count"])
    planes = values[len(fixed) :].reshape(len(header["planes"]), len(made), header["count"])
    return header, dict(zip(header["planes"], planes, strict=True)), dict(zip(fixed, values, strict=False))


def notes(page) -> list[str]:
    return [e.proto.body for e in page.app.get("html") if "class='note'" in e.proto.body]


def followed(page) -> dict:
    return page.data("derivation")


# ---- the picture


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
def test_lanes_are_the_captured_numbers(opened, lang: str, model: str, text: str, minilm: Model) -> None:
    from pages.shared.server import cached

    page = visit(opened, lang=lang, text=text, guess="skip", norm=2, pos=3)
    loaded = cached.model(model)
    view = norm_view(capture(loaded, text), loaded, places(loaded)[1])
    header, planes, fixed = lanes(page)
    own = next(key for key in planes if key.endswith("own/as_is"))
    np.testing.assert_array_equal(planes[own], [getattr(view.captured, part)[3] for part in MADE])
    np.testing.assert_array_equal(fixed["gamma"], view.gamma)
    np.testing.assert_array_equal(fixed["beta"], view.beta)
    assert len(planes) == 16 and header["planes"][0].startswith("2/3/layer/")


def test_times_ten_plus_five_moves_nothing_until_epsilon_is_raised(opened) -> None:
    page = visit(opened, guess="skip", norm=1)
    header, planes, _ = lanes(page)
    by = {tuple(key.split("/")[3:]): plane[2] for key, plane in planes.items()}
    assert np.abs(by["own", "both"] - by["own", "as_is"]).max() < 2e-6
    moved = np.abs(by["1e-5", "both"] - by["1e-5", "as_is"]).max()
    assert 1e-3 < moved < 1e-2
    key = next(key for key in header["planes"] if key.endswith("1e-5/both"))
    assert f"{moved:.4g}" in header["said"][key]


@pytest.mark.parametrize(("model", "text"), BOTH)
def test_every_norm_opens(opened, model: str, text: str, minilm: Model) -> None:
    from pages.shared.server import cached

    for norm, place in enumerate(places(cached.model(model)), 1):
        page = visit(opened, text=text, guess="skip", norm=norm)
        assert lanes(page)[0]["planes"][0].startswith(f"{norm}/")
        row = page.data("strip")
        assert (row["written"] is not None) == (model == "translator")
        marks = row["written"]["row"]["marks"] if cached.model(model).of_target(place) else row["row"]["marks"]
        assert marks["click"] == "pos"
        assert "✓" in json.dumps(followed(page), ensure_ascii=False)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("method", ["layer", "rms", "batch", "none"])
@pytest.mark.parametrize("part", ["before", "mean", "variance", "normalized", "gamma", "beta", "after"])
def test_each_part_is_followed(opened, lang: str, method: str, part: str) -> None:
    data = followed(visit(opened, lang=lang, guess="skip", method=method, part=part, given="both"))
    if part in ("gamma", "beta") and part in PARTS[method]:  # learned, not made
        assert data["end"] and not data["steps"]
        return
    assert data["steps"] and "check" in data["steps"][-1]
    difference = data["steps"][-1]["check"]
    assert number(re.findall(NUMBER, difference)[-1]) < 1e-3


# ---- the question


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
def test_while_it_is_open_nothing_answers_it(opened, lang: str, model: str, text: str) -> None:
    page = visit(opened, lang=lang, text=text, section="traits")
    choices = {"tenfold", "same", "tenth"} if model == "minilm" else {"larger", "same", "smaller"}
    assert {"skip", *(f"guess_{id}" for id in choices)} <= {b.key for b in page.app.button}
    header, planes, _ = lanes(page)
    for key, plane in planes.items():
        changed = not key.endswith("/as_is")
        assert np.isfinite(plane[0]).all() and np.isnan(plane[1:]).all() == changed
        assert ("normalized" in header["stats"][key]) != changed
        if changed:
            assert header["said"][key] == lesson("_common")[lang]["veiled_step"]
    assert "10⁻⁷" not in page.html and "10⁻⁶" not in page.html.split("<table")[0]
    veiled = lesson("_common")[lang]["matrix.veiled"]
    assert page.html.count(f"<td>{veiled}</td>") == 8
    for section in SECTIONS:
        other = visit(opened, lang=lang, text=text, section=section).html
        assert "10⁻⁷" not in other and "10⁻⁶" not in other.split("<table")[0]
    hidden = followed(visit(opened, lang=lang, text=text, given="times"))
    assert (hidden["value"], hidden["steps"]) == (veiled, [])


@pytest.mark.parametrize("part", ["normalized", "after"])
def test_a_veiled_number_is_not_followed(opened, part: str) -> None:
    page = visit(opened)
    for name, value in {"given": "both", "part": part}.items():
        page.app.query_params[name] = value
    data = followed(page.run())
    assert data["value"] == "veiled" and data["steps"] == []
    page.app.query_params["part"] = "variance"
    assert followed(page.run())["steps"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("guess", ["same", "tenfold"])
def test_an_answer_shows_it(opened, lang: str, guess: str) -> None:
    page = visit(opened, lang=lang, text="The cat sat on the mat.")
    page.app.button(key=f"guess_{guess}").click()
    page.run()
    words = lesson("_common")[lang]
    assert words["predict_right" if guess == "same" else "predict_wrong"] in page.html
    assert all(np.isfinite(plane).all() for plane in lanes(page)[1].values())
    assert "0.636" in page.html and "6.36" in page.html


# ---- by hand


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("vector", "said"),
    [
        ("1,2,3,4", ["2.500", "1.250", "1.67", "−1.16", "−1.34"]),
        ("1,-2", ["(−2)", "2.250"]),
        ("7", ["7.000"]),
        ("3,3,3", ["3.000", "1e-5"]),
        ("1,abc", ["abc", "2"]),
        ("1,nan", ["nan", "2"]),
        ("inf", ["inf", "1"]),
        ("1e9,1", ["1e9", "1,000,000"]),
        ("1,2,,4", ["3"]),
        (",".join("1" * 13), ["13", "12"]),
        ("<b>x</b>", ["&lt;b&gt;x"]),
        (" ", ["12"]),
    ],
)
def test_a_small_vector(opened, lang: str, vector: str, said: list[str]) -> None:
    page = visit(opened, lang=lang, guess="skip", section="hand", vector=vector)
    bodies = " ".join(e.proto.body for e in page.app.get("html"))
    assert [one for one in said if one not in bodies] == []
    wrong = (
        any(word in vector for word in ("abc", "nan", "inf", "1e9", ",,", "<"))
        or vector.count(",") > 11
        or vector == " "
    )
    assert len(notes(page)) == wrong


def test_one_number_and_equal_numbers_are_explained(opened) -> None:
    words = lesson("layernorm")["en"]
    assert words["hand.single"] in visit(opened, guess="skip", section="hand", vector="7").html
    constant = words["hand.constant"].replace("{epsilon}", "0.1")
    assert constant in visit(opened, guess="skip", section="hand", vector="3,3", small="0.1").html


def test_what_is_typed_goes_into_the_address_and_is_computed(opened) -> None:
    page = visit(opened, guess="skip", section="hand")
    page.typed("vector", "1 8，3,4")
    assert page.app.query_params["vector"] == "1 8，3,4"
    assert "(1 + 8 + 3 + 4)" in page.html


@given(st.lists(st.floats(-99, 99).map(lambda x: f"{x:.3g}"), min_size=1, max_size=12), st.data())
def test_numbers_are_read_whatever_stands_between_them(numbers: list[str], data: st.DataObject) -> None:
    between = st.sampled_from([",", ", ", "，", "、", " ", " ; ", "\t"])
    typed = "".join(number + data.draw(between) for number in numbers[:-1]) + numbers[-1]
    assert hand.entries(f" {typed} ") == numbers


# ---- the sections, one at a time


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
@pytest.mark.parametrize("section", SECTIONS)
def test_one_section_at_a_time(opened, lang: str, model: str, text: str, section: str) -> None:
    page = visit(opened, lang=lang, text=text, guess="skip", section=section)
    said = lesson("layernorm")[lang]
    heading = lambda name: said[SECTIONS[name]].partition("{")[0]  # noqa: E731
    found = lambda: [name for name in SECTIONS if f"<h2 class='part'>{heading(name)}" in page.html]  # noqa: E731
    assert found() == [section]
    page = visit(opened, lang=lang, model=model, text=text, guess="skip")
    assert found() == []  # a page opens with all of them closed


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
def test_other_norms_on_the_same_numbers(opened, lang: str, model: str, text: str) -> None:
    page = visit(opened, lang=lang, text=text, guess="skip", section="traits", pos=2)
    said = lesson("layernorm")[lang]
    heads = f"<th>{said['traits.kind']}</th>"
    rows = re.findall(r"<tr>(.*?)</tr>", page.html.partition(heads)[2].partition("</table>")[0])
    cells = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows]
    assert [row[0] for row in cells] == [said[f"methods.{kind}"] for kind in ("layer", "rms", "batch", "none")]
    for row in cells:
        for i, verdict in enumerate(row[1:]):
            sign, *numbers = verdict.replace("… ", "").split()
            apart = [abs(x - (i == 1)) for x in map(number, numbers)]  # of a deviation, from 1
            assert sign in "✓✗" and (max(apart) < 1e-3) == (sign == "✓"), (row[0], verdict)
    plus = [number(row[4].split()[1]) for row in cells]
    assert plus[0] < 1e-3 < plus[1] and plus[3] == pytest.approx(5, abs=1e-3)
    assert heads not in visit(opened, lang=lang, text=text, guess="skip").html


@pytest.mark.parametrize("text", [*(text for _, text in BOTH), "dog bites man", "老师昨天买的书很贵", "a"])
def test_what_goes_wrong_without_is_this_sentences_own(opened, text: str) -> None:
    """Run anew here, with no norm in the layers."""
    from core.zoo import rearranged
    from pages.shared.server import cached
    from pages.shared.words.numbers import PROSE, short

    model = cached.model("translator" if any(c >= "一" for c in text) else "minilm")
    run = capture(rearranged(model, "input"), text)
    taps = ["encoder.0.attention.skip", *(f"encoder.{i}.output" for i in range(model.config.layers))]
    first, last = (float(run[tap].std(-1).mean()) for tap in (taps[0], taps[-1]))
    html = re.sub("<.*?>", "", visit(opened, text=text, guess="skip").html)  # both can be pressed
    said = rf"would go from {short(first, PROSE)} to {short(last, PROSE)} in {model.config.layers} layers\."
    assert last > first and re.search(said, html)


def test_of_a_long_text_the_growth_is_not_run(opened) -> None:
    html = visit(opened, text="the cat and the dog " * 40, guess="skip").html
    assert "so its size can drift" in html and "without norms in the layers" not in html


@pytest.mark.parametrize("text", ["我", "我昨天在北京买了三本书", "The cat sat on the mat.", "a"])
@pytest.mark.parametrize("norm", [1, 3, 6])
def test_a_token_alone_is_said_to_differ_only_where_it_does(opened, text: str, norm: int) -> None:
    """In front of the decoder's norms, an empty translation has one row."""
    parameters = {"text": text, "model": "translator" if "我" in text else "minilm", "norm": norm}
    page = visit(opened, guess="skip", section="traits", **parameters)
    rows = re.findall(r"<tr>(.*?)</tr>", page.html.partition("<table class='shapes named wrapped'>")[2])
    batch = next(row for row in rows if "BatchNorm" in row)
    alone = re.sub("<.*?>", "", re.findall(r"<td>(.*?)</td>", batch)[-1])
    assert ("comes out of BatchNorm differently" in page.html) == (alone != "0")
    assert ("is the only token, so" in page.html) == (
        alone == "0"
    ) and "averages collected during training" in page.html


def test_one_token_is_not_measured_against_others(opened) -> None:
    page = visit(opened, text="", model="translator", guess="skip", section="traits")
    assert "is the only token, so" in page.html and "play no part" not in page.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
def test_three_arrangements(opened, lang: str, model: str, text: str) -> None:
    stacks = visit(opened, lang=lang, text=text, guess="skip", section="where").data("blocks")["stacks"]
    assert list(stacks) == (["encoder"] if model == "minilm" else ["encoder", "decoder"])
    for data in stacks.values():
        assert [a["id"] for a in data["arrangements"]] == ["post", "pre", "input"]
        post, pre, on_input = data["arrangements"]
        assert all(len(a["stream"]) == data["layers"] + 1 == len(a["states"]) + 1 for a in data["arrangements"])
        assert pre["exit"] and not post["exit"] and on_input["entrance"]
        assert post["entrance"] == (model == "minilm")
        assert on_input["stream"][-1] > pre["stream"][-1] > post["stream"][-1]
        assert len({a["note"] for a in data["arrangements"]}) == 3
        ids = [state["id"] for state in post["states"][0]]
        assert [id for id in ids if id.endswith(".norm")] == [f"{part['id']}.norm" for part in data["parts"]]
        assert not [s["id"] for s in on_input["states"][0] if s["id"].endswith(".norm")]
        assert ["exit" in [s["id"] for s in states] for states in pre["states"]][-1:] == [True]


@pytest.mark.parametrize(("model", "text", "own"), [("minilm", "The cat sat.", "post"), ("poet", "床前明月光", "pre")])
def test_the_arrangement_it_was_trained_in_is_its_own(opened, model: str, text: str, own: str) -> None:
    page = visit(opened, text=text, model=model, guess="skip", section="where")
    notes = {a["id"]: a["note"] for stack in page.data("blocks")["stacks"].values() for a in stack["arrangements"]}
    assert [id for id, note in notes.items() if "This model was trained like this" in note] == [own]
    assert all(("were not trained like this" in note) == (id != own) for id, note in notes.items())


def test_the_translator_writes_with_its_norms_elsewhere(opened) -> None:
    words = visit(opened, text=CHINESE, guess="skip", section="where").html
    assert "post-norm “I bought three books in Beijing yesterday”" in words
    assert words.count("I bought three books in Beijing yesterday") == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_experiment_gave_is_said(opened, lang: str) -> None:
    page = visit(opened, lang=lang, guess="skip", section="start")
    assert f"<code>{starts().command}</code>" in page.html
    assert "62,890" in page.html and "5.18" in page.html and "2.71 × 10¹²" in page.html
    assert len(page.app.get("plotly_chart")) == 2 and "assets/experiments/layernorm.json" in page.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("section", "charts"), [("depth", 1), ("start", 2)])
def test_charts_are_made_for_the_paper_they_stand_on(opened, lang: str, section: str, charts: int) -> None:
    for theme, paper in (("light", "#1c2126"), ("dark", "#e9ebec")):
        page = visit(opened, lang=lang, guess="skip", theme=theme, section=section)
        assert [paper in chart.proto.spec for chart in page.app.get("plotly_chart")] == [True] * charts


def test_gammas_of_every_norm_stand_under_each_other(opened, minilm: Model) -> None:
    header, body = visit(opened, guess="skip", section="depth").packed("matrix")
    gammas = np.stack([minilm.network.get_parameter(f"{place}.gamma").detach().numpy() for place in places(minilm)])
    shown = np.frombuffer(body, "<f4").reshape(13, 384)
    np.testing.assert_allclose(shown, gammas - np.median(gammas, axis=-1, keepdims=True), atol=1e-6)
    assert (header["rows"]["param"], header["rows"]["from"], header["columns"]["param"]) == ("norm", 1, "dim")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("model", "text"), BOTH)
def test_open_it(opened, lang: str, model: str, text: str) -> None:
    page = visit(opened, lang=lang, text=text, guess="skip", open=1)
    code = " ".join(block.value for block in page.app.code)
    assert "x.mean(-1)" in code and "class" not in code.split("def forward")[0]
    difference = re.search(rf"(?:difference|相差) ({NUMBER})", page.html.split("torch.nn.LayerNorm")[1])
    assert difference and number(difference[1]) < 2e-5
    assert any(r"\sqrt" in element.value for element in page.app.latex)


@pytest.mark.parametrize(("norm", "eps"), [(1, "1e-5"), (4, "0.1")])
def test_the_try_button_sets_up_what_is_seen(opened, norm: int, eps: str) -> None:
    """Of small vectors a small ε; of larger ones a large one."""
    page = visit(opened, guess="skip", norm=norm)
    page.app.button(key="try").click()
    page.run()
    assert (page.app.query_params["given"], page.app.query_params["eps"]) == ("both", eps)


# ---- bad input


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "broken",
    ["norm=0", "norm=14", "norm=x", "given=11x", "eps=1", "method=group", "part=middle", "pos=9", "dim=384", "layer=7",
     "dim=-1", "section=everywhere"],
)  # fmt: skip
def test_a_broken_address_is_mended_with_a_sentence(opened, lang: str, broken: str) -> None:
    name, value = broken.split("=")
    page = visit(opened, lang=lang, text="The cat sat on the mat.", guess="skip", **{name: value})
    assert len(notes(page)) == 1 and broken in notes(page)[0]


TEXTS = {
    "empty": "",
    "one": "x",
    "emoji": "👩\u200d💻 😀",
    "rtl": "שלום עולם \u202eabc",
    "script": "<script>alert(1)</script> <b>the</b>",
    "chinese": CHINESE,
    "one character": "书",
    "unknown": "螺蛳粉",
    "long": "the cat " * 300,
    "long chinese": "我昨天在北京买了三本书" * 30,
}


@pytest.mark.parametrize("name", TEXTS)
def test_any_text(opened, name: str) -> None:
    """Every section of every text, in one language or the other: of two texts that follow each other, in both."""
    first = list(TEXTS).index(name) % 2
    for i, section in some(list(enumerate(SECTIONS, first))[list(TEXTS).index(name) % len(SECTIONS) :]):
        lang = LANGUAGES[i % 2]
        page = visit(opened, lang=lang, text=TEXTS[name], guess="skip", section=section)
        raw = " ".join(e.proto.body for e in page.app.get("html") if "<style" not in e.proto.body)
        assert "<script>" not in raw and "<b>the</b> the" not in raw
        assert all(np.isfinite(plane).all() for plane in lanes(page)[1].values())
        assert followed(page)["steps"]


def test_what_is_sent_is_bounded(opened) -> None:
    page = visit(opened, guess="skip", text="the cat and the dog " * 100)
    assert len(page.proto("lanes").bytes) < 100_000


# ---- what is drawn anew


def test_a_control_redraws_what_shows_it_and_nothing_else() -> None:
    assert STAGE.concerned({}, {"norm": "2"}) == ["picture"]
    assert STAGE.concerned({"section": "traits"}, {"pos": "3"}) == ["picture", "section"]
    assert STAGE.concerned({}, {"given": "both", "eps": "0.1"}) == ["derivation"]  # the browser has every lane
    assert STAGE.concerned({}, {"part": "mean", "dim": "7"}) == ["derivation"]
    assert STAGE.concerned({}, {"layer": "6"}) == []  # and every layer of the three arrangements
    assert STAGE.concerned({"section": "hand"}, {"vector": "1,2"}) == ["section"]


NO_PAGE: Any = None  # what these parameters have no need of


def test_the_own_parameters_of_a_section_redraw_it() -> None:
    for id, section in STAGE.sections.items():
        own = set(section.parameters(NO_PAGE, None))
        assert own <= set(section.redraws), id
        assert all("section" in (STAGE.concerned({"section": id}, {name: "1"}) or ()) for name in own)
    assert set(STAGE.sections["hand"].parameters(NO_PAGE, None)) == {"vector", "small"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_norm_that_subtracts_no_mean_is_not_called_by_the_others_name(lang: str) -> None:
    said = words_of(lang, "layernorm", traits=("next", "pre", "rms"))
    own = ("question", "lead", "predict.", "notice.", "slides.", "recap.")
    called = [key for key, text in said.items() if key.startswith(own) and re.search("LayerNorm|层归一化", text)]
    assert called == [] and "RMSNorm" in said["question"]


@pytest.mark.parametrize(
    ("model", "text", "cause"),
    [("minilm", "The cat sat.", "rounding"), ("translator", "我买了书", "rounding"), ("smollm2", "The cat", "epsilon")],
)
def test_what_lets_a_scale_through_is_named_as_its_cause(looked, model: str, text: str, cause: str) -> None:
    """PyTorch's own norm, in double precision: where ε is the cause, it moves the outputs as far there."""
    context = looked("layernorm", "en", model=model, text=text, guess="skip")
    view, row = context.view, torch.tensor(context.view.captured.before[context.row], dtype=torch.float64)
    gamma, change = torch.from_numpy(view.gamma).double(), 10 * row + 5 * (view.kind == "layer")

    def outputs(x: torch.Tensor) -> torch.Tensor:
        norm = functional.layer_norm if view.kind == "layer" else functional.rms_norm
        return norm(x, x.shape, gamma, eps=view.epsilon)

    apart = float((outputs(change) - outputs(row)).abs().max())
    own = float(context.changes(view.kind).moved[list(GIVEN).index(changed(context)), 0])
    assert apart == pytest.approx(own, rel=0.05) if cause == "epsilon" else apart < 0.05 * own
    assert left_by(context, list(GIVEN).index(changed(context)), own) == cause
    assert context.t(f"notice.left.{cause}", epsilon=written(view.epsilon)) in html.unescape(notices(context)[-1])


@pytest.mark.parametrize(("model", "text"), [("poet", "床前明月光"), ("minilm", "The cat sat.")])
def test_no_model_is_told_to_raise_epsilon_to_its_own(looked, model: str, text: str) -> None:
    context = looked("layernorm", model=model, text=text, guess="skip")
    own, (_, sets) = context.view.epsilon, attempt(context)
    assert float(str(sets["eps"])) > own


@pytest.mark.parametrize(("model", "text", "norm"), [*((*both, norm) for both, norm in zip(BOTH, (4, 2), strict=True))])
def test_it_opens_where_the_norm_changes_something(looked, model: str, text: str, norm: int) -> None:
    """And the question is about the same place, and a token whose size changes there."""
    context = looked("layernorm", model=model, text=text, guess="skip")
    spread = float(context.view.captured.before[context.row].std())
    assert context.values["norm"] == norm and abs(np.log(spread)) > 0.4
    assert context.row == context.question.row and context.question.facts["spread"] == pytest.approx(spread, rel=1e-4)
