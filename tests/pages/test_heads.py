"""The heads page: its words against the numbers, its veil, its address, what it takes away; both languages."""

import csv
import io
import json
import re
from random import Random

import numpy as np
import pytest
import torch

from core import capture, grammar
from core.figures.heads import those_sent
from core.figures.lines import VEILED
from core.views.heads import MEASURES, heads_view
from pages.shared.page.parts import TAGS
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages.heads import context as heads_look
from pages.stages.heads import pair
from pages.stages.heads.by_word import PIECES, followed, followed_line, in_pieces, read, weights_of
from pages.stages.heads.downloads import packed, rows
from pages.stages.heads.joining import added, contexts, joined_at
from pages.stages.heads.offline import document
from pages.stages.heads.picture import dots, grid, lines
from pages.stages.heads.words import lead_of, notices

CAT = "The cat sat on the mat."
DOES = "puts most weight there|comes closest"
ALICE = "Alice told Bob that she would help him tomorrow."
SECTIONS = ("known", "words", "split", "joined", "whatif", "pair")
BAD = ("", "x", "the the the the the", "？！", "饕餮 hello 我?", "a" * 200, "<script>x</script>", "word " * 520)


def sentences() -> list[str]:
    return [CAT, ALICE, *(grammar.sample(Random(seed)).zh for seed in range(4))]


@pytest.mark.parametrize("text", sentences())
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_lead_counts_what_the_heads_look_at(looked, text: str, lang: str) -> None:
    context = looked("heads", lang, text=text, guess="skip")
    key, names = lead_of(context)
    best = context.heads.weights[context.layer - 1, :, context.cell[0]].argmax(-1).tolist()
    assert names["count"] == len(set(best)) and names["by"] == max(best.count(k) for k in best)
    apart, own = len(set(best)) == len(best), best.count(best[context.head - 1])
    several = "lead_apart" if apart else "lead_among" if names.get("own") == names["most"] else "lead"
    assert key == ("lead_alike" if len(set(best)) == 1 else several)
    assert key != "lead" or own < len(best)
    assert "{" not in " ".join(notices(context))


@pytest.mark.parametrize("text", sentences())
def test_what_is_noticed_is_measured(looked, text: str) -> None:
    """What is said to be done the leading head does, with most of its weight; else it is said that none does."""
    context = looked("heads", "en", text=text, guess="skip")
    for said in notices(context):
        if found := re.search(rf"layer (\d+), head (\d+) (?:{DOES}), (\S+) on average", said):
            i, j = int(found[1]) - 1, int(found[2]) - 1
            values = [value for value in context.heads.measures.values() if short(float(value[i, j])) == found[3]]
            assert any(value[i, j] == value.max() for value in values)
            assert ("no head" in said) == (float(found[3]) < 0.5)


@pytest.mark.parametrize(("model", "kind"), [("minilm", "encoder"), ("translator", "encoder"), ("translator", "self")])
def test_which_heads_were_compared_is_said(looked, model: str, kind: str) -> None:
    """Of 他不喜欢水 no head of the translator's encoder looks one back, and one of its decoder does."""
    context = looked("heads", "en", text="他不喜欢水", model=model, kind=kind, guess="skip")
    alone, names = len(context.page.model.attentions) == 1, {"encoder": "encoder self", "self": "decoder self"}
    compared = [said for said in notices(context) if re.search(f"{DOES}|most concentrated", said)]
    assert compared and all((f"in {names[kind]}-attention" in said) == (not alone) for said in compared)
    assert all(("in the whole model" in said) == alone for said in compared)


def test_the_bias_may_add_more_than_any_head_and_none_is_said_to_lead_it(opened, looked) -> None:
    context = looked("heads", "en", text="I", model="minilm", guess="skip", section="joined")
    shares = joined_at(context).shares
    assert shares[-1] > shares[:-1].max()
    page = opened("heads", "en", text="I", model="minilm", guess="skip", section="joined")
    assert "Of the heads of layer" in page.html and "has the largest share" in page.html


def test_while_it_asks_nothing_answers(looked) -> None:
    context = looked("heads", "en", text=CAT)
    row = context.question.row
    assert context.veiled and context.cell[0] != row and not context.values["pin"].endswith(str(row))
    for plane in lines(context).planes.values():
        assert (plane[row] == VEILED).all() and (np.delete(plane, row, axis=0) != VEILED).all()
    assert (grid(context).small[:, row] == 255).all()
    assert lines(context).known == {} and lead_of(context)[0] == "lead_open"
    linked = looked("heads", "en", text=CAT, q=2)
    assert not linked.veiled


def test_the_answer_turns_with_the_sentence(looked) -> None:
    nouns = ("dog", "river", "teacher", "garden", "city", "letter", "bird", "house")
    texts = [f"The {a} saw a {b} and the old {c}." for a, b, c in zip(nouns, nouns[2:], nouns[1:], strict=False)]
    texts += [grammar.sample(Random(seed)).zh for seed in range(10)]
    asked = [context.question for context in (looked("heads", "en", text=text) for text in texts) if context.question]
    answers = [question.answer for question in asked]
    assert len(asked) > 10 and max(answers.count(one) for one in answers) < 0.75 * len(answers)


@pytest.mark.parametrize(("text", "lang"), [(text, ("zh", "en")[i % 2]) for i, text in enumerate(BAD)])
def test_whatever_is_typed_the_page_stands(opened, text: str, lang: str) -> None:
    page = opened("heads", lang, text=text, guess="skip", section="joined", way="upright")
    header, body = page.packed("lines")
    assert len(body) <= 640_000 and header["queries"] and "{" not in page.html


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    ("lang", "text", "edit"), [("en", ALICE, "zero"), ("zh", "我昨天在北京买了三本书", "lift,zero")]
)
def test_every_section_opens_also_of_a_changed_model(opened, section: str, lang: str, text: str, edit: str) -> None:
    page = opened("heads", lang, text=text, guess="skip", section=section, edit=edit)
    assert "{" not in page.html and page.address["edit"] == edit


def test_nonsense_in_its_own_parameters_is_repaired(opened) -> None:
    given = {"also": "9.99-x", "pin": "q99", "edit": "mute:nobody", "sort": "best", "pair": "x" * 3000}
    page = opened("heads", "en", guess="skip", **given)
    assert not {"also", "pin", "edit", "sort"} & set(page.address)


@pytest.mark.parametrize(
    ("lang", "text", "edit"),
    [
        ("en", "The cat.", "mute:encoder.3.99"),
        ("en", "The cat.", "zero,lift"),
        ("zh", "我爱你", "mute:encoder.3.9"),
        ("zh", "我爱你", "drop_sqrt_dk:64"),
    ],
)
def test_an_edit_that_this_model_has_nothing_for_is_said(opened, lang: str, text: str, edit: str) -> None:
    page = opened("heads", lang, text=text, guess="skip", section="whatif", edit=edit)
    assert not page.app.exception and "edit" not in page.address and "class='note'" in page.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("edit", ["mute:encoder.6.9", "mute:encoder.6.1,mute:encoder.6.2", "mute:encoder.5.9", "zero"])
def test_why_no_weight_changes_is_said_where_none_can(opened, looked, lang: str, edit: str) -> None:
    page = opened("heads", lang, text=CAT, guess="skip", section="whatif", edit=edit)
    context = looked("heads", lang, text=CAT, guess="skip", edit=edit)
    before = looked("heads", lang, text=CAT, guess="skip").heads.weights
    still = np.array_equal(before, context.heads.weights)
    said = TAGS.sub("", page.html)
    assert still == (lesson("heads")[lang]["whatif.last"] in said) == edit.startswith("mute:encoder.6")


def test_the_question_and_the_page_look_at_the_same_heads(looked, monkeypatch) -> None:
    """They are made once: an argument that is left out would be another key."""
    made = []
    monkeypatch.setattr(heads_look, "heads_view", lambda run, kind: made.append(kind) or heads_view(run, kind))
    cached.shrink(0)
    looked("heads", text="a cat sat")
    assert made == ["encoder"]


def test_of_many_tokens_only_what_is_looked_at_is_sent(looked) -> None:
    context = looked("heads", "en", text="word " * 300, guess="skip")
    assert those_sent(context.heads, context.shown) == [(context.layer, context.head)] and not lines(context).all_there
    assert len(lines(context).pack()) < 300_000 and len(grid(context).pack()) < 120_000
    assert len(lines(looked("heads", "en", text="cat " * 62, guess="skip")).pack()) < 640_000


def test_what_is_taken_away_says_what_was_changed(looked) -> None:
    context = looked("heads", "en", text=CAT, guess="skip", edit="zero,mute:encoder.3.9", also="1.3-2.9")
    assert context.file == "heads-encoder-zero-mute-encoder-3-9"
    table = list(csv.DictReader(io.StringIO(rows(context))))
    assert len(table) == 3 * 81 and {row["edits"] for row in table} == {"zero mute:encoder.3.9"}
    assert float(table[0]["weight"]) == float(context.heads.weights[2, 8, 0, 0])
    with np.load(io.BytesIO(packed(context))) as saved:
        assert saved["edits"].tolist() == ["zero", "mute:encoder.3.9"]
        assert np.array_equal(saved["weights"], context.heads.weights)
        assert {f"measure.{name}" for name in context.heads.measures} <= set(saved)


@pytest.mark.parametrize("text", ["</script><b>x", CAT])
def test_the_file_asks_for_nothing_and_runs_nothing_that_was_typed(looked, text: str) -> None:
    page = document(looked("heads", "zh", text=text, guess="skip"))
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page) and "import " not in page.split("<script")[1][:50]
    assert page.count("</script>") == 1 and "default-src 'none'" in page
    assert json.dumps(text, ensure_ascii=False).replace("<", "\\u003c") in page


def test_every_measure_has_its_words(looked) -> None:
    context = looked("heads", "en", text="the cat and the cat", guess="skip")
    assert set(context.heads.measures) == set(MEASURES) == set(grid(context).measures)
    assert all(f"sort_{name}" in grid(context).words for name in MEASURES)


@pytest.mark.parametrize("text", ["a", CAT, "我昨天在北京买了三本书"])
def test_dots_are_the_weights_of_every_head(looked, text: str) -> None:
    """Against torch's own softmax of the captured scores; of an open question's row there is nothing."""
    context = looked("heads", "en", text=text, guess="skip")
    run = capture(cached.model(context.page.address.model), text)
    given = dots(context)
    assert len(given.planes) == context.heads.layers * context.heads.heads
    for plane, values in given.planes.items():
        layer, head = (int(part) - 1 for part in plane.split("."))
        scores = torch.tensor(run[f"encoder.{layer}.attention.scores"][head])
        np.testing.assert_allclose(values, torch.softmax(scores, -1).numpy(), atol=1e-6)
    asked = looked("heads", "en", text=text)
    for row in asked.asked.rows:
        assert all(np.isnan(plane[row]).all() for plane in dots(asked).planes.values())


@pytest.mark.parametrize("text", [CAT, "我昨天在北京买了三本书"])
def test_the_asked_token_is_marked_in_the_strip_while_it_is_asked(opened, looked, text: str) -> None:
    """Of the attention that the question is about, and of no other kind."""
    asked = looked("heads", "zh", text=text).asked.row
    first, *others = opened("heads", "zh", text=text).data("strip")["row"]["turns"].values()
    assert first["asked"] == [asked] and not any(marks["asked"] for marks in others)
    after = opened("heads", "zh", text=text, guess="skip").data("strip")["row"]["turns"].values()
    assert not any(marks["asked"] for marks in after)


def test_a_long_text_opens_on_lines(opened) -> None:
    assert opened("heads", "en", text="the cat sat " * 40, guess="skip").packed("lines")


@pytest.mark.parametrize(("lang", "model"), [("en", None), ("zh", "translator"), ("en", "smollm2")])
def test_what_is_concatenated_and_what_it_adds_up_to_are_drawn(looked, lang: str, model: str | None) -> None:
    context = looked("heads", lang, model=model, text=None, guess="skip", section="joined")
    beside, through, q = contexts(context), added(context, joined_at(context)), context.cell[0]
    heads, config = context.heads.heads, context.page.model.config
    assert np.array_equal(beside.planes[""], context.attention().context[:, q])
    plane = through.planes[""]
    assert plane.shape == (heads + (2 if config.bias else 1), config.d_model) == (through.rows.count, config.d_model)
    name = f"{context.kind}.{context.layer - 1}.attention.output"
    if context.kind == "encoder":
        assert np.abs(plane[-1] - capture(context.page.model, context.page.text)[name][q]).max() < 1e-4
    assert np.abs(plane[:-1].sum(0) - plane[-1]).max() < 1e-4
    assert through.trail.endswith(f".output.{q}.{{column}}")


def test_while_the_question_is_open_no_heads_output_is_drawn(opened) -> None:
    page = opened("heads", "en", section="joined")
    assert page.protos("matrix") == []
    assert len(opened("heads", "en", section="joined", guess="skip").protos("matrix")) == 2


@pytest.mark.parametrize(("model", "text", "other"), [("minilm", CAT, True), ("poet", "床前明月光", False)])
def test_where_no_word_is_in_pieces_a_sentence_is_read_that_has_some(opened, looked, model, text, other) -> None:
    html = opened("heads", "en", model=model, text=text, guess="skip", section="words").html
    assert (PIECES in html) == other
    here = looked("heads", "en", model=model, text=text, guess="skip", section="words")
    assert in_pieces(*read(here))
    assert np.allclose(weights_of(here).sum(-1), 1, atol=1e-4)
    shown = followed(here)
    assert shown.value == short(float(weights_of(here)[followed_line(here)]))


@pytest.mark.parametrize(("model", "text"), [("translator", "我看书。"), ("poet", "床前明月光"), ("minilm", CAT)])
def test_a_model_without_segments_has_another_read_the_pair(opened, looked, model, text) -> None:
    page = opened("heads", "zh", model=model, text=text, guess="skip", section="pair")
    assert any("pair_lines" in str(proto) for proto in page.protos("lines"))
    here = looked("heads", "zh", model=model, text=text, guess="skip", section="pair")
    seen = pair.reading(here)
    assert seen.model == "minilm" and (seen.text == CAT) and pair.own(here) == (model == "minilm")
    weights = seen.pair.view.weights
    assert weights is not None
    at = pair.followed_line(here, seen)
    assert pair.followed(here).value == short(float(weights[seen.layer - 1, seen.head - 1][at]))
