"""The link to a screen: its QR code read by other people's code, and links of earlier versions."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.address.address import query_of
from pages.shared.page import share

# As the site wrote them at some time, a few of each stop: whoever has kept one finds what it showed.
LINKS = [
    "overview?guess=skip&open=1",
    "overview?guess=nearer",
    "overview?q=2&k=6",
    "overview?guess=skip&depth=5",
    "overview?guess=skip&q=3&k=2&depth=2",
    "tokens?word=3&step=2",
    "tokens?guess=skip&section=pair",
    "tokens?guess=skip&section=count",
    "tokens?guess=skip&section=back&open=1",
    "vocabulary?sample=low+lower+lowest&rule=frequency&ties=id&step=3&pair=1",
    "vocabulary?section=use&guess=skip&try=low",
    "segmentation?guess=skip&words=乒乓球拍:26",
    "segmentation?guess=skip&sample=南京市长江大桥&hmm=off",
    "segmentation?mode=search&guess=skip",
    "embedding?pos=2&dim=40",
    "embedding?pos=5&row=1996&k=2&pair=row",
    "embedding?guess=skip&section=ids&ids=999+1",
    "meaning?guess=skip&map=pca&dimensions=2",
    "meaning?guess=skip&of=king",
    "meaning?guess=skip&perplexity=50",
    "meaning?guess=skip&section=sum",
    "position?pos=3&dim=6",
    "position?guess=skip&kind=learned",
    "position?guess=skip&a=3&b=9&measure=dot",
    "position?guess=skip&by=-5&dim=4",
    "input?part=position&pos=2&dim=7",
    "input?sqrt=off&positions=off&join=concat",
    "input?guess=skip&side=now&of=sum&head=3",
    "layernorm?part=after&pos=2&dim=3",
    "layernorm?method=rms&given=as_is",
    "layernorm?guess=skip&norm=2&part=before",
    "layernorm?method=batch",
    "attention?layer=3&head=9&q=5&k=6",
    "attention?show=scores&q=2&k=2",
    "attention?section=scale&dk=64",
    "attention?show=query&q=1&dim=3&marks=1",
    "heads?layer=2&head=3&q=1&k=2&way=lying",
    "heads?edit=mute:encoder.3.9&guess=skip",
    "heads?sort=layer&grid=layer&guess=skip",
    "encoder?layer=2&pos=3&part=encoder.attention",
    "encoder?section=walk&guess=skip",
    "encoder?section=parting&one=a+cat&other=a+dog",
    "size?preset=gpt3&guess=skip",
    "size?d=512&h=8&ff=2048&layers=6&vocab=37000&guess=skip",
    "size?show=work&guess=skip",
    "training?what=norm&layers=6&run=none&step=20",
    "training?section=practice&guess=skip",
    "training?guess=skip&curve=right",
    "translation?layer=2&head=1&q=2&k=1",
    "translation?search=beam&guess=skip",
    "translation?section=masks&guess=skip",
    "output?guess=skip&temperature=1.5&q=3&section=draw",
    "output?depth=1&word=5&guess=skip",
    "output?section=headless&guess=skip",
]
LINK = "http://localhost:8501/attention?"


def read(code: dict) -> str:
    """What a camera would: the path painted, and read by ZXing."""
    side, pixels, quiet = code["modules"], 4, 4
    modules = np.full((side + 2 * quiet, side + 2 * quiet), 255, np.uint8)
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code["path"]):
        modules[quiet + int(y), quiet + int(x) : quiet + int(x) + int(wide)] = 0
    (found,) = zxingcpp.read_barcodes(modules.repeat(pixels, 0).repeat(pixels, 1))
    assert found.format == zxingcpp.BarcodeFormat.QRCode
    return found.text


@given(text=st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), cell=st.integers(0, 8))
@settings(max_examples=20)
def test_a_code_says_its_link(text: str, cell: int) -> None:
    link = LINK + query_of({"lang": "zh", "text": text, "q": str(cell), "guess": "skip"})
    code = share.code(link)
    assert code and code["link"] == link and read(code) == link


def test_the_longest_link_that_gets_a_code() -> None:
    longest = (LINK + "text=" + "%E7%8C%AB" * 400)[: share.LONGEST - 1]
    assert read(share.code(longest) or {}) == longest
    assert share.code(longest + "x") is None


@pytest.mark.parametrize("link", [None, "", "x" * 5000, "http://猫", "\ud800"])
def test_what_no_browser_writes_gets_no_code(link: str | None) -> None:
    assert share.code(link) is None


@pytest.mark.parametrize("link", LINKS)
def test_a_link_of_an_earlier_version_opens_without_a_complaint(link: str, looked) -> None:
    slug, query = link.split("?")
    given = dict(parse_qsl(query))
    address = looked(slug, "en", **given).page.address
    assert [repair for repair in address.repairs if not repair.code.startswith("reads_")] == []
    assert set(given) <= set(address.table)
