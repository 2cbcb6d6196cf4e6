"""How long a row is and how alike two are: held against torch, and every number in a step is the one it names."""

import statistics
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Weight, capture, derive, edits
from core.derivation import Measure, Origin, RunSpec, measures
from core.derivation.flow import TABLE
from core.derivation.measures import measure, measured
from core.derivation.measures.words import LIKELY
from core.derivation.operators import cosine, length
from core.derivation.origins import run_of, within
from core.derivation.reading import array
from core.derivation.steps import Vector
from core.edits import lift_mask
from core.errors import InputError
from core.grammar import sample
from core.views.heads import ACROSS, MEASURES
from core.views.overview import other_pairs
from tests.models import loaded

TEXT = "The cat sat on the mat."


@pytest.fixture(scope="module")
def run(minilm):
    return capture(minilm, TEXT)


def rows(run) -> list:
    taps = [tap for tap in ("embedding.output", "encoder.2.attention.output", "encoder.5.output") if tap in run]
    return [
        *(Cell(tap, (token, None)) for tap in taps for token in (0, 5)),
        Weight("embedding.token_table.weight", (1996, None)),
    ]


def test_a_length_and_a_cosine_are_torchs_own(run):
    for one in rows(run):
        x = torch.tensor(np.array(of(run, one)))
        made = measure(run, Measure("length", (one,)))
        assert made.value == pytest.approx(float(torch.linalg.vector_norm(x.double())), rel=1e-9)
        assert made.captured == measured(run, Measure("length", (one,))) and abs(made.difference) < 1e-4 * made.value
        for other in rows(run):
            y = torch.tensor(np.array(of(run, other)))
            alike = torch.nn.functional.cosine_similarity(x.double(), y.double(), dim=0)
            found = measure(run, Measure("cosine", (one, other)))
            assert found.value == pytest.approx(float(alike), abs=1e-9) and abs(found.difference) < 1e-5
            lengths = [float(torch.linalg.vector_norm(row.double())) for row in (x, y)]
            beside = measure(run, Measure("ratio", (one, other)))
            assert beside.value == pytest.approx(lengths[0] / lengths[1], rel=1e-9)
            assert abs(beside.difference) < 1e-4 * beside.value
            gone = measure(run, Measure("aside", (one, other)))
            assert gone.value == pytest.approx(float((x - y).double().norm() / x.double().norm()), abs=1e-6)
            gap = measure(run, Measure("distance", (one, other)))
            assert gap.value == pytest.approx(float(torch.dist(x.double(), y.double())), abs=1e-9)
            most = measure(run, Measure("apart", (one, other)))
            assert most.value == pytest.approx(float((x.double() - y.double()).abs().max()), abs=1e-9)
            assert abs(gap.difference) < 1e-5 and abs(most.difference) < 1e-6


def of(run, row):
    return array(run, row)[row.slices]


def test_every_number_in_a_step_is_the_one_it_names(run):
    for one in rows(run):
        two = (one, rows(run)[1])
        for what in (Measure("length", (one,)), *(Measure(kind, two) for kind in ("cosine", "distance", "apart"))):
            made = measure(run, what)
            assert made.onward in made.origins or made.value == 0  # of a row and itself
            for step in made.steps:
                for number, origin in step.numbers():
                    near = 1e-6 if isinstance(origin, Measure) else 0  # what is measured is of float32
                    assert number == pytest.approx(measures.number(run, origin), rel=near, abs=0)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=40))
@settings(max_examples=25)
def test_a_row_is_as_long_as_it_is(numbers):
    x = Vector(np.array(numbers))
    assert length(x)[-1].value == pytest.approx(float(np.linalg.norm(x.values)), abs=1e-9)
    ratio = cosine(x, x)[-1].value
    assert ratio == pytest.approx(1, abs=1e-9) if x.values @ x.values > 0 else np.isnan(ratio)


def heads_of(run) -> list[Cell]:
    taps = [tap for tap in run.names() if tap.endswith("attention.weights")]
    return [Cell(tap, (head, None, None)) for tap in taps for head in (0, len(run[tap]) - 1)]


def row_of(run, head: Cell, habit: str) -> bool:
    """Whether there is a row that could do it."""
    keys = run.side(head.name, "key")
    texts = [token.text for token in keys]
    there = {"first": keys[0].special, "last": keys[-1].special, "same": len(set(texts)) < len(texts)}
    masked = head.name.startswith("decoder.") and "cross" not in head.name
    return not (masked and habit == "next") and there.get(habit, True)


@pytest.mark.parametrize("name", ["minilm", "translator"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_what_a_head_does_is_the_mean_of_weights_it_names(name: str, seed: int):
    made = sample(Random(seed))
    run = capture(loaded(name), made.zh if name == "translator" else made.en)
    for head in heads_of(run):
        weights = torch.tensor(run[head.name][head.slices]).double()
        across = "cross" in head.name
        for habit in ACROSS if across else MEASURES:
            if not row_of(run, head, habit):
                with pytest.raises(InputError):
                    measure(run, Measure(f"does_{habit}", (head,)))
                continue
            made = measure(run, Measure(f"does_{habit}", (head,)))
            assert abs(made.difference) < 1e-5
            for step in made.steps:
                for number, origin in step.numbers():
                    assert number == measures.number(run, origin)
        if not across:
            previous = float(torch.diagonal(weights, -1).mean())
            assert measure(run, Measure("does_previous", (head,))).value == pytest.approx(previous, abs=1e-9)
        if head.name.startswith("encoder."):
            even = torch.special.entr(weights).sum(-1).mean() / np.log(len(weights))
            assert measure(run, Measure("does_entropy", (head,))).value == pytest.approx(float(even), abs=1e-9)


@pytest.mark.parametrize("name", ["minilm", "translator"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_means_of_rows_and_what_a_token_brings_are_torchs_own(name: str, seed: int):
    """Each against torch; and each is made of numbers, or of measures of numbers, that are what they are called."""
    text = sample(Random(seed))
    run = capture(loaded(name), text.zh if name == "translator" else text.en)
    last, weights = "encoder.1.output", "encoder.1.attention.weights"
    states = torch.tensor(run[last]).double()
    two, n = [Cell(last, (i, None)) for i in (1, 2)], len(states)
    alike = torch.nn.functional.cosine_similarity(states[:, None], states[None], dim=-1)[tuple(np.triu_indices(n, 1))]
    lengths = torch.linalg.vector_norm(states, dim=-1)
    value = Cell("encoder.1.attention.value", (1, n - 1, None))
    matrix = dict(loaded(name).parts["encoder.1.attention"].named_parameters())["to_output.weight"].detach()
    values = torch.tensor(run[value.name][1])
    part = matrix[:, values.shape[-1] : 2 * values.shape[-1]]
    brought = torch.linalg.vector_norm((values @ part.T).double(), dim=-1)
    row = torch.tensor(run[weights][1, 2]).double()
    line, of = Weight("encoder.1.attention.to_output.weight", (7, None)), Cell(weights, (1, 2, None))
    whole = (Cell("encoder.0.output", (None, None)), Cell(last, (None, None)))
    means = torch.stack([torch.tensor(run["encoder.0.output"]).double().mean(0), states.mean(0)])
    expected = {
        Measure("alike", (Cell(last, (None, None)),)): alike.mean(),
        Measure("lengths", (Cell(last, (None, None)),)): lengths.mean(),
        Measure("brought", (value, line)): (values @ part.T)[-1, 7],
        Measure("carried", (value,)): brought[-1],
        Measure("taken", (of, value)): (row * brought)[-1],
        Measure("share", (of, value)): (row * brought)[-1] / (row * brought).sum(),
        **what_heads_write(run, matrix, dict(loaded(name).parts["encoder.1.attention"].named_parameters())),
        Measure("middles", whole): states_alike(means, 0, 1),
        Measure("unlike_means", whole): 1 - states_alike(means, 0, 1),
    }
    learned = [Weight("embedding.token_table.weight", (i, None)) for i in (7, 9, 11, 13)]
    a, b, c, d = (torch.tensor(array(run, row)[row.slices]).double() for row in learned)
    expected |= {
        Measure("sum_alike", tuple(learned)): torch.cosine_similarity(a - b + c, d, dim=0),
        Measure("plus_minus", tuple(row.at(5) for row in learned[:3])): (a - b + c)[5],
    }
    others = other_pairs(run.tokens, 1, 2)
    if len(others):
        expected[Measure("others", tuple(two))] = torch.stack([states_alike(states, a, b) for a, b in others]).mean()
    for what, found in expected.items():
        made = measure(run, what)
        assert made.value == pytest.approx(float(found), rel=1e-4, abs=1e-6), what
        assert abs(made.difference) <= 1e-4 * max(1, abs(made.value)) and made.onward in made.origins
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-4, abs=1e-6)


def what_heads_write(run, matrix: torch.Tensor, named: dict) -> dict:
    """Of one token: what a head writes through W^O, and the share of each, which add up to all of it with the bias."""
    context, output = Cell("encoder.1.attention.context", (1, 2, None)), Cell("encoder.1.attention.output", (2, None))
    bias = Weight("encoder.1.attention.to_output.bias", (None,))
    d_head = run[context.name].shape[-1]
    wrote = matrix.double()[:, d_head : 2 * d_head] @ torch.tensor(of(run, context)).double()
    whole, b = torch.tensor(of(run, output)).double(), named["to_output.bias"].detach().double()
    shares = [
        measure(run, Measure("joins", (Cell(context.name, (head, 2, None)), output))).value
        for head in range(len(run[context.name]))
    ]
    share = b @ whole / (whole @ whole)
    assert sum(shares) + float(share) == pytest.approx(1, abs=1e-5)
    return {
        Measure("writes", (context,)): wrote.norm(),
        Measure("joins", (context, output)): wrote @ whole / (whole @ whole),
        Measure("part", (bias, output)): share,
        **what_a_matrix_makes(run, named["to_query.weight"].detach().double(), named["to_query.bias"].detach()),
        Measure("length", (bias,)): b.norm(),
    }


def what_a_matrix_makes(run, weight: torch.Tensor, bias: torch.Tensor) -> dict:
    """Of one row of x, in one column: without the bias, with it, and of the slice that stands where the head does."""
    x, column = Cell("encoder.0.output", (2, None)), Weight("encoder.1.attention.to_query.weight", (35, None))
    row, d_head = torch.tensor(of(run, x)).double(), run["encoder.1.attention.query"].shape[-1]
    own = slice(35 // d_head * d_head, (35 // d_head + 1) * d_head)
    return {
        Measure("dot", (x, column)): row @ weight[35],
        Measure("mapped", (x, column)): row @ weight[35] + bias[35],
        Measure("mapped_part", (x, column)): row[own] @ weight[35, own] + bias[35],
    }


def states_alike(states: torch.Tensor, a: int, b: int) -> torch.Tensor:
    return torch.nn.functional.cosine_similarity(states[a], states[b], dim=0)


@given(seed=st.integers(0, 10_000), another=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_how_likely_words_and_translations_are_is_torchs_own(seed: int, another: int):
    """Read through the table after any layer, left over, cut off and shared out anew, and of all words together."""
    translator, mine, theirs = loaded("translator"), sample(Random(seed)), sample(Random(another))
    run, beside = capture(translator, mine.zh), RunSpec(mine.zh, target=theirs.en)
    read = capture(translator, mine.zh, target=theirs.en)
    table = translator.parts["embedding.token_table"].get_parameter("weight").detach().double()
    state = Cell("decoder.0.cross_attention.norm.output", (0, None))
    logits = table @ torch.tensor(run[state.name][0]).double()
    likely, ids = torch.tensor(run[LIKELY]).double(), [token.id for token in run.target_out]
    lost = torch.nn.functional.nll_loss(likely[: len(ids)].log(), torch.tensor(ids))
    most = likely[0].topk(3)
    top = tuple(Cell(LIKELY, (0, int(i))) for i in most.indices)
    id, of, all = int(most.indices[1]), Cell(LIKELY, (0, int(most.indices[1]))), Cell(LIKELY, (None, None))
    own, other = Cell(LIKELY, (len(ids) - 1, None)), Cell(LIKELY, (len(read.target_out) - 1, None), beside)
    typed = torch.tensor(read[LIKELY]).double().log()
    whole = sum(typed[i, token.id] for i, token in enumerate(read.target_out))
    mask, lifted = Cell("decoder.0.self_attention.mask", (None, None)), RunSpec(target=theirs.en, edits=(lift_mask(),))
    free = capture(translator, mine.zh, target=theirs.en, edits=lifted.edits)
    looks = torch.stack([torch.tensor(free[f"decoder.{i}.self_attention.weights"]).double() for i in range(2)])
    later = looks.triu(1).sum(-1).mean((0, 1))
    cold = torch.tensor(run["output.logits"][0]).double()
    least = Cell("output.logits", (0, int(cold.argmin())))
    warmed = [Cell("output.logits", (0, int(i))) for i in most.indices]
    expected = {
        Measure("chance", (state, Weight(TABLE, (id, None)))): torch.softmax(logits, -1)[id],
        Measure("warm_chance_150", (state, Weight(TABLE, (id, None)))): torch.softmax(logits / 1.5, -1)[id],
        Measure("dot", (state, Weight(TABLE, (id, None)))): logits[id],
        Measure("rest_of_all", top, (3,)): likely[0].sum() - most.values.sum(),
        Measure("warm_200", tuple(Cell("output.logits", (0, int(i))) for i in most.indices[1:])): torch.softmax(
            torch.tensor(run["output.logits"][0]).double()[most.indices] / 2, -1
        )[1],
        Measure("rest_read", (state, *(Weight(TABLE, (int(i), None)) for i in most.indices)), (4,)): 1
        - torch.softmax(logits, -1)[most.indices].sum(),
        Measure("rest_warm_200", (least, *warmed), (4,)): 1 - torch.softmax(cold / 2, -1)[most.indices].sum(),
        Measure("rest", (of,)): likely[0].sum() - most.values[1],
        Measure("kept", (of, Cell(LIKELY, (0, int(most.indices[2]))))): most.values[1] / most.values.sum(),
        Measure("path", (own,)): -lost * len(ids),
        Measure("path", (other,)): whole,
        Measure("score", (own,)): -lost * len(ids) / ((5 + len(ids)) / 6) ** 0.6,
        Measure("likelier", (own, other)): (-lost * len(ids) - whole).exp(),
        Measure("loss", (all,)): lost,
        Measure("right", (all,)): sum(likely[i, id] for i, id in enumerate(ids)) / len(ids),
        within(Measure("later", (Cell(mask.name, (0, None)),)), lifted): later[0],
        within(Measure("later_rows", (mask,)), lifted): later[:-1].mean(),
    }
    for what, found in expected.items():
        made = measure(run, what)
        assert made.value == pytest.approx(float(found), rel=1e-4, abs=1e-6), what
        assert abs(made.difference) <= 1e-4 * max(1, abs(made.value)) and made.onward in made.origins
        given_run = run_of(what)
        within_it = run if given_run is None else free if given_run == lifted else read
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(within_it, origin), rel=1e-4, abs=1e-5)
    for what in (
        Measure("chance", (Cell("decoder.0.self_attention.query", (0, 0, None)), Weight(TABLE, (id, None)))),
        Measure("kept", (Cell(LIKELY, (0, int(most.indices[2]))), of)),
        Measure("warm_200", tuple(Cell("output.logits", (0, int(i))) for i in most.indices[1:].flip(0))),
        Measure("rest_of_all", (of, of), (2,)),
        Measure("rest_read", (state,), (1,)),
        Measure("rest_read", (state, of), (2,)),
        Measure("rest_read", (state, *[Weight(TABLE, (id, None))] * 2), (3,)),
        Measure("rest_warm_200", (least,), (1,)),
        Measure("path", (Cell(LIKELY, (len(ids), None)),)),
        Measure("path", (Cell("decoder.1.output", (0, None)),)),
    ):
        with pytest.raises(InputError):
            measures.number(run, what)


def test_what_is_no_such_row_is_refused(run):
    state, value = Cell("encoder.2.output", (1, None)), Cell("encoder.2.attention.value", (0, 1, None))
    weights = Cell("encoder.2.attention.weights", (1, 1, None))  # of another head
    for what in (
        Measure("carried", (Cell("encoder.2.attention.query", (0, 1, None)),)),
        Measure("writes", (value,)),
        Measure("joins", (Cell("encoder.2.attention.context", (0, 1, None)), Cell("encoder.2.output", (1, None)))),
        Measure("across", (Cell("encoder.2.attention.weights", (0, None, None)),)),
        Measure("brought", (value, Weight("embedding.token_table.weight", (7, None)))),
        Measure("share", (weights, value)),
        Measure("does_previous", (Cell("encoder.2.attention.scores", (0, None, None)),)),
        Measure("others", (state, Cell("encoder.3.output", (2, None)))),
        Measure("alike", (Weight("embedding.token_table.weight", (None, None)),)),
        Measure("alike", (Cell("encoder.2.attention.query", (0, None, None)),)),
        Measure("lengths", (Weight("embedding.token_table.weight", (None, None)),)),
        Measure("mean", (Weight("embedding.token_table.weight", (None, None)),)),
        Measure("length", (Weight("encoder.2.attention.norm.gamma", (None,)),)),
        Measure("deviation", (Cell("encoder.2.output", (1, 3)),)),
        Measure("distance", (state, value)),
        Measure("far", (Cell("encoder.2.output", (None, None)), Cell("encoder.2.attention.weights", (1, None, None)))),
    ):
        with pytest.raises(InputError):
            measures.number(run, what)


def test_what_a_head_gives_to_the_other_sentence_of_a_pair(minilm):
    """Every row gives all its weight to one or the other."""
    run = capture(minilm, TEXT, "It was red.")
    head, first = Cell("encoder.3.attention.weights", (4, None, None)), sum(not token.segment for token in run.tokens)
    weights = torch.tensor(of(run, head)).double()
    crossing = torch.cat([weights[:first, first:].sum(1), weights[first:, :first].sum(1)])
    kinds = {"first_first": 1 - crossing[:first].mean(), "first_second": crossing[:first].mean()}
    kinds |= {"second_first": crossing[first:].mean(), "across": crossing.mean()}
    for kind, expected in kinds.items():
        made = measure(run, Measure(kind, (head,)))
        assert made.value == pytest.approx(float(expected), abs=1e-6) and abs(made.difference) < 1e-6


def test_of_all_numbers_of_a_head_or_of_a_tap(run):
    """Mean, variance, the root of one, and the share of squares: against torch."""
    head = Cell("encoder.2.attention.query", (5, None, None))
    one, other = Cell("embedding.position", (None, None)), Cell("embedding.token", (None, None))
    spread = Cell("encoder.2.attention.norm.variance", (3,))
    scores = Cell("encoder.2.attention.scores", (5, None, None))
    query, p, e = (torch.tensor(of(run, at)).double() for at in (head, one, other))
    expected = {
        Measure("mean", (head,)): query.mean(),
        Measure("variance", (head,)): query.var(correction=0),
        Measure("undivided", (scores,)): torch.tensor(of(run, scores)).double().var(correction=0) * 32,
        Measure("deviation", (spread,)): torch.tensor(of(run, spread)).double().sqrt(),
        Measure("energy", (one, other)): p.square().sum() / (p.square().sum() + e.square().sum()),
        **shares_of(p, e, one, other),
    }
    key = torch.tensor(of(run, Cell("encoder.2.attention.key", (5, None, None)))).double()
    heads, dims = (head, Cell("encoder.2.attention.key", head.index)), (query[:, None] * key[None]).flatten(0, 1)
    own = (Cell(head.name, (5, 0, 3)), Cell(heads[1].name, (5, 0, 3)))
    sharp = torch.softmax(torch.tensor(of(run, scores)).double() * 32**0.5, -1)
    np.testing.assert_allclose(sharp, torch.softmax(query @ key.T, -1), rtol=1e-4)
    expected |= {
        Measure("product_variances", heads): dims.var(0, correction=0).sum(),
        Measure("product_variance", own): dims.var(0, correction=0)[3],
        Measure("sharp", (scores,)): sharp.max(-1).values.mean(),
        Measure("sharp_weight", (Cell(scores.name, (5, 2, 4)),)): sharp[2, 4],
    }
    for what in (
        Measure("sharp", (head,)),
        Measure("product_variances", heads[::-1]),
        Measure("product_variances", (head, Cell(heads[1].name, (4, None, None)))),
        Measure("product_variance", (own[0], Cell(heads[1].name, (5, 0, 4)))),
    ):
        with pytest.raises(InputError):
            measures.number(run, what)
    assert measured(run, Measure("undivided", (scores,))) == pytest.approx(
        float((query @ key.T).var(correction=0)), rel=1e-4
    )
    holds(run, expected, rel=1e-6)


def holds(run, expected: dict, rel: float) -> None:
    """Each measure is what torch found, and every number in its steps is the one that it names."""
    for what, found in expected.items():
        made = measure(run, what)
        assert made.value == pytest.approx(float(found), rel=1e-9) and abs(made.difference) < 1e-6
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=rel)


def shares_of(p: torch.Tensor, e: torch.Tensor, one: Cell, other: Cell) -> dict:
    """Of one row, of all but one, of what all rows share: what is left of the first is p less its mean."""
    first, rest = Cell(one.name, (0, None)), (p - p.mean(0)).square().sum()
    return {
        Measure("portion", (first, one)): p[0].square().sum() / p.square().sum(),
        Measure("energy_but", (one, other, first)): p[1:].square().sum() / (p[1:].square() + e[1:].square()).sum(),
        Measure("common", (one,)): 1 - rest / p.square().sum(),
        Measure("bare", (one, other)): rest / (rest + e.square().sum()),
    }


def test_how_far_a_change_moves_the_weights_is_their_mean_change(run, minilm):
    every = Cell("encoder.0.attention.weights", (None, None, None))
    made = measure(run, Measure("shift", (every, within(every, RunSpec(edits=(edits.zero_positions(),))))))
    changed = capture(minilm, TEXT, edits=(edits.zero_positions(),))
    moved = torch.tensor(changed[every.name]).double() - torch.tensor(run[every.name]).double()
    assert made.value == pytest.approx(float(moved.abs().mean()), rel=1e-9) and abs(made.difference) < 1e-6


def test_weights_through_layers_and_under_a_mask_are_torchs_own(run):
    """Averaged over heads; rollout as a product of matrices; softmax of what a mask lets through."""
    taps = [f"encoder.{i}.attention.weights" for i in range(3)]
    means = [torch.tensor(run[tap]).double().mean(0) for tap in taps]
    mixed = [(mean + torch.eye(len(mean))) / 2 for mean in means]
    weights, scores = (torch.tensor(run[f"encoder.2.attention.{word}"]).double() for word in ("weights", "scores"))
    one, last = Cell("encoder.2.attention.scores", (8, 5, 1)), Cell("encoder.2.attention.scores", (8, 5, 4))
    hides, head = Cell(taps[2], (8, 5, 4)), Cell(taps[2], (8, None, None))
    skip, output = (Cell(f"encoder.2.attention.{word}", (None, None)) for word in ("skip", "output"))
    past, added = (torch.tensor(of(run, rows)).double().norm(dim=-1) for rows in (skip, output))
    spread = Cell("encoder.2.attention.norm.variance", (None,))
    expected = {
        Measure("shared", (Cell(taps[2], (0, 5, 6)),)): means[2][5, 6],
        Measure("mixed", (Cell(taps[2], (0, 5, 5)),)): mixed[2][5, 5],
        Measure("rolled", (Cell(taps[0], (0, 5, 6)),)): mixed[0][5, 6],
        Measure("rolled", (Cell(taps[2], (0, 5, 6)),)): (mixed[2] @ mixed[1] @ mixed[0])[5, 6],
        **what_keys_are_given(torch.stack(means)),
        Measure("hidden", (hides,)): weights[8, 5, 5:].sum(),
        Measure("masked", (one, last)): scores[8, 5, :5].softmax(-1)[1],
        Measure("peaks", (head,)): weights[8].amax(-1).mean(),
        Measure("besides", (skip, output)): (past / (past + added)).mean(),
        Measure("agree", (skip, output)): torch.cosine_similarity(
            torch.tensor(of(run, skip)).double(), torch.tensor(of(run, output)).double()
        ).mean(),
        Measure("beside", tuple(Cell(rows.name, (3, None)) for rows in (skip, output))): (past / (past + added))[3],
        Measure("deviations", (spread,)): torch.tensor(of(run, spread)).double().sqrt().mean(),
        Measure("width", (Cell(output.name, (3, None)),)): torch.tensor(of(run, output))[3].double().std(correction=0),
        Measure("widths", (output,)): torch.tensor(of(run, output)).double().std(-1, correction=0).mean(),
    }
    for what, found in expected.items():
        made = measure(run, what)
        assert made.value == pytest.approx(float(found), rel=1e-6), what
        assert abs(made.difference) < 1e-6 and made.onward in made.origins
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-6)
    for what in (
        Measure("masked", (last, one)),  # behind the last that is let through
        Measure("rolled", (Cell("encoder.2.attention.scores", (0, 5, 6)),)),
        Measure("peaks", (Cell("encoder.2.attention.query", (0, None, None)),)),
    ):
        with pytest.raises(InputError):
            measures.number(run, what)


def what_keys_are_given(means: torch.Tensor) -> dict:
    """means [layer, query, key]: by all tokens in a layer, in all layers, of several keys together and each."""
    of = tuple(Cell("encoder.2.attention.weights", (0, 0, key)) for key in (0, 3, 5))
    every = means.mean((0, 1))[[0, 3, 5]]
    return {
        Measure("received_in", of[1:2]): means[2, :, 3].mean(),
        Measure("received", of[1:2]): every[1],
        Measure("received_all", of, (3,)): every.sum(),
        Measure("received_each", of, (3,)): every.mean(),
    }


def test_rows_in_groups_are_compared_as_torch_compares_them(run):
    """Every two of one group and of different ones, rows of other runs too; and the means of two groups."""
    tap = "encoder.3.output"
    here, there = [Cell(tap, (i, None)) for i in (1, 2, 5)], Cell(tap, (3, None), RunSpec("It was a red mat."))
    of_rows = (*here, there, within(here[0], there.given))
    x = torch.tensor(np.stack([of(run, row) for row in of_rows])).double()
    alike = torch.nn.functional.cosine_similarity(x[:, None], x, dim=-1)
    same, other = torch.stack([alike[0, 1], alike[0, 2], alike[1, 2], alike[3, 4]]).mean(), alike[:3, 3:].mean()
    numbers = tuple(row.at(7) for row in here)
    expected = {
        Measure("among", of_rows, (3, 2)): same,
        Measure("between", of_rows, (3, 2)): other,
        Measure("parting", of_rows, (3, 2)): same - other,
        Measure("pooled", of_rows, (3, 2)): torch.nn.functional.cosine_similarity(x[:3].mean(0), x[3:].mean(0), dim=0),
        Measure("average", numbers, (3,)): x[:3, 7].mean(),
    }
    holds(run, expected, rel=1e-5)
    narrow = Cell("encoder.2.attention.query", (0, 1, None))
    for what in (
        Measure("between", of_rows, (5,)),
        Measure("among", of_rows, (1,) * 5),
        Measure("pooled", of_rows, (2, 2, 1)),
        Measure("pooled", (here[0], narrow), (1, 1)),
    ):
        with pytest.raises(InputError):
            measures.number(run, what)


@pytest.mark.parametrize(
    ("row", "count"),
    [
        (Weight("encoder.2.feedforward.norm.gamma", (None,)), 384),
        (Cell("encoder.2.attention.weights", (8, 5, None)), 9),
        (Cell("encoder.0.attention.mask", (2, None)), 9),
    ],
)
def test_the_number_in_the_middle(run, row: Origin, count: int):
    """Of an even count, and of an odd one."""
    made = measure(run, Measure("median", (row,)))
    values = of(run, row).ravel()
    assert values.size == count and made.value == made.captured == statistics.median(map(float, values))
    (step,) = made.steps
    for number, origin in step.numbers():
        assert number == measures.number(run, origin)
    below, above = ((values < number).sum() for number, _ in (min(step.numbers()), max(step.numbers())))
    assert below <= count / 2 and above < count / 2 + 1


def test_of_all_numbers_of_a_table(run):
    """Of 30,522 rows: against torch's own of the whole."""
    whole, row = Weight(TABLE, (None, None)), Weight(TABLE, (1996, None))
    table = torch.tensor(of(run, whole)).double()
    expected = {
        Measure("row_mean", (row,)): table[1996].mean(),
        Measure("table_length", (whole,)): table.norm(dim=1).mean(),
        Measure("table_width", (whole,)): table.std(correction=0),
        Measure("largest", (whole,)): table.abs().max(),
    }
    for what, found in expected.items():
        made = measure(run, what)
        assert made.value == pytest.approx(float(found), rel=1e-9) and abs(made.difference) < 1e-7
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-5, abs=1e-9)
    with pytest.raises(InputError):
        measures.number(run, Measure("largest", (Cell("encoder.0.output", (None, None)),)))


# ---- what cannot be measured

ROW, HEAD = Cell("encoder.5.output", (2, None)), Cell("encoder.2.attention.weights", (8, None, None))
REFUSED = {
    "a kind that is none": (lambda: Measure("nonsense", (ROW,)), "unknown_measure", "near"),
    "a kind misspelt": (lambda: Measure("cosin", (ROW, ROW)), "unknown_measure", "cosine"),
    "one row of two": (lambda: Measure("cosine", (ROW,)), "measured_otherwise", "1 × None, 1 × None"),
    "a number for a row": (lambda: Measure("length", (ROW.at(3),)), "measured_otherwise", "0 × None"),
    "a head for a row": (lambda: Measure("length", (HEAD,)), "measured_otherwise", "2 × None"),
    "groups that leave one out": (lambda: Measure("pooled", (ROW, ROW, ROW), (1, 1)), "measured_otherwise", "pooled"),
    "a row that is not there": (lambda: Measure("length", (Cell(ROW.name, (9, None)),)), "cell_outside", "9 × 384"),
    "in another run": (
        lambda: Measure("cosine", (ROW, Cell(ROW.name, (5, None), RunSpec("A dog.")))),
        "not_measured_so",
        "cosine",
    ),
    "too few axes": (lambda: Measure("length", (Cell(ROW.name, (None,)),)), "cell_outside", "9 × 384"),
    "a tap misspelt": (lambda: Measure("length", (Cell("encoder.5.outptu", (2, None)),)), "unknown_tap", ROW.name),
    "a parameter misspelt": (
        lambda: Measure("length", (Weight("embedding.token_tabel.weight", (2, None)),)),
        "unknown_weight",
        TABLE,
    ),
    "a string": (lambda: Measure("length", ("encoder.5.output[2,:]",)), "not_an_origin", "encoder.5.output"),  # type: ignore[arg-type]
    "an array": (lambda: Measure("length", np.zeros(3)), "not_an_origin", "length"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_measured_is_said_in_words(run, what: str):
    make, code, said = REFUSED[what]
    for ask in (measure, measured, measures.number):
        with pytest.raises(InputError) as error:
            ask(run, make())
        assert error.value.code == code
    words = error.value.words("en")
    assert words.endswith(".") and (said.lower() in words.lower()) and "{" not in error.value.words("zh")


@pytest.mark.parametrize("kind", [int, np.int64, np.int8])
def test_rows_are_counted_from_the_end_as_well(run, kind: type):
    """Of this run, of another, and of a table; what comes back counts from 0."""
    there = RunSpec("A dog barked.")
    for last, same in (
        (Cell(ROW.name, (kind(-1), None)), Cell(ROW.name, (8, None))),
        (Cell(ROW.name, (kind(-2), None), there), Cell(ROW.name, (4, None), there)),
        (Weight(TABLE, (kind(-1), None)), Weight(TABLE, (30521, None))),
    ):
        made, plain = measure(run, Measure("cosine", (last, ROW))), measure(run, Measure("cosine", (same, ROW)))
        assert made.value == plain.value == made.value and made.origins == plain.origins and made.reads == plain.reads
        assert measured(run, Measure("cosine", [last, ROW])) == plain.captured  # type: ignore[arg-type]
    assert measure(run, Measure("length", ROW)).value == measure(run, Measure("length", (ROW,))).value  # type: ignore[arg-type]


def test_a_measure_is_derived_like_a_cell(run):
    what = Measure("length", (ROW,))
    assert derive(run, what).value == measure(run, what).value
