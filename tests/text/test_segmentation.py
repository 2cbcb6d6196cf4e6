"""Our graph, paths and modes against jieba itself and against every path there is; a visitor's words stay theirs."""

import math
from collections import ChainMap
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text import own_words, segmentation
from core.text.dictionary import GREATEST, Dictionary, dictionary
from core.text.own_words import suggested
from core.text.segmentation import cut, full
from core.text.word_graph import best_paths, blocks, graph, paths, threshold

unhurried = settings(deadline=None)
RACKET = "乒乓球拍卖完了"
TEXTS = (
    RACKET, "南京市长江大桥", "结婚的和尚未结婚的", "他来到了网易杭研大厦", "小红书上的吴恩达", "我用ChatGPT写 作业",
    "要学Transformer", "3.14是圆周率，不是 22/7！", "T恤和卡拉OK\r\n\tA股", "奥利给", "内卷", "𠮷野家👩饕餮", "", " ",
    "。", "The cat sat on the mat.", "iPhone15", "-x+#&", "校长说校服上除了校徽别别别的",
)  # fmt: skip


@pytest.fixture(scope="module")
def words() -> Dictionary:
    return dictionary()


def their(words: Dictionary):
    """jieba's own tokenizer over the same words; it is given them, so it loads and writes nothing."""
    import jieba

    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total, tokenizer.initialized = words.frequencies, words.total, True  # type: ignore[assignment]
    return tokenizer


def texts(made) -> list[str]:
    return [word.text for word in made]


@pytest.mark.long
def test_the_dictionary_is_jiebas(words: Dictionary) -> None:
    import jieba

    frequencies, total = jieba.Tokenizer.gen_pfdict(jieba.get_module_res("dict.txt"))
    assert words.frequencies == frequencies and words.total == total == 60_101_967
    assert words.tags["乒乓球"] == "n" and words.frequency("乒乓球") == 336 and words.frequency("乒乓球拍卖") == 0
    assert words.tags.keys() <= words.frequencies.keys()


# What jieba may meet: dictionary words, single characters of every kind, whitespace.
SOME = st.sampled_from([word for i, word in enumerate(dictionary().tags) if i % 97 == 0])
LETTERS = st.sampled_from("乒乓球拍卖完了的一是不我ChatGPT 3.14%，。\n\r\t+#-&iPhone15T恤AA制K歌卡拉OK𠮷👩\u3000")
MIXED = st.lists(SOME | LETTERS, max_size=14).map("".join)


def same(text: str, words: Dictionary) -> None:
    jieba = their(words)
    assert texts(cut(text, words)) == jieba.lcut(text)
    assert texts(cut(text, words, hmm=False)) == jieba.lcut(text, HMM=False)
    assert texts(segmentation.search(text, words)) == jieba.lcut_for_search(text)
    assert texts(full(text, words)) == [word for word in jieba.lcut(text, cut_all=True) if word]
    for made in (cut(text, words), full(text, words), segmentation.search(text, words)):
        assert all(text[word.start : word.end] == word.text for word in made)
    assert "".join(texts(cut(text, words))) == text


@pytest.mark.parametrize("text", TEXTS)
def test_every_mode_is_jiebas(text: str, words: Dictionary) -> None:
    same(text, words)


@unhurried
@given(MIXED)
def test_every_mode_is_jiebas_on_anything(text: str) -> None:
    same(text, dictionary())


@unhurried
@given(
    MIXED, st.dictionaries(SOME | st.text("乒乓球拍卖完了", min_size=1, max_size=5), st.integers(1, 10**6), max_size=4)
)
def test_with_a_visitors_words_too(text: str, own: dict[str, int]) -> None:
    same(text, dictionary().changed(own))


def every_path(graph, at: int = 0):
    if at == len(graph):
        yield ()
        return
    for edge in graph[at]:
        for rest in every_path(graph, at + len(edge.text)):
            yield (edge, *rest)


@unhurried
@given(
    st.lists(SOME | st.sampled_from("乒乓球拍卖完了中国人民大学生"), min_size=1, max_size=4)
    .map("".join)
    .filter(lambda t: len(t) < 13)
)
def test_the_best_paths_are_the_best_of_all(text: str) -> None:
    words = dictionary()
    for _, block, inside in blocks(text):
        if not inside:
            continue
        edges = graph(block, words)
        everything = sorted((math.fsum(e.log_probability for e in path) for path in every_path(edges)), reverse=True)
        found = best_paths(edges, 5)
        assert [path.log_probability for path in found] == pytest.approx(everything[:5], abs=1e-9)
        assert len({path.edges for path in found}) == len(found) == min(5, len(everything))
        for path in found:
            assert "".join(path.texts) == block
            assert math.fsum(e.log_probability for e in path.edges) == pytest.approx(path.log_probability, abs=1e-9)


def test_several_blocks_are_one_path(words: Dictionary) -> None:
    text = f"{RACKET}，{RACKET}"
    both = paths([graph(block, words, at) for at, block, inside in blocks(text) if inside], 3)
    one = paths([graph(RACKET, words)], 2)
    assert both[0].log_probability == pytest.approx(2 * one[0].log_probability)
    assert both[1].log_probability == both[2].log_probability == pytest.approx(one[0][1] + one[1][1])
    assert [e.start for e in both[0].edges] == [0, 3, 5, 6, 8, 11, 13, 14]


# ---- measured


def test_the_racket(words: Dictionary) -> None:
    """What the lab opens on: -35.69 against -37.85, and from 26 on the other one wins."""
    best, second = paths([graph(RACKET, words)], 2)
    assert best.texts == ("乒乓球", "拍卖", "完", "了") and round(best.log_probability, 2) == -35.69
    assert second.texts == ("乒乓球拍", "卖完", "了") and round(second.log_probability, 2) == -37.85
    assert threshold(RACKET, words, "乒乓球拍") == 26
    assert texts(cut(RACKET, words.changed({"乒乓球拍": 25}))) == ["乒乓球", "拍卖", "完", "了"]
    assert texts(cut(RACKET, words.changed({"乒乓球拍": 26}))) == ["乒乓球拍", "卖完", "了"]
    enough = suggested("乒乓球拍", words)
    assert enough == their(words).suggest_freq("乒乓球拍") < 26  # which does not mend it


@pytest.mark.parametrize(
    ("text", "off", "on"),
    [("杭研", "杭/研", "杭研"), ("原神", "原/神", "原神"), ("小红书", "小/红/书", "小红书"),
     ("绝绝子", "绝/绝/子", "绝绝子"), ("我用ChatGPT", "我/用/ChatGPT", "我用/ChatGPT"), ("内卷", "内/卷", "内/卷")],
)  # fmt: skip
def test_the_second_step(words: Dictionary, text: str, off: str, on: str) -> None:
    assert "/".join(texts(cut(text, words, hmm=False))) == off and "/".join(texts(cut(text, words))) == on


def test_states_are_told_and_the_path_stays(words: Dictionary) -> None:
    (made,) = cut("小红书", words)
    assert made.kind == "hmm" and made.states == "BME"
    alone, longer = cut("要学Transformer", words)
    assert (alone.states, longer.states, longer.kind) == ("BE", "", "joined")
    for text in TEXTS:  # what the path had of two characters and more is untouched
        long = {
            (e.start, e.end)
            for p in paths([graph(b, words, at) for at, b, i in blocks(text) if i], 1)
            for e in p.edges
            if e.end - e.start > 1
        }
        assert long <= {(word.start, word.end) for word in cut(text, words)}


@unhurried
@given(MIXED, SOME | st.text("乒乓球拍卖完了", min_size=1, max_size=4))
def test_below_the_threshold_it_is_not_taken(text: str, word: str) -> None:
    words = dictionary()
    at = threshold(text, words, word)

    def taken(frequency: int) -> bool:
        changed = words.changed({word: frequency})
        return any(word in best_paths(graph(block, changed))[0].texts for _, block, inside in blocks(text) if inside)

    if at is None:
        assert not taken(GREATEST)
    else:
        assert taken(at) and (at == 0 or not taken(at - 1))


def test_what_a_threshold_says_beyond_that(words: Dictionary) -> None:
    assert (
        threshold(RACKET, words, "了") == 0 and threshold(RACKET, words, "乒") is None
    )  # 了 is covered by nothing else
    # The total grows with the frequency: this word is won, and lost again to a path of fewer words.
    text, word = "五种他俩万立方米", "俩万立"
    at = threshold(text, words, word)
    assert at is not None and 10**7 < at < 2 * 10**7
    assert word in texts(cut(text, words.changed({word: at}))) and word not in texts(
        cut(text, words.changed({word: 10**9}))
    )
    # The same word elsewhere on the path is another edge.
    at_first, at_second = (threshold("乒乓球，乒乓拍", words, "乒乓", at) for at in (0, 4))
    assert threshold("乒乓球，乒乓拍", words, "乒乓") == at_second and at_first != at_second


def test_add_word_counts_the_old_frequency_in_its_total(words: Dictionary) -> None:
    """What the page says of N: an overlay's total is the sum of its frequencies, jieba's is not after add_word."""
    theirs = their(words)
    theirs.FREQ = dict(words.frequencies)
    theirs.add_word("乒乓球拍", 26)
    assert theirs.total == words.total + 26 and words.changed({"乒乓球拍": 26}).total == words.total + 23


# ---- a visitor's words


def test_words_are_laid_over_and_never_copied(words: Dictionary) -> None:
    mine = words.changed({"奥利给": 5, "乒乓球拍": 26})
    assert isinstance(mine.frequencies, ChainMap) and mine.frequencies.maps[1] is words.frequencies
    assert mine.frequency("奥利给") == 5 and words.frequency("奥利给") == 0 and words.frequency("乒乓球拍") == 3
    assert mine.total == words.total + 5 + 23 and words.total == 60_101_967
    with pytest.raises(TypeError):
        words.frequencies["奥利给"] = 1  # type: ignore[index]
    for wrong in ({"": 1}, {"奥利给": -1}):
        with pytest.raises(ValueError):
            words.changed(wrong)


def test_a_removed_word_is_gone_from_the_second_step_too(words: Dictionary) -> None:
    assert texts(cut("他去网易杭研", words)) == ["他", "去", "网易", "杭研"]
    assert texts(cut("他去网易杭研", words.changed({"杭研": 0}))) == ["他", "去", "网易", "杭", "研"]
    from jieba import finalseg

    assert not finalseg.Force_Split_Words  # jieba's own list is everybody's


def test_a_suggested_frequency_mends_a_new_word(words: Dictionary) -> None:
    enough = suggested("奥利给", words)
    assert enough == their(words).suggest_freq("奥利给") > 0
    assert texts(cut("奥利给", words.changed({"奥利给": enough}))) == ["奥利给"]


def test_two_visitors_at_once(words: Dictionary) -> None:
    def visit(i: int) -> list[str]:
        mine = words.changed({"乒乓球拍": 26} if i % 2 else {"球拍卖": 10**6})
        return texts(cut(RACKET, mine))

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(visit, range(400)))
    assert all(seen[i] == (["乒乓球拍", "卖完", "了"] if i % 2 else ["乒乓", "球拍卖", "完", "了"]) for i in range(400))
    assert texts(cut(RACKET, words)) == ["乒乓球", "拍卖", "完", "了"]


@pytest.mark.parametrize(
    ("raw", "words_", "refused"),
    [
        ("", {}, []),
        ("打工人, 乒乓球拍:26，-和尚\n奥利给：5", {"打工人": None, "乒乓球拍": 26, "和尚": 0, "奥利给": 5}, []),
        ("拍卖:1,067,打工人:1,000,000,内卷：２６", {"拍卖": 1067, "打工人": 10**6, "内卷": 26}, []),
        ("内卷:3, 100", {"内卷": 3, "100": None}, []),
        ("New York:3", {}, [("New York:3", "spaces")]),
        (":5", {}, [(":5", "empty")]),
        ("-", {}, [("-", "empty")]),
        ("打工人:0,打工魂:-3,内卷:x,原神:1.5,新:99999999999", {}, [
            ("打工人:0", "frequency"), ("打工魂:-3", "frequency"), ("内卷:x", "frequency"), ("原神:1.5", "frequency"),
            ("新:99999999999", "frequency"),
        ]),
        ("你，好。", {"你": None}, [("好。", "outside")]),
        ("👩", {}, [("👩", "outside")]),
        ("长" * 21, {}, [("长" * 21, "too_long")]),
        ("奥利给:5,奥利给:7", {"奥利给": 7}, []),
        (",".join(f"x{i}" for i in range(51)), {f"x{i}": None for i in range(50)}, [("x50", "too_many")]),
    ],
)  # fmt: skip
def test_words_are_read_and_bad_ones_named(raw: str, words_: dict, refused: list) -> None:
    words, refusals = own_words.read_words(raw)
    assert words == words_ and [tuple(r) for r in refusals] == refused
    assert own_words.read_words(own_words.written(words)) == (words, [])


@unhurried
@given(st.text(max_size=60))
def test_any_words_can_be_read(raw: str) -> None:
    words, _ = own_words.read_words(raw)
    assert own_words.read_words(own_words.written(words)) == (words, [])
    mine = dictionary().changed(own_words.weighed(words, dictionary()))
    assert "".join(texts(cut(RACKET, mine))) == RACKET
