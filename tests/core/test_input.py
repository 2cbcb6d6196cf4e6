"""The input stage against independent arithmetic: sums, shares, √d, concatenation, dropout, the file to take away."""

import inspect
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity
from torch import nn

from core import Model, capture, grammar
from core.derivation.input import derive_pair
from core.lessons import input as input_part
from core.lessons.input import (
    BertInput,
    PositionalEncoding,
    TransformerInput,
    padding_mask,
    sinusoids,
    transformer_input,
)
from core.questions import CLEAR
from core.questions.input import each
from core.views.attention import attention_view, taps
from core.views.embedding import table
from core.views.input import (
    KINDS,
    TAPS,
    InputView,
    apart,
    at_start,
    changes,
    dropped,
    input_view,
    kept,
    most_moved,
    multiplies,
    one_map,
)
from core.views.pipeline import called, pipeline, written
from tests.models import loaded

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"
SWITCHES = [(sqrt, positions) for sqrt in (True, False) for positions in (True, False)]


@pytest.fixture(scope="module")
def models(minilm: Model) -> dict[str, tuple[Model, str]]:
    return {"minilm": (minilm, CAT), "translator": (loaded("translator"), BOOKS)}


def look(model: Model, text: str, sqrt: bool | None = None, positions: bool = True) -> InputView:
    edits = changes(model, multiplies(model) if sqrt is None else sqrt, positions)
    return input_view(capture(model, text, only=TAPS, edits=edits), model)


@pytest.fixture(params=["minilm", "translator"])
def named(request: pytest.FixtureRequest, models: dict[str, tuple[Model, str]]) -> tuple[Model, str]:
    return models[request.param]


# ---- the parts and their sum


def test_the_parts_are_the_tables_own_rows(models: dict[str, tuple[Model, str]]) -> None:
    """Against the state dict for MiniLM, and against the published sinusoids and √d for the translator."""
    model, text = models["minilm"]
    view, weights = look(model, text), model.network.state_dict()
    assert view.names == ("token", "position", "segment") and view.learned and not view.scaled
    tables = [name for name in weights if name.startswith("embedding.") and "_table." in name]
    token, segment, position = (
        next(weights[name].numpy() for name in tables if part in name) for part in ("token", "segment", "position")
    )
    np.testing.assert_array_equal(view.parts[0], token[list(view.ids)])
    np.testing.assert_array_equal(view.parts[1], position[: len(view.ids)])
    np.testing.assert_array_equal(view.parts[2], np.repeat(segment[:1], len(view.ids), 0))

    model, text = models["translator"]
    view = look(model, text)
    assert view.names == ("token", "position") and view.scaled and not view.learned
    table = model.network.state_dict()["embedding.token_table.weight"].numpy()
    np.testing.assert_allclose(view.parts[0], table[list(view.ids)] * math.sqrt(128), rtol=1e-6)
    published = PositionalEncoding(128).pe[0, : len(view.ids)].numpy()
    np.testing.assert_allclose(view.parts[1], published, atol=1e-5)


@pytest.mark.parametrize(("sqrt", "positions"), SWITCHES)
def test_the_switches(named: tuple[Model, str], sqrt: bool, positions: bool) -> None:
    """Whatever is switched: the parts are the rows times what was asked for, and they add up to the captured sum."""
    model, text = named
    view = look(model, text, sqrt, positions)
    assert (view.scaled, view.placed) == (sqrt, positions)
    np.testing.assert_allclose(view.parts[0], view.rows[0] * (math.sqrt(view.d_model) if sqrt else 1), rtol=1e-6)
    np.testing.assert_array_equal(view.parts[1], view.rows[1] * positions)
    np.testing.assert_allclose(view.parts.sum(0), view.total, atol=1e-5)
    plain = look(model, text)
    assert (changes(model, sqrt, positions) == ()) == (sqrt == plain.scaled and positions)
    np.testing.assert_array_equal(view.rows, plain.rows)


@pytest.mark.parametrize(("sqrt", "positions"), SWITCHES)
def test_norms_shares_and_cosines(named: tuple[Model, str], sqrt: bool, positions: bool) -> None:
    view = look(*named, sqrt, positions)
    e, p = (view.parts[i].astype(np.float64) for i in (0, 1))
    by_hand = [(p[i] @ p[i]) / (p[i] @ p[i] + e[i] @ e[i]) for i in range(len(e))]
    np.testing.assert_allclose(view.shares(), by_hand, rtol=1e-5)
    assert view.share() == pytest.approx((p * p).sum() / ((p * p).sum() + (e * e).sum()), rel=1e-5)
    assert view.share([1]) == pytest.approx(by_hand[1], rel=1e-5)
    beside = np.hstack(list(view.parts))
    np.testing.assert_array_equal(view.joined(), beside)
    np.testing.assert_allclose(view.norms("joined") ** 2, sum(view.norms(name) ** 2 for name in view.names), rtol=1e-4)
    for kind, vectors in zip(KINDS, (e, view.total, beside, view.output), strict=True):
        expected = cosine_similarity(vectors)
        np.testing.assert_allclose(view.cosines(kind), expected, atol=1e-5)
        assert view.cosine(kind, 0, 1) == pytest.approx(expected[0, 1], abs=1e-5)


def test_what_the_stage_is_about(models: dict[str, tuple[Model, str]]) -> None:
    """√d decides whose voice is heard: the claims of the page, and the translation that breaks."""
    model, text = models["translator"]
    own, without = look(model, text), look(model, text, sqrt=False)
    assert own.share() < 0.5 and without.share() > 0.95
    assert own.text_out == "I bought three books in Beijing yesterday" and without.text_out != own.text_out
    model, text = models["minilm"]
    own, forced = look(model, text), look(model, text, sqrt=True)
    assert own.share() == pytest.approx(0.3651, abs=1e-4)
    assert own.share(range(1, 9)) == pytest.approx(0.1342, abs=1e-4)
    assert forced.share() == pytest.approx(0.0015, abs=1e-4)
    assert own.norms("position").argmax() == 0 and own.text_out is None
    twins = [i for i, token in enumerate(own.tokens) if token == "the"]
    assert own.cosine("token", *twins) == pytest.approx(1) and own.cosine("sum", *twins) < 0.99
    assert look(model, text, positions=False).cosine("output", *twins) == pytest.approx(1)


def test_nothing_has_no_share(models: dict[str, tuple[Model, str]]) -> None:
    view = look(*models["translator"])
    assert math.isnan(replace(view, parts=np.zeros_like(view.parts)).share())


# ---- every number followed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("sqrt", "positions"), SWITCHES)
def test_any_pair_is_recomputed(named: tuple[Model, str], kind: str, sqrt: bool, positions: bool) -> None:
    view = look(*named, sqrt, positions)
    for a, b in ((0, 0), (1, 5), (5, 1), (2, 7)):
        derivation = derive_pair(view, kind, a, b)
        assert abs(derivation.difference) < 2e-5
        assert derivation.steps[-1].value == pytest.approx(
            float(cosine_similarity(view.vectors(kind)[[a, b]].astype(np.float64))[0, 1]), abs=2e-5
        )
    crossed = [step.id for step in derive_pair(view, kind, 1, 5).steps if step.id == "crossed"]
    assert len(crossed) == (kind == "sum")  # only adding multiplies a token with a position


# ---- downstream


def test_what_moved_most(named: tuple[Model, str]) -> None:
    model, text = named
    views = [
        attention_view(capture(model, text, only=taps(model, 0), edits=edits), model, 0)
        for edits in ((), changes(model, not multiplies(model), True))
    ]
    moved = most_moved(*views)
    distances = np.abs(views[1].weights.astype(np.float64) - views[0].weights)
    assert abs(moved.after - moved.before) == pytest.approx(distances.max())
    assert views[0].weights[moved.head, moved.row, moved.column] == moved.before
    assert moved.mean == pytest.approx(distances.mean(), rel=1e-4) and moved.mean > 0.01
    still = most_moved(views[0], views[0])
    assert (still.before, still.mean) == (still.after, 0)


# ---- adding as concatenating


@pytest.mark.parametrize(("sqrt", "positions"), SWITCHES)
def test_adding_is_concatenating_with_equal_blocks(named: tuple[Model, str], sqrt: bool, positions: bool) -> None:
    model, _ = named
    view = look(*named, sqrt, positions)
    made = one_map(view, model, 1)
    query = model.network.get_submodule("encoder.0.attention.sublayer.to_query")
    with torch.no_grad():
        theirs = query(torch.tensor(view.parts[:, 1].sum(0))) - query(torch.zeros(view.d_model))
    for way in (made.of_sum, made.summed, made.of_joined):
        np.testing.assert_allclose(way, theirs.numpy(), atol=2e-4)
    assert made.difference < 1e-11
    assert made.wide == (made.shape[0], made.shape[1] * len(view.names))


@pytest.mark.parametrize(("sqrt", "positions"), SWITCHES)
def test_what_a_sum_still_tells(named: tuple[Model, str], sqrt: bool, positions: bool) -> None:
    """Counted once more row by row, with scikit-learn's cosines; two tokens of one id count by their row."""
    model, _ = named
    view = look(*named, sqrt, positions)
    found, nearest = kept(view, model), cosine_similarity(view.total, table(model)).argmax(1)
    assert found.tokens == sum(int(row) == own for row, own in zip(nearest, view.ids, strict=True))
    if not positions:
        assert found.places is None
    else:
        places = cosine_similarity(view.total, view.part("position")).argmax(1)
        assert found.places == (places == np.arange(len(view.tokens))).sum()
        if not view.edits:  # as trained; with √d the other way round, the positions of MiniLM drown
            assert min(found.tokens, found.places or 0) > len(view.tokens) // 2


# ---- dropout


@settings(deadline=None, max_examples=60)
@given(rate=st.floats(0, 1), seed=st.integers(0, 2**32 - 1))
def test_dropout_keeps_or_drops(rate: float, seed: int) -> None:
    """What stays is exactly what torch's functional dropout makes of it; the same cells fall in a whole stack."""
    x = np.random.default_rng(0).normal(size=(2, 7, 16)).astype(np.float32)
    after = dropped(x, rate, seed)
    kept = after != 0
    assert (kept[0] == kept[1]).all() and (dropped(x, rate, seed) == after).all()
    grown = x / (1 - rate) if rate < 1 else x
    np.testing.assert_allclose(after[kept], grown[kept], rtol=1e-5)
    if rate in (0, 1):
        assert kept.all() == (rate == 0) and kept.any() == (rate == 0)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_dropout_keeps_the_mean_as_torch_does(rate: float) -> None:
    x = np.full((400, 500), 3.0)
    torch.manual_seed(0)
    theirs = nn.functional.dropout(torch.tensor(x), rate).numpy()
    for after in (dropped(x, rate, 1), theirs):
        assert after.mean() == pytest.approx(3, abs=0.05)
        assert (after == 0).mean() == pytest.approx(rate, abs=0.005)
    assert np.unique(dropped(x, rate, 1)).tolist() == pytest.approx(np.unique(theirs).tolist())


# ---- why √d


@pytest.mark.parametrize("d_model", [2, 3, 64, 128, 512, 768])
def test_a_table_as_training_finds_it(d_model: int) -> None:
    """What theory says of the draw: norm 1, √(d/2), scores d times as large with √d, logits √d times."""
    start = at_start(d_model)
    root = math.sqrt(d_model)
    assert start.scores_scaled / start.scores_plain == pytest.approx(d_model)
    assert start.logits_large / start.logits == pytest.approx(root)
    if d_model % 2 == 0:
        assert start.position == pytest.approx(math.sqrt(d_model / 2), rel=1e-5)
    if d_model >= 64:
        assert start.token == pytest.approx(1, abs=0.02) and start.logits == pytest.approx(1, abs=0.02)
        assert start.share_plain == pytest.approx(d_model / (d_model + 2), abs=0.002)
        assert start.share_scaled == pytest.approx(1 / 3, abs=0.005)
        assert start.scores_scaled == pytest.approx(1, abs=0.02)


# ---- shapes, and the file to take away


def test_the_pipeline_ran_as_it_stands() -> None:
    """The lines shown, run one after the other from nothing, make the tensors shown."""
    run = pipeline()
    shapes = {stop.name: stop.array.shape for stop in run.stops}
    assert shapes["ids"] == (32, 5) and shapes["position"] == (5, 768)
    assert {shapes[name] for name in ("token", "scaled", "total", "normed", "output")} == {(32, 5, 768)}
    names: dict = {**vars(input_part), "batch": 32, "n": 5, "d_model": 768, "vocab": 1000, "heads": 12, "seed": 0}
    for stop in run.stops:
        exec(stop.code, names)
        np.testing.assert_array_equal(names[stop.name].numpy(), stop.array)
    total = run.stop("scaled").array + np.broadcast_to(run.stop("position").array, (32, 5, 768))
    np.testing.assert_array_equal(total, run.stop("total").array)
    assert run.stride == (0, 768, 1)
    with pytest.raises(RuntimeError) as error:
        torch.add(torch.zeros(32, 5, 768), torch.zeros(32, 768))
    assert str(error.value) == run.refused and run.failed == ("", "")
    assert shapes["split"] == (32, 12, 5, 64)


@pytest.mark.parametrize(
    ("batch", "n", "d", "heads"), [(2, 3, 8, 4), (5, 5, 6, 3), (1, 4, 7, 2), (3, 1, 1, 1), (4, 2, 10, 3)]
)
def test_shapes_of_ones_own_run_as_far_as_torch_lets_them(batch: int, n: int, d: int, heads: int) -> None:
    run = pipeline(batch=batch, n=n, d_model=d, vocab=9, heads=heads)
    assert run.stop("output").array.shape == (batch, n, d)
    if d % heads:
        with pytest.raises(RuntimeError) as error:
            torch.zeros(batch, n, d).view(batch, n, heads, d // heads)
        assert run.failed[1] == str(error.value) and len(run.stops) == 8
    else:
        assert run.stop("split").array.shape == (batch, heads, n, d // heads)
    try:
        fits, refused = tuple((torch.zeros(batch, n, d) + torch.zeros(batch, d)).shape), ""
    except RuntimeError as error:
        fits, refused = (), str(error)
    assert (run.wrong, run.refused) == (fits, refused)


def test_ids_of_ones_own_are_taken_or_refused_in_torchs_words() -> None:
    function, module = called([1, 5, 23, 9, 0], 30, 512)
    assert function.saved == {"pe": (1, 5000, 512)} and math.prod(function.saved["pe"]) == 2_560_000
    assert not module.saved and np.array_equal(module.results[0], module.results[1])
    assert not np.array_equal(function.results[0], function.results[1])
    function, module = called([1, 2], 30, 7)
    assert "must match" in function.failed and not function.saved and module.results[0].shape == (1, 2, 7)
    for beyond in called([30], 30, 8):
        assert beyond.failed == "index out of range in self" and not beyond.results


def tight() -> Iterator[int]:
    """A generator as no formatter leaves it alone."""
    a = 1
    yield a
    b = (
        a
        + 1
    )  # fmt: skip
    yield b


def test_the_lines_are_found_however_they_are_formatted() -> None:
    assert list(written(tight)) == [("a", "a = 1"), ("b", "b = (\n    a\n    + 1\n)  # fmt: skip")]


@pytest.mark.long
def test_the_file_runs_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "transformer_input.py"
    file.write_text(inspect.getsource(input_part), encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", file], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "(32, 5) torch.int64" and lines[-6:-4] == [
        f"(32, {n}) torch.float32" for n in ("5, 768", "12, 5, 64")
    ]
    assert lines[-4].endswith("(2, 5, 8)") and lines[-3].endswith("[[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]")
    assert lines[-2].endswith("equal True") and lines[-1].endswith("equal False")


@settings(deadline=None, max_examples=40)
@given(length=st.integers(1, 60), half=st.integers(1, 80))
def test_our_positions_are_the_published_ones_wherever_these_exist(length: int, half: int) -> None:
    published = PositionalEncoding(2 * half, max_len=length).pe[0]
    torch.testing.assert_close(sinusoids(length, 2 * half), published, atol=2e-5, rtol=0)
    odd = sinusoids(length, 2 * half - 1)
    assert odd.shape == (length, 2 * half - 1) and torch.equal(odd[:, 0], torch.arange(length).float().sin())


def test_the_function_of_the_notes() -> None:
    ids = torch.tensor([[1, 5, 23, 9, 0]])
    module = TransformerInput(30, 8).eval()
    assert torch.equal(module(ids), module(ids)) and not torch.equal(*(transformer_input(ids, 30, 8) for _ in "ab"))
    assert {name for name, _ in module.named_parameters()} == {"token_table.weight"} == set(module.state_dict())
    with pytest.raises(RuntimeError):
        transformer_input(ids, 30, 7)
    assert TransformerInput(30, 7)(ids).shape == (1, 5, 7)


def test_the_module_with_the_translators_weights_is_its_input_part(models: dict[str, tuple[Model, str]]) -> None:
    model, text = models["translator"]
    view = look(model, text)
    module = TransformerInput(model.config.vocab, model.config.d_model).eval()
    module.load_state_dict({"token_table.weight": model.network.state_dict()["embedding.token_table.weight"]})
    with torch.no_grad():
        np.testing.assert_allclose(module(torch.tensor([view.ids]))[0].numpy(), view.output, atol=1e-5)


def test_berts_with_minilms_weights_is_its_input_part(models: dict[str, tuple[Model, str]]) -> None:
    model, _ = models["minilm"]
    text, pair = "The cat sat.", "It slept."
    run = capture(model, text, pair=pair, only=("embedding.output",))
    own, config = model.network.state_dict(), model.config
    module = BertInput(config.vocab, config.d_model, config.positions, config.segments).eval()
    module.load_state_dict({name: own[key] for name, key in BERT.items()})
    ids, segments = (torch.tensor([[getattr(t, name) for t in run.tokens]]) for name in ("id", "segment"))
    assert {0, 1} == set(segments[0].tolist())
    with torch.no_grad():
        np.testing.assert_allclose(module(ids, segments)[0].numpy(), run["embedding.output"], atol=1e-5)


BERT = {
    "token_table.weight": "embedding.token_table.weight",
    "position_table.weight": "embedding.position_table.table.weight",
    "segment_table.weight": "embedding.segment_table.weight",
    "norm.weight": "embedding.norm.gamma",
    "norm.bias": "embedding.norm.beta",
}


def test_with_the_padding_mask_filler_changes_nothing() -> None:
    """Through PyTorch's own attention: a text filled up gives what it gives alone."""
    text = torch.tensor([[1, 7, 2]])
    filled = nn.functional.pad(text, (0, 3))
    module, attend = TransformerInput(30, 8).eval(), nn.functional.scaled_dot_product_attention
    with torch.no_grad():
        alone, padded = (module(ids)[:, None] for ids in (text, filled))  # one head
        there = attend(padded, padded, padded, attn_mask=padding_mask(filled))
    torch.testing.assert_close(there[:, :, :3], attend(alone, alone, alone))


# ---- the question


def held(view: InputView) -> str | None:
    """The question of a sentence, its answer held against scikit-learn's cosines."""
    question = next(each(view), None)
    words = [i for i, token in enumerate(view.tokens) if not view.special[i] and any(c.isalnum() for c in token)]
    before, after = (cosine_similarity(view.part(name).astype(float)) for name in ("token", "sum"))
    moved = {(a, b): after[a, b] - before[a, b] for a in words for b in words if a < b}
    assert (question is None) == (max(map(abs, moved.values()), default=0) < CLEAR)
    if question is None:
        return None
    ends = {"nearer": max(moved.values()), "farther": min(moved.values())}
    said = float(question.facts["after"]) - float(question.facts["before"])
    assert said == pytest.approx(ends[question.answer], abs=1e-5) and abs(said) >= CLEAR
    assert (said > 0) == (question.answer == "nearer") and question.margin == pytest.approx(abs(said), abs=1e-5)
    assert {choice.id for choice in question.choices} == {"nearer", "same", "farther"}
    return question.answer


@given(text=st.text(alphabet="the cat 我昨天书本三.!", max_size=30))
@settings(deadline=None, max_examples=40)
def test_the_question_has_a_clear_answer_or_is_not_asked(models: dict[str, tuple[Model, str]], text: str) -> None:
    for model, _ in models.values():
        held(look(model, text))


@pytest.mark.long
def test_it_is_asked_of_every_sentence_and_its_answer_varies(models: dict[str, tuple[Model, str]]) -> None:
    random, (model, own) = Random(3), models["translator"]
    answers = Counter(held(look(model, grammar.sample(random).zh)) for _ in range(60))
    assert min(answers["nearer"], answers["farther"]) > 10 and answers[None] < 10
    assert held(look(*models["minilm"])) == "nearer" and held(look(model, own)) == "nearer"


@given(rows=st.integers(2, 8), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_what_positions_have_in_common_is_their_mean(models, rows: int, seed: int) -> None:
    """Taken out, its part of the squares is gone; shares against numbers that are drawn."""
    draw = np.random.default_rng(seed)
    whole = look(*models["minilm"])
    parts = draw.normal(0.5, 1, (3, rows, 6)).astype(np.float32)
    view = replace(whole, tokens=("x",) * rows, parts=parts)
    bare = parts[1] - parts[1].mean(0)
    squares = [float((x.astype(float) ** 2).sum()) for x in (bare, parts[1], parts[0])]
    assert 1 - view.common() == pytest.approx(squares[0] / squares[1], rel=1e-4)
    assert view.bare_share() == pytest.approx(squares[0] / (squares[0] + squares[2]), rel=1e-4)


def test_most_of_the_sinusoids_is_one_vector(models: dict[str, tuple[Model, str]]) -> None:
    view = look(*models["translator"])
    assert view.common() == pytest.approx(0.8223, abs=1e-4)
    assert look(*models["translator"], positions=False).bare_share() == 0


@given(n=st.integers(1, 9), seed=st.integers(0, 99), hidden=st.booleans())
@settings(deadline=None, max_examples=40)
def test_what_lies_between_two_matrices_of_cosines(n: int, seed: int, hidden: bool) -> None:
    draw = np.random.default_rng(seed)
    first, second = (matrix + matrix.T for matrix in draw.uniform(-1, 1, (2, n, n)))
    if hidden:
        first[0] = first[:, 0] = np.nan
    found = apart(first, second)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if not hidden or i > 0]
    if not pairs:
        assert found is None
        return
    assert found and found.pairs == len(pairs)
    assert found.before == pytest.approx(np.mean([first[pair] for pair in pairs]))
    assert found.after == pytest.approx(np.mean([second[pair] for pair in pairs]))
    moved = {pair: abs(second[pair] - first[pair]) for pair in pairs}
    assert moved[found.a, found.b] == max(moved.values())
    assert (found.was, found.now) == (first[found.a, found.b], second[found.a, found.b])
