"""The tokens page in a real browser: a word picked anywhere is picked everywhere, the veil holds, long texts scroll."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import some

LONG = "Tokenization is unaffable: electroencephalography, naïve café!"


def chosen(tab) -> tuple[str, str, str]:
    """The selected word as the strip, the ruler and the walk say it."""
    ruler = tab.page.locator(".ruler .chip.word.on")
    return (
        "".join(tab.page.locator(".strip .first").all_inner_texts()).replace("##", ""),
        ruler.first.inner_text() if ruler.count() else "",
        tab.text(".walk h2 bdi"),
    )


def test_a_word_picked_anywhere_is_picked_everywhere(visit):
    tab = visit().open("tokens", lang="en", text=LONG, guess="skip")
    assert chosen(tab) == ("electroencephalography",) * 3
    before = tab.page.evaluate("history.length")
    tab.page.locator(".strip button", has_text="##ffa").click()
    tab.settle()
    assert chosen(tab) == ("unaffable",) * 3 and parse_qs(tab.query)["word"] == ["3"]
    tab.page.locator(".ruler .piece", has_text="##ization").click()
    tab.settle()
    assert chosen(tab) == ("tokenization",) * 3
    assert parse_qs(tab.query)["word"] == ["1"] and parse_qs(tab.query)["step"] == ["2"]
    assert tab.text(".walk .found .verdict") == "3989"
    tab.page.locator(".ruler .plane").focus()
    tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert chosen(tab) == ("is",) * 3 and "step" not in parse_qs(tab.query)  # another word, from its first step
    assert "id 2003" in tab.page.locator(".ruler .heard").inner_text()
    assert tab.page.evaluate("history.length") == before
    tab.page.reload()
    tab.page.wait_for_selector(".walk h2")
    tab.settle()
    assert chosen(tab) == ("is",) * 3


def test_stepping_through_a_word(visit):
    tab = visit().open("tokens", lang="en", text="unaffable", guess="skip")
    assert tab.page.locator(".walk .rejected").count() == 6
    assert tab.text(".walk .found").replace("\n", "") == "una14477"
    for step, (piece, id, rejected) in enumerate([("##ffa", "20961", 3), ("##ble", "3468", 0)], 2):
        tab.page.locator(".segments button", has_text=str(step)).click()
        assert tab.text(".walk .found").replace("\n", "") == piece + id
        assert tab.page.locator(".walk .rejected").count() == rejected
        assert tab.text(".ruler .piece.at") == piece
        tab.settle()
        assert f"step={step}" in tab.query
    assert "unaffable" in tab.text(".walk .check")


@pytest.mark.thorough
def test_the_veil_holds_until_the_answer(visit):
    tab = visit().open("tokens", lang="en", text="unaffable")
    everything = """() => [...document.querySelectorAll('*')]
        .map((e) => (e.shadowRoot ?? e).textContent + (e.title ?? '')).join()
        .replaceAll('##ffable', '')"""  # what is left of the word, not a piece
    assert "##ffa" not in tab.page.evaluate(everything) and "14477" not in tab.page.evaluate(everything)
    assert tab.page.locator(".strip .row > *").all_inner_texts() == ["[CLS]", "unaffable", "[SEP]"]
    tab.page.locator(".ruler .veil").first.click()
    tab.settle()
    assert "Veiled" in tab.text(".walk .intro") and "##ffa" not in tab.page.evaluate(everything)
    tab.page.locator(".sentence .open").click()
    tab.page.locator(".counts", has_text="? / 512").wait_for()
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("button", name="7", exact=True).first.click()
    tab.settle()
    assert "Right" in tab.text(".answer") and chosen(tab) == ("unaffable",) * 3
    assert tab.page.locator(".strip .row > *").all_inner_texts() == ["[CLS]", "una", "##ffa", "##ble", "[SEP]"]


def test_language_example_and_back(visit):
    tab = visit().open("tokens", lang="en")
    tab.page.locator(".st-key-example_0 button").click()
    tab.settle()
    assert parse_qs(tab.query)["text"] == ["unaffable"]
    tab.page.get_by_text("中文", exact=True).click()
    tab.settle()
    assert "怎样切成词元" in tab.text("h1") and "先猜一猜" in tab.page.locator(".st-key-predict").inner_text()
    tab.page.go_back()
    tab.settle()
    tab.page.go_back()
    tab.settle()
    assert "cat" in tab.text(".strip") and tab.text(".walk .where") == "not in this sentence"


@pytest.mark.thorough
def test_a_word_beside_the_text_is_left_and_found_again(visit):
    tab = visit().open("tokens", lang="en", guess="skip")
    assert chosen(tab) == ("", "", "unaffable") and tab.page.locator(".ruler .band").count() == 0
    tab.page.locator(".ruler .plane").focus()
    tab.page.keyboard.press("ArrowLeft")
    tab.settle()
    assert tab.text(".walk h2 bdi") == "[SEP]"
    tab.page.locator(".controls button", has_text="›").first.click()
    tab.settle()
    assert chosen(tab) == ("", "", "unaffable") and "not in this sentence" in tab.text(".walk .where")


@pytest.mark.thorough
@pytest.mark.parametrize("text", some(["electroencephalography naïve 奥利给! " * 54, "a" * 2000, "." * 2000]))
def test_two_thousand_characters_scroll_inside_the_picture(visit, text):
    tab = visit().open("tokens", lang="en", text=text, guess="skip")
    assert tab.sideways() <= 0
    assert tab.page.locator(".ruler .plane > span").count() < 1500  # only what is in view
    took = tab.page.locator(".ruler .scroll").evaluate(
        """async (scroll) => {
          const frame = () => new Promise(requestAnimationFrame), started = performance.now();
          for (let i = 1; i <= 20; i++) {
            scroll.scrollLeft = (scroll.scrollWidth * i) / 20;
            await frame();
            await frame();
          }
          return (performance.now() - started) / 20;
        }"""
    )
    assert took < 300
    assert str(len(text.rstrip()) - 1)[:2] in tab.page.locator(".ruler .tick").last.inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text", some(["", " ", "x", "奥利给", "👩\u200d👧 \x07 e\u0301", "[MASK]", "שלום עולם", "<script>x</script>"])
)
def test_odd_texts_stay_whole_on_a_phone(visit, text):
    tab = visit(locale="zh-CN", width=390, height=844, scheme="dark").open("tokens", text=text, guess="skip")
    assert tab.sideways() <= 0
    assert tab.page.locator(".ruler .piece").count() >= 2 and tab.text(".walk h2")


@pytest.mark.thorough
def test_picture_and_walk_end_above_the_fold(visit):
    for lang in ("zh", "en"):
        tab = visit().open("tokens", lang=lang, text="unaffable", guess="7")
        for selector in (".ruler", ".walk"):
            box = tab.page.locator(selector).first.bounding_box()
            assert box and box["y"] + box["height"] <= 800


def test_a_control_character_shows_itself(visit):
    tab = visit().open("tokens", lang="en", text="x\u0007y\u200bz", guess="skip")
    cells = tab.page.locator(".ruler .cell").all_inner_texts()
    assert "␇" in cells and "200B" in cells and cells.count("×") == 2


@pytest.mark.thorough
def test_entries_are_found_and_leafed_through(visit):
    """Search, kinds, pages; and an entry leads to its row of the table."""
    tab = visit().open("tokens", lang="en", guess="skip", section="entries")
    links = tab.page.locator(".entries a")
    assert "the" in links.all_inner_texts()
    tab.page.locator(".st-key-leaf_on button").click()
    tab.settle()
    assert "the" not in links.all_inner_texts() and parse_qs(tab.query)["leaf"] == ["28"]
    box = tab.page.locator(".st-key-find_controls input")
    box.fill("ization")
    box.press("Enter")
    tab.settle()
    assert parse_qs(tab.query)["find"] == ["ization"]
    found = links.all_inner_texts()
    assert found and all("ization" in entry for entry in found)
    tab.page.get_by_role("button", name="## pieces").click()
    tab.settle()
    assert sorted(links.all_inner_texts()) == sorted(entry for entry in found if entry.startswith("##"))
    with tab.page.expect_navigation():
        links.first.click()
    tab.page.wait_for_selector(".followed, [class*=derivation]")
    assert "/embedding" in tab.page.url and "row=" in tab.page.url


@pytest.mark.thorough
def test_the_limit_is_moved(visit):
    tab = visit().open("tokens", lang="en", guess="skip", section="length")
    assert tab.page.locator(".said", has_text="5 tokens are dropped").count() == 1
    tab.page.locator("[data-at=most]").press("ArrowDown")
    tab.settle()
    assert parse_qs(tab.query)["most"] == ["3"] and "6 tokens are dropped" in tab.page.locator("main").inner_text()


@pytest.mark.thorough
def test_a_text_is_read_part_by_part(visit):
    """From the first part to the last by itself; whoever steps meanwhile ends it."""
    tab = visit().open("tokens", lang="en", guess="skip", section="length")
    player = tab.page.locator("[data-at=read-play]")
    player.click()
    assert player.get_attribute("aria-label") == "stop"
    tab.page.wait_for_function("() => location.search.includes('read=3')", timeout=10_000)
    tab.settle()
    assert player.get_attribute("aria-label") == "read part by part"
    player.click()
    tab.page.locator("[data-at=read-on]").click()  # from 1 to 2
    tab.page.wait_for_timeout(3000)
    tab.settle()
    assert parse_qs(tab.query)["read"] == ["2"] and player.get_attribute("aria-label") == "read part by part"
