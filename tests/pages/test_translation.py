"""The translation page: real steps, real candidates, the veil, the peeking, the builder, bad input, both languages."""

import json
import re

import numpy as np
import pytest

from core import capture, grammar, load_model
from core.capture import decode
from core.edits import lift_mask
from core.views.translation import right
from pages.shared.address.address import Address
from pages.shared.number.cell_path import free
from pages.shared.number.number_panel import Cells
from pages.shared.page.drawing import Drawing
from pages.shared.page.stage import PageContext
from pages.stages.translation import STAGE
from pages.stages.translation.change import options, suggestion
from pages.stages.translation.context import reference, settle, view_of
from pages.stages.translation.lifted_mask import changed_target
from pages.stages.translation.writing import beam, greedy
from tests.profiles import some
from tests.written import number

SECTIONS = ("change", "asks", "after", "masks", "peek")
FILM, BOOKS = "小明昨天晚上看了一部电影", "我昨天在北京买了三本书"
NASTY = (
    *("？", "。。。", "我", "饕餮 hello 我", "我" * 250, "猫<script>alert(1)</script>"),
    *("今天\u202e天气", "我👩\u200d👩\u200d👧", "请问，你想不想去看一看北京的长城？"),
)


@pytest.fixture(scope="module")
def model():
    return load_model("translator")


def everything(page) -> str:
    """All that was sent to the browser, but the bytes of the pictures."""
    return page.html + page.proto("derivation").json + page.proto("strip").json


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_writes_the_captured_translation(opened, model, lang):
    page = opened("translation", lang, text=BOOKS, guess="skip")
    header, body = page.packed("decoding")
    run = capture(model, BOOKS)
    assert header["written"] == ["I", "bought", "three", "books", "in", "Beijing", "yesterday", "[EOS]"]
    assert header["given"] == ["[BOS]", *header["written"][:-1]]  # one step apart
    planes = np.frombuffer(body, "<f4").reshape(len(header["planes"]), 8, 12)
    for name, plane in zip(header["planes"], planes, strict=True):
        layer, head = (int(i) - 1 for i in name.split("/"))
        np.testing.assert_array_equal(plane, run[f"decoder.{layer}.cross_attention.weights"][head])
    assert "{" not in page.html


def test_candidates_are_those_of_greedy_decoding(opened, model):
    header, _ = opened("translation", "en", text=BOOKS, guess="skip").packed("decoding")
    run, walked = capture(model, BOOKS), decode(model, BOOKS)
    for row, step in enumerate(header["steps"]):
        assert [c[1] for c in step["candidates"]] == [c.probability for c in walked[row].best.candidates]
        assert [c[0] for c in step["candidates"] if c[2]] == [run.target_out[row].text]
        assert step["candidates"][0][1] == pytest.approx(float(right(run)[row]), abs=1e-5)
        assert step["beams"] == []


def test_beam_search_shows_what_is_kept_and_each_number_can_be_followed(opened, looked, model):
    page = opened("translation", "en", text=BOOKS, guess="skip", search="beam")
    header, _ = page.packed("decoding")
    walked = decode(model, BOOKS, width=4)
    for row, step in enumerate(header["steps"]):
        assert [beam[1] for beam in step["beams"]] == [beam.log_probability for beam in walked[row + 1].beams]
    assert header["steps"][-1]["beams"][0][0] == "I bought three books in Beijing yesterday [EOS]"
    assert "Beam search keeps 4" in page.html
    cells = Cells(looked("translation", "en", text=BOOKS).page)
    for _, *numbers, _, trails in (kept for step in header["steps"] for kept in step["beams"]):
        for share, trail in zip(numbers, trails, strict=True):
            origin = free(cells, trail)
            assert origin and cells.value(origin) == pytest.approx(share, rel=1e-3, abs=1e-5), trail


def test_nothing_answers_the_open_question(opened):
    page = opened("translation", "en", text=FILM)
    header, body = page.packed("decoding")
    planes = np.frombuffer(body, "<f4").reshape(len(header["planes"]), len(header["given"]), -1)
    asked = header["written"].index("yesterday")
    assert np.isnan(planes[:, asked]).all() and not np.isnan(np.delete(planes, asked, axis=1)).any()
    weights = capture(load_model("translator"), FILM)["decoder.1.cross_attention.weights"][3, asked]
    assert f"{weights.max():.4f}" not in everything(page)
    assert page.query.get("q") is None or int(page.query["q"][0]) != asked
    page.app.button(key="skip").click()
    page.run()
    header, body = page.packed("decoding")
    assert not np.isnan(np.frombuffer(body, "<f4")).any()
    assert f"{weights.max():.4f}" in everything(page)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_english_sentence_stays_and_the_page_shows_its_own(opened, lang):
    page = opened("translation", lang, text="The cat sat on the mat.", guess="skip")
    assert page.packed("decoding")[0]["source"][:-1] == list(FILM)
    assert ("它自己的例句" if lang == "zh" else "a sentence of its own") in page.html
    page.run()
    assert "".join(page.query["text"]) == "The cat sat on the mat." and "model" not in page.query


def test_a_model_that_only_reads_gives_way(opened):
    page = opened("translation", "en", text=BOOKS, model="minilm", guess="skip")
    assert page.packed("decoding")[0]["source"][:-1] == list(BOOKS)
    assert "so the model that translates reads here" in page.html


@pytest.mark.parametrize("text", NASTY)
def test_any_chinese_text(opened, text):
    """Every section of every text, in one language or the other: of two texts that follow each other, in both."""
    odd = {"guess": "skip", "open": 1, "search": "beam", "layer": 1, "head": 1, "q": 0, "k": 0}
    first, each = NASTY.index(text), ({}, odd, *({"section": section} for section in SECTIONS[1:]))
    for i, more in some(list(enumerate(each, first))[first % len(each) :]):
        page = opened("translation", ("zh", "en")[i % 2], text=text, **more)
        assert page.data("derivation")["title"] and "{" not in page.html


@pytest.mark.parametrize("text", ["如果明天下雨，我就不去学校", "我昨天吃了螺蛳粉", "天上有很多鸟在飞", BOOKS])
def test_of_a_sentence_outside_the_grammar_certainty_is_not_called_right(opened, model, text: str) -> None:
    run = capture(model, text)
    ids = [token.id for token in run.target_out]
    sure = run["output.probabilities"][range(len(ids)), ids].min() >= 0.9
    html = opened("translation", "en", text=text, guess="skip").html
    outside = grammar.parse(text) is None
    assert ("being certain is not being right" in html) == (outside and sure)
    assert ("the translation may be wrong" in html) == (outside and not sure)


def test_what_it_does_not_know_is_named(opened):
    page = opened("translation", "en", text="我昨天吃了螺蛳粉", guess="skip")
    assert "[UNK]: 螺 蛳 粉" in page.html and "outside the grammar that the translator learned" in page.html


def test_a_translation_that_was_cut_says_so(opened, model):
    """No sentence of this grammar runs that far, so the model is made to write on and on."""
    text = "我" * 190
    run = capture(model, text)
    page = opened("translation", "en", text=text, guess="skip")
    assert run.cut == ("The translation was cut" in page.html)


@pytest.mark.parametrize(
    ("text", "said"), [("", "The sentence is empty"), (" ", "The sentence is empty"), ("？！。", "There is no word")]
)
def test_empty_and_punctuation(opened, text, said):
    page = opened("translation", "en", text=text)
    assert said in page.html and page.packed("decoding")[0]["source"][:-1] == list(FILM)


def test_punctuation_that_was_sent_to_the_translator(opened):
    page = opened("translation", "en", text="？！", model="translator", guess="skip")
    assert "no letters in the sentence" in page.html


@pytest.mark.parametrize(
    ("name", "value"), [("q", 99), ("k", -1), ("layer", 3), ("head", 5), ("j", "x"), ("search", "no")]
)
def test_a_broken_address_is_repaired(opened, name, value):
    page = opened("translation", "en", text=BOOKS, guess="skip", **{name: value})
    assert f"{name}={value} in the address cannot be used" in page.html


def test_a_cell_of_self_attention_is_followed_too(opened, model):
    page = opened("translation", "en", text=BOOKS, q=3, j=2, layer=1, head=2)
    run = capture(model, BOOKS)
    assert page.data("derivation")["exact"] == repr(float(run["decoder.0.self_attention.weights"][1, 3, 2]))
    assert "self-attention" in page.data("derivation")["where"]


def test_the_causal_mask_is_what_keeps_it_from_peeking(opened, model):
    page = opened("translation", "en", text=BOOKS, guess="skip", section="peek")
    rows = page.html.split("<table class='shapes peek'>")[1].split("<tr>")[2:]
    lifted = capture(model, BOOKS, target="I bought three books in Beijing yesterday", edits=(lift_mask(),))
    weights = np.stack([lifted[f"decoder.{i}.self_attention.weights"] for i in range(2)])
    later = np.triu(np.ones((8, 8)), 1)
    plain = capture(model, BOOKS, target="I bought three books in Beijing yesterday")
    for i, row in enumerate(rows):
        share, kept, lifted_p, still, leaks = [
            number(re.sub("<.*?>", "", cell.split("</td>")[0])) for cell in row.split("<td>")[2:]
        ]
        assert share == pytest.approx((weights * later)[:, :, i].sum(-1).mean(), rel=1e-3)
        assert kept == pytest.approx(float(right(plain)[i]), rel=1e-3)
        assert lifted_p == pytest.approx(float(right(lifted)[i]), rel=1e-3)
        assert (still == 0) == (i < 7)  # with the mask only the row that is given the changed word moves
        assert i == 7 or leaks > 0
    assert float(right(lifted).mean()) < float(right(plain).mean())  # trained with the mask, confused without it


def test_changing_the_thing_changes_the_verb(opened):
    page = opened("translation", "en", text=FILM, guess="skip", section="change")
    said = page.html.split("<div class='pair'>")[1:]
    assert "<b>watched</b> a <b>film</b>" in said[0] and "<b>read</b> a <b>book</b>" in said[1]
    assert "in the encoder 看 itself has attended elsewhere" in said[0] and "to 电" in said[0]


def test_the_builder_only_makes_sentences_it_knows(opened, model):
    page = opened("translation", "zh", text=FILM, guess="skip", section="change")
    for slot, option in (("verb", "买"), ("what", "书"), ("who", "妈妈")):
        builder = next(json.loads(proto.json)[0] for proto in page.protos("controls") if "builder" in proto.id)
        control = next(control for control in builder["controls"] if control["at"] == slot)
        variant = next(zh for zh, said in control["options"] if said == option)
        page = opened("translation", "zh", text=FILM, guess="skip", section="change", variant=variant)
        parts = grammar.parse(variant)
        assert parts is not None
        sentence = grammar.build(parts)
        assert dict(sentence.parts.words)[slot] == option
        assert capture(model, variant).text_out == sentence.en


def test_open_it(opened):
    page = opened("translation", "en", text=BOOKS, guess="skip", open=1)
    assert "PyTorch’s own nn.Transformer" in page.html
    assert any("def causal_mask" in block.value for block in page.app.code)


def test_every_form_has_words_for_its_slots(opened):
    from pages.shared.words.texts import Texts

    slots = {slot for form in grammar.FORMS.values() for slot in form.slots}
    for lang in ("zh", "en"):
        assert {slot for slot in slots if f"slots.{slot}" not in Texts(lang, "translation")} == set()


def test_a_masked_cell_says_that_it_is_masked(opened):
    page = opened("translation", "en", text=BOOKS, q=1, j=5)
    steps = page.data("derivation")["steps"]
    assert page.data("derivation")["value"] == "0" and any("−∞" in step["operation"] for step in steps)


def test_nobody_is_said_to_have_looked_at_himself(opened):
    for text in (FILM, BOOKS, "老师昨天买的书很贵"):
        html = opened("translation", "en", text=text, guess="skip").html
        for line in html.split("in the encoder ")[1:]:
            assert line.split(" had already")[0] != line.split("weight to ")[1].split("<")[0]


def test_what_comes_after_attention(opened, model):
    page = opened("translation", "en", text=BOOKS, guess="skip", section="after")
    lines = page.data("flow")["lines"]
    assert [(start.split(".", 2)[2], end.split(".", 2)[2]) for start, end, _, past in lines if past] == [
        ("self_attention.norm.output", "cross_attention.residual"),
        ("cross_attention.norm.output", "feedforward.residual"),
    ]
    assert "152,064 parameters once, not 456,192" in page.html
    assert all(parameter.grad is None for parameter in model.network.parameters())


def test_the_masks_are_the_models_own(opened, model):
    html = opened("translation", "en", text=BOOKS, guess="skip", section="masks").html
    run = capture(model, BOOKS, target="I bought three books in Beijing yesterday", pad_to=14)
    tables = html.split("<table class='mask'>")[1:]
    taps = ("encoder.0.attention.mask", "decoder.0.self_attention.mask", "decoder.0.cross_attention.mask")
    for table, tap in zip(tables, taps, strict=True):
        rows = [row.split("<td class='")[1:] for row in table.split("</table>")[0].split("<tr>")[2:]]
        assert [[cell.startswith("open") for cell in row] for row in rows] == (run[tap] == 0).tolist()


# ---- another sentence, another search: what is drawn anew


def test_the_step_ends_with_the_sentence(opened):
    """From the eighth step of eight to a sentence that is written in fewer."""
    page = opened("translation", "en", text=BOOKS, guess="skip", q=7, k=11, j=7, layer=1, variant=BOOKS)
    assert page.packed("decoding")[0]["written"][7] == "[EOS]"
    page.app.button(key="try").click()
    page.run()
    assert page.address["text"] != BOOKS and not {"q", "k", "j", "variant"} & set(page.address)
    assert page.address["layer"] == "1" and "cannot be used" not in page.html
    header, _ = page.packed("decoding")
    assert page.data("address")["params"]["q"]["default"] < len(header["given"])


def test_another_search_redraws_the_picture():
    assert STAGE.concerned({}, {"search": "beam"}) == ["picture"]


@pytest.mark.parametrize(
    ("section", "patch", "pieces"),
    [
        ("change", {"q": 3, "k": 2, "j": None}, ["derivation"]),
        ("change", {"variant": FILM}, ["section"]),
        ("asks", {"layer": 1}, ["derivation", "section"]),
        ("after", {"layer": 1}, ["derivation", "section"]),
        ("masks", {"layer": 1, "head": 2}, ["derivation"]),
    ],
)
def test_a_control_redraws_what_shows_it(section, patch, pieces):
    assert STAGE.concerned({"section": section}, patch) == pieces


def test_every_parameter_of_a_section_is_drawn_from():
    page = a_page(BOOKS)
    view = view_of(page.text)
    assert all(set(section.parameters(page, view)) <= set(section.redraws) for section in STAGE.sections.values())


# ---- functions, without a server


def a_page(text: str) -> PageContext:
    page = PageContext(STAGE, Address({"text": text}, "en"), Drawing(STAGE, {}))
    settle(page)
    return page


def test_this_page_reads_chinese():
    page = a_page("xyz")
    assert (page.text, page.address.own_text, page.address.model) == (FILM, "xyz", "translator")
    assert [repair.code for repair in page.address.repairs] == ["reads_chinese"]
    assert a_page(BOOKS).text == BOOKS and not a_page(BOOKS).address.repairs


def test_what_is_kept_ends_in_what_is_written():
    assert greedy(BOOKS).text == beam(BOOKS).text == "I bought three books in Beijing yesterday"
    assert len(beam(BOOKS).steps) == len(view_of(BOOKS).given) == 8
    assert all(sum(might.taken for might in step.candidates) == 1 for step in greedy(BOOKS).steps)


def test_another_thing_another_verb():
    assert suggestion(FILM) == "小明昨天晚上看了一本书"
    known = reference(FILM)
    assert known is not None and "书" in options(known.parts, "what")
    assert reference("天地玄黄") is None and suggestion("天地玄黄") == FILM


def test_the_last_word_of_a_target_becomes_another(model):
    english = "I bought three books in Beijing yesterday"
    run = capture(model, BOOKS, target=english)
    assert changed_target(english, run) == "I bought three books in Beijing tomorrow"


def test_an_english_sentence_of_somebodys_opens_on_a_chinese_one_that_is_near():
    page = a_page("The teacher read a book yesterday.")
    assert page.text == "老师昨天看了一本书" and page.address.own_text == "The teacher read a book yesterday."
    assert [repair.code for repair in page.address.repairs] == ["reads_near"]


def test_to_the_sites_own_english_sentence_a_chinese_one_is_offered(opened):
    page = opened("translation", "en", guess="skip")
    button = page.app.button(key="near")
    assert "我有一只猫" in button.label and "I have a cat" in button.label
    button.click()
    page.run()
    assert page.address["text"] == "我有一只猫" and not [b for b in page.app.button if b.key == "near"]


@pytest.mark.parametrize("text", ["", "xyz", BOOKS])
def test_nothing_is_offered_where_nothing_is_near(opened, text):
    assert not [b for b in opened("translation", "en", text=text, guess="skip").app.button if b.key == "near"]


@pytest.mark.parametrize("text", [FILM, "我昨天吃了螺蛳粉", "天地玄黄", "朋"])
def test_how_sure_it_is_of_the_whole_is_said(opened, text):
    view, html = view_of(text), opened("translation", "en", text=text, guess="skip").html
    assert ("the grammar it learned from does not make this sentence" in html.lower()) == (reference(text) is None)
    least = view.written[int(view.probabilities.argmin())].text
    assert ("confident of every word" in html) != (f"the token it is least sure of is {least} " in html)
    assert ("confident of every word" in html) <= bool(view.probabilities.min() >= 0.9)


def test_glosses_for_readers_of_english_and_of_chinese(opened):
    english, chinese = (
        opened("translation", lang, text=FILM, guess="skip").packed("decoding")[0] for lang in ("en", "zh")
    )
    assert english["glosses"][:2] == [[0, 2, "Xiaoming"], [2, 4, "yesterday"]] and english["meanings"] == []
    assert chinese["glosses"] == [] and chinese["meanings"][:2] == ["小明", "看"]


def test_the_word_that_is_written_is_the_one_that_is_marked(opened):
    row = opened("translation", "en", text=FILM, guess="skip", q=4).data("strip")["written"]["row"]
    assert [token["text"] for token in row["tokens"] if token["at"] == 4] == ["yesterday"]
    assert view_of(FILM).written[4].text == "yesterday"
