"""Links from a section to a section of another stage."""

from urllib.parse import parse_qs

import pytest

from pages.stages import pages

DOORS = [("layernorm", "where", "encoder"), ("attention", "masks", "generation")]


@pytest.mark.parametrize("slug, section, to", DOORS)
def test_a_door_opens_a_section_that_there_is(opened, slug: str, section: str, to: str) -> None:
    page = opened(slug, "en", text="The cat sat.", guess="skip", section=section)
    links = [parse_qs(one.proto.query_string) for one in page.app.get("page_link") if one.proto.page == to]
    opens = [link["section"][0] for link in links if "section" in link]
    assert len(opens) == 1 and opens[0] in pages()[to].sections
    assert all(link["text"] == ["The cat sat."] for link in links)
