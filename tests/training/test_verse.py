"""Form, rhyme, tones and copies of a quatrain, by small tables that a person can check."""

import json
from pathlib import Path

import pytest
import torch

from core.model.language import LanguageModel
from core.training import poet_measure, quatrains, verse
from core.training.poet import config, train
from core.training.quatrains import lines, written
from core.training.verse import Corpus, Rhymes, measured
from tests.training.test_poet import RECIPE

TABLE = {
    "ping": {"上": {"上平聲十一尤": ["流樓州", "愁"], "下平聲七陽": "光霜乡"}},
    "ze": {"上": {"上聲一董": ["動", "樓"]}, "入": {"入聲一屋": "目"}},
}
CRANE = "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"


@pytest.fixture(scope="module")
def rhymes() -> Rhymes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verse, "simplified", lambda text: text.replace("樓", "楼").replace("動", "动"))
        return Rhymes.of(TABLE)


def test_rhymes(rhymes: Rhymes) -> None:
    assert rhymes.rhyme("流", "楼") and rhymes.rhyme("流", "樓") and rhymes.rhyme("动", "楼")
    assert not rhymes.rhyme("流", "光") and not rhymes.rhyme("流", "流") and not rhymes.rhyme("〇", "流")
    assert (
        rhymes.tones("楼") == {"ping", "ze"} and rhymes.tones("目") == {"ze"} and rhymes.tones("〇") == {"ping", "ze"}
    )
    assert rhymes.rhymes(lines(CRANE)) and not rhymes.rhymes(lines(CRANE.replace("流", "光")))


def test_tones_alternate_where_they_can(rhymes: Rhymes) -> None:
    assert rhymes.alternates("〇流〇目〇") and rhymes.alternates(
        "〇目〇光〇流〇".replace("流", "目").replace("〇光", "〇光")
    )
    assert (
        not rhymes.alternates("〇流〇光〇")
        and not rhymes.alternates("〇流〇目〇目〇")
        and rhymes.alternates("〇流〇楼〇")
    )
    regular = ("〇流〇目〇", "〇目〇光流", "〇目〇光〇", "〇流〇目愁")
    assert rhymes.regular(regular)
    assert not rhymes.regular((*regular[:2], "〇流〇目〇", regular[3]))  # 失粘
    assert not rhymes.regular((*regular[:3], "〇流〇目光"))  # no rhyme
    assert not rhymes.regular((regular[0], regular[0][:4] + "流", *regular[2:]))  # 失对


def test_what_stands_in_the_corpus() -> None:
    corpus = Corpus([CRANE, "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"])
    own = ("白日依山尽", "处处闻人语", "夜来风雨急", "花落知多少")
    assert corpus.copied(own) == 2 and corpus.longest(own) == 5
    assert corpus.copied(lines(CRANE)) == 4 and corpus.longest(lines(CRANE)) == 20
    assert corpus.longest(("更上一层楼", "春眠一二三", "一二三四五", "六七八九十")) == 5  # not across two poems
    assert corpus.longest(("东东东东东",) * 4) == 0


def test_measured_together(rhymes: Rhymes) -> None:
    found = measured([CRANE, CRANE.replace("流", "光"), "一二三，四五。"], rhymes, Corpus([CRANE]))
    assert (found["poems"], found["form"], found["rhyme"]) == (3, 0.6667, 0.5)
    assert (found["lines"], found["copied_lines"], found["copied_poems"]) == (8, 7, 1)
    assert (found["longest_run_mean"], found["longest_run_most"]) == (15.0, 20)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:divide by zero")  # poems so alike that no pair of characters is new
def test_measures_and_cards_of_a_trained_one(tmp_path: Path, rhymes: Rhymes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Poems of one shape, so that even a short training may keep the form; whatever it wrote, the card says it."""
    torch.manual_seed(0)
    poems = [written([f"{c}流{d}目光" for c in "天地人和"]) for d in "春夏秋冬山水风雨" * 40]
    monkeypatch.setattr(quatrains, "held_out", lambda poem: "秋" in poem)
    train(RECIPE, poems, tmp_path, quiet=True)
    with monkeypatch.context() as patch:
        patch.setattr(poet_measure, "free", lambda *_: [poems[0], CRANE])
        found = poet_measure.measure(tmp_path, poems, rhymes, count=2)
    assert found["written"]["copied_poems"] == 1 and found["copied"] == [*lines(poems[0])]
    assert found["held_out"]["poems"] == 2 and found["held_out"]["copied_lines"] == 0
    poet_measure.complete(tmp_path, found)
    metrics = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["measured"]["examples"] == [poems[0], CRANE]
    for language in ("zh", "en"):
        card = (tmp_path / f"README.{language}.md").read_text(encoding="utf-8")
        assert f"{metrics['parameters']:,}" in card and "{" not in card and "None" not in card


def test_free_samples_are_the_seeds_and_hold_no_special_token() -> None:
    vocabulary = quatrains.vocabulary(["山水风月" * 30])
    torch.manual_seed(1)
    network = LanguageModel(config(vocabulary)).eval()
    one, again, other = (poet_measure.free(network, vocabulary, 4, seed) for seed in (1, 1, 2))
    assert one == again != other and {*"".join(one)} <= {*"山水风月"}
    assert poet_measure.before_end([5, 6, 3, 5]) == [5, 6] and poet_measure.before_end([5]) == [5]
