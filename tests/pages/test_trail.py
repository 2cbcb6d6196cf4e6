"""A trail: every number's panel in words, its doors, the address it stands in, and the veil it stops at."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import capture, edits
from core.derivation import Cell, Measure, Source, Weight
from core.derivation.derive import derive
from core.derivation.measures import KINDS, gradients
from core.derivation.origins import within
from core.derivation.reading import value
from core.edits import cut, mute
from core.figures.followed import Door, Followed, Traced
from core.model.places import split
from core.run_spec import AT_HAND, RunSpec
from pages.shared.number.cell_path import free, given_by, path_of, run_prefix
from pages.shared.number.number_panel import Cells
from pages.shared.number.trail import Step as TrailStep
from pages.shared.number.trail import along, begun, opened, origins, sums_of, taken
from pages.shared.server import cached
from pages.shared.words.number_marks import Others
from pages.shared.words.numbers import short
from pages.shared.words.texts import Texts, lesson
from pages.stages.attention.followed import followed as attention_followed
from pages.stages.heads.by_word import followed as word_followed
from pages.stages.heads.followed import followed as heads_followed
from pages.stages.heads.pair import followed as pair_followed
from pages.stages.input.followed import followed as input_followed
from pages.stages.output.followed import followed as output_followed
from pages.stages.position.followed import followed as position_followed
from pages.stages.position.learned import followed_pair
from tests.profiles import crossed

LANGUAGES = ("zh", "en")
TEXTS = {"minilm": "The cat sat on the mat.", "translator": "我昨天在北京买了三本书"}
WEIGHT = "encoder.3.9.weights.5.6"  # how a trail begins at the weight that the attention page opens on
QUERY = "encoder.3.attention.query.9.5.23"


@pytest.fixture(params=crossed(LANGUAGES, list(TEXTS)), ids="/".join)
def cells(looked, request: pytest.FixtureRequest) -> Cells:
    lang, model = request.param
    return Cells(looked("attention", lang, text=TEXTS[model]).page)


def some(cells: Cells) -> Iterator[Cell]:
    """Cells of every tap: the first, the last, and one that is large."""
    run = cells.run()
    for tap in run.names():
        shape = run[tap].shape
        largest = np.unravel_index(np.abs(np.nan_to_num(run[tap], neginf=0)).argmax(), shape)
        for index in {(0,) * len(shape), tuple(n - 1 for n in shape), tuple(map(int, largest))}:
            yield Cell(tap, index)


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def alike(text: str, other: str) -> bool:
    """Whether two printed numbers are one, perhaps in other digits: an exponent may have more (core.derivation.powers),
    and what it makes fewer."""
    if text == other:
        return True
    one, two = (
        float(each.strip("()").replace("\u202f", "").translate(RAISED).replace(",", "").replace("×10", "e"))
        for each in (text, other)
    )
    return one == pytest.approx(two, rel=6e-4)


def doors(shown: Followed) -> list[Door]:
    return [
        piece
        for step in shown.steps
        for words in (step.operation, step.value, *step.lines)
        for piece in ([] if isinstance(words, str) else words)
        if isinstance(piece, Door)
    ]


def said(shown: Followed) -> str:
    """Everything a panel says, doors as their texts."""
    lines = [
        words if isinstance(words, str) else "".join(p if isinstance(p, str) else p.text for p in words)
        for step in shown.steps
        for words in (step.operation, step.value, *step.lines, step.reason, step.check)
    ]
    return "\n".join([shown.title, shown.where, shown.value, *lines, *shown.end])


def last(path: str) -> str:
    return path.rsplit("~", 1)[1]


# ---------------------------------------------------------------------------------------------------
# Panels


def test_every_number_says_how_it_was_made(cells: Cells) -> None:
    """Nothing is left unfilled; every number that comes from somewhere is a door, and reads as what stands there."""
    for cell in some(cells):
        panel = opened(cells, cells.panel(cell), "from", full=False)
        made = derive(cells.run(), cell)
        assert not re.search(r"\{\w+|[\ue000\ue001]", said(panel)), cell
        assert len(panel.steps) == len(made.steps) and panel.value == short(made.captured)
        made_of = {path_of(cells.page.model, origin, False) for origin in made.origins}
        paths = [last(door.to or "") for door in doors(panel)]
        assert {path for path in paths if not path.startswith("rest.")} == made_of
        assert (panel.onward is None) == (made.onward is None)
        assert bool(panel.end) == (not made.origins)
    for weight in {o for cell in some(cells) for o in derive(cells.run(), cell).origins if isinstance(o, Weight)}:
        end = opened(cells, cells.panel(weight), "from", full=False)
        assert not re.search(r"\{\w+", said(end)) and end.onward is None and not doors(end)
        assert end.value == short(value(cells.run(), weight))


@pytest.mark.long
def test_a_door_reads_as_the_number_behind_it(cells: Cells) -> None:
    for cell in some(cells):
        panel = opened(cells, cells.panel(cell), path_of(cells.page.model, cell, True), full=False)
        for door in doors(panel):
            trail = taken(cells, panel, "", door.to or "")
            assert trail is not None and trail.written == door.to
            assert alike(door.text, short(trail.at[-1].number))
            assert door.text in door.name


def test_every_term_of_a_sum_is_reached(cells: Cells) -> None:
    """The terms that are not written out are a door to the next of them, until none is left; the last leads on."""
    for tap in ("attention.query", "attention.norm.variance", "attention.weights", "attention.context"):
        cell = Cell(f"encoder.1.{tap}", (2,) * len(cells.flow.dims[f"encoder.1.{tap}"]))
        panel, start = cells.panel(cell), path_of(cells.page.model, cell, True)
        for number, others in enumerate(sums_of(panel), 1):
            path, read, step = f"{start}~rest.{number}", 0, None
            while path:
                step = last_step(cells, panel, path)
                assert isinstance(step.source, Others)
                read += len(step.source.step.largest)
                path = f"{path}~rest.1" if sums_of(step.panel) else ""
            assert step and read == others.step.count
            lowest = doors(opened(cells, step.panel, "from", full=True))[-1]
            (number_of,) = {origin for origin in origins(step.panel) if lowest.to == f"from~{full(cells, origin)}"}
            assert short(cells.value(number_of)) == lowest.text.strip("()")


def last_step(cells: Cells, panel: Followed, trail: str) -> TrailStep:
    found = taken(cells, panel, "", trail)
    assert found is not None and found.written == trail
    return found.at[-1]


def full(cells: Cells, origin: Source) -> str:
    return path_of(cells.page.model, origin, True)


@pytest.mark.parametrize("path", ["rest", "rest.", "rest.0", "rest.9", "rest.-1", "rest.1.1", "rest.1e3", "rest.１"])
def test_a_sum_that_is_not_there_ends_a_trail(cells: Cells, path: str) -> None:
    panel = cells.panel(Cell("encoder.1.attention.query", (2, 2, 2)))
    trail = taken(cells, panel, "", f"encoder.2.attention.query.3.2.2~rest.1~{path}~rest.1")
    assert trail is not None and trail.written == "encoder.2.attention.query.3.2.2~rest.1"


def test_a_cell_is_written_and_read_back(cells: Cells) -> None:
    for cell in some(cells):
        assert free(cells, path_of(cells.page.model, cell, True)) == cell


def test_names_tell_the_origins_of_a_number_apart(cells: Cells) -> None:
    for cell in some(cells):
        origins: tuple[Source, ...] = derive(cells.run(), cell).origins
        paths = [path_of(cells.page.model, origin, False) for origin in origins]
        assert len(set(paths)) == len(paths)


def test_a_parameter_is_named_by_its_row_and_column(looked) -> None:
    english = Cells(looked("attention", "en", text=TEXTS["minilm"]).page)
    assert "row 1996 (“the”), column 17 of the embedding table" in said(
        english.panel(Weight("embedding.token_table.weight", (1996, 17)))
    )
    chinese = Cells(looked("attention", "zh", text=TEXTS["minilm"]).page)
    assert "嵌入表第 1996 行（the）第 17 列" in said(chinese.panel(Weight("embedding.token_table.weight", (1996, 17))))


# ---------------------------------------------------------------------------------------------------
# In the address


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_link_opens_at_its_end(opened, lang: str) -> None:
    page = opened("attention", lang, guess="skip", trail=f"{WEIGHT}~{QUERY}~output.5.157")
    shown = page.data("derivation")
    assert shown["trail"][0]["text"] == "0.8357" and len(shown["trail"]) == 3
    assert shown["trail"][0]["to"] is None and shown["trail"][1]["to"] == f"{WEIGHT}~{QUERY}"
    assert shown["value"] == "2.666" and not shown["note"]
    assert shown["onward"] == f"{WEIGHT}~{QUERY}~output.5.157~normalized.5.157"
    assert page.address["trail"] == f"{WEIGHT}~{QUERY}~output.5.157"
    assert "layernorm" in shown["see"]["href"] and "norm=5" in shown["see"]["href"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("trail", "kept", "key"),
    [
        (f"{WEIGHT}~{QUERY}~nonsense.1", f"{WEIGHT}~{QUERY}", "cut"),
        (f"{WEIGHT}~{QUERY}~output.5.9999", f"{WEIGHT}~{QUERY}", "cut"),
        (f"{WEIGHT}~{QUERY}~output.4.157", f"{WEIGHT}~{QUERY}", "cut"),  # another token's state made another query
        (f"{WEIGHT}~{QUERY}~bias.279~more.1", f"{WEIGHT}~{QUERY}~bias.279", "cut"),
        (f"{WEIGHT}~output.logits.1.1", WEIGHT, "cut"),
        ("encoder.3.9.weights.5.7~x.1", None, "lost"),
        ("does_same.encoder.3.attention.weights.99", None, "lost"),
        ("does_previous.encoder.3.attention.mask.1", None, "lost"),
        ("output.probabilities.3.512", None, "lost"),  # of a model that writes
        ("pad_to=0!encoder.6.output.1.1", None, "lost"),
        ("pair=a&model=translator!recorded.lengths.kinds.1.losses.7", None, "lost"),  # it reads no pair
        ("gradient.encoder.6.output.1.1", None, "lost"),  # of what loss
        ("recorded.lengths.kinds.1.losses.99", None, "lost"),
        (f"encoder.3.attention.query.9.5.{'9' * 900}", None, "lost"),
    ],
)
def test_a_bad_trail_is_repaired_and_said(opened, lang: str, trail: str, kept: str | None, key: str) -> None:
    page = opened("attention", lang, guess="skip", trail=trail)
    note = page.data("derivation")["note"]
    assert page.address.get("trail") == kept
    assert note == lesson("cells")[lang][key].replace("{at}", str(len((kept or "").split("~")[1:]) + 1))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_no_trail_is_said_above_the_page(opened, lang: str) -> None:
    page = opened("attention", lang, guess="skip", trail="nothing")
    assert "trail=nothing" in page.html and "trail" not in page.address


@pytest.mark.parametrize(
    ("slug", "lang"),
    list(zip(["attention", "layernorm", "input", "embedding", "overview", "translation"], LANGUAGES * 3, strict=True)),
)
def test_nothing_behind_a_veil_while_the_question_is_open(opened, slug: str, lang: str) -> None:
    """Neither by a door nor by a link: of any stage, and to any cell."""
    text = TEXTS["translator" if slug == "translation" else "minilm"]
    for trail in (None, "encoder.1.attention.weights.1.2.2", f"{WEIGHT}~{QUERY}"):
        page = opened(slug, lang, text=text, trail=trail)
        if "skip" in page.address.get("guess", ""):
            continue  # no question about this sentence
        shown = page.data("derivation")
        assert not shown["trail"] and shown["onward"] is None
        assert not [piece for step in shown["steps"] for piece in step["operation"] if isinstance(piece, dict)]
        assert "trail" not in page.address
        if trail:
            assert lesson("cells")[lang]["veiled"] in shown["note"]


def test_any_cell_can_be_where_a_trail_begins(opened) -> None:
    page = opened(
        "translation", "en", text=TEXTS["translator"], guess="skip", trail="output.probabilities.1.50~logits.1.50"
    )
    shown = page.data("derivation")
    assert [door["text"][:5] for door in shown["trail"]][1:] == ["proba", "logit"] and not shown["note"]


@pytest.mark.parametrize("slug", ["attention", "layernorm", "input", "embedding", "overview", "meaning"])
def test_every_stage_that_follows_a_number_has_doors(opened, slug: str) -> None:
    shown = opened(slug, "en", guess="skip").data("derivation")
    found = [
        piece
        for step in shown["steps"]
        for words in (step["operation"], step["value"], *step["lines"])
        if isinstance(words, list)
        for piece in words
        if isinstance(piece, dict)
    ]
    assert found and shown["onward"]
    end = opened(slug, "en", guess="skip", trail=found[0]["to"]).data("derivation")
    assert end["value"] == found[0]["text"].strip("()") and not end["note"]


# ---------------------------------------------------------------------------------------------------
# Other runs, other pieces


@pytest.mark.parametrize("text", TEXTS.values())
def test_what_was_edited_leads_back_through_the_edited_run(looked, text: str) -> None:
    """Of a weight with positions off, every door reads as the number behind it: in that run, and not in the model's."""
    switched = {"section": "switches", "positions": "off", "look": "now", "head": 2, "pos": 3, "k": 1}
    context = looked("input", text=text, guess="skip", **switched)
    shown = input_followed(context)
    assert isinstance(shown, Traced)
    cells, own = Cells(context.page, shown.given), Cells(context.page)
    found = doors(along(context, shown))
    assert found and [edit.id for edit in cells.given.edits] == ["zero"]
    for door in found:
        trail = taken(cells, shown, begun(shown), door.to or "")
        assert trail is not None and alike(door.text, short(trail.at[-1].number))
    deeper = looked("input", text=text, guess="skip", **switched, trail=found[0].to)
    panel = along(deeper, input_followed(deeper))
    assert panel.value == found[0].text.strip("()") and len(panel.trail) == 2 and panel.see is None
    end = taken(cells, shown, begun(shown), found[0].to or "")
    assert end is not None and isinstance(end.at[-1].source, Cell)
    assert own.value(end.at[-1].source) != end.at[-1].number


@pytest.mark.parametrize(
    ("piece", "follow", "query"),
    [
        ("derivation", heads_followed, {"edit": "zero"}),
        ("derivation", heads_followed, {"edit": "drop_sqrt_dk:32,mute:encoder.2.3"}),
        ("word_followed", word_followed, {"section": "by_word", "edit": "zero", "wq": 3, "wk": 1}),
        ("pair_followed", pair_followed, {"section": "pair", "pair": "It was red.", "pq": 2, "pk": 9}),
        ("derivation", attention_followed, {"show": "contribution"}),
        ("derivation", output_followed, {"temperature": 1.5}),
        ("derivation", output_followed, {"temperature": 1, "layer": 0}),
    ],
)
def test_every_door_reads_as_the_number_of_its_own_run(looked, piece: str, follow, query: dict) -> None:
    """A weight of changed heads, of words, of two sentences read together: its doors stay in that run."""
    address = {"text": "The cat was unaffable.", "guess": "skip", **query}
    slug = follow.__module__.split(".")[2]
    context = looked(slug, **address)
    shown = follow(context)
    found = doors(along(context, shown, piece))
    assert found
    for door in found:
        deeper = looked(context.page.slug, **address, trail=door.to)
        panel = along(deeper, follow(deeper), piece)
        assert alike(panel.value, door.text) and not panel.note
        run = isinstance(shown, Traced) and shown.given != AT_HAND
        assert not (run and panel.see)  # elsewhere there is another run


def test_a_number_in_a_section_has_a_trail_of_its_own(looked) -> None:
    address = {"text": TEXTS["minilm"], "guess": "skip", "section": "learned", "a": 3, "b": 5}
    piece, follow = "learned_pair", followed_pair
    context = looked("position", **address)
    found = doors(along(context, follow(context), piece))
    assert found and all((door.to or "").startswith(f"{piece}.") for door in found)
    deeper = looked("position", **address, trail=found[0].to)
    panel = along(deeper, follow(deeper), piece)
    assert panel.value == found[0].text.strip("()") and "a parameter, learned" in said(panel)
    own = along(deeper, position_followed(deeper))  # the page's own number knows that the trail is another's
    assert not own.trail and not own.note and own.value == position_followed(deeper).value
    stage = context.page.stage
    query = {"section": "learned", "trail": found[0].to or ""}
    assert stage.concerned(query, {"trail": found[0].to}) == [piece]
    assert piece in (stage.concerned(query, {"trail": None}) or ())
    anew = stage.concerned({"section": "learned"}, {"trail": "encoder.1.attention.weights.1.1.1"})
    assert anew and anew[0] == "derivation"


# ---------------------------------------------------------------------------------------------------
# Long texts


def test_a_long_text_keeps_the_taps_that_were_asked_for(looked) -> None:
    text = "the cat and the dog " * 40
    cells = Cells(looked("attention", "en", text=text).page)
    cell = Cell("encoder.2.attention.query", (3, 150, 5))
    panel = cells.panel(cell)
    assert cells.run().names() == ()  # the capture itself keeps nothing
    asked = cells.run("encoder.2.attention.query")
    assert {split(name)[0].layer for name in asked.names()} == {2}
    assert "encoder.2.attention.scores" not in asked.names()
    run = capture(cached.model("minilm"), text, only=("encoder.2.*",))
    assert panel.value == short(derive(run, cell).captured)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_edit_is_called_by_what_it_does(looked, lang: str) -> None:
    """In words that tell it from every other, with its numbers and its place."""
    ids = (
        *(
            "mute:encoder.3.9",
            "mute:cross.2.1",
            "drop_sqrt_dk:32",
            "apply_sqrt_d",
            "drop_sqrt_d",
            "lift",
            "zero",
            "cut",
        ),
        *("see_padding", "cut:encoder.2.feedforward", "cut:decoder.1.cross_attention", "shuffle:7"),
        *("restart:6", "apart:6.0", "apart:6.1", "silence:encoder.2.feedforward", "take:3.4.~cat"),
        *(
            "average:encoder.3.9",
            "mute_neuron:encoder.3.9",
            "average_neuron:encoder.3.9",
            "patch:~encoder%2E1%2Eoutput.3.~dog",
        ),
    )
    assert {id.partition(":")[0] for id in ids} == set(edits.CONSTRUCTORS)
    cells = Cells(looked("attention", lang, text=TEXTS["minilm"], guess="skip").page)
    said = {id: cells.edit(edits.parse(id)) for id in ids}
    assert len(set(said.values())) == len(ids)
    for id, words in said.items():
        own = {*re.findall(r"\d+", unquote(id))} - {"0", "32"}
        assert (id.isalpha() or id not in words) and (own <= {*re.findall(r"\d+", words)} or id.startswith("apart")), (
            words
        )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_measure_has_a_name(lang: str) -> None:
    t = Texts(lang, "cells")
    for kind in KINDS:
        name = gradients.kind_of(Measure(kind, ())) if kind.startswith(gradients.NAME) else kind
        name = re.sub(r"(warm|warm_chance)_\d+$", r"\1", name)  # the words say at which temperature
        assert f"measure.{name}" in t, kind


def test_two_rows_of_one_token_are_told_apart(looked) -> None:
    cells = Cells(looked("encoder", "zh", text=TEXTS["minilm"]).page)
    rows = [Cell(f"encoder.0.attention.{word}", (2, None)) for word in ("output", "skip", "norm.output")]
    assert len({cells.part(row) for row in rows}) == len(rows)


OTHERS = (
    RunSpec("狗叫了~!-=&% . <b>。", model="minilm"),
    RunSpec("A dog barked.", pair="It was late."),
    RunSpec(edits=(cut("encoder", 2, "attention"), mute("encoder", 2, 1))),
    RunSpec(pad_to=20),
    RunSpec(norm="pre"),
    RunSpec("A dog barked.", norm="input"),
    RunSpec("我爱你", target="I love you", model="translator"),
)


@given(st.text(max_size=40), st.none() | st.text(max_size=40), st.none() | st.integers(1, 512))
def test_what_a_run_was_given_is_read_back(sentence: str, pair: str | None, pad_to: int | None) -> None:
    runs = (
        RunSpec(sentence, pair, None, pad_to, norm="pre"),
        RunSpec(target=sentence, edits=(cut(), mute("cross", 1, 2))),
    )
    for run in runs:
        path = run_prefix(run)
        assert not set(path) & set("~!.-") and given_by(path) == run
    assert run_prefix(AT_HAND) == "" and given_by("") == AT_HAND


@pytest.mark.parametrize(
    "path", ["txt=a", "model=gpt", "edit=fly", "norm=sandwich", "pad_to=many", f"text={'a' * 2001}"]
)
def test_what_no_run_can_be_given_is_none(path: str) -> None:
    assert given_by(path) is None


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("run", OTHERS, ids=str)
def test_a_number_of_another_run_is_followed_there(looked, lang: str, run: RunSpec) -> None:
    """It says which run it is of, leads back through that, and a cosine with the page's own leads into both."""
    page = looked("attention", lang, text=TEXTS["minilm"]).page
    cells = Cells(page).beside(run)
    state = Cell("encoder.0.output", (1, 7))
    trail = path_of(page.model, within(state, run), full=True)
    context = looked("attention", lang, text=TEXTS["minilm"], guess="skip", trail=trail)
    panel = along(context, attention_followed(context))
    assert panel.value == short(cells.value(state)) and not panel.note
    assert all(said in panel.where for said in cells.said) and cells.said
    deeper = doors(panel)[0]
    context = looked("attention", lang, text=TEXTS["minilm"], guess="skip", trail=deeper.to)
    assert along(context, attention_followed(context)).value == deeper.text.strip("()")
    if run.model != "translator":
        row = Cell("encoder.5.output", (1, None))
        trail = path_of(page.model, Measure("cosine", (row, within(row, run))), full=True)
        context = looked("attention", lang, text=TEXTS["minilm"], guess="skip", trail=trail)
        panel = along(context, attention_followed(context))
        assert not panel.note and len(doors(panel)) == 9
        for door in doors(panel):
            context = looked("attention", lang, text=TEXTS["minilm"], guess="skip", trail=door.to)
            assert along(context, attention_followed(context)).value == door.text.strip("()")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("edit", ["mute:encoder%2E3%2E99", "mute:encoder%2E9%2E1", "lift", "drop_sqrt_dk:64"])
def test_a_number_of_a_run_whose_edit_finds_nothing_is_dropped(looked, opened, lang: str, edit: str) -> None:
    """Also where it is one of the two rows that are measured: the panel says so, as of any number that is none."""
    row = f"edit={edit}!encoder.6.output.2"
    for trail in (f"{row}.17", f"length.{row}", f"cosine.encoder.6.output.2-{row}"):
        page = opened("attention", lang, text=TEXTS["minilm"], guess="skip", trail=trail)
        assert not page.app.exception and "trail" not in page.address
        context = looked("attention", lang, text=TEXTS["minilm"], guess="skip", trail=trail)
        assert along(context, attention_followed(context)).note, trail


def test_a_number_leads_to_its_ancestry_on_the_sheet(opened):
    drawn = opened("attention", "en", guess="skip", show="weights", layer=3, head=9, q=5, k=6).data("derivation")[
        "drawn"
    ]
    assert "/overview?" in drawn["href"] and drawn["href"].endswith("trail=encoder.3.attention.weights.9.5.6")
    there = opened("overview", "en", guess="skip", trail="encoder.3.attention.weights.9.5.6").data("derivation")
    assert there["drawn"] is None and there["value"] == "0.8357"
