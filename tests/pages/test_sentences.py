"""Sentences that are claims: what each of them says, held against what is so, over many inputs."""

import re
import sys
import unicodedata

import jieba
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.capture import capture
from core.claims import BY_ID, CLAIMS, LOOSE
from core.exercises.tokens import STRANGE
from core.model.position import waves
from core.text import segmentation
from core.text.byte_pairs import BytePairs
from core.text.dictionary import dictionary
from core.text.word_graph import graph
from core.views.beginnings import drawing, spearman
from core.views.embedding import table
from core.views.orders import SAME
from core.views.segmentation import f1
from core.views.vectors import cosine
from core.writing import Sampling
from core.zoo import SOURCES
from pages.shared.address.votes import is_right
from pages.shared.server import cached
from pages.shared.words.numbers import PROSE, short
from pages.shared.words.texts import LANGUAGES, LESSONS, Texts, lesson
from pages.stages.generation import beginnings
from pages.stages.generation.context import view_of, written

HAN = "他高高兴兴地来了老师不在南京市长江大桥研究生命起源结婚的和尚未结婚乒乓球拍卖完"


def words_of(slug: str, key: str) -> tuple[str, ...]:
    return tuple(lesson(slug)[language][key] for language in LANGUAGES)


# ---- segmentation


def listed(text: str) -> list[tuple[int, str]]:
    """Full mode as the page tells it: every long word; a single character where no longer word begins and the one
    listed last has ended."""
    found, ended = [], 0
    for start, edges in enumerate(graph(text, dictionary(), 0)):
        longer = [edge.text for edge in edges if len(edge.text) > 1]
        found += [(start, word) for word in longer or ([text[start]] if start >= ended else [])]
        ended = start + len(found[-1][1]) if found and found[-1][0] == start else ended
    return found


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.just("他高高兴兴地来了"), st.text(alphabet=HAN, min_size=1, max_size=14)))
def test_full_mode_is_what_the_page_says(text: str) -> None:
    told = [word for _, word in listed(text)]
    assert told == [word.text for word in segmentation.full(text, dictionary())] == jieba.lcut(text, cut_all=True)


def test_a_covered_character_may_be_listed() -> None:
    """兴 lies inside 高高兴兴, and is listed all the same."""
    assert [word.text for word in segmentation.full("他高高兴兴地来了", dictionary())].count("兴") == 1


@pytest.mark.parametrize("ours", [{1.0, 2.0}, {1.0}, {1.0, 2.0, 3.0}])
@pytest.mark.parametrize("theirs", [{2.0}, {1.0, 4.0}, {1.0, 2.0}])
def test_f1_is_what_the_page_says(ours: set[float], theirs: set[float]) -> None:
    chinese, english = words_of("segmentation", "table.said")
    assert (
        "twice the number of cuts they share, divided by the sum of both" in english
        and "乘以 2，除以两边切点数之和" in chinese
    )
    told = 2 * len(ours & theirs) / (len(ours) + len(theirs))
    assert f1(frozenset(ours), frozenset(theirs)) == pytest.approx(told)


@pytest.mark.parametrize("text", ["老师不在。", "南京市长江大桥", "研究生命起源", "乒乓球拍卖完了", "他高高兴兴地来了"])
def test_of_a_question_only_what_broke_is_said_to_be_gone(text: str, looked) -> None:
    context = looked("segmentation", "zh", sample=text)
    for number in range(4):
        question = looked("segmentation", "zh", sample=text, ask=number).question
        if question is None:
            continue
        gone = str(question.facts["gone"]).split(" / ")
        after = str(question.facts["after"]).split(" / ")
        assert gone and set(gone) <= set(context.view.paths[0].texts)
        assert str(question.facts["answer"]) in (gone if question.template == "breaks" else after)


# ---- layernorm


def test_what_is_said_of_networks_without_norms_was_measured(looked) -> None:
    from core.training import recorded
    from pages.stages.layernorm.words import DEEP, without

    runs = recorded.family(DEEP)
    none, normed = runs["none"], runs["post"]
    guess = none.setting.guessing
    assert none.loss[0] > 10 * guess > normed.loss[0] and min(none.ends) > guess  # surer of wrong answers than a guess
    assert none.gradient[0] > 1000 * normed.gradient[0]
    (said,) = without(looked("layernorm", "en", guess="skip"))
    assert all(short(x, PROSE) in said for x in map(float, (none.loss[0], guess, min(none.ends), normed.gradient[0])))


# ---- output, translation


def test_no_share_of_a_softmax_is_said_to_be_what_label_smoothing_made() -> None:
    assert not any("never reaches 1" in text or "从不到 1" in text for text in words_of("output", "notice.sure"))
    assert all("{target}" in text for text in words_of("output", "notice.sure"))


def test_the_first_row_is_not_said_to_be_normalised(looked) -> None:
    """What is read below it is: its mean is γ's and β's doing, so undo both and look."""
    context = looked("output", "zh", text="我的书被老师拿走了", guess="skip")
    depths = context.view.depths
    assert depths[0].part == "" and depths[0].layer == 0
    assert all("first row" in text or "第一行" in text for text in words_of("output", "depth.norm"))


def test_a_head_aligns_where_it_mostly_looks_at_what_it_translates(looked) -> None:
    from pages.stages.translation.context import aligns
    from pages.stages.translation.words import aligned_said

    shares = aligns().shares
    assert shares.max() > 0.5 > shares.min()  # heads of both kinds
    for layer, row in enumerate(shares, 1):
        for head, share in enumerate(row, 1):
            said = aligned_said(looked("translation", "en", text="我昨天在北京买了三本书", layer=layer, head=head))
            assert ("is called alignment" in said) == (share > 0.5)


# ---- tokens, training


@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_what_an_exercise_proposes_is_not_known(model: str) -> None:
    assert cached.model(model).tokenizer.unknown(STRANGE)
    for text in words_of("tokens", "exercises.unknown.wrong"):
        assert "{strange}" in text and "common" not in text and "常用" not in text


def test_the_same_letters_at_the_head_of_a_word_may_have_no_row(minilm) -> None:
    pieces = set(minilm.tokenizer.pieces)
    twins = [piece[2:] in pieces for piece in pieces if piece.startswith("##")]
    assert not all(twins)
    assert all("where" in text or "有的话" in text for text in words_of("tokens", "walk.marks"))


@pytest.mark.long
@pytest.mark.parametrize("what", ["warmup", "norm", "scale", "position", "tied"])
def test_runs_that_overlap_are_counted_and_not_called_alike(what: str, looked) -> None:
    from pages.stages.training.contest_words import compared

    context = looked("training", "en", what=what, guess="skip")
    first, *others = context.family.runs
    for other in others:
        said = compared(context, first, other)
        ours, theirs = context.family.runs[first].ends, context.family.runs[other].ends
        wins = sum(a < b for a in ours for b in theirs)
        overlap = not (max(ours) < min(theirs) or max(theirs) < min(ours))
        found = re.search(r"of the (\d+) ways to pair .* ends lower in (\d+)", said)
        assert bool(found) == overlap
        assert found is None or (int(found[2]), int(found[1])) == (wins, len(ours) * len(theirs))


# ---- meaning


def test_no_pair_of_words_is_made_a_rule(minilm) -> None:
    """good is nearer to great than to better, a form of it: what is said of one word is said of that word."""
    rows = table(minilm)
    ids = {word: minilm.tokenizer.id_of(word) for word in ("good", "better", "great")}
    good, better, great = (rows[ids[word]] for word in ("good", "better", "great"))
    assert cosine(good, better) < cosine(good, great)
    for kind in ("form", "same", "opposite"):
        for key in (f"lead.{kind}", f"predict.nearest_word.{kind}.answer"):
            said = " ".join(Texts(lang, "meaning", "minilm").words[key] for lang in ("zh", "en"))
            assert not re.search(r"forms of one word lie|same sentences|same contexts|同样的上下文|用在同样", said)


# ---- claims


def test_nobody_is_marked_wrong_over_a_word() -> None:
    for claim in CLAIMS:
        right = [vote for vote in ("said", "not") if is_right(claim, vote)]
        assert right == (["said", "not"] if claim.verdict == LOOSE else ["said"] if claim.holds else ["not"])


def test_the_pair_of_the_fastest_wave_repeats_only_nearly() -> None:
    """F24 is true: of 100,000 positions no two have the same sine and cosine, though some come near."""
    import numpy as np

    at = np.arange(100_000)
    pairs = {(a, b) for a, b in zip(np.sin(at).tolist(), np.cos(at).tolist(), strict=True)}
    assert len(pairs) == len(at) and BY_ID["F24"].holds


# ---- attention, heads, encoder


def test_a_head_is_called_the_same_on_both_pages() -> None:
    for language in LANGUAGES:
        attention, heads = lesson("attention")[language], lesson("heads")[language]
        names = {key.split(".")[1] for key in attention if key.startswith("heads.")}
        assert names and all(attention[f"heads.{name}"] == heads[f"known.{name}.name"] for name in names)


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "我昨天在北京买了三本书"])
def test_what_brings_more_for_a_smaller_weight_is_longer(text: str, looked) -> None:
    """The exercise says so of v·W^O, not of v."""
    assert all("v·W^O" in text for text in words_of("attention", "exercises.apart.right"))
    view = looked("attention", "en", text=text, guess="skip").view
    for head in range(view.heads):
        for row in np.flatnonzero(view.most[head] != view.taken[head]):
            weights, shares = view.weights[head, row], view.contribution(head)[row]
            looked_at, taken = view.most[head, row], view.taken[head, row]
            assert shares[taken] / weights[taken] > shares[looked_at] / weights[looked_at]


@pytest.mark.parametrize("stretch", [0.5, 3.0, 1e3])
def test_a_cosine_of_1_is_said_of_the_direction_alone(stretch: float) -> None:
    x = np.random.default_rng(0).normal(size=384)
    assert cosine(x, stretch * x) == pytest.approx(1)
    for key in ("walk.moved_said", "parting.caption"):
        assert all("direction" in text or "方向" in text for text in words_of("encoder", key)), key


@pytest.mark.parametrize("slug", ["encoder", "training", "overview"])
def test_a_causal_token_is_said_to_see_itself(slug: str) -> None:
    for language in LANGUAGES:
        for text in lesson(slug)[language].values():
            if not isinstance(text, str):
                continue
            assert not re.search(r"only (?:sees|to) those before|只看前面的[，。；]", text), text


# ---- always, only, close: of the tables and vocabularies that stand still


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_sampled_tables_have_no_order_of_sizes(model: str) -> None:
    """So `begin.falls` and `begin.rises` may say it of every one of them."""
    d, rows = cached.model(model).config.d_model, 4000
    for draw in drawing(d).values():
        assert abs(spearman(np.linalg.norm(draw(torch.empty(rows, d)).numpy(), axis=1))) < 0.1


@pytest.mark.long
def test_the_first_learned_position_is_far_from_the_others(minilm) -> None:
    rows = minilm.network.get_parameter("embedding.position_table.table.weight").detach().numpy()
    apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
    assert apart[0, 1:].min() > np.quantile(apart[1:, 1:], 0.99)
    assert apart[100, 101] < apart[0, 1]


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_a_word_with_a_row_of_its_own_is_not_cut(model: str) -> None:
    tokenizer = cached.model(model).tokenizer
    words = [piece for piece in tokenizer.pieces[2000::97] if re.fullmatch("Ġ?[a-z]+", piece)]
    assert len(words) > 100
    for word in words:
        cut = [token for token in tokenizer.trace(word.replace("Ġ", " ")).tokens if not token.special]
        assert len(cut) == 1, word


def test_no_everyday_text_uses_a_byte_that_smollm2_lacks() -> None:
    tokenizer = cached.model("smollm2").tokenizer
    assert isinstance(tokenizer, BytePairs)
    lacking = set(tokenizer.lacking)
    assigned = (
        chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) not in ("Cc", "Cn", "Co", "Cs")
    )
    assert lacking and not any(lacking & set(character.encode()) for character in assigned)


@pytest.mark.parametrize("text", ["The cat sat on the mat because it was tired.", "My friends went to the park"])
def test_many_heads_of_smollm2_rest_on_a_first_token_that_gives_them_little(text: str) -> None:
    model = cached.model("smollm2")
    run = capture(model, text)
    resting, short = 0, 0
    for layer in range(model.config.layers):
        weights, values = (run[f"decoder.{layer}.attention.{name}"] for name in ("weights", "shared_value"))
        lengths = np.linalg.norm(values, axis=-1)  # [head, token]
        rests = weights[:, 1:, 0].mean(axis=1) > 0.5
        resting += int(rests.sum())
        short += int((lengths[rests, 0] < np.median(lengths[rests, 1:], axis=1) / 2).sum())
    assert resting > model.config.layers * model.config.heads / 2 and short > 0.9 * resting


def test_in_the_translators_table_use_is_near_and_meaning_is_not(translator) -> None:
    """Numbers of either language form a group of their own."""
    rows, at = table(translator), translator.tokenizer.pieces.index
    chinese, english = ([rows[at(word)] for word in words] for words in (list("三四五六七八九"), NUMBERS))
    within = [np.mean([cosine(a, b) for i, a in enumerate(of) for b in of[:i]]) for of in (chinese, english)]
    assert min(within) > 0.2 + np.mean([cosine(a, b) for a in chinese for b in english])


NUMBERS = ["three", "four", "five", "six", "seven", "eight", "nine"]


def test_with_one_speed_far_positions_nearly_coincide() -> None:
    """Base 1, of which the page says that it is a single pair of dimensions."""
    rows = waves(torch.arange(711), 8, 1.0).numpy()
    assert np.ptp(rows[:, 0::2], axis=1).max() == np.ptp(rows[:, 1::2], axis=1).max() == 0
    assert np.linalg.norm(rows[710] - rows[0]) < 1e-3 * np.linalg.norm(rows[1] - rows[0])


# ---- what a sentence says of a model, and how it adds up


@pytest.mark.parametrize("id", SOURCES)
def test_heads_have_matrices_of_their_own_only_where_they_share_none(id: str) -> None:
    model = cached.model(id)
    shares = 0 < model.config.groups < model.config.heads
    for language in LANGUAGES:
        said = Texts(language, "heads", id, model.traits).words
        for key in ("lead", "lead_open", "lead_apart", "lead_alike"):
            assert ("{share}" in said[key]) == shares, key


@pytest.mark.parametrize("id", SOURCES)
def test_a_gated_network_is_said_to_have_a_gate(id: str) -> None:
    model = cached.model(id)
    words = Texts("en", "encoder", id, model.traits).words
    assert ("one gives the gates" in words["network.said"]) == (model.config.activation == "swiglu")


def test_the_sheet_says_what_a_token_is_and_which_ones_were_added(looked) -> None:
    from pages.stages.overview.words import lead_of

    for id, made in (
        ("minilm", "[CLS] [SEP]"),
        ("poet", "one per character, [UNK] for what the vocabulary lacks, and the model’s own [BOS]"),
        ("smollm2", "parts of words"),
    ):
        context = looked("overview", "en", text="春风 wind", model=id, guess="skip")
        facts = lead_of(context)[1]
        said = f"{facts['made_of']}{facts['and_added']}"
        assert made in said
        assert ("[UNK] for" in said) == ("[UNK]" in context.page.tokens)


@pytest.mark.parametrize("noun", ["translator", "poet"])
def test_a_model_called_by_a_common_noun_has_its_article(noun: str) -> None:
    """In every English sentence that names the model which reads."""
    for file in LESSONS.glob("*.toml"):
        t = Texts("en", file.stem)
        for key, text in t.words.items():
            for name in ("model", "reader", "learner"):
                if isinstance(text, str) and f"{{{name}}}" in text:
                    said = t.html(key, **{name: noun})
                    assert re.search(rf"(?:[Tt]he|·) {noun}", said), (key, said)
                    assert not re.search(rf"(?:^|[.?!] )the {noun}", said), (key, said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_token_that_is_a_mark_does_not_end_a_sentence(lang: str) -> None:
    t = Texts(lang, "output", "poet", cached.model("poet").traits)
    for mark in ("!", "!₇"):
        said = re.sub("<[^>]*>", "", t.html("lead", given=mark, word=mark, share=0.9, logit=2.0, rows=4, d=3))
        assert said.count(f"“{mark}”") == said.count("!") > 1


@given(st.lists(st.floats(-3, 3, width=32), min_size=2, max_size=3))
def test_a_sum_is_written_so_that_it_adds_up(parts: list[float]) -> None:
    from pages.stages.input.words import decimals

    n, total = decimals(parts, sum(parts)), sum(parts)
    adds = {m: round(sum(round(x, m) for x in parts), m) == round(total, m) for m in (3, 4, 5, 6)}
    assert adds[n] if any(adds.values()) else n == 4


def test_a_word_cut_in_two_is_named_as_it_was_typed() -> None:
    from core.views.longer import cut, whole

    for id, text in (("smollm2", "小明昨天在学校打篮球"), ("minilm", "Electroencephalography helps")):
        model = cached.model(id)
        found = cut(model, text, 4, whole(model, text))
        assert found.torn and found.torn in text


@pytest.mark.parametrize("text", ["My little brother ate it.", "你好", "春风又绿江南岸", "the dog saw the other dog"])
@pytest.mark.parametrize("id", ["minilm", "translator", "poet"])
def test_order_is_said_to_be_told_where_it_is(looked, id: str, text: str) -> None:
    from pages.stages.position.orders import read
    from pages.stages.position.scenes import scene

    context = looked("position", "en", text=text, model=id, guess="skip")
    for pair in context.view.pairs.values():
        view = scene(id, pair)
        for name in ("on", "off"):
            moved = bool((view.readings[name].difference > SAME).any())
            said = read(context, view, name).caption
            assert moved == ("can tell the order" in said), said
            assert moved != ("rounding" in said), said


# ---- what the models write


SAID = {  # of the likeliest token and the next, what the texts say
    ("smollm2", "paris"): lambda word, share, second, next: word == "␣Paris" and share > 0.5,
    ("smollm2", "helium"): lambda word, share, second, next: "hel" in word and "oxygen" in second and share > next,
    ("poet", "moon"): lambda word, share, second, next: word in "，。" and share > 0.5,
    ("poet", "spring"): lambda word, share, second, next: share < 0.2,
}


@pytest.mark.long
@pytest.mark.parametrize(("model", "id"), SAID)
def test_what_is_said_of_a_beginning_is_so(looked, model: str, id: str) -> None:
    context = looked("generation", "en", model=model, guess="skip")
    found = beginnings.first(context, context.page.opening["tries"][id])
    assert SAID[model, id](*(found[name] for name in ("word", "share", "second", "second_share"))), found


def test_the_poet_does_not_go_on_with_the_famous_poem(looked) -> None:
    text = looked("generation", "en", model="poet", guess="skip").page.opening["tries"]["moon"]
    steps = written(view_of("poet", text, False, Sampling(), 8), 8)
    said = "".join(cached.model("poet").tokenizer.piece_of(step.id) for step in steps)
    assert len(steps) == 8 and "疑是地上霜" not in said


@pytest.mark.parametrize(
    ("text", "latin", "chinese"),
    [
        ("看{model}的表", "看 MiniLM 的表", "看翻译模型的表"),
        ("看 {model} 的表", "看 MiniLM 的表", "看翻译模型的表"),
        ("{model}有 512 个位置", "MiniLM 有 512 个位置", "翻译模型有 512 个位置"),
        ("由{model}（这里）来读", "由 MiniLM（这里）来读", "由翻译模型（这里）来读"),
    ],
)
def test_a_latin_name_stands_apart_from_chinese_and_a_chinese_one_does_not(text: str, latin: str, chinese: str) -> None:
    assert Texts.fill(text, {"model": "MiniLM"}) == latin and Texts.fill(text, {"model": "翻译模型"}) == chinese


@pytest.mark.parametrize("slug", ["circuits", "output", "generation"])
def test_the_poets_characters_are_not_called_words(looked, slug: str) -> None:
    """Where characters are tokens, what is counted and chosen is a token; a word is another thing."""
    context = looked(slug, "zh", text="春风又绿江南岸", model="poet", guess="skip")
    said = [
        context.t.words[key] for key in ("lead", "lead_open", "recap.sum", "lens.said", "draw.u") if key in context.t
    ]
    assert said and not [text for text in said if re.search("[个的]词(?![元表])", text)]
