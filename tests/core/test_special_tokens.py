"""[CLS], [SEP], [PAD], [UNK] and [MASK] at work; a text longer than a row; the way back; the whole vocabulary."""

from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import decoders
from transformers import BertModel

from core import Model, capture, grammar
from core.text.back import decoded
from core.views.batch import batch, last_states, pair
from core.views.entries import counted, found, sort_of
from core.views.holes import hide, outputs
from core.views.longer import WAYS, cut, in_both_ways, in_parts, read_in_parts, spread, whole
from core.views.vectors import unit
from tests.models import loaded

CAT = "The cat sat on the mat."
LONG = "The cat sat on the mat and looked at the little boy who kicked the red ball into the old garden of his friend."
seeds = st.integers(0, 10_000)


def sentences(model: str, seed: int, count: int = 3) -> list[str]:
    made = [grammar.sample(Random(seed + i)) for i in range(count)]
    return [each.zh if model == "translator" else each.en for each in made]


# ---- a batch, a pair


@pytest.fixture(scope="module")
def models(minilm) -> dict[str, Model]:
    return {"minilm": minilm, "translator": loaded("translator")}


@pytest.mark.parametrize("name", ["minilm", "translator"])
@given(seed=seeds)
@settings(max_examples=8, deadline=None)
def test_with_the_mask_padding_changes_nothing_and_without_it_it_does(models, name: str, seed: int) -> None:
    made = batch(models[name], sentences(name, seed), 64)
    assert max(moved.difference for moved in made.masked) < 2e-5
    for pads, moved in zip(made.pads, made.unmasked, strict=True):
        assert (moved.difference > 1e-3) == (pads > 0), (pads, moved)


def test_a_batch_is_what_hugging_face_reads(minilm, minilm_folder) -> None:
    """Their model, a batch of ids and its mask: our vectors of each sentence alone."""
    texts = (CAT, "A dog.", LONG)
    made = batch(minilm, texts, 64)
    theirs = BertModel.from_pretrained(minilm_folder, local_files_only=True).eval()
    ids = torch.tensor([[token.id for token in row] for row in made.rows])
    with torch.no_grad():
        states = theirs(ids, attention_mask=torch.tensor(made.mask)).last_hidden_state.numpy()
        bare = theirs(ids, attention_mask=torch.ones_like(ids)).last_hidden_state.numpy()
    for i, text in enumerate(texts):
        alone = last_states(minilm, minilm.tokenizer.encode(text))
        assert np.abs(states[i, : len(alone)] - alone).max() < 1e-4
        assert abs(float(np.abs(bare[i, : len(alone)] - alone).max()) - made.unmasked[i].difference) < 1e-4


def test_a_pair_has_its_segments_and_all_attention(minilm) -> None:
    made = pair(minilm, CAT, "It was tired.")
    assert [token.segment for token in made.tokens] == [0] * 9 + [1] * 5
    assert made.attention.shape == (14,) and abs(made.attention.sum() - 1) < 1e-5
    rows = minilm.network.embedding.segment_table.weight.detach().numpy()
    assert made.apart == pytest.approx(float(np.linalg.norm(rows[0] - rows[1])))
    assert made.unmarked.difference > 0 and made.unmarked.cosine < 1


# ---- too long


@given(seed=seeds, most=st.integers(3, 12))
@settings(max_examples=12, deadline=None)
def test_what_is_cut_and_what_is_left_are_the_text(models, seed: int, most: int) -> None:
    model, text = models["minilm"], sentences("minilm", seed, 1)[0]
    left, row = cut(model, text, most, whole(model, text)), model.tokenizer.encode(text)
    assert left.whole == len(row) and len(left.tokens) == min(most, len(row))
    assert (left.at is None) == (len(row) <= most)
    if left.at is not None:
        assert left.tokens[:-1] == row[: most - 1] and left.at == row[most - 1].start
    else:
        assert left.alike == pytest.approx(1)


def test_a_torn_word_is_named(minilm) -> None:
    longest = whole(minilm, "unaffable")
    assert cut(minilm, "unaffable", 4, longest).torn == "unaffable"
    assert cut(minilm, "unaffable", 5, longest).torn is None


@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_news_goes_one_part_further_with_each_layer(models, name: str) -> None:
    model = models[name]
    text = LONG if name == "minilm" else "我昨天在北京买了三本书"
    made = in_parts(model, whole(model, text), 3)
    layers, count = model.config.layers, len(made.parts)
    assert count > layers + 1
    windows, memory, together = map(made.most, WAYS)
    assert windows[0] > 0 and not any(windows[1:])
    assert all(memory[: layers + 1]) and not any(memory[layers + 1 :])
    assert all(together)


@pytest.mark.parametrize("most", [2, 3, 7, 40])
@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_a_window_is_a_row_of_its_own(models, name: str, most: int) -> None:
    row = models[name].tokenizer.encode(LONG if name == "minilm" else "我昨天在北京买了三本书")
    windows = in_both_ways(models[name], row, most)[0]
    alone = [last_states(models[name], row[start : start + most]) for start in range(0, len(row), most)]
    np.testing.assert_allclose(windows, np.concatenate(alone), atol=1e-5)


@pytest.mark.parametrize("most", [2, 4, 5, 9])
def test_a_memory_that_is_carried_gives_the_same(minilm, most: int) -> None:
    """Part by part, as Transformer-XL says it: each layer sees what it was given of the part before."""
    from core.model.recurrence import parts_apart

    x = torch.randn(1, 9, minilm.config.d_model, generator=torch.Generator().manual_seed(1))
    read, memory = [], None
    with torch.no_grad():
        for part in x.split(most, dim=1):
            given = []
            for i, layer in enumerate(minilm.network.encoder):
                source = part if memory is None else torch.cat([memory[i], part], dim=1)
                given.append(part)
                seen = layer.attention(part, source, torch.zeros(1, part.shape[1], source.shape[1]))
                part = layer.output(layer.feedforward(seen))
            memory = given
            read.append(part)
        masked = minilm.network.encoder(x, parts_apart(9, most, reach=1))
        alone = minilm.network.encoder(x, parts_apart(9, most, reach=0))
        for part, own in zip(x.split(most, dim=1), alone.split(most, dim=1), strict=True):
            assert torch.allclose(own, minilm.network.encoder(part, torch.zeros(1, *[part.shape[1]] * 2)), atol=1e-5)
    assert torch.allclose(torch.cat(read, dim=1), masked, atol=1e-5)


# ---- gaps


def test_what_is_hidden_is_ranked_among_all_rows(minilm) -> None:
    made = hide(minilm, CAT, 6)
    assert made.was.text == "mat" and made.tokens[6].id == 103 and made.seen == 1
    ids = [token.id for token in minilm.tokenizer.encode("The cat sat on the [MASK].")]
    assert [token.id for token in made.tokens] == ids
    table = unit(minilm.network.embedding.token_table.weight.detach().numpy())
    state = unit(last_states(minilm, minilm.tokenizer.encode("The cat sat on the [MASK]."))[6])
    order = np.argsort(-(table @ state), kind="stable").tolist()
    assert abs(order.index(13523) + 1 - made.rank) < 3
    assert made.near[0][0] == minilm.tokenizer.piece_of(order[0])


def test_minilm_has_no_output(minilm) -> None:
    assert outputs(minilm) == (104, ())


# ---- the way back


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["don't", "I'm", ".", "?", "do not", "'s", "##a", " ", "x"]), max_size=9).map(" ".join)
)
@settings(max_examples=60, deadline=None)
def test_decoding_is_that_of_the_tokenizers_library(models, text: str) -> None:
    tokens = models["minilm"].tokenizer.encode(text)
    theirs = decoders.WordPiece(prefix="##", cleanup=True).decode([t.text for t in tokens if not t.special])
    assert decoded(tokens) == theirs


# ---- all entries


def test_every_entry_is_of_one_sort_and_found(minilm) -> None:
    pieces = minilm.tokenizer.pieces
    numbers = counted(pieces)
    assert sum(n for sort, n in numbers["sort"].items() if sort != "all") == len(pieces) == numbers["sort"]["all"]
    assert sum(numbers["script"].values()) == len(pieces)
    assert {sort_of(piece) for piece in pieces[:999]} == {"reserved"} and sort_of(pieces[999]) == "single"
    assert [i for i, piece in enumerate(pieces) if sort_of(piece) == "single"] == list(range(999, 1996))
    assert found(pieces, "") == list(range(len(pieces)))
    assert found(pieces, "ization", "piece") == [
        i for i, p in enumerate(pieces) if p.startswith("##") and "ization" in p
    ]
    assert found(pieces, "1996")[0] == 1996 and found(pieces, "no such piece") == []
    assert all("\u0400" < pieces[i].strip("#")[0] < "\u0530" for i in found(pieces, "", script="cyrillic"))


@pytest.mark.parametrize("name", ["minilm", "translator", "poet"])
def test_with_a_memory_a_change_goes_one_part_further_in_each_layer(name: str) -> None:
    text, other = ("A cat sat on the mat again and again .", "The cat sat on the mat again and again .")
    if name != "minilm":
        text, other = "我昨天在北京买了三本书", "他昨天在北京买了三本书"
    model, most = loaded(name), 2
    at = next(i for i, token in enumerate(capture(model, text, only=()).tokens) if token.end)
    for reach in (0, 1):
        edits = read_in_parts(model, most, reach)
        runs = [capture(model, each, only=model.depths(), edits=edits) for each in (text, other)]
        moved = spread(model, runs[0], runs[1]) > 0
        parts = [moved[:, start : start + most].max(axis=-1) for start in range(0, moved.shape[1], most)]
        for i, part in enumerate(parts):
            for depth in range(len(moved)):
                assert part[depth] == (0 <= i - at // most <= depth * reach)
