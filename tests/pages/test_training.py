"""The training page: the veil, the curves, what is followed, bad addresses, both languages."""

import pytest

from core.training.runs import Setting, train
from pages.shared.server.fair_queue import Who
from pages.shared.server.trainings import OVER, Training
from pages.shared.words.numbers import short
from pages.stages.training import own_training, practice, recorded, words
from pages.stages.training.context import DIFFERS
from pages.stages.training.followed import followed
from pages.stages.training.opened import opened as opened_of
from pages.stages.training.picture import runs


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_on_the_norms_with_the_answer_veiled(opened, lang: str) -> None:
    page = opened("training", lang)
    drawn, body = page.packed("runs")
    assert drawn["veiled"] and not body and [course["steps"] for course in drawn["courses"]] == [0, 0, 0]
    assert page.data("derivation")["steps"] == []
    assert "72.82" not in page.html and "80.81" not in page.html


@pytest.mark.parametrize("what", DIFFERS)
def test_every_family_is_drawn(opened, what: str) -> None:
    lang = "zh" if DIFFERS.index(what) % 2 else "en"
    page = opened("training", lang, what=what, guess="skip", open="1")
    drawn, body = page.packed("runs")
    curves = sum(course["seeds"] * 2 * (course["steps"] + len(course["looks"])) for course in drawn["courses"])
    cells = sum(len(course["kept"]) * course["size"][0] * course["size"][1] for course in drawn["courses"])
    assert len(body) == 4 * curves + 2 * cells
    assert page.data("derivation")["steps"]


@pytest.mark.parametrize("what", DIFFERS)
def test_torch_has_the_same_first_losses(looked, what: str) -> None:
    context = looked("training", what=what, guess="skip")
    first = max(float(run.loss[0]) for run in context.view.runs.values())
    assert opened_of(context).compare()[1] < 1e-4 * first


@pytest.mark.parametrize("step", [1, 77, 240])
def test_what_is_followed_is_what_is_drawn(looked, step: int) -> None:
    for id in ("post", "pre", "none"):
        context = looked("training", run=id, step=step, guess="skip")
        assert followed(context).steps[-1].value == followed(context).value
        assert float(context.run.loss[step - 1]) in [
            float(v) for v in runs(context).values[0:][list(context.view.runs).index(id) * 12]
        ]


def test_a_step_beyond_the_end_is_repaired(looked) -> None:
    context = looked("training", step=100_000, guess="skip")
    assert context.step == 1 and [repair.code for repair in context.page.address.repairs] == ["address"]
    assert looked("training", what="tied", step=240, guess="skip").step == 240


def test_another_family_asks_anew_unless_nobody_wants_to_be_asked(looked) -> None:
    assert words.to_try(looked("training", guess="pre"))[1]["guess"] is None
    assert "guess" not in words.to_try(looked("training", guess="skip"))[1]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("what", DIFFERS)
def test_a_veiled_page_says_no_result(looked, lang: str, what: str) -> None:
    context = looked("training", lang, what=what)
    if not context.veiled:
        return
    key, facts = words.lead(context)
    said = context.t(key, **facts) + "".join(words.notices(context))
    assert not any(short(run.ends[0]) in said for run in context.view.runs.values())


def test_said_of_two_runs_is_what_their_ends_say(looked) -> None:
    for what in ("warmup", "scale", "tied", "position"):
        context = looked("training", "en", what=what, guess="skip")
        first, *others = context.view.runs
        for other in others:
            a, b = context.view.runs[first].ends, context.view.runs[other].ends
            said = words.compared(context, first, other)
            assert ("lower than" in said) == (max(a) < min(b))
            assert ("higher than" in said) == (min(a) > max(b))


# ---- one's own


def test_an_address_says_what_is_trained(looked) -> None:
    asked = {"task": "reverse", "norm": "none", "layers": "6", "rate": "100", "steps": 50, "tied": "no"}
    context = looked("training", section="own", **{f"my_{name}": value for name, value in asked.items()})
    setting = own_training.setting_of(context.values)
    assert (setting.task, setting.norm, setting.layers, setting.rate, setting.steps) == (
        "reverse",
        "none",
        6,
        100.0,
        50,
    )
    assert not setting.tied and setting.root_k and not context.veiled
    assert own_training.setting_of(looked("training").values) == Setting()


BAD = [{"my_steps": 10**9}, {"my_steps": 0}, {"my_width": "3"}, {"my_layers": "999"}, {"my_rate": "nan"}]


@pytest.mark.parametrize("bad", BAD)
def test_absurd_settings_are_repaired(looked, bad: dict) -> None:
    context = looked("training", **bad)
    assert [repair.code for repair in context.page.address.repairs] == ["address"]
    assert own_training.setting_of(context.values) == Setting()


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", own_training.OPTIONS)
def test_every_setting_can_be_begun_and_has_words(looked, lang: str, name: str) -> None:
    for id in own_training.OPTIONS[name]:
        context = looked("training", lang, **{f"my_{name}": id})
        setting = own_training.setting_of(context.values)
        assert own_training.parameters_of(setting) > 0 and own_training.called(context.t, setting)
        own_training.controls(context).data()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_how_it_ended_is_said(looked, lang: str) -> None:
    t = looked("training", lang).t
    blown = Training(Setting(rate=100.0, warmup=0, d_model=8), "", Who("", ""))
    *_, blown.log = train(blown.setting)
    blown.state = "done"
    assert ("发散" if lang == "zh" else "diverged") in own_training.outcome(t, blown)
    for state in OVER:
        fine = Training(Setting(d_model=8, steps=20), "", Who("", ""), state=state)
        assert own_training.outcome(t, fine)
        *_, fine.log = train(fine.setting)
        assert "{" not in own_training.outcome(t, fine)
    for state in ("waiting", "running", "paused"):
        assert "{" not in own_training.state(t, Training(Setting(), "", Who("", ""), state=state))


# ---- the translator's


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_translator_on_its_way_is_drawn(opened, lang: str) -> None:
    page = opened("training", lang, section="recorded")
    drawn, _ = page.packed("matrix")
    assert len(drawn["planes"]) == 5 * 8 and drawn["name"] == ["after", "head"]
    assert "I bought three books in Beijing yesterday" in page.html and "6,000" in page.html


@pytest.mark.parametrize("text", ["", "  ", "The cat sat.", "😀", "我", "他" * 500, "<script>", "שלום", "…。？"])
def test_any_sentence_can_be_read_on_the_way(looked, text: str) -> None:
    read = recorded.text_of(looked("training", text=text, section="recorded").page)
    assert 0 < len(read) <= recorded.READ
    assert read == text[: recorded.READ] or read == "我昨天在北京买了三本书"


def test_a_sentence_of_ones_own_is_written_on_the_way(opened) -> None:
    page = opened("training", "zh", section="recorded", text="小明昨天晚上看了一部电影")
    assert "“小明昨天晚上看了一部电影”写成了" in page.html


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_practices_can_be_taken_away(opened, lang: str) -> None:
    page = opened("training", lang, section="practice")
    assert len(page.app.get("download_button")) == 3
    assert all("NotImplementedError" in practice.file(name) for name in practice.PRACTICES)
