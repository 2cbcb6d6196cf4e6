"""From the experiments of the pages to the sheet, with the same thing changed there."""

from urllib.parse import parse_qs

import pytest

from core.edits import parse
from core.run_spec import RunSpec
from pages.shared.page.whole_model import opens
from pages.stages.overview.what_if import given

EXPERIMENTS = [
    ("position", {}, "zero"),
    ("encoder", {"section": "residual"}, "cut"),
    ("heads", {"section": "whatif", "layer": 3, "head": 9}, "mute:encoder.3.9"),
    ("heads", {"section": "whatif", "edit": "zero"}, "zero"),
    ("heads", {"section": "whatif", "edit": "mute:encoder.1.2"}, "mute:encoder.1.2"),
    ("heads", {"section": "whatif", "kind": "cross", "text": "我在北京", "edit": "mute:cross.2.1"}, "mute:cross.2.1"),
    ("translation", {"section": "peek", "text": "我在北京"}, "lift"),
    ("generation", {"section": "cache", "text": "床前明月光", "model": "poet"}, "lift"),
]


def links(page) -> list[dict[str, str]]:
    """What the links to the sheet select there."""
    found = [link.proto for link in page.app.get("page_link")]
    asked = [parse_qs(link.query_string) for link in found if link.page == "overview"]
    return [{name: value for name, (value,) in one.items()} for one in asked if "what" in one]


@pytest.mark.parametrize("slug, query, edit", EXPERIMENTS)
def test_an_experiment_leads_to_the_sheet_with_the_same_change(opened, looked, slug, query, edit):
    page = opened(slug, "en", guess="skip", **query)
    (link,) = links(page)
    assert link.items() >= {**opens(parse(edit)), "guess": "skip"}.items()
    context = looked("overview", **link)
    run = given(context)
    assert run is not None and run.edits == RunSpec(edits=(edit,)).edits
    assert context.page.text == query.get("text", "The cat sat on the mat.")


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
