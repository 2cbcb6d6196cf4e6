"""Files that other people's models are in: read as Hugging Face reads them, or refused; never read wrongly."""

import json
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from core import Model, capture, edits, errors, load_model
from core.errors import InputError, UnknownTap, WeightsError
from core.text import WordPiece

ROOT = Path(__file__).parents[2]
TEXT = "The cat sat on the mat, unaffable café 猫."


@pytest.fixture
def saved(minilm_folder: Path, tmp_path: Path) -> Path:
    """A small BERT with its tokenizer, as the installed transformers saves it."""
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    BertModel(config).eval().save_pretrained(tmp_path)
    tokenizer = BertTokenizer.from_pretrained(str(minilm_folder), local_files_only=True)
    tokenizer.save_pretrained(str(tmp_path))
    (tmp_path / "vocab.txt").unlink(missing_ok=True)
    return tmp_path


def theirs(folder: Path, text: str) -> tuple[list[int], np.ndarray]:
    """Ids and last states by transformers."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
    given = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        return given["input_ids"][0].tolist(), model(**given).last_hidden_state[0].numpy()


def held_against(folder: Path, text: str = TEXT) -> None:
    run = capture(load_model(str(folder)), text)
    ids, last = theirs(folder, text)
    assert [token.id for token in run.tokens] == ids
    np.testing.assert_allclose(run["encoder.1.output"], last, atol=1e-5)


def change(file: Path, **said: object) -> None:
    now = json.loads(file.read_text(encoding="utf-8"))
    for name, value in said.items():
        part, _, setting = name.rpartition("__")
        (now[part] if part else now)[setting] = value
    file.write_text(json.dumps(now), encoding="utf-8")


def test_what_transformers_saves_is_read(saved: Path) -> None:
    assert (saved / "tokenizer.json").is_file() and not (saved / "vocab.txt").exists()
    held_against(saved)


def test_old_names_are_read(saved: Path) -> None:
    file = saved / "model.safetensors"
    tensors = load_file(file)
    new = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    renamed = {re.sub(r"LayerNorm\.\w+$", lambda m: new[m[0]], name): t for name, t in tensors.items()}
    assert set(renamed) != set(tensors)
    before = capture(load_model(str(saved)), TEXT)
    save_file(renamed, file)
    np.testing.assert_array_equal(capture(load_model(str(saved)), TEXT)["encoder.1.output"], before["encoder.1.output"])


REFUSED: dict[str, tuple[str, dict[str, object]]] = {
    "a decoder": ("config.json", {"is_decoder": True}),
    "cross-attention": ("config.json", {"add_cross_attention": True}),
    "relative positions": ("config.json", {"position_embedding_type": "relative_key"}),
    "another family": ("config.json", {"model_type": "electra"}),
    "another activation": ("config.json", {"hidden_act": "gelu_fast"}),
    "capitals": ("tokenizer_config.json", {"do_lower_case": False}),
    "accents": ("tokenizer_config.json", {"strip_accents": False}),
    "Chinese unsplit": ("tokenizer_config.json", {"tokenize_chinese_chars": False}),
    "capitals, too": ("tokenizer.json", {"normalizer__lowercase": False}),
    "no normaliser": ("tokenizer.json", {"normalizer": None}),
    "BPE": ("tokenizer.json", {"model__type": "BPE"}),
    "another sign of pieces": ("tokenizer.json", {"model__continuing_subword_prefix": "@@"}),
    "another splitter": ("tokenizer.json", {"pre_tokenizer": {"type": "Whitespace"}}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_honoured_is_refused(saved: Path, what: str) -> None:
    file, said = REFUSED[what]
    change(saved / file, **said)
    with pytest.raises(InputError) as error:
        load_model(str(saved))
    assert error.value.code == "not_honoured" and error.value.parameters["file"] == file
    for language in ("zh", "en"):
        assert file in error.value.words(language) and "{" not in error.value.words(language)


def test_a_vocabulary_of_another_model_is_refused(saved: Path) -> None:
    tensors = load_file(saved / "model.safetensors")
    tensors["embeddings.word_embeddings.weight"] = tensors["embeddings.word_embeddings.weight"][:1000].clone()
    save_file(tensors, saved / "model.safetensors")
    change(saved / "config.json", vocab_size=1000)
    with pytest.raises(InputError) as error:
        load_model(str(saved))
    assert error.value.code == "vocabulary_too_large"


def test_a_vocabulary_with_holes_is_no_vocabulary(saved: Path) -> None:
    now = json.loads((saved / "tokenizer.json").read_text(encoding="utf-8"))
    del now["model"]["vocab"]["cat"]
    (saved / "tokenizer.json").write_text(json.dumps(now), encoding="utf-8")
    with pytest.raises(WeightsError, match="leaves ids out"):
        load_model(str(saved))


# ---- tokens and tokenizers of one's own


TYPED = "A Cat cat NEWWORD <ent> b<ent>c <ENT> </s> [SEP][MASK] <e> <ent>s [E1]newwords Newword 猫<ent>猫  <ent>"


def retokenized(folder: Path, tokenizer) -> None:
    """Saved with this tokenizer; the embedding table grows with it."""
    from transformers import BertModel

    tokenizer.save_pretrained(str(folder))
    model = BertModel.from_pretrained(str(folder))
    torch.manual_seed(1)
    model.resize_token_embeddings(max(len(tokenizer), model.config.vocab_size), mean_resizing=False)
    model.save_pretrained(str(folder))


def of(folder: Path, **changes: Any):
    from transformers import BertTokenizer

    return BertTokenizer.from_pretrained(str(folder), local_files_only=True, **changes)


def refused(folder: Path, code: str, *said: str) -> None:
    """In both languages, with these words."""
    with pytest.raises(InputError) as error:
        load_model(str(folder))
    assert error.value.code == code
    for language in ("zh", "en"):
        words = error.value.words(language)
        assert re.search(r"\{[a-z]+\}", words) is None and all(word in words for word in said)


@pytest.mark.parametrize("special", [True, False])
def test_tokens_that_were_added_are_found_as_they_are_typed(saved: Path, special: bool) -> None:
    from tokenizers import AddedToken

    tokenizer = of(saved)
    added = [
        AddedToken(token, special=special, normalized=False)
        for token in ("<e", "<ent>", "[E1]", "<ent>s", "newword", "cat")
    ]
    tokenizer.add_tokens(added, special_tokens=special)
    retokenized(saved, tokenizer)
    held_against(saved, TYPED)
    run = capture(load_model(str(saved)), TYPED)
    assert [token.text for token in run.tokens].count("<ent>") == 4
    assert all(TYPED[t.start : t.end] == t.text for t in run.tokens if t.special and t.end)


@given(text=st.text(alphabet="abAB <>ent[]SEPMASK#1é猫\n", max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text_with_added_tokens(minilm_folder: Path, text: str) -> None:
    """Ids as the `tokenizers` library has them."""
    from tokenizers import AddedToken, Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm_folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    added = ["<ent>", "<e", "[E1]", "ent>", "<ent><ent>", "abba", "ebba"]
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in added])
    pieces = (minilm_folder / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    added = [token for token in added if token not in pieces]
    ours = WordPiece([*pieces, *added], added, added)
    for typed in (text, "ABBA abba ebba EBBA abbas tebba"):
        assert [token.id for token in ours.encode(typed)] == tokenizer.encode(typed).ids


def test_added_tokens_beside_a_vocab_txt(saved: Path, minilm_folder: Path) -> None:
    """In the files as transformers 4 saved them, without a tokenizer.json."""
    retokenized(saved, grown(of(saved)))
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    change(saved / "tokenizer_config.json", added_tokens_decoder={"30522": {"content": "<ent>", **plain}})
    (saved / "tokenizer.json").unlink()
    shutil.copy(minilm_folder / "vocab.txt", saved)
    held_against(saved, TYPED)
    (saved / "added_tokens.json").write_text('{"<ent>": 30522}', encoding="utf-8")
    held_against(saved, TYPED)
    (saved / "added_tokens.json").write_text('{"<ent>": 30522, "<f>": 30523}', encoding="utf-8")
    refused(saved, "token_unknown", "<f>", "added_tokens.json")


def grown(tokenizer):
    tokenizer.add_tokens(["<ent>"], special_tokens=True)
    return tokenizer


HOW: dict[str, dict[str, bool]] = {
    "in the text in small letters": {"normalized": True},
    "as a word": {"single_word": True},
    "with the space before it": {"lstrip": True},
    "with the space behind it": {"rstrip": True},
}


@pytest.mark.parametrize("how", HOW)
def test_tokens_that_are_found_in_another_way_are_refused(saved: Path, how: str) -> None:
    from tokenizers import AddedToken

    tokenizer = of(saved)
    tokenizer.add_tokens([AddedToken("<ent>", **{"normalized": False, **HOW[how]})])
    retokenized(saved, tokenizer)
    refused(saved, "not_honoured", "<ent>", next(iter(HOW[how])))


@pytest.mark.parametrize("name", ["sep_token", "cls_token", "mask_token", "unk_token", "pad_token"])
def test_special_tokens_of_other_names_are_refused(saved: Path, name: str) -> None:
    """As transformers saves them; and where an older file says it."""
    before = (saved / "tokenizer_config.json").read_bytes(), (saved / "tokenizer.json").read_bytes()
    retokenized(saved, of(saved, **{name: "</s>"}))
    with pytest.raises(InputError) as error:
        load_model(str(saved))
    assert error.value.code in ("not_honoured", "token_unknown")
    for file, was in zip(("tokenizer_config.json", "tokenizer.json"), before, strict=True):
        (saved / file).write_bytes(was)
    for value in ("</s>", {"content": "</s>", "lstrip": False}):
        (saved / "special_tokens_map.json").write_text(json.dumps({name: value}), encoding="utf-8")
        refused(saved, "not_honoured", "special_tokens_map.json", name, "</s>")


def template(*pair: tuple[str, int]) -> dict:
    from tokenizers.processors import TemplateProcessing

    single = "[CLS] $A [SEP]"
    made = TemplateProcessing(
        single, " ".join(f"{part}:{segment}" for part, segment in pair), [("[CLS]", 101), ("[SEP]", 102)]
    )
    return json.loads(made.__getstate__())


PAIR = [("[CLS]", 0), ("$A", 0), ("[SEP]", 0), ("$B", 1), ("[SEP]", 1)]
ROWS: dict[str, Callable[[], object]] = {
    "none": lambda: None,
    "another sort": lambda: {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "RoBERTa's": lambda: {"type": "RobertaProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]},
    "another end": lambda: {"type": "BertProcessing", "sep": ["[MASK]", 103], "cls": ["[CLS]", 101]},
    "all of one segment": lambda: template(*[(part, 0) for part, _ in PAIR]),
    "two ends between": lambda: template(*PAIR[:3], *PAIR[2:]),
    "other ids": lambda: json.loads(json.dumps(template(*PAIR)).replace("102", "103")),
}


@pytest.mark.parametrize("what", ROWS)
def test_other_rows_are_refused(saved: Path, what: str) -> None:
    change(saved / "tokenizer.json", post_processor=ROWS[what]())
    refused(saved, "not_honoured", "tokenizer.json", "post_processor")


def test_both_ways_to_say_berts_row_are_read(saved: Path) -> None:
    for said in (template(*PAIR), {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}):
        change(saved / "tokenizer.json", post_processor=said)
        held_against(saved)


OTHERS: dict[str, tuple[str, dict[str, object], str]] = {
    "a Japanese tokenizer": ("tokenizer_config.json", {"tokenizer_class": "BertJapaneseTokenizer"}, "BertJapanese"),
    "the same in the config": ("config.json", {"tokenizer_class": "BertJapaneseTokenizer"}, "BertJapanese"),
    "RoBERTa's": ("tokenizer_config.json", {"tokenizer_class": "RobertaTokenizer"}, "RobertaTokenizer"),
    "code of its own": ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["a.B", None]}}, "auto_map"),
    "a model with code of its own": ("config.json", {"auto_map": {"AutoModel": "a.B"}}, "auto_map"),
    "padding in front": ("tokenizer_config.json", {"padding_side": "left"}, "left"),
    "cut in front": ("tokenizer_config.json", {"truncation_side": "left"}, "left"),
    "special tokens as text": ("tokenizer_config.json", {"split_special_tokens": True}, "split_special_tokens"),
    "a special token that is not special": ("tokenizer.json", {"added_tokens": []}, "added_tokens"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_tokenizers_are_refused(saved: Path, what: str) -> None:
    file, said, word = OTHERS[what]
    change(saved / file, **said)
    refused(saved, "not_honoured", file, word)


@pytest.mark.parametrize(
    "said",
    [{"additional_special_tokens": ["[CLS]", "<f>"]}, {"extra_special_tokens": {"x": "<f>"}}, {"eos_token": "<f>"}],
)
def test_a_token_that_the_vocabulary_does_not_have_is_refused(saved: Path, said: dict[str, object]) -> None:
    change(saved / "tokenizer_config.json", **said)
    refused(saved, "token_unknown", "<f>", "tokenizer.json")


def test_two_vocabularies_must_agree(saved: Path, minilm_folder: Path) -> None:
    shutil.copy(minilm_folder / "vocab.txt", saved)
    held_against(saved)
    pieces = (saved / "vocab.txt").read_text(encoding="utf-8").replace("\ncat\n", "\ncaat\n")
    (saved / "vocab.txt").write_text(pieces, encoding="utf-8")
    refused(saved, "vocabularies_differ", "vocab.txt", "tokenizer.json")


# ---- weights


def test_weights_in_several_files_are_read(saved: Path) -> None:
    from transformers import BertModel

    expected = capture(load_model(str(saved)), TEXT)
    BertModel.from_pretrained(str(saved)).save_pretrained(str(saved), max_shard_size="1MB")
    (saved / "model.safetensors").unlink(missing_ok=True)
    assert len(list(saved.glob("model-*.safetensors"))) > 1
    held_against(saved)
    np.testing.assert_array_equal(
        capture(load_model(str(saved)), TEXT)["encoder.1.output"], expected["encoder.1.output"]
    )
    next(saved.glob("model-*.safetensors")).unlink()
    with pytest.raises(WeightsError, match=r"model-0000\d-of-.* is missing"):
        load_model(str(saved))


@pytest.mark.parametrize("said", [{}, [], {"weight_map": {"a": "../model.safetensors"}}, {"weight_map": {"a": 1}}])
def test_an_index_that_names_no_file_beside_it(saved: Path, said: object) -> None:
    (saved / "model.safetensors").rename(saved.parent / "model.safetensors")
    (saved / "model.safetensors.index.json").write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(WeightsError, match="names"):
        load_model(str(saved))


@pytest.mark.parametrize("file", ["pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5"])
def test_a_pickle_is_not_opened(saved: Path, file: str) -> None:
    (saved / "model.safetensors").rename(saved / file)
    refused(saved, "weights_pickled", file, "safetensors")


@pytest.mark.parametrize("layers", [1, 3, 12])
def test_another_number_of_layers_is_said(saved: Path, layers: int) -> None:
    change(saved / "config.json", num_hidden_layers=layers)
    refused(saved, "layers_differ", str(layers), "2")


def test_tensors_that_do_not_fit_are_said(saved: Path) -> None:
    file = saved / "model.safetensors"
    whole = load_file(file)
    save_file({**whole, "encoder.layer.1.attention.self.distance_embedding.weight": torch.zeros(3, 8)}, file)
    refused(saved, "unknown_tensor", "encoder.layer.1.attention.self.distance_embedding.weight")
    save_file({name: t for name, t in whole.items() if name != "embeddings.LayerNorm.bias"}, file)
    refused(saved, "tensor_missing", "embedding.norm.beta")
    save_file(whole, file)
    change(saved / "config.json", intermediate_size=96)
    refused(saved, "tensor_shape", "64 × 32", "96 × 32")


# ---- words


def test_every_code_has_its_words() -> None:
    """In both languages; those of a page's own errors stand in its lesson."""
    codes = set()
    for file in (ROOT / "core").rglob("*.py"):
        codes |= set(re.findall(r'(?:InputError|UnknownTap)\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    lessons = [tomllib.loads(f.read_text(encoding="utf-8")) for f in (ROOT / "assets/lessons").glob("[!_]*.toml")]
    for language in ("zh", "en"):
        known = set(errors.words_of(language))
        for lesson in lessons:
            known |= {name for part in lesson[language].values() if isinstance(part, dict) for name in part}
        assert codes - known == set()


# ---- taps and patterns


def test_a_pattern_may_stand_alone(minilm: Model) -> None:
    alone, listed = (capture(minilm, "hi", only=only) for only in ("encoder.2.*", ["encoder.2.*"]))
    assert alone.names() == listed.names() and len(alone.names()) == 24


@pytest.mark.parametrize("only", ["encoder.9.*", ("encoder.2.*", "encoder.2.atention.*"), "ENCODER.2.*", ""])
def test_an_unknown_pattern_is_said(minilm: Model, only: str | tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        capture(minilm, "hi", only=only)
    assert error.value.code == "unknown_pattern"
    assert len(capture(minilm, "hi", only=()).names()) == 0


def test_an_unknown_tap_is_said(minilm: Model) -> None:
    run = capture(minilm, "hi", only="encoder.2.*")
    for name, code in {"encoder.2.atention.weights": "unknown_tap", "encoder.3.output": "tap_not_kept"}.items():
        with pytest.raises(KeyError) as error:
            run[name]
        assert isinstance(error.value, UnknownTap) and error.value.code == code
        assert name in str(error.value) and not str(error.value).startswith('"')
    with pytest.raises(UnknownTap) as error:
        run.dims("encoder.2.atention.weights")
    assert "encoder.2.attention.weights" in error.value.words("en")


def test_a_run_is_a_mapping_of_what_was_kept(minilm: Model) -> None:
    run = capture(minilm, "hi", only="encoder.2.*")
    assert list(run) == list(run.keys()) == list(run.names()) and len(run) == 24
    assert {name: id(array) for name, array in dict(run).items()} == {name: id(run[name]) for name in run.names()}
    nothing = capture(minilm, "hi", only=())
    assert list(nothing) == [] and len(nothing) == 0 and nothing
    assert "encoder.2.output" in run and "encoder.3.output" not in run
    for key in (0, ("encoder.2.output",)):
        with pytest.raises(UnknownTap):
            run[key]  # type: ignore[index]
    with pytest.raises(UnknownTap) as error:
        run.fetch(["encoder.3.outptu"])
    assert "encoder.3.output" in error.value.words("en")


# ---- captures that travel


@pytest.mark.parametrize("made", [(), (edits.zero_positions(), edits.mute("encoder", 3, 9))])
@pytest.mark.parametrize("round_trip", [lambda run: pickle.loads(pickle.dumps(run))])
def test_a_capture_travels(minilm: Model, made: tuple, round_trip: Callable) -> None:
    run = capture(minilm, "The cat sat.", edits=made)
    again = round_trip(run)
    assert again.edits == run.edits and again.tokens == run.tokens and again.names() == run.names()
    for name in run.names():
        np.testing.assert_array_equal(again[name], run[name])
        assert not again[name].flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        again["encoder.2.output"][0, 0] = 1
    if made:
        changed = capture(minilm, "The cat sat.", edits=again.edits)  # its edits still act
        np.testing.assert_array_equal(changed["encoder.5.output"], run["encoder.5.output"])


def test_an_edit_that_nobody_could_make_again_does_not_travel() -> None:
    own = edits.Edit("mine", "*", lambda x: x)
    with pytest.raises(InputError) as error:
        pickle.dumps(own)
    assert error.value.code == "edit_not_portable"


def test_an_error_travels() -> None:
    error = pickle.loads(pickle.dumps(UnknownTap("unknown_tap", tap="a", near="b")))
    assert (type(error), error.code, error.parameters) == (UnknownTap, "unknown_tap", {"tap": "a", "near": "b"})


def test_a_capture_is_a_line(minilm: Model) -> None:
    said = repr(capture(minilm, "The cat sat on the mat. " * 40, edits=(edits.zero_positions(),)))
    assert len(said) < 200 and "minilm" in said and "153 arrays" in said and "zero" in said


# ---- the terminal


@pytest.mark.long
def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f'{sys.executable} -m core "The cat sat." | head -n 2'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and len(done.stdout.splitlines()) == 2


def test_errors_are_said_in_the_terminals_language(saved: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    from core.__main__ import main

    change(saved / "config.json", is_decoder=True)
    said = {"zh_CN.UTF-8": "所以不读", "en_GB.UTF-8": "so it is not read", "C": "so it is not read"}
    for locale, words in said.items():
        monkeypatch.setenv("LC_ALL", locale)
        assert main(["hi", "--model", str(saved)]) == 2
        assert words in capsys.readouterr().err
    shutil.rmtree(saved)
