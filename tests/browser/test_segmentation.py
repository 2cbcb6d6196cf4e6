"""The segmentation lab in a real browser: the flip, the graph under hand and keyboard, two visitors at once."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import some

RACKET = "乒乓球拍卖完了"


def jieba(tab) -> list[str]:
    """The words of its row, without their frequencies."""
    pieces = tab.page.locator(".lattice .piece.jieba").all()
    return [piece.evaluate("piece => piece.firstChild.textContent") for piece in pieces]


def test_at_26_the_path_flips(visit):
    tab = visit().open("segmentation", lang="en", sample=RACKET, guess="skip")
    before = tab.page.evaluate("history.length")
    assert jieba(tab) == ["乒乓球", "拍卖", "完", "了"]
    assert tab.page.locator(".lattice .piece.jieba i").all_inner_texts() == ["336", "1,067", "13,042", "883,634"]
    names = tab.page.locator(".lattice .name.taken").all_text_contents()
    assert sorted(names) == sorted(["乒乓球", "拍卖", "完", "了"]), "in one piece, above their arcs"
    tab.page.get_by_role("button", name="25", exact=True).click()
    tab.settle()
    assert jieba(tab) == ["乒乓球", "拍卖", "完", "了"] and parse_qs(tab.query)["words"] == ["乒乓球拍:25"]
    tab.page.get_by_role("button", name="26", exact=True).click()
    tab.settle()
    assert jieba(tab) == ["乒乓球拍", "卖完", "了"] and tab.page.evaluate("history.length") == before
    assert tab.page.locator(".strip .row > *").all_inner_texts() == ["乒乓球拍", "卖完", "了"]
    assert "−35.69" in tab.followed and "ln(26 ÷ N)" in tab.text(".derivation .step")
    tab.page.reload()
    tab.page.wait_for_selector(".lattice .piece")
    tab.settle()
    assert jieba(tab) == ["乒乓球拍", "卖完", "了"]
    tab.page.get_by_role("button", name="3", exact=True).click()
    tab.settle()
    assert jieba(tab) == ["乒乓球", "拍卖", "完", "了"] and "words" not in parse_qs(tab.query)


def test_an_arc_and_a_path_are_followed(visit):
    tab = visit().open("segmentation", lang="en", sample=RACKET, guess="skip")
    before = tab.page.evaluate("history.length")
    tab.page.locator(".lattice .plane").focus()
    tab.page.keyboard.press("End")
    tab.page.keyboard.press("ArrowLeft")
    tab.settle()
    assert "完" in tab.followed and parse_qs(tab.query)["arc"] == ["5-6"]
    tab.page.keyboard.press("Escape")
    tab.settle()
    assert "Follow this path" in tab.followed
    tab.page.locator(".paths button").nth(1).click()
    tab.settle()
    assert "−37.85" in tab.followed and parse_qs(tab.query)["way"] == ["1"]
    # An arc is clicked at its top, where its name stands.
    name = tab.page.locator(".lattice .name", has_text="乒乓球拍").bounding_box()
    assert name
    tab.page.mouse.click(name["x"] + name["width"] / 2, name["y"] + name["height"] + 2)
    tab.settle()
    assert "乒乓球拍" in tab.followed and "26" in tab.page.locator(".derivation .step b").last.inner_text()
    tab.page.get_by_role("button", name="set its frequency to 26").click()  # in a fragment, and the whole page runs
    tab.settle()
    assert jieba(tab) == ["乒乓球拍", "卖完", "了"] and parse_qs(tab.query)["words"] == ["乒乓球拍:26"]
    tab.page.get_by_role("button", name="remove 乒乓球拍").click()
    tab.settle()
    assert jieba(tab) == ["乒乓球", "拍卖", "完", "了"] and parse_qs(tab.query)["words"] == ["-乒乓球拍"]
    assert tab.page.evaluate("history.length") == before


@pytest.mark.thorough
def test_the_veil_holds_until_the_answer(visit):
    tab = visit().open("segmentation", lang="en", sample=RACKET)
    everything = "() => [...document.querySelectorAll('*')].map((e) => (e.shadowRoot ?? e).textContent).join()"
    assert "−37.8" not in tab.page.evaluate(everything) and not tab.page.locator(".lattice .arc.other").count()
    tab.page.get_by_role("button", name="了", exact=True).click()
    tab.settle()
    assert "Right" in tab.text(".answer") and "−37.8" in tab.page.evaluate(everything)
    assert tab.page.locator(".lattice .arc.other").count() == 2  # 了 is on both


def test_the_word_that_is_asked_about_is_in_sight_on_a_phone(visit):
    tab = visit(width=390, height=844).open("segmentation", lang="en", text="")
    box = tab.page.locator(".lattice .plane .arc.asked").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert not tab.page.locator(".lattice .asked").count()


@pytest.mark.thorough
def test_modes_hmm_language_and_back(visit):
    tab = visit().open("segmentation", lang="en", guess="skip", sample="他来到了网易杭研大厦")
    assert "杭研" in jieba(tab)
    tab.page.get_by_role("button", name="off", exact=True).click()
    tab.settle()
    assert "杭研" not in jieba(tab) and "杭" in jieba(tab)
    tab.page.get_by_role("button", name="full", exact=True).click()
    tab.settle()
    assert "来到" in jieba(tab) and "Full mode chooses no path" in tab.text("[data-testid=stMain]")
    tab.page.get_by_text("中文", exact=True).click()
    tab.settle()
    assert "词到哪里为止" in tab.text("h1") and "杭研" not in jieba(tab)
    tab.page.go_back()
    tab.settle()
    assert "Where does" in tab.text("h1")


@pytest.mark.thorough
def test_another_text_from_the_box_and_the_gallery(visit):
    tab = visit().open("segmentation", lang="zh", guess="skip", text="我昨天在北京买了三本书", section="gallery")
    tab.page.get_by_text("换一句", exact=True).click()
    tab.page.locator("textarea").fill("结婚的和尚未结婚的")
    tab.page.locator("textarea").press("Control+Enter")
    tab.settle()
    assert jieba(tab) == ["结婚", "的", "和", "尚未", "结婚", "的"]
    tab.page.keyboard.press("Escape")
    tab.page.locator(".st-key-gallery_bridge button").click()
    tab.settle()
    assert jieba(tab) == ["南京市", "长江大桥"] and parse_qs(tab.query)["text"] == ["我昨天在北京买了三本书"]
    tab.page.go_back()  # another text is another place
    tab.settle()
    assert jieba(tab) == ["结婚", "的", "和", "尚未", "结婚", "的"]
    tab.page.go_forward()
    tab.settle()
    assert jieba(tab) == ["南京市", "长江大桥"]
    tab.open("segmentation", lang="zh", guess="skip", sample="南京市长江大桥", section="own")
    tab.page.locator("input[type=text]").fill("南京:4000000")
    tab.page.locator("input[type=text]").press("Enter")
    tab.settle()
    assert jieba(tab)[0] == "南京"
    tab.page.get_by_text("换一句", exact=True).click()
    tab.page.locator("textarea").fill("南京" * 2500)  # what is pasted may be too long, and is not refused in silence
    tab.page.locator("textarea").press("Control+Enter")
    tab.settle()
    assert "句子有 5,000 个字符" in tab.text("[data-testid=stMain]") and len(parse_qs(tab.query)["sample"][0]) == 500


@pytest.mark.thorough
def test_two_visitors_with_different_words(visit):
    mine, theirs = visit(), visit()
    mine.open("segmentation", lang="en", sample=RACKET, guess="skip", words="乒乓球拍:26")
    theirs.open("segmentation", lang="en", sample=RACKET, guess="skip", words="球拍卖:1000000")
    for _ in range(2):
        for tab, words in ((mine, ["乒乓球拍", "卖完", "了"]), (theirs, ["乒乓", "球拍卖", "完", "了"])):
            tab.page.reload()
            tab.page.wait_for_selector(".lattice .piece")
            tab.settle()
            assert jieba(tab) == words


@pytest.mark.thorough
@pytest.mark.parametrize(
    "sample", some(["", " ", "了", "饕餮👩\u200d👧", "乒乓球拍卖完了，" * 62, "<script>x</script>", "שלום"])
)
def test_odd_texts_stay_whole_on_a_phone(visit, sample):
    tab = visit(locale="zh-CN", width=390, height=844, scheme="dark").open("segmentation", sample=sample, guess="skip")
    assert tab.sideways() <= 0
    assert tab.page.locator(".lattice .labels span:not(.sizer)").count() == 5
    assert tab.page.locator(".lattice .plane > span").count() < 400  # only what is in view


@pytest.mark.thorough
def test_picture_and_derivation_end_above_the_fold(visit):
    for lang in ("zh", "en"):
        tab = visit().open("segmentation", lang=lang, guess="skip")
        for selector in (".lattice .paths", ".derivation"):
            box = tab.page.locator(selector).first.bounding_box()
            assert box and box["y"] + box["height"] <= 800, (lang, selector)


@pytest.mark.thorough
def test_five_hundred_characters_answer_at_once(visit):
    tab = visit().open(
        "segmentation", lang="en", guess="skip", sample=("小明在北京看电影，乒乓球拍卖完了。" * 30)[:500]
    )
    took = tab.page.evaluate(
        """async () => {
          const roots = [...document.querySelectorAll('*')].map((e) => e.shadowRoot);
          const scroll = roots.find((r) => r?.querySelector('.lattice')).querySelector('.scroll');
          const frame = () => new Promise(requestAnimationFrame);
          const started = performance.now();
          for (let i = 1; i <= 20; i++) {
            scroll.scrollLeft = (scroll.scrollWidth * i) / 20;
            await frame();
            await frame();
          }
          return (performance.now() - started) / 20;
        }"""
    )
    assert took < 300


def test_a_grey_arc_says_its_word_at_once(visit):
    tab = visit().open("segmentation", lang="zh", guess="skip")
    arc = tab.page.locator(".lattice path.hit").first
    box = arc.bounding_box()
    arc.dispatch_event("pointermove", {"clientX": box["x"], "clientY": box["y"]})
    assert "词频" in tab.text(".lattice .tip")
    arc.dispatch_event("pointerleave", {})
    assert not tab.page.locator(".lattice .tip").is_visible()
