"""From the experiments of the pages to the sheet, with the same thing changed there."""

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

from core.edits import Edit, parse
from core.views.encoder import without
from core.zoo import Model
from pages.shared.number.cell_path import RUN, given_by
from pages.stages.overview.what_if import given

EXPERIMENTS = [
    ("position", {}, "zero"),
    ("encoder", {"section": "residual"}, "cut"),
    ("encoder", {"section": "residual", "text": "我在北京"}, "cut:encoder"),
    ("encoder", {"section": "residual", "text": "床前明月光", "model": "poet"}, "cut"),
    ("heads", {"section": "whatif", "layer": 3, "head": 9}, "mute:encoder.3.9"),
    ("heads", {"section": "whatif", "edit": "zero"}, "zero"),
    ("heads", {"section": "whatif", "edit": "mute:encoder.1.2"}, "mute:encoder.1.2"),
    ("heads", {"section": "whatif", "kind": "cross", "text": "我在北京", "edit": "mute:cross.2.1"}, "mute:cross.2.1"),
    ("translation", {"section": "peek", "text": "我在北京"}, "lift"),
    ("circuits", {"section": "muting", "text": "床前明月光", "model": "poet", "muted": "2.1"}, "mute:causal.2.1"),
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
    run, model = given(context), context.page.model
    assert run is not None and context.page.text == query.get("text", "The cat sat on the mat.")
    wanted = without(model, "encoder") if edit == "cut:encoder" else (parse(edit),)
    assert effect(model, run.edits) == effect(model, wanted)
    made = shown(page)
    offers = slug == "generation" or (slug == "heads" and "edit" not in query)  # a change that the page has not made
    assert bool(made) is not offers
    assert all(effect(model, edits) == effect(model, run.edits) for edits in made), (made, run.edits)


@pytest.mark.parametrize(
    "slug, query",
    [
        ("position", {}),  # its question is open
        ("heads", {"section": "whatif", "edit": "mute:encoder.1.2,zero", "guess": "skip"}),  # two changes
        ("heads", {"section": "whatif", "edit": "drop_sqrt_dk:32", "guess": "skip"}),  # the sheet has none such
    ],
)
def test_where_the_sheet_cannot_show_it_no_link_promises_it(opened, slug, query):
    assert links(opened(slug, "en", **query)) == []
