"""The site as a visitor meets it: sentence, cell, prediction, language, path, Back, reload, theme, bad input."""

import json
import re
from urllib.parse import parse_qs, quote_plus

import pytest

from pages.shared.pictures.components import COMPONENTS
from pages.shared.words.numbers import short
from tests.profiles import crossed, some

CAT = "The cat sat on the mat."


def test_a_visit_from_end_to_end(visit):
    tab = visit().open("attention", lang="en")
    assert re.search(r"0\.732[12]", tab.followed)  # of the rows not asked about, the largest on another word
    tab.page.locator("canvas.marks").click(position={"x": 100, "y": 88})
    tab.settle()
    assert parse_qs(tab.query)["q"] == ["1"] and "0.02463" in tab.followed
    tab.page.get_by_role("button", name="mat", exact=True).first.click()
    tab.settle()
    assert "Right" in tab.text(".answer") and "0.8357" in tab.followed
    tab.page.locator(".segments button", has_text="5").first.click()
    tab.settle()
    assert "layer=5" in tab.query
    followed = tab.followed
    tab.page.get_by_text("中文", exact=True).click()
    tab.settle()
    assert "layer=5" in tab.query and "追这个数" in tab.followed
    tab.page.go_back()
    tab.settle()
    assert tab.followed == followed
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert tab.followed == followed and "layer=5" in tab.query


def test_cells_make_no_history_and_a_sentence_does(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    before = tab.page.evaluate("history.length")
    for x in (120, 160, 200):
        tab.page.locator("canvas.marks").click(position={"x": x, "y": 130})
        tab.settle()
    assert tab.page.evaluate("history.length") == before
    cell = tab.followed
    write(tab, "Dogs bark at night.")
    assert tab.page.evaluate("history.length") == before + 1
    assert "dogs" in tab.text(".strip")
    tab.page.go_back()
    tab.settle()
    assert "cat" in tab.text(".strip") and tab.followed == cell


def write(tab, text: str) -> None:
    """Type a sentence into its box and send it."""
    tab.page.locator(".sentence .open").click()
    tab.page.locator("textarea").fill(text)
    tab.page.locator("textarea").press("Enter")
    tab.settle()


def test_a_sentence_is_typed_key_by_key(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.locator(".sentence .open").focus()
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("Control+A")
    tab.page.keyboard.type("Dogs bark")
    tab.page.keyboard.press("Backspace")
    tab.page.keyboard.type("k at night.")
    tab.page.keyboard.press("Enter")
    tab.settle()
    assert "text=Dogs+bark+at+night." in tab.query and "night" in tab.text(".strip")
    tab.page.locator(".sentence .open").focus()
    tab.page.keyboard.press("Tab")
    assert not tab.page.evaluate("() => document.activeElement.shadowRoot?.activeElement?.className === 'open'")


def test_language_keeps_what_a_click_selected(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.locator(".thumbnails button").nth(7).click()
    tab.settle()
    tab.page.locator("canvas.marks").click(position={"x": 100, "y": 88})
    tab.settle()
    followed = tab.followed
    assert "head=8" in tab.query and followed.split()[-1] in tab.text(".derivation")
    tab.page.get_by_text("中文", exact=True).click()
    tab.settle()
    assert "head=8" in tab.query and "q=1" in tab.query and tab.followed.split("：")[-1] == followed.split(": ")[-1]


def test_words_and_exports_follow_the_selection(visit):
    tab = visit().open("attention", lang="en", guess="skip", take=1)
    tab.page.locator(".thumbnails button").nth(7).click()
    tab.settle()
    assert "[CLS]" in tab.text(".place.lead") and "mat takes" not in tab.page.locator(".st-key-notice").inner_text()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="This picture (CSV)").click()
    assert download.value.suggested_filename == "encoder-weights-layer-3-head-8.csv"
    rows = download.value.path().read_text(encoding="utf-8").splitlines()
    assert rows[6].split(",")[1].startswith("0.9")  # the second "the" looks at [CLS]


def test_back_finds_an_open_question_open(visit):
    tab = visit().open("attention", lang="en")
    tab.page.locator("canvas.marks").click(position={"x": 100, "y": 88})
    tab.settle()
    tab.page.locator("[data-testid=stSidebar]").get_by_text("Tokens").click()
    tab.page.wait_for_selector(".ruler")
    tab.settle()
    tab.page.go_back()
    tab.page.wait_for_selector(".matrix")
    tab.settle()
    assert parse_qs(tab.query)["guess"] == ["open"] and not re.search(r"0\.83(57|6)\b", tab.page.content())


def test_the_box_counts_while_one_types(visit):
    tab = visit().open("overview", lang="en", guess="skip")
    tab.page.locator(".sentence .open").click()
    tab.page.locator("textarea").fill("unaffable ☃")
    tab.page.locator(".counts", has_text="6 / 512").wait_for()
    assert "11 / 2000" in tab.text(".counts") and "☃" in tab.text(".warning")
    tab.page.locator("textarea").press("Escape")
    assert not tab.page.locator(".sentence .panel").is_visible()


def test_the_path_carries_the_sentence_and_nothing_else(visit):
    tab = visit().open("attention", lang="en", text="Dogs bark at night.", guess="skip", layer=2, q=1, k=2)
    tab.page.locator("[data-testid=stSidebar]").get_by_text("Overview").click()
    tab.settle()
    assert tab.page.url.startswith(f"{tab.site}/overview?")
    assert tab.query == f"lang=en&text={quote_plus('Dogs bark at night.')}&guess=skip"
    tab.page.go_back()
    tab.settle()
    assert "layer=2" in tab.query and "dogs" in tab.text(".derivation")


def test_the_address_the_browser_writes_is_the_servers(visit):
    """Otherwise each click would cost a press of Back. Every character that quoting treats its own way is tried."""
    text = "a~b*c'd(e)f!g h+i&j=k%l/m?n#o 中 é \"<>"
    tab = visit().open("attention", lang="en", text=text, guess="skip")
    before = tab.page.evaluate("history.length")
    tab.page.locator("canvas.marks").press("ArrowRight")
    tab.settle()
    assert tab.page.evaluate("history.length") == before
    assert f"text={quote_plus(text)}" in tab.query


def test_light_and_dark_by_hand(visit):
    tab = visit(scheme="light").open("overview", lang="en", guess="skip")
    paper = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    light = tab.page.evaluate(paper)
    tab.page.get_by_text("Dark", exact=True).click()
    tab.page.wait_for_function(f"old => ({paper})() !== old", arg=light)
    tab.settle()
    assert "theme=dark" in tab.query
    tab.page.locator("[data-testid=stSidebar]").get_by_text("Attention").click()
    tab.settle()
    assert tab.page.evaluate(paper) != light


def test_keyboard_and_screen_reader(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.locator("canvas.marks").press("Home")
    tab.settle()
    assert "k=0" in tab.query
    heard = tab.text(".matrix .heard")
    assert "the" in heard and "[CLS]" in heard and "0.09" in heard


def test_a_veiled_row_gives_nothing_away(visit):
    tab = visit().open("attention", lang="en")
    for _ in range(4):
        tab.page.locator("canvas.marks").press("ArrowDown")
        tab.settle()
    assert not re.search(r"0\.83(57|6)\b", tab.page.content()) and "veiled" in tab.followed
    assert "veiled" in tab.text(".matrix .heard")
    answers = tab.page.evaluate(
        """() => { const stack = window.seeThrough.stacks.get("matrix"), h = stack.header, all = [];
          for (const key of h.planes) all.push([...stack.plane(key).subarray(5 * 9, 6 * 9)]);
          return all.flat().filter(v => !Number.isNaN(v)).length; }"""
    )
    assert answers == 0


def test_a_component_that_reports_nonsense(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    for said in (
        "nothing",
        {"page": "attention", "patches": {"layer": [1]}, "session": 3},
        {"page": "attention", "patches": [["1", {"q": 1}], "x", [1], [None, None], [0, {"q": 2}]], "lacks": "x"},
    ):
        for way in ("report", "near"):
            tab.page.evaluate("([way, said]) => window.seeThrough[way](said)", [way, said])
            tab.settle()
            assert tab.page.locator(".derivation").count() == 1, said
    for patch in ({"q": "<b>", "k": None}, {"layer": [1]}, {"q": 1e99}, {"nobody": 1}, {"text": "b", "lang": "zh"}):
        tab.page.evaluate("patch => seeThrough.select(patch)", patch)
        tab.settle()
        assert tab.page.locator(".derivation").count() == 1, patch
        assert "text=The+cat" in tab.query and "lang=en" in tab.query and "nobody" not in tab.query
    tab.page.evaluate("() => seeThrough.select({ q: 99, k: 2 })")
    tab.settle()
    assert "q=99" in tab.text(".derivation .note") and "q=99" not in tab.query and "k=2" in tab.query


ODD = (
    "", " ", "x", "[MASK]", "<script>document.title='broken'</script>", "שלום עולם", "👩‍💻🏳️‍🌈",
    "a\u0000b\u0007c\u202ed",
    "word " * 400, "z" * 10_000, "我昨天在北京买了三本书", "![x](http://example.com/a.png) **b** $x$ :red[c]",
)  # fmt: skip


@pytest.mark.parametrize(("path", "text"), crossed(["overview", "attention"], some(ODD)))
def test_any_text(visit, path, text):
    tab = visit().open(path, lang="zh", text=text[:5000], guess="skip")
    assert tab.page.locator(".derivation").count() == 1
    assert tab.page.title() != "broken"
    assert tab.sideways() <= 0


@pytest.mark.thorough
def test_ten_thousand_characters_are_cut_and_it_says_so(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    write(tab, "long " * 2000)
    assert "10,000 characters" in tab.notes and "first 2,000" in tab.notes
    write(tab, "a. " * 600)
    assert "tokens were cut" in tab.notes


def test_a_broken_address_is_repaired_and_said(visit):
    tab = visit().open(
        "attention", lang="xx", theme="pink", layer=99, head="-1", q="abc", show="everything", guess="skip"
    )
    for part in ("lang=xx", "theme=pink", "layer=99", "head=-1", "q=abc", "show=everything"):
        assert part in tab.notes
    assert "layer" not in tab.query


@pytest.mark.parametrize("path", some(["overview", "attention", "credits"]))
def test_a_phone(visit, path):
    tab = visit(width=390, height=844, has_touch=True).open(path, lang="zh", guess="skip")
    assert tab.sideways() <= 0


@pytest.mark.parametrize("path", some(["attention", "overview", "tokens", "embedding"]))
def test_a_phone_with_everything_open(visit, path):
    tab = visit(width=390, height=844).open(path, lang="zh", guess="skip", open=1)
    tab.page.wait_for_selector("table.shapes", timeout=60_000)
    tab.settle()
    assert tab.sideways() <= 0


def test_a_finger_selects_a_cell(visit):
    tab = visit(width=390, height=844, has_touch=True).open("attention", lang="en", guess="skip")
    tab.page.locator("canvas.marks").tap(position={"x": 120, "y": 90})
    tab.settle()
    assert "q=" in tab.query and "k=" in tab.query


def test_half_a_character_does_no_harm(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.locator(".sentence .open").click()
    tab.page.locator("textarea").evaluate("area => { area.value = 'dogs \\ud800bark'; }")
    tab.page.locator("textarea").press("Enter")
    tab.settle()
    write(tab, "Cats purr.")
    assert "cats" in tab.text(".strip") and tab.page.locator(".derivation").count() == 1


def test_above_the_fold(visit):
    tab = visit().open("attention", lang="zh", guess="skip")
    for part in (".matrix", ".derivation"):
        box = tab.page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 800, part


def test_numbers_look_the_same_on_both_sides(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    values = [
        0.0,
        1.0,
        -1.0,
        0.83571,
        27.514,
        155.0,
        154.996,
        1234.6,
        9999.6,
        10000.0,
        30522.0,
        1e9,
        6e-8,
        -3.14159e-5,
        0.0001,
        0.00009999,
        -2.5,
        123456789.0,
        9.9996e-5,
    ]
    source = (COMPONENTS / "kit/format.js").read_text(encoding="utf-8")
    shown = """([code, values]) => import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })))
      .then((format) => values.map((value) => format.short(value)))"""
    found = tab.page.evaluate(shown, [source, values])
    assert found == [short(v) for v in values], json.dumps(found)


def test_the_overview_is_dragged_and_opens_its_doors(visit):
    tab = visit().open("overview", lang="en", guess="skip", depth=5)
    assert "0.7496" in tab.followed
    tab.page.locator("rect.frame").scroll_into_view_if_needed()
    frame = tab.page.locator("rect.frame").bounding_box()
    tab.page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + 60)
    tab.page.mouse.down()
    tab.page.mouse.move(frame["x"] + 2.5 * frame["width"], frame["y"] + 60, steps=8)
    tab.page.mouse.up()
    tab.settle()
    assert "depth=7" in tab.query and "0.8616" in tab.followed
    tab.page.locator(".sheet .titles a", has_text="layer 2").click()
    tab.page.wait_for_selector(".matrix")
    tab.settle()
    assert "/attention?" in tab.page.url and "layer=2" in tab.query
    tab.page.go_back()
    tab.page.wait_for_selector(".depth")
    tab.settle()
    assert "depth=7" in tab.query
    tab.page.locator(".sheet .titles a", has_text="tokens").click()
    tab.page.wait_for_selector(".ruler")
    assert "/tokens?" in tab.page.url


def test_two_tokens_are_compared_by_clicking_them(visit):
    tab = visit().open("overview", lang="en", guess="skip")
    for token in ("cat", "mat"):
        tab.page.locator(".strip").get_by_text(token, exact=True).click()
        tab.settle()
    assert "q=2" in tab.query and "k=6" in tab.query
    assert "cat and mat" in tab.text(".where")
    assert "cat and mat have a cosine" in tab.text(".st-key-notice")
    assert "of cat and mat are" in tab.text(".caption")


# ---------------------------------------------------------------------------------------------------
# One address


WIDGETS = {  # page, section, a number's label, what is typed, the parameter
    "rate": ("input", {"section": "dropout", "rate": "0.5"}, "0.9"),
    "seed": ("input", {"section": "dropout"}, "7"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_is_not_undone_by_the_next_click(visit, name):
    slug, address, typed = WIDGETS[name]
    tab = visit().open(slug, lang="en", guess="skip", **address)
    field = tab.page.locator(f"input[data-at={name}]")
    field.fill(typed)
    field.press("Enter")
    tab.settle()
    assert parse_qs(tab.query)[name] == [typed]
    before = tab.page.evaluate("history.length")
    tab.page.evaluate("() => seeThrough.select({ pos: 2, dim: 5 })")
    tab.settle()
    tab.page.locator(".addition canvas").first.click(position={"x": 200, "y": 60})
    tab.settle()
    assert parse_qs(tab.query)[name] == [typed] and field.input_value().startswith(typed)
    assert tab.page.evaluate("history.length") == before


def test_a_click_while_a_widget_s_message_is_under_way_loses_neither(visit):
    tab = visit().open("input", lang="en", guess="skip", section="dropout", rate="0.5")
    field = tab.page.locator("input[data-at=rate]")
    field.fill("0.9")
    field.press("Enter")
    tab.page.evaluate("() => { seeThrough.select({ pos: 2 }); seeThrough.select({ dim: 5 }); }")
    tab.settle()
    said = parse_qs(tab.query)
    assert (said["rate"], said["pos"], said["dim"]) == (["0.9"], ["2"], ["5"])


def test_controls_make_no_history_and_back_leaves_the_page(visit):
    tab = visit().open("overview", lang="en", guess="skip")
    tab.page.locator("[data-testid=stSidebar]").get_by_text("Attention").click()
    tab.page.wait_for_selector(".matrix")
    tab.settle()
    for patch in ({"layer": 2}, {"head": 4}, {"show": "scores"}, {"q": 3, "k": 2}, {"show": "query"}, {"layer": 6}):
        tab.page.evaluate("patch => seeThrough.select(patch)", patch)
        tab.settle()
    tab.page.go_back()
    tab.page.wait_for_selector(".depth")
    tab.settle()
    assert "/overview?" in tab.page.url
    tab.page.go_forward()
    tab.page.wait_for_selector(".matrix")
    tab.settle()
    assert "layer=6" in tab.query and "show=query" in tab.query


def test_a_sentence_at_the_foot_of_a_page_brings_its_top(visit):
    tab = visit().open("overview", lang="en", guess="skip")
    main = tab.page.locator("[data-testid=stMain]")
    main.evaluate("main => main.scrollTo(0, main.scrollHeight)")
    assert main.evaluate("main => main.scrollTop") > 0
    tab.page.locator(".st-key-try button").click()
    tab.settle()
    assert "bank" in tab.text(".strip") and main.evaluate("main => main.scrollTop") == 0


def test_reload_while_a_question_is_open_gives_nothing_away(visit):
    tab = visit().open("attention", lang="en")
    tab.page.locator("canvas.marks").click(position={"x": 100, "y": 88})
    tab.settle()
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert "q=1" in tab.query and not re.search(r"0\.83(57|6)\b", tab.page.content())


def test_a_click_after_the_piece_it_moves_is_gone(visit):
    """As after a long sleep or a restart: the session is new, and the fragment the browser names is not there."""
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.evaluate("() => { seeThrough.near = () => {}; }")
    tab.page.evaluate("() => seeThrough.select({ q: 2, k: 1 })")
    tab.settle()
    assert "cat →" in tab.text(".where") and "q=2" in tab.query


ASKING = ("overview", "tokens", "segmentation", "embedding", "meaning", "position", "input", "layernorm", "attention",
          "heads", "encoder", "translation", "output")  # fmt: skip
# Where each picture between the question and what lies below it begins: from the top of the page, in pixels.
PICTURES = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const top = (element) => Math.round(element.getBoundingClientRect().top + main.scrollTop);
  const begin = top(document.querySelector(".st-key-predict"));
  const end = Math.min(...[...document.querySelectorAll(".st-key-contents, .st-key-notice")].map(top));
  const drawn = [...document.querySelectorAll("[class*=st-key-]")].filter(
    (element) => element.querySelector("[data-testid^=stBidi]") && element.getBoundingClientRect().height > 20,
  );
  const tops = drawn.map((element) => [element.className.match(/st-key-\\w+/)[0], top(element)]);
  return Object.fromEntries(tops.filter(([, at]) => at >= begin && at < end));
}"""
# What can be pressed and is under 24 px wide or high, without room around it that counts: class reach.
SMALL = """() => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (!element.matches("button, a[href], [role=button]") || element.closest("p, td, .reach, .term")) continue;
      const { width, height } = element.getBoundingClientRect();
      const small = width > 2 && Math.min(width, height) < 23.5;
      if (small) found.push(`${element.outerHTML.slice(0, 80)} ${width} ${height}`);
    }
  };
  look(document.querySelector("[data-testid=stMain]"));
  return found;
}"""


@pytest.mark.parametrize(("path", "lang"), crossed(some(ASKING, every=6), ["zh", "en"]))
def test_nothing_moves_when_the_question_is_answered(visit, path, lang):
    tab = visit().open(path, lang=lang)
    box = tab.page.locator(".st-key-predict")
    before, pictures = box.bounding_box(), tab.page.evaluate(PICTURES)
    box.locator("button").first.focus()
    with tab.answered():
        tab.page.keyboard.press("Enter")
    assert tab.page.locator(".st-key-predict .answer").is_visible() and before
    assert before["height"] == pytest.approx(box.bounding_box()["height"], abs=1)
    assert pictures and tab.page.evaluate(PICTURES) == pytest.approx(pictures, abs=2)
    assert box.get_attribute("aria-live") == "polite"  # it is read out, and the focus is on it
    tab.page.wait_for_function("() => document.activeElement.className === 'answer'", timeout=5000)
    assert not tab.page.evaluate(SMALL)


@pytest.mark.parametrize("path", some(["attention", "overview", "input"]))
def test_the_picture_drawn_alone_keeps_its_sentences(visit, path):
    tab = visit().open(path, lang="en", guess="skip")
    said = tab.text(".place.noticed")
    with tab.answered():
        asked = (
            "seeThrough.report({ session: seeThrough.session, page: seeThrough.page, patches: [], lacks: ['picture'] })"
        )
        tab.page.evaluate(asked)
    assert tab.text(".place.noticed") == said and tab.text(".place.lead") and not tab.page.locator(".fault").count()


def test_a_page_is_left_in_the_moment_something_is_selected_on_it(visit) -> None:
    visitor = visit().open("attention", lang="en", guess="skip")
    for q, to in ((1, "heads"), (2, "attention"), (3, "heads"), (4, "attention")):
        visitor.page.evaluate(
            """([q, to]) => {
              seeThrough.select({ q, layer: q });
              document.querySelector(`.st-key-path a[href*="${to}"]`).click();
            }""",
            [q, to],
        )
        visitor.page.wait_for_function("to => location.pathname === `/${to}` && seeThrough.page === to", arg=to)
        visitor.settle()
        assert visitor.page.locator(".st-key-picture").is_visible() and f"layer={q}" not in visitor.query
    visitor.page.go_back()
    visitor.page.wait_for_function("() => location.pathname === '/heads' && seeThrough.page === 'heads'")
    assert "layer=4" in visitor.settle().query  # nothing of what was selected there is lost
