"""The output: logits, draws and gradients against torch, Hugging Face and the model's own decoding."""

from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Measure, Weight, capture, derive, grammar
from core.capture import decode, translation_of
from core.derivation.flow import TABLE
from core.lessons.sampling import chances, drawn, softmax, tempered, top_k, top_p
from core.views import output
from core.views.embedding import table as table_of
from core.views.output import Rules, forced, output_view, picked, sampled

PARTED = "昨天去了办公室"


def view_of(translator, text: str):
    return output_view(capture(translator, text, only=output.taps(translator)), translator)


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    random = Random(7)
    return [grammar.sample(random).zh for _ in range(4)]


def test_the_words_come_in_and_go_out_by_one_table(translator) -> None:
    tied = translator.network.output.project.weight
    assert tied is translator.network.embedding.token_table.weight
    assert tied is translator.network.decoder.embedding.token_table.weight


def test_each_logit_is_a_dot_product_and_each_share_a_softmax(translator, sentences) -> None:
    for text in [*sentences, "", "[UNK]", "书书书书书书"]:
        view = view_of(translator, text)
        logits = view.states[-1] @ view.table.T
        assert np.abs(logits - view.last).max() < 1e-4
        assert np.allclose(view.likely, torch.tensor(view.last).softmax(-1).numpy(), atol=1e-6)
        assert np.allclose(view.likely.sum(-1), 1, atol=1e-5)


def test_what_enters_is_the_given_word_and_what_leaves_the_written(translator, sentences) -> None:
    for text in sentences:
        view = view_of(translator, text)
        for row, (told, wrote) in enumerate(zip(view.given, view.written, strict=True)):
            assert view.best(0, row) == told.id
            assert (
                view.best(len(view.depths) - 1, row) == wrote.id and view.rank(len(view.depths) - 1, row, wrote.id) == 1
            )


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.5, 1.0, 1.25, 2.0, 4.0]))
def test_a_share_is_the_chance_that_is_derived(translator, seed: int, temperature: float) -> None:
    random = Random(seed)
    run = capture(translator, grammar.sample(random).zh)
    view = output_view(run, translator)
    depth, row, word = (random.randrange(n) for n in (len(view.depths), len(view.given), len(view.table)))
    kind = "chance" if temperature == 1 else f"warm_chance_{round(100 * temperature)}"
    made = derive(run, Measure(kind, (Cell(view.depths[depth].tap, (row, None)), Weight(TABLE, (word, None)))))
    assert made.value == pytest.approx(float(view.shares(depth, row, temperature)[word]), rel=1e-3, abs=1e-9)


# ---- by chance


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.25, 0.5, 1.0, 1.5, 4.0]),
    st.sampled_from([None, 1, 3, 10]),
    st.sampled_from([0.3, 0.9, 0.99, 1.0]),
)
def test_the_order_is_that_of_hugging_face(seed, temperature, k, p) -> None:
    from transformers.generation import logits_process as theirs

    logits = np.random.default_rng(seed).normal(0, 3, 40)
    values = theirs.TemperatureLogitsWarper(temperature)(None, torch.tensor(logits)[None])  # type: ignore[arg-type]
    if k is not None:
        values = theirs.TopKLogitsWarper(k)(None, values)  # type: ignore[arg-type]
    if p < 1:
        values = theirs.TopPLogitsWarper(p)(None, values)  # type: ignore[arg-type]
    mine = picked(logits, Rules(temperature, k, p), 0.5).stages[-1]
    assert np.allclose(mine, values.softmax(-1)[0].numpy(), atol=1e-12)


def test_a_draw_falls_where_the_shares_say() -> None:
    shares = np.array([0.2, 0.5, 0.0, 0.3])
    assert [drawn(shares, u) for u in (0.0, 0.49, 0.51, 0.79, 0.81, 0.999999)] == [1, 1, 3, 3, 0, 0]
    many = np.random.default_rng(0).random(20_000)
    counted = np.bincount([drawn(shares, u) for u in many], minlength=4) / len(many)
    assert np.abs(counted - shares).max() < 0.015
    assert list(chances(3, 5)) == list(chances(3, 9)[:5]) and list(chances(3, 5)) != list(chances(4, 5))


def test_heat_moves_no_place_and_flattens() -> None:
    logits = np.random.default_rng(1).normal(0, 2, 50)
    cold, plain, warm = (softmax(tempered(logits, T)) for T in (0.5, 1, 2))
    assert list(np.argsort(cold)) == list(np.argsort(plain)) == list(np.argsort(warm))
    assert cold.max() > plain.max() > warm.max()
    assert (top_k(logits, 3) > -np.inf).sum() == 3 and (top_p(logits, 1.0) > -np.inf).all()


def test_a_share_of_one_keeps_every_word_however_unlikely() -> None:
    for seed in range(5):
        logits = np.random.default_rng(seed).normal(0, 8, 50_000).astype(np.float32)
        assert (top_p(logits, 1.0) == logits).all()


def test_top_one_is_greedy_whatever_the_seed(translator, sentences) -> None:
    for text in sentences[:2]:
        source = [token.id for token in translator.tokenizer.trace(text).tokens]
        greedy = capture(translator, text, only=()).text_out
        made = sampled(translator, source, Rules(2.0, k=1), [0, 1, 2])
        assert {one.text for one in made} == {greedy} and not any(one.cut for one in made)
        last = decode(translator, text).last.best
        assert made[0].log_probability == pytest.approx(last.log_probability, abs=1e-3)
        assert np.log(forced(translator, text, last.ids)).sum() == pytest.approx(last.log_probability, abs=1e-3)


def test_a_seed_draws_the_same_again(translator) -> None:
    source = [token.id for token in translator.tokenizer.trace("我昨天在北京买了三本书").tokens]
    first, again = (sampled(translator, source, Rules(1.5), [4, 5]) for _ in range(2))
    assert first == again and first[0].text != first[1].text


def test_greedy_and_beam_part(translator) -> None:
    """The sentence that the page shows: the likelier one begins with the less likely word."""
    greedy, beam = (decode(translator, PARTED, width=width).last.best for width in (1, 4))
    assert greedy.ids != beam.ids and beam.log_probability > greedy.log_probability + 1
    shares = [forced(translator, PARTED, one.ids) for one in (greedy, beam)]
    at = next(i for i, (a, b) in enumerate(zip(greedy.ids, beam.ids, strict=False)) if a != b)
    assert shares[0][at] > shares[1][at]
    assert translation_of(translator, greedy.ids).text != translation_of(translator, beam.ids).text
    assert grammar.parse(PARTED) is None


# ---- one table, both ends


def test_the_tied_gradient_is_the_sum_of_both_ends(translator, sentences) -> None:
    for text in [*sentences[:1], PARTED]:
        run = capture(translator, text, only=())
        found = output.ends(translator, run)
        assert found.difference < 1e-5 * np.abs(found.tied).max()
        source, target, out = (set(found.touched(i).tolist()) for i in range(3))
        assert source <= {token.id for token in run.tokens} and target <= {token.id for token in run.target_in}
        assert len(out) == len(found.tied)
    assert all(parameter.grad is None for parameter in translator.network.parameters())


def test_the_output_end_is_the_textbook_one(translator) -> None:
    """dL/dE through the output is (p − y)ᵀ h ÷ n: by hand, from captured numbers."""
    run = capture(translator, "我的书被老师拿走了", only=output.taps(translator))
    view = output_view(run, translator)
    wanted = np.eye(len(view.table))[[token.id for token in view.written]]
    by_hand = (view.likely - wanted).T @ view.states[-1] / len(view.written)
    assert np.abs(output.ends(translator, run).each[2] - by_hand).max() < 1e-6


def test_parameters_of_any_size() -> None:
    assert output.parameters(30_000, 768) == (46_110_000, 23_070_000)
    linear, table = torch.nn.Linear(6, 11), torch.nn.Embedding(11, 6)
    assert output.parameters(11, 6)[0] == sum(p.numel() for p in (*linear.parameters(), *table.parameters()))
    assert linear.weight.shape == table.weight.shape


# ---- without a source, without an output


def test_deaf_it_writes_the_same_whatever_it_should_translate(translator, sentences) -> None:
    assert len({output.alone(translator, text) for text in sentences}) == 1
    assert len({capture(translator, text, only=()).text_out for text in sentences}) > 1


def test_nearest_rows_are_those_of_the_whole_table(minilm, the_cat) -> None:
    found = output.nearest(the_cat, minilm, "encoder.5.output")
    table = torch.nn.functional.normalize(torch.tensor(table_of(minilm)), dim=-1)
    state = torch.nn.functional.normalize(torch.tensor(the_cat["encoder.5.output"]), dim=-1)
    cosines, ids = (state @ table.T).topk(3)
    assert np.array_equal(found.ids, ids.numpy()) and np.allclose(found.cosines, cosines.numpy(), atol=1e-6)
    assert all((found.ids[i, 0] == token.id) == (found.rank[i] == 1) for i, token in enumerate(found.tokens))
    assert not any(name.split(".")[0] == "output" for name in minilm.tap_dims)
