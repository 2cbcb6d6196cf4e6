"""Edits: each changes what it names, what follows follows, nothing before it moves, and no weight ever does."""

import hashlib
import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Capture, Model, capture, edits
from core.capture import decode, fitting
from core.edits import Edit, parse
from core.errors import InputError
from core.files import MODELS
from core.model.config import Config
from core.model.taps import name_taps
from core.model.transformer import Transformer
from core.run_spec import RunSpec
from core.text.characters import Characters
from core.text.shared import SharedVocabulary
from core.text.words import Words

BOOKS = "我昨天在北京买了三本书"
TARGET = "I bought three books in Beijing"


@pytest.fixture(scope="module")
def translator() -> Model:
    """An untrained one, with a √d that can be heard: what it writes is nonsense, what edits do to it is not."""
    words = ("Beijing", "I", "a", "book", "books", "bought", "in", "three", "yesterday")
    vocabulary = SharedVocabulary(tuple("上三书买了京北在我昨本电看天影"), words)
    config = Config(
        vocab=len(vocabulary.pieces),
        d_model=16,
        heads=4,
        layers=2,
        d_ff=32,
        positions=200,
        segments=0,
        activation="relu",
        position="sinusoidal",
        decoder_layers=2,
        target_positions=64,
    )
    torch.manual_seed(5)
    network = Transformer(config).eval()
    torch.nn.init.normal_(network.embedding.token_table.weight, std=0.7)
    reader, writer = Characters(vocabulary, config.positions), Words(vocabulary, config.target_positions)
    return Model("translator", MODELS, config, network, reader, name_taps(network), writer)


@pytest.fixture(scope="module")
def plain(translator: Model) -> Capture:
    return capture(translator, BOOKS, target=TARGET)


def read(model: Model, *changes: Edit, pad_to: int | None = None) -> Capture:
    """The sentence these tests look at, in either model; the translation is given, so that shapes stay."""
    if model.words is None:
        return capture(model, "The cat sat on the mat.", pad_to=pad_to, edits=changes)
    return capture(model, BOOKS, target=TARGET, edits=changes)


# ---------------------------------------------------------------------------------------------------
# What each does to the tap it names, by independent arithmetic


def silenced(head: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda context: np.stack([np.zeros_like(part) if h == head else part for h, part in enumerate(context)])


def averaged(head: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(context: np.ndarray) -> np.ndarray:
        said = context.copy()
        said[head] = said[head].astype(np.float64).mean(0)
        return said

    return change


def column(neuron: int, of: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    def change(activated: np.ndarray) -> np.ndarray:
        given = activated.astype(np.float64)
        given[:, neuron] = of(given[:, neuron])
        return given

    return change


def times(factor: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: (x.astype(np.float64) * factor).astype(np.float32)


def nothing(x: np.ndarray) -> np.ndarray:
    return np.full_like(x, 0)


def seen(n: int, most: int, back: tuple[int, ...]) -> np.ndarray:
    """Which keys are so many parts back."""
    return np.array([[query // most - key // most in back for key in range(n)] for query in range(n)])


Case = tuple[str, str, Callable[[np.ndarray], np.ndarray]]  # id, the taps it names, what it does to the first of them
IN_MINILM: tuple[Case, ...] = (
    ("mute:encoder.3.9", "encoder.2.attention.context", silenced(8)),
    ("mute:encoder.1.12", "encoder.0.attention.context", silenced(11)),
    ("average:encoder.3.9", "encoder.2.attention.context", averaged(8)),
    ("mute_neuron:encoder.2.1536", "encoder.1.feedforward.activated", column(1535, lambda given: 0 * given)),
    ("average_neuron:encoder.2.7", "encoder.1.feedforward.activated", column(6, np.mean)),
    ("drop_sqrt_dk:32", "encoder.?.attention.scores", times(32**0.5)),
    ("apply_sqrt_d", "embedding.token", times(384**0.5)),
    ("cut", "encoder.?.*.skip", nothing),
    ("cut:encoder.6.feedforward", "encoder.5.feedforward.skip", nothing),
    ("silence:encoder.6.attention", "encoder.5.attention.output", nothing),
    ("zero", "embedding.position", nothing),
    ("shuffle:7", "embedding.position", lambda rows: rows[list(edits.shuffled(9, 7))]),
    ("see_padding", "encoder.?.attention.mask", nothing),
    ("restart:4", "embedding.position", lambda rows: rows[[0, 1, 2, 3, 0, 1, 2, 3, 0]]),
    ("apart:4.0", "encoder.?.attention.mask", lambda mask: np.where(seen(len(mask), 4, (0,)), mask, -np.inf)),
    ("apart:4.1", "encoder.?.attention.mask", lambda mask: np.where(seen(len(mask), 4, (0, 1)), mask, -np.inf)),
)
IN_TRANSLATOR: tuple[Case, ...] = (
    ("mute:encoder.2.1", "encoder.1.attention.context", silenced(0)),
    ("mute:self.1.4", "decoder.0.self_attention.context", silenced(3)),
    ("mute:cross.2.1", "decoder.1.cross_attention.context", silenced(0)),
    ("average:cross.2.1", "decoder.1.cross_attention.context", averaged(0)),
    ("mute_neuron:decoder.1.3", "decoder.0.feedforward.activated", column(2, lambda given: 0 * given)),
    ("average_neuron:decoder.2.1", "decoder.1.feedforward.activated", column(0, np.mean)),
    ("drop_sqrt_dk:4", "*attention.scores", times(2)),
    ("drop_sqrt_d", "*embedding.scaled", times(1 / 4)),
    ("cut", "*.skip", nothing),
    ("cut:decoder.1.cross_attention", "decoder.0.cross_attention.skip", nothing),
    ("cut:encoder.2.attention", "encoder.1.attention.skip", nothing),
    ("zero", "*embedding.position", nothing),
    ("shuffle:7", "*embedding.position", lambda rows: rows[list(edits.shuffled(len(rows), 7))]),
    ("lift", "decoder.?.self_attention.mask", nothing),
    ("restart:3", "embedding.position", lambda rows: rows[[i % 3 for i in range(len(rows))]]),
    ("apart:3.1", "encoder.?.attention.mask", lambda mask: np.where(seen(len(mask), 3, (0, 1)), mask, -np.inf)),
)
EVERY = [("minilm", id, pattern, expected) for id, pattern, expected in IN_MINILM] + [
    ("translator", id, pattern, expected) for id, pattern, expected in IN_TRANSLATOR
]


@pytest.mark.parametrize(("name", "id", "pattern", "expected"), EVERY, ids=[f"{n}-{id}" for n, id, *_ in EVERY])
def test_an_edit_changes_what_it_names_and_nothing_before(
    request: pytest.FixtureRequest, name: str, id: str, pattern: str, expected: Callable[[np.ndarray], np.ndarray]
) -> None:
    """At the first place it names: exactly the change; upstream, bit for bit what was; at the end, something else."""
    model = request.getfixturevalue(name)
    pad_to = 12 if id == "see_padding" else None
    before, after = read(model, pad_to=pad_to), read(model, parse(id), pad_to=pad_to)
    named = [tap for tap in before.names() if fnmatchcase(tap, pattern)]
    assert named and after.edits == (parse(id),)
    first = before.names().index(named[0])
    for tap in before.names()[:first]:
        np.testing.assert_array_equal(before[tap], after[tap], tap)
    np.testing.assert_allclose(after[named[0]], expected(before[named[0]]), rtol=1e-6, atol=1e-7)
    last = before.names()[-1]
    assert not np.array_equal(before[last], after[last])
    for tap in named[1:]:
        if tap.startswith("decoder.embedding"):
            np.testing.assert_allclose(after[tap], expected(before[tap]), rtol=1e-6, atol=1e-7)
        if tap.endswith(".skip") or tap.endswith(".mask"):
            np.testing.assert_array_equal(after[tap], expected(before[tap]))


@pytest.mark.parametrize(("name", "id", "pattern", "expected"), EVERY, ids=[f"{n}-{id}" for n, id, *_ in EVERY])
def test_what_follows_follows(
    request: pytest.FixtureRequest, name: str, id: str, pattern: str, expected: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Whatever an edit did, every later number is the model's own function of the changed ones."""
    model = request.getfixturevalue(name)
    run = read(model, parse(id))
    for tap in run.names():
        stem = tap.rpartition(".")[0]
        if tap.endswith(".weights"):
            scores = run[f"{stem}.scores"].astype(np.float64) + run[f"{stem}.mask"]
            shares = np.exp(scores - scores.max(-1, keepdims=True))
            np.testing.assert_allclose(run[tap], shares / shares.sum(-1, keepdims=True), atol=2e-6)
        if tap.endswith(".residual"):
            np.testing.assert_array_equal(run[tap], run[f"{stem}.skip"] + run[f"{stem}.output"])
        if tap.endswith("embedding.sum"):
            parts = ("scaled", "position") if f"{stem}.scaled" in run else ("token", "segment", "position")
            np.testing.assert_allclose(run[tap], sum(run[f"{stem}.{part}"] for part in parts), atol=1e-5)


def joined(model: Model, run: Capture, place: str, module: str, without: int) -> np.ndarray:
    """What W^O makes of the heads' context where one head's columns of W^O are struck out, in float64."""
    weight = model.network.get_parameter(f"{module}.to_output.weight").detach().double().numpy()
    bias = model.network.get_parameter(f"{module}.to_output.bias").detach().double().numpy()
    heads, _, width = run[f"{place}.context"].shape
    kept = [h for h in range(heads) if h != without]
    parts = [run[f"{place}.context"][h].astype(np.float64) @ weight[:, h * width : (h + 1) * width].T for h in kept]
    return np.sum(parts, axis=0) + bias


@pytest.mark.parametrize(
    ("name", "id", "place", "module", "head"),
    [
        ("minilm", "mute:encoder.3.9", "encoder.2.attention", "encoder.2.attention.sublayer", 8),
        ("translator", "mute:encoder.1.2", "encoder.0.attention", "encoder.0.attention.sublayer", 1),
        ("translator", "mute:self.2.4", "decoder.1.self_attention", "decoder.layers.1.self_attention.sublayer", 3),
        ("translator", "mute:cross.1.1", "decoder.0.cross_attention", "decoder.layers.0.cross_attention.sublayer", 0),
    ],
)
def test_a_muted_head_is_its_part_of_w_o_struck_out(
    request: pytest.FixtureRequest, name: str, id: str, place: str, module: str, head: int
) -> None:
    """Computed from the untouched capture: the other heads' contexts alone, through their columns of W^O."""
    model = request.getfixturevalue(name)
    before, after = read(model), read(model, parse(id))
    np.testing.assert_allclose(after[f"{place}.output"], joined(model, before, place, module, head), atol=2e-5)
    np.testing.assert_array_equal(after[f"{place}.weights"], before[f"{place}.weights"])


def test_scores_without_sqrt_dk_are_the_bare_products(minilm: Model, translator: Model) -> None:
    for model in (minilm, translator):
        run = read(model, edits.drop_sqrt_dk(model.config.d_head))
        for tap in (tap for tap in run.names() if tap.endswith("attention.scores")):
            stem = tap.removesuffix("scores")
            query, key = (run[stem + part].astype(np.float64) for part in ("query", "key"))
            np.testing.assert_allclose(run[tap], query @ key.transpose(0, 2, 1), rtol=1e-4, atol=1e-4)


def test_dropping_sqrt_d_leaves_the_rows_of_the_table(translator: Model) -> None:
    run = read(translator, edits.drop_sqrt_d())
    for stem in ("embedding", "decoder.embedding"):
        np.testing.assert_allclose(run[f"{stem}.scaled"], run[f"{stem}.token"], rtol=1e-6)


def test_zeroed_positions_make_a_sentence_a_bag_of_words(minilm: Model) -> None:
    runs = [capture(minilm, text, edits=(edits.zero_positions(),)) for text in ("dog bites man", "man bites dog")]
    np.testing.assert_allclose(
        runs[0]["encoder.5.output"][[3, 2, 1]], runs[1]["encoder.5.output"][[1, 2, 3]], atol=2e-5
    )


def test_shuffled_positions_are_the_sentence_read_in_that_order(minilm: Model, the_cat: Capture) -> None:
    """Token and position travel as a pair: dealing out positions is the same as moving the tokens, seen from afar."""
    from core.capture import network_input

    run, order = read(minilm, edits.shuffle_positions(3)), np.array(edits.shuffled(9, 3))
    ids, segments, padding = network_input(minilm, minilm.tokenizer.trace(the_cat.text))
    moved = ids[:, np.argsort(order)]
    with torch.no_grad():
        last = minilm.network(moved, segments, padding)[0].numpy()
    np.testing.assert_allclose(run["encoder.5.output"], last[order], atol=2e-5)


# ---------------------------------------------------------------------------------------------------
# Shuffling


@given(seed=st.integers(0, edits.SEEDS - 1), n=st.integers(0, 300))
def test_a_shuffle_is_an_order_that_grows(seed: int, n: int) -> None:
    order, longer = edits.shuffled(n, seed), edits.shuffled(n + 1, seed)
    assert sorted(order) == list(range(n)) and order == edits.shuffled(n, seed)
    assert tuple(p - (p > longer[-1]) for p in longer[:-1]) == order


def test_seeds_differ_and_encoder_and_decoder_share_one() -> None:
    orders = {edits.shuffled(9, seed) for seed in range(50)}
    assert len(orders) == 50
    rows = torch.arange(12.0)[None, :, None].repeat(1, 1, 3)
    edit = edits.shuffle_positions(5)
    assert edit.change(rows)[0, :, 1].tolist() == list(edits.shuffled(12, 5))
    assert edit.change(rows[:, :4])[0, :, 0].tolist() == list(edits.shuffled(4, 5))
    assert all(fnmatchcase(tap, edit.pattern) for tap in ("embedding.position", "decoder.embedding.position"))


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (edits.LONGEST + 1, 0), (3, -1), (3, edits.SEEDS)])
def test_what_cannot_be_shuffled(n: int, seed: int) -> None:
    with pytest.raises(ValueError, match="positions in order"):
        edits.shuffled(n, seed)


# ---------------------------------------------------------------------------------------------------
# While a translation is written


@pytest.mark.parametrize("id", [id for id, *_ in IN_TRANSLATOR if not id.startswith("shuffle")])
def test_an_edit_acts_while_decoding(translator: Model, id: str) -> None:
    """What was written is what the edited model finds likeliest; some of them write something else than before."""
    run = capture(translator, BOOKS, edits=(parse(id),))
    if id == "lift":  # rows see later words in the last pass, which were not there when they were written
        return
    assert run["output.logits"].argmax(-1).tolist() == [token.id for token in run.target_out]


@pytest.mark.long
def test_edits_change_the_translation(translator: Model) -> None:
    before = capture(translator, BOOKS, only=()).text_out
    written = {id: capture(translator, BOOKS, only=(), edits=(parse(id),)).text_out for id, *_ in IN_TRANSLATOR}
    assert {"cut", "zero", "drop_sqrt_d", "shuffle:7"} <= {id for id, text in written.items() if text != before}


def test_several_edits_act_together(translator: Model, plain: Capture) -> None:
    both = read(translator, edits.zero_positions(), edits.drop_sqrt_d())
    assert not both["embedding.position"].any()
    np.testing.assert_allclose(both["embedding.sum"], plain["embedding.token"], rtol=1e-6)
    twice = read(translator, edits.drop_sqrt_d(), edits.drop_sqrt_d())
    np.testing.assert_allclose(twice["embedding.scaled"], plain["embedding.scaled"] / 16, rtol=1e-5)


# ---------------------------------------------------------------------------------------------------
# Nobody is harmed


def fingerprint(model: Model) -> str:
    digest = hashlib.sha256()
    for name, tensor in model.network.state_dict().items():
        digest.update(name.encode() + tensor.numpy().tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_no_edit_changes_a_weight_or_the_next_capture(request: pytest.FixtureRequest, name: str) -> None:
    """Nor a table that taps hand out: a position row zeroed in place would stay zero."""
    model = request.getfixturevalue(name)
    before, weights = read(model), fingerprint(model)
    for id in (id for which, id, *_ in EVERY if which == name):
        read(model, parse(id))
    assert fingerprint(model) == weights
    after = read(model)
    for tap in before.names():
        np.testing.assert_array_equal(before[tap], after[tap], tap)


@pytest.mark.long
def test_two_threads_do_not_mix(minilm: Model) -> None:
    choices = ((), (edits.zero_positions(),), (edits.mute("encoder", 1, 3),), (edits.shuffle_positions(1), edits.cut()))
    expected = [read(minilm, *choice) for choice in choices]
    for one, other in pairwise(expected):
        assert not np.array_equal(one["encoder.5.output"], other["encoder.5.output"])
    start = threading.Barrier(4)

    def work(number: int) -> list[str]:
        start.wait()
        mixed = []
        for turn in range(16):
            which = (turn + number) % 4
            run = read(minilm, *choices[which])
            mixed += [tap for tap in run.names() if not np.array_equal(run[tap], expected[which][tap])]
        return mixed

    with ThreadPoolExecutor(4) as pool:
        assert [tap for taps in pool.map(work, range(4)) for tap in taps] == []


NOT_THERE = [
    ("minilm", "mute:self.1.1", "edit_without_tap"),
    ("minilm", "drop_sqrt_d", "edit_without_tap"),
    ("minilm", "lift", "edit_without_tap"),
    ("minilm", "mute:encoder.7.1", "edit_without_tap"),
    ("minilm", "mute:encoder.3.99", "edit_outside"),
    ("minilm", "mute:encoder.1.13", "edit_outside"),
    ("minilm", "drop_sqrt_dk:16", "edit_outside"),
    ("minilm", "cut:encoder.7.attention", "edit_without_tap"),
    ("translator", "mute:cross.2.5", "edit_outside"),
    ("translator", "mute:cross.3.1", "edit_without_tap"),
    ("translator", "drop_sqrt_dk:32", "edit_outside"),
]


@pytest.mark.parametrize(("name", "id", "code"), NOT_THERE)
def test_what_a_model_does_not_have_cannot_be_changed(
    request: pytest.FixtureRequest, name: str, id: str, code: str
) -> None:
    """Neither in a run, nor while a translation is written, nor where no tap is kept."""
    model, text = request.getfixturevalue(name), BOOKS if name == "translator" else "The cat."
    asks: list[Callable[[], object]] = [
        lambda: capture(model, text, edits=[edits.cut(), id]),
        lambda: capture(model, text, only=(), edits=id),
    ]
    if model.words is not None:
        asks.append(lambda: decode(model, text, edits=(parse(id),)))
    for ask in asks:
        with pytest.raises(InputError) as error:
            ask()
        assert error.value.code == code
        for language in ("zh", "en"):
            said = error.value.words(language)
            assert id in said and model.id in said and "{" not in said


@given(edit=st.deferred(lambda: EDITS))
@settings(max_examples=60, deadline=None)
def test_an_edit_is_refused_or_reaches_a_tensor(minilm: Model, edit: Edit) -> None:
    """Where it is not refused, some tensor that it names is there, and what it names in it."""
    shapes = {"head": minilm.config.heads, "d_head": minilm.config.d_head}
    kind, _, rest = edit.id.partition(":")
    parts = rest.split(".")
    fits = any(fnmatchcase(tap, edit.pattern) for tap in minilm.tap_dims)
    if kind == "mute":
        fits = parts[0] == "encoder" and int(parts[1]) <= 6 and int(parts[2]) <= shapes["head"]
    if kind == "drop_sqrt_dk":
        fits = int(parts[0]) == shapes["d_head"]
    try:
        assert fitting(minilm, edit) == (edit,) and fits
    except InputError:
        assert not fits


def test_an_edit_of_ones_own_must_find_a_tap(minilm: Model) -> None:
    with pytest.raises(InputError) as error:
        capture(minilm, "a", edits=Edit("mine", "encodr.*", torch.zeros_like))
    assert error.value.code == "edit_without_tap"


def test_edits_may_be_given_by_their_ids(minilm: Model) -> None:
    made = edits.mute("encoder", 3, 9), edits.zero_positions()
    runs = [capture(minilm, "The cat.", edits=given) for given in (made, [edit.id for edit in made], iter(made))]
    for run in runs:
        assert run.edits == made
        np.testing.assert_array_equal(run["encoder.5.output"], runs[0]["encoder.5.output"])
    alone = [capture(minilm, "The cat.", edits=given) for given in (made[0], made[0].id)]
    assert alone[0].edits == alone[1].edits == made[:1]
    assert RunSpec("A", edits=["mute:encoder.3.9", made[1]]) == RunSpec("A", edits=made)  # type: ignore[arg-type]
    with pytest.raises(InputError) as error:
        capture(minilm, "The cat.", edits="mute:encoder")
    assert error.value.code == "unknown_edit"


def test_a_state_is_taken_from_another_run(translator: Model) -> None:
    """In its place stands the other run's, bit for bit; what a token before it has stays as it was."""
    other = "我买了书"
    before, there = capture(translator, BOOKS, target=TARGET), capture(translator, other)
    assert len(there["decoder.0.output"]) > 2
    edit = edits.take(1, 2, other)
    assert edit == parse(edit.id)
    after = capture(translator, BOOKS, target=TARGET, edits=[edit.id])
    np.testing.assert_array_equal(after["decoder.0.output"][2], there["decoder.0.output"][2])
    for tap in ("decoder.0.output", "decoder.1.output"):
        np.testing.assert_array_equal(after[tap][:2], before[tap][:2])
    assert not np.array_equal(after["decoder.1.output"][3:], before["decoder.1.output"][3:])
    for target, text in (("I", other), (TARGET, "")):
        with pytest.raises(InputError) as error:
            capture(translator, BOOKS, target=target, edits=[edits.take(1, 40, text)])
        assert error.value.code == "cell_outside"


@pytest.mark.parametrize(
    "tap", ["embedding.output", "encoder.2.attention.context", "encoder.3.feedforward.activated", "encoder.5.output"]
)
def test_a_row_of_any_tap_is_taken_from_another_run(minilm: Model, tap: str) -> None:
    """The other's row, bit for bit, and nothing else of this tap; from the last token of the last tap nothing moves."""
    other, axis = "A dog sat on a mat.", minilm.tap_dims[tap].index("query" if "context" in tap else "token")
    before, there = capture(minilm, "The cat sat on the mat."), capture(minilm, other)
    edit = edits.patch(tap, 2, other)
    after = capture(minilm, "The cat sat on the mat.", edits=edit.id)
    np.testing.assert_array_equal(after[tap].take(2, axis), there[tap].take(2, axis))
    np.testing.assert_array_equal(np.delete(after[tap], 2, axis), np.delete(before[tap], 2, axis))
    assert (before[tap].take(2, axis) != there[tap].take(2, axis)).any()


def test_a_state_taken_after_a_layer_is_its_output_patched(translator: Model) -> None:
    one, other = (
        capture(translator, BOOKS, target=TARGET, edits=[edit])
        for edit in (edits.take(1, 2, "我买了书"), edits.patch("decoder.0.output", 2, "我买了书"))
    )
    for tap in one:
        np.testing.assert_array_equal(one[tap], other[tap])


@pytest.mark.parametrize(
    ("tap", "code"),
    [
        ("encoder.2.attention.weights", "tap_without_rows"),
        ("encoder.2.attention.mask", "tap_without_rows"),
        ("encoder.9.output", "edit_without_tap"),
    ],
)
def test_what_has_no_row_for_each_token_is_not_patched(minilm: Model, tap: str, code: str) -> None:
    with pytest.raises(InputError) as error:
        capture(minilm, "The cat.", edits=edits.patch(tap, 0, "A dog."))
    assert error.value.code == code


# ---------------------------------------------------------------------------------------------------
# Ids

numbers = st.integers(1, edits.MOST)
EDITS = st.one_of(
    st.builds(edits.mute, st.sampled_from(sorted(edits.ATTENTIONS)), numbers, numbers),
    st.builds(edits.average, st.sampled_from(sorted(edits.ATTENTIONS)), numbers, numbers),
    st.builds(edits.mute_neuron, st.sampled_from(sorted(edits.SUBLAYERS)), numbers, numbers),
    st.builds(edits.average_neuron, st.sampled_from(sorted(edits.SUBLAYERS)), numbers, numbers),
    st.builds(
        edits.patch,
        st.from_regex(r"[a-z_0-9.]{1,20}", fullmatch=True),
        st.integers(0, 99),
        st.text(st.characters(codec="utf-8"), max_size=20),
    ),
    st.builds(edits.drop_sqrt_dk, numbers),
    st.builds(edits.shuffle_positions, st.integers(0, edits.SEEDS - 1)),
    st.builds(edits.restart_positions, numbers),
    st.builds(edits.apart, numbers, st.integers(0, 1)),
    st.builds(edits.take, numbers, st.integers(0, 99), st.text(st.characters(codec="utf-8"), max_size=20)),
    st.tuples(
        st.sampled_from((edits.cut, edits.silence)),
        st.sampled_from([(s, name) for s, names in edits.SUBLAYERS.items() for name in names]),
        numbers,
    ).map(lambda made: made[0](made[1][0], made[2], made[1][1])),
    st.sampled_from(
        [
            edits.apply_sqrt_d(),
            edits.drop_sqrt_d(),
            edits.lift_mask(),
            edits.cut(),
            edits.zero_positions(),
            edits.see_padding(),
        ]
    ),
)


@given(edit=EDITS)
def test_ids_parse_back(edit: Edit) -> None:
    again = parse(edit.id)
    assert again == edit and hash(again) == hash(edit)
    assert (again.id, again.pattern) == (edit.id, edit.pattern)


def test_a_parsed_edit_does_what_the_constructed_one_does() -> None:
    x = torch.randn(1, 4, 5, 6)
    for made in (
        edits.mute("cross", 2, 3),
        edits.drop_sqrt_dk(7),
        edits.apply_sqrt_d(),
        edits.cut("decoder", 1, "feedforward"),
    ):
        torch.testing.assert_close(parse(made.id).change(x), made.change(x), rtol=0, atol=0)
        assert not torch.equal(made.change(x), x)
    assert edits.drop_sqrt_dk(9).change(x).sum().item() == pytest.approx(x.sum().item() * math.sqrt(9), rel=1e-4)


def test_every_constructor_has_a_case_here() -> None:
    assert set(edits.CONSTRUCTORS) == {"take", "patch", *(id.partition(":")[0] for _, id, *_ in EVERY)}


@pytest.mark.parametrize(
    "id",
    [
        "",
        ":",
        "lift:",
        "lift:1",
        "Lift",
        "mute",
        "mute:",
        "mute:encoder.3",
        "mute:encoder.3.9.1",
        "mute:encoder.0.9",
        "mute:encoder.3.0",
        "mute:encoder.-1.2",
        "mute:encoder.03.9",
        "mute:encoder.٣.9",
        "mute:encoder.3.10001",
        "mute:encoder.x.9",
        "mute:decoder.1.1",
        "mute:*.1.1",
        "cut:encoder.1",
        "cut:encoder.1.self_attention",
        "cut:decoder.1.norm",
        "cut:*.1.feedforward",
        "cut:3.1.feedforward",
        "drop_sqrt_dk",
        "drop_sqrt_dk:0",
        "drop_sqrt_dk:1.5",
        "drop_sqrt_d:32",
        "shuffle",
        "shuffle:-1",
        "shuffle:x",
        f"shuffle:{2**32}",
        "shuffle:" + "9" * 5000,
        "restart",
        "restart:0",
        "apart:4",
        "apart:0.1",
        "apart:4.2",
        "silence:encoder.1.norm",
        "silence:decoder.feedforward",
        "take:1.2",
        "take:0.2.~a",
        "take:1.-1.~a",
        "take:1.x.~a",
        "take:1.2.~a b",
        "take:1.2.a",
        "patch:~*.2.~a",
        "patch:encoder.2.~a",
        "average:encoder.3",
        "mute_neuron:encoder.0.1",
        "average_neuron:nowhere.1.1",
        "zero:1",
        "os.system:1",
    ],
)
def test_an_unknown_edit(id: str) -> None:
    with pytest.raises(InputError) as error:
        parse(id)
    assert (error.value.code, error.value.parameters) == ("unknown_edit", {"id": id})


@settings(max_examples=300)
@given(
    id=st.text(max_size=30)
    | st.from_regex(
        r"(mute|cut|silence|take|shuffle|lift|zero|restart|apart|drop_sqrt_dk):[a-z0-9._]{0,12}", fullmatch=True
    )
)
def test_any_text_is_an_edit_or_a_clear_error(id: str) -> None:
    try:
        assert parse(id).id == id
    except InputError as error:
        assert error.code == "unknown_edit"
