"""The segmentation lab through AppTest: real paths, the veil, a visitor's words, bad input, both languages."""

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text import dictionary, segmentation, word_graph
from core.text.unicode import is_cjk
from core.views.segmentation import challenger
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import LANGUAGES, lesson, own_words
from pages.stages.segmentation import STAGE, arc, repairs, second_step, sizes, words
from pages.stages.segmentation.context import EXAMPLES, MODES, fresh, view_of, weighing
from pages.stages.segmentation.picture import jieba_row, kind_of, legend
from pages.stages.segmentation.words import power, ways

RACKET = "乒乓球拍卖完了"
SAMPLES = Path(__file__).parents[2] / "assets/samples"
NASTY = (
    "", " ", "\t\n ", "了", "。", "abc", "👩\u200d👧", "饕餮\u0301纹", "<script>alert(1)</script>", "{word} **x** $y$",
    "שלום עולם", "\x00\x07\x7f", "[MASK] 乒乓", "乒" * 600, "中文 and English，混在一起 3.14%", RACKET * 40,
)  # fmt: skip


@pytest.fixture
def page(opened):
    """On the Chinese example in either language, but where another text is given."""
    return lambda lang="en", **parameters: opened("segmentation", lang, **{"sample": RACKET, **parameters})


def graph(at) -> dict:
    return at.packed("lattice")[0]


def row(at, number: int) -> list[str]:
    return [piece[0] for piece in graph(at)["rows"][number]["pieces"]]


def followed(at) -> dict:
    return at.data("derivation")


def taken(at) -> list[str]:
    drawn = graph(at)
    return [drawn["edges"][i][2] for i in drawn["ways"][0]]


def everything(at) -> str:
    drawn = graph(at)
    return at.html + str(followed(at)) + str(drawn["paths"])


def chosen(at, name: str) -> str:
    """One parameter of the address; AppTest has it as a list where it came from outside, else as a text."""
    return "".join(at.query.get(name, []))


def press(at, key: str) -> None:
    at.app.button(key=key).click()
    at.run()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_on_the_racket(page, lang: str) -> None:
    at = page(lang, guess="skip")
    assert taken(at) == ["乒乓球", "拍卖", "完", "了"]
    assert [path[2] for path in graph(at)["paths"]][:2] == ["−35.69", "−37.85"]
    assert row(at, 0) == row(at, 4) == ["乒乓球", "拍卖", "完", "了"] and row(at, 3) == ["乒乓球", "拍卖", "完了"]
    derivation = followed(at)
    assert [step["value"] for step in derivation["steps"]] == [
        "−12.09",
        "−10.94",
        "−8.436",
        "−4.220",
        "−35.69",
        "−37.85",
    ]
    assert "336 ÷ N" in derivation["steps"][0]["operation"] and "60,101,967" in derivation["steps"][4]["reason"]
    assert derivation["value"] == "−35.69" and "15" in at.html and "26" in at.html
    assert not re.search(r"\{\w+\}", at.html)


def test_in_english_it_opens_on_an_english_text(opened) -> None:
    """The path's own sentence without its spaces; cut with an English dictionary, where nothing is said of Chinese."""
    at = opened("segmentation", "en", guess="skip")
    assert taken(at) == row(at, 0) == ["the", "cat", "sat", "on", "them", "at"]
    assert [path[1] for path in graph(at)["paths"]][1] == "the / cat / sat / on / the / mat"
    shown = at.data("controls")
    assert [[one["name"] for one in of["controls"]] for of in (shown, shown["more"])] == [["words"], ["mode"]]
    assert "from 37 on" in at.html and "N = 302,932" in str(followed(at))
    flipped = opened("segmentation", "en", guess="skip", words="mat:37")
    assert taken(flipped)[-2:] == ["the", "mat"]
    assert "difference 0." in opened("segmentation", "en", guess="skip", open="1").html


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nothing_answers_the_open_question(page, lang: str) -> None:
    at = page(lang)
    assert len(graph(at)["ways"]) == 1 and "卖完 /" not in everything(at) and "−37.8" not in everything(at)
    assert "卖光" not in everything(at) and "bat / sell out" not in everything(at)
    labels = [button.label for button in at.app.button if (button.key or "").startswith("guess_")]
    assert [label.strip("*") for label in labels] == ["乒乓球", "拍卖", "完", "了"]
    assert graph(at)["edges"][graph(at)["asked"]][2] == "乒乓球拍" and list(graph(at)["words"]["legend"]) == [
        "best",
        "asked",
    ]
    assert graph(at)["kept"] == 3 and "2–4" in graph(at)["words"]["unseen"]
    press(at, "guess_3")
    assert graph(at)["asked"] is None and list(graph(at)["words"]["legend"]) == ["best", "other"]
    assert len(graph(at)["ways"]) == 4 and "−37.85" in everything(at)
    assert ("猜对了" if lang == "zh" else "Right.") in at.html and "乒乓球拍 / 卖完" in at.html


@pytest.mark.parametrize(("sample", "drawn"), [("  ", []), ("我", ["best"])])
def test_only_lines_that_are_drawn_are_named(looked, sample: str, drawn: list[str]) -> None:
    assert legend(looked("segmentation", "en", sample=sample, guess="skip")) == drawn


def test_the_frequency_flips_the_path(page) -> None:
    at = page(guess="skip")
    (control, *_) = at.data("controls")["controls"]
    assert [label for _, label in control["options"]] == ["3", "9", "25", "26", "104"] and control["options"][0][
        0
    ] is None
    below, above = (
        page(guess="skip", words={label: words for words, label in control["options"]}[n]) for n in ("25", "26")
    )
    assert taken(below) == ["乒乓球", "拍卖", "完", "了"] and taken(above) == ["乒乓球拍", "卖完", "了"]
    (control, *_) = above.data("controls")["controls"]
    assert ["乒乓球拍:26", "26"] in control["options"]  # the present one is found


def test_what_is_said_of_a_threshold_holds(page) -> None:
    """Of a character nothing else covers, of a word on the path, and once the visitor has removed its rival."""
    always, taken_ = (followed(page(guess="skip", arc=arc))["steps"][1] for arc in ("6-7", "0-3"))
    assert always["value"] == "–" and "no other word begins here" in always["reason"]
    assert taken_["value"] == "39" and "Below 39" in taken_["reason"]
    assert "with a frequency of 3, and yet not on the best path; from 26 on" in page(guess="skip").html
    at = page(guess="skip", words="乒乓球:38")  # already 3 is enough
    assert taken(at)[0] == "乒乓球拍" and "and yet not on the best path" not in at.html


def test_a_followed_word_is_weighed_removed_and_restored(page) -> None:
    at = page(guess="skip", arc="0-4")
    labels = [button.label for button in at.app.button if (button.key or "").startswith("weigh_")]
    assert labels == ["set its frequency to 26", "remove 乒乓球拍"]
    press(at, "weigh_0")
    assert chosen(at, "words") == "乒乓球拍:26" and taken(at) == ["乒乓球拍", "卖完", "了"]
    press(at, "weigh_2")  # restore
    assert "words" not in at.query and taken(at)[0] == "乒乓球"
    at = page(guess="skip", arc="0-3")
    press(at, "weigh_1")
    assert chosen(at, "words") == "-乒乓球" and taken(at)[0] == "乒乓球拍" and "arc" not in at.query


def test_the_total_is_told_beside_jiebas(page) -> None:
    html = page(guess="skip", words="乒乓球拍:26", section="own").html
    assert "N is 60,101,990 now" in html and "60,101,993" in html and "segmented the same" in html


def test_parts_of_speech_are_the_dictionarys_and_posseg_is_told(page) -> None:
    def said(**given: str) -> str:
        return page(guess="skip", section="second", **given).html

    assert "agrees on this text" in said() and "杭/j 研/vn" in said(sample="他来到了网易杭研大厦")
    assert "很/d" in said(sample="很好，很多")  # zg in the dictionary
    assert "morpheme, noun" in said(sample="饕餮纹") and "this text has none" in said(sample="thecat")


@pytest.mark.parametrize(
    ("section", "sample", "said"),
    [
        ("methods", "a 👩 b", "<b>👩</b> is the bytes F0 9F 91 A9"),
        ("methods", "a 👩 b", "characters · MiniLM drop it"),
        ("methods", "我用 ChatGPT 写作业", "DeepSeek ␣ChatGPT · Unigram ▁"),
        ("methods", "我用 👩 写 饕餮 👩", "<unk> here: 2"),
        ("methods", "我用 ChatGPT 写作业", "C / h / a / t / G / P / T"),
        ("own", "xq 12.", 'are joined: <b class="path">xq / 12</b>'),
        ("own", "The cat sat.", '<b class="path">The / cat / sat / .</b>'),
        ("second", "北京天安门。", "no two single Chinese characters stand side by side"),
        ("second", "乒乓球拍卖完了", "it read 完 了 and labelled them S S"), ("own", "中国人民" * 100, "× 10"),
    ],
)  # fmt: skip
def test_what_is_said_is_of_this_text(page, section: str, sample: str, said: str) -> None:
    assert said in page(guess="skip", section=section, sample=sample).html


def test_every_word_of_the_gallery_has_its_english(page) -> None:
    """Of the whole graphs, because a visitor's weights can bring any of them onto the path."""
    glosses = tomllib.loads((SAMPLES / "glosses.toml").read_text(encoding="utf-8"))
    words: set[str] = set()
    for entry in tomllib.loads((SAMPLES / "segmentation.toml").read_text(encoding="utf-8")).values():
        text = entry["cut"].replace("/", "")
        words |= {*entry["cut"].split("/"), *(word.text for word in segmentation.cut(text, dictionary.dictionary()))}
        for start, block, inside in word_graph.blocks(text):
            graph_ = word_graph.graph(block, dictionary.dictionary(), start) if inside else []
            words |= {edge.text for edges in graph_ for edge in edges}
    assert {word for word in words if segmentation.HAN.search(word)} == set(glosses)
    at = page(guess="skip")
    assert (
        graph(at)["paths"][1][3] == "ping-pong bat / sell out / (done)" and "auction of the ping-pong balls" in at.html
    )
    assert graph(page("zh", guess="skip"))["paths"][1][3] == "乒乓球拍全卖光了"


def test_weighing_waves_the_question_off(page) -> None:
    at = page(words="乒乓球拍:26")
    assert len(graph(at)["ways"]) == 4 and at.address["guess"] == "skip"


def test_another_question_weighs_another_word(page) -> None:
    text = "研究生命起源和结合成分子的时候"
    first, second = (page(sample=text, guess="open", ask=number) for number in ("0", "1"))
    labels = [at.data("controls")["controls"][0]["label"] for at in (first, second)]
    assert labels[0] != labels[1] and len(graph(second)["ways"]) == 1


def test_an_arc_is_followed(page) -> None:
    at = page(guess="skip", arc="0-4")
    derivation = followed(at)
    assert derivation["steps"][0]["value"] == "−16.81" and derivation["steps"][1]["value"] == "26"
    at = page(guess="skip", arc="0-5")  # no word of the graph
    assert "arc=0-5" in at.html and followed(at)["id"] == "path/0"
    at = page(guess="skip", way="1")
    assert followed(at)["value"] == "−37.85" and followed(at)["id"] == "path/1"


def test_hmm_and_modes_leave_the_path(page) -> None:
    on, off = (page(guess="skip", sample="他来到了网易杭研大厦", hmm=hmm) for hmm in ("on", "off"))
    assert taken(on) == taken(off) and "杭研" in row(on, 0) and "杭研" not in row(off, 0)
    assert [piece[4] for piece in graph(on)["rows"][0]["pieces"] if piece[0] == "杭研"] == ["BE"]
    assert "as B E" in on.html
    full = page(guess="skip", sample="南京市长江大桥", mode="full")
    assert "市长" in row(full, 0) and taken(full) == ["南京市", "长江大桥"] and "Full mode chooses no path" in full.html
    search = page(guess="skip", sample="中国科学院", mode="search")
    assert row(search, 0) == ["中国", "科学", "学院", "科学院", "中国科学院"] and "It is no path" in search.html


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("sample", NASTY)
def test_no_text_breaks_it(page, lang: str, sample: str) -> None:
    at = page(lang, sample=sample, guess="skip", open="1")
    rows = graph(at)["rows"]  # one token a Han character is shown where there is one
    assert graph(at)["text"] == sample[:500] and len(rows) == 4 + (rows[0]["label"] == "jieba")
    assert "{" in sample or not re.search(r"\{\w+\}", at.html)
    assert not [e for e in at.app.get("html") if "<script>" in e.proto.body]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("New York:3", "has no spaces"), (":5", "holds no word"), ("打工人:0", "from 1 to"), ("打工人:-3", "from 1 to"),
        ("好。", "always cuts"), ("长" * 21, "at most 20"), (",".join(f"x{i}" for i in range(51)), "at most 50"),
        ("x," * 900, "first 800"), ("<script>:1", "always cuts"),
    ],
)  # fmt: skip
def test_bad_words_are_named_and_good_ones_taken(page, words: str, said: str) -> None:
    at = page(guess="skip", words=f"乒乓球拍:26,{words}")
    assert said in at.html and taken(at)[0] == "乒乓球拍"
    assert not [e for e in at.app.get("html") if "<script>" in e.proto.body]


def test_limits_are_said(page) -> None:
    assert "5,000 characters" in page(guess="skip", sample="完" * 5000).html
    assert "empty" in page(guess="skip", sample="  ").html


def test_typing_words_and_trying(page) -> None:
    at = page(guess="skip", section="own")
    at.typed("words", "乒乓球拍:26, 坏 词")
    assert taken(at)[0] == "乒乓球拍" and chosen(at, "words") == "乒乓球拍:26, 坏 词"
    assert "坏 词" in at.box("words")[1]["refusal"]
    assert "坏 词" in page(guess="skip", words="乒乓球拍:26, 坏 词").html, "where its box is closed, above"
    press(at, "try")
    assert chosen(at, "sample") == "打工人打工魂" and row(at, 0) == ["打工人", "打工魂"]
    at = page(guess="skip", section="gallery", words="打工人")
    press(at, "gallery_bridge")
    assert chosen(at, "sample") == "南京市长江大桥" and "words" not in at.query
    at.app.text_area[0].set_value("我爱人工智能")
    at.run()
    assert graph(at)["text"] == "我爱人工智能"
    at.app.text_area[0].set_value("完" * 5000)  # a box with `max_chars` would not say a word
    at.run()
    assert graph(at)["text"] == "完" * 500 and "5,000 characters" in at.html
    at = page(guess="skip", section="own")
    assert "800" in at.box("words")[1]["long"]
    at = page(guess="skip", words="完完," * 300)
    assert len(at.address["words"]) == 800 and "first 800" in at.html


def test_two_visitors_with_different_words_in_turn(page) -> None:
    """In threads at once: tests/text/test_segmentation.py, and in browsers."""
    mine, theirs = page(guess="skip", words="乒乓球拍:26"), page(guess="skip", words="球拍卖:1000000")
    for _ in range(2):
        assert taken(mine.run()) == ["乒乓球拍", "卖完", "了"]
        assert taken(theirs.run()) == ["乒乓", "球拍卖", "完", "了"]
    assert taken(page(guess="skip")) == ["乒乓球", "拍卖", "完", "了"]
    assert dictionary.dictionary().frequency("乒乓球拍") == 3


def test_the_visitors_sentence_is_untouched(page) -> None:
    at = page("zh", text="我昨天在北京买了三本书", sample="南京市长江大桥", guess="skip")
    assert chosen(at, "text") == "我昨天在北京买了三本书"
    strip = at.data("strip")
    assert [token["text"] for token in strip["row"]["tokens"]] == ["南京市", "长江大桥"] and strip["written"] is None


def test_the_gallery_says_what_is_computed(page) -> None:
    html = page(guess="skip", section="gallery").html
    bars = next(
        re.findall(r"<span>(.*?)</span>(.*?)<b>(.*?)</b>", part)
        for part in html.split("class='cuts'")
        if "南京市" in part
    )
    scores = {name: score for name, _, score in bars[1:]}
    assert scores == {"jieba": "1.00", "characters": "0.29", "MiniLM": "0.29", "DeepSeek": "0.67", "Unigram": "0.50"}
    assert [re.findall("<i class='word'.*?>(.*?)</i>", drawn) for _, drawn, _ in bars[:3]] == [
        ["南京市", "长江大桥"]
    ] * 2 + [[]]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_open_it_runs_jieba_itself(page, lang: str) -> None:
    at = page(lang, guess="skip", open="1")
    assert "best_paths" in at.html and ("相差 0。" if lang == "zh" else "difference 0.") in at.html
    at = page(lang, guess="skip", open="1", sample="他去网易杭研", words="-杭研")
    assert row(at, 0)[-2:] == ["杭", "研"] and ("相差 0。" if lang == "zh" else "difference 0.") in at.html
    at = page(lang, guess="skip", take="1")
    assert "npz" not in at.html and any("csv" in str(e.proto).lower() for e in at.app.main)


def test_parts_of_speech_have_names() -> None:
    names = {key.removeprefix("tags.") for key in lesson("segmentation")["en"] if key.startswith("tags.")}
    tags = {tag for tag in dictionary.dictionary().tags.values()}
    unnamed = {tag for tag in tags if not any(tag[:size] in names for size in (1, 2, 3))}
    assert unnamed == set()


# ---- its functions, without a server


def test_every_parameter_moves_a_piece_of_the_page() -> None:
    """The way and the arc that are followed move the derivation alone."""
    page = SimpleNamespace(t=SimpleNamespace(language="zh"), address=SimpleNamespace(own_text=samples.example("zh")))
    own = {*STAGE.which(page), *STAGE.parameters(page, view_of(RACKET), None)}  # type: ignore[arg-type]
    named = {name for names in STAGE.redraws.values() for name in names}
    assert own - named == {"way", "arc"} and named <= own
    assert STAGE.concerned({}, {"arc": "0-4"}) == ["derivation"]
    assert STAGE.concerned({}, {"mode": "full"}) == ["picture"]
    assert STAGE.concerned({"section": "own"}, {"words": "x:3", "arc": None}) == [
        "picture",
        "asked",
        "section",
        "tokens",
    ]
    assert STAGE.concerned({}, fresh("skip", "x")) is None


def test_a_text_and_words_are_read_by_plain_functions() -> None:
    view = view_of(RACKET)
    assert ways(view) == 15 and challenger(view) == view.edge_at[0, 4]
    read = {"0-4": "0-4", "00-4": "0-4", "０-４": "0-4", "0-5": None, "x": None, "1" * 20: None}
    assert {raw: arc(view).parse(raw) for raw in read} == read
    assert weighing("乒乓球拍:26, -球拍", "乒乓球拍", None) == "-球拍" and weighing("x:2", "x", None) is None
    assert power(24 * 10**86) == "2.4 × 10⁸⁷"
    said = [repair.code for repair in repairs(" " * 600, "a b:3," * 200)]
    assert said[:3] == ["sample_cut", "words_cut", "sample_empty"]


def test_another_text_lets_go_of_what_was_done_in_the_old_one() -> None:
    kept, asked = fresh("skip", "x"), fresh("3", "x", "y:3")
    assert kept == {"words": None, "arc": None, "way": None, "guess": "skip", "ask": None, "sample": "x"}
    assert asked["guess"] is None and asked["words"] == "y:3"


def test_weighing_while_the_question_is_open_waves_it_off(page) -> None:
    (control, *_) = page().data("controls")["controls"]
    assert control["name"] == "words" and control["also"] == {"guess": "skip"}
    (control, *_) = page(guess="3").data("controls")["controls"]
    assert control["also"] == {}


# ---- every sentence on the page is true of this text

HAN = "老师不在打工人魂乒乓球拍卖完了他来到网易杭研大厦很好一个人中国科学院 A3。，"
TEXT = st.text(st.sampled_from(HAN), max_size=14)
OWN = st.lists(
    st.sampled_from(["打工", "打工人", "打工魂", "杭研", "不在", "乒乓球拍", "一个"]), max_size=3, unique=True
)
WEIGHT = st.sampled_from(["-{}", "{}", "{}:50"])
LANGUAGE = st.sampled_from(["en", "zh"])


def test_a_word_of_the_dictionary_that_the_second_step_joins_is_not_called_new(looked):
    context = looked("segmentation", "zh", sample="用的iPhone很贵", guess="skip")
    key, facts = second_step.second_step(context)
    assert (key, facts["word"]) == ("hmm_listed", "很贵") and context.view.dictionary.frequency("很贵")
    assert second_step.second_step(looked("segmentation", "zh", sample="他说的确实在理", guess="skip"))[0] == "hmm"


@settings(deadline=None, max_examples=120)
@given(TEXT, OWN, WEIGHT, LANGUAGE, st.sampled_from(["on", "off"]))
def test_what_is_said_of_the_second_step_holds(looked, text: str, own: list[str], weight: str, lang: str, hmm: str):
    context = looked("segmentation", lang, sample=text, words=",".join(map(weight.format, own)), hmm=hmm, guess="skip")
    view, sentence, (key, _) = context.view, second_step.second_step_said(context), second_step.second_step(context)
    read = [word for word in view.words if word.states]
    apart = side_by_side(view)
    together = [run for run in apart if view.dictionary.frequency(run)]
    assert (key == "hmm_off") == (hmm == "off")
    assert (key in ("hmm", "hmm_listed")) == bool(view.new)
    if view.new:
        assert (key == "hmm_listed") == bool(view.dictionary.frequency(view.new[0].text))
    if key == "hmm_alone":
        assert {word.states for word in read} == {"S"}
    if key == "hmm_removed":
        assert any(word in sentence and context.mine[word] == 0 for word in context.mine)
    if key == "hmm_word":
        assert not read and together and f"<b>{together[0]}</b>" in sentence
    if key == "hmm_idle":
        assert not read and not [run for run in apart if segmentation.HAN.fullmatch(run)]


def side_by_side(view) -> list[str]:
    """Runs of two or more single characters of the best path, by another way than the page's."""
    alone = {e.start: e.text for e in view.paths[0].edges if len(e.text) == 1}
    starts = [at for at in alone if at - 1 not in alone]
    runs = ["".join(takewhile_in(alone, at)) for at in starts]
    return [run for run in runs if len(run) > 1]


def takewhile_in(alone: dict[int, str], at: int):
    while at in alone:
        yield alone[at]
        at += 1


@settings(deadline=None, max_examples=80)
@given(TEXT, OWN, WEIGHT, LANGUAGE)
def test_what_is_said_of_a_word_of_the_dictionary_holds(looked, text: str, own: list[str], weight: str, lang: str):
    context = looked("segmentation", lang, sample=text, words=",".join(map(weight.format, own)), guess="skip")
    for sentence in words.threshold_said(context):
        word = re.findall("<b>(.*?)</b>", sentence)[0]
        assert context.view.dictionary.frequency(word) > 0 and dictionary.dictionary().frequency(word) > 0


@settings(deadline=None, max_examples=80)
@given(TEXT)
def test_full_mode_is_what_its_sentence_says(text: str) -> None:
    """Every word of two characters or more; one alone only where none of these covers it."""
    known = dictionary.dictionary()
    view = view_of(text, mode="full")
    shown = [(word.start, word.end) for word in view.shown if word.kind == "path"]
    long = [(e.start, e.end) for e in view.edges if len(e.text) > 1]
    covered = {i for start, end in long for i in range(start, end)}
    assert [at for at in shown if at[1] - at[0] > 1] == sorted(long)
    alone = [at for at in shown if at[1] - at[0] == 1 and segmentation.HAN.match(text[at[0]])]
    han = [i for start, block, inside in word_graph.blocks(text) if inside for i in range(start, start + len(block))]
    assert alone == [(i, i + 1) for i in han if i not in covered and segmentation.HAN.match(text[i])]
    assert all(known.frequency(text[start:end]) for start, end in long)


@settings(deadline=None, max_examples=80)
@given(TEXT)
def test_search_mode_is_what_its_sentence_says(text: str) -> None:
    view = view_of(text, mode="search")
    added = [word for word in view.shown if word not in view.words]
    inner = {
        (w.start + i, w.start + i + size)
        for w in view.words
        for size in (2, 3)
        for i in range(len(w.text) - size + 1)
        if size < len(w.text) and view.dictionary.frequency(w.text[i : i + size])
    }
    assert {(word.start, word.end) for word in added} == inner


@settings(deadline=None, max_examples=60)
@given(st.text(st.sampled_from("乒不中国 ab,"), min_size=1, max_size=12), LANGUAGE)
def test_what_is_said_of_other_methods_holds(looked, text: str, lang: str) -> None:
    context = looked("segmentation", lang, sample=text, guess="skip")
    pieces = cached.model("minilm").tokenizer.pieces
    known = sum(len(piece) == 1 and is_cjk(piece) for piece in pieces)
    unknown = [piece for piece in context.view.methods["wordpiece"] if piece.kind == "unknown"]
    said = [s for s in words.methods_said(context) if "MiniLM" in s and "[UNK]" in s]
    assert bool(said) == bool(unknown) and all(str(len(unknown)) in s for s in said)
    first = text[int(unknown[0].start) : int(unknown[0].end)] if unknown else ""
    assert all((str(known) in s) == any(map(is_cjk, first)) for s in said)  # the cause that is named is one
    if " " in text and text.strip():
        facts = words.spaces(context)
        assert facts["kept"] and "·" in facts["lost"]  # “drop it”: several do


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_long_run_is_unknown_for_its_length(looked, lang: str) -> None:
    context = looked("segmentation", lang, sample="itwas" * 30, guess="skip")
    said = [s for s in words.methods_said(context) if "[UNK]" in s and "MiniLM" in s]
    assert len(said) == 1 and "100" in said[0] and not re.search("汉字|Chinese", said[0])


def test_what_the_gallery_tells_is_so() -> None:
    """Each claim of the gallery's sentences that is not a number under them."""
    bridge = view_of("南京市长江大桥", "-长江大桥")
    mayor = "南京", "市长", "江", "大桥"
    assert bridge.paths[0].texts == ("南京市", "长江", "大桥")
    assert max(p.log_probability for p in all_paths(bridge) if "市长" in p.texts) < bridge.paths[0].log_probability
    assert any(p.texts == mayor for p in all_paths(bridge))
    assert "杭研" in texts(view_of("他来到了网易杭研大厦"), "jieba")
    assert dictionary.dictionary().frequency("杭研") == 0
    assert "杭研" not in texts(view_of("他来到了网易杭研大厦", hmm=False), "jieba")
    racket = view_of(RACKET)
    assert "拍卖" in texts(racket, "jieba") and "完了" in texts(racket, "bpe")
    mixed = view_of("要学Transformer")
    assert "要学" in texts(mixed, "jieba") and len(texts(mixed, "unigram")) == 2 + 6
    assert texts(view_of("要学Transformer", hmm=False), "jieba") == ["要", "学", "Transformer"]
    learning = view_of("我要学中文")
    assert {"要", "学"} <= set(learning.paths[0].texts) and "要学" in texts(learning, "jieba")
    assert texts(learning, "bpe")[0] == "我要" and texts(learning, "unigram") == ["我", "要", "学", "中文"]
    assert "一行行" in texts(view_of("人要是行，干一行行一行"), "jieba")
    alone = view_of("一个人")
    assert texts(alone, "wordpiece") == ["一", "[UNK]", "人"] and texts(alone, "bpe") == ["一个人"]
    rare = view_of("饕餮纹")
    assert "饕餮" in texts(rare, "jieba") and sum(p.kind == "bytes" for p in rare.methods["bpe"]) >= 2
    assert "人工智能" in texts(view_of("人工智能改变世界"), "bpe")
    assert texts(view_of("打工人打工魂", "打工人,打工魂"), "jieba") == ["打工人", "打工魂"]


def test_what_the_gallery_tells_of_english_is_so() -> None:
    books = dictionary.english()
    assert books.frequency("mat") == 2 and all(
        books.frequency(word) > 50 * books.frequency("mat") for word in ("them", "at")
    )
    assert texts(view_of("heisnotable"), "jieba") == ["he", "is", "notable"]
    assert texts(view_of("shehadanicecream"), "jieba")[2:4] == ["a", "nice"]
    for method in ("jieba", "wordpiece", "bpe"):
        assert [text.strip("#") for text in texts(view_of("togetherwestand"), method)] == ["together", "west", "and"]
    assert books.frequency("token") and not books.frequency("tokenization")
    for method in ("wordpiece", "bpe"):
        assert [text.strip("#") for text in texts(view_of("tokenization"), method)] == ["token", "ization"]


def test_a_larger_vocabulary_may_lose_more() -> None:
    found = {spelling.name: spelling for spelling in sizes.spelt(own_words("zh")[: sizes.READ])}
    assert found["wordpiece"].size > found["chinese"].size and found["wordpiece"].unknown > found["chinese"].unknown
    assert found["bpe"].unknown == 0
    assert [spelling.size for spelling in found.values()] == sorted(spelling.size for spelling in found.values())


def texts(view, method: str) -> list[str]:
    return [piece.text for piece in view.methods[method]]


def all_paths(view):
    (graph_,) = (word_graph.graph(block, view.dictionary, at) for at, block, _ in word_graph.blocks(view.text))
    return word_graph.best_paths(graph_, 1000)


@pytest.mark.parametrize(
    ("lang", "text", "cut"),
    [("zh", "研究生命的起源", "研究生命的起源"), ("en", "她在北京读书。", "她在北京读书。"),
     ("zh", "She saw a bear.", "shesawabear"), ("en", "Привет, мир!", EXAMPLES["en"]), ("en", "☃", EXAMPLES["en"])],
)  # fmt: skip
def test_it_begins_with_a_sentence_of_somebodys(looked, lang: str, text: str, cut: str) -> None:
    """Where it can be cut; what either site opens on is nobody's, and a text that was chosen stays."""
    assert looked("segmentation", lang, text=text).text == cut
    assert looked("segmentation", lang, text=text, sample="结婚的和尚").text == "结婚的和尚"
    for language in LANGUAGES:
        assert looked("segmentation", lang, text=samples.example(language)).text == EXAMPLES[lang]


def test_it_is_said_what_is_kept_of_an_english_sentence(looked) -> None:
    """Not of the page's own example, nor of a Chinese one."""
    for text, kept in (("In 2024 I paid $1,299.50", True), ("", False), ("我爱北京天安门", False)):
        context = looked("segmentation", "en", **({"text": text} if text else {}), guess="skip")
        key, facts = words.lead_of(context)
        assert ("only the letters are kept" in context.t.html(key, **facts)) == kept


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("thecatsatonthemat", "catsatmat", "strung"),
        ("hello world", "worldld", "strung"),
        ("ilovenewyork", "ilovenewyorkk", "strung"),
        ("我有3T恤", "3T恤", "strung"),
        ("A股和T恤", "A股", "path"),
        ("2024年我去北京", "2024", "joined"),
        ("3加5等于8", "3", "lone"),
    ],
)
def test_a_word_of_full_mode_is_called_what_it_is(looked, text: str, word: str, kind: str) -> None:
    context = looked("segmentation", "zh", sample=text, mode="full", guess="skip")
    assert kind_of(context, next(one for one in context.view.shown if one.text == word)) == kind


@pytest.mark.parametrize("text", ["我买了3本书。", "今天，天气35度", "我买了3本书", "他来了"])
def test_single_characters_of_the_graph_are_spoken_of_whatever_marks_there_are(looked, text: str) -> None:
    said = words.lead_of(looked("segmentation", "zh", sample=text, guess="skip"))[1]
    assert bool(said["alone"]) == any(char.isdigit() for char in text)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["人工智能改变世界", "他来到了网易杭研大厦", "thecatsatonthemat", "南京市长江大桥"])
def test_a_word_is_called_one_of_the_best_path_only_where_it_is(looked, text: str, mode: str) -> None:
    context = looked("segmentation", "zh", sample=text, mode=mode, guess="skip")
    best = {(edge.start, edge.end) for edge in context.view.paths[0].edges}
    for mark, word in zip(jieba_row(context).pieces, context.view.shown, strict=True):
        assert ("最佳路径上的" in mark.say) <= ((word.start, word.end) in best), mark
    assert ("第二步" not in " ".join(words.notices(context))) or mode != "full"  # it has no second


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("thecatsatonthemat", "catsatmat"),
        ("南京市长江大桥", ""),
        ("2024年我去北京", "2024"),
        ("3加5等于8", ""),
        ("hello", ""),
        ("他说hello", "hello"),
    ],
)
def test_what_full_mode_says_of_its_list_is_so(looked, text: str, joined: str) -> None:
    context = looked("segmentation", "en", sample=text, mode="full", guess="skip")
    view, said = context.view, " ".join(words.notices(context))
    listed = {(word.start, word.end) for word in view.shown}
    every = all((edge.start, edge.end) in listed for edge in view.edges if edge.frequency and len(edge.text) > 1)
    assert (f"here “{joined}”, which is not in the dictionary" in said) == bool(joined)
    assert ("it lists every word of two characters or more" in said) == (every and not joined)
    assert not joined or (joined in [word.text for word in view.shown] and not view.dictionary.frequency(joined))
