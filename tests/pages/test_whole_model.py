"""From the experiments of the pages to the sheet, with the same thing changed there."""

import re
from functools import cache
from html import unescape
from urllib.parse import parse_qs

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import capture
from core.edits import Edit, parse, read
from core.views.encoder import without
from core.zoo import Model
from pages.shared.number.cell_path import RUN, given_by
from pages.shared.number.number_panel import Cells
from pages.shared.page.edits import changes
from pages.shared.page.whole_model import label, opens
from pages.shared.server import cached
from pages.shared.words.texts import Texts
from pages.stages.circuits import muting
from pages.stages.heads import whatif
from pages.stages.overview.sheet import spread
from pages.stages.overview.what_if import changed, offered
from pages.stages.overview.what_if import given as changed_run
from tests.models import loaded

EXPERIMENTS = [
    ("position", {}, "zero"),
    ("encoder", {"section": "residual"}, "cut"),
    ("encoder", {"section": "residual", "text": "我在北京"}, "cut:encoder"),
    ("encoder", {"section": "residual", "text": "床前明月光", "model": "poet"}, "cut"),
    ("heads", {"section": "whatif", "layer": 3, "head": 9}, "mute:encoder.3.9"),
    ("heads", {"section": "whatif", "edit": "zero"}, "zero"),
    ("heads", {"section": "whatif", "edit": "mute:encoder.1.2"}, "mute:encoder.1.2"),
    ("heads", {"section": "whatif", "edit": "drop_sqrt_dk:32"}, "drop_sqrt_dk:32"),
    ("heads", {"section": "whatif", "edit": "mute:encoder.1.2,zero"}, "mute:encoder.1.2,zero"),
    ("heads", {"section": "whatif", "kind": "self", "text": "我在北京", "edit": "lift,zero"}, "lift,zero"),
    ("heads", {"section": "whatif", "kind": "cross", "text": "我在北京", "edit": "mute:cross.2.1"}, "mute:cross.2.1"),
    ("translation", {"section": "peek", "text": "我在北京"}, "lift"),
    ("circuits", {"section": "muting", "text": "床前明月光", "model": "poet", "muted": "2.1"}, "mute:causal.2.1"),
    (
        "circuits",
        {"section": "muting", "text": "床前明月光", "model": "poet", "muted": "2.n"},
        "silence:decoder.2.feedforward",
    ),
    (
        "circuits",
        {"section": "muting", "text": "床前明月光", "model": "poet", "muted": "2.n,1.3"},
        "silence:decoder.2.feedforward,mute:causal.1.3",
    ),
    ("generation", {"section": "cache", "text": "床前明月光", "model": "poet"}, "lift"),
]


def links(page) -> list[dict[str, str]]:
    """What the links to the sheet select there."""
    found = [link.proto for link in page.app.get("page_link")]
    asked = [parse_qs(link.query_string) for link in found if link.page == "overview"]
    return [{name: value for name, (value,) in one.items()} for one in asked if "what" in one]


def shown(page) -> set[tuple[Edit, ...]]:
    """The edits of every changed run whose numbers can be followed on the page."""
    said = f"{page.html} {' '.join(str(element.proto) for element in page.app.get('bidi_component'))}"
    runs = re.findall(rf"[\w=%:&+ -]*edit=[\w=%:&+ -]*(?={RUN})", unescape(said))
    return {run.edits for run in map(given_by, runs) if run is not None}


def effect(model: Model, edits: tuple[Edit, ...]) -> set[tuple[str, str]]:
    """Which tap each of them changes, and how."""
    return {
        (name if name == "cut" else edit.id, tap)
        for edit in edits
        for name in [edit.id.partition(":")[0]]
        for tap in model.tap_dims
        if edit.finds([tap])
    }


@pytest.mark.parametrize("slug, query, edit", EXPERIMENTS)
def test_a_link_opens_the_very_change_that_the_experiment_made(opened, looked, slug, query, edit):
    page = opened(slug, "en", guess="skip", **query)
    (link,) = links(page)
    context = looked("overview", **link)
    run, model = changed_run(context), context.page.model
    assert run is not None and context.page.text == query.get("text", "The cat sat on the mat.")
    wanted = without(model, "encoder") if edit == "cut:encoder" else read(edit.split(","))
    assert effect(model, run.edits) == effect(model, wanted)
    made = shown(page)
    offers = slug == "generation"  # a change that the page has not made
    assert bool(made) is not offers
    assert all(effect(model, edits) == effect(model, run.edits) for edits in made), (made, run.edits)


def test_while_a_question_is_open_no_link_answers_it(opened):
    assert links(opened("position", "en")) == []


# ---- whatever is changed

TEXTS = {"minilm": "The cat sat.", "translator": "我在北京", "poet": "床前明月光"}


@cache
def known_of(name: str) -> tuple[str, ...]:
    """Every edit of one thing that a model has something for, by its id."""
    model = loaded(name)
    config, places = model.config, [place for stack in model.stacks.values() for place in stack.sublayers]
    heads = [
        f"{how}:{place.kind}.{int(place.layer or 0) + 1}.{head}"
        for place in places
        if place.kind
        for head in range(1, config.heads + 1)
        for how in ("mute", "average")
    ]
    parts = [
        f"{how}:{place.stack}.{int(place.layer or 0) + 1}.{place.part}"
        for place in places
        for how in ("silence", "cut")
    ]
    whole = ["zero", "cut", "lift", "shuffle:7", "apply_sqrt_d", "drop_sqrt_d", f"drop_sqrt_dk:{config.d_head}"]
    return tuple(id for id in [*whole, *heads, *parts] if changes(model, parse(id)))


@settings(deadline=None, max_examples=60)
@example(("translator", ["silence:decoder.2.feedforward"]))
@example(("minilm", [edit.id for edit in without(loaded("minilm"))]))
@example(("translator", [edit.id for edit in without(loaded("translator"), "decoder")]))
@given(
    st.sampled_from(sorted(TEXTS)).flatmap(
        lambda name: st.tuples(
            st.just(name), st.lists(st.sampled_from(known_of(name)), min_size=1, max_size=4, unique=True)
        )
    )
)
def test_the_sheet_runs_what_its_link_says(looked, made: tuple[str, list[str]]) -> None:
    name, ids = made
    model, edits = loaded(name), read(ids)
    link = opens(model, *edits)
    context = looked("overview", model=name, text=TEXTS[name], guess="skip", **link)
    run = changed_run(context)
    assert run is not None and not context.page.address.repairs
    assert run.edits == edits or effect(model, run.edits) == effect(model, edits)
    for lang in ("zh", "en"):
        said = label(Texts(lang, "_common"), link)
        assert "{" not in said and said.endswith("→")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_its_numbers_are_those_of_the_experiment(looked, lang: str) -> None:
    """Of a model that reads how alike the sentence still is; of one that translates, what its own words now are."""
    for name, ids in (("minilm", "zero,mute:encoder.1.2"), ("minilm", "drop_sqrt_dk:32"), ("translator", "lift,zero")):
        here = looked("heads", lang, model=name, text=TEXTS[name], guess="skip", edit=ids)
        sheet = looked("overview", lang, model=name, text=TEXTS[name], guess="skip", **opens(loaded(name), *here.edits))
        run = changed_run(sheet)
        assert run is not None
        found = changed(name, TEXTS[name], run)
        if name == "minilm":
            assert found.alike == pytest.approx(whatif.ends(here).sentence, abs=1e-6)
            continue
        was = cached.translation(name, TEXTS[name])
        assert run.target == was.text_out
        runs = (capture(loaded(name), TEXTS[name], target=was.text_out, edits=made) for made in ((), here.edits))
        before, now = (one["output.probabilities"].argmax(-1) for one in runs)
        moved = (before != now).nonzero()[0]
        assert [row for row, _, _ in found.words] == moved.tolist()


def test_what_a_muted_part_changes_in_the_next_word_the_sheet_says_too(looked) -> None:
    ask = {"model": "poet", "text": TEXTS["poet"], "guess": "skip"}
    here = looked("circuits", muted="2.n,1.3", **ask)
    edits = tuple(map(muting.edit_of, muting.chosen(here)))
    run = changed_run(looked("overview", **ask, **opens(loaded("poet"), *edits)))
    assert run is not None and len(edits) == 2
    before, after = (muting.outcome("poet", TEXTS["poet"], here.token, made).best[0] for made in ((), edits))
    words = {row: pair for row, *pair in changed("poet", TEXTS["poet"], run).words}
    assert (here.token in words) == (before != after)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_changes_of_a_link_are_named(looked, lang: str) -> None:
    context = looked("overview", lang, text=TEXTS["minilm"], guess="skip", what="linked", edit="zero,mute:encoder.3.9")
    said = spread(context).said
    cells = Cells(context.page)
    assert all(cells.edit(parse(id)) in said for id in ("zero", "mute:encoder.3.9"))
    plain = looked("overview", lang, text=TEXTS["minilm"], guess="skip")
    assert set(offered(context.page)) - set(offered(plain.page)) == {"linked"}


@pytest.mark.parametrize("slug", ["heads", "overview"])
@pytest.mark.parametrize("edit", ["patch:~encoder%2E2%2Eoutput.500.~A", "take:1.0.~A", "mute:cross.9.9", "x", ","])
def test_an_address_cannot_change_what_is_not_there(opened, slug: str, edit: str) -> None:
    page = opened(slug, "en", guess="skip", edit=edit, **({"what": "linked"} if slug == "overview" else {}))
    assert "edit" not in page.address and "class='note'" in page.html


@pytest.mark.parametrize("guess", [None, "skip"])
def test_the_place_of_the_link_is_kept_while_the_question_is_open(opened, guess: str | None) -> None:
    """What stands below it on the positions' page does not move when the answer brings it."""
    page = opened("position", "zh", text="老师批评了学生", model="translator", guess=guess)
    assert len(links(page)) + page.html.count("spreads-room") == 1
    assert bool(links(page)) == bool(guess)
