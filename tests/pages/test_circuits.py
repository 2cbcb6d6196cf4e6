"""The circuits page: what it says of a sentence is so, what is asked stays veiled, and bad input breaks nothing."""

import json
import re
import time
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from core.capture import capture
from core.derivation import Cell
from core.edits import take
from core.numbers import short
from core.questions.circuits import THIRDS, thirds
from core.views.circuits import followed as copies
from core.words import lesson
from core.zoo import SOURCES
from pages.shared.number import shown_where
from pages.shared.server import cached, jobs
from pages.stages.circuits import induction, lens, muting, patching, picture, words
from pages.stages.circuits.opened import table

CAPITAL, MOON = "The capital of France is", "床前明月光，疑是地上"
TEXTS = (("en", CAPITAL), ("zh", MOON))
SECTIONS = ("lens", "patching", "muting", "induction")
BAD = ("", "   ", "a", "猫", "🙂 <script>alert(1)</script>", "שלום", "书" * 90, "x" * 300, "<|im_start|>user", "\u0301")
ENGLISH = ("The opposite of hot is", "Water is made of hydrogen and", "1 2 3 4 5 6 7", "Alice told Bob that she")
CHINESE = ("春眠不觉", "举头望明月，低头思故", "白日依山", "人工智能", "千山鸟飞", "春风又绿江南")


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(("lang", "text"), TEXTS)
def test_every_section_is_drawn_in_both_languages(opened, section: str, lang: str, text: str) -> None:
    page = opened("circuits", lang, text=text, section=section, guess="skip")
    assert "{" not in page.html
    assert page.data("shares")["rows"][-1]["total"]


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_answered(opened, text: str) -> None:
    bad = {"q": 999, "layer": -1, "part": "x", "word": " ", "against": "", "muted": "0.0", "moved_layer": 99}
    page = opened("circuits", "en", text=text, section="patching", other="", **bad)
    assert "layer=-1" in page.html and page.data("shares")["rows"]
    assert "{" not in page.html


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("text", ("a", "书" * 90))
def test_short_and_long_texts_have_their_sections(opened, text: str, section: str) -> None:
    assert opened("circuits", "zh", text=text, section=section, guess="skip").data("shares")["rows"]


# ---- who reads, and what


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_path_s_own_sentence_gives_way_to_the_stages(opened, lang: str) -> None:
    page = opened("circuits", lang, text=None)
    assert dict(TEXTS)[lang] in page.html and page.address.get("model") is None
    assert "class='own'" in page.html


def test_who_does_not_write_is_replaced_and_the_sentence_stays(looked) -> None:
    for text, model in (("The sky is", "minilm"), ("千山鸟飞", "translator")):
        here = looked("circuits", text=text, model=model)
        assert here.page.text == here.page.address.own_text == text
        assert "write" in SOURCES[here.page.address.model].can
        assert [repair.code for repair in here.page.address.repairs] == ["reads_to_go_on"]
    chosen = next(id for id, source in SOURCES.items() if "write" in source.can and source.chinese)
    assert looked("circuits", text="千山鸟飞", model=chosen).page.address.instead is None


# ---- the sum


@pytest.mark.parametrize(("lang", "text"), TEXTS)
@pytest.mark.parametrize("against", [None, "the", "人"])
def test_the_rows_come_to_the_logit(looked, lang: str, text: str, against: str | None) -> None:
    query = {} if against is None else {"against": against}
    here = looked("circuits", lang, text=text, guess="skip", **query)
    rows = picture.sum_of(here).rows
    found = here.view.found
    assert found.total == pytest.approx(found.captured, abs=1e-4)
    run = capture(here.model, text, only=("output.logits",))["output.logits"][-1]
    gap = float(run[found.word]) - (0 if found.against is None else float(run[found.against]))
    assert here.total == pytest.approx(gap, abs=1e-6) and rows[-1].total
    values = [float(row.value.replace("−", "-")) for row in rows]
    assert sum(values[:-1]) == pytest.approx(values[-1], abs=0.02)
    bars = [(row.start, row.start + float(row.share or 0)) for row in rows[:-1]]
    ends = [bar[0] if row.negative else bar[1] for bar, row in zip(bars, rows, strict=False)]
    begins = [bar[1] if row.negative else bar[0] for bar, row in zip(bars, rows, strict=False)]
    assert begins[1:] == pytest.approx(ends[:-1], abs=1e-6)
    sizes = np.abs(values[: picture.SHOWN])
    assert all(sizes[:-1] >= sizes[1:] - 1e-9)


@pytest.mark.parametrize(("lang", "text"), TEXTS)
def test_the_lead_names_biases_where_the_sum_has_any(looked, lang: str, text: str) -> None:
    here = looked("circuits", lang, text=text, guess="skip")
    key, facts = words.lead_of(here)
    parts, heads, layers = (int(str(facts[name])) for name in ("all", "heads", "layers"))
    biases = parts - 1 - heads - layers
    assert biases == sum(part.kind == "bias" for part in here.view.found.parts)
    word = {"en": "bias", "zh": "偏置"}[lang]
    assert [word in here.t.words[said] for said in (key, "recap.sum")] == [biases > 0] * 2


def test_the_chat_models_capital(looked) -> None:
    """As measured: 301 parts, Paris, and the head of layer 24 that looks at the country."""
    here = looked("circuits", text=CAPITAL, guess="skip")
    assert here.word == "␣Paris" and len(here.view.found.parts) == 301
    assert here.view.found.captured == pytest.approx(17.37126, abs=1e-4)
    head = here.view.found.parts[here.view.first_head]
    assert (head.layer, head.head) == (23, 4) and here.view.looks(head)[3] > 0.9
    assert here.name(here.view.found.parts[here.first]) == "layer 30, feed-forward"
    against = looked("circuits", text=CAPITAL, guess="skip", against="London")
    assert against.first == against.view.first_head


def test_any_word_may_be_asked_for(looked, opened) -> None:
    here = looked("circuits", text=CAPITAL, guess="skip", word="Berlin", against="Paris")
    assert (here.word, here.against) == ("␣Berlin", "␣Paris") and here.view.found.captured < 0
    as_shown = looked("circuits", text=CAPITAL, guess="skip", word="␣Berlin", against="␣Paris")
    assert (as_shown.word, as_shown.against) == (here.word, here.against)
    same = looked("circuits", text=CAPITAL, guess="skip", word="Paris", against="Paris")
    assert same.against is None
    refused = opened("circuits", "zh", text=MOON, guess="skip", word="𪚥").box("word")[1]["refusal"]
    assert "𪚥" in refused
    earlier = looked("circuits", text=CAPITAL, guess="skip", q=2)
    assert earlier.prompt == "The capital of" and earlier.view.found.token == 2


def test_the_panel_ends_at_the_table(opened) -> None:
    """From the head that adds most over what it took from a token, and what each of its numbers is worth, to a row."""
    page = opened("circuits", "en", text=CAPITAL, guess="skip")
    for name in ("added to", "added to", "r, the row", "E["):
        pressed = [piece for step in page.followed["steps"] for line in step["lines"] for piece in line]
        pressed += [piece for step in page.followed["steps"] for piece in step["operation"]]
        doors = [piece for piece in pressed if isinstance(piece, dict) and name in piece["name"]]
        assert doors, name
        page = opened("circuits", "en", text=CAPITAL, guess="skip", trail=doors[0]["to"])
        assert page.followed["value"] == doors[0]["text"].strip("()") and not page.followed["note"]
    assert not page.followed["steps"] and "Paris" in page.followed["where"] + json.dumps(page.followed["end"])


def test_a_written_word_leads_here(opened, looked) -> None:
    """From the page that writes, by a link to this very token; and from its logit, wherever that is followed."""
    page = opened("generation", "en", text=CAPITAL, guess="skip", n=2, q=1)
    (href,) = re.findall(r"href='([^']*/circuits[^']*)'", page.html)
    query = dict(parse_qsl(urlsplit(href).query))
    here = looked("circuits", **query)
    assert here.page.text.startswith(CAPITAL) and here.token == 5 and here.view.best[0] == here.view.found.word
    logit = Cell("output.logits", (4, here.view.found.word))
    assert shown_where.cell(here.model, logit) == ("circuits", {"q": 4, "word": here.written(here.view.found.word)})
    likely = Cell("output.probabilities", (4, here.view.found.word))
    assert shown_where.cell(here.model, likely) == ("output", {"q": 4, "word": here.view.found.word})


# ---- while the question is open


@pytest.mark.parametrize(("lang", "text"), TEXTS)
def test_nothing_answers_an_open_question(opened, looked, lang: str, text: str) -> None:
    page = opened("circuits", lang, text=text, section="muting")
    shown, here = page.data("shares"), looked("circuits", lang, text=text)
    covered = here.question.template != "looks"  # what a part adds says nothing of where a head looks
    assert here.covered == covered
    parts, said = here.view.found.parts, [row["said"] for row in shown["rows"]]
    asked_of = here.view.found.ranked.tolist().index(here.view.first_head)
    assert not any(said) and not shown["head"][1] if covered else said[asked_of] == "?"
    assert not any(row["picks"] for row in shown["rows"])
    hidden = [part for part in parts if covered and part.kind == here.question.facts["kind"]]
    asked = parts[int(here.view.found.values.argmax())]
    some = here.t("some.head"), here.t("some.feedforward")
    assert all((here.name(part) in some) == (part == asked) for part in hidden)
    header, body = page.packed("matrix")
    shape = header["rows"]["count"], header["columns"]["count"]
    cells = np.frombuffer(body, "<f4", shape[0] * shape[1]).reshape(shape)
    places = {here.view.place(part) for part in hidden}
    assert {(int(j) + 1, int(i)) for i, j in np.argwhere(np.isnan(cells))} == places
    free = here.view.found.parts[here.unasked]
    assert free not in hidden and here.unasked != here.view.first_head and not page.protos("curves")
    assert page.followed["steps"][-1]["value"] == short(float(here.view.found.values[here.unasked]))
    assert here.veiled
    asked = here.view.place(here.view.found.parts[here.view.first_head])
    assert (here.values["layer"], here.values["part"]) == ((0, 9) if covered else asked)  # whatever the answer is
    assert all(line.endswith(",") for line in table(here).splitlines()[1:])


def test_what_is_asked_has_the_answer_it_has(looked) -> None:
    answers: dict[str, list[str]] = {"looks": [], "largest": []}
    for text in (*ENGLISH, CAPITAL, *CHINESE, MOON):
        asked = [looked("circuits", text=text)]
        if asked[0].asked.another:
            asked.append(looked("circuits", text=text, ask=1))
        for here in asked:
            question, view = here.question, here.view
            if question is None:
                continue
            answers[question.template].append(question.answer)
            if question.template == "looks":
                weights = view.looks(view.found.parts[view.first_head])
                assert question.answer == str(weights.argmax())
            else:
                best = view.found.parts[int(view.found.values.argmax())]
                (third,) = (at for at, span in enumerate(thirds(view.layers)) if best.layer in span)
                assert question.answer == THIRDS[third] and question.facts["kind"] == best.kind
    assert len(answers["looks"]) > 5 and len(set(answers["looks"])) > 2
    assert len(answers["largest"]) > 4 and len(set(answers["largest"])) > 1


# ---- what is said


@pytest.mark.parametrize("text", (CAPITAL, *ENGLISH, *CHINESE))
def test_what_the_others_add_and_take_away_comes_to_their_row(looked, text: str) -> None:
    here = looked("circuits", "en", text=text, guess="skip")
    rest = here.view.found.values[here.view.found.ranked[picture.SHOWN :]]
    (said,) = picture.both_ways(here)
    adding, taking = (float(number) for number in re.findall(r"\d+\.\d+", said))
    row = next(row for row in picture.sum_of(here).rows if row.rest)
    assert adding - taking == pytest.approx(float(row.value.replace("−", "-")), abs=0.02)
    assert adding == pytest.approx(rest[rest > 0].sum(), rel=1e-3) and said in picture.sum_of(here).caption


def test_the_box_speaks_of_the_model_that_reads_here(opened) -> None:
    box = opened("circuits", "zh", text=None, guess="skip").data("sentence")
    assert [model["id"] for model in box["models"] if model["on"]] == ["poet"] and box["knows"] is None
    assert "小诗人" in box["words"]["source"]
    elsewhere = opened("overview", "zh", text=None, guess="skip").data("sentence")
    assert [model["id"] for model in elsewhere["models"] if model["on"]] == ["translator"] and elsewhere["knows"]


def test_what_the_notices_say_is_so(looked) -> None:
    for text in (*ENGLISH, *CHINESE):
        here = looked("circuits", "en", text=text, guess="skip")
        found, view = here.view.found, here.view
        heads, networks = (sum(float(found.values[i]) for i in view.of_kind(kind)) for kind in ("head", "feedforward"))
        said = " ".join(words.notices(here))
        assert ("the networks contribute more" in said) == (networks >= heads and networks > 0)
        assert ("more comes through attention" in said) == (heads > networks and heads > 0)
        weights = view.looks(found.parts[view.first_head])
        assert ("attention sink" in said) == (weights.argmax() == 0 and len(weights) > 1 and weights[0] >= 0.5)


@pytest.mark.parametrize(("against", "said"), [(None, "这个词元的 logit"), ("霜", "两个 logit 之差")])
def test_what_the_parts_add_up_to_is_named(looked, against: str | None, said: str) -> None:
    here = looked("circuits", "zh", text=MOON, against=against, guess="skip")
    assert f"加起来就是{said}" in " ".join(words.notices(here)) and "抬高它" not in " ".join(words.notices(here))


def test_the_lens_says_who_led(looked) -> None:
    for text in (CAPITAL, "I saw her duck", *ENGLISH[:2], MOON):
        here = looked("circuits", text=text, guess="skip")
        found = lens.lens_of(here)
        stretches = list(lens.stretched(found))
        second = lens.other(here, stretches)
        led = {
            one.word: sum(each.last + 1 - each.first for each in stretches if each.word == one.word)
            for one in stretches
        }
        others = {word: states for word, states in led.items() if word != here.view.found.word}
        assert not others or others[second] == max(others.values())
        spans = lens.curves(here, found, second).spans
        assert [i for span in spans for i in range(span.first, span.last + 1)] == list(range(len(found.taps)))
        assert [span.on for span in spans] == [one.word == here.view.found.word for one in stretches]
        assert [one.word for one in stretches for _ in range(one.first, one.last + 1)] == found.best[:, 0].tolist()
        assert {one.word for one in stretches} == set(found.led)
        assert found.rank[-1] == 0 and lens.turn(here, found)
        half = len(found.rank) // 2
        assert ("it ranks" in lens.turn(here, found)[0]) == (found.rank[half] > 0)
        last_alone = found.rank[-2] > 0
        assert ("only at the end" in lens.turn(here, found)[0]) == last_alone
        lost = found.rank[half] == 0 and found.rank[half:].any() and not last_alone
        assert ("lost the lead again" in lens.turn(here, found)[0]) == lost
    unlikely = looked("circuits", text=CAPITAL, guess="skip", word="Berlin")
    assert lens.turn(unlikely, lens.lens_of(unlikely)) == []


@pytest.mark.parametrize(
    ("named", "fell", "key"),
    [
        (2.8, 2.7, "as_named"),
        (2.8, 4.1, "more"),
        (2.8, 1.0, "made_up"),
        (2.8, -1.0, "other_way"),
        (-2.0, -0.5, "made_up"),
        (0.01, -0.02, "as_named"),
    ],
)
def test_where_the_sum_misleads_it_says_so(named: float, fell: float, key: str) -> None:
    assert muting.agreement(named, fell) == key


@pytest.mark.parametrize("text", [CAPITAL, "Why is the sky blue?", "春风又绿江南岸"])
def test_a_drop_is_a_drop_and_a_rise_a_rise(looked, text: str) -> None:
    model = "poet" if text == "春风又绿江南岸" else "smollm2"
    for word in (None, " the"):
        here = looked("circuits", text=text, model=model, guess="skip", **({} if word is None else {"word": word}))
        name, written = here.page.key
        for part in muting.strongest(here):
            edits = (muting.edit_of(part),)
            after = muting.outcome(name, written, here.token, edits)
            said = re.sub("<[^>]*>", "", muting.said(here, [part], edits, after))
            fell = here.view.found.captured - float(after.logits[here.view.found.word])
            assert ("a drop of" in said) == (fell >= 0) and ("a rise of" in said) == (fell < 0)
            assert not re.search("(drop|rise) of (only )?−", said)
            last = part.head is None and part.layer == here.view.layers - 1  # nothing follows it but the norm
            assert "what follows" not in said or not last
            total, now, change = re.findall(r"(?:from|to|of(?: only)?) (−?[\d.]+\d)", said)[:3]
            least = 10.0 ** -len(change.partition(".")[2])
            before, left = (float(one.replace("−", "-")) for one in (total, now))
            assert abs(abs(before - left) - float(change)) <= 0.6 * least, said


def test_what_is_muted_is_muted(looked, opened) -> None:
    here = looked("circuits", text=CAPITAL, guess="skip", muted="24.5,30.n")
    assert [muting.id_of(part) for part in muting.chosen(here)] == ["24.5", "30.n"]
    edits = tuple(map(muting.edit_of, muting.chosen(here)))
    name, text = here.page.key
    after = muting.outcome(name, text, here.token, edits)
    ids = [edit.id for edit in edits]
    run = capture(here.model, CAPITAL, edits=ids, only=("output.logits",))
    np.testing.assert_allclose(after.logits, run["output.logits"][-1], atol=1e-4)
    assert ids == ["mute:causal.24.5", "silence:decoder.30.feedforward"]
    nothing = opened("circuits", "en", text=CAPITAL, guess="skip", section="muting", muted="none")
    assert "Nothing is muted" in nothing.html
    assert "muted=99.1" in opened("circuits", "en", text=CAPITAL, guess="skip", muted="99.1").html


# ---- a state of another prompt


def patched(looked, text: str, other: str, **query: object):
    return looked("circuits", text=text, other=other, section="patching", guess="skip", **query)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("The capital of the United Kingdom is", "first has 5, this one has 7"),
        (CAPITAL, "the same"),
        ("The capital of france is", "tokens"),
    ],
)
def test_what_cannot_be_compared_is_said(opened, other: str, said: str) -> None:
    page = opened("circuits", "en", text=CAPITAL, guess="skip", section="patching", other=other)
    assert said in page.html and "{" not in page.html
    assert len(page.protos("matrix")) == 1


def test_too_long_a_prompt_is_said(looked) -> None:
    here = patched(looked, "one two three " * 12, "one two four " * 12)
    assert "at most" in patching.refusal(here, here.values["other"])


def test_a_cell_of_the_map_is_a_run(looked) -> None:
    here = patched(looked, MOON, "床前明月影，疑是地上", moved_token=5, moved_layer=2)
    name, text = here.page.key
    other = here.values["other"]
    pair = patching.Pair(name, text, other, patching.first(name, text), patching.first(name, other))
    values = patching.moved(*pair.key)
    made = patching.followed(here)
    assert float(made.exact.replace("−", "-")) == pytest.approx(float(values[1, 5]), abs=1e-4)
    run = capture(here.model, MOON, edits=[take(2, 5, other)], only=("output.logits",))["output.logits"][-1]
    assert float(run[pair.word] - run[pair.against]) == pytest.approx(float(values[1, 5]), abs=1e-4)
    assert patching.differing(here.page, other, 0) == 5
    said = patching.told(here, pair, values)
    turned = int((values[:, 5] < 0).sum())
    assert f"After layers 1 to {turned}" in said


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (MOON, "床前明月影，疑是地上"),
        ("白日依山", "白日依水"),
        ("千山鸟飞", "万山鸟飞"),
        ("春风吹又", "秋风吹又"),
        ("明月照高", "落日照高"),
        ("小楼昨夜", "小楼今夜"),
    ],
)
def test_what_is_said_of_a_map_holds(looked, text: str, other: str) -> None:
    here = patched(looked, text, other)
    name = here.page.address.model
    pair = patching.Pair(name, text, other, patching.first(name, text), patching.first(name, other))
    if pair.word == pair.against:
        return
    values, words = patching.moved(*pair.key), lesson("circuits")["en"]
    said, last = patching.told(here, pair, values), values.shape[1] - 1
    key = next(
        key
        for key in ("moves", "stays", "somewhere", "last_differs", "only_last")
        if words[f"patching.{key}"].split("<b>")[0].split("{")[0][:60] in said
    )
    turns = values[:, :last] < 0
    same = [a.id == b.id for a, b in zip(*(cached.trace(name, one).tokens for one in (text, other)), strict=True)]
    assert (key in ("only_last", "last_differs")) == (not turns.any())
    assert (key == "somewhere") == (turns.any() and not turns[0].any())
    if not turns.any():
        assert (key == "last_differs") == all(same[:-1])
    if all(same[:-1]):
        np.testing.assert_allclose(values[:, :last], patching.gap(pair, text), atol=1e-4)


def test_the_map_is_computed_in_the_background_and_kept(looked) -> None:
    here = patched(looked, "白日依山", "白日依水")
    name, text = here.page.key
    pair = patching.Pair(name, text, "白日依水", 50, 60)
    steps = patching.Work(pair).steps()
    assert len(steps) == here.view.layers + 1 and not patching.moved.known(*pair.key)
    job = jobs.ask(patching.moved.key(*pair.key), steps, tab="a tab")
    end = time.monotonic() + 60
    while not job.over and time.monotonic() < end:
        time.sleep(0.05)
    assert job.over and job.error is None and patching.moved.known(*pair.key)
    own = np.stack([*patching.rows_of(*pair.key)])
    np.testing.assert_array_equal(patching.moved(*pair.key), own)


def test_a_large_map_waits_to_be_asked_for(opened) -> None:
    text, other = (f"I took my {one} for a walk in the park and then we went to the" for one in ("dog", "boat"))
    page = opened("circuits", "en", text=text, guess="skip", section="patching", other=other)
    labels = [button.label for button in page.app.button]
    assert any("Compute the map" in label for label in labels), labels


def test_a_small_map_is_begun_unasked(opened, looked) -> None:
    shown = {
        "text": "The opposite of hot is",
        "other": "The opposite of big is",
        "section": "patching",
        "guess": "skip",
    }
    page = opened("circuits", "en", **shown)
    labels = [button.label for button in page.app.button]
    assert "stop" in labels and not any("Compute the map" in label for label in labels)
    here = looked("circuits", "en", **shown)
    name, text = here.page.key
    first = [patching.first(name, one) for one in (text, shown["other"])]
    end = time.monotonic() + 60
    while not patching.moved.known(name, text, shown["other"], *first) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(opened("circuits", "en", **shown).protos("matrix")) == 2


def test_the_map_of_the_models_own_example_begins_unasked(looked) -> None:
    here = looked("circuits", guess="skip", section="patching")
    assert patching.of_example(here.page, here.values["other"])
    assert not patching.of_example(here.page, "The capital of Spain is")
    same = looked("circuits", text="The opposite of hot is", guess="skip", section="patching")
    assert not patching.of_example(same.page, same.values["other"])


# ---- the text twice


@pytest.mark.long
def test_the_pair_of_heads_is_one(looked) -> None:
    """Muting the earlier takes from the later what is said; and its trail is read in the run of the text twice."""
    here = looked("circuits", text=CAPITAL, guess="skip")
    text = induction.twice(here.model, CAPITAL)
    assert text == f"{CAPITAL} {CAPITAL}"
    poet = looked("circuits", text=MOON).page.model
    assert induction.twice(poet, MOON) == MOON * 2
    found = induction.found_in(here.page.address.model, text)
    assert found.first is not None and found.first[0] < found.second[0]
    assert found.again[found.second] == np.nanmax(found.again) > 0.5 > found.without
    said = " ".join(induction.said(here, text, found))
    assert "falls to" in said
    assert induction.refusal(here, "word " * 200) and not induction.refusal(here, text)


@pytest.mark.parametrize("text", [CAPITAL, MOON])
def test_a_diagonal_is_seen_only_where_a_head_makes_one(looked, text: str) -> None:
    here = looked("circuits", text=text, guess="skip")
    both = induction.twice(here.model, text)
    found = induction.found_in(here.page.address.model, both)
    caption = induction.picture(here, both, found).words.caption
    weak = found.again[found.second] < induction.DOES
    assert ("they do not" in caption) == weak == ("No head" in " ".join(induction.said(here, both, found)))
    layer, head = found.second
    run = capture(here.model, both, edits=[f"mute:causal.{layer + 1}.{head + 1}"], only=("output.probabilities",))
    copy = copies(run.tokens)
    likely = [run["output.probabilities"][at][run.tokens[to].id] for at, to in copy.items()]
    assert found.copied_without == pytest.approx(np.mean(likely), rel=1e-3)
    little = not weak and abs(found.copied_without / found.copied - 1) <= 0.1
    assert ("on this head alone" in "".join(induction.alone(here, found))) == little


# ---- words that are typed


def test_a_word_may_be_typed(opened) -> None:
    page = opened("circuits", "en", text=CAPITAL, guess="skip").typed("against", "Rome")
    assert page.address["against"] == "Rome" and "minus that of <b>␣Rome</b> (␣ is a space)" in page.html
    page.typed("against", "")
    assert "against" not in page.address
    page.typed("word", "Berlin")
    assert page.address["word"] == "Berlin" and "is ␣Paris; the logit of <b>␣Berlin</b>" in page.html


def test_a_word_that_nothing_spells_is_refused(opened) -> None:
    page = opened("circuits", "zh", text=MOON, guess="skip").typed("word", "𪚥")
    assert "拼不出“𪚥”" in page.box("word")[1]["refusal"] and page.address["word"] == "𪚥"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("smollm2", "My dog likes the old garden"),
        ("smollm2", "She went to the"),
        ("smollm2", "Hello"),
        ("poet", "春眠不觉晓"),
        ("poet", "我昨天在北京买了三本书"),
    ],
)
def test_the_second_prompt_that_is_offered_can_be_compared(name: str, text: str) -> None:
    other = patching.exchanged(name, text)
    ids, others = (cached.ids(name, one) for one in (text, other))
    assert len(ids) == len(others)
    assert (other == text) == (patching.first(name, other) == patching.first(name, text))


def test_a_text_of_the_visitors_is_offered_with_one_word_exchanged(looked) -> None:
    here = looked("circuits", "en", model="smollm2", text="She went to the", guess="skip", section="patching")
    other = here.values["other"]
    assert other == patching.exchanged("smollm2", here.page.text) != here.page.text
    assert not patching.refusal(here, other)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_while_the_question_is_open_it_is_said_where_the_sections_are(opened, lang: str) -> None:
    said = lesson("_common")[lang]["deeper_waits"]
    assert said in opened("circuits", lang, section="lens").html
    assert said not in opened("circuits", lang, section="lens", guess="skip").html


def test_of_a_word_that_is_several_tokens_it_says_which_is_asked_about(looked) -> None:
    text = "The capital of France is"
    for word, alone in (("qzxv", True), ("Paris", False), ("the", False), (None, False)):
        context = looked("circuits", "en", text=text, guess="skip", **({"word": word} if word else {}))
        said = words.first_alone(context)
        assert bool(said) == alone
        assert not alone or ("only the first is looked at here" in said[0] and f"“{word}” is cut into" in said[0])
