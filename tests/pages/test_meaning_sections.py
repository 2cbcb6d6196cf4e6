"""What lies deeper in the meaning lab: senses, sums, sentences, the training, two languages."""

import re
from html import unescape

import numpy as np
import pytest

from core.derivation import Measure
from core.views import learning
from pages.shared.number.cell_path import free
from pages.shared.number.number_panel import Cells
from pages.shared.server import cached
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages.meaning import in_context, languages, table_over_training
from pages.stages.meaning.in_context import by_sense
from pages.stages.meaning.sentences import sentences_of
from tests.pages.meaning_page import BOOKS, MODELS, packed, said_of_senses
from tests.written import NUMBER, number


def test_senses_are_read_between_empty_lines() -> None:
    assert by_sense(" a \n\n\nb\nc\n") == {"A": ["a"], "B": ["b", "c"]} and by_sense(" \n") == {}


def test_sentences_are_compared_once() -> None:
    assert sentences_of(" one ", "two\n\none\n three") == ["one", "two", "three"] and sentences_of("", " ") == []


# ---- sums, senses, sentences, training


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sum_keeps_what_was_put_in_unless_it_is_removed(opened, lang: str) -> None:
    page = opened("meaning", lang, guess="skip", section="sum")
    number = "<span[^>]*>(<button[^>]*>)?"  # with a bar beside it
    assert re.search(rf"class=query><td>king</td><td>{number}0\.6661", page.html)
    page = opened("meaning", lang, guess="skip", section="sum", remove="1")
    assert re.search(rf"<tr><td>queen</td><td>{number}0\.5115", page.html) and "class=query><td>king" not in page.html
    page.typed("a", "奥利给")
    assert page.address["a"] == "奥利给" and "奥利给" in page.box("a")[1]["refusal"]
    assert re.search(rf"<tr><td>queen</td><td>{number}0\.5115", page.html), "what stood there before is summed"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
def test_senses_part_in_context(opened, lang: str, model: str) -> None:
    page = opened("meaning", lang, text=MODELS[model], guess="skip", depth=0)
    word = "bank" if model == "minilm" else "看"
    said = lesson("meaning")[lang]["context_table"].split("{word}")[0].replace("{n}", "10") + word
    assert said in said_of_senses(page)
    page = opened("meaning", lang, text=MODELS[model], guess="skip")
    assert re.search(r"10 (of 10|句里有 (9|10))|9 of 10|For 10", said_of_senses(page))


@pytest.mark.parametrize("model", MODELS)
def test_each_cosine_of_the_square_is_the_one_its_trail_names(opened, looked, model: str) -> None:
    """Of a word in two sentences, at two depths; of two sentences. None while the question is open."""
    shown = {"text": MODELS[model], "section": "sentences"}
    page, cells = opened("meaning", "en", guess="skip", **shown), Cells(looked("meaning", "en", **shown).page)
    for key in ("senses", "sentences"):
        header, numbers = packed(page, key)
        n, depths = len(header["sentences"]), len(header["rows"])
        cosines = numbers[: depths * n * n].reshape(depths, n, n)
        for depth in {0, depths - 1}:
            one, other = header["rows"][depth][0], header["rows"][depth][n - 1]
            source = free(cells, f"{header['kind']}.{one}-{other}")
            assert source and cells.value(source) == pytest.approx(cosines[depth, 0, n - 1], rel=1e-5)
            found = re.findall(r"data-trail='([^']*)' title='([^']*)'", "".join(header["said"][depth]))
            assert len(found) == (1 if key == "senses" and depth == 0 else 4 if key == "senses" else 2)
            for trail, digits in found:
                source = free(cells, unescape(trail))
                assert source and cells.value(source) == pytest.approx(float(digits.replace("−", "-")), rel=1e-4)
    assert not packed(opened("meaning", "en", guess="open", **shown), "senses")[0]["rows"]


@pytest.mark.thorough
def test_ready_senses_are_drawn_once_for_every_sentence(opened, monkeypatch) -> None:
    origins, drawn = in_context.origins, []
    monkeypatch.setattr(in_context, "origins", lambda context, view: drawn.append(view.word) or origins(context, view))
    cached.shrink(0)
    for text in ("a cat", "a dog", "two dogs"):
        opened("meaning", "en", text=text, guess="skip")
    assert len(drawn) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_before_the_first_layer_only_places_differ(opened, lang: str) -> None:
    """The sentences of bank put it at the same places in both senses, those of bat at one place in all ten."""
    page = opened("meaning", lang, guess="skip", sense="bank", depth=1)
    assert lesson("meaning")[lang]["context_enters"] in said_of_senses(page)
    assert re.search(r"For 5 of 10|10 句里有 5 句", said_of_senses(page))
    page = opened("meaning", lang, guess="skip", sense="bat", depth=1)
    assert lesson("meaning")[lang]["context_tied"][-8:] in said_of_senses(page)
    assert packed(page, "senses")[0]["compared"][:3] == [False, False, True]  # no arrow leads anywhere


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "said"), [("we saw the bat\nwe saw the bat", "context_equal"), ("we saw the bat", "context_alone")]
)
def test_sentences_that_are_one_are_equal_at_every_depth_and_not_for_want_of_attention(
    opened, lang, line, said
) -> None:
    query = {"sense": "own", "sense_word": "bat", "sense_text": f"{line}\n\n{line}", "guess": "skip"}
    for depth in (1, 2, 7):
        spoken = said_of_senses(opened("meaning", lang, **query, depth=depth))
        own = "context_tied" if depth == 1 and said == "context_equal" else said
        assert lesson("meaning")[lang][own][-8:] in spoken
        assert ("attended" in spoken or "交换信息" in spoken) == (own == "context_tied")


def test_a_word_of_several_pieces_is_the_mean_of_theirs(opened, looked) -> None:
    """Its cosines in two sentences, in the table and behind the last layer, are those that their trails name."""
    word = {"sense": "own", "sense_word": "quokka", "sense_text": "a quokka\nthe quokka\n\nquokka food\nmy quokka"}
    header, numbers = packed(opened("meaning", "en", guess="skip", **word), "senses")
    cells = Cells(looked("meaning", "en", **word).page)
    cosines = numbers[: len(header["names"]) * 16].reshape(-1, 4, 4)
    assert header["kind"] == "pooled"
    for depth in (0, -1):
        source = free(cells, f"pooled.{header['between'].join(header['rows'][depth][:2])}")
        assert source and cells.value(source) == pytest.approx(cosines[depth, 0, 1], rel=1e-5)
        assert isinstance(source, Measure) and cells.panel(source).behind is not None


def test_ones_own_word_in_ones_own_sentences(opened) -> None:
    page = opened("meaning", "en", guess="skip", sense="own")
    page.typed("sense_word", "plant")
    page.typed("sense_text", "water the plant\na plant needs light\n\nthe plant makes cars\na steel plant closed")
    assert "a steel plant closed" in said_of_senses(page) and packed(page, "senses")[0]["word"] == "plant"
    for sentences in ("a plant\nthe plant", "a plant\n\nthe plant"):  # one sense; one sentence a sense
        page.typed("sense_text", sentences)
        assert lesson("meaning")["en"]["context_alone"] in said_of_senses(page) and "–" not in said_of_senses(page)
    page.typed("sense_text", "a plant\nthe plant\n\nno plant")
    assert "For 2 of 2 sentences" in said_of_senses(page)
    page.typed("sense_text", "the plant\n" * 30)
    assert "At most 20 sentences are compared; left out: 10." in page.html
    for sentences in ("nothing here\nplant", "the plant", "<script>"):
        page.typed("sense_text", sentences)
        assert any(page.box(name)[1]["refusal"] for name in ("sense_word", "sense_text"))
        assert page.box("sense_text")[1]["handed"] == sentences, "what was typed is still there"


def test_sentences_are_compared_with_the_visitors_own(opened) -> None:
    page = opened("meaning", "en", guess="skip", section="sentences")
    assert "0.9700" in page.html
    page.typed("sentences", "")
    assert page.box("sentences")[1]["refusal"] == lesson("meaning")["en"]["context_errors.sentences_few"]
    page.typed("sentences", "<b>one</b>\n奥利给")
    assert "奥利给" in packed(page, "sentences")[0]["sentences"]


def test_the_table_table_over_training(opened) -> None:
    for step in (0, 1000, 6000):
        page = opened("meaning", "en", guess="skip", section="grew", trained=step, grown="teacher")
        alike = {0: "0.0003308", 6000: "0.2430"}.get(step, "")
        assert alike in page.html and (step < 6000 or "0.4721" in page.html)
        assert "0.178" in page.html and "0.827" in page.html and f"<tr class=query><td>{step:,}</td>" in page.html


@pytest.mark.parametrize("model", MODELS)
def test_which_rows_a_gradient_touches(opened, model: str) -> None:
    page = opened("meaning", "en", text=MODELS[model], guess="skip", section="gradient")
    assert ("30,510 of 30,522" if model == "minilm" else "1,188 of 1,188") in page.html
    bars = [float(long) for long in re.findall(r"--long:([\d.]+)", page.html)]
    assert bars == sorted(bars, reverse=True) and bars[0] == 320 and bars[-1] > 0


def test_a_sentence_is_not_compared_with_itself(opened) -> None:
    page = opened("meaning", "en", text="a dog bites a man .", guess="skip", section="gradient")
    assert "“The bank raised its rates.”" in page.html


def test_bars_that_are_left_out_are_counted(opened) -> None:
    numbers = (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    )
    page = opened("meaning", "en", text=f"{numbers} red green blue white black", guess="skip", section="gradient")
    assert re.search(r"24 of the (2[5-9]|3\d) fetched rows are drawn", page.html)


@pytest.mark.parametrize("model", MODELS)
def test_a_click_in_the_strip_follows_a_word(opened, model: str) -> None:
    page = opened("meaning", "en", text=MODELS[model], guess="skip")
    row, last = page.data("strip")["row"], "mat" if model == "minilm" else "书"
    assert row["marks"]["click"] == row["marks"]["first"] == "of" and row["marks"]["also"] == {"to": None}
    assert last in [token["at"] for token in row["tokens"]]
    assert all(token["at"] is None for token in row["tokens"] if token["special"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
def test_open_it(opened, lang: str, model: str) -> None:
    page = opened("meaning", lang, text=MODELS[model], guess="skip", open=1)
    assert ("0.4625" if model == "minilm" else "0.4013") in page.app.latex[0].value
    assert any("def nearest" in block.value for block in page.app.code)
    assert re.search(r"both find the same 8|两边有 8 行相同", page.html)
    difference = re.search(rf"(?:difference of a cosine|余弦最大相差) ({NUMBER})[.。]<", page.html)
    assert difference and number(difference[1]) < 1e-5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("step", [0, 1000, 6000])
def test_where_pad_stands_is_counted(opened, lang: str, step: int) -> None:
    page = opened("meaning", lang, text=BOOKS, guess="skip", section="grew", trained=step)
    table = learning.snapshot(cached.model("translator"), step).table
    pieces = cached.model("translator").tokenizer.pieces
    dog, pad = pieces.index("狗"), pieces.index("[PAD]")
    directions = table / np.linalg.norm(table, axis=1, keepdims=True)
    order = [int(i) for i in np.argsort(-(directions @ directions[dog])) if i != dog]
    rank = order.index(pad) + 1
    assert rank == {0: 138, 6000: 3}.get(step, rank)
    assert (f"排第 {rank}。" if lang == "zh" else f"ranks {rank}.") in page.html


# ---- two languages, and one side for every step


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_two_languages_say_where_a_word_comes(opened, lang: str) -> None:
    for learned, word in (("0", "书"), ("100", "床")):
        page = opened("meaning", lang, guess="skip", section="languages", learned=learned, heard=word)
        now, pairs = languages.aligned(int(learned)), languages.words().pairs
        at = next(i for i, pair in enumerate(pairs) if pair[0] == word)
        assert pairs[at][1] in page.html and str(int(now.ranks[at])) in page.html
        assert not re.search(r"\{\w+\}", page.html)
    opened("meaning", lang, section="languages", heard="nonsense", learned="7")


@pytest.mark.parametrize(
    ("section", "map", "name", "steps"),
    [
        ("grew", "grown_map", "trained", table_over_training.ALL),
        ("languages", "languages_map", "learned", languages.LEARNED),
    ],
)
def test_a_run_is_chosen_once_and_no_step_leaves_its_map(opened, section, map, name, steps) -> None:
    for step in steps:
        page = opened("meaning", "en", guess="skip", section=section, **{name: step})
        drawn, body = packed(page, map)
        assert drawn["by"] == name and drawn["snapshots"] == list(steps) and drawn["snapshot"] == step
        assert not any(f'"name": "{name}"' in proto.json for proto in page.protos("controls"))
        points = body[: 2 * len(drawn["texts"])].reshape(-1, 2)
        low, high = np.array(drawn["ends"]).T
        assert (points >= low - 1e-4).all() and (points <= high + 1e-4).all()


def test_one_side_for_every_step() -> None:
    """The points are the vectors' own coordinates: what is near there in all 128 was never farther here."""
    for step in (0, 500, 6000):
        points, vectors = table_over_training.seen(step), table_over_training.grown(step).words.vectors
        assert np.linalg.norm(points[3] - points[7]) <= np.linalg.norm(vectors[3] - vectors[7]) + 1e-4
    spread = [table_over_training.seen(step).std() for step in (0, 6000)]
    assert spread[1] > spread[0] and np.allclose(
        table_over_training.plane().T @ table_over_training.plane(), np.eye(2), atol=1e-5
    )


@pytest.mark.parametrize("rate", ["0.01", "100"])
def test_a_step_is_said_to_go_down_or_up(opened, rate: str) -> None:
    page = opened("meaning", "en", text=BOOKS, guess="skip", section="gradient", rate=rate)
    assert ("The loss falls" if rate == "0.01" else "The loss rises") in page.html
