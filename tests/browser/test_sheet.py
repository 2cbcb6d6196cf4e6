"""The sheet in a browser: its camera, its tiles, its thread, by hand, by keys and by touch."""

import re
from urllib.parse import parse_qs

import pytest
from PIL import Image

from core import capture
from pages.shared.words.numbers import short
from tests.browser.test_take import saved
from tests.models import loaded
from tests.written import NUMBER

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"
STAGE = ".sheet .stage"


def camera(tab) -> list[float]:
    return [float(part) for part in parse_qs(tab.query).get("at", ["0,0,1"])[0].split(",")]


def rest(tab) -> None:
    """Until the camera stands still, and what is lacking has come."""
    tab.page.wait_for_timeout(900)
    tab.settle()


@pytest.fixture(scope="module")
def run():
    return capture(loaded("minilm"), CAT)


def test_from_rivers_to_a_number_and_its_ancestry(visit, run):
    tab = visit().open("overview", lang="en", guess="skip", text=CAT)
    assert "Each river is one token" in tab.text(".saying")
    for level in ("A strip is one token", "Each cell is one number", "Each cell is one number"):
        tab.page.locator(".sheet .sign", has_text="+").click()
        rest(tab)
        assert level in tab.text(".saying")
    x, y = tab.page.evaluate("""() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        const { column, row, dim } = sheet.center();
        const [x, y, wide, high] = sheet.box(column, row);
        return [x + ((dim + 0.5) * wide) / sheet.header.size, y + high / 2];
    }""")
    tab.page.locator(STAGE).click(position={"x": x, "y": y})
    rest(tab)
    rest(tab)  # once the thread has come, the camera moves again
    (pressed,) = re.findall(r"(encoder\.\d+\.[\w.]+)\.(\d+)\.(\d+)", parse_qs(tab.query)["trail"][0])
    tap, row, dim = pressed
    name = re.sub(r"\.(\d+)\.", lambda found: f".{int(found[1]) - 1}.", tap, count=1)
    assert short(float(run[name][int(row), int(dim)])) in tab.followed
    assert "The thread is where the number comes from" in tab.text(".saying")
    assert camera(tab)[2] < 10  # it went back until all of the thread is in sight


def test_a_link_shows_the_same_place_and_a_table_says_its_numbers(visit, run):
    at = "18.2,1,9"
    tab = visit().open("overview", lang="en", guess="skip", text=CAT, at=at)
    rest(tab)
    assert parse_qs(tab.query)["at"] == [at]
    rows = tab.page.locator(".sheet table tr").all_inner_texts()
    dims = [int(dim) for dim in rows[0].split()]
    found = re.findall(NUMBER, rows[1])[-len(dims) :]
    title = tab.text(".sheet .open")
    layer, place = int(re.findall(r"layer (\d)", title)[0]) - 1, "attention" if "attention" in title else "feedforward"
    vectors = run[f"encoder.{layer}.{place}.{'output' if 'adds' in title else 'norm.output'}"]
    assert any([short(float(row[dim])) for dim in dims] == found for row in vectors)


def test_a_view_that_ends_between_two_stacks_asks_for_nothing_behind_it(visit):
    tab = visit().open("overview", lang="zh", guess="skip", text=BOOKS, at="1.5,0,3")
    rest(tab)
    sheet = "[...seeThrough.drawn].find((picture) => picture.camera)"
    between = tab.page.evaluate(f"(sheet => [sheet.inSight(), sheet.second, sheet.rested, sheet.lacks()])({sheet})")
    assert between == [[1, 10], 11, True, False]


def test_keys_travel_and_enter_opens_the_page(visit):
    tab = visit().open("overview", lang="en", guess="skip", text=CAT)
    stage = tab.page.locator(STAGE)
    stage.focus()
    for _ in range(3):
        stage.press("ArrowRight")
    said = tab.text(".sheet > .heard >> nth=0")
    assert re.search(r"layer \d: .*: length \d", said)
    stage.press("+")
    rest(tab)
    assert camera(tab)[2] > 1.5
    stage.press("-")
    rest(tab)
    assert camera(tab)[2] == pytest.approx(1, abs=0.01)
    stage.press("Enter")
    tab.page.wait_for_url(re.compile(r"/(attention|encoder|layernorm)\?"))


def test_the_wheel_scrolls_the_page_unless_a_key_is_held(visit):
    tab = visit().open("overview", lang="en", guess="skip", text=CAT)
    box = tab.page.locator(STAGE).bounding_box()
    tab.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    tab.page.mouse.wheel(0, 120)
    rest(tab)
    scrolled = tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    assert scrolled > 0 and "at=" not in tab.query
    tab.page.keyboard.down("Control")
    tab.page.mouse.wheel(0, -200)
    tab.page.keyboard.up("Control")
    rest(tab)
    assert camera(tab)[2] > 1.5
    assert tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == scrolled


@pytest.mark.thorough
@pytest.mark.parametrize("at, images", [("0,0,1", 0), ("8,1,2.7", 8), ("18,1,9", 1), ("18.2,1,1286", 1)])
def test_what_is_seen_is_taken_away_at_every_level(visit, tmp_path, at, images):
    tab = visit().open("overview", lang="en", guess="skip", text=CAT, at=at, trail="encoder.6.output.2.17", take=1)
    rest(tab)
    svg, png = (
        saved(tab, tab.page.locator(f".take button[data-at$='-sheet.{kind}']"), tmp_path) for kind in ("SVG", "PNG")
    )
    drawn = svg.read_text()
    assert drawn.count("<path") > 8 and drawn.count("<image") >= images and ">cat<" in drawn
    assert not re.search(r"NaN|Infinity|undefined", drawn)
    number = re.search(r">−?0\.\d{3,}<", drawn)
    assert bool(number) == (at == "18.2,1,1286")
    with Image.open(png) as picture:
        assert picture.width >= 900 and len(picture.convert("RGB").getcolors(1 << 24) or ()) > 50


@pytest.mark.thorough
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_with_reduced_motion_nothing_flies(visit, motion):
    tab = visit(reduced_motion=motion).open("overview", lang="en", guess="skip", text=CAT)
    flying = """() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        sheet.toLevel(1);
        return [Boolean(sheet.camera.flight), sheet.camera.k > 1.5];
    }"""
    assert tab.page.evaluate(flying) == ([False, True] if motion == "reduce" else [True, False])
    rest(tab)
    assert camera(tab)[2] > 1.5


@pytest.mark.parametrize(("width", "heads"), [(390, ["编码器", "解码器"]), (1280, ["Encoder", "Decoder"])])
def test_two_stacks_are_headed_and_their_rows_can_be_read(visit, width, heads):
    """Each head stands over its half; rows are as high as their letters; on a phone the curve has the whole width."""
    lang = "zh" if width == 390 else "en"
    sentence = {"lang": lang, "model": "translator", "text": BOOKS, "guess": "skip"}
    tab = visit(width=width, height=844).open("overview", **sentence, at="0,0,1")
    halves = tab.page.locator(".sheet .halves button")
    assert halves.all_inner_texts() == heads
    left, right = (half.bounding_box() for half in halves.all())
    assert left["x"] + left["width"] < right["x"] and right["x"] + right["width"] <= width
    one, tall = tab.page.evaluate("""() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        const pen = sheet.canvas.getContext("2d");
        pen.font = `13px ${sheet.ink.font}`;
        const words = sheet.header.said.map(([word]) => pen.measureText(`→ ${word}`).width);
        return [Math.max(...words) < sheet.right, sheet.tall];
    }""")
    assert one and tall >= 13
    if width == 390:
        assert tab.page.locator(".depth .frame").bounding_box()["x"] > width / 2


def test_on_a_phone_rivers_and_curve_are_in_sight_and_lines_are_those_of_the_framed_layer(visit):
    """While the question is open the curve ends before the first layer, and then goes up or down."""
    tab = visit(width=390, height=844).open("overview", lang="en", text=CAT)
    names = (".st-key-predict", ".sheet .what", ".sheet .stage", ".depth svg", ".depth ~ .below", ".sheet .tools")
    boxes = [tab.page.locator(name).bounding_box() for name in names]
    ends = [box["y"] + box["height"] for box in boxes]
    assert all(end <= below["y"] + 1 for end, below in zip(ends, boxes[1:], strict=False)), boxes
    assert boxes[1]["y"] < ends[0] + 20 and ends[3] < 844  # what it is, and both at once, in sight
    assert tab.page.locator(".depth .open").count() == 1
    assert tab.page.locator(".depth .dot").count() == 3 and "Thin lines" not in tab.text(".sheet .saying")
    tab = visit(width=390, height=844).open("overview", lang="en", text=CAT, guess="skip", depth=5)
    assert tab.page.locator(".depth .open").count() == 0 and tab.page.locator(".depth .dot").count() == 9
    assert "Thin lines" in tab.text(".sheet .saying")


def test_on_a_phone_the_stack_that_reads_comes_first(visit):
    tab = visit(width=390, height=844).open("overview", lang="zh", text=BOOKS, guess="skip", q=0, k=1)
    halves = tab.page.locator(".sheet .halves button")
    assert halves.first.bounding_box()["width"] > 250 and halves.all_inner_texts() == ["编码器", "解码器 →"]
    assert "细线" not in tab.text(".sheet .saying")  # none is in sight
    rows = """() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        return [sheet.sy(sheet.header.read - 1) + sheet.tall <= sheet.height, sheet.tall];
    }"""
    every, tall = tab.page.evaluate(rows)
    assert every and tall >= 15  # with the curve below in sight, too
    halves.last.click()  # the stack that writes, and all its rows and words
    rest(tab)
    assert halves.all_inner_texts() == ["← 编码器", "解码器"] and "细线" in tab.text(".sheet .saying")
    seen = tab.page.evaluate("""() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        const { tokens, read } = sheet.header;
        const x = sheet.sx(sheet.second);
        const whole = sheet.sy(tokens.length - 1) + sheet.tall <= sheet.height;
        return [x >= sheet.left && x < 80, whole, sheet.rowsInSight(true)];
    }""")
    assert seen == [True, True, [12, 19]]
    halves.first.click()
    rest(tab)
    assert "at=" not in tab.query
    tab.page.locator(".sheet .tools button").nth(2).click()  # the whole
    rest(tab)
    assert halves.all_inner_texts() == ["编码器", "解码器"] and "at=0" in tab.query
    assert tab.sideways() == 0


def test_the_rows_of_both_stacks_can_be_pointed_at(visit):
    """They stand beside one another: a name at the left is the source's, one before the second stack the target's, and
    what lies under each vector's middle is that vector."""
    tab = visit().open("overview", lang="zh", text=BOOKS, guess="skip")
    box = tab.page.locator(STAGE).bounding_box()
    place = """(row) => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        return [sheet.sx(sheet.second) - 30, sheet.middle(row)];
    }"""
    x, y = tab.page.evaluate(place, 15)  # three
    tab.page.mouse.click(box["x"] + x, box["y"] + y)
    tab.settle()
    assert parse_qs(tab.query)["k"] == ["15"]
    tab.page.mouse.click(box["x"] + 60, box["y"] + tab.page.evaluate(place, 8)[1])
    tab.settle()
    assert (parse_qs(tab.query)["q"], parse_qs(tab.query)["k"]) == (["15"], ["8"])
    sheet = "[...seeThrough.drawn].find((picture) => picture.camera)"
    columns, names = tab.page.evaluate(f"[{sheet}.columns.map((one) => one.target), {sheet}.header.names]")
    for column, row in ((6, 3), (columns.index(True), 13), (len(columns) - 1, 19)):
        at = tab.page.evaluate(CELL, [column, row, 64])
        tab.page.mouse.move(box["x"] + at["x"], box["y"] + at["y"])
        tab.page.wait_for_timeout(60)
        assert tab.text(".sheet .tip").startswith(f"{names[row]}，")


@pytest.mark.thorough
def test_one_finger_scrolls_the_page_and_two_move_the_sheet(visit):
    tab = visit(width=390, height=844, has_touch=True).open("overview", lang="en", guess="skip", text=CAT)
    tab.page.locator(STAGE).scroll_into_view_if_needed()
    box = tab.page.locator(STAGE).bounding_box()
    touch = tab.page.context.new_cdp_session(tab.page)

    def fingers(kind: str, *apart: float) -> None:
        points = [{"x": box["x"] + 190 + x, "y": box["y"] + 150} for x in apart]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -30, 30)
    for apart in range(30, 111, 10):
        fingers("touchMove", -apart, apart)
    fingers("touchEnd")
    rest(tab)
    assert camera(tab)[2] > 2
    before, top = camera(tab), tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    fingers("touchStart", 0)
    for up in range(0, 181, 20):
        point = {"x": box["x"] + 190, "y": box["y"] + 150 - up}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    fingers("touchEnd")
    rest(tab)
    assert tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") > top
    assert camera(tab) == before
    assert tab.sideways() == 0


CELL = """([column, row, dim]) => {
    const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
    const [x, y, wide, high] = sheet.box(column, row);
    return { x: x + ((dim + 0.5) * wide) / sheet.header.size, y: y + high / 2 };
}"""


def test_a_change_glows_and_a_cell_of_it_opens_as_a_difference(visit, run):
    tab = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", text=CAT, at="26.1,0,60")
    tab.page.locator(".st-key-what_if .more").click()
    tab.page.locator(".st-key-what_if").get_by_text("head muted").click()
    rest(tab)
    rest(tab)
    assert "Orange is what changed" in tab.text(".saying") and "what=mute" in tab.query
    tab.page.locator(STAGE).click(position=tab.page.evaluate(CELL, [26, 2, 120]))
    rest(tab)
    changed = capture(loaded("minilm"), CAT, edits="mute:encoder.1.1")
    trail = parse_qs(tab.query)["trail"][0]
    assert trail.startswith("minus.edit=mute:") and trail.endswith("feedforward.norm.output.2.120")
    apart = float(changed["encoder.5.output"][2, 120]) - float(run["encoder.5.output"][2, 120])
    assert tab.followed.endswith(short(apart))


@pytest.mark.thorough
def test_a_knot_of_the_thread_is_followed_on(visit):
    tab = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", trail="encoder.6.output.2.17")
    rest(tab)
    before = tab.followed
    place, trail = tab.page.evaluate("""() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        const knot = sheet.thread.knots.find(({ learned, share }) => learned && share > 0.05);
        const [x, y] = sheet.at(knot);
        return [{ x, y }, knot.trail];
    }""")
    tab.page.locator(STAGE).click(position=place)
    rest(tab)
    assert parse_qs(tab.query)["trail"] == [trail] and trail.startswith("embedding.token_table.weight.")
    assert tab.followed != before
    tab.page.go_back()
    rest(tab)
    assert tab.followed == before


@pytest.mark.thorough
def test_another_word_is_typed_glows_and_a_link_holds_it(visit):
    tab = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", text=CAT)
    assert tab.page.locator(".sheet .map").is_hidden()
    tab.page.locator(".st-key-what_if").get_by_text("another word").click()
    rest(tab)
    box = tab.page.locator(".st-key-what_if input[type=text]")
    assert box.input_value() == "kitten" and "Orange is what changed" in tab.text(".saying")
    box.fill("dog")
    box.press("Enter")
    rest(tab)
    asked = parse_qs(tab.query)
    assert (asked["what"], asked["by"]) == (["word"], ["dog"])
    glows = """() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        return [sheet.spread.renamed, [...sheet.moved[0]].flatMap((length, row) => (length > 0 ? [row] : []))];
    }"""
    assert tab.page.evaluate(glows) == [[[2, "dog"]], [2]]
    heard = tab.page.locator(".sheet table")
    assert "Orange is what changed" in heard.locator("caption").inner_text()
    moved = heard.locator("tr").all_inner_texts()[1:]  # how far, in the column of the table's rows: only cat's
    assert [row for row, line in enumerate(moved) if float(line.split()[1]) > 0] == [2]
    there = visit(reduced_motion="reduce").open("overview", **{name: value for name, (value,) in asked.items()})
    rest(there)
    assert there.page.evaluate(glows) == [[[2, "dog"]], [2]] and there.text(".saying") == tab.text(".saying")
    y = there.page.evaluate("() => [...seeThrough.drawn].find((picture) => picture.camera).middle(6)")
    there.page.locator(STAGE).click(position={"x": 60, "y": y})  # mat, at the left
    rest(there)
    assert parse_qs(there.query)["swap"] == ["5"] and "by" not in parse_qs(there.query)
    there.page.locator(".st-key-what_if input[type=text]").fill("chimpanzees")
    there.page.locator(".st-key-what_if input[type=text]").press("Enter")
    rest(there)
    assert "cannot be subtracted" in there.text(".saying")


@pytest.mark.thorough
def test_the_map_shows_what_is_in_sight_and_leads_elsewhere(visit):
    tab = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", text=CAT, at="2,0,4")
    rest(tab)
    box, frame = (tab.page.locator(f".sheet {one}").bounding_box() for one in (".map", ".frame"))
    assert frame["x"] - box["x"] == pytest.approx(box["width"] * 2 / 27, abs=2)
    assert frame["width"] == pytest.approx(box["width"] / 4, abs=3)
    tab.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 10)
    rest(tab)
    x, _, k = camera(tab)
    assert x + 27 / k / 2 == pytest.approx(0.75 * 27, abs=0.1) and k == pytest.approx(4)
    tab.page.get_by_role("button", name="layer 1", exact=True).press("Enter")
    rest(tab)
    assert camera(tab)[0] < 4
    tab.page.locator(".sheet .sign").nth(2).click()
    rest(tab)
    assert tab.page.locator(".sheet .map").is_hidden()


@pytest.mark.thorough
def test_a_threads_parts_run_to_the_number_and_come_to_rest(visit):
    tab = visit(reduced_motion="no-preference").open("overview", lang="en", guess="skip", trail="encoder.3.output.2.17")
    grows = """(ms) => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        sheet.begun = performance.now() - ms;
        return sheet.growing();
    }"""
    assert [tab.page.evaluate(grows, ms) for ms in (100, 1500, 3000)] == [True, True, False]
    still = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", trail="encoder.3.output.2.17")
    assert still.page.evaluate(grows, 100) is False


def mixes(tab, weights) -> bool:
    """Whether the shares that are said where one points are the largest of these."""
    shares = [int(share) for share in re.findall(r"(\d+) %", tab.text(".sheet .tip"))]
    return bool(shares) and shares == pytest.approx(sorted(100 * weights, reverse=True)[: len(shares)], abs=0.8)


@pytest.mark.thorough
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_what_attention_mixes_gathers_where_one_points_at_it(visit, run, motion):
    tab = visit(reduced_motion=motion).open("overview", lang="en", guess="skip", text=CAT)
    column, row = 11, 2  # layer 3: attention adds, of cat
    drawn = """() => {
        const { over } = [...seeThrough.drawn].find((picture) => picture.camera);
        if (!over.width) return 0;
        const { data } = over.getContext("2d").getImageData(0, 0, over.width, over.height);
        return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0), 0);
    }"""
    place = tab.page.evaluate(CELL, [column, row, 192])
    box = tab.page.locator(STAGE).bounding_box()
    tab.page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
    seen = []
    for _ in range(30):
        seen.append(tab.page.evaluate(drawn))
        tab.page.wait_for_timeout(60)
    assert (len(set(seen)) > 2) == (motion == "no-preference") and seen[-1] > 0  # the looks stay, the parts have come
    mean = run["encoder.2.attention.weights"].mean(0)[row]
    assert run.tokens[int(mean.argmax())].text in tab.text(".sheet .tip") and mixes(tab, mean)
    tab.page.mouse.move(box["x"] + place["x"], box["y"] + box["height"] + 60)
    tab.page.wait_for_timeout(100)
    assert tab.page.evaluate(drawn) == 0


def test_the_mixture_of_one_head_is_said_as_well(visit, run):
    tab = visit().open("overview", lang="en", guess="skip", text=CAT, lines="head", layer=3, head=8)
    one = tab.page.locator(".st-key-what_if")
    one.get_by_role("group", name="head").get_by_text("›").click()
    rest(tab)
    assert "head 9 of layer 3 alone" in tab.text(".saying")
    tab.page.locator(STAGE).scroll_into_view_if_needed()  # the controls lie below it
    place = tab.page.evaluate(CELL, [11, 2, 192])  # layer 3: attention adds, of cat
    box = tab.page.locator(STAGE).bounding_box()
    tab.page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
    tab.page.wait_for_timeout(100)
    assert "head 9 mixes" in tab.text(".sheet .tip") and mixes(tab, run["encoder.2.attention.weights"][8, 2])


# Where one level ends the picture is painted from a hair farther and a hair nearer: the river of a token, on the way
# from one state to the next, as [first pixel, last pixel, how strong it is].
AT_A_LEVEL = """async () => {
    const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
    const found = [];
    const levels = [1, 1.5 ** 4, 1.5 ** 12].map((k) => (sheet.to({ x: 12, y: 0, k }), sheet.layer));
    for (let i = 0; i < 2; i++) {
        let [far, near] = [1.5 ** (4 * i), 1.5 ** (4 + 8 * i)];
        while (near / far > 1.00001) {
            const k = Math.sqrt(far * near);
            sheet.to({ x: 12, y: 0, k });
            if (sheet.layer === levels[i]) far = k;
            else near = k;
        }
        const seen = [far, near].map((k) => {
            sheet.to(sheet.around({ column: 12, row: 3 }, k));
            sheet.paint();
            const x = Math.round(sheet.sx(12 + 0.95));
            const { data } = sheet.canvas.getContext("2d").getImageData(x, 0, 1, sheet.height);
            const within = (y) => Math.abs(y - sheet.middle(3)) < sheet.tall / 2;
            const wet = [...Array(Math.floor(sheet.height)).keys()].filter((y) => within(y) && data[4 * y + 3]);
            return [wet[0], wet.at(-1), data[4 * Math.round(sheet.middle(3)) + 3]];
        });
        found.push(seen);
    }
    return [levels, found];
}"""


def test_one_level_passes_into_the_next_without_a_jump(visit):
    tab = visit(reduced_motion="reduce").open("overview", lang="en", guess="skip", text=CAT)
    levels, passages = tab.page.evaluate(AT_A_LEVEL)
    assert levels == [None, "strips", "cells"]
    for (top, bottom, strength), (top_nearer, bottom_nearer, strength_nearer) in passages:
        assert bottom - top > 8 and abs(top_nearer - top) < 1 and abs(bottom_nearer - bottom) < 1
        assert abs(strength - strength_nearer) <= 3


def test_a_knot_stands_on_the_river_it_is_of_or_on_what_that_gave_the_other_stack(visit):
    """Of the source in the decoder's columns: on the line that leads its result over there."""
    trail = {"trail": "decoder.2.output.6.17", "guess": "skip"}
    tab = visit(reduced_motion="reduce").open("overview", lang="zh", text=BOOKS, **trail)
    tab.page.wait_for_function("() => [...seeThrough.drawn].some(({ thread }) => thread?.knots.length)")
    rest(tab)
    apart, across = tab.page.evaluate("""() => {
        const sheet = [...seeThrough.drawn].find((picture) => picture.camera);
        const { read, tokens } = sheet.header;
        const seen = sheet.thread.knots.map((knot) => [knot, sheet.at(knot)]);
        const there = seen.filter(([{ x, row }]) => x >= sheet.second && row < read - 0.5);
        const own = seen.filter((one) => !there.includes(one));
        const nearest = (row) => sheet.middle(Math.min(Math.round(row), tokens.length - 1));
        const off = ([{ row }, [, y]]) => Math.abs(y - nearest(row));
        const strayed = there.some(([, [x, y]]) => x < sheet.sx(sheet.second) || y > sheet.sy(read) || y < sheet.sy(0));
        return [Math.max(...own.map(off)) / sheet.tall, strayed ? -1 : there.length];
    }""")
    assert apart < 0.7 and across > 0


def test_on_a_phone_the_name_of_what_enters_stands_beside_that_of_the_layers(visit):
    """Of very many layers what enters has a narrow column."""
    tab = visit(width=390, height=844).open("overview", lang="en", model="smollm2", text=CAT)
    layer, entrance = (tab.page.locator(f".sheet .titles .{name}").bounding_box() for name in ("of", "over"))
    assert layer["x"] + layer["width"] <= entrance["x"]
