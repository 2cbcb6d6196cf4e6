"""Hidden states and attention weights against Hugging Face's own BERT, on two hundred texts; on a push, forty of them.

Theirs runs as it comes: its own tokenizer, its own weights from the same folder, attention written out ("eager").
It is itself about 6e-6 away from the same arithmetic in float64.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertModel
from transformers import BertTokenizer as BertTokenizerFast  # one class since transformers 5

from core import Model, capture
from core.capture import network_input
from core.model.taps import recording
from tests.profiles import some

HIDDEN, WEIGHTS = 1e-4, 2e-5  # the largest differences that are allowed
LITERALS = ("[MASK]", "[SEP]", "[CLS]", "[UNK]", "[PAD]")
ODDITIES = ("naïve", "ΟΔΥΣΣΕΥΣ", "привет", "שלום", "حب", "हिन्दी", "😀", "👩\u200d💻", "1️⃣", "e\u0301", "x" * 101)


@dataclass(frozen=True)
class Case:
    text: str
    pair: str | None
    pad_to: int | None


class Texts:
    """Random texts about as many tokens long as asked for."""

    def __init__(self, pieces: tuple[str, ...], seed: int) -> None:
        self.random = random.Random(seed)
        whole = [piece for piece in pieces if piece.isalpha() and piece.isascii()]
        self.kinds = (
            lambda: self.random.choice(whole),
            lambda: self.random.choice(whole).title(),
            lambda: self.random.choice(whole) + self.random.choice(whole),
            lambda: "".join(chr(self.random.randint(0x4E00, 0x9FFF)) for _ in range(3)),
            lambda: self.random.choice(ODDITIES),
            lambda: self.random.choice(LITERALS),
            lambda: self.random.choice((",", ".", "?!", "…", "。", "「」", "--", "'s", "$1,000", "3.14")),
        )

    def text(self, tokens: int) -> str:
        kinds = self.random.choices(self.kinds, weights=(10, 3, 2, 1, 1, 1, 3), k=max(0, tokens - 2))
        return " ".join(kind() for kind in kinds)

    def case(self, index: int, tokens: int) -> Case:
        """Every fourth a pair, every third padded, by a little or up to the last position."""
        if index % 4 == 3:
            second = self.random.randint(3, max(3, tokens))  # theirs takes an empty second text for none
            text, pair = self.text(tokens - second), self.text(second)
        else:
            text, pair = self.text(tokens), None
        if index % 3:
            return Case(text, pair, None)
        return Case(text, pair, min(512, self.random.choice((1, tokens + 40, 2 * tokens + 40))))


@pytest.fixture(scope="module")
def all_cases(minilm: Model) -> list[Case]:
    texts = Texts(minilm.tokenizer.pieces, seed=1)
    short = [0, 0, 3, 3, 3, 3, 4, 4]
    lengths = [*short, *np.geomspace(3, 330, 192 - 4).astype(int), 512, 512, 700, 700]
    return [texts.case(index, int(tokens)) for index, tokens in enumerate(lengths)]


@pytest.fixture(scope="module")
def cases(all_cases: list[Case]) -> list[Case]:
    """On a push every fifth: every fourth would never be a pair, every third never padded."""
    return some(all_cases, every=5)


@pytest.fixture(scope="module")
def theirs(minilm_folder: Path) -> BertModel:
    return BertModel.from_pretrained(minilm_folder, attn_implementation="eager", local_files_only=True).eval()


@pytest.fixture(scope="module")
def their_tokenizer(minilm_folder: Path) -> BertTokenizerFast:
    return BertTokenizerFast.from_pretrained(minilm_folder, local_files_only=True)


@pytest.fixture(scope="module")
def encode(their_tokenizer: BertTokenizerFast) -> Callable[[Case], dict[str, torch.Tensor]]:
    """Their input for a case, by their own tokenizer."""

    def encode(case: Case) -> dict[str, torch.Tensor]:
        row = their_tokenizer(case.text, case.pair, truncation=True, max_length=512, padding=False, return_tensors="pt")
        if (case.pad_to or 0) > row["input_ids"].shape[1]:
            row = their_tokenizer.pad(row, padding="max_length", max_length=case.pad_to)
        return dict(row)

    return encode


def largest(ours: Iterable[np.ndarray], theirs: Sequence[torch.Tensor], rows: slice = slice(None)) -> float:
    """The largest difference anywhere; `rows` chooses among the second axis from the right."""
    differences = [
        np.abs(a - b[0].numpy())[..., rows, :].max() for a, b in zip(ours, theirs, strict=True)
    ]  # strict: as many layers on either side
    return float(max(differences))


@pytest.mark.long
def test_hidden_states_and_attention_weights(
    minilm: Model, theirs: BertModel, encode: Callable[[Case], dict[str, torch.Tensor]], cases: list[Case]
) -> None:
    """Hidden states of the real tokens; attention weights of all rows, those of padding tokens too."""
    layers = range(minilm.config.layers)
    only = ("embedding.output", "encoder.?.output", "encoder.?.attention.weights")
    hidden, weights, lengths = 0.0, 0.0, []
    for case in cases:
        run, encoded = capture(minilm, case.text, case.pair, pad_to=case.pad_to, only=only), encode(case)
        assert [token.id for token in run.tokens] == encoded["input_ids"][0].tolist()
        with torch.no_grad():
            output = theirs(**encoded, output_hidden_states=True, output_attentions=True)
        states = [run["embedding.output"], *(run[f"encoder.{i}.output"] for i in layers)]
        real = slice(int(encoded["attention_mask"].sum()))
        hidden = max(hidden, largest(states, output.hidden_states, real))
        ours = [run[f"encoder.{i}.attention.weights"] for i in layers]
        weights = max(weights, largest(ours, output.attentions))
        lengths.append(len(run.tokens))
    print(f"\nlargest difference: hidden states {hidden:.2e}, attention weights {weights:.2e}")
    assert hidden <= HIDDEN
    assert weights <= WEIGHTS
    assert (min(lengths), max(lengths)) == (2, 512)


@pytest.mark.long
def test_padding_rows_agree_in_float64(
    minilm: Model, theirs: BertModel, encode: Callable[[Case], dict[str, torch.Tensor]], cases: list[Case]
) -> None:
    """What a padding token itself becomes is nobody's concern, and float32 rounds it up to 2e-4 away.

    In float64 all rows of all layers are equal to ten digits: it is the same arithmetic.
    """
    ours64, theirs64 = deepcopy(minilm.network).double(), deepcopy(theirs).double()
    only = ("embedding.output", "encoder.?.output")
    padded = 0
    for case in cases:
        trace = minilm.tokenizer.trace(case.text, case.pair, pad_to=case.pad_to, max_tokens=512)
        if not 0 < trace.padding < 300:
            continue
        padded += 1
        with torch.no_grad(), recording(only) as tape:
            ours64(*network_input(minilm, trace))
            output = theirs64(**encode(case), output_hidden_states=True)
        assert largest((state.numpy() for state in tape.tensors.values()), output.hidden_states) <= 1e-9
    assert padded >= 5


def test_the_cases_are_of_every_kind(minilm: Model, all_cases: list[Case]) -> None:
    """All two hundred, and those that a push takes."""
    check_kinds(minilm, all_cases, 200)
    check_kinds(minilm, some(all_cases, "push", every=5), 40)


def check_kinds(minilm: Model, cases: list[Case], number: int) -> None:
    traces = [minilm.tokenizer.trace(case.text, case.pair, pad_to=case.pad_to, max_tokens=512) for case in cases]
    assert len(cases) == number and sum(case.pair is not None for case in cases) == number / 4
    assert any(case.pair is not None and trace.padding for case, trace in zip(cases, traces, strict=True))
    assert sum(trace.padding > 0 for trace in traces) >= 0.15 * number
    assert sum(trace.truncated > 0 for trace in traces) >= number / 50
    assert sum(any(token.special and token.end for token in trace.tokens) for trace in traces) > 0.4 * number  # typed
    assert sum(any(token.text == "[UNK]" for token in trace.tokens) for trace in traces) > 0.4 * number
    assert sum(len(trace.tokens) > 256 for trace in traces) > 0.075 * number
