"""What is taken home of a page, as far as Python makes it: the capture, its loader, and the parts of a handout."""

import html
import io
import json
import re
from importlib import import_module

import numpy as np
import pytest

import core
from core import Capture, archive, capture
from core.edits import zero_positions
from core.lessons import load_capture
from core.version import VERSION
from core.zoo import SOURCES
from pages.shared.page import notebook, takeaway, worksheet
from pages.shared.page.drawing import as_set
from pages.shared.page.exercises import in_words
from pages.shared.page.opened import Opened
from pages.stages import stages
from tests.models import loaded
from tests.profiles import crossed, some

STAGES = [slug for slug, stage in stages().items() if slug not in ("claims", "credits")]
BOOKS, CAT = "我昨天在北京买了三本书", "The cat sat on the mat."


def same(taken: load_capture.Taken, run: Capture) -> None:
    """The file has every number of the run, and says what each is."""
    assert list(taken.arrays) == list(run.names())
    for name in run.names():
        np.testing.assert_array_equal(taken[name], run[name])
        assert tuple(taken.dims(name)) == run.dims(name)
        for dim in run.dims(name):
            labels = taken.labels(name, dim)
            assert (None if labels is None else tuple(labels)) == run.labels(name, dim)
    assert taken.tokens == [token.text for token in run.tokens]
    about = taken.about
    assert (about["text"], about["pair"], about["text_out"]) == (run.text, run.pair, run.text_out)
    assert about["edits"] == [edit.id for edit in run.edits] and about["model"]["id"] == run.model
    assert about["versions"]["see-through-transformer"] == VERSION


def test_a_capture_describes_itself(the_cat: Capture) -> None:
    same(load_capture.load(io.BytesIO(takeaway.every_tap("minilm", the_cat.text))), the_cat)


def test_it_has_the_pages_edits(the_cat: Capture) -> None:
    taken = load_capture.load(io.BytesIO(takeaway.every_tap("minilm", the_cat.text, (zero_positions(),))))
    same(taken, capture(loaded("minilm"), the_cat.text, edits=(zero_positions(),)))
    assert (taken["embedding.position"] == 0).all() and taken.about["edits"] == ["zero"]


@pytest.mark.parametrize("model, text, pair", [("translator", BOOKS, None), ("minilm", "猫 <b> 👩", "a second")])
def test_whatever_the_text(model: str, text: str, pair: str | None) -> None:
    run, file = capture(loaded(model), text, pair, only="*.attention.weights"), io.BytesIO()
    archive.save(run, file)
    file.seek(0)
    same(load_capture.load(file), run)


def test_the_loader_is_the_file_that_is_taken_along() -> None:
    names: dict = {"__name__": "load_capture"}
    exec(takeaway.loader(), names)
    file = io.BytesIO(takeaway.every_tap("translator", BOOKS))
    assert names["load"](file).tokens[:2] == ["我", "昨"]


@pytest.mark.parametrize(("model", "text"), [("translator", BOOKS), ("minilm", 'It\'s "so".'), ("smollm2", CAT)])
def test_the_lines_that_make_a_capture_run(model: str, text: str) -> None:
    names: dict = {}
    exec(takeaway.live(model, text), names)
    tap = next(name for name in names["run"].names() if name.endswith("attention.weights"))
    np.testing.assert_array_equal(names["run"][tap], capture(loaded(model), text, only=(tap,))[tap])
    assert f"run[{tap!r}]" in takeaway.live(model, text)


@pytest.mark.parametrize("slug", STAGES)
def test_every_page_has_one_quiet_place_for_it(opened, slug: str) -> None:
    """Open or veiled; what only the answer should show stays out of the handout."""
    lang = "zh" if STAGES.index(slug) % 2 else "en"
    for guess in ("skip", None):
        page = opened(slug, lang, text=None, take=1, guess=guess)
        given = json.loads(page.proto("take").json)[0]
        parts, files = given["handout"], page.app.get("download_button")
        veiled = parts["asked"] is not None
        assert parts["title"] and parts["lang"] == lang and parts["facts"] and not (veiled and guess == "skip")
        assert veiled or (parts["code"] and parts["shapes"] and files and page.app.latex)
        assert not veiled or not any("npz" in str(file.proto) for file in files)


# ---- notebooks

SETTINGS = [
    *((slug, {}) for slug in STAGES),
    ("attention", {"text": BOOKS, "kind": "cross", "layer": 2, "head": 3, "q": 1, "k": 4}),
    ("attention", {"show": "contribution"}),
    ("attention", {"show": "query", "q": 2, "dim": 5}),
    ("embedding", {"pos": 2, "k": 5, "pair": "row"}),
    ("embedding", {"row": 1996, "dim": 3}),
    ("heads", {"edit": "mute:encoder.3.9", "layer": 4, "head": 2, "q": 1, "k": 2}),
    ("heads", {"text": BOOKS, "kind": "self"}),
    ("input", {"sqrt": "on", "positions": "off", "pos": 2, "dim": 7, "part": "token"}),
    ("input", {"text": BOOKS, "join": "concat"}),
    ("input", {"pos": 1, "k": 3, "look": "now"}),
    ("layernorm", {"method": "rms", "given": "both", "eps": "0.1", "norm": 2, "part": "normalized"}),
    ("encoder", {"text": BOOKS, "part": "decoder.cross_attention", "layer": 2, "q": 3}),
    ("meaning", {"text": BOOKS, "of": "三", "to": "three"}),
    ("output", {"text": BOOKS, "depth": 1, "word": 5, "temperature": "1.5", "q": 2}),
    ("generation", {"text": BOOKS, "n": 9, "q": 7, "temperature": "1.5"}),
    ("overview", {"text": BOOKS, "q": 2, "k": 4, "depth": 3}),
    ("position", {"kind": "sinusoidal", "pos": 3, "dim": 6}),
    ("segmentation", {"sample": "南京市长江大桥", "words": "长江大桥:5", "hmm": "off", "arc": "0-3"}),
    ("size", {"preset": "gpt3", "show": "memory", "part": "train"}),
    ("tokens", {"text": "unaffable <b>naïve</b> \\n 'quoted' \"twice\""}),
    ("training", {"what": "width", "step": 20}),
    ("vocabulary", {"sample": "low×5 lower×2 newest×6", "rule": "frequency", "step": 3, "pair": 1}),
]
WRITERS = {"smollm2": CAT, "poet": "床前明月光，疑"}
SETTINGS += [
    (slug, {"model": model, "text": text})
    for slug, (model, text) in crossed(STAGES, [*WRITERS.items()])
    if model in SOURCES
]


def executed(book: str) -> dict:
    """The names a notebook leaves behind, its cells run from top to bottom; models are in memory, and the package has
    the name that it has where it is not installed."""
    names: dict = {}
    assert "from core" not in book
    book = book.replace("from see_through", "from core")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "load_model", loaded)
        for cell in json.loads(book)["cells"]:
            if cell["cell_type"] == "code":
                exec(compile(cell["source"], "<cell>", "exec"), names)
    return names


def opened_of(slug: str, context) -> Opened:
    return import_module(f"pages.stages.{slug}.opened").opened(context)


@pytest.mark.parametrize("slug, query", some(SETTINGS, every=2), ids=lambda part: part if isinstance(part, str) else "")
def test_a_notebook_comes_to_the_pages_numbers(looked, slug: str, query: dict) -> None:
    context = looked(slug, "zh" if len(query) % 2 else "en", **{"text": CAT, "guess": "skip", **query})
    codes = {repair.code for repair in context.page.address.repairs}
    assert all(code.startswith(("reads_", "adds_no_", "translates")) for code in codes)
    opened = opened_of(slug, context)
    assert opened.repeat
    book, repeat = notebook.notebook(context, opened), opened.repeat(context)
    names = executed(book)
    shown = notebook.numbers(opened.table(), repeat.columns)
    np.testing.assert_allclose(names["matrix"], shown, rtol=1e-6, atol=1e-7)
    if slug == "tokens":
        return
    assert repeat.followed and repeat.followed.title in json.dumps(json.loads(book), ensure_ascii=False)
    value = notebook.value_of(repeat.followed)
    assert (names["made"].value if "made" in names else names["number"]) == pytest.approx(value, rel=1e-4, abs=1e-6)


def test_a_notebook_that_comes_to_other_numbers_says_so(looked) -> None:
    context = looked("attention", guess="skip", text="The cat sat.")
    book = notebook.notebook(context, opened_of("attention", context)).replace("The cat", "The dog")
    with pytest.raises(AssertionError):
        executed(book)


def test_every_notebook_is_one(looked) -> None:
    context = looked("heads", guess="skip")
    book = json.loads(notebook.notebook(context, opened_of("heads", context)))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])


# ---- on paper


@pytest.mark.parametrize("slug", STAGES)
@pytest.mark.parametrize("lang", ("zh", "en"))
def test_a_worksheet_asks_and_its_key_answers(looked, slug: str, lang: str) -> None:
    """Of the class's own sentence: no result stands on the sheet, every one in the key."""
    context = looked(slug, lang, text=CAT, guess="skip")
    opened = opened_of(slug, context)
    sheet, key = worksheet.worksheet(context, opened).split("<div class='key'>")
    assert "<button" not in sheet + key
    assert "{" not in re.sub("<style>.*?</style>", "", sheet, flags=re.DOTALL) + key
    assert context.t.html("question") in sheet and context.t.html("question") in key
    followed = opened.repeat(context).followed if opened.repeat else None
    blanks = sheet.count(worksheet.BLANK) - 2  # name and date
    assert worksheet.BLANK not in key
    every = followed.steps if followed and not all(map(worksheet.looked_up, followed.steps)) else ()
    last = followed.steps[-1] if followed and followed.steps else None
    given = [worksheet.looked_up(step) and bool(step.reason or step is not last) for step in every]
    looked_up = {worksheet.plain(step.value) for step, printed in zip(every, given, strict=True) if printed}
    for step in every:
        value = worksheet.plain(step.value)
        result = f"= <b>{html.escape(value)}</b>"
        assert result in key and (result in sheet) == (value in looked_up)
    assert blanks >= len(every) - sum(given)
    solved = [one for one in context.exercises if one.solution(context.practised, context.values)]
    assert sheet.count("<div class='line'>") == 4 + 2 * len(solved)
    assert key.count("<li>") >= len(solved)
    for exercise in context.exercises:
        if found := exercise.solution(context.practised, context.values):
            there = as_set(context, found)
            verdict = exercise.check(there.practised, there.values)
            said = context.t.html(f"exercises.{exercise.id}.{verdict.words}", **in_words(context.t, verdict.facts))
            assert verdict.right and worksheet.PRESSED.sub("", said) in key


def test_a_handout_says_how_layers_are_counted(looked) -> None:
    context = looked("attention", "en", text=CAT, guess="skip", layer=3)
    said = takeaway.handout(context, opened_of("attention", context))["counted"]
    assert said == "Names of tensors count layers from 0: encoder.2 is layer 3 on the page."
    assert takeaway.handout(context, None)["counted"] == ""


@pytest.mark.parametrize(
    "line, blank",
    [("dim 23  −2.447 × (−1.807) = 4.420", "dim 23  −2.447 × (−1.807) = "), ("a = b = 3", "a = b = "), ("÷ √32", None)],
)
def test_a_result_is_left_out_and_nothing_else(line: str, blank: str | None) -> None:
    assert worksheet.filled(line, key=True).replace("\u00a0", " ") == line
    left = worksheet.filled(line, key=False).replace("\u00a0", " ")
    assert left == (line if blank is None else blank + worksheet.BLANK)


@pytest.mark.parametrize(
    "operation, asked, left",
    [
        ("exp(4.864) ÷ Σ = 129.54 ÷ 154.98", ["4.8639", "129.5", "154.98"], "exp(_) ÷ Σ = _ ÷ _"),
        ("exp(9.6165)", ["9.616"], "exp(_)"),
        ("10 ÷ (10 × 22)", ["10", "22"], "_ ÷ (_ × _)"),
        ("−4.228 × 0.9559 + (−1.164)", ["−4.2281"], "_ × 0.9559 + (−1.164)"),
        ("8 ÷ 86.60", ["8", "0.866"], "8 ÷ 86.60"),
        ("5 ÷ (9 × 10)", ["5", "9", "10"], "_ ÷ (_ × _)"),
        ("5 ÷ (9 × 10)", ["5", "9"], "5 ÷ (9 × 10)"),
    ],
)
def test_a_result_that_was_asked_for_stands_nowhere_later(operation: str, asked: list[str], left: str) -> None:
    assert worksheet.printed(operation, asked).replace("\u00a0", " ").replace(worksheet.BLANK, "_") == left


def test_what_is_looked_up_is_given_and_what_is_computed_is_asked(looked) -> None:
    context = looked("layernorm", "en", text=CAT, guess="skip")
    sheet, _ = worksheet.worksheet(context, opened_of("layernorm", context)).split("<div class='key'>")
    assert re.search(r"μ = Σ x ÷ 384 = <b>", sheet) and f"= {worksheet.BLANK}" in sheet
    context = looked("position", "en", text=CAT, guess="skip")  # but one row of a learned table
    assert "class='compute'" not in worksheet.worksheet(context, opened_of("position", context))


def test_a_sentence_is_no_markup_on_paper(looked) -> None:
    context = looked("attention", "en", text="<script>alert(1)</script> & co", guess="skip")
    assert "<script" not in worksheet.worksheet(context, opened_of("attention", context))


def test_excel_knows_the_tables_alphabet() -> None:
    assert takeaway.for_excel(lambda: "词元,1").encode().startswith(b"\xef\xbb\xbf")
