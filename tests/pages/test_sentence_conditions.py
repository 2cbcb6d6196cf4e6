"""Sentences that are true only of some texts, models or sizes: each is said where it holds, whatever is typed."""

import html
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from core import named_heads
from core.capture import capture
from core.derivation.layernorm import PARTS
from core.edits import lift_mask
from core.exercises.heads import looks_back
from core.exercises.meaning import Chosen, unlike
from core.files import ASSETS
from core.lesson import lesson_of
from core.lessons.size import Shape, parameters, total
from core.model.position import per_radian
from core.model.relative import slopes
from core.questions.attention import each as asked_of_attention
from core.text.merging import RULES
from core.text.unicode import is_cjk
from core.views import featured
from core.views import turned as rotations
from core.views.by_hand import by_hand
from core.views.circuits import followed
from core.views.descent import descend, nudges
from core.views.input import at_start
from core.views.meaning import MEASURES, Word
from core.views.norms import KINDS
from core.views.translation import right
from core.writing import Sampling
from core.zoo import rearranged
from pages.shared.page import notes, predict
from pages.shared.page.parts import paragraph
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.shared.words.texts import LANGUAGES, Texts
from pages.stages.attention import chain, small_layer, small_layer_step
from pages.stages.attention import masks as tried
from pages.stages.attention import words as attention
from pages.stages.attention.maps import turning
from pages.stages.circuits import induction, lens
from pages.stages.circuits import words as circuits
from pages.stages.embedding import words as embedding
from pages.stages.encoder import residual
from pages.stages.generation import context as generations
from pages.stages.generation import words as generation
from pages.stages.heads import by_word, joining
from pages.stages.heads import words as heads
from pages.stages.input import dropout, flow, sides, why
from pages.stages.input import words as into
from pages.stages.layernorm import hand as by_hand_page
from pages.stages.layernorm import words as layernorm
from pages.stages.layernorm.picture import lanes, plain
from pages.stages.meaning import measures, sums
from pages.stages.meaning import word as chosen_word
from pages.stages.meaning.context import opening
from pages.stages.meaning.gradient import compared_texts
from pages.stages.meaning.groups import ready
from pages.stages.output import chance, depth
from pages.stages.output import words as output
from pages.stages.overview import what_if
from pages.stages.overview import words as overview
from pages.stages.overview.picture import depth as depth_of
from pages.stages.position import calculator, far, lengths, others, picture, turned
from pages.stages.position import words as position
from pages.stages.segmentation import words as segmentation
from pages.stages.size import models
from pages.stages.size import tied as tying
from pages.stages.size import words as size
from pages.stages.tokens import batch as tokens_batch
from pages.stages.tokens import gaps as tokens_gaps
from pages.stages.tokens import holes, length
from pages.stages.tokens import words as tokens
from pages.stages.training import contest_words
from pages.stages.training.context import USUAL
from pages.stages.training.gradient import quotient, written
from pages.stages.translation import lifted_mask
from pages.stages.translation import words as translation
from pages.stages.vocabulary import three_algorithms, tie_breaks
from pages.stages.vocabulary import words as vocabulary

ADDING = ("minilm", "translator", "poet")  # models that add a position to the input


@pytest.mark.parametrize("text", ["九", "胖", "篮", "现", "？", "猫", "我爱你", "小明昨天晚上看了一部电影"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_comes_after_the_first_word_of_a_translation(looked, text: str, lang: str) -> None:
    """A next word, or the end, or not even a first word."""
    context = looked("translation", lang, model="translator", text=text, guess="skip")
    written, said = context.written, translation.shift(context)
    assert (written[-1] in said) == (len(written) <= 2), said
    assert (context.t.html("notice.shift", given=context.given[0], first=written[0]) == said) == (len(written) > 2)


@pytest.mark.parametrize("d_model", [2, 4, 16, 128, 512, 2048])
def test_how_certain_softmax_is_before_training(d_model: int) -> None:
    start = at_start(d_model)
    draw = np.random.default_rng(0)
    rows, states = draw.normal(0, d_model**-0.5, (1000, d_model)), draw.normal(0, 1, (50, d_model))
    for said, table in ((start.sure_small, rows), (start.sure_large, rows * math.sqrt(d_model))):
        powers = np.exp(states @ table.T)
        assert said == pytest.approx((powers / powers.sum(-1, keepdims=True)).max(-1).mean())
    assert start.share_plain == pytest.approx(d_model / (d_model + 2), abs=0.01)


def test_the_wider_a_table_the_more_certain_softmax() -> None:
    sure = [at_start(d_model).sure_large for d_model in (2, 4, 16, 64, 128, 512, 2048)]
    assert sure == sorted(sure) and sure[0] < 0.1


@pytest.mark.parametrize("width", [2, 8, 128, 512])
def test_no_width_is_called_certain_that_is_not(looked, width: int) -> None:
    """What is said of a table as wide as the visitor likes carries that table's own numbers."""
    context, start = looked("input", "en", section="why", width=width), at_start(width)
    said = context.t.html("why_tied", d_model=width, logits=start.logits, large=start.logits_large, **start.sure)
    assert f"{start.sure_large:.3g}" in said and "almost certain" not in said


def test_tokens_and_positions_are_as_long_as_is_said(looked) -> None:
    """Where nothing is multiplied, because neither is much longer than the other."""
    context = looked("input", "en", model="minilm", guess="skip")
    own, said = context.view.own, re.sub("<[^>]+>", "", why.this_model(context))
    token, position = (float(np.linalg.norm(rows, axis=-1).mean()) for rows in (own.rows[0], own.part("position")))
    assert f"length of {token:.4g} and positions one of {position:.4g}" in said and 1 / 4 < position / token < 4


@pytest.mark.parametrize("model", ADDING)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_layer_that_is_entered_is_of_a_stack_that_the_model_has(looked, model: str, lang: str) -> None:
    context = looked("input", lang, model=model, guess="skip")
    titles = {node.title for node in flow.diagram(context).nodes if node.id.endswith("-enters")}
    assert titles == {
        context.t(f"flow_enters.{'writes' if stack.causal else 'reads'}")
        for stack in context.page.model.stacks.values()
    }
    alone = {stack.causal for stack in context.page.model.stacks.values()} == {True}
    assert (flow.said_of(context) == "flow_alone") == alone


@pytest.mark.parametrize("model", ADDING)
@pytest.mark.parametrize("pos", [0, 33, 63, 64, 130, 199, 511])
def test_the_waves_are_of_positions_that_the_table_has(looked, model: str, pos: int) -> None:
    context = looked("position", "en", model=model, guess="skip", pos=pos)
    drawn = picture.waves(context)
    for title in drawn.words.title.values():
        start, end = map(int, re.findall(r"\d+", title))
        assert (start, end) == (drawn.from_, drawn.from_ + drawn.count - 1)
        assert end < len(context.waves.rows)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_score_is_called_highest_among_the_distances_that_were_tried(looked, lang: str) -> None:
    """Farther away it may be higher still: so how far was tried is said."""
    context = looked("position", lang, model="smollm2", guess="skip", section="rotary")
    model, run = turned.run_of(context.page)
    said = turned.said(context, run, turned.view(context, model, run))[0]
    assert str(rotations.FAR) in said
    layer, head = turned.opening(model.id, turned.text_of(context.page))
    radian = per_radian(model.config.d_model // model.config.heads, model.config.rotary_base).numpy()
    beyond = np.arange(rotations.FAR + 1, 2000)[:, None] / radian
    higher = []
    for q, k in np.ndindex(len(run.tokens), len(run.tokens)):
        made = rotations.turned_view(run, model, layer, head, q, k)
        scores = (rotations.turn(made.query[0], beyond) * made.key[0]).sum((-1, -2)) / math.sqrt(2 * len(radian))
        higher.append(scores.max() > made.by_distance.max())
    assert any(higher)


@pytest.mark.parametrize("rule", ["frequency", "bpe"])
@pytest.mark.parametrize(
    "text",
    ["hug×10 pug×5 pun×12 bun×4 hugs×5", "zyzzyva syzygy", "aa aa aa ab", "我爱 Transformer 我爱 cats", "why did"],
)
def test_the_most_frequent_pair_is_that_of_the_picture(looked, text: str, rule: str) -> None:
    context = looked("vocabulary", "en", sample=text, rule=rule, guess="skip")
    _, facts = vocabulary.lead(context)
    first = context.training.merges[0]
    assert facts["times"] == first.candidates[0].frequency
    assert facts.get("often_tied", 1) == first.tied
    assert facts["often"] == vocabulary.whole(first.candidates[0])


@pytest.mark.parametrize("model", ["minilm", "smollm2", "poet"])
def test_heads_share_the_width(looked, model: str) -> None:
    context = looked("heads", "en", model=model, guess="skip")
    config, said = context.page.model.config, heads.several(context)
    each = config.d_model // config.heads
    assert config.d_model % config.heads == 0 and f"only {each}" in said
    shared = 0 < config.groups < config.heads
    assert ("no more parameters" in said) != shared and ("fewer parameters" in said) == shared


@pytest.mark.parametrize("text", ["A cat sat.", "The little black cat sat on the warm red mat in the old house."])
def test_the_batch_says_how_much_of_the_sentence_it_shows(looked, text: str) -> None:
    context = looked("input", "en", model="minilm", text=text, guess="skip")
    whole, shown = len(context.view.own.ids), flow.ROWS
    part = flow.text_of_batch(context)
    assert (part == "This sentence") == (whole <= shown)
    assert whole <= shown or f"first {shown} tokens" in part


@pytest.mark.parametrize("k", [1, 2])
def test_one_token_alone_has_no_segment_to_fall_into(k: int) -> None:
    view = generations.view_of("poet", "千山鸟飞绝", False, Sampling(temperature=2.0, top_k=k), 4)
    for step in generations.written(view, 4):
        assert (generation.way_of(step) == "drawn_alone") == (k == 1)


@pytest.mark.parametrize("text", ["Buffalo buffalo buffalo buffalo", " a a a", "na na na na", "The cat"])
def test_all_tokens_are_called_the_same_only_where_they_are(looked, text: str) -> None:
    context = looked("circuits", "en", text=text, guess="skip")
    twice = induction.twice(context.model, text)
    alike = len({token.id for token in context.model.tokenizer.trace(twice).tokens if not token.special}) == 1
    said = induction.refusal(context, twice)
    assert ("All tokens" in said) == (alike and bool(said))


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_weights_of_the_chosen_row_are_added_up(looked, model: str, lang: str) -> None:
    context = looked("attention", lang, model=model, guess="skip", section="chain")
    said = chain.summed(context)
    assert "1.000" in said and f" {len(context.view.key_tokens)} " in said


def test_a_long_text_is_not_repeated_whole_in_the_lead(looked) -> None:
    text = "The capital of France is Paris and the capital of Germany is Berlin. " * 4 + "The capital of Italy is"
    context = looked("circuits", "en", text=text, guess="skip")
    prompt = str(circuits.lead_of(context)[1]["prompt"])
    assert len(prompt) == circuits.PROMPT and prompt.startswith("…") and prompt.endswith("The capital of Italy is")


@pytest.mark.parametrize("heads", [1, 2, 4, 12, 96])
def test_more_heads_are_no_more_parameters(heads: int) -> None:
    one = Shape("encoder", vocab=1000, d_model=384, heads=1, layers=2, d_ff=1536, length=64)
    assert total(parameters(replace(one, heads=heads))) == total(parameters(one))


@pytest.mark.long
@pytest.mark.parametrize("n", [8, 24])
def test_a_loop_may_have_gone_round_more_often_than_is_counted(looked, n: int) -> None:
    context = looked("generation", "en", model="smollm2", text="?!... --- ;;", n=n, q=0, guess="skip")
    ids = [step.id for step in context.steps]
    said = " ".join(generation.looped(context))
    assert ids[-4:] == ids[-1:] * 4 and "at least three times in a row" in said


@pytest.mark.parametrize("text", ["九", "现", "猫", "我爱你", "小明小明小明", "你喜欢喝茶吗？"])
def test_a_word_of_the_translation_is_changed_wherever_there_is_one(looked, text: str) -> None:
    """A single word, too, which has a capital."""
    context = looked("translation", "en", model="translator", text=text, guess="skip")
    run = lifted_mask.trained_on(context, context.english, ())
    word, other = lifted_mask.last_word(run), lifted_mask.changed_target(context.english, run)
    assert bool(word) == bool(other)
    if word:
        changed = lifted_mask.trained_on(context, other, ())
        pairs = zip(run.target_in, changed.target_in, strict=True)
        places = [i for i, (a, b) in enumerate(pairs) if a.id != b.id]
        assert [run.target_in[i].text for i in places] == [word]


@pytest.mark.parametrize("preset", ["gpt2", "llama_8b", "llama_405b", "base", "minilm", "translator"])
@pytest.mark.parametrize("tied", ["on", "off"])
def test_what_can_be_untied_is_tied(looked, preset: str, tied: str) -> None:
    context = looked("size", "en", preset=preset, tied=tied, section="tied", guess="skip")
    key = next(iter(tying.now(context)), None)
    assert key == (None if context.shape.stack == "encoder" else f"tied.now_{tied}")


@pytest.mark.parametrize("model", ["minilm", "smollm2", "poet", "translator"])
@pytest.mark.parametrize("preset", [None, "base", "gpt2", "bert_base"])
def test_what_writes_too_is_not_said_to_read_only(looked, model: str, preset: str | None) -> None:
    """Work is counted of both stacks, where there are two."""
    context = looked("size", "en", model=model, guess="skip", **({"preset": preset} if preset else {}))
    assert (size.opening(context)[0] == "lead_both") == (context.shape.stack == "both")
    assert ("writing as many" in size.sentence_said(context)) == (model == "translator")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["The cat sat on the mat.", "The capital of France is", "1 2 3 4 5 6 7"])
def test_a_sign_for_white_space_is_explained_where_the_lead_has_one(looked, text: str, lang: str) -> None:
    context = looked("output", lang, model="smollm2", text=text, guess="skip")
    facts = output.facts(context)
    has = any(sign in str(facts["word"]) for sign in "␣↵⇥")
    assert bool(facts["signs"]) == has and str(facts["signs"]) in context.t.html("lead", **facts)


def test_each_smaller_nudge_comes_closer_to_the_gradient_and_shares_more_digits_with_it() -> None:
    true, tried = float(descend(USUAL).gradients[0]), nudges()
    shared = [quotient(n.slope, true).split("<b>")[1].split("</b>")[0] for n in tried]
    for measured in ([n.h for n in tried], [abs(n.slope - true) for n in tried], [-len(digits) for digits in shared]):
        assert measured == sorted(measured, reverse=True)
    assert all(written(true).startswith(digits) for digits in shared)


@pytest.mark.parametrize("model", ["minilm", "translator", "smollm2"])
def test_a_measure_is_said_to_favour_length_only_where_its_rows_show_it(looked, model: str) -> None:
    space, seen = looked("meaning", "en", model=model, guess="skip").view, set()
    for row in np.random.default_rng(0).choice(len(space.norms), 150, replace=False):
        values = space.measures(space.table[row])
        lists = {name: space.order(values[name], name, measures.NEAREST, without=(int(row),)) for name in MEASURES}
        common = set.intersection(*map(set, lists.values()))
        lengths = {name: float(np.mean([space.norms[i] for i in ids])) for name, ids in lists.items()}
        said = measures.found(space.norms, lists, common)
        assert (said == "measures.found_same") == (len(set(map(frozenset, lists.values()))) == 1)
        if said == "measures.found":
            assert lengths["dot"] > lengths["cosine"] > lengths["distance"]
        seen.add(said)
    assert "measures.found" in seen


@pytest.mark.parametrize("text", ["我昨天在北京", "The capital of France is", "Ünïcödé 🙂"])
@pytest.mark.parametrize("mode", ["text", "chat"])
def test_bytes_are_read_together_where_there_are_some(looked, text: str, mode: str) -> None:
    context = looked("generation", "en", model="smollm2", text=text, mode=mode, n=3, guess="skip")
    said, tokenizer = generation.joined(context), context.page.model.tokenizer
    broken = any("\ufffd" in tokenizer.decode([id]) for id in context.view.ids(context.steps))
    assert len(said) == broken
    if broken and mode == "text":
        assert text in html.unescape(said[0])


@pytest.mark.parametrize("text", ["Once upon a time", "The capital of France is", "1 2 3 4 5 6 7"])
def test_what_adds_most_takes_nothing_away(looked, text: str) -> None:
    """The largest in size may be a part that lowers the logit."""
    context = looked("circuits", "en", model="smollm2", text=text, guess="skip")
    found, chosen = context.view.found, circuits.adds_most(context)
    among = [v for part, v in zip(found.parts, found.values, strict=True) if part.kind in ("head", "feedforward")]
    assert found.values[chosen] == max(among) > 0


@pytest.mark.parametrize(("text", "enough"), [("I am", False), ("Good morning", False), ("The cat sat", True)])
def test_copying_is_not_sought_where_it_is_looking_back(looked, text: str, enough: bool) -> None:
    context = looked("circuits", "en", model="smollm2", text=text, section="induction", guess="skip")
    refused = induction.refusal(context, induction.twice(context.model, text))
    assert (refused == "") == enough


@pytest.mark.parametrize(("text", "more"), [("Yes", False), ("Yes Yes", True), ("The cat sat.", True)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_single_token_is_asked_for_no_other(looked, lang: str, text: str, more: bool) -> None:
    page = looked("overview", lang, model="smollm2", text=text, guess="skip")
    said = " ".join(overview.notices(page))
    assert (page.t.html("notice.one_token") in said) == (len(page.page.tokens) == 1) != more
    one = looked("embedding", lang, model="smollm2", text=text, guess="skip")
    assert (embedding.attempt(one) is None) == (len(set(one.view.ids)) == 1)


@pytest.mark.parametrize(("model", "reached"), [("minilm", False), ("poet", True), ("smollm2", True)])
def test_a_table_that_is_the_output_too_is_said_to_change_in_every_row(
    looked, opened, model: str, reached: bool
) -> None:
    page = opened("meaning", "en", model=model, section="gradient", guess="skip")
    assert ("so every row received a gradient" in page.html) == reached
    config = looked("meaning", "en", model=model, guess="skip").page.model.config
    assert config.tied or not reached


@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_the_steepest_slope_stands_beside_the_heads_own(looked, model: str) -> None:
    context = looked("position", "en", model=model, section="others", head=1, guess="skip")
    (said,) = others.said(context, others.variant_of(context, "alibi"))
    every = slopes(context.page.model.config.heads).tolist()
    steepest = "the steepest" if every[0] == max(every) else f"{max(every):.4g} for the steepest"
    assert f"{every[0]:.4g} for head 1, {steepest};" in said


@pytest.mark.parametrize("model", ["minilm", "poet", "smollm2"])
@pytest.mark.parametrize("text", ["A dog bites a man.", "床前明月光", "人工智能"])
def test_the_texts_that_are_compared_can_be_read(looked, model: str, text: str) -> None:
    context = looked("meaning", "zh", model=model, text=text, section="gradient", guess="skip")
    one, other = compared_texts(context)
    spell = context.page.model.tokenizer
    assert one != other and not spell.unknown(other) and (one == text or not spell.unknown(one))


@pytest.mark.parametrize("model", [*ADDING, "smollm2"])
def test_positions_are_compared_as_far_as_there_are_any(looked, model: str) -> None:
    waves = looked("position", "en", model=model, guess="skip").waves
    drawn = far.pairs(Texts("en", "position"), "pairs", waves, ("measure",), {})
    assert all(plane.shape == (drawn.rows.count, drawn.columns.count) for plane in drawn.planes.values())


@pytest.mark.parametrize("text", ["banana banana", "今天天气很好", "unaffable", "aaaaaaaa"])
def test_each_merge_leaves_one_piece_fewer(looked, text: str) -> None:
    context = looked("tokens", "en", model="smollm2", text=text, guess="skip")
    words = [unit for unit in context.view.units if unit.merges]
    most = max(words, key=lambda unit: len(unit.merges))
    said = tokens.merges_said(context, list(context.view.units))[0]
    assert f"after {len(most.text.replace('␣', ' ').encode()) - len(most.tokens)} merge" in said


@pytest.mark.parametrize("model", ["poet", "smollm2"])
def test_a_norm_at_the_entrance_is_one(looked, model: str) -> None:
    """Where the page draws a norm before the first layer, there is one: its γ is 1, so rows leave it with size 1."""
    context = looked("layernorm", "en", model=model, section="where", guess="skip")
    entering = capture(rearranged(context.page.model, "input"), context.page.text)["embedding.output"]
    assert np.sqrt((entering.astype(np.float64) ** 2).mean(-1)) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("text", ["One, two, three, four,", "The old man the boat", "a b c a"])
def test_what_followed_is_asked_of_the_second_copy(looked, text: str) -> None:
    context = looked("circuits", "en", model="smollm2", text=text, guess="skip")
    row = cached.trace("smollm2", induction.twice(context.page.model, text)).tokens
    pairs = followed(row)
    half = len(row) - len(row) // 2
    assert pairs and all(at >= half and row[at].id == row[to - 1].id and to <= half for at, to in pairs.items())


@pytest.mark.parametrize(
    ("ranks", "key"),
    [([4, 3, 1, 1], "turn"), ([4, 3, 2, 1], "turn_last"), ([4, 1, 2, 1], "turn_again"), ([1, 1, 1], "turn_none")],
)
def test_a_word_stays_first_only_from_where_something_follows(ranks: list[int], key: str) -> None:
    first = next(i for i in range(len(ranks)) if set(ranks[i:]) == {1})
    assert depth.turning(ranks, first) == key


@pytest.mark.parametrize("model", ["poet", "smollm2"])
@pytest.mark.parametrize("text", ["春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。", "床前明月光", "1, 2, 3, 4,"])
def test_softmax_leaves_something_to_every_row(looked, model: str, text: str) -> None:
    """What the others have together is at least what the second has, and so it is said, however sure the model is."""
    context = looked("output", "en", model=model, text=text, guess="skip")
    likely = context.view.likely[context.row].astype(np.float64)
    said = re.sub("<[^>]*>", "", output.left_over(context))
    assert np.sort(likely)[:-1].sum() >= np.sort(likely)[-2] > 0
    assert not re.search(r"(together|rest|others)[^.;]*? 0[;.,]", said), said


@pytest.mark.parametrize(
    "text", ["7 + 5 = 12", "a + b", "unaffable", "The cat sat on the mat.", "我昨天在北京买了三本书"]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_merge_was_one_of_several_only_where_others_could_be(looked, text: str, lang: str) -> None:
    context = looked("tokens", lang, model="smollm2", text=text, guess="skip")
    longest = max((unit for unit in context.view.words if unit.merges), key=lambda unit: len(unit.merges))
    said = re.sub("<[^>]*>", "", "".join(tokens.notices(context)))
    alone = {"zh": "能合并的只有它们", "en": "no other pair could be merged"}[lang]
    assert (alone in said) == (longest.merges[0].chances == 1)


@pytest.mark.parametrize(("text", "known"), [("猫", True), ("书", True), ("cat", True), ("饕", False)])
def test_a_lone_token_is_not_called_unknown(looked, text: str, known: bool) -> None:
    context = looked("tokens", "en", model="translator", text=text, section="gaps", guess="skip")
    said = tokens_gaps.instead(context)
    assert ("a single token" in said) == known and ("never met" in said) != known


@pytest.mark.parametrize("text", ["床前明月光", "月光", "我爱你", "The cat sat on the mat.", "one two three"])
@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_ids_are_no_measure_where_the_nearest_are_the_most_alike(looked, text: str, model: str) -> None:
    context = looked("embedding", "en", model=model, text=text, guess="skip")
    found = embedding.most_alike_and_nearest(*context.key)
    if found is None:
        return
    most, near, _ = found
    gaps = [embedding.id_gap(context.view, *pair) for pair in (most, near)]
    (said,) = embedding.alike(context)
    assert not (gaps[0] == gaps[1] and "Ids do not measure" in said)
    if "neighbouring ids" in said:
        rows = context.view.table.astype(np.float64)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        assert gaps[0] == gaps[1]
        assert (unit[1:] * unit[:-1]).sum(1).mean() < context.view.cosine[most]


@pytest.mark.parametrize(("cosine", "right"), [(0.05, True), (-0.05, True), (-0.5, False), (0.5, False)])
def test_opposite_rows_are_not_called_perpendicular(cosine: float, right: bool) -> None:
    first, second = np.array([1.0, 0.0]), np.array([cosine, math.sqrt(1 - cosine**2)])
    words = [Word("a", (0,), ("a",), first), Word("b", (1,), ("b",), second)]
    assert unlike(Chosen(None, *words, words), {}).right == right  # type: ignore[arg-type]


@pytest.mark.parametrize("page", ["heads", "attention"])
def test_across_two_sentences_queries_come_from_one(looked, page: str) -> None:
    for kind, crossing in (("self", False), ("cross", True)):
        try:
            context = looked(page, "en", model="translator", kind=kind, guess="skip")
        except KeyError:
            continue
        words = heads if page == "heads" else attention
        key, facts = words.lead_of(context)
        said = context.t.html(key, **facts)
        assert ("translation" in said and "source" in said) == (context.kind == "cross") == crossing


@pytest.mark.parametrize("text", ["Why is the sky blue?", "Hi"])
def test_a_difference_that_is_rounding_is_called_so(looked, text: str) -> None:
    for model, rounding in (("smollm2", True), ("minilm", False), ("translator", False)):
        context = looked("tokens", "en", model=model, text=text, section="batch", guess="skip")
        said = "".join(tokens_batch.said(context, *tokens_batch.batch_of(context)))
        assert ("Both differences are rounding" in said) == rounding


@pytest.mark.parametrize("text", ["low lower lowest", "the cat sat on the mat", "aa ab", "一二三一二三"])
def test_merges_are_counted_for_each_rule(looked, text: str) -> None:
    context = looked("vocabulary", "en", text=text, guess="skip")
    first = [context.trained(rule, context.ties).merges[:10] for rule in RULES]
    score, frequency = ({merge.made for merge in each} for each in first[:2])
    said = three_algorithms.apart(context.t, score - frequency, frequency - score, first)
    if score - frequency and frequency - score:
        assert f"first {len(first[0])} merge" in said and f"first {len(first[1])} only" in said
    assert "–" not in said and ("besides" in said) == (score < frequency or frequency < score)


@pytest.mark.parametrize(
    "text", ["ab×2 cd×2 xd", "aa ab", "hug×10 pug×5", "zyzzyva syzygy", "北京 北京 东京", "the cat sat"]
)
def test_a_pair_is_among_the_first_by_both_rules_only_where_both_have_several(looked, text: str) -> None:
    context = looked("vocabulary", "en", sample=text, guess="skip")
    key, facts = vocabulary.lead(context)
    assert (key == "lead_tied_same") == ({"best_tied", "often_tied"} <= set(facts) and facts["best"] == facts["often"])


@pytest.mark.parametrize(
    "text", ["1, 2, 3, 4,", "2 apples and 3 pears", "7 days", "Why is the sky blue?", "床前明月光"]
)
def test_what_joins_two_copies_may_be_a_token(text: str) -> None:
    """Every token of the second copy but the first follows as in the first, whatever stands between them."""
    for name in ("smollm2", "poet"):
        model = cached.model(name)
        row, own = (cached.trace(name, each).tokens for each in (induction.twice(model, text), text))
        words = sum(token.end > 0 for token in own)
        assert len(followed(row)) >= words - 1
        assert all(row[at].id == row[to - 1].id for at, to in followed(row).items())


@pytest.mark.parametrize("text", ["yes yes yes", "a a a a", "月月月月"])
def test_equal_tokens_tell_no_copying_head(looked, text: str) -> None:
    model = "poet" if text[0] == "月" else "smollm2"
    context = looked("circuits", "en", model=model, text=text, guess="skip")
    both = induction.twice(context.page.model, text)
    row = cached.trace(model, both).tokens
    alike = len({row[at].id for at in followed(row)}) == 1
    assert not alike or induction.refusal(context, both)


@pytest.mark.parametrize("text", ["Hello", "7", "Yes"])
def test_a_head_of_one_token_has_nothing_else_to_take_from(looked, text: str) -> None:
    context = looked("circuits", "en", model="smollm2", text=text, guess="skip")
    said = " ".join(circuits.notices(context))
    assert "need not be where it takes most" not in said and "to see what it takes from each token" not in said


@pytest.mark.parametrize("text", ["naïve café ☃ don’t stop", "☃ melts in the sun", "The cat sat on the mat."])
def test_what_replaces_a_token_is_what_is_typed_there(looked, text: str) -> None:
    context = looked("tokens", "en", model="minilm", text=text, section="length", guess="skip")
    longest = length.whole_of(*context.key)
    other = length.exchanged(context, longest)
    most = length.most_of(context)
    parts = length.parts_of(context.key[0], context.key[1], most)
    shown, _ = length.read(context, parts, longest, most)
    replaced = other is not None and other[longest.row[longest.at].start] == "☃" and other != text
    assert ("☃ (" in "".join(shown)) == replaced


@pytest.mark.parametrize("text", ["？", "。", "！！"])
def test_nothing_is_said_to_be_written_where_nothing_is(looked, opened, text: str) -> None:
    context = looked("translation", "en", model="translator", text=text, guess="skip")
    page = opened("translation", "en", model="translator", text=text, guess="skip").html
    if len(context.written) == 1:
        assert "writes one all the same" not in page and "is forced" not in page


@pytest.mark.parametrize("preset", ["smollm2", "llama_8b", "gpt3", "bert_base", "minilm", "opt"])
def test_a_width_is_counted_by_the_formula_of_its_own_layer(looked, preset: str) -> None:
    context = looked("size", "en", preset=preset, guess="skip")
    own = models.facts(context)["own"]
    assert not own or (context.shape.d_ff == 4 * context.shape.d_model and not context.shape.gated)


@pytest.mark.parametrize("text", ["爱", "谢谢", "饕餮", "爱🦜", "爱 and love", "☃", "é"])
@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_words_of_bytes_that_were_never_merged_are_asked_about_or_not(opened, text: str, model: str) -> None:
    page = opened("tokens", "en", model=model, text=text)
    assert not page.app.exception and "could not be drawn" not in page.html


@pytest.mark.parametrize("preset", ["smollm2", "llama_8b", "gpt3", "bert_base", "opt"])
def test_no_markup_is_read_as_words(opened, preset: str) -> None:
    assert "&lt;span" not in opened("size", "zh", preset=preset, section="models", guess="skip").html


@pytest.mark.parametrize("text", ["床前明月光", "春风又绿江南岸", "月落乌啼"])
def test_no_copy_is_spoken_of_where_no_head_copies(looked, text: str) -> None:
    context = looked("circuits", "en", model="poet", text=text, guess="skip")
    found = induction.found_in("poet", induction.twice(context.page.model, text))
    assert bool(induction.alone(context, found)) == (found.again[found.second] >= induction.DOES)


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
@pytest.mark.parametrize("remove", ["", "1"])
def test_removing_words_is_the_cause_only_where_it_is(looked, model: str, remove: str) -> None:
    asked = {"remove": remove} if remove else {}
    context = looked("meaning", "en", model=model, section="sum", guess="skip", **asked)
    terms = tuple(sums.terms(context))
    rows, without = (sums.nearest(context, terms, remove=each) for each in (False, True))
    own = rows[0].id in {id for word in terms for id in word.ids}
    said = " ".join(sums.said_of_sum(context, terms, rows[0], without[0], own))
    assert ("are removed, so" in said) == (bool(remove) and own)


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_without_the_words_of_a_sum_its_nearest_is_named(looked, model: str) -> None:
    """Whichever of the three it is."""
    offered = [words for lang in LANGUAGES for words in sums.sums(looked("meaning", lang, model=model).page)]
    for words in offered:
        asked = dict(zip(sums.TERMS, words, strict=True))
        context = looked("meaning", "en", model=model, section="sum", guess="skip", remove="1", **asked)
        terms = tuple(sums.terms(context))
        rows, without = (sums.nearest(context, terms, remove=each) for each in (False, True))
        own = rows[0].id in {id for word in terms for id in word.ids}
        said = re.sub("<[^>]*>", "", sums.said_of_sum(context, terms, rows[0], without[0], own)[1])
        assert (f"nearest to the result is {rows[0].piece}, which the sum itself contains" in said) == own


@pytest.mark.parametrize(("model", "kind"), [("minilm", "self"), ("poet", "causal"), ("translator", "cross")])
@pytest.mark.parametrize(("mask", "pads"), [("none", 0), ("padding", 2), ("padding", 0), ("causal", 0)])
def test_no_key_is_called_hidden_where_others_were_opened(looked, model: str, kind: str, mask: str, pads: int) -> None:
    if kind == "cross" and mask == "causal":
        return
    for q in range(4):
        asked = {"model": model, "kind": kind, "mask": mask, "pads": pads, "q": q, "section": "masks"}
        context = looked("attention", "en", guess="skip", **asked)
        made = tried.made_of(context)
        said = " ".join(tried.words(context, made))
        opened = int((made.let[q] & ~np.isfinite(context.view.mask[q])).sum())
        assert (f"Of the keys hidden there, {opened} " in said) == (opened > 0)
        assert ("keys that are now hidden" in said) == (not opened and not made.is_own)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9, 0.99, 0.999])
def test_a_mean_is_said_to_stay_only_where_it_did(looked, rate: float) -> None:
    context = looked("input", "en", section="dropout", rate=rate, guess="skip")
    cell = float(context.view.now.output[context.opening, 0])
    near = abs(dropout.draws(cell, rate).mean() - cell) <= 0.1 * abs(cell)
    assert ("The mean stays" in dropout.average(context)) == near


def test_what_is_said_of_the_sum_says_whose_it_is(looked) -> None:
    for switched in ({}, {"positions": "off"}, {"join": "concat"}, {"sqrt": "on"}):
        context = looked("input", "en", guess="skip", **switched)
        said = " ".join(into.notices(context))
        assert ("as it is, whatever the switches" in said) == context.view.moved


@pytest.mark.parametrize("against", [None, "Paris", "Berlin"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_head_adds_to_a_difference_is_not_said_of_one_word(looked, lang: str, against: str | None) -> None:
    asked = {"against": against} if against else {}
    for guess in ("open", "skip"):
        context = looked(
            "circuits", lang, model="smollm2", text="The capital of France is", word="London", guess=guess, **asked
        )
        most = circuits.most_to(context)
        assert context.word in most and (context.against is None or context.against in most)
        assert most in " ".join(map(html.unescape, circuits.the_head(context)))
        assert context.question is None or most in circuits.asked(context).values()


def test_a_loss_is_said_to_go_one_way_only_where_it_does(looked) -> None:
    context = looked("position", "en", model="minilm", section="lengths", guess="skip")
    run, courses = lengths.lengths(), set()
    for name, kind in run.kinds.items():
        if np.isnan(kind.losses).any():
            continue
        key, steps = lengths.course(kind.losses), np.diff(kind.losses)
        courses.add(key)
        assert key != "rises" or (steps > 0).all(), name
        assert key != "falls" or (steps < 0).all(), name
        if key == "falls_early":
            since = lengths.settles(kind.losses)
            assert np.ptp(kind.losses[since:]) < 2 * lengths.HELD and 0 < since < len(kind.losses) - 1
    assert {"rises", "uneven", "falls_early", "holds"} <= courses
    assert all("{" not in said for said in lengths.said(context))


@pytest.mark.parametrize(
    ("text", "determiners"),
    [
        ("Nobody remembered her.", []),
        ("I told her that this is his.", []),
        ("She gave her the old book", ["the"]),
        ("My other dog likes this house.", ["my", "this"]),
    ],
)
def test_a_pronoun_is_not_called_a_determiner(looked, text: str, determiners: list[str]) -> None:
    context = looked("attention", "en", model="minilm", text=text, guess="skip")
    tokens = context.view.queries
    assert [tokens[i].text for i in named_heads.rows("noun", tokens)] == determiners
    assert featured.about("noun", tokens) == named_heads.rows("noun", tokens)


@pytest.mark.parametrize("model", ["minilm", "translator", "smollm2"])
@pytest.mark.parametrize("method", KINDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lead_is_about_the_norm_that_was_chosen(looked, model: str, method: str, lang: str) -> None:
    context = looked("layernorm", lang, model=model, method=method, guess="skip")
    key, facts = layernorm.lead_of(context)
    assert (key == "lead") == (method == context.view.kind)
    if key != "lead":
        row = context.ran.normalized[context.row].astype(np.float64)
        after = [plain(row.mean()), plain(row.std())]
        assert after == [facts["mean_after"], facts["spread_after"]]
        assert len(layernorm.notices(context)) == 1
    drawn = lanes(context)
    names = " ".join([lane.label for lane in drawn.lanes] + [drawn.words.all])
    assert ("β" in names) == ("beta" in PARTS[method]) and ("γ" in names) == ("gamma" in PARTS[method])


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_stands_under_its_question(looked, model: str, lang: str) -> None:
    context = looked("layernorm", lang, model=model, guess="skip")
    facts, words = predict.facts_of(context), f"predict.{context.question.template}"
    question, answer = (context.t(f"{words}.{name}", **facts) for name in ("question", "answer"))
    offered = list(zip(context.question.choices, predict.choices(context), strict=True))
    assert predict.lines_of(context.t, question, answer, offered, predict.behind(context))[1]


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_what_is_asked_about_is_on_the_map(model: str) -> None:
    sample = opening(model)
    drawn = {word for group in sample["opens"] for word in ready(model)[group].words}
    assert {one["word"] for one in sample["asked"]} <= drawn


@pytest.mark.parametrize("text", ["爱", "ｱ ﬁ ② Ⅳ", "谢谢", "unaffable cats", "The cat 爱 sat."])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_bytes_that_stay_apart_are_not_said_to_be_merged(looked, lang: str, text: str) -> None:
    context = looked("tokens", lang, model="smollm2", text=text, guess="skip")
    key, facts = tokens.lead(context)
    unit = context.view.units[context.view.opening()]
    assert (key == "lead_apart") == (unit.pieces > 1 and not unit.merges)
    assert "{" not in context.t.html(key, **facts)


@pytest.mark.parametrize(
    ("text", "starts"), [("buffalo buffalo buffalo", None), ("buffalo the buffalo", 8), ("the cat", 4)]
)
def test_where_a_word_starts_is_said_of_a_word_that_stands_there_once(looked, text: str, starts: int | None) -> None:
    said = " ".join(tokens.notices(looked("tokens", "en", model="minilm", text=text, guess="skip")))
    assert "Offsets still count" in said
    assert re.findall(r"starts at character (\d+)", said) == ([] if starts is None else [str(starts)])


@pytest.mark.parametrize(("mode", "rate"), [("evaluation", 0.5), ("training", 0.0), ("training", 0.5)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_cosine_is_said_to_change_where_none_does(looked, lang: str, mode: str, rate: float) -> None:
    context = looked("input", lang, model="minilm", section="dropout", mode=mode, rate=rate, seed=3, guess="skip")
    (said,) = sides.pairs_said(context, "dropout_pairs", "before", "after")
    same = np.array_equal(context.cosines("before", "sum"), context.cosines("after", "sum"))
    assert (said == paragraph(context.t, "pairs_same")) == same == (mode == "evaluation" or rate == 0)


@pytest.mark.parametrize("text", ["dog dog dog dog", "a a a a", "Buffalo buffalo buffalo buffalo", "The cat sat"])
@pytest.mark.parametrize("model", ["smollm2", "translator"])
def test_nobody_is_asked_about_who_sees_a_single_key(looked, model: str, text: str) -> None:
    view = looked("attention", "en", model=model, text=text, kind="causal", guess="skip").view
    for head in range(len(view.weights)):
        for question in asked_of_attention(view, head):
            assert np.isfinite(view.mask[question.row]).sum() > 1


@pytest.mark.parametrize("kind", ["self", "cross", "causal"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_says_whose_head_it_is_about(looked, lang: str, kind: str) -> None:
    context = looked("attention", lang, model="translator", kind=kind, guess="skip")
    facts = predict.facts_of(context)
    for said in ("question", "answer"):
        assert {"en": "the encoder", "zh": "编码器"}[lang] in context.t(f"predict.most_looked_at.{said}", **facts)


@pytest.mark.parametrize(("text", "q", "dim"), [("Yes", 0, 31), ("The cat sat on the mat.", 3, 31), ("a b c", 2, 0)])
def test_a_number_is_said_to_turn_where_its_digits_change(looked, text: str, q: int, dim: int) -> None:
    context = looked("attention", "en", model="smollm2", text=text, q=q, guess="skip")
    view, head = context.view, context.head - 1
    after = float(view.query[head, q, dim])
    for before in (after, after + 0.01):
        key = turning(q, before, after)
        assert key == ("turned_not" if q == 0 else "turned_slow" if short(before) == short(after) else "turned")


@pytest.mark.parametrize("model", ["minilm", "translator", "smollm2"])
@pytest.mark.parametrize("layers", [1, 2, 6])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_layer_is_counted_once(looked, opened, lang: str, layers: int, model: str) -> None:
    page = opened("encoder", lang, model=model, section="height", layers=layers, guess="skip")
    each = {"en": "This layer has", "zh": "这一层有"}[lang]
    assert (each in page.html) == (layers == 1)


@pytest.mark.parametrize("what", ["lift", "silence", "mute"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_changed_is_listed_or_said_to_be_more(looked, lang: str, what: str) -> None:
    context = looked("overview", lang, model="smollm2", text="The cat’s on the mat.", what=what, guess="skip")
    run = what_if.given(context)
    assert run
    found = what_if.changed(context.page.address.model, context.page.text, run)
    said = what_if.ended(context, found)
    assert ({"en": "among them", "zh": "其中有"}[lang] in said) == (len(found.words) > said.count("→"))


@pytest.mark.parametrize(("text", "said"), [("Yes", False), ("Yes Yes", True)])
def test_a_single_token_is_not_compared_with_itself(looked, text: str, said: bool) -> None:
    assert bool(depth_of(looked("overview", "en", model="smollm2", text=text, guess="skip")).words.curve) == said


def test_counts_and_places_are_written_in_threes_and_names_are_not() -> None:
    said = Texts.fill("{rank} of {rows}: id {id}, seed {seed}", {"rank": 1039, "rows": 1188, "id": 1996, "seed": 2024})
    assert said == "1,039 of 1,188: id 1996, seed 2024"


@pytest.mark.parametrize("text", ["月落乌啼霜满天", "床前明月光", "春眠不觉晓"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_led_before_is_not_said_to_lead_only_at_the_end(looked, lang: str, text: str) -> None:
    context = looked("circuits", lang, model="poet", text=text, section="lens", guess="skip")
    found = lens.lens_of(context)
    said = "".join(lens.turn(context, found))
    before, last = found.rank[:-1], found.rank[-1] == 0 and found.rank[-2] > 0
    assert bool(re.search("overtaken|超过", said)) == bool(last and (before == 0).any())


@pytest.mark.parametrize("eps", ["own", "1e-5", "0.1"])
@pytest.mark.parametrize("norm", [1, 3])
def test_the_lead_of_layernorm_says_the_spread_that_the_picture_shows(looked, eps: str, norm: int) -> None:
    context = looked("layernorm", "en", text="The cat sat on the mat.", eps=eps, norm=norm, guess="skip")
    _, said = layernorm.lead_of(context)
    before = float(context.view.captured.variance[context.row])
    epsilon = context.epsilon(eps)
    assert float(str(said["spread_after"])) == pytest.approx((before / (before + epsilon)) ** 0.5, rel=1e-2)


def test_what_the_poet_has_learned_is_what_was_measured() -> None:
    measured = json.loads((ASSETS / "models/poet/metrics.json").read_text())
    written, held = measured["measured"]["written"], measured["measured"]["held_out"]
    numbers = [
        f"{100 * share:.1f} %" for share in (written["rhyme"], held["rhyme"], written["regular"], held["regular"])
    ]
    numbers += [f"{measured['loss'][name]:.2f}" for name in ("held_out", "bigram", "unigram", "uniform")]
    assert written["form"] == 1 and (written["poems"], written["lines"], written["copied_lines"]) == (500, 2000, 2)
    for lang in ("zh", "en"):
        said = lesson_of("poet").words[lang]["generation"]["tries"]["said"]
        assert all(number in said for number in numbers), numbers


@pytest.mark.parametrize(
    "text", ["白日依山尽，黄河入海流。欲穷千里目，更上一层楼。", "床前明月光，疑是地上霜", "春眠不觉晓，"]
)
def test_all_others_together_have_no_less_than_the_second(looked, text: str) -> None:
    context = looked("output", "en", model="poet", text=text, guess="skip")
    likely = context.view.likely[context.row]
    assert float(output.rest_of(context, likely[context.best])) >= likely[context.order[1]]


@pytest.mark.parametrize("layers", [2, 4, 6])
def test_a_task_is_called_learned_only_where_lines_are_right(looked, layers: int) -> None:
    """A loss below that of a random guess is not enough."""
    context = looked("training", "en", section="contest", what="norm", layers=layers, guess="skip")
    said, none = contest_words.gradients(context), context.family.runs["none"]
    right, *others = (
        np.mean([curves["right"][-1] for curves in context.family.runs[id].seeds]) for id in ("none", "post", "pre")
    )
    below, learned = min(none.ends) < none.setting.guessing, right >= max(others) / 2
    assert ("this shallow learns as well" in said) == (below and learned)
    assert ("is not learned" in said) == (below and not learned)


@pytest.mark.parametrize("rule", RULES[:2])
@pytest.mark.parametrize(
    "text", ["北京×12 东京×5 北方×5 东方×4 北京人×10", "东 西 东西 南北 东西南北", "hug×10 pug×5 pun×12 bun×4"]
)
def test_vocabularies_that_parted_may_be_the_same_in_the_end(looked, text: str, rule: str) -> None:
    context = looked("vocabulary", "en", sample=text, rule=rule, guess="skip")
    both = [context.trained(rule, ties) for ties in ("first", "id")]
    ends = [{merge.made for merge in each.merges} for each in both]
    said = tie_breaks.outcome(context.t, *both)
    assert ("they are the same again" in said) == (ends[0] == ends[1] and "differ for the first time" in said)
    assert ("they still do" in said) == (ends[0] != ends[1])


@pytest.mark.parametrize(("model", "kind"), [("translator", "cross"), ("translator", "self"), ("minilm", "self")])
def test_one_row_of_weights_suffices_only_where_it_misses_little(looked, model: str, kind: str) -> None:
    for q in range(1, 5):
        context = looked("heads", "en", model=model, kind=kind, q=q, section="joined", guess="skip")
        name, text = context.key
        error = joining.single_of(name, text, context.layer, context.kind, context.edits, context.cell[0])
        assert ("nearly suffices" in joining.alone(context)) == (error < 0.01)


@pytest.mark.parametrize("text", ["不要走", "éclair", "a é", "😀"])
def test_bytes_are_spoken_of_wherever_the_first_wide_character_stands(looked, text: str) -> None:
    said = " ".join(tokens.notices(looked("tokens", "en", model="smollm2", text=text, guess="skip")))
    assert "takes part in" in said


@pytest.mark.parametrize("text", ["a\U00040000b", "hi \x04 you", "   ", "\n\n", "The cat sat."])
def test_what_bytes_lack_is_dropped_and_blanks_are_read(looked, opened, text: str) -> None:
    """Where bytes are merged nothing becomes [UNK], and whitespace is a token of the visitor's."""
    context = looked("tokens", "en", model="smollm2", text=text, guess="skip")
    said = opened("tokens", "en", model="smollm2", text=text, guess="skip", section="back").html
    lacking = context.page.model.unknown(text)
    assert ("such bytes are dropped" in said) == ("lacks were dropped" in said) == bool(lacking)
    assert "turned into [UNK]" not in said and "The sentence is empty" not in said
    assert ("There is only whitespace here" in said) == (not text.strip())


@pytest.mark.parametrize("text", ["[UNK] [UNK]", "[MASK]", "[SEP]"])
def test_special_tokens_that_were_typed_are_not_the_model_s_own(looked, text: str) -> None:
    key, _ = overview.lead_of(looked("overview", "en", model="minilm", text=text, guess="skip"))
    assert key == "lead_nothing" and "adds itself" not in looked("overview", "en").t(key, tokens="")


@pytest.mark.parametrize("text", ["。", "我喜欢猫", "猫"])
def test_no_translation_is_made_up_where_nothing_is_written(looked, text: str) -> None:
    context = looked("encoder", "en", model="translator", text=text, section="residual", guess="skip")
    written = context.page.translation.text_out
    assert residual.translations(context)["own"] == (written or "(nothing)")


def test_no_sentence_is_compared_with_itself() -> None:
    assert all(residual.other_than(text) != text for text in (*residual.OTHERS, "dog"))


@pytest.mark.parametrize(("topk", "said"), [("1", "With a top-k of 1"), ("all", "though it samples")])
def test_the_way_out_of_a_loop_is_one(looked, topk: str, said: str) -> None:
    context = looked("generation", "en", model="smollm2", text="a a a a a a", temperature="1", topk=topk, guess="skip")
    found = "".join(generation.looped(context))
    assert not found or said in found


@pytest.mark.parametrize("limit", [{}, {"topk": "3"}, {"topp": "0.5"}])
def test_nothing_is_to_be_loosened_that_is_not_tight(looked, limit: dict[str, str]) -> None:
    context = looked("output", "en", section="draw", temperature="0.5", model="translator", guess="skip", **limit)
    said = "".join(chance.sentences(context))
    assert ("First loosen" in said) <= bool(limit) and ("Raise the temperature and try" in said) <= (not limit)


@pytest.mark.parametrize("ids", ["40000", "1 2 60000", "0 1", "1500"])
@pytest.mark.parametrize("model", ["minilm", "poet", "smollm2"])
def test_another_table_is_announced_only_where_it_is_drawn(opened, model: str, ids: str) -> None:
    said = opened("embedding", "en", model=model, section="ids", ids=ids, guess="skip").html
    largest = max(map(int, ids.split()))
    own = len(cached.model(model).tokenizer)
    assert ("table instead" in said) == (own <= largest < 30_522)


@pytest.mark.parametrize(
    "typed", ["0.1,0.1,0.1", "1e-200,2e-200", "0.2,0.1,0.3", "0.001,0.002", "3,3", "2,1,3", "1,2,3,4", "5,1"]
)
def test_numbers_are_called_equal_only_where_they_are(looked, typed: str) -> None:
    context = looked("layernorm", "en", section="hand", vector=typed, guess="skip")
    values = np.array([float(one) for one in typed.split(",")])
    said = " ".join(by_hand_page.words(context.t, by_hand(values, 1e-5), 1e-5))
    assert ("All numbers are equal" in said) == (len(set(values)) == 1)
    again = re.search(r"would be (\S+) instead of (\S+?)\.?$", said)
    assert not again or again[1] != again[2]


@pytest.mark.parametrize("rate", ["0.0000001", "0.1", "0"])
def test_a_loss_falls_only_where_it_is_seen_to(looked, rate: str) -> None:
    context = looked("attention", "en", section="layer", eta=rate, guess="skip")
    made = small_layer_step.step_of(context)
    said = " ".join(small_layer_step.words(context, made))
    assert "falls from" not in said or short(made.loss) != short(made.new_loss)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("minilm", "The cat sat on the mat."),
        ("minilm", "a dog"),
        ("translator", "猫坐着"),
        ("smollm2", "The cat sat on the mat."),
        ("smollm2", "a"),
        ("poet", "床前明月光"),
    ],
)
def test_a_river_is_called_too_wide_where_it_is_cut(looked, model: str, text: str) -> None:
    """Its banks are dashed there: a vector is longer than fits its row. Its length is said, and the next one's."""
    context = looked("overview", "en", model=model, text=text, guess="skip")
    page = overview.sheet_of(*context.key)
    said = " ".join(overview.widest(context))
    states = [array for column, array in zip(page.columns, page.lengths, strict=True) if column.id != "written"]
    longest = max((sums for sums in page.sums if sums is not None), key=np.max)
    assert longest.max() >= max(
        array.max() for column, array in zip(page.columns, page.lengths, strict=True) if column.id == "left"
    ) * (1 - 1e-6)
    if len(longest) > 1 and max(array.max() for array in states) > page.widest:
        second, first = np.sort(longest)[-2:]
        assert [float(title) for title in re.findall("title='([^']+)'", said)] == [first, second]
    else:
        assert not said
    measures = (ASSETS / "components/sheet/measures.js").read_text(encoding="utf-8")
    assert f"WIDEST = {page.widest / page.full / 2:.2f};" in measures


@pytest.mark.parametrize("text", ["九猫", "我喜欢猫", "The cat sat on the mat.", "unaffable", "cat"])
def test_no_more_heads_are_promised_than_there_are(looked, text: str) -> None:
    """Where none looks back by more than half, the one that does so most is told that it is."""
    context = looked("heads", "en", text=text, guess="skip", task="back")
    view = context.practised
    for layer, head in np.ndindex(view.layers, view.heads):
        verdict = looks_back(view, {"layer": layer + 1, "head": head + 1})
        said = context.t.html(f"exercises.back.{verdict.words}", **verdict.facts)
        assert verdict.right == ("would give" in said) and "more: 0" not in said
        assert ("No head puts more" in said) == (not verdict.right and verdict.facts.get("more") == 0)


@pytest.mark.parametrize(
    ("put", "best"),
    [
        ("", "B"),
        ("E.1.0=1;E.1.1=0;E.1.2=1;E.1.3=0", "C"),  # A and B are written alike
        ("E.2.0=0;E.2.1=1;E.2.2=0;E.2.3=1", "B, C"),
        ("E.0.0=0;E.0.2=0;E.1.1=0;E.1.3=0;E.2.0=0;E.2.1=0;E.2.2=0;E.2.3=0", "A, B, C"),
    ],
)
def test_words_that_are_equally_likely_are_all_named(put: str, best: str) -> None:
    states, t = small_layer.states_of(put), Texts("en", "attention")
    said = small_layer.chooses(t, states)
    assert (f"likely word after token 2 is {best}," in said) == (len(best) == 1)
    assert (f"{best} are equally likely" in said) == (len(best) > 1)
    marked = small_layer.block("probabilities", {}, states).marked
    assert list(marked) == [(1, "ABC".index(word)) for word in best.split(", ")]


@pytest.mark.parametrize("text", ["？", "现", "。", "九", "猫", "我爱你"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_mask_that_hides_nothing_is_not_said_to_matter(looked, text: str, lang: str) -> None:
    """A single row has no later word; what is said of more rows compares them."""
    context = looked("translation", lang, model="translator", text=text, section="peek", guess="skip")
    plain, free = (lifted_mask.trained_on(context, context.english, edits) for edits in ((), (lift_mask(),)))
    said = lifted_mask.compared(context, plain, free)
    alone = len(plain.target_in) == 1
    assert (right(plain) == right(free)).all() == alone
    assert (re.search("hides nothing|什么也没遮住", said) is not None) == alone
    assert (re.search("does not fall|falls from|没有降低|降到", said) is not None) != alone


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("base", [1, 2, 10_000])
def test_clocks_are_compared_only_where_there_are_two(looked, d: int, base: int) -> None:
    context = looked("position", "en", section="calculator", d=d, base=base, i=0, guess="skip")
    said, clocks = " ".join(calculator.said_of(context)), (d + 1) // 2
    assert ("There is one clock" in said) == (clocks == 1)
    assert ("all clocks are equally fast" in said) == (clocks > 1 and base == 1)
    assert ("The slowest clock" in said) == (clocks > 1 and base > 1)
    assert ("without its cosine" in said) == (clocks > 1 and d % 2 == 1)
    assert ("one sine and no cosine" in said) == (d == 1)


@pytest.mark.parametrize(
    ("text", "lost"),
    [("[UNK] snow☃man", 1), ("[UNK] ☃ [UNK] ☃☃", 2), ("☃ and ☃", 2), ("I [UNK] you ☃", 1), ("☃[UNK]", 1)],
)
def test_an_unknown_token_that_was_typed_is_not_lost(looked, text: str, lost: int) -> None:
    context = looked("tokens", "en", model="minilm", text=text, section="holes", guess="skip")
    said = "".join(holes.unknown(context))
    assert re.findall(r"(\d+) tokens? became", said) == [str(lost)], said
    about = looked("embedding", "en", model="minilm", text=text, guess="skip")
    typed = any(about.view.special[i] for i in about.view.places(about.opening))
    assert ("cannot spell the tokens" in embedding.context_free(about)) <= (not typed)


@pytest.mark.parametrize("model", ["minilm", "smollm2", "translator"])
@pytest.mark.parametrize("text", ["我爱 unaffable 的猫", "我们 love 电影", "他说 electroencephalographer"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_characters_are_called_characters_where_words_are_made(looked, model: str, text: str, lang: str) -> None:
    context = looked("heads", lang, model=model, text=text, section="by_word", guess="skip")
    made = [group for side in by_word.read(context) for group in side if len(group.at) > 1]
    han = all(is_cjk(sign) for group in made for sign in group.label) and all(len(g.label) == len(g.at) for g in made)
    said = context.t(f"by_word.{by_word.merged_by(context)}")
    assert made and (re.search("[Cc]haracters|字，|的字", said) is None or han)


@pytest.mark.parametrize(
    ("of", "to"),
    [("unaffable", "##ffa"), ("unaffable", "una"), ("king", "##s"), ("unaffable", None), ("king", "one")],
)
def test_a_piece_is_listed_as_what_is_compared_and_as_no_word(looked, of: str, to: str | None) -> None:
    """A word's own rows, which are left out of the nearest, may be compared with it."""
    context = looked("meaning", "en", model="minilm", of=of, guess="skip", **({"to": to} if to else {}))
    drawn = chosen_word.compared(context)
    listed = {row.id for row in drawn.rows}
    assert context.to in listed
    nearest = {row.piece for row in context.near}
    assert not nearest & {*context.word.pieces}
    said = chosen_word.own_pieces(context) if context.word.averaged else ""
    assert ("nearest above leave out" in said) == context.word.averaged and "not listed" not in said


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "猫", "dog", "我昨天在北京买了三本书"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lead_names_the_two_sentences_that_are_read_below(looked, lang: str, text: str) -> None:
    context = looked("position", lang, text=text)
    key, facts = position.lead_of(context)
    if key == "lead_open":
        shown = context.view.pairs[context.values["order"]]
        assert (facts["one"], facts["other"]) == (shown.text, shown.swapped)


@pytest.mark.parametrize("text", ["the cat", "shehadanicecream", "Alice told Bob that she would help him tomorrow."])
def test_single_letters_of_the_graph_are_not_taken_for_words(looked, text: str) -> None:
    context = looked("segmentation", "en", text=text, guess="skip")
    key, facts = segmentation.lead_of(context)
    letters = [edge for edge in context.view.edges if len(edge.text) == 1 and not edge.frequency]
    assert ("single characters" in context.t(key, **facts)) == bool(letters) or key == "lead_joined"


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_a_bias_is_no_heads_row(looked, model: str) -> None:
    context = looked("heads", "en", model=model, text="The cat sat on the mat.", section="joined", guess="skip")
    caption = joining.added(context, joining.joined_at(context)).words.caption
    assert ("then comes the bias" in caption) == context.page.model.config.bias


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["The cat sat on the mat.", "a b a c b d", "one two one three"])
def test_the_most_similar_rows_are_said_to_be_of_different_tokens(looked, lang: str, text: str) -> None:
    """Equal tokens have equal rows: what is said of the others says so."""
    context = looked("embedding", lang, text=text, guess="skip")
    said = [one for one in embedding.notices(context) if re.search("最相像|most similar", one)]
    assert said and all(re.search("不互比|compared with itself", one) for one in said)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["Hello", "cat", "Hello cat"])
def test_one_word_is_not_every_one(looked, lang: str, text: str) -> None:
    context = looked("tokens", lang, text=text, model="minilm", guess="skip")
    key, _ = tokens.lead(context)
    assert key == ("lead_whole" if " " in text else "lead_whole_one")


@pytest.mark.parametrize("text", ["2024年3月14日我花了1,234元", "١٢٣ مرحبا 你"])
def test_nobody_is_said_to_be_missing_who_is_there(looked, text: str) -> None:
    """Where the writer for such texts does not know one, another that does reads it."""
    context = looked("generation", "zh", text=text)
    codes = [repair.code for repair in context.page.address.repairs]
    assert "reads_by_none" not in codes and context.page.address["text"] == text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("sample", ["aaaa×3 aa×5", "北京×12 东京×5", "hut×12 bug×4", "ab×3"])
@pytest.mark.parametrize("rule", RULES)
def test_what_the_lead_counts_is_what_the_picture_shows(looked, lang: str, sample: str, rule: str) -> None:
    """The pieces to begin with are those of the rule; ## is explained where it stands; no pair is called another."""
    veiled = looked("vocabulary", lang, sample=sample, rule=rule)
    if veiled.veiled:
        _, facts = vocabulary.lead(veiled)
        assert bool(facts["marks"]) == any("##" in piece for piece in veiled.training.alphabet)
    key, facts = vocabulary.lead(looked("vocabulary", lang, sample=sample, rule=rule, guess="skip"))
    if key == "lead_same":
        assert facts["best"] == facts["often"]
    if key == "lead":
        assert bool(facts["marks"]) == ("##" in str(facts["often"]))


@pytest.mark.parametrize("text", ["a" * 120, "猫" + "a" * 120, "☃" + "b" * 130, "a" * 100])
def test_what_is_too_long_to_be_looked_up_is_not_called_unknown(looked, text: str) -> None:
    context = looked("tokens", "en", model="minilm", text=text)
    noted = {repair.code: str(repair.values["characters"]) for repair in notes.of_what_is_unknown(context.page)}
    assert ("unknown_long" in noted) == (len(text) > 100) and len(noted.get("unknown", "")) < 20


@pytest.mark.parametrize("sample", ["iloveyou", "thecatsat", "乒乓球拍卖完了", "x1y2"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_single_characters_that_are_named_stand_on_a_path(looked, lang: str, sample: str) -> None:
    """Where the lead speaks of them, there is a way through the graph that takes one."""
    context = looked("segmentation", lang, sample=sample, guess="skip")
    _, facts = segmentation.lead_of(context)

    def paths(at: int):
        if at == len(context.view.text):
            yield ()
        for edge in context.view.edges:
            if edge.start == at:
                yield from ((edge, *rest) for rest in paths(edge.end))

    taken = {edge for path in paths(0) for edge in path}
    assert "alone" not in facts or bool(facts["alone"]) == any(
        edge.frequency == 0 and len(edge.text) == 1 for edge in taken
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["今天天气真好，我们去公园吧", "我爱你😀", "白日依山尽，", "春眠不觉晓，"])
@pytest.mark.parametrize("temperature", ["0", "1"])
def test_what_is_taken_is_the_longest_or_the_one_hit_on_the_last_line(
    looked, lang: str, text: str, temperature: str
) -> None:
    """Where the likeliest may not be written, it is said, and a line without it is drawn."""
    for seed in (1, 142, 7):
        asked = {"temperature": temperature, "topk": "all", "seed": seed, "written": 1, "guess": "skip"}
        context = looked("generation", lang, text=text, model="poet", **asked)
        step = context.step
        last = dict(zip(step.best, step.lines[-1].shares, strict=True))
        barred = step.best[0] in context.view.writing.never
        if step.point is None:
            assert max(last, key=lambda id: last[id]) == step.id
            assert (generation.way_of(step) == "greedy_allowed") == barred
        else:
            assert not any(last.get(id) for id in context.view.writing.never)
        said = generation.likely(context)
        first, second = context.view.likeliest(step)[:2]
        rival = step.best.index(second if step.id == first else first)
        aside = any(id in context.view.writing.never for id in step.best[:rival])
        assert aside == bool(re.search("不算|aside", said))
