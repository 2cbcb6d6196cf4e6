"""`capture` with a translator: what was read, what was written, which tokens lie along which axis, and edits.

The translator here is untrained: what it writes is nonsense, and everything else must be right.
"""

import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from core import Capture, Model, capture, zoo
from core.capture import decode
from core.edits import Edit, lift_mask
from core.errors import InputError, WeightsError
from core.model.checkpoint import saved
from core.model.config import Config
from core.model.transformer import Transformer
from core.text.shared import SharedVocabulary
from core.zoo import load_translator

BOOKS = "我昨天在北京买了三本书"
VOCABULARY = SharedVocabulary(
    tuple("，。？三上买了书京北在我昨晚本电看天影"),
    (
        "'s",
        ",",
        ".",
        "?",
        "Beijing",
        "I",
        "a",
        "book",
        "books",
        "bought",
        "film",
        "in",
        "three",
        "watched",
        "yesterday",
    ),
)
CONFIG = Config(
    vocab=len(VOCABULARY.pieces),
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A translator's folder, as training leaves it."""
    made = tmp_path_factory.mktemp("translator")
    torch.manual_seed(5)
    network = Transformer(CONFIG)
    torch.nn.init.normal_(network.embedding.token_table.weight, std=0.7)
    save_file(saved(network), made / "weights.safetensors")
    VOCABULARY.write(made / "vocabulary.json")
    (made / "config.json").write_text(json.dumps(asdict(CONFIG)), encoding="utf-8")
    write_checksums(made)
    return made


def write_checksums(folder: Path) -> None:
    files = ("config.json", "vocabulary.json", "weights.safetensors")
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}
    (folder / "metrics.json").write_text(json.dumps({"sha256": sums}), encoding="utf-8")


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return load_translator(folder)


@pytest.fixture(scope="module")
def run(model: Model) -> Capture:
    return capture(model, BOOKS)


# ---------------------------------------------------------------------------------------------------
# What was read and written


def test_source_and_target(model: Model, run: Capture) -> None:
    assert [token.text for token in run.tokens] == [*BOOKS, "[EOS]"]
    assert run.target_in[0].text == "[BOS]"
    assert run.target_in[1:] == run.target_out[:-1]
    assert len(run.names()) == 136
    assert run["output.logits"].shape == (len(run.target_in), CONFIG.vocab)
    assert run.model == "translator" and run.edits == ()
    assert model.words is not None and run.text_out is not None
    words = [token for token in run.target_out if not token.special]
    assert [run.text_out[t.start : t.end].lower() for t in words] == [t.text.lower() for t in words]


def test_what_was_written_is_what_the_last_pass_finds_likeliest(run: Capture) -> None:
    """Greedy decoding and the teacher-forced pass are the same model."""
    assert run["output.logits"].argmax(-1).tolist() == [token.id for token in run.target_out]
    np.testing.assert_allclose(run["output.probabilities"].sum(-1), 1, atol=1e-5)


def test_labels_are_source_or_target_tokens(run: Capture) -> None:
    source, target = tuple(t.text for t in run.tokens), tuple(t.text for t in run.target_in)
    assert run.labels("embedding.sum", "source") == source
    assert run.labels("encoder.1.attention.weights", "query") == source
    assert run.labels("encoder.1.attention.weights", "key") == source
    assert run.labels("decoder.embedding.sum", "target") == target
    assert run.labels("decoder.0.self_attention.weights", "query") == target
    assert run.labels("decoder.0.self_attention.weights", "key") == target
    assert run.labels("decoder.0.cross_attention.weights", "query") == target
    assert run.labels("decoder.0.cross_attention.weights", "key") == source
    assert run.labels("decoder.0.cross_attention.value", "key") == source
    assert run.labels("decoder.0.cross_attention.output", "target") == target
    assert run.labels("output.logits", "target") == target
    assert run.labels("output.logits", "vocab") is None
    assert run.labels("decoder.0.cross_attention.weights", "head") is None
    with pytest.raises(KeyError, match=r"output\.logits has no dimension token"):
        run.labels("output.logits", "token")


def test_every_label_row_is_as_long_as_its_axis(run: Capture) -> None:
    for name in run.names():
        for axis, dim in enumerate(run.dims(name)):
            labels = run.labels(name, dim)
            assert labels is None or len(labels) == run[name].shape[axis], (name, dim)


def test_a_target_can_be_given(model: Model) -> None:
    run = capture(model, BOOKS, target="I bought three books.")
    assert [token.text for token in run.target_in] == ["[BOS]", "I", "bought", "three", "books", "."]
    assert [token.text for token in run.target_out] == ["I", "bought", "three", "books", ".", "[EOS]"]
    assert run.text_out == "I bought three books." and not run.cut
    assert [(token.start, token.end) for token in run.target_out[:2]] == [(0, 1), (2, 8)]
    nothing = capture(model, BOOKS, target="")
    assert [token.text for token in nothing.target_in] == ["[BOS]"]


def test_too_long_a_target_is_cut(model: Model) -> None:
    run = capture(model, BOOKS, target="book " * 90, only=("decoder.0.output",))
    assert (len(run.target_in), len(run.target_out), run.cut) == (63, 63, True)
    assert run["decoder.0.output"].shape == (63, 16)


def test_too_long_a_text_is_cut_and_counted(model: Model) -> None:
    run = capture(model, "书" * 250, target="a", only=("encoder.1.output",))
    assert (len(run.tokens), run.truncated) == (200, 51)
    assert run["encoder.1.output"].shape == (200, 16)


def test_padding_the_source_changes_nothing(model: Model, run: Capture) -> None:
    padded = capture(model, BOOKS, pad_to=30)
    assert (len(padded.tokens), padded.text_out) == (30, run.text_out)
    np.testing.assert_allclose(padded["output.logits"], run["output.logits"], atol=1e-4)
    assert (padded["decoder.1.cross_attention.weights"][:, :, 12:] == 0).all()


@pytest.mark.parametrize("text", ["", " ", "。。？！", "The cat sat on the mat.", "书" * 200, "\ud800", "[EOS]"])
def test_any_text_is_read(model: Model, text: str) -> None:
    run = capture(model, text)
    assert len(run.target_in) == len(run.target_out) >= 1
    assert run.cut == (run.target_out[-1].text != "[EOS]")


def test_only_keeps_what_it_names(model: Model, run: Capture) -> None:
    some = capture(model, BOOKS, only=("decoder.*.cross_attention.weights",))
    assert some.names() == tuple(f"decoder.{i}.cross_attention.weights" for i in range(2))
    assert some.target_out == run.target_out
    for name in some.names():
        np.testing.assert_array_equal(some[name], run[name])


def test_a_pair_is_refused_here_and_a_target_there(model: Model, minilm: Model) -> None:
    with pytest.raises(InputError) as error:
        capture(model, "我", pair="看")
    assert (error.value.code, error.value.parameters) == ("reads_no_pair", {"model": "translator"})
    for ask in (lambda: capture(minilm, "a", target="b"), lambda: decode(minilm, "a")):
        with pytest.raises(InputError) as error:
            ask()
        assert (error.value.code, error.value.parameters) == ("writes_nothing", {"model": "minilm"})


def test_unknown_characters_are_named(model: Model) -> None:
    assert model.unknown("我看猫，x") == ("猫", "x")
    assert capture(model, "我看猫", only=()).tokens[2].text == "[UNK]"


def test_decoding_is_the_captures_own(model: Model, run: Capture) -> None:
    last = decode(model, BOOKS).last
    assert last.best.ids == tuple(token.id for token in run.target_out)
    assert decode(model, BOOKS, width=3)[2].beams[2].ids


# ---------------------------------------------------------------------------------------------------
# Edits


def test_the_lifted_mask(model: Model) -> None:
    run = capture(model, BOOKS, target="I bought three books", edits=(lift_mask(),))
    plain = capture(model, BOOKS, target="I bought three books")
    for i in range(2):
        assert (run[f"decoder.{i}.self_attention.mask"] == 0).all()
        assert (run[f"decoder.{i}.self_attention.weights"] > 0).all()
        assert np.isneginf(plain[f"decoder.{i}.self_attention.mask"][0, 1:]).all()
        np.testing.assert_array_equal(run[f"encoder.{i}.output"], plain[f"encoder.{i}.output"])
        np.testing.assert_array_equal(
            run[f"decoder.{i}.cross_attention.mask"], plain[f"decoder.{i}.cross_attention.mask"]
        )
    np.testing.assert_array_equal(run["decoder.0.self_attention.scores"], plain["decoder.0.self_attention.scores"])
    assert not np.array_equal(run["output.logits"][0], plain["output.logits"][0])
    assert run.edits == (lift_mask(),)


def test_without_the_mask_it_peeks(model: Model) -> None:
    """A later word changes what the first row says; with the mask it does not."""
    first = {}
    for edits in ((), (lift_mask(),)):
        runs = [capture(model, BOOKS, target=target, edits=edits) for target in ("I bought books", "I bought film")]
        first[len(edits)] = np.array_equal(runs[0]["output.logits"][0], runs[1]["output.logits"][0])
    assert first == {0: True, 1: False}


def test_a_lifted_mask_still_hides_padding() -> None:
    mask = torch.tensor([[[0.0, -torch.inf, -torch.inf], [0.0, 0.0, -torch.inf], [0.0, 0.0, -torch.inf]]])
    lifted = lift_mask().change(mask)
    assert lifted.tolist() == [[[0, 0, -np.inf]] * 3]
    assert mask[0, 0, 1] == -np.inf


def test_edits_act_while_decoding(model: Model) -> None:
    """A bias of the logits of one word: it is written at once, and for ever."""
    book = VOCABULARY.pieces.index("book")

    def shout(logits: torch.Tensor) -> torch.Tensor:
        return logits + 1000 * (torch.arange(logits.shape[-1]) == book)

    run = capture(model, BOOKS, edits=(Edit("shout", "output.logits", shout),))
    assert run.cut and {token.text for token in run.target_out} == {"book"}
    assert run["output.probabilities"][:, book].min() == 1


def test_an_edit_changes_no_model_and_ends_with_its_capture(model: Model, minilm: Model, the_cat: Capture) -> None:
    before = capture(model, BOOKS)
    state = {name: tensor.clone() for name, tensor in model.network.state_dict().items()}
    silence = Edit("silence", "*.output", lambda x: x * 0)
    changed = capture(minilm, the_cat.text, edits=(silence,))
    capture(model, BOOKS, edits=(silence, lift_mask()))
    assert not changed["encoder.0.output"].any()
    after, cat = capture(model, BOOKS), capture(minilm, the_cat.text)
    assert all(torch.equal(tensor, state[name]) for name, tensor in model.network.state_dict().items())
    for name in before.names():
        np.testing.assert_array_equal(before[name], after[name])
    for name in the_cat.names():
        np.testing.assert_array_equal(the_cat[name], cat[name])


def test_edits_of_one_thread_are_nobody_elses(model: Model) -> None:
    expected = {edits: capture(model, BOOKS, target="I bought books", edits=edits) for edits in ((), (lift_mask(),))}
    start = threading.Barrier(4)

    def work(number: int) -> list[str]:
        start.wait()
        mixed = []
        for turn in range(25):
            edits = (lift_mask(),) if (turn + number) % 2 else ()
            run = capture(model, BOOKS, target="I bought books", edits=edits)
            mixed += [name for name in run.names() if not np.array_equal(run[name], expected[edits][name])]
        return mixed

    with ThreadPoolExecutor(4) as pool:
        assert [name for names in pool.map(work, range(4)) for name in names] == []


# ---------------------------------------------------------------------------------------------------
# The folder


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"metrics\.json cannot be read .* make train"):
        load_translator(tmp_path / "nowhere")


@pytest.mark.parametrize("file", ["config.json", "vocabulary.json", "weights.safetensors"])
def test_an_altered_file(folder: Path, tmp_path: Path, file: str) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    data = bytearray((tmp_path / file).read_bytes())
    data[-1] ^= 1
    (tmp_path / file).write_bytes(data)
    with pytest.raises(WeightsError, match=r"is not the file that metrics\.json knows"):
        load_translator(tmp_path)
    (tmp_path / file).unlink()
    with pytest.raises(WeightsError, match=r"cannot be read"):
        load_translator(tmp_path)


@pytest.mark.parametrize(
    "spoilt",
    [
        ("config.json", b"{}"),
        ("config.json", b"no JSON"),
        ("config.json", json.dumps(asdict(replace(CONFIG, d_ff=64))).encode()),
        ("vocabulary.json", b"[]"),
        ("weights.safetensors", b"no tensors"),
        ("metrics.json", b"{}"),
    ],
)
def test_files_that_are_no_translator(folder: Path, tmp_path: Path, spoilt: tuple[str, bytes]) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    file, data = spoilt
    (tmp_path / file).write_bytes(data)
    if file != "metrics.json":
        write_checksums(tmp_path)
    with pytest.raises(WeightsError, match=r"holds no translator that can be read"):
        load_translator(tmp_path)


def test_its_papers(model: Model) -> None:
    assert (model.id, model.title) == ("translator", zoo.SOURCES["translator"].title)
    assert model.words is not None and len(model.words) == len(model.tokenizer) == model.config.vocab
    assert not model.network.training
