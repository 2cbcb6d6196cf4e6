"""A translation in a real browser: stepping forward and back, playing, the veil, and what is selected everywhere."""

from urllib.parse import parse_qs, urlencode

import pytest

BOOKS, FILM = "我昨天在北京买了三本书", "小明昨天晚上看了一部电影"
BOOK = urlencode({"text": "小明昨天晚上看了一本书"})


def written(tab) -> list[str]:
    """The words that are written so far."""
    words = tab.page.locator(".decoding svg text.word:not(.given):not(.later)").all_text_contents()
    return [word for word in words if word.isascii() and not word.startswith("[")]


@pytest.mark.thorough
def test_stepping_forward_and_back(visit):
    tab = visit(locale="zh-CN").open("translation", text=BOOKS, guess="skip", q=0, k=0)
    assert written(tab) == ["I"]
    tab.page.locator(".decoding .on").click()
    tab.settle()
    assert written(tab) == ["I", "bought"] and parse_qs(tab.query)["q"] == ["1"]
    assert tab.text(".strip .written .first") == "bought"  # the word that is written is the one that is marked
    assert tab.text(".decoding .taken .text") == "bought"
    assert "买" in tab.text(".derivation header")
    before = tab.page.evaluate("history.length")
    tab.page.locator(".decoding svg").focus()
    for _ in range(3):
        tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert written(tab) == ["I", "bought", "three", "books", "in"]
    tab.page.keyboard.press("ArrowLeft")
    tab.settle()
    assert written(tab)[-1] == "books" and parse_qs(tab.query)["q"] == ["3"]
    assert tab.page.evaluate("history.length") == before
    tab.page.reload()
    tab.page.wait_for_selector(".decoding svg .chip")
    tab.settle()
    assert written(tab)[-1] == "books"


@pytest.mark.thorough
def test_on_a_phone_both_ends_of_the_line_are_in_view(visit):
    tab = visit(width=390, height=844).open("translation", text=FILM, guess="skip", q=0, k=0)
    for row in range(7):
        ends = tab.page.evaluate(
            """() => {
              const all = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
              const svg = all.map((root) => root.querySelector('.decoding svg')).find(Boolean);
              const seen = svg.getBoundingClientRect();
              return [...svg.querySelectorAll('.chip.second, .chip.now:not(.given)')].map((chip) => {
                const { left, right } = chip.getBoundingClientRect();
                return left >= seen.left - 1 && right <= seen.right + 1 && right <= innerWidth;
              });
            }"""
        )
        assert ends == [True, True], row
        tab.page.locator(".decoding .on").click() if row < 6 else None
        tab.settle()


@pytest.mark.thorough
def test_playing_writes_the_whole_translation(visit):
    tab = visit().open("translation", lang="en", text=BOOKS, guess="skip", q=4, k=0)
    tab.page.locator(".decoding .play").click()
    tab.page.wait_for_function(
        "() => document.querySelector('.decoding .count')?.textContent.startsWith('step 8')"
        " || [...document.querySelectorAll('*')].some((e) => e.shadowRoot?.querySelector('.count')"
        "?.textContent.startsWith('step 8'))",
        timeout=15_000,
    )
    tab.settle()
    assert written(tab)[-1] == "yesterday" and parse_qs(tab.query)["q"] == ["7"]


def test_another_head_needs_no_server_and_the_cell_follows(visit):
    tab = visit().open("translation", lang="en", text=BOOKS, guess="skip", q=1, k=6)
    first = tab.followed
    tab.page.locator(".segments button[data-at=layer-1]").click()
    tab.settle()
    assert parse_qs(tab.query)["layer"] == ["1"] and tab.followed != first
    tab.page.locator(".strip .row").first.locator("button", has_text="书").click()
    tab.settle()
    assert parse_qs(tab.query)["k"] == ["10"] and "→ 书" in tab.text(".derivation header")


@pytest.mark.thorough
def test_the_veil_holds_until_the_answer(visit):
    tab = visit().open("translation", lang="en", text=BOOKS)
    tab.page.locator(".decoding .last").click()
    tab.settle()
    tab.page.locator(".strip .written button", has_text="yesterday").click()
    tab.settle()
    assert tab.page.locator(".decoding svg text.veiled").count() == 1
    assert "veiled" in tab.followed
    tab.page.get_by_role("button", name="show me", exact=True).click()
    tab.page.wait_for_url(lambda url: "guess=skip" in url)
    tab.settle()
    assert tab.page.locator(".decoding svg text.veiled").count() == 0


def test_a_word_changed_in_the_builder_changes_the_translation(visit):
    tab = visit().open("translation", lang="en", text="小明昨天晚上看了一部电影", guess="skip", section="change")
    pairs = tab.page.locator(".pair").all_inner_texts()
    assert "watched a film" in pairs[0] and "read a book" in pairs[1]
    tab.page.get_by_text("Use this sentence").click()
    tab.page.wait_for_url(lambda url: "variant" not in url and BOOK in url)
    tab.settle()
    assert parse_qs(tab.query)["text"] == ["小明昨天晚上看了一本书"] and "variant" not in parse_qs(tab.query)
    source = tab.page.locator(".strip .row").first.locator("button").all_inner_texts()
    assert "".join(source[:-1]) == "小明昨天晚上看了一本书"


@pytest.mark.thorough
def test_a_phone(visit):
    tab = visit(width=390, height=780).open("translation", lang="zh", text=BOOKS, guess="skip")
    assert tab.sideways() <= 0


@pytest.mark.thorough
def test_the_model_follows_the_sentence_until_it_is_chosen(visit):
    tab = visit(locale="zh-CN").open("attention", guess="skip")
    assert tab.text(".strip .written .text") == "I bought three books in Beijing yesterday"
    tab.page.locator(".sentence .open").click()
    tab.page.locator(".sentence .model", has_text="MiniLM").click()
    tab.page.wait_for_url(lambda url: "model=minilm" in url)
    tab.settle()
    assert parse_qs(tab.query)["model"] == ["minilm"] and tab.page.locator(".strip .written").count() == 0
    tab.page.locator(".sentence .open").click()  # a choice had closed the box
    tab.page.locator(".sentence .model", has_text="翻译模型").click()
    tab.page.wait_for_url(lambda url: "model=" not in url)
    tab.settle()
    assert "model" not in parse_qs(tab.query)
    assert tab.text(".strip .written .text") == "I bought three books in Beijing yesterday"


def test_from_the_last_step_to_a_sentence_that_has_fewer(visit):
    """The picture stands at a step that there is; nothing throws on the way, whatever the address still says."""
    tab = visit().open("translation", lang="en", text=BOOKS, guess="skip", q=7, k=11, j=7)
    assert tab.text(".decoding .count") == "step 8 of 8"
    use(tab, "他很忙")
    steps = int(tab.text(".decoding .count").split(" of ")[1])
    assert steps < 8 and not {"q", "k", "j"} & set(parse_qs(tab.query))
    assert parse_qs(tab.query)["text"] == ["他很忙"] and "cannot be used" not in tab.notes
    tab.page.evaluate("() => seeThrough.select({ q: 99, k: 99, j: 99 })")  # an address that no such sentence has
    tab.settle()
    assert tab.page.locator(".decoding svg .chip").count() and tab.page.locator(".fault").count() == 0


def use(tab, text: str) -> None:
    """Type another sentence into the box."""
    tab.page.locator(".sentence .open").click()
    tab.page.locator(".sentence textarea").fill(text)
    tab.page.locator(".sentence .use").click()
    tab.page.wait_for_url(lambda url: parse_qs(url.partition("?")[2])["text"] == [text])
    tab.settle()


# Of each translation in the tree: the words along its way from the left, and those that its number is called by.
ROWS = """tree => [...tree.querySelectorAll(".number button")]
  .filter((_, i) => i % 2 === 0)
  .map((button) => {
    const at = Number(getComputedStyle(button.parentElement).gridRowStart);
    const nodes = [...tree.querySelectorAll(".node")].filter((node) => {
      const { gridRowStart, gridRowEnd } = getComputedStyle(node);
      const first = Number(gridRowStart);
      return first <= at && at < first + Number(gridRowEnd.replace("span ", ""));
    });
    return [nodes.map((node) => node.textContent).join(" "), button.ariaLabel.replace(/ \\S+$/, "")];
  })"""


def test_beam_search_changes_the_picture_at_once(visit):
    tab = visit().open("translation", lang="en", text=BOOKS, guess="skip", q=1, k=1)
    assert tab.page.locator(".decoding .tree").count() == 0
    tab.page.locator(".segments button[data-at=search-beam]").click()
    tab.settle()
    assert parse_qs(tab.query)["search"] == ["beam"]
    rows = tab.page.locator(".decoding .tree").evaluate(ROWS)
    assert len(rows) == 4 and all(row == text for row, text in rows)
    nodes = tab.page.locator(".decoding .tree .node").all_inner_texts()
    assert sum(len(node.split()) for node in nodes) < sum(len(text.split()) for _, text in rows), "shared words once"
    assert "Beam search keeps 4" in tab.text(".st-key-notice")
    tab.page.locator(".segments button[data-at=search-greedy]").click()
    tab.settle()
    assert tab.page.locator(".decoding .tree").count() == 0 and "search" not in parse_qs(tab.query)
    assert "Beam search" not in tab.text(".st-key-notice")


def test_on_a_phone_most_of_the_source_is_in_view_and_the_picture_in_the_fold(visit):
    tab = visit(width=390, height=844).open("translation", lang="en", q=3)
    assert tab.page.locator(".decoding .chip:not(.target)").count() >= 9
    assert tab.page.locator(".decoding .line.now").count() and not tab.page.locator(".lead .roomy").is_visible()
    box = tab.page.locator(".decoding svg").bounding_box()
    assert box and box["y"] + box["height"] < 800
