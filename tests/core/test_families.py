"""Models of other families, saved by Hugging Face: every state, attention weight and logit is theirs, and what is not
honoured is refused."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoTokenizer,
    BertConfig,
    BertTokenizer,
    DistilBertConfig,
    GPT2Config,
    GPT2Tokenizer,
    LlamaConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2Tokenizer,
    RobertaConfig,
    RobertaTokenizerFast,
)

from core import Capture, attribute, capture, checked, derive, lens, load_model
from core.derivation import Cell, Weight
from core.derivation.walk import path
from core.errors import InputError
from core.model import families
from core.text.library import LibraryTokenizer

TEXTS = ("The cat sat on the mat, unaffable café 猫.", "To be,  or not\nto be: 2026!")
CORPUS = ["The cat sat on the mat.", "To be or not to be, that is the question: 2026!", "café 猫坐在垫子上。"]
MARKS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def trained(kind: str, prefix: bool = False) -> Tokenizer:
    """A small tokenizer: of bytes as GPT-2's, or of characters with a sign for spaces as the first Llama's."""
    if kind == "bytes":
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
        made.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
    elif kind == "pieces":
        made = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
        made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        made.decoder = decoders.Metaspace()
        alphabet = []
    else:
        made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        made.normalizer = normalizers.BertNormalizer(lowercase=False)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        made.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=120, special_tokens=specials))
        made.post_processor = processors.TemplateProcessing(
            "[CLS] $A [SEP]", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", [("[CLS]", 2), ("[SEP]", 3)]
        )
        return made
    made.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=320, special_tokens=MARKS, initial_alphabet=alphabet)
    )
    return made


def cased(folder: Path) -> None:
    trained("words").save(str(folder / "tokenizer.json"))
    BertTokenizer.from_pretrained(str(folder), do_lower_case=False).save_pretrained(str(folder))


def of_roberta(folder: Path) -> None:
    tokenizer = trained("bytes")
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    RobertaTokenizerFast(tokenizer_object=tokenizer).save_pretrained(str(folder))


def of_gpt2(folder: Path) -> None:
    names = dict.fromkeys(("bos_token", "eos_token", "unk_token"), "</s>")
    GPT2Tokenizer(tokenizer_object=trained("bytes"), **names).save_pretrained(str(folder))


def of_qwen2(folder: Path) -> None:
    rules = json.loads(trained("bytes").to_str())["model"]
    merges: Any = [tuple(pair) for pair in rules["merges"]]
    made = Qwen2Tokenizer(vocab=rules["vocab"], merges=merges, pad_token="<pad>")
    made.save_pretrained(str(folder))


def of_llama(folder: Path) -> None:
    tokenizer = trained("pieces")
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A <s> $B", [("<s>", 0)])
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    made.save_pretrained(str(folder))


@dataclass(frozen=True)
class Case:
    """A model to be saved: its config, its tokenizer, in what precision and in how large files."""

    config: Callable[[int], Any]
    tokenizer: Callable[[Path], None]
    dtype: torch.dtype = torch.float32
    shard: str = "5GB"
    kind: Any = AutoModel  # with what output it is saved


SMALL: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 40}
OF_LLAMA: dict[str, Any] = {**SMALL, "max_position_embeddings": 96, "num_key_value_heads": 2}
CASES = {
    "bert cased": Case(lambda n: BertConfig(vocab_size=n, **SMALL), cased),
    "bert by tanh": Case(
        lambda n: BertConfig(vocab_size=n, **{**SMALL, "num_hidden_layers": 3}, hidden_act="gelu_new"), cased
    ),
    "bert that guesses": Case(lambda n: BertConfig(vocab_size=n, **SMALL), cased, kind=AutoModelForMaskedLM),
    "distilbert that guesses": Case(
        lambda n: DistilBertConfig(vocab_size=n, dim=24, n_layers=2, n_heads=3, hidden_dim=40, activation="relu"),
        cased,
        torch.float16,
        kind=AutoModelForMaskedLM,
    ),
    "roberta that guesses": Case(
        lambda n: RobertaConfig(vocab_size=n, **SMALL, hidden_act="relu", tie_word_embeddings=False),
        of_roberta,
        shard="20KB",
        kind=AutoModelForMaskedLM,
    ),
    "distilbert": Case(lambda n: DistilBertConfig(vocab_size=n, dim=24, n_layers=3, n_heads=3, hidden_dim=40), cased),
    "distilbert half": Case(
        lambda n: DistilBertConfig(vocab_size=n, dim=16, n_layers=1, n_heads=2, hidden_dim=24), cased, torch.float16
    ),
    "roberta": Case(
        lambda n: RobertaConfig(vocab_size=n, **SMALL, max_position_embeddings=66, type_vocab_size=1, pad_token_id=1),
        of_roberta,
    ),
    "roberta in parts": Case(
        lambda n: RobertaConfig(vocab_size=n, **SMALL, max_position_embeddings=80, type_vocab_size=1),
        of_roberta,
        shard="20KB",
    ),
    "gpt2": Case(
        lambda n: GPT2Config(vocab_size=n, n_positions=64, n_embd=24, n_layer=2, n_head=4),
        of_gpt2,
        kind=AutoModelForCausalLM,
    ),
    "gpt2 in parts, bfloat16": Case(
        lambda n: GPT2Config(vocab_size=n, n_positions=64, n_embd=24, n_layer=3, n_head=2, n_inner=40),
        of_gpt2,
        torch.bfloat16,
        "10KB",
        kind=AutoModelForCausalLM,
    ),
    "gpt2 without a head": Case(
        lambda n: GPT2Config(vocab_size=n, n_positions=64, n_embd=24, n_layer=1, n_head=2), of_gpt2
    ),
    "llama untied": Case(
        lambda n: LlamaConfig(vocab_size=n, **OF_LLAMA, rms_norm_eps=1e-5, rope_parameters=rope(700.0)),
        of_llama,
        kind=AutoModelForCausalLM,
    ),
    "llama tied, in parts": Case(
        lambda n: LlamaConfig(vocab_size=n, **OF_LLAMA, tie_word_embeddings=True, rope_parameters=rope(1e4)),
        of_gpt2,
        shard="10KB",
        kind=AutoModelForCausalLM,
    ),
    "llama of single heads, half": Case(
        lambda n: LlamaConfig(vocab_size=n, **{**OF_LLAMA, "num_key_value_heads": 4}),
        of_llama,
        torch.float16,
        kind=AutoModelForCausalLM,
    ),
    "qwen2": Case(
        lambda n: Qwen2Config(vocab_size=n, **OF_LLAMA, tie_word_embeddings=True, rope_parameters=rope(1e6)),
        of_qwen2,
        kind=AutoModelForCausalLM,
    ),
    "qwen2 untied, bfloat16": Case(
        lambda n: Qwen2Config(vocab_size=n, **OF_LLAMA), of_qwen2, torch.bfloat16, kind=AutoModelForCausalLM
    ),
}


def rope(theta: float) -> dict[str, object]:
    return {"rope_type": "default", "rope_theta": theta}


def save(case: Case, folder: Path) -> None:
    """Weights so large that every part of the model counts: nothing is 0, no γ is 1."""
    case.tokenizer(folder)
    torch.manual_seed(7)
    config = case.config(len(AutoTokenizer.from_pretrained(str(folder))))
    made = case.kind.from_config(config)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    made.to(case.dtype).save_pretrained(str(folder), max_shard_size=case.shard)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a case, made once."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("model")
            save(CASES[name], made[name])
        return made[name]

    return folder


def states(run: Capture) -> list[np.ndarray]:
    """What Hugging Face calls hidden states: of a decoder the last is normed."""
    assert run.by is not None
    stack = run.by.reader
    return [run[tap] for tap in (*run.by.depths()[:-1], stack.exit)]


@pytest.mark.parametrize("name", CASES)
def test_its_numbers_are_hugging_faces(saved, name: str) -> None:
    case, folder = CASES[name], saved(name)
    assert (len(list(folder.glob("*.safetensors"))) > 1) == (case.shard != "5GB")
    model, tokenizer = load_model(str(folder)), AutoTokenizer.from_pretrained(str(folder))
    theirs = case.kind.from_pretrained(str(folder), attn_implementation="eager", dtype=torch.float32).eval()
    for text in TEXTS:
        run, given = capture(model, text), tokenizer(text, return_tensors="pt")
        assert [token.id for token in run.tokens] == given["input_ids"][0].tolist()
        with torch.no_grad():
            out = theirs(**given, output_hidden_states=True, output_attentions=True)
        for ours, other in zip(states(run), out.hidden_states, strict=True):
            np.testing.assert_allclose(ours, other[0], atol=5e-5)
        for place, other in zip(model.reader.sublayers[::2], out.attentions, strict=True):
            np.testing.assert_allclose(run[place.tap("weights")], other[0], atol=1e-5)
        if case.kind is AutoModelForCausalLM:
            np.testing.assert_allclose(run["output.logits"], out.logits[0], atol=1e-4)


MASKED = ("bert that guesses", "distilbert that guesses", "roberta that guesses")


@pytest.mark.parametrize("name", MASKED)
def test_what_guesses_hidden_words_reads_every_state(saved, name: str) -> None:
    folder = saved(name)
    tokenizer, model = AutoTokenizer.from_pretrained(str(folder)), load_model(str(folder), check="hf")
    theirs = CASES[name].kind.from_pretrained(str(folder), dtype=torch.float32).eval()
    run = capture(model, f"To be {tokenizer.mask_token} not to be")
    at = [token.text for token in run.tokens].index(tokenizer.mask_token)
    for token in (None, at, 0):
        *_, said = lens(run, token, top=4)
        with torch.no_grad():
            logits = theirs(torch.tensor([[token.id for token in run.tokens]])).logits[0]
        best = logits[at if token is None else token].softmax(-1).topk(4)
        assert [word for word, _ in said.words] == [model.tokenizer.names[id] for id in best.indices]
        np.testing.assert_allclose([share for _, share in said.words], best.values, rtol=1e-4)
    assert len(lens(run)) == model.config.layers + 1
    with pytest.raises(InputError):
        attribute(run)


def test_half_a_head_is_refused(saved, tmp_path: Path) -> None:
    shutil.copytree(saved("bert that guesses"), tmp_path, dirs_exist_ok=True)
    tensors = load_file(tmp_path / "model.safetensors")
    tensors = {name: tensor for name, tensor in tensors.items() if "transform.dense.bias" not in name}
    save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(InputError, match="tensor missing"):
        load_model(str(tmp_path))


DERIVED = ("bert by tanh", "distilbert", "roberta", "gpt2", "llama untied", "qwen2")


@pytest.mark.parametrize("name", DERIVED)
def test_every_tap_has_its_rule_and_its_way_back(saved, name: str) -> None:
    run, chosen = capture(load_model(str(saved(name))), TEXTS[0]), np.random.default_rng(5)
    for tap in run.names():
        cell = Cell(tap, tuple(int(chosen.integers(size)) for size in run[tap].shape))
        derivation = derive(run, cell)
        if np.isfinite(derivation.captured):
            assert abs(derivation.difference) < 5e-5, cell
        *_, end = path(run, cell)
        assert isinstance(end.derivation.onward, Weight | None)


# ---- refused


REFUSED: dict[str, tuple[str, str, dict[str, object]]] = {
    "stretched positions": ("llama untied", "config.json", {"rope_parameters": {**rope(700.0), "rope_type": "yarn"}}),
    "the same in an older file": ("llama untied", "config.json", {"rope_scaling": {"type": "linear", "factor": 2.0}}),
    "biases of an attention": ("llama untied", "config.json", {"attention_bias": True}),
    "heads of another width": ("llama untied", "config.json", {"head_dim": 8}),
    "packed weights": ("llama untied", "config.json", {"quantization_config": {"bits": 4}}),
    "another gate": ("llama untied", "config.json", {"hidden_act": "gelu"}),
    "a window": ("qwen2", "config.json", {"use_sliding_window": True}),
    "a window by layer": ("qwen2", "config.json", {"layer_types": ["full_attention", "sliding_attention"]}),
    "scores divided by the layer": ("gpt2", "config.json", {"scale_attn_by_inverse_layer_idx": True}),
    "scores as they are": ("gpt2", "config.json", {"scale_attn_weights": False}),
    "relative positions": ("roberta", "config.json", {"position_embedding_type": "relative_key"}),
    "another GELU": ("distilbert", "config.json", {"activation": "gelu_fast"}),
    "small letters that are none": ("bert cased", "tokenizer_config.json", {"strip_accents": True}),
    "a space in front that is none": ("gpt2", "tokenizer_config.json", {"add_prefix_space": True}),
    "a beginning that is none": ("gpt2", "tokenizer_config.json", {"add_bos_token": True}),
    "another class": ("gpt2", "tokenizer_config.json", {"tokenizer_class": "BertJapaneseTokenizer"}),
    "a class for other rules": ("gpt2", "tokenizer_config.json", {"tokenizer_class": "BertTokenizer"}),
    "special tokens as text": ("roberta", "tokenizer_config.json", {"split_special_tokens": True}),
    "a token that is not there": ("roberta", "tokenizer_config.json", {"extra_special_tokens": ["<e>"]}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_honoured_is_refused(saved, tmp_path: Path, what: str) -> None:
    name, file, said = REFUSED[what]
    shutil.copytree(saved(name), tmp_path, dirs_exist_ok=True)
    now = json.loads((tmp_path / file).read_text(encoding="utf-8"))
    (tmp_path / file).write_text(json.dumps({**now, **said}), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_model(str(tmp_path))
    assert error.value.code in ("not_honoured", "token_unknown")
    for language in ("zh", "en"):
        assert "{" not in error.value.words(language).replace("{'", "")


# ---- tokens


@pytest.mark.parametrize("name", ["bert cased", "roberta", "gpt2", "llama untied", "qwen2"])
def test_each_token_says_what_it_stands_for(saved, name: str) -> None:
    """As the library has it: offsets, padding, pairs, what is cut off, and tokens that are typed."""
    folder = saved(name)
    model, theirs = load_model(str(folder)), AutoTokenizer.from_pretrained(str(folder))
    tokenizer = model.tokenizer
    mark = tokenizer.specials[-1]
    for text in (*TEXTS, f"To be {mark} or not{mark}to be", "", " ", "question"):
        given = theirs(text, return_offsets_mapping=True)
        row = tokenizer.encode(text)
        assert [token.id for token in row] == given["input_ids"]
        assert [(token.start, token.end) for token in row] == given["offset_mapping"]
        trace = tokenizer.trace(text)
        words = [word for part in trace.texts for word in part.words]
        for token in row:
            assert token.text == tokenizer.names[token.id] and (
                token.special or words[token.word or 0].start <= token.start
            )
    pair = theirs(*TEXTS, max_length=24, truncation="longest_first")
    assert [token.id for token in tokenizer.encode(*TEXTS, max_tokens=24)] == pair["input_ids"]
    assert tokenizer.trace(*TEXTS, pad_to=99).padding == 99 - len(theirs(*TEXTS)["input_ids"])


def test_what_nobody_can_spell_is_said(saved) -> None:
    """By a vocabulary of pieces; one of bytes spells everything."""
    models_of = {name: load_model(str(saved(name))) for name in ("bert cased", "llama untied", "gpt2")}
    assert [model.unknown("To be 犬 or 犬 ж") for model in models_of.values()] == [("犬", "ж"), ("犬", "ж"), ()]


# ---- on the spot


@pytest.mark.parametrize(
    "name", ["bert cased", "distilbert", "roberta", "gpt2", "llama untied", "qwen2 untied, bfloat16"]
)
def test_it_is_held_against_transformers(saved, name: str) -> None:
    assert load_model(str(saved(name)), check="hf").folder == saved(name)


def test_what_is_read_otherwise_is_said(saved, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads that are cut in other places; a tokenizer that transformers has from elsewhere."""
    folder = str(saved("gpt2"))
    parts = {**families.GPT2.parts, "attn.c_attn": families.GPT2.parts["attn.c_attn"][::-1]}
    monkeypatch.setitem(families.FAMILIES, "gpt2", replace(families.GPT2, parts=parts))
    with pytest.raises(InputError) as error:
        load_model(folder, check="hf")
    assert error.value.code == "unlike_hugging_face" and "transformers" in error.value.words("en")
    assert float(str(error.value.parameters["difference"])) > float(str(error.value.parameters["limit"]))
    monkeypatch.setattr(checked, "TEXTS", ("To be</s>",))
    monkeypatch.setattr(LibraryTokenizer, "encode", lambda self, text: self.trace(text[:2]).tokens)
    with pytest.raises(InputError) as error:
        load_model(folder, check="hf")
    assert error.value.code == "tokens_unlike_hugging_face"


@pytest.mark.parametrize(("name", "check"), [("translator", "hf"), ("minilm", "other")])
def test_what_cannot_be_checked_is_said(name: str, check: str) -> None:
    with pytest.raises(ValueError, match="cannot be checked"):
        load_model(name, check=check)
