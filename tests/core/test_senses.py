"""A word in several sentences, and sentences compared: against Hugging Face's own states, and what the page says."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from core import Model, capture
from core.errors import InputError
from core.lesson import lesson_of
from core.views.senses import Senses, senses_view, sentences_view
from tests.models import loaded

SAMPLES = {name: lesson_of(name).stages["meaning"] for name in ("minilm", "translator")}


def view(model: Model, word: str, groups: dict[str, list[str]]) -> Senses:
    return senses_view(model, word, groups, lambda text: capture(model, text, only=model.depths()))


@pytest.fixture(scope="module")
def bank(minilm: Model) -> Senses:
    return view(minilm, "bank", SAMPLES["minilm"]["senses"]["bank"])


@pytest.fixture(scope="module")
def peer(minilm_folder: Path):
    return AutoModel.from_pretrained(minilm_folder), AutoTokenizer.from_pretrained(minilm_folder)


def test_the_states_are_those_of_hugging_face(bank: Senses, peer) -> None:
    network, tokenizer = peer
    for i, sentence in enumerate(bank.sentences):
        inputs = tokenizer(sentence, return_tensors="pt")
        at = inputs.input_ids[0].tolist().index(tokenizer.convert_tokens_to_ids("bank"))
        with torch.no_grad():
            states = network(**inputs, output_hidden_states=True).hidden_states
        assert np.allclose(bank.states[1:, i], [state[0, at].numpy() for state in states], atol=2e-5)


def test_in_the_table_all_are_one(bank: Senses) -> None:
    assert len(bank.states) == 8 and np.allclose(bank.cosines[0], 1) and bank.right(0) == 0
    assert bank.within[0] == pytest.approx(1) and bank.across[0] == pytest.approx(1)


def test_within_and_across_are_means_over_pairs(bank: Senses) -> None:
    n, depth = len(bank.sentences), 4
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    for same, mean in ((True, bank.within), (False, bank.across)):
        of = [bank.cosines[depth, i, j] for i, j in pairs if (bank.senses[i] == bank.senses[j]) == same]
        assert mean[depth] == pytest.approx(np.mean(of))
    others = [max((j for j in range(n) if j != i), key=lambda j: bank.cosines[depth, i, j]) for i in range(n)]
    assert bank.nearest(depth).tolist() == others


@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_what_the_page_says_of_its_samples(model: str) -> None:
    """Senses come apart on the way through the layers, but those of bat do not."""
    its = loaded(model)
    for word, groups in SAMPLES[model]["senses"].items():
        found = view(its, word, groups)
        gaps = found.within - found.across
        last = len(gaps) - 1
        assert abs(gaps).max() < 0.02 if word == "bat" else gaps[-1] > 0.05 and found.right(last) >= 8
        assert found.right(1) <= 8 and abs(gaps[1]) < 0.02


@pytest.mark.parametrize("word", ["bank", "bat"])
def test_the_place_alone_does_not_part_senses(minilm: Model, word: str) -> None:
    found = view(minilm, word, SAMPLES["minilm"]["senses"][word])
    assert abs(found.within[1] - found.across[1]) < 0.003 and found.right(1) == (5 if found.differs(1) else 0)


def test_a_sense_of_one_sentence_is_not_counted(minilm: Model) -> None:
    found = view(minilm, "bank", {"a": ["the bank", "a bank"], "b": ["my bank"]})
    assert found.paired == (0, 1) and found.right(7) <= 2
    alone = view(minilm, "bank", {"a": ["the bank"], "b": ["my bank"]})
    assert alone.paired == () and alone.right(7) == 0


def test_bad_input(minilm: Model) -> None:
    with pytest.raises(InputError, match="sentences few"):
        view(minilm, "bank", {"a": ["the bank"]})
    for word in ("", "奥利给", "bank"):
        with pytest.raises(InputError, match="word missing") as error:
            view(minilm, word, {"a": ["the river", "奥利给"]})
        assert error.value.code == "word_missing"
    alone = view(minilm, "unaffable", {"a": ["unaffable people"], "b": ["an unaffable man"]})
    assert np.isnan(alone.within).all() and np.isfinite(alone.across).all()


def test_sentences_are_compared_as_sentence_transformers_do(minilm: Model, peer) -> None:
    network, tokenizer = peer
    texts = SAMPLES["minilm"]["sentences"]["compare"]
    found = sentences_view(minilm, texts, lambda text: capture(minilm, text, only=(minilm.depths()[-1],)))
    with torch.no_grad():
        means = [network(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0) for text in texts]
    expected = torch.nn.functional.cosine_similarity(torch.stack(means)[:, None], torch.stack(means)[None], dim=-1)
    assert np.allclose(found.cosines, expected.numpy(), atol=1e-5)
    assert found.cosines[0, 1] > 0.95 > found.cosines[0, 2]


@pytest.mark.parametrize("place, differs", [("we saw the {}", False), ("{} was there, we saw", True)])
def test_before_anything_but_the_row_is_in_them_no_state_is_nearest(minilm: Model, place: str, differs: bool) -> None:
    """At the same place, after the same number of tokens, positions do not tell them apart."""
    found = view(minilm, "bat", {"one": ["she saw the bat", "we saw the bat"], "two": [place.format("bat")] * 2})
    assert not found.differs(0) and found.differs(1) == differs and found.differs(2)
    assert (found.right(1) > 0) <= differs
