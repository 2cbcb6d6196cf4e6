"""The look, in one place: the Plotly template takes its colours from the site's, and all text can be read."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures.theme import colors, template

ROOT = Path(__file__).parents[2]
SCHEMES = ("light", "dark")


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_figure_wears_the_sites_colours(scheme):
    figure = go.Figure(go.Scatter(y=[1, 2]), layout={"template": template(scheme)})
    chosen = figure.to_plotly_json()["layout"]["template"]["layout"]
    assert chosen["colorway"][0] == colors(scheme)["primaryColor"]
    assert chosen["colorscale"]["diverging"][0][1] == colors(scheme)["orangeColor"]
    assert chosen["colorscale"]["sequential"][-1][0] == 1


INKS = ("textColor", "grayTextColor", "grayColor", "primaryColor", "orangeColor", "linkColor")
READ = [(ink, paper) for ink in INKS for paper in ("backgroundColor", "secondaryBackgroundColor")]
READ += [(ink, "greenBackgroundColor") for ink in ("textColor", "grayTextColor", "primaryColor")]
READ += [("backgroundColor", "primaryColor"), ("backgroundColor", "textColor")]  # chosen segments, tips


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ink, paper", READ)
def test_all_text_has_a_contrast_of_at_least_four_and_a_half(scheme, ink, paper):
    assert contrast(colors(scheme)[ink], colors(scheme)[paper]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_stylesheet_repeats_the_sites_colours_and_adds_none(scheme):
    """Streamlit gives page CSS no variables, so the stylesheet names its colours once, at its top."""
    known = {v.lower() for s in SCHEMES for v in colors(s).values() if isinstance(v, str) and v.startswith("#")}
    used = set(re.findall(r"#[0-9a-f]{6}\b", (ROOT / "assets/site.css").read_text(encoding="utf-8").lower()))
    assert used <= known


# How colours look to eyes that lack a cone (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no medium": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(color: str, eyes: str) -> np.ndarray:
    """CIELAB of a colour as these eyes see it."""
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(XYZ @ np.clip(np.array(EYES[eyes]) @ linear, 0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("eyes", EYES)
def test_groups_are_told_apart_by_any_eyes(scheme, eyes):
    seen = [lab(color, eyes) for color in colors(scheme)["chartCategoricalColors"]]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 11


@pytest.mark.parametrize("scheme", SCHEMES)
def test_groups_stand_out_from_the_paper(scheme):
    paper = colors(scheme)["backgroundColor"]
    assert min(contrast(color, paper) for color in colors(scheme)["chartCategoricalColors"]) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_group_wears_the_colour_of_what_is_negative(scheme):
    negative = lab(colors(scheme)["orangeColor"], "all cones")
    groups = colors(scheme)["chartCategoricalColors"]
    assert min(np.linalg.norm(lab(color, "all cones") - negative) for color in groups) > 30
