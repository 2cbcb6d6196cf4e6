"""The translator that comes with the product: what it translates, how it aligns, and how fast."""

import hashlib
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core import Model, capture, grammar
from core.capture import decode
from core.edits import lift_mask
from core.files import MODELS
from core.training.data import sentences
from core.training.measure import exact_match
from tests.models import loaded

FOLDER = MODELS / "translator"
BOOKS = "我昨天在北京买了三本书"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "weights.safetensors").exists(), reason="the translator is not trained yet: make train"
)


@pytest.fixture(scope="module")
def model() -> Model:
    return loaded("translator")


@pytest.fixture(scope="module")
def metrics() -> dict:
    return json.loads((FOLDER / "metrics.json").read_text(encoding="utf-8"))


# ---------------------------------------------------------------------------------------------------
# Translations


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        (BOOKS, "I bought three books in Beijing yesterday"),
        (BOOKS + "。", "I bought three books in Beijing yesterday."),
        ("小明昨天晚上看了一部电影", "Xiaoming watched a film yesterday evening"),
        ("小明昨天晚上看了一本书", "Xiaoming read a book yesterday evening"),
        ("我的朋友被老师批评了", "My friend was criticised by the teacher"),
        ("我弟弟把杯子打破了", "My younger brother broke the cup"),
        ("他把灯打开了", "He turned on the lamp"),
        ("他把门打开了", "He opened the door"),
        ("她喝了两杯水", "She drank two glasses of water"),
        ("这本书比那本有意思", "This book is more interesting than that one"),
        ("我昨天买的书很贵", "The book that I bought yesterday is very expensive"),
        ("桌子上有三本书", "There are three books on the table"),
        ("你昨天买书了吗?", "Did you buy any books yesterday?"),
        ("如果明天下雨，我就在家看书", "If it rains tomorrow, I will read a book at home"),
        ("她会弹钢琴", "She can play the piano"),
        ("我想去北京", "I want to go to Beijing"),
    ],
)
def test_translations(model: Model, zh: str, en: str) -> None:
    run = capture(model, zh, only=())
    assert (run.text_out, run.cut) == (en, False)
    assert run.target_out[-1].text == "[EOS]"


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["sentence", "pair"])
def test_sentences_that_were_held_out(model: Model, which: str) -> None:
    """A new draw of each kind: at least 99 of 100 word for word (the metrics hold the measure on 2,000)."""
    data = sentences("a fresh draw", which, 300)  # type: ignore[arg-type]
    share, wrong = exact_match(model.network, data, model.tokenizer.vocabulary)  # type: ignore[arg-type, union-attr]
    assert share >= 0.99, [(sentence.zh, sentence.en, written) for sentence, written in wrong]


def test_the_metrics_meet_the_thresholds(model: Model, metrics: dict) -> None:
    assert metrics["exact_match"]["tested"] == 2000
    assert metrics["exact_match"]["sentence"] >= 0.995 and metrics["exact_match"]["pair"] >= 0.995
    assert metrics["parameters"] == sum(parameter.numel() for parameter in model.network.parameters())
    assert (FOLDER / "weights.safetensors").stat().st_size < 8_000_000
    for file, known in metrics["sha256"].items():
        assert hashlib.sha256((FOLDER / file).read_bytes()).hexdigest() == known


def test_the_vocabulary_is_the_grammars(model: Model) -> None:
    assert model.tokenizer.pieces == grammar.vocabulary().pieces
    assert model.unknown("奥利给，我爱龙") == ("奥", "利", "龙")


def test_snapshots_beside_the_weights() -> None:
    names = {path.name for path in FOLDER.glob("snapshot-*.safetensors")}
    assert names == {f"snapshot-{step:04}.safetensors" for step in (0, 250, 500, 1000)}
    weights = load_file(FOLDER / "weights.safetensors")
    for name in names:
        snapshot = load_file(FOLDER / name)
        assert {key: tensor.shape for key, tensor in snapshot.items()} == {k: t.shape for k, t in weights.items()}
        assert {tensor.dtype for tensor in snapshot.values()} == {torch.float16}


# ---------------------------------------------------------------------------------------------------
# Alignment, masks


def test_the_clearest_head_aligns_the_example(model: Model, metrics: dict) -> None:
    """Each English word looks most at a character that it renders, in the head that pages open on."""
    best = metrics["alignment"]["best"]
    run = capture(model, BOOKS, only=("decoder.*.cross_attention.weights",))
    weights = run[f"decoder.{best['layer']}.cross_attention.weights"][best["head"]]
    parts = grammar.parse(BOOKS)
    assert parts is not None
    target = grammar.build(parts).target
    hits = [weights[row].argmax() in word.source for row, word in enumerate(target) if word.content]
    assert sum(hits) >= len(hits) - 1, hits
    assert metrics["alignment"]["argmax"][best["layer"]][best["head"]] >= 0.8


def test_without_the_mask_training_would_peek(model: Model) -> None:
    """The first row changes when a later word does; with the mask it cannot."""
    for edits, same in (((), True), ((lift_mask(),), False)):
        one, other = (
            capture(model, BOOKS, target=target, edits=edits, only=("output.logits",))
            for target in ("I bought three books", "I bought three films")
        )
        assert np.array_equal(one["output.logits"][0], other["output.logits"][0]) == same


def test_a_sentence_outside_the_grammar_is_guessed_and_ends(model: Model) -> None:
    for text in ("", "。。？", "The cat sat on the mat.", "书" * 200, "天上有一百个太阳吗，我不知道"):
        run = capture(model, text, only=())
        assert run.cut == (run.target_out[-1].text != "[EOS]")


def test_greedy_and_beam_agree_where_it_is_sure(model: Model) -> None:
    greedy, beam = decode(model, BOOKS).last, decode(model, BOOKS, width=4).last
    assert greedy.best.ids == beam.best.ids and len(beam.beams) == 4
    assert beam.best.score >= beam.beams[1].score
