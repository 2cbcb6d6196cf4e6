"""Numbers in sentences and tables: each leads to itself, and pressed it is what the panel follows."""

import re
from html import unescape

import pytest

from core.derivation import Measure
from pages.shared.number.cell_path import free
from pages.shared.number.number_panel import Cells
from pages.shared.words.numbers import exact
from pages.stages import stages
from pages.stages.position import learned
from tests.profiles import crossed, some
from tests.written import number

TEXTS = {"minilm": "The cat sat on the mat.", "translator": "我昨天在北京买了三本书"}

NUMBER = re.compile(r"<button class='number' data-trail='([^']*)' title='([^']*)'>([^<]*)</button>")


def near(one: str, other: str) -> bool:
    """The same, but for what float32 rounds."""
    a, b = map(number, (one, other))
    return a == pytest.approx(b, rel=1e-3, abs=1e-6)


WRITTEN = {
    "attention": (
        {"section": "maps", "kind": "cross", "layer": 2},
        {"section": "maps"},
        {"section": "importance"},
        {"section": "rollout"},
        {"section": "masks"},
        {"section": "masks", "kind": "self", "layer": 2, "mask": "none"},
        {"section": "scale"},
    ),
    "heads": (
        {},
        {"section": "split"},
        {"section": "joined"},
        {"section": "whatif", "edit": "mute:encoder.1.3"},
        {"section": "pair", "edit": "zero"},
    ),
    "meaning": (
        *({"section": name} for name in ("sentences", "gradient")),
        {"section": "sum", "minus": "woman", "of": "quokka"},
    ),
    "encoder": ({}, {"section": "network"}, {"section": "walk"}, {"section": "residual"}, {"section": "parting"}),
    "tokens": ({"section": "pair"}, {"section": "batch"}, {"section": "length"}, {"section": "holes"}),
    "embedding": ({}, {"section": "ids"}, {"section": "begin"}),
    "overview": ({},),
    "claims": ({"votes": "all"},),
    "output": (
        *({"section": name} for name in ("depth", "search", "tied", "headless")),
        {"section": "draw", "depth": 1, "topk": "5"},
        {"section": "draw", "temperature": "2", "topk": "20"},
    ),
    "translation": ({"section": "change", "search": "beam"}, {"section": "peek"}, {"section": "after"}),
    "input": (
        {"section": "switches"},
        {"section": "switches", "sqrt": "on", "positions": "off"},
        {"section": "tied", "sqrt": "off"},
        {"section": "dropout"},
    ),
    "layernorm": ({}, {"section": "start"}, {"section": "depth"}, {"section": "where"}),
    "position": ({}, {"section": "lengths"}),
    "training": ({"section": "contest"}, {"section": "contest", "what": "width"}),
    "circuits": (
        *({"section": name} for name in ("lens", "muting", "induction")),
        {"section": "muting", "muted": "2.5,3.n", "layer": 0},
    ),
}


@pytest.mark.parametrize("slug", WRITTEN)
def test_a_number_in_a_sentence_or_a_table_leads_to_itself(opened, looked, slug: str) -> None:
    """Every one is the number its trail stands for, to the last digit; pressed, it is what the panel follows."""
    texts = [(TEXTS["minilm"], "en"), (TEXTS["translator"], "zh")]
    for query, (text, lang) in some(crossed(WRITTEN[slug], texts)):
        shown = {"text": text, "guess": "skip", **query}
        found = set(NUMBER.findall(opened(slug, lang, **shown).html))
        cells = Cells(looked(slug, lang, **shown).page)
        assert found, (slug, query)
        for trail, digits, _ in found:
            assert leads_to(cells, unescape(trail), digits), trail
        trail, digits, _ = min(found)
        panel = opened(slug, lang, **shown, trail=unescape(trail)).followed
        assert panel["trail"] and not panel["note"] and near(panel["value"], digits)


def test_the_translators_numbers_are_its_own_whoever_reads(opened, looked) -> None:
    """A search through translations is told on a page that another model reads: its numbers say whose they are."""
    shown = {"text": TEXTS["minilm"], "guess": "skip", "section": "search"}
    page = looked("output", "en", **shown).page
    assert not page.translates
    found = NUMBER.findall(opened("output", "en", **shown).html)
    assert found and all(leads_to(Cells(page), unescape(trail), digits) for trail, digits, _ in found)


@pytest.mark.parametrize(("text", "lang"), [(TEXTS["minilm"], "en"), ("我们在家看我们", "zh")])
def test_the_gradient_of_a_row_that_was_fetched_twice_leads_on(opened, text: str, lang: str) -> None:
    """To a number of it, and on to what comes back at each place."""
    shown = {"text": text, "guess": "skip", "section": "gradient"}
    trails = (unescape(trail) for trail, _, _ in NUMBER.findall(opened("meaning", lang, **shown).html))
    trail = next(trail for trail in trails if "gradient_rows" in trail)
    for _ in range(3):
        panel = opened("meaning", lang, **shown, trail=trail).followed
        assert panel["trail"] and not panel["note"]
        trail = next(door["to"] for line in panel["steps"] for door in pressed(line))


def leads_to(cells: Cells, trail: str, digits: str) -> bool:
    """Whether a trail that begins so stands for this number."""
    origin = free(cells, trail)
    behind = exact(cells.value(origin)) if origin else ""
    return behind == digits or (isinstance(origin, Measure) and near(behind, digits))


@pytest.mark.parametrize(("text", "lang"), [(TEXTS["minilm"], "en"), (TEXTS["translator"], "zh")])
def test_what_moved_in_a_part_is_followed_however_parts_are_read(opened, looked, text: str, lang: str) -> None:
    """As windows, with a memory, and as one row: in each way the first part moved, in both languages."""
    shown = {"text": text, "guess": "skip", "section": "length", "most": 4}
    trails = [unescape(trail) for trail, _, _ in NUMBER.findall(opened("tokens", lang, **shown).html)]
    cells = Cells(looked("tokens", lang, **shown).page)
    for run in ("edit=restart:4&edit=apart:4%2E0!", "edit=restart:4&edit=apart:4%2E1!", ""):
        moved = [trail for trail in trails if trail.startswith(f"apart.{run}encoder")]
        assert moved and all(run in trail.partition("-")[2] for trail in moved)
        origin = free(cells, moved[0])
        assert origin and cells.value(origin) > 0
        panel = opened("tokens", lang, **shown, trail=moved[0]).followed
        assert panel["trail"] and not panel["note"] and pressed(panel["steps"][0])


@pytest.mark.parametrize("model", TEXTS)
def test_a_number_under_a_curve_leads_to_itself(looked, model: str) -> None:
    """The table that was learned is of another model where the page's has none."""
    context = looked("position", "en", text=TEXTS[model], guess="skip", section="learned")
    captions = [
        made.words.caption for made in learned.curves(context, learned.computed(context), context.view.learned).values()
    ]
    found = NUMBER.findall("".join([*captions, learned.more(context)]))
    assert len(found) == 4 and all(leads_to(Cells(context.page), unescape(trail), digits) for trail, digits, _ in found)


def test_from_a_contribution_to_what_the_token_brings_and_on_to_the_weights(opened) -> None:
    """A measure that is made of measures: each is a crumb of its own, and the last is made of cells and parameters."""
    shown = {"text": TEXTS["minilm"], "guess": "skip", "show": "contribution"}
    panel = opened("attention", "en", **shown).followed
    for kind in ("carried", "brought", "value"):
        found = [door["to"] for line in panel["steps"] for text in pressed(line) for door in [text]]
        to = next(to for to in found if re.search(rf"(^|\.){kind}\.", to.rpartition("~")[2]))
        panel = opened("attention", "en", **shown, trail=to).followed
        assert panel["trail"][-1]["to"] == to and not panel["note"]
    assert "dim" in panel["trail"][-1]["text"]


def pressed(line: dict) -> list[dict]:
    """The doors of a line, as the browser gets them."""
    texts = [line["operation"], line["value"], *line["lines"]]
    return [piece for text in texts if isinstance(text, list) for piece in text if isinstance(piece, dict)]


def test_what_was_changed_is_followed_in_the_changed_run(opened) -> None:
    shown = {"text": TEXTS["minilm"], "guess": "skip", "edit": "zero", "section": "split"}
    (trail, digits, _), *_ = NUMBER.findall(opened("heads", "en", **shown).html)
    assert opened("heads", "en", **shown, trail=trail).data("derivation")["exact"] == digits


@pytest.mark.parametrize("slug", ["attention", "layernorm", "input", "output", "translation"])
def test_no_number_can_be_pressed_while_the_question_is_open(opened, slug: str) -> None:
    text = "我的书被老师拿走了" if slug == "output" else TEXTS["minilm"]
    assert not NUMBER.search(opened(slug, "en", text=text, guess="open").html)


def test_a_number_that_begins_a_trail_ends_what_another_piece_followed() -> None:
    stage = stages()["attention"]
    query = {"section": "maps"}
    assert stage.concerned(query, {"trail": "encoder.3.attention.query.9.5.23"}) == ["derivation", "map_followed"]
    assert stage.concerned(query, {"trail": "x~encoder.3.attention.query.9.5.23"}) == ["derivation"]
