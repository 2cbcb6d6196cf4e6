"""The tokens page through AppTest: its numbers, its veil, its bad inputs, in both languages."""

import html
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import load_model
from pages.shared.words.texts import lesson
from pages.stages.tokens import STAGE, words
from pages.stages.tokens.picture import controls, ruler
from pages.stages.tokens.walk import walk, why_special

LONG = "Tokenization is unaffable: electroencephalography, naïve café, snow☃man!"
NASTY = (
    "", " ", "\t\n ", "x", ".", "奥利给", "[MASK]", "[CLS][SEP] [PAD]x[UNK]", "snow☃man", "a" * 101, "a" * 5000,
    "👩\u200d👩\u200d👧", "e\u0301\u0301", "\u0301", "\x00\x07\x7f", "\u200b\ufeff", "<script>alert(1)</script>",
    "שלום עולם \u202eabc\u202c", "한국어", "&lt;b&gt; **x** $y$ {word}", "word " * 400, "。" * 2000, "\U0010ffff\ue000",
)  # fmt: skip


@pytest.fixture
def page(opened):
    """`page("zh", text="…")`: the page, in English where nothing is said."""
    return lambda lang="en", **parameters: opened("tokens", lang, **parameters)


def everything(at) -> str:
    """All that was sent to the browser, but names given by chance: digits of a secret may stand in one."""
    sent = "\n".join(str(element.proto) for element in at.app.main)
    by_chance = {at.data("address")["session"], *re.findall(r'deferred_file_id: "(\w{32})"', sent)}
    return re.sub("|".join(by_chance), "", sent)


def press(at, key: str) -> None:
    at.app.button(key=key).click()
    at.run()


def click(at, **patch: str) -> None:
    """What a click makes of the address while the question is open."""
    for name, value in {**patch, "guess": "open"}.items():
        at.app.query_params[name] = value
    at.run()


def choices(at) -> list[str]:
    return [button.label.strip("*") for button in at.app.button if (button.key or "").startswith("guess_")]


def test_both_languages_have_the_same_keys() -> None:
    texts = lesson("tokens")
    assert texts["zh"].keys() == texts["en"].keys()
    for key, text in texts["en"].items():
        names = set(re.findall(r"\{(\w+)\}", text))
        assert names == set(re.findall(r"\{(\w+)\}", texts["zh"][key])) or key.endswith("_one"), key


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", NASTY)
def test_no_input_breaks_it(page, lang: str, text: str) -> None:
    at = page(lang, text=text, guess="skip")
    view = at.data("ruler")
    assert view["text"] == text[:2000] and len(view["units"]) >= 2
    walk = at.data("walk")
    said = [walk["where"], *walk["intro"], *(stop["reason"] for stop in walk["stops"]), walk["check"]]
    assert "{" in text or not [word for word in [*said, at.html] if re.search(r"\{\w+\}", word)]
    assert not [e for e in at.app.get("html") if "<script>" in e.proto.body]


LEADS = {
    "en": (
        "23 characters, cut into 7 words (punctuation counts, too)",
        "7 tokens; with [CLS] at the start and [SEP] at the end, 9 tokens in all.",
    ),
    "zh": ("23 个字符，先切成 7 个词", "正好是 7 个词元（token）。首尾加上 [CLS] 和 [SEP]，一共 9 个"),
}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_lead_counts_this_sentence(page, lang: str) -> None:
    at = page(lang)
    said = re.sub("<[^>]+>", "", at.html)
    assert all(sentence in said for sentence in LEADS[lang])
    the = page(lang, word=1).data("walk")
    assert the["value"] == "the" and the["where"].endswith("(0, 3)")


def test_the_numbers_in_the_words_are_those_of_the_tokenizer(page) -> None:
    tokenizer = load_model("minilm").tokenizer
    at = page(text=LONG, guess="skip")
    tokens = tokenizer.encode(LONG)
    words = tokenizer.trace(LONG).texts[0].words
    said = at.html
    assert f"{len(LONG)} characters, cut into {len(words)} words, became {len(tokens) - 2} tokens" in said
    assert f"at the end, {len(tokens)} tokens" in said
    assert "electro ##ence ##pha ##log ##raphy" in said
    first = words[4].matches[0]
    assert f"{len(first.candidates) - 1} longer candidates" in said and words[4].text == "electroencephalography"
    assert "token ##ization" in said and "[PAD] 0 · [UNK] 100 · [CLS] 101 · [SEP] 102 · [MASK] 103" in said
    assert f"{sum(p.startswith('[unused') for p in tokenizer.pieces)} more rows" in said
    pieces = at.data("ruler")["pieces"]
    assert [(text, id, start, end) for *_, start, end, text, id, _ in pieces] == [
        (t.text, t.id, t.start, t.end) for t in tokens
    ]


def test_the_walk_of_a_word_tells_every_stop(page) -> None:
    walk = page(text="unaffable", guess="skip", word="1", step="2").data("walk")
    assert [(s["start"], s["end"], s["id"], s["tried"]) for s in walk["stops"]] == [
        (0, 3, 14477, 7), (3, 6, 20961, 4), (6, 9, 3468, 1),
    ]  # fmt: skip
    assert "6 candidates are not in the vocabulary; una is, with id 14477" in walk["stops"][0]["reason"]
    assert walk["check"].endswith("unaffable") and walk["text"] == "unaffable"


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("snow☃man", "1", "What was found before, snow, is discarded"),
        ("☃", "1", "a single candidate, ☃"),
        ("a" * 101, "1", "101 characters. Beyond 100"),
        ("I [MASK] you", "2", "id 103"),
        ("x", "0", "id 101"),
        ("x", "2", "id 102"),
    ],
)
def test_it_says_why(page, text: str, word: str, said: str) -> None:
    walk = page(text=text, guess="skip", word=word).data("walk")
    assert said in " ".join([*walk["intro"], *(stop["reason"] for stop in walk["stops"])])


@pytest.mark.parametrize(
    ("model", "text", "word", "added"),
    [("minilm", "x", "0", "cls"), ("minilm", "x", "2", "sep"),
     ("translator", "我", "1", "eos"), ("poet", "春", "0", "bos")],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_a_model_adds_says_so(page, lang: str, model: str, text: str, word: str, added: str) -> None:
    said = lesson("tokens")[lang][f"walk.added_{added}"].partition("{id}")[0]
    assert said in " ".join(page(lang, text=text, model=model, guess="skip", word=word).data("walk")["intro"])


# ---- predict

SECRETS = ("##ffa", "##ble", "14477", "20961", "3468")


def told(sent: str) -> list[str]:
    """What answers the question; that ##ffable is looked up next, is no secret."""
    return [secret for secret in SECRETS if secret in sent.replace("##ffable", "")]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", ["unaffable", "Unaffable cats are unaffable.", "unaffable [SEP]"])
def test_until_it_is_answered_nothing_answers_it(page, lang: str, text: str) -> None:
    at = page(lang, text=text)
    sent = everything(at)
    assert told(sent) == []
    assert choices(at) == ["3", "7", "9"]
    strip = at.data("strip")["row"]["tokens"]
    assert [token["text"] for token in strip].count("unaffable") == text.lower().count("unaffable")
    units = at.data("ruler")["units"]
    assert [token["at"] for token in strip] == list(range(len(units)))
    veiled = at.data("ruler")["veiled"]
    assert [units[i][3] for i in veiled] == ["unaffable"] * len(veiled) and veiled
    assert at.data("sentence")["draft"]["tokens"] is None


def test_the_veiled_word_can_be_selected_and_stays_veiled(page) -> None:
    at = page(text="unaffable cat")
    click(at, word="1")
    walk = at.data("walk")
    assert walk["value"] == "unaffable" and walk["stops"] == [] and walk["veiled"].startswith("Veiled")
    assert walk["reached"] == len("una") and "una; then ##ffable" in walk["left"]  # as the question says
    assert told(everything(at)) == []


def test_of_a_veiled_word_that_is_merged_no_look_ups_are_shown(looked) -> None:
    context = looked("tokens", model="smollm2", text="The unbelievable electroencephalography")
    word = context.asked.row
    asked = replace(context, values={**context.values, "word": word})
    assert asked.hidden and asked.unit.merges and walk(asked).reached is None and walk(asked).stops == []
    assert walk(asked).veiled and not walk(asked).left
    assert walk(replace(asked, asked=replace(asked.asked, open=False))).stops


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_question_about_a_word_beside_the_text_stands_over_its_walk(page, lang: str) -> None:
    def order(**query) -> list[int]:
        drawn = [str(element.proto) for element in page(lang, **query).app.main]
        return [next(i for i, said in enumerate(drawn) if mark in said) for mark in ("-guess_", "see_ruler")]

    beside, inside = order(text=None), order(text="unaffable")
    assert beside[0] > beside[1] and inside[0] < inside[1]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_answering_opens_it_on_that_word(page, lang: str) -> None:
    at = page(lang, text="The cat is unaffable.")
    assert at.data("walk")["value"] != "unaffable"
    press(at, "guess_7")
    assert "una ##ffa ##ble" in at.html and ("Right." if lang == "en" else "猜对了") in at.html
    assert at.data("walk")["value"] == "unaffable"
    assert [token["at"] for token in at.data("strip")["row"]["tokens"]] == [0, 1, 2, 3, 4, 4, 4, 5, 6]
    assert at.data("sentence")["draft"]["tokens"] == 9


def test_a_wrong_answer_and_waving_off(page) -> None:
    at = page(text="unaffable")
    press(at, "guess_9")
    assert "Not quite." in at.html and "the 6 longer than “una” are not" in at.html
    at = page(text="unaffable")
    press(at, "skip")
    assert "una ##ffa ##ble" in at.html


def test_a_link_to_a_word_opens_with_the_answer_in_sight(page) -> None:
    at = page(text="unaffable cat", word="2")
    assert at.data("walk")["value"] == "cat" and at.data("ruler")["veiled"] == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_where_nothing_is_cut_a_word_that_is_stands_beside(page, lang: str) -> None:
    """On the sentence of either site: asked about, veiled, and walked once that is answered."""
    at = page(lang, text=None)
    sent = everything(at)
    assert choices(at) == ["3", "7", "9"] and told(sent) == []
    assert at.data("walk")["value"] == "unaffable" and at.data("walk")["stops"] == []
    press(at, "guess_7")
    walk = at.data("walk")
    assert len(walk["stops"]) == 3 and walk["marks"] and "una ##ffa ##ble" in at.html
    ruler = at.data("ruler")
    assert walk["unit"] == len(ruler["units"]) and ruler["beside"] and walk["value"] == "unaffable"
    assert "unaffable" not in [token["text"] for token in at.data("strip")["row"]["tokens"]]


def test_the_word_beside_turns_with_the_text_and_is_cut(looked) -> None:
    found = {}
    for text in ("a cat", "a cat.", "a cat!!", "two cats"):
        context = looked("tokens", text=text)
        assert context.question is not None and context.view.beside is not None and not context.view.cut
        found[context.view.beside.text] = context.question.answer
        assert context.view.beside.lookups[0].tried == int(context.question.answer) > 1
    assert len(found) == 4 and len(set(found.values())) > 2
    assert looked("tokens", text="unaffable cat").view.beside is None
    assert looked("tokens", text="我爱螺蛳粉").view.beside is None


def test_steps_that_changed_nothing_are_one_line(page) -> None:
    ruler = page().data("ruler")
    assert [row["label"] for row in ruler["rows"]] == ["typed", "lowercase"]
    assert ruler["words"]["idle"].endswith("cleaned, spaces around Chinese, no accents")
    ruler = page(text="é [MASK] x").data("ruler")
    assert [row["label"] for row in ruler["rows"]] == ["typed", "no accents"]
    assert [change[0] for change in ruler["rows"][1]["changes"]] == [0, *range(2, 8)]


def test_a_click_on_another_word_draws_the_walk_alone() -> None:
    assert STAGE.concerned({}, {"word": 3, "step": None, "guess": "open"}) == ["derivation"]
    assert STAGE.concerned({}, {"step": 2}) == []  # the browser has every step
    assert STAGE.concerned({"open": "1"}, {"word": 3}) == ["derivation", "open_it"]


# ---- around


def test_an_example_is_one_click_away(page) -> None:
    at = page()
    press(at, "example_0")
    assert "unaffable" in at.app.query_params["text"] and at.data("ruler")["text"] == "unaffable"


def test_a_word_outside_the_text_is_repaired_and_said(page) -> None:
    at = page(word="99", step="x", guess="skip")
    assert "word=99" in at.html and "step=x" in at.html
    assert at.data("walk")["value"] == "unaffable"


def test_a_step_beyond_the_word_is_no_harm(page) -> None:
    at = page(text="unaffable cat", word="2", step="3", guess="skip")
    assert len(at.data("walk")["stops"]) == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", ["unaffable", "snow☃man", "{ } $ \\ # _ ^ & ~ %", ""])
def test_open_it(page, lang: str, text: str) -> None:
    at = page(lang, text=text, guess="skip", open="1")
    assert any("def _longest_match" in code.value for code in at.app.code)
    latex = at.app.latex[0].value
    assert r"\max" in latex
    if text == "unaffable":
        assert r"\texttt{una} \to 14477" in latex and "token" in at.html
    assert ("有 0 个不同" if lang == "zh" else "Different: 0.") in at.html


def test_open_it_and_the_range_of_steps_keep_the_veil(page) -> None:
    at = page(text="unaffable", open="1", take="1")
    click(at, step="9")
    assert "1 … 1" in at.html
    assert told(everything(at)) == []
    assert "attention_mask" not in at.html
    assert not [e for e in at.app.get("download_button") if "npz" in str(e.proto)]


def test_of_a_text_that_is_cut_the_rest_stays_in_sight(page) -> None:
    at = page(text="cat " * 500, guess="skip")
    pieces = at.data("ruler")["pieces"]
    assert len(pieces) == 502 and all(kept for *_, kept in pieces)
    at = page(text="a. " * 600, guess="skip")
    assert [kept for *_, kept in at.data("ruler")["pieces"]].count(False) == 1200 - 510


# ---- every sentence on the page is true of this text

CHINESE = st.text(st.sampled_from("我昨天在北京买了三本书螺蛳粉 \t\u200b,.!?:;，。！？Ab"), max_size=30)
ENGLISH = st.lists(st.sampled_from(["cats", "unaffable", "Élan", "snow☃man", "[MASK]", "[SEP]", "3.14", "  ", "走"]))


@settings(deadline=None, max_examples=80)
@given(CHINESE, st.sampled_from(["en", "zh"]))
def test_what_is_dropped_is_told_and_the_rest_is_counted(looked, text: str, lang: str) -> None:
    context = looked("tokens", lang, text=text, model="translator", guess="skip")
    key, names = words.lead(context)
    if not context.view.words:
        return
    gone = len(text) - len(context.view.words)
    numbers = [
        int(n) for n in re.findall(r"\d+", re.sub("<b>.*?</b>", "", context.t(key, **names)).replace("one of", "1"))
    ]
    assert numbers == [len(text), *([gone] if gone else []), len(context.page.trace.tokens)]
    assert len(context.view.words) == len(context.page.trace.tokens) - 1


@settings(deadline=None, max_examples=80)
@given(CHINESE, st.sampled_from(["en", "zh"]))
def test_what_is_said_of_marks_and_unknown_characters_holds(looked, text: str, lang: str) -> None:
    context = looked("tokens", lang, text=text, model="translator", guess="skip")
    said = [sentence.replace("“", "").replace("”", "") for sentence in words.notices(context)]  # marks stand in quotes
    unknown = sum(token.id == context.tokenizer.unk_id for token in context.page.trace.tokens)
    about = [sentence for sentence in said if "[UNK]" in sentence and "<b>" in sentence]
    marks = context.view.row_of["punctuation"].changed
    if marks:
        became = context.view.row_of["punctuation"].cells[marks[0]] or ""
        known = context.tokenizer.id_of(became) is not None
        (sentence,) = (s for s in said if f"<b>{became}</b>" in s and f"<b>{html.escape(text[marks[0]])}</b>" in s)
        assert ("[UNK]" in sentence) != known
        about = [other for other in about if other != sentence]
    assert bool(about) == bool(unknown)
    if unknown > 1:
        assert str(unknown) in about[0]


@settings(deadline=None, max_examples=60)
@given(ENGLISH, st.sampled_from(["en", "zh"]))
def test_what_is_said_of_english_holds(looked, pieces: list[str], lang: str) -> None:
    text = " ".join(pieces)
    context = looked("tokens", lang, text=text, model="minilm", guess="skip")
    said = " ".join(words.notices(context))
    if {"en": "row of its own", "zh": "一行，所以"}[lang] in said:
        assert all(word.text in context.tokenizer.pieces for word in context.view.words)
    assert ({"en": "cannot say what belongs", "zh": "猜不出"}[lang] in said) <= ("[MASK]" in text)
    assert not re.search(r"\b1 (words|characters|tokens)\b", said)


def test_every_sentence_of_counts_agrees(looked) -> None:
    for text in ("x", "cat", "螺", " 螺", "我 ", "我"):
        context = looked("tokens", "en", text=text, guess="skip")
        key, names = words.lead(context)
        assert not re.search(r"\b1 (words|characters|tokens)\b", context.t(key, **names)), text
        assert "are 1" not in " ".join(words.notices(context))


WHY = {"en": "Why pieces?", "zh": "为什么要用子词？"}


@pytest.mark.parametrize("lang", ("en", "zh"))
def test_why_pieces_is_said_where_the_text_is_spelt_with_them(looked, lang: str) -> None:
    text = "My grandmother plays on rainy Tuesdays."
    said = " ".join(words.notices(looked("tokens", lang, text=text, guess="skip")))
    letters = sum(not character.isspace() for character in text)
    assert WHY[lang] in said and str(letters) in said and "8 tokens here" in said.replace("8 个词元", "8 tokens here")
    for other in ("The cat sat.", "rainy Tuesdays ☃"):  # nothing is cut; something cannot be spelt
        assert WHY[lang] not in " ".join(words.notices(looked("tokens", lang, text=other, guess="skip")))
    asked = looked("tokens", lang, text="My unaffable grandmother plays.")
    assert asked.veiled and WHY[lang] not in " ".join(words.notices(asked))  # it would tell


@pytest.mark.parametrize("model", ["translator", "poet"])
@pytest.mark.parametrize("text", ["我昨天在北京买了三本书", "春眠 不觉晓。", "龘"])
def test_a_character_is_not_called_a_word(looked, model: str, text: str) -> None:
    """Where it is a token: in the ruler, the controls, and the walk of every one of them."""
    for at in range(len(text) + 1):
        context = looked("tokens", "zh", text=text, model=model, word=at, guess="skip")
        said = [ruler(context).data(), controls(context).data(), *([] if context.aside else [walk(context).data()])]
        beside = context.view.beside.text if context.view.beside else "-"
        plain = json.dumps(said, ensure_ascii=False).replace(f"“{beside}”", "")
        assert not re.findall(r"词(?!元|表).{0,8}", plain)


@pytest.mark.parametrize("special", ["<s>", "[CLS]", "[start]", "</s>"])
def test_whatever_a_model_adds_there_are_words_for_it(looked, special: str) -> None:
    context = looked("tokens", text="The cat sat.", guess="skip")
    added = next(unit for unit in context.view.units if unit.kind == "added")
    key = why_special(context.t, replace(added, text=special))
    assert special in context.t(key, token=special, id=0)
    assert key == ("walk.added_cls" if special == "[CLS]" else "walk.added")
