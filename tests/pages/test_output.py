"""The output page: what it says of a sentence is so, what is asked stays veiled, and bad input breaks nothing."""

import re
from random import Random

import numpy as np
import pytest

from core import grammar
from core.derivation import Cell
from pages.shared.number import shown_where
from pages.stages.output import STAGE, chance, search, tied, words
from pages.stages.output.followed import followed
from pages.stages.output.picture import choosing, shown

FRIEND = "我的朋友被老师批评了"
SECTIONS = ("depth", "draw", "search", "tied", "alone", "headless")
BAD = ("", "。。。", "🙂 <script>alert(1)</script>", "שלום", "书" * 300, "abc", "我x昨天")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_drawn_in_both_languages(opened, lang: str, section: str) -> None:
    page = opened("output", lang, text=FRIEND, section=section, guess="skip", q=3, temperature="1.5")
    assert "{" not in page.html
    header, _ = page.packed("choosing")
    assert header["rows"][0]["text"] == "criticised"


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_answered(opened, text: str) -> None:
    page = opened("output", "en", text=text, section="draw", q=999, depth=-1, word="x", temperature="hot", seed="1e9")
    assert "temperature=hot" in page.html and page.packed("choosing")[0]["rows"]


def test_an_english_sentence_ends_in_english(opened) -> None:
    page = opened("output", "en", guess="skip", section="headless", text="The capital of France is")
    assert "a model that writes reads here" in page.html
    header, _ = page.packed("choosing")
    assert (header["rows"][0]["text"], header["rows"][0]["share"]) == ("␣Paris", "0.7725")


def test_what_comes_next_is_veiled_while_it_is_asked(opened, looked) -> None:
    context = looked("output", "en", text="The capital of France is")
    assert context.question.template == "comes_next" and context.hidden
    assert {str(row.id) for row in choosing(context).rows} == {choice.id for choice in context.question.choices}
    nothing_said(context)
    page = opened("output", "en", text="The capital of France is", section="draw")
    assert "Paris" not in page.html and "Paris" not in page.protos("derivation")[0].json


@pytest.mark.parametrize("text", ["The capital of France is", "the the the the the the", "1 2 3 4 5 6 7", "春眠不觉"])
@pytest.mark.parametrize("temperature", ["1", "2"])
def test_a_row_that_is_no_answer_is_worked_out(looked, text: str, temperature: str) -> None:
    context = looked("output", "en", text=text, temperature=temperature)
    picture, view = choosing(context), context.view
    asked = context.hidden and context.question.template == "comes_next"
    before = [token.id for token in view.given[: context.row + 1]]
    free = [id for id in [*before[-2::-1], before[-1]] if id not in (context.best, *(row.id for row in picture.rows))]
    seen, own = bool(asked and free), free[0] if free else before[-1]
    assert (picture.worked is not None) == seen and len(picture.table) == len(picture.rows) + seen
    if picture.worked:
        assert np.array_equal(picture.table[-1], view.table[own])
        score = float(picture.table[-1].astype(np.float64) @ picture.state)
        assert f"{score:.2f}".replace("-", "−") == picture.worked.sum and view.names[own] in picture.worked.row
        panel = followed(context)
        assert float(panel.exact.replace("−", "-")) == pytest.approx(score, rel=1e-4)
        assert view.names[own] in panel.where and panel.steps[-1].value == "?"
    answered = choosing(looked("output", "en", text=text, guess="skip"))
    assert answered.worked is None and len(answered.table) == len(answered.rows)


def nothing_said(context) -> None:
    """The rows in question stand there, in no order and without a number, and the panel names none of them."""
    picture, panel = choosing(context), followed(context)
    assert picture.veiled and picture.words.rest_share == "?" and not picture.words.rest_trail
    assert all((row.rank, row.logit, row.share, row.part) == (0, "?", "?", 0) for row in picture.rows)
    assert not re.search(r"\d", str([step.operation for step in panel.steps]))
    assert not any(row.text in f"{panel.id} {panel.where}" for row in picture.rows)


def test_an_empty_text_gives_way_to_an_example(opened) -> None:
    page = opened("output", "en", text="", guess="skip")
    assert page.packed("choosing")[0]["rows"]


def sentences(count: int) -> list[str]:
    random = Random(11)
    return [grammar.sample(random).zh for _ in range(count)]


def test_the_answer_varies_and_stays_veiled(looked) -> None:
    answers = []
    for text in sentences(25):
        context = looked("output", text=text, depth=1, guess="open")
        if context.question is None:
            continue
        question = context.question
        answers.append(question.answer)
        view, row = context.view, question.row
        rank = view.rank(view.at(1), row, view.written[row].id)
        assert {"first": rank == 1, "near": 1 < rank <= 10, "far": rank > 10}[question.answer]
        assert context.row == row and context.hidden and shown(context) == [view.written[row].id]
        nothing_said(context)
    assert len(answers) > 15 and all(answers.count(one) < 0.75 * len(answers) for one in set(answers))


def test_what_the_page_says_is_so(looked) -> None:
    for text in sentences(12):
        context = looked("output", text=text, guess="skip", q=1)
        last, view = len(context.view.depths) - 1, context.view
        facts = words.facts(context)
        assert facts["word"] == view.written[1].text and facts["given"] == view.given[1].text
        assert facts["share"] == pytest.approx(float(view.likely[1, view.best(last, 1)]))
        assert words.entered_as_given(context)
        assert sum(row.part for row in choosing(context).rows) <= 1 + 1e-6


def test_the_drawn_word_is_where_u_falls(looked) -> None:
    for seed in range(12):
        context = looked("output", text=FRIEND, guess="skip", q=2, temperature="2", topk="100", topp="0.95", seed=seed)
        drawn, (marked,) = chance.stretches(context), chance.mark(context)
        assert drawn.rows[drawn.chosen].start - 1e-6 <= context.picked.u <= drawn.rows[drawn.chosen].end + 1e-6
        assert chance.rows(context)[marked][0] == drawn.rows[drawn.chosen].name
        kept = [int((stage > 0).sum()) for stage in context.picked.stages]
        assert kept[0] == kept[1] >= kept[2] == 100 >= kept[3]


def test_the_words_about_both_searches_are_of_what_they_write(looked) -> None:
    greedy, beam = (search.written(search.PARTED, width) for width in (1, search.WIDTH))
    said = search.compared(looked("output", text=search.PARTED), greedy, beam)
    assert said["first_share"] > said["second_share"] and said["times"] > 2  # type: ignore[operator]
    assert search.own(looked("output", text=FRIEND))["same"]


def test_the_tree_has_what_the_beam_kept_and_what_greedy_wrote(looked) -> None:
    greedy, beam = (search.written(search.PARTED, width) for width in (1, search.WIDTH))
    kept = search.beginnings()
    assert beam.ids in kept and np.prod([kept[beam.ids[: i + 1]] for i in range(len(beam.ids))]) == pytest.approx(
        np.exp(beam.log_probability)
    )
    html = search.both(looked("output", text=search.PARTED), greedy, beam)
    assert html.count("<li>") == len({*kept, *(greedy.ids[: i + 1] for i in range(len(greedy.ids)))})
    assert html.count("beam'>") == len(beam.ids) and html.count("<em>") == 2


def test_the_counted_parameters(looked) -> None:
    context = looked("output", text=FRIEND, V=30000, d=768)
    assert [row[-1] for row in tied.counted(context)] == ["46,110,000", "23,070,000", "23,040,000"]


def test_a_way_back_sees_the_page_of_its_number(looked) -> None:
    model = looked("output", text=FRIEND, guess="skip").page.model
    assert shown_where.cell(model, Cell("output.logits", (2, 5))) == ("output", {"q": 2, "word": 5})
    unit = Cell("decoder.1.feedforward.activated", (3, 7))
    assert shown_where.cell(model, unit) == (
        "encoder",
        {"layer": 2, "part": "decoder.feedforward", "q": 3, "shown": "blocks"},
    )
    written = Cell("encoder.0.attention.output", (4, 7))
    assert shown_where.cell(model, written) == ("encoder", {"layer": 1, "part": "encoder.attention", "pos": 4})


@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_of_an_early_state_is_so(looked, layer: int) -> None:
    for text in sentences(6):
        context = looked("output", text=text, guess="skip", q=1, depth=layer)
        said = words.by_heat_or_depth(context)
        last = context.view.best(len(context.view.depths) - 1, 1)
        assert ("already" in said) == (context.best == last) and context.word in said


@pytest.mark.parametrize("seed", [0, 1, 2, 7, 99])
@pytest.mark.parametrize("temperature", ["0.5", "1", "2"])
def test_the_point_lies_in_the_stretch_of_the_word_that_is_drawn(looked, seed: int, temperature: str) -> None:
    text = "我昨天在北京买了三本书"
    context = looked("output", text=text, guess="skip", section="draw", seed=seed, temperature=temperature, topk="20")
    drawn = chance.stretches(context)
    chosen = drawn.rows[drawn.chosen]
    assert chosen.start <= drawn.point <= chosen.end <= 1 + 1e-6
    assert chosen.name == context.piece(context.picked.id)
    assert all(row.end <= after.start + 1e-9 for row, after in zip(drawn.rows, drawn.rows[1:], strict=False))
    assert chosen.end - chosen.start == pytest.approx(float(context.picked.stages[-1][context.picked.id]))
    names = [row.name for row in drawn.rows]
    assert all([row.name for row in before.rows] == names for before in drawn.before)
    assert len(drawn.before) == len(chance.changing(context)) == (2 if temperature != "1" else 1)


def test_a_step_that_changes_nothing_is_neither_drawn_nor_listed(looked) -> None:
    context = looked("output", text="我昨天在北京买了三本书", guess="skip", section="draw")
    drawn = chance.stretches(context)
    assert not drawn.before and {len(row) for row in chance.rows(context)} == {2}  # the word and its share


@pytest.mark.parametrize(
    ("lang", "parameters", "used"),
    [
        ("zh", {"text": FRIEND}, {"source": "11 × 128", "target": "8 × 128", "output": "8 × 1,188"}),
        ("en", {"text": "春眠不觉晓", "model": "poet"}, {"source": "6 × 192", "output": "6 × 4,021"}),
        ("en", {"text": "The cat sat"}, {"source": "3 × 576", "output": "3 × 49,152"}),
    ],
)
def test_the_table_is_drawn_once_and_every_use_of_it_leads_from_it(opened, looked, lang, parameters, used) -> None:
    flow = opened("output", lang, section="tied", guess="skip", **parameters).data("flow")
    nodes = {node["id"]: node for node in flow["nodes"]}
    assert sum(node["id"] == "table" for node in flow["nodes"]) == 1
    lines = {end: size for start, end, size, _ in flow["lines"] if start == "table"}
    assert {name: nodes[name]["number"] for name in lines} == used
    context = looked("output", lang, section="tied", guess="skip", **parameters)
    if context.view.table.nbytes > tied.LARGEST:
        assert set(lines.values()) == {0}
        return
    found = tied.gradients(*context.key)
    norms = dict(zip(found.names, (float(np.linalg.norm(each)) for each in found.each), strict=True))
    assert max(lines.values()) == 1 and lines == pytest.approx(
        {name: x / max(norms.values()) for name, x in norms.items()}
    )


@pytest.mark.parametrize(("lang", "text"), [("zh", FRIEND), ("en", FRIEND), ("en", "The capital of France is")])
def test_the_token_that_is_read_is_the_one_that_is_marked(looked, lang: str, text: str) -> None:
    context = looked("output", lang, text=text, guess="skip", q=2)
    strip = STAGE.strip(context)
    read = context.page.translation.target_in if context.page.translates else context.page.trace.tokens
    marks = strip.target if context.page.translates else strip.source
    assert marks and marks.first == "q" and not strip.target_values
    assert read[context.values["q"]].text == context.given
