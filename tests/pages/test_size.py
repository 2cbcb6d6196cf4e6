"""The size lab: every number against a live model, the veil, bad input, both languages."""

import json
import re
from math import prod

import pytest

from core import reference
from core.lessons.size import Shape, parameters, total, work
from core.views.size import SHOWN
from core.zoo import SOURCES
from pages.shared.words.texts import Texts
from pages.stages.size import words
from pages.stages.size.context import known_models
from pages.stages.size.followed import followed
from pages.stages.size.growing import curves, growing
from pages.stages.size.models import a_layer
from pages.stages.size.numbers import bytes_of, counted, percent
from pages.stages.size.opened import opened as opened_of
from pages.stages.size.picture import BESIDE, FEWEST, controls, models, rows_of, shares, treemap

LLAMAS = {"llama_8b": 8_030_261_248, "llama_70b": 70_553_706_496, "llama_405b": 405_853_388_800}  # of their files
MODELS = ("bert_tiny", "bert_base", "bert_large", "gpt2", "opt", "gpt3", *LLAMAS, "base", "big", *SOURCES)


@pytest.mark.parametrize("d", [4, 384, 768, 2048, 12288])
def test_what_is_said_of_what_a_layer_costs(d: int) -> None:
    assert a_layer(d) == 12 * d * d + 13 * d

    def of(d: int) -> tuple[dict[str, int], dict[str, int]]:
        shape = Shape("encoder", 100, d, 1, 1, 4 * d, 16)
        return {c.id: c.value for c in work(shape)}, {c.id: c.value for c in parameters(shape)}

    (once, small), (twice, large) = of(d), of(2 * d)
    assert [twice[id] / once[id] for id in ("projections", "feedforward", "mixing")] == [4, 4, 2]
    assert large["token"] == 2 * small["token"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_veiled_on_the_model_in_use(opened, lang: str) -> None:
    page = opened("size", lang)
    drawn, beside = (json.loads(proto.json)[0] for proto in page.protos("shares"))
    (whole,) = drawn["rows"]
    assert (whole["total"], whole["value"], whole["said"]) == (True, "22,565,376", "")
    assert "11,720,448" not in page.html + str(page.data("derivation")) + str(drawn) + str(beside)
    (matrix, left) = page.data("derivation")["steps"]
    assert (matrix["operation"], matrix["value"], left["value"]) == ("384 × 384", "147,456", "?")


@pytest.mark.parametrize(("model", "alike"), [("minilm", True), ("translator", True), ("smollm2", False)])
def test_matrices_of_one_size_are_multiplied_and_others_added(opened, model: str, alike: bool) -> None:
    said = opened("size", "en", model=model).data("derivation")["steps"][1]["operation"]
    assert ("how many" in said, "added" in said) == (alike, not alike)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_one_row_of_controls_in_which_every_model_has_its_group(looked, lang: str) -> None:
    found = controls(looked("size", lang))
    shown, model = found.controls
    assert {id for id, _ in model.options} == set(MODELS) and shown.name == "show"
    assert len(model.groups) == len(model.options)  # and those of a group stand together
    assert [group for i, group in enumerate(model.groups) if group not in model.groups[:i]] == [
        group for i, group in enumerate(model.groups) if i == 0 or group != model.groups[i - 1]
    ]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", ["growth", "models", "head", "tied"])
def test_every_section_is_drawn(opened, lang: str, section: str) -> None:
    page = opened("size", lang, guess="skip", section=section, open="1")
    expected = {"growth": "× 2<", "models": "174,604,259,328", "head": "589,824", "tied": "11,750,970"}
    assert expected[section] in page.html
    assert page.data("derivation")["value"] == "11,720,448"


@pytest.mark.parametrize("preset", MODELS)
@pytest.mark.parametrize("show", SHOWN)
def test_what_is_followed_is_what_is_shown_and_what_is_live(looked, preset: str, show: str) -> None:
    for precision in ("fp32", "fp16", "int8"):
        context = looked("size", guess="skip", preset=preset, show=show, precision=precision)
        for row in rows_of(context):
            one = looked("size", guess="skip", preset=preset, show=show, precision=precision, part=row.id)
            told = followed(one)
            assert told.value == row.value and " 0" in told.steps[-1].check, (row, told)
    assert opened_of(context).compare()[1] == 0
    curves(context, growing(context)).pack()


def test_the_models_sizes_are_the_defaults_and_another_model_takes_its_own(looked) -> None:
    context = looked("size", guess="skip", preset="gpt3", d=2048)
    assert context.shape.d_ff == 8192 and context.shape.heads == 64 and context.view.changed
    assert total(parameters(looked("size", preset="translator").shape)) == 1_077_760
    assert looked("size", "zh", text="我昨天在北京买了三本书").view.preset == "translator"
    assert set(MODELS) == set(known_models())


@pytest.mark.parametrize(
    "query",
    [
        {"d": 1},
        {"d": 7, "stack": "both"},
        {"d": 1000, "h": 12},
        {"d": 10**7, "n": 10**9, "layers": 10**6, "vocab": 10**9, "ff": 10**8, "h": 10**6, "batch": 10**9},
        {"n": 1, "layers": 1, "vocab": 1, "d": 1, "h": 1, "ff": 1, "stack": "decoder", "tied": "off"},
        {"stack": "both", "tied": "off", "precision": "int8"},
        {"stack": "llama", "tied": "off"},
        {"stack": "llama", "d": 9, "h": 3},
    ],
)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_any_size_makes_a_page(looked, lang: str, query: dict) -> None:
    for show in SHOWN:
        context = looked("size", lang, guess="skip", show=show, **query)
        shares(context).data()
        controls(context).data()
        followed(context)
        words.notices(context)
        words.to_try(context)
        curves(context, growing(context)).pack()


@pytest.mark.parametrize("name", SOURCES)
def test_a_model_that_runs_here_is_counted_to_the_parameter(looked, name: str) -> None:
    assert total(looked("size", guess="skip", preset=name).view.counts["parameters"]) == SOURCES[name].parameters


@pytest.mark.skipif("smollm2" not in SOURCES, reason="it is not here")
def test_formulas_of_a_llama_are_its_own(looked, opened) -> None:
    of = {"guess": "skip", "preset": "smollm2"}
    shown = {part: opened_of(looked("size", part=part, **of)) for part in ("attention", "norms")}
    assert r"2 \cdot d \cdot d_{\mathrm{kv}}" in shown["attention"].formula
    assert r"576 \cdot 192" in shown["attention"].formula and shown["norms"].formula.startswith(r"\begin{aligned} & 61")
    assert [name for name, *_ in shown["norms"].shapes] == ["E", "W^Q", "W^K", "W^V", "W^O", "W_gate", "W_up", "W_down"]
    page = opened("size", "en", section="head", **of)
    assert "<sub>kv</sub> = 3\u00a0×\u00a064 = 192" in page.html and "3·d²" not in page.html


def test_what_does_not_fit_is_said(looked) -> None:
    context = looked("size", guess="skip", d=1000, h=12)
    assert context.shape.heads == 10
    assert [r.code for r in context.page.address.repairs] == ["size_heads"]
    context = looked("size", guess="skip", d=10**30, vocab="9" * 5000, n=-1, layers="x")
    assert [r.code for r in context.page.address.repairs] == ["address"] * 4 and context.shape.d_model == 384
    assert any("0" in said for said in words.notices(looked("size", guess="skip", d=1)))


def test_one_dimension_is_lost_only_where_a_mean_is_subtracted(looked) -> None:
    for stack, lost in (("encoder", True), ("llama", False)):
        context = looked("size", guess="skip", d=1, h=1, stack=stack)
        assert context.shape.d_model == 1 and (context.t.html("notice.one") in words.notices(context)) is lost


def test_numbers_are_written_so_that_they_can_be_read() -> None:
    assert counted(174_604_259_328) == "174,604,259,328" and counted(10**40) == "1.000×10⁴⁰"
    assert bytes_of(999) == "999 B" and bytes_of(90_261_504) == "90.26 MB" and bytes_of(10**30).endswith("EB")
    assert percent(0.5) == "50.0\u00a0%" and percent(0) == "0.0\u00a0%" and percent(1e-9) == "<\u00a00.1\u00a0%"


def test_the_question_is_of_the_model_that_reads(looked) -> None:
    assert looked("size").question.answer == "token"
    assert looked("size", text="我昨天在北京买了三本书").question.answer == "feedforward"
    assert not looked("size", d=100).veiled and looked("size").veiled


@pytest.mark.parametrize("preset", LLAMAS)
def test_llamas_are_counted_as_their_files_hold_them(looked, preset: str) -> None:
    assert total(looked("size", guess="skip", preset=preset).view.counts["parameters"]) == LLAMAS[preset]


@pytest.mark.parametrize("show", ["parameters", "work", "memory"])
@pytest.mark.parametrize("preset", MODELS)
def test_areas_are_shares(looked, preset: str, show: str) -> None:
    drawn = treemap(looked("size", guess="skip", preset=preset, show=show))
    assert sum(part.share for part in drawn.parts) == pytest.approx(1)
    if show == "parameters":
        rows = models(looked("size", guess="skip", preset=preset)).rows
        own = next(row for row in rows if row.id == preset)
        assert rows[0].share == 1 and own.share and len(rows) > 1
        for row in rows:
            counted = total(parameters(known_models()[row.id].shape))
            assert row.share == pytest.approx(own.share * counted / total(parameters(known_models()[preset].shape)))
        near = len(rows) > FEWEST
        assert rows[1].share and (rows[1].share / own.share <= BESIDE or not near)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("model", SOURCES)
def test_a_veiled_part_shows_its_matrices_and_not_how_many_numbers_they_hold(looked, model: str, lang: str) -> None:
    """The matrices of all layers hold what the part has, but for its biases; the product stands nowhere."""
    look = looked("size", lang, model=model)
    counts = {count.id: count for count in look.counts}
    assert look.veiled and len({(part.share, part.value) for part in treemap(look).parts}) == 1
    for part in treemap(look).parts:
        count = counts[part.id]
        layers = prod(n for name, n in count.times if not name.isdigit())
        held = layers * sum(rows * columns for rows, columns in part.made)
        assert 0 <= count.value - held <= 0.02 * count.value
        assert not any(f"{count.value:,}" in words for words in (*part.words, part.said))
        terms, asked = part.said.split(" = ")
        assert asked == "?" and eval(terms.replace(",", "").replace("×", "*")) == held


@pytest.mark.parametrize("show", ["work", "memory"])
def test_what_is_no_matrix_is_not_drawn_as_one(looked, show: str) -> None:
    look = looked("size", show=show, guess="open")
    assert look.veiled and not any(part.made or part.words for part in treemap(look).parts)
    assert "box" not in shares(look).caption


def test_what_the_authors_of_bert_large_counted() -> None:
    """The encoder, with the layer on [CLS], with the output of training: as Hugging Face builds them."""
    reference.load()
    import torch
    from transformers import BertConfig, BertForPreTraining, BertModel

    config = BertConfig(hidden_size=1024, num_attention_heads=16, num_hidden_layers=24, intermediate_size=4096)
    with torch.device("meta"):
        networks = (BertModel(config, add_pooling_layer=False), BertModel(config), BertForPreTraining(config))
        counted = [sum(parameter.numel() for parameter in network.parameters()) for network in networks]
    assert [f"{count / 1e6:.1f} M" for count in counted] == ["334.1 M", "335.1 M", "336.2 M"]
    assert counted[0] == total(parameters(known_models()["bert_large"].shape))
    assert f"{total(parameters(known_models()['gpt3'].shape)) / 1e9:.1f}" == "174.6"
    english, chinese = ("334.1 M", "335.1 M", "336.2 M", "174.6 B"), ("3.341 亿", "3.351 亿", "3.362 亿", "1,746 亿")
    for language, numbers in (("en", english), ("zh", chinese)):
        assert all(said in Texts(language, "size").words["models.large"] for said in numbers)


def test_counts_stand_in_the_units_of_the_language(opened) -> None:
    chinese, english = (opened("size", lang, guess="skip", section="models").html for lang in ("zh", "en"))
    assert "1,746\u00a0亿" in chinese and "1,750\u00a0亿" in chinese
    assert "174.6\u00a0B" in english and "175.0 B" in english


def test_parts_without_a_number_are_not_listed(opened) -> None:
    page = opened("size", "zh", guess="skip", section="growth").html
    assert "<td>–</td><td>–</td><td>–</td><td>–</td>" not in re.sub(r"<td[^>]*>", "<td>", page)
