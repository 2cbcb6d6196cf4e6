"""The meaning lab through AppTest, in both languages and with both models."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity
from streamlit.util import calc_hash

from core.questions import CLEAR
from core.questions.meaning import nearest_word
from core.views.maps import SNAPSHOTS, Plan, draw, quality
from core.views.meaning import word_set
from pages.shared.page.stage import Asked
from pages.shared.server import cached
from pages.shared.words.numbers import PROSE, short
from pages.shared.words.texts import LANGUAGES, Texts, lesson
from pages.stages.meaning import STAGE
from pages.stages.meaning.context import opening, space_of, words_to_ask
from pages.stages.meaning.groups import ready
from pages.stages.meaning.opened import compared_neighbours
from pages.stages.meaning.word import compared
from tests.pages.meaning_page import (
    BOOKS,
    CAT,
    MODELS,
    address,
    drawn,
    packed,
    protos,
    ring,
    words,
)

TITLES = {
    "sum": "sum.title", "sentences": "sentences.title", "grew": "grew.title",
    "gradient": "gradient.title",
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", [None, CAT, BOOKS, "", "x", "😀 奥利给", "<script>alert(1)</script>", "word " * 500])
def test_any_sentence(opened, lang: str, text: str | None) -> None:
    page = opened("meaning", lang, text=text, guess="skip", groups="sentence")
    assert not re.search(r"\{[a-z_0-9]+\}", page.html)
    assert lesson("meaning")[lang]["context.title"] in page.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("section, title", TITLES.items())
def test_one_section_at_a_time(opened, lang: str, model: str, section: str, title: str) -> None:
    page = opened("meaning", lang, text=MODELS[model], guess="skip", section=section)
    assert not re.search(r"\{[a-z_0-9]+\}", page.html)
    assert [key for key in TITLES.values() if f">{lesson('meaning')[lang][key]}<" in page.html] == [title]


# ---- the question


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
def test_while_it_is_open_nothing_answers_it(opened, lang: str, model: str) -> None:
    page = opened("meaning", lang, text=MODELS[model])
    answers = ("0.4625", "0.4624", ">0.462<") if model == "minilm" else ("0.4013", "0.401")
    everything = page.html + json.dumps([page.data("derivation"), page.data("near")])
    assert not any(answer in everything for answer in answers)
    hidden = {"winter", "summer", "february", "november"} if model == "minilm" else {"三", "three", "四", "老师"}
    header, numbers = packed(page, "map")
    asked = "winter" if model == "minilm" else "三"
    assert header["texts"][header["asked"]] == asked and asked in hidden  # it is named, the others are covered
    assert drawn(page).count("?") == len(hidden) - 1 and hidden & {*drawn(page), *ring(page)} == {asked}
    n = len(header["texts"])
    near, cosines = numbers[n * 2 :].reshape(2, n, 5)
    covered = [i for i, text in enumerate(header["texts"]) if text == "?"]
    assert (near[covered] == -1).all() and np.isnan(cosines[covered]).all()
    assert not np.isin(near, [*covered, header["asked"]]).any()
    choices = hidden - {asked}
    rows = {row["id"]: row["cosine"] for row in page.data("near")["rows"]}
    assert {id for id, cosine in rows.items() if cosine is None} == choices  # they stand there without a number
    assert page.data("derivation")["id"].startswith(f"{asked}/") and page.data("derivation")["steps"]
    for typed in sorted(choices):
        page.typed("of", typed)
        assert "near" not in protos(page)
        assert page.data("derivation")["value"] == lesson("_common")[lang]["matrix.veiled"]
        assert not any(answer in page.html for answer in answers)


@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_what_is_followed_first_is_the_word_that_is_asked_about_and_no_answer(looked, opened, model: str) -> None:
    every = len(looked("meaning", model=model).sample["asked"])
    for ask in range(every):
        context = looked("meaning", model=model, ask=ask)
        about = context.words_asked
        assert context.of == about.word and not context.hidden and not context.covers(context.to)
        others = {word.casefold() for word in about.others}
        numbered = {row.text.removeprefix("␣").casefold() for row in compared(context).rows if row.cosine is not None}
        assert not numbered & others, "a choice in other letters, too"
        drawn = {word.text: cosine_similarity([context.word.vector], [word.vector])[0, 0]
                 for word in context.words.words if word.text not in context.veil}  # fmt: skip
        assert max(drawn, key=lambda text: drawn[text]) == context.to.removeprefix("␣"), (
            "nearest of those that are not covered"
        )
        page = opened("meaning", "en", text=None, model=model, ask=ask, guess="open", of=about.word, to=about.others[0])
        assert page.data("derivation")["value"] == lesson("_common")["en"]["matrix.veiled"]
        assert "near" not in protos(page)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
def test_arrows_are_explained_where_there_are_any(opened, lang: str, model: str) -> None:
    page = opened("meaning", lang, model=model, guess="skip")
    said = lesson("meaning")[lang]["context_arrows"] in page.html
    assert said and "senses" in protos(page)
    own = opened("meaning", lang, model=model, guess="skip", sense="own", sense_word="the", sense_text="the cat")
    assert lesson("meaning")[lang]["context_arrows"] not in own.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", MODELS)
def test_an_answer_shows_it(opened, lang: str, model: str) -> None:
    page = opened("meaning", lang, text=MODELS[model])
    page.app.button(key="guess_word1").click()
    page.run()
    assert lesson("_common")[lang]["predict_right"] in page.html
    value, id = ("0.4625", "winter/summer") if model == "minilm" else ("0.4013", "三/四")
    assert page.data("derivation")["value"] == value and page.data("derivation")["id"] == id and value[:5] in page.html
    assert ring(page) == [id[: id.index("/")]] and "?" not in drawn(page)
    assert packed(page, "map")[0]["asked"] == -1


# ---- the map


def test_it_opens_on_the_groups_that_separate_best(opened) -> None:
    page = opened("meaning", "en", guess="skip")
    assert len(drawn(page)) == 130 and "<td>1.00</td>" in page.html and "<td>0.12</td>" in page.html
    assert lesson("meaning")["en"]["group.royalty"] in packed(page, "map")[0]["names"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("how", [{"map": "pca"}, {"snapshot": 0}, {"snapshot": 250}, {"start": "random", "seed": 3}])
def test_every_control_draws(opened, model: str, dimensions: int, how: dict) -> None:
    page = opened("meaning", "en", text=MODELS[model], guess="skip", dimensions=dimensions, **how)
    header, numbers = packed(page, "map")
    n = len(header["texts"])
    assert header["dimensions"] == dimensions and len(numbers) == n * (dimensions + 10)
    assert header["snapshots"] == ([] if how.get("map") == "pca" else list(SNAPSHOTS))
    said = "gives a different map" in page.html or "fairly stable" in page.html
    assert said == ("start" in how)
    assert not re.search(r"e\d{3}|nan", page.html)
    assert (lesson("meaning")["en"]["trust_head.divergence"] in page.html) == (
        how.get("map") != "pca" and "snapshot" not in how
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "how, said, unsaid",
    [
        ({}, ["trust_parts", "trust_tsne"], ["trust_mixes", "trust_pca"]),
        ({"map": "pca"}, ["trust_mixes", "trust_pca"], ["trust_parts", "trust_tsne"]),
        ({"snapshot": 250}, ["trust_mixes", "trust_exaggerated"], ["trust_parts", "trust_tsne"]),
        ({"snapshot": 0}, ["trust_mixes", "trust_start"], ["trust_parts", "trust_tsne"]),
    ],
)
def test_what_is_said_of_a_map_is_said_of_this_one(opened, lang: str, how: dict, said: list, unsaid: list) -> None:
    html = opened("meaning", lang, guess="skip", **how).html
    words = {key: lesson("meaning")[lang][key].split("{")[0] for key in said + unsaid}
    assert all(words[key] in html for key in said) and not any(words[key] in html for key in unsaid)


def test_what_a_map_joins_is_near_in_the_space(opened) -> None:
    """Of every word on the map its five nearest that are there, by scikit-learn; the same for every arrangement."""
    page = opened("meaning", "en", guess="skip")
    header, numbers = packed(page, "map")
    n = len(header["texts"])
    near, alike = numbers[n * 2 :].reshape(2, n, 5)
    space = space_of("minilm")
    rows = np.array([found.vector for text in header["texts"] if (found := space.word(text))])
    wanted = cosine_similarity(rows) - 3 * np.eye(n)
    np.testing.assert_allclose(alike, -np.sort(-wanted, axis=1)[:, :5], atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(wanted, near.astype(int), 1), alike, atol=1e-5)
    for how in ({"map": "pca"}, {"snapshot": 0}):
        assert np.array_equal(packed(opened("meaning", "en", guess="skip", **how), "map")[1][n * 2 :], numbers[n * 2 :])


def test_the_run_can_be_played(opened) -> None:
    """Each snapshot is a parameter like another: the browser goes through them, and the piece alone is drawn anew."""
    for snapshot in SNAPSHOTS:
        assert packed(opened("meaning", "en", guess="skip", snapshot=snapshot), "map")[0]["snapshot"] == snapshot
    assert STAGE.concerned({}, {"snapshot": 250}) == ["picture"]


def test_a_seed_is_offered_where_it_decides_something(opened) -> None:
    for how, wanted in (({}, False), ({"start": "random"}, True), ({"start": "random", "map": "pca"}, False)):
        (controls,) = json.loads(protos(opened("meaning", "en", guess="skip", **how))["map_controls"].json)
        assert ("seed" in [control["name"] for control in controls["more"]["controls"]]) == wanted


def test_typed_words_are_drawn_and_what_cannot_be_is_named(opened) -> None:
    page = words(opened("meaning", "en", guess="skip"), "pets: cat dog Cat 奥利给 hamsters\n<b>x</b>: unaffable <i>")
    assert address(page, "groups") == "own"
    assert {"cat", "dog", "hamsters", "unaffable"} <= set(drawn(page)) and "奥利给" not in drawn(page)
    assert "奥利给" in page.html and "una + ##ffa + ##ble" in page.html and "Cat" in page.html
    assert "<i>" in drawn(page)  # as text, which is all the picture makes of it
    assert "groups" in page.query and "typed" not in page.query


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_few_words(opened, lang: str, count: int) -> None:
    page = opened("meaning", lang, guess="skip", perplexity=50)
    page = words(page, " ".join(["one", "two", "three", "four", "five"][:count]) or "奥利给")
    if count:
        assert len(drawn(page)) == count
    else:
        assert lesson("meaning")[lang]["no_words_left"] in page.html
    if count == 5:
        assert "50" in page.html


def test_five_thousand_words_are_limited_and_arranged_beside_the_page(opened, minilm) -> None:
    many = [piece for piece in minilm.tokenizer.pieces if piece.isascii() and piece.isalpha()][:5000]
    page = opened("meaning", "en", guess="skip")
    page = words(page, "\n".join(f"{i}: {' '.join(many[i::4])}" for i in range(4)))
    assert len(drawn(page)) == 1000 and "4,000" in page.html
    page.app.button(key="cancel").click()
    page.run()
    assert address(page, "map") == "pca" and len(drawn(page)) == 1000


def test_a_link_to_typed_words_says_that_they_are_not_in_it(opened) -> None:
    page = opened("meaning", "en", guess="skip", groups="own")
    assert lesson("meaning")["en"]["own_elsewhere"] in page.html


# ---- the word


def test_a_word_is_followed(opened) -> None:
    page = opened("meaning", "en", guess="skip", of="king")
    assert ring(page) == ["king"] and page.data("derivation")["id"] == "king/queen"
    page.typed("of", "queen")
    assert address(page, "of") == "queen" and page.data("derivation")["id"].startswith("queen/")
    assert ring(opened("meaning", "en", guess="skip", of="queen")) == ["queen"]
    page = opened("meaning", "en", guess="skip", of="good", to="bad")
    assert page.data("derivation")["value"] == "0.5350"
    assert ring(page) == [] and lesson("meaning")["en"]["not_on_map"].replace("{word}", "good") in page.html
    page.app.button(key="put_on_map").click()
    page.run()
    assert ring(page) == ["good"] and "opposites" in address(page, "groups")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("model", ["minilm", "translator", "poet", "smollm2"])
@pytest.mark.parametrize("guess", ["skip", None])
def test_what_is_compared_at_first_is_on_the_map(looked, lang: str, model: str, guess: str | None) -> None:
    """Of a word that is there itself: the nearest of all it may be compared with there."""
    context = looked("meaning", lang, model=model, **({"guess": guess} if guess else {}))
    drawn = {word.name: word for word in context.words.words if word.text not in context.veil}
    assert context.to in drawn and context.of != context.to
    if context.veiled:
        mine = {name: float(cosine_similarity([context.word.vector], [word.vector])[0, 0])
                for name, word in drawn.items() if word.ids != context.word.ids}  # fmt: skip
        assert context.to == max(mine, key=lambda name: mine[name])


@pytest.mark.parametrize(
    "model, of, to, value", [("minilm", "s", "##s", "0.5148"), ("translator", "doors", "[PAD]", "0.9911")]
)
def test_the_row_of_a_piece_is_followed_as_it_is_named(opened, model: str, of: str, to: str, value: str) -> None:
    """Spelled as a word, ##s would be three other rows, and [PAD] none."""
    page = opened("meaning", "en", text=MODELS[model], guess="skip", of=of, to=to, open=1)
    assert page.data("derivation")["value"] == value and page.data("derivation")["id"] == f"{of}/{to}"
    assert value in page.app.latex[0].value
    page = opened("meaning", "en", text=MODELS[model], guess="skip", of=of)
    assert page.data("derivation")["id"] in ("s/##s", "doors/[UNK]")  # such a row is the nearest of all


BROKEN = {
    "of": "", "to": "😀", "groups": "emotions,nonsense", "map": "umap", "perplexity": "7", "metric": "x",
    "start": "y", "seed": "100", "dimensions": "4", "snapshot": "999", "a": "", "sense": "z", "depth": "99",
    "trained": "1", "grown": "q", "section": "r",
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_address_is_mended_with_a_sentence(opened, lang: str, name: str) -> None:
    page = opened("meaning", lang, guess="skip", **{name: BROKEN[name]})
    assert f"{name}={BROKEN[name]}" in page.html


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("depth", ["abc", "", "3.5", "-1", "１", "9" * 5000, "8"])
def test_a_depth_that_means_nothing_is_mended(opened, model: str, depth: str) -> None:
    """The deepest of a translator with two layers is 3, of MiniLM 7."""
    page = opened("meaning", "en", text=MODELS[model], guess="skip", depth=depth)
    layers = 6 if model == "minilm" else 2
    assert f"depth={depth[:40]}" in page.html and f"0 … {layers + 1}" in page.html
    assert page.data("address")["params"]["depth"]["default"] == layers + 1 and "depth" not in page.address
    assert f"(after layer {layers})" in packed(page, "senses")[0]["said"][-1][-1]


def test_a_depth_of_minilm_is_not_kept_for_the_translator(opened) -> None:
    page = opened("meaning", "en", guess="skip", depth=6)
    assert page.address["depth"] == "6"
    page.app.button(key="other_model_translator").click()
    page.run()
    assert "depth" not in page.address and len(packed(page, "senses")[0]["names"]) == 4


# ---- what was typed


def reloaded(opened, page):
    """As a browser does it: of a visit, all that is left is the address. Another theme does it, too."""
    left = {**page.run().address, "theme": "dark"}
    return opened("meaning", left.pop("lang"), **left)


def test_typed_words_outlive_a_reload_where_they_fit_the_address(opened) -> None:
    page = words(opened("meaning", "en", guess="skip"), "pets: cat dog hamsters\ncolours: red green blue")
    again = reloaded(opened, page)
    assert set(drawn(again)) == {"cat", "dog", "hamsters", "red", "green", "blue"}
    assert lesson("meaning")["en"]["own_elsewhere"] not in again.html
    again.app.button(key="back_words").click()
    assert not {"words", "groups"} & set(again.run().run().address) and len(drawn(again)) == 130


def test_longer_lists_stay_in_the_visit(opened, minilm) -> None:
    many = [piece for piece in minilm.tokenizer.pieces if piece.isascii() and piece.isalpha() and len(piece) > 5][:900]
    page = words(opened("meaning", "en", guess="skip", map="pca"), " ".join(many))
    assert "words" not in page.run().address and len(drawn(page)) == 900


@pytest.mark.parametrize("name, typed", [("sense_text", "the plant\na plant\n\nplant a tree"), ("sense_word", "plant")])
def test_ones_own_sentences_outlive_a_reload(opened, name: str, typed: str) -> None:
    page = opened("meaning", "en", guess="skip", sense="own")
    again = reloaded(opened, page.typed(name, typed))
    assert again.box(name)[1]["handed"] == typed


def test_compared_sentences_outlive_a_reload(opened) -> None:
    page = opened("meaning", "en", guess="skip", section="sentences")
    page.typed("sentences", "one\ntwo")
    assert "two" in packed(reloaded(opened, page), "sentences")[0]["sentences"]


def test_two_labs_keep_their_words_apart(opened) -> None:
    """They had one key of the session: the list of one stood in the box of the other, and was lost there."""
    page = words(opened("meaning", "en", guess="skip", map="pca"), "pets: cat dog hamsters")
    page.app._page_hash = calc_hash("segmentation")
    page.app.query_params.clear()
    page.app.query_params.update({"lang": "en", "guess": "skip", "section": "own", "words": "乒乓球拍:26"})
    assert page.run().address["words"] == "乒乓球拍:26" and page.box("words")
    page.app._page_hash = calc_hash("meaning")
    page.app.query_params.clear()
    page.app.query_params.update({"lang": "en", "guess": "skip", "groups": "own", "map": "pca"})
    assert drawn(page.run()) == ["cat", "dog", "hamsters"]


# ---- its functions, without a server


@pytest.mark.parametrize("model", MODELS)
def test_a_section_is_drawn_from_its_own_parameters(model: str) -> None:
    page = SimpleNamespace(
        address=SimpleNamespace(model=model),
        text=MODELS[model],
        trace=cached.trace(model, MODELS[model]),
        model=cached.model(model),
        t=Texts("en", "meaning"),
        opening=opening(model),
    )
    for name, section in STAGE.sections.items():
        own = section.parameters(page, space_of(model))  # type: ignore[arg-type]
        assert set(own) == set(section.redraws) - {"of"}, name  # the word of the page
    main = STAGE.parameters(page, space_of(model), Asked(None, False))  # type: ignore[arg-type]
    assert set(main) == {name for of in STAGE.redraws.values() for name in of} | {"depth"}
    assert STAGE.concerned({}, {"to": "king"}) == STAGE.concerned({}, {"of": "king"}) == ["derivation"]
    assert STAGE.concerned({}, {"sense": "bat"}) == ["context"]
    assert STAGE.concerned({}, {"depth": "2"}) == []  # the browser has them all
    assert STAGE.concerned({"section": "sum"}, {"a": "king"}) == ["section"]


# ---- what is said holds


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("groups", ["colours,family,body", "emotions,numbers", "royalty,verbs,animals,food"])
def test_what_tsne_does_not_determine_is_given_as_a_range(opened, lang: str, groups: str) -> None:
    """The measures of this map lie within what is said, and so do those of a start moved by a hair."""
    page = opened("meaning", lang, guess="skip", groups=groups)
    space, names = space_of("minilm"), groups.split(",")
    words = word_set(space, [ready("minilm")[name] for name in names])
    for moved in (False, True):
        shown = draw(words.vectors, Plan(moved=moved))
        assert shown.divergence is not None
        found = quality(shown.points, words.groups)
        for name, value in (
            ("purity", found.purity),
            ("silhouette", found.silhouette),
            ("divergence", shown.divergence),
        ):
            low, high = between(page.html, lesson("meaning")[lang][f"trust_head.{name}"])
            assert low - 0.0051 <= value <= high + 0.0051, name


def between(html: str, name: str) -> tuple[float, float]:
    """The two ends of what is said of the map in a line of the table; the same twice where it is one number."""
    found = re.search(rf"<td>{re.escape(name)}</td><td>[^<]*</td><td>([^<]*)</td>", html)
    assert found, name
    numbers = [float(number.replace("−", "-")) for number in re.findall(r"−?\d\.\d+", found[1])]
    return numbers[0], numbers[-1]


@pytest.mark.parametrize("word", ["electroencephalography", "unaffable", "tokenization", "king"])
def test_own_pieces_are_said_to_be_left_out(opened, word: str) -> None:
    page = opened("meaning", "en", guess="skip", of=word)
    found = space_of("minilm").word(word)
    assert found is not None
    said = lesson("meaning")["en"]["is_averaged"].split("{own}")[0].rpartition("}")[2]
    assert (said in page.html) == found.averaged
    for id, piece in zip(found.ids, found.pieces, strict=True) if found.averaged else ():
        row = space_of("minilm").table[id]
        cosine = float(row @ found.vector / np.linalg.norm(row) / np.linalg.norm(found.vector))
        assert re.search(rf"{re.escape(piece)} (<span[^>]*>)?<button[^>]*>{re.escape(short(cosine, PROSE))}", page.html)


@pytest.mark.parametrize("model", MODELS)
def test_what_is_asked_is_clear_varies_and_is_what_is_said_of_it(model: str) -> None:
    """And every one of them comes, over a few sentences."""
    space, answers = space_of(model), set()
    for asked in words_to_ask(model, ""):
        question = nearest_word(space, *asked)
        assert question is not None and question.margin >= CLEAR, asked
        near, second = str(question.facts["near"]), str(question.facts["second"])
        answers.add([choice.token for choice in question.choices].index(near))
        if asked.kind == "use":  # the translation comes second, what is of one language first
            assert near.isascii() == asked.word.isascii() != second.isascii()
        if asked.kind == "form":
            assert near.startswith(asked.word) and not second.startswith(asked.word)
    assert len(answers) > 1 and len({asked.word for asked in words_to_ask(model, "")}) > 3
    assert {words_to_ask(model, f"sentence {i}")[0].word for i in range(60)} == {
        asked.word for asked in words_to_ask(model, "")
    }


@pytest.mark.parametrize(
    ("text", "own"), [("He drank an espresso.", True), ("The cat sat on the mat.", False), ("…", False)]
)
def test_the_words_of_a_sentence_of_somebodys_are_on_the_map(looked, text: str, own: bool) -> None:
    assert ("sentence" in looked("meaning", text=text, model="minilm").values["groups"].split(",")) == own


def test_each_word_of_the_sentence_that_repeats_is_said_to(looked) -> None:
    words = looked(
        "meaning", "en", text="The dog that the cat chased chased the rat that ate it.", groups="sentence"
    ).words
    assert set(words.repeated) == {"the", "that", "chased"}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("ask", [0, 1])
def test_what_is_veiled_is_compared_with_the_other_implementation_too(looked, lang: str, ask: int) -> None:
    context = looked("meaning", lang, ask=ask, guess="open", text=None)
    assert context.veiled and not context.hidden
    said, difference = compared_neighbours(context)
    n, same = (int(found) for found in re.findall(r"\d+", said.replace(",", ""))[-2:])
    assert n == same and difference < 1e-6
