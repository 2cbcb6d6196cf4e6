"""The encoder page: every section in both languages and of both models, the veil, bad input, what it says."""

import json
import math
import re
from html import unescape
from itertools import pairwise

import numpy as np
import pytest
import torch

from core import Cell, capture, load_model
from core.lesson import lesson_of
from core.views.encoder import shared
from core.zoo import SOURCES
from pages.shared.number.cell_path import free
from pages.shared.number.number_panel import Cells
from pages.shared.server import cached
from pages.shared.words.numbers import PROSE, short
from pages.shared.words.texts import clip, lesson
from pages.stages.encoder import network, same_token_twice, words
from pages.stages.encoder.followed import followed
from pages.stages.encoder.opened import table
from pages.stages.encoder.picture import diagram
from pages.stages.encoder.river import river

BOOKS, CAT = "我昨天在北京买了三本书", "The cat sat on the mat."
SECTIONS = ("residual", "network", "walk", "parting", "height", "inside")
BAD = ("", "。", "🙂 <script>alert(1)</script>", "שלום", "书" * 300, "x", "cat " * 600)


@pytest.mark.parametrize("text", [BOOKS, CAT])
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_drawn(opened, text: str, lang: str, section: str) -> None:
    page = opened("encoder", lang, text=text, section=section, guess="skip", shown="blocks")
    assert "{" not in page.html
    columns = json.loads(page.protos("diagram")[0].json)[0]["columns"]
    assert len(columns) == (1 if text == CAT else 2)
    assert columns[0]["layers"] == (6 if text == CAT else 2)


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_answered(opened, text: str) -> None:
    section = "residual" if len(text) < 500 else "walk"
    bad = {"pos": 9999, "layer": 0, "part": "head", "q": "x"}
    page = opened("encoder", "en", text=text, section=section, guess="skip", shown="blocks", **bad)
    assert "layer=0" in page.html and json.loads(page.protos("diagram")[0].json)[0]["columns"]


@pytest.mark.parametrize("one", ["", "🙂", "猫", "<b>x</b>"])
@pytest.mark.parametrize("text", [BOOKS, CAT])
def test_two_sentences_that_share_little(opened, one: str, text: str) -> None:
    page = opened("encoder", "en", text=text, section="parting", one=one, other="quite another", guess="skip")
    assert any(
        said in page.html for said in ("no token in common", "differs most", "The cosine of <b>", "on both sides")
    )


def test_the_same_sentence_twice_has_nothing_to_compare(opened) -> None:
    for text in ("apple", "A cat sat.", "the dog and the dog"):
        page = opened("encoder", "en", text=CAT, section="parting", one=text, other=text, guess="skip")
        assert "the same on both sides" in page.html and "differs most" not in page.html


def test_a_word_that_stands_twice_is_compared_in_its_own_place() -> None:
    tokens = [load_model("minilm").tokenizer.encode(text) for text in ("my book and my book", "my pen and my pen book")]
    assert dict(shared(*tokens)) == {1: 1, 2: 6, 3: 3, 4: 4, 5: 6}


@pytest.mark.parametrize("model", SOURCES)
def test_below_the_frame_stands_what_enters_that_very_layer(looked, model: str) -> None:
    for layer in range(1, load_model(model).reader.layers + 1):
        context = looked("encoder", text=CAT, guess="skip", model=model, layer=layer)
        run, stacks = cached.capture(*context.key), context.page.model.stacks
        for column in diagram(context).columns:
            stack = stacks[column.id]
            before = [place for place in stack.sublayers if place.layer == layer - 2]
            state = run[context.page.model.leaving(before[-1]) if before else stack.entrance]
            (box,) = column.below
            assert box.number == short(float(np.linalg.norm(state[context.token_of(column.id)])), PROSE)
            assert str(layer) in box.title
            assert (str(column.layers) in column.rest) == (layer < column.layers)


def test_every_box_of_2017_with_a_number_can_be_followed(looked) -> None:
    context = looked("encoder", text=BOOKS, guess="skip", layer=2)
    parts = [group.part for column in diagram(context).columns for group in column.groups]
    assert len(parts) == 5
    for box in parts:
        shown = followed(looked("encoder", text=BOOKS, guess="skip", layer=2, **box.picks))
        stack, part = str(box.picks["part"]).split(".")
        share = float(context.view.at(stack, 2, part).share[context.token_of(stack)])
        assert (shown.value, box.number) == (short(share), short(share, PROSE)) and shown.steps
    columns, cells = diagram(context).columns, Cells(context.page)
    ends = [columns[0].below[-1], columns[1].below[-1], columns[1].above[0]]
    for box in ends:
        source = free(cells, box.trail)
        assert source and short(cells.value(source), PROSE) == box.number.split()[-1]


def test_what_is_asked_is_nowhere_to_be_seen(looked) -> None:
    for text in (BOOKS, CAT, "Alice told Bob that she would help him tomorrow.", "我的书被老师拿走了"):
        context = looked("encoder", text=text)
        facts = context.question.facts
        assert context.veiled and context.pos == context.question.row and context.layer != facts["layer"]
        asked = looked("encoder", text=text, pos=context.question.row, layer=facts["layer"], guess="open")
        assert asked.hidden and not followed(asked).steps
        hidden = json.dumps(diagram(asked).data()) + table(asked)
        shares = [asked.view.at("encoder", asked.layer, part).share[asked.pos] for part in ("attention", "feedforward")]
        assert not any(f"{share:.4g}" in hidden or repr(float(share)) in hidden for share in shares)


def test_the_lead_speaks_of_the_selected_token(looked) -> None:
    context = looked("encoder", text=CAT, guess="skip", pos=2, layer=3)
    facts = words.facts(context)
    assert facts["token"] == "cat" and facts["attention"] == float(context.view.at("encoder", 3, "attention").share[2])


@pytest.mark.parametrize("text", [BOOKS, CAT])
def test_the_lead_says_no_share_while_shares_are_asked_for(looked, text: str) -> None:
    """Those of another token in the same layer would nearly be the answer."""
    for guess, key in (("open", "lead_open"), ("skip", "lead")):
        context = looked("encoder", text=text, guess=guess)
        assert words.lead_of(context)[0] == key
    assert "{attention}" not in lesson("encoder")["en"]["lead_open"]


def test_what_parts_most_parts_most(looked) -> None:
    for name in SOURCES:
        pair = lesson_of(name).stages["encoder"]["pair"]
        found = same_token_twice.partings(name, *pair)
        assert len(found) > 3
        tokens = looked("encoder", text=CAT if name in ("minilm", "smollm2") else BOOKS, model=name)
        assert tokens.view.layers == len(found[0].cosines) - 1


def test_a_unit_is_followed_and_leads_back(looked) -> None:
    """The one that was clicked, or the one that fires most for the token; captured, with doors to what made it."""
    address = {"text": "The cat sat on the mat.", "guess": "skip", "section": "network", "layer": 2, "pos": 3}
    chosen, opening = (network.followed(looked("encoder", **address, **more)) for more in ({"unit": 955}, {}))
    run = capture(load_model("minilm"), address["text"], only=("encoder.1.feedforward.activated",))
    activated = run["encoder.1.feedforward.activated"][3]
    assert chosen.value == short(float(activated[955]))
    assert opening.value == short(float(activated[activated.argmax()]))
    assert isinstance(chosen.behind, Cell) and chosen.behind.name == "encoder.1.feedforward.hidden"


@pytest.mark.parametrize("text", [BOOKS, CAT, "x"])
def test_the_stream_and_what_is_added_are_as_long_as_captured(looked, text: str) -> None:
    context = looked("encoder", text=text, guess="skip")
    run = capture(context.page.model, text)
    steps = river(context).steps
    assert len(steps) == 2 * context.view.layers
    for step in steps:
        place = f"{str(step.picks['part']).replace('.', f'.{step.layer - 1}.', 1)}"
        for tap, length in (("skip", step.before), ("output", step.written), ("residual", step.added)):
            assert length == pytest.approx(math.hypot(*run[f"{place}.{tap}"][context.pos].tolist()), rel=1e-5)
    for one, next in pairwise(steps):
        assert one.after == pytest.approx(next.before, rel=1e-5)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("model", SOURCES)
def test_a_cut_arrow_is_said_to_be_cut(looked, model: str, lang: str) -> None:
    """Only where one is longer than the longest that is drawn."""
    text = BOOKS if model in ("translator", "poet") else CAT
    for pos in (0, 1):
        found = river(looked("encoder", lang, text=text, model=model, guess="skip", pos=pos))
        shares = [step.written / step.before for step in found.steps if step.written and step.before]
        cut = max(shares) > found.longest
        assert ("//" in found.words.caption) == cut


def test_the_river_hides_what_is_asked(looked) -> None:
    context = looked("encoder", text=CAT)
    asked = looked("encoder", text=CAT, guess="open", pos=context.question.row)
    layer = int(context.question.facts["layer"])
    for step in river(asked).steps:
        assert (step.written is None) == (step.share is None) == (step.layer == layer)


def test_a_share_has_as_many_digits_at_its_arrow_as_in_its_box_and_in_the_lead(looked) -> None:
    context = looked("encoder", text=CAT, guess="skip")
    arrows = [step.share for step in river(context).steps if step.layer == context.layer]
    boxes = [group.part.number for column in diagram(context).columns for group in column.groups]
    facts = {name: value for name, value in words.facts(context).items() if isinstance(value, float)}
    said = [short(facts[part], PROSE) for part in ("attention", "feedforward")]
    assert arrows == boxes == said


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_only_what_is_drawn_is_said_to_be_drawn(looked, lang, model):
    """The diagram has a stack beside the first where the model writes from what it reads, and draws nothing dashed."""
    text = "我昨天在北京买了三本书" if model == "translator" else "The cat sat on the mat."
    context = looked("encoder", lang, text=text, model=model, guess="skip")
    said = " ".join(words.notices(context))
    stacks = len(diagram(context).columns)
    beside = {"zh": ("左边", "右边"), "en": ("left", "right")}[lang]
    assert any(word in said for word in beside) <= (stacks > 1)
    assert "虚线" not in said and "dashed" not in said.lower()


@pytest.mark.parametrize(
    "text", ["The cat sat on the mat.", "What is the capital of France?", "我昨天在北京买了三本书"]
)
def test_what_is_said_of_the_outlier_at_the_first_token_is_so(looked, text: str) -> None:
    """One dimension holds it, and the heads after it put most of their weight on that token."""
    context = looked("encoder", "en", text=text, model="smollm2", guess="skip")
    (said,) = words.largest(context)
    found = re.search(r"in layer (\d+), .* in dimension (\d+) alone", said)
    assert found
    layer, dim = map(int, found.groups())
    taps = [f"decoder.{i}.attention.weights" for i in range(layer, context.page.model.config.layers)]
    run = cached.capture("smollm2", text, only=(f"decoder.{layer - 1}.feedforward.output", *taps))
    written = run[f"decoder.{layer - 1}.feedforward.output"][0] ** 2
    assert written.argmax() == dim and written[dim] > 0.9 * written.sum()
    assert np.mean([run[tap][:, 1:, 0] for tap in taps]) > 0.5


def test_no_outlier_is_said_where_there_is_none(looked) -> None:
    for model, text in (("poet", "白日依山尽，"), ("minilm", "The cat sat on the mat.")):
        assert "Sun" not in " ".join(words.largest(looked("encoder", "en", text=text, model=model, guess="skip")))


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("translator", "老师喜欢喝茶"),
        ("minilm", "The cat sat."),
        ("poet", "春眠不觉"),
        ("smollm2", "The capital of France is"),
    ],
)
def test_what_becomes_of_it_without_any_feed_forward_network_is_said(looked, model: str, text: str) -> None:
    """As where hooks of PyTorch's own put zeros in place of what each gives."""
    context = looked("encoder", "en", model=model, text=text, section="network", guess="skip")
    said = unescape(re.sub("<[^>]*>", "", network.none_of_them(context)))
    loaded = context.page.model
    hooks = [
        module.register_forward_hook(lambda _, __, given: torch.zeros_like(given))
        for name, module in loaded.network.named_modules()
        if name.endswith("feedforward.sublayer")
    ]
    try:
        run = capture(loaded, text)
    finally:
        for hook in hooks:
            hook.remove()
    assert hooks
    if loaded.translates:
        assert clip(run.text_out or "", network.WRITTEN) in said
    elif loaded.objective == "next":
        assert loaded.tokenizer.names[int(run["output.probabilities"][-1].argmax())] in said
    else:
        both = [one[loaded.depths()[-1]].mean(0) for one in (run, capture(loaded, text))]
        assert short(float(np.dot(*both) / np.prod([np.linalg.norm(one) for one in both])), 3) in said
