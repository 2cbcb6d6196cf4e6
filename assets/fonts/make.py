"""Make the small fonts of the site out of those that Streamlit ships: `make fonts`, after Streamlit was raised.

Of each only the characters that the texts of the site use, at the weights and the size they are set in, and of the
icons those that Streamlit's own front end names. Any other character is the system's, as every Chinese one is.
Needs fonttools and brotli. `pages/shared/server/fonts.py` serves them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import streamlit
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
STATIC = Path(streamlit.__file__).parent / "static/static"
# Latin, the Greek of formulas, punctuation, sub- and superscripts, arrows, the signs of formulas and of the pictures.
TEXT = (
    "20-7E, A0-FF, 394, 3A3, 3B1-3C9, 1D40, 1D62, 1D65, 2013-2014, 2016, 2018-201E, 2026, 2032-2033, 2039-203A, 2070, "
    "2074-2079, 207B, 2080-2089, 2096, 2154, 2190-2193, 21D2, 2202, 2211-2212, 221A, 221E, 2229, 2248, 2260, "
    "2264-2265, 2318, 2581, 2588, 2591, 25A0, 25AA, 25B4, 25B6, 25BE, 25CC, 2610, 2713, 2717, 27E8-27E9"
)
SPACE, UNDERTIE = 0x2423, 0x203F  # the sign of a space, which the fonts lack, and one as wide that no text uses
LETTERS = "20, 30-39, 5F, 61-7A"  # an icon is a ligature of its name
WEIGHTS = (400, 700)
TITLES = 600  # the one weight of every title
TITLE = 28  # px; a serif is drawn otherwise at another size, and ours stands in titles


ICONS = "MaterialSymbols-Rounded"
SERIF = "SourceSerifVariable-Roman"
FONTS = (
    "SourceSansVF-Upright",
    "SourceSansVF-Italic",
    SERIF,
    "SourceSerifVariable-Italic",
    "SourceCodeVF-Upright",
    ICONS,
)


def icons() -> set[str]:
    """The names of the icons that Streamlit's front end may show."""
    return {name for file in (STATIC / "js").glob("*.js") for name in re.findall(r"material/(\w+)", file.read_text())}


def ligatures(font: TTFont, names: set[str]) -> Iterator[str]:
    """The glyphs of these names: each name is a ligature of its letters."""
    letter = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            found = getattr(table, "ExtSubTable", table)
            for first, pairs in getattr(found, "ligatures", {}).items():
                for pair in pairs:
                    if "".join(letter.get(glyph, "?") for glyph in (first, *pair.Component)) in names:
                        yield pair.LigGlyph


def chosen(font: TTFont, name: str) -> Subsetter:
    """What is kept of a font. Not its names: a changed font may not bear the first one's (OFL 3)."""
    named = [0, 13, 14]  # copyright and licence
    if name == ICONS:
        kept = Subsetter(Options(name_IDs=named, layout_features=["liga", "rlig"], layout_closure=False))
        kept.populate(unicodes=parse_unicodes(LETTERS), glyphs=list(ligatures(font, icons())))
    else:
        kept = Subsetter(Options(name_IDs=named, layout_features=["ccmp", "kern", "liga", "tnum"]))
        kept.populate(unicodes=[*parse_unicodes(TEXT), UNDERTIE])
    return kept


def draw_space(font: TTFont) -> None:
    """An open box below the line, as the sign of a space is drawn, in the place of the undertie."""
    glyph = font.getBestCmap().get(UNDERTIE)
    if glyph is None:
        return
    right = font["hmtx"][glyph][0] - 60
    pen = TTGlyphPen(None)
    outline = [
        (60, 40),
        (120, 40),
        (120, -80),
        (right - 60, -80),
        (right - 60, 40),
        (right, 40),
        (right, -140),
        (60, -140),
    ]
    pen.moveTo(outline[0])
    for point in outline[1:]:
        pen.lineTo(point)
    pen.closePath()
    font["glyf"][glyph] = pen.glyph()
    font["hmtx"][glyph] = (right + 60, 60)
    font["gvar"].variations[glyph] = []
    for table in font["cmap"].tables:
        if UNDERTIE in table.cmap:
            table.cmap[SPACE] = table.cmap.pop(UNDERTIE)


def make(name: str) -> Path:
    """One of ours."""
    ours = HERE / f"{name}.woff2"
    font = TTFont(next((STATIC / "media").glob(f"{name}.*woff2")))
    chosen(font, name).subset(font)
    font.flavor = None
    font.save(ours)  # and read again: the axes are cut from what is left
    font = TTFont(ours)
    axes = {axis.axisTag for axis in font["fvar"].axes} if "fvar" in font else set()
    if axes:
        kept = {"wght": TITLES if name == SERIF else WEIGHTS, "opsz": TITLE}
        instantiateVariableFont(font, {axis: kept[axis] for axis in axes}, inplace=True)
    draw_space(font)
    font.flavor = "woff2"
    font.save(ours)
    return ours


if __name__ == "__main__":
    for each in FONTS:
        print(f"{each}: {make(each).stat().st_size / 1000:.0f} KB")
