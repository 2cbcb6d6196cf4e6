"""A page as AppTest sees it: no browser, but the real scripts, in either language."""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.address import visit
from pages.shared.address.address import Address
from pages.shared.page.drawing import Drawing, look_at
from pages.shared.pictures.helps import every
from pages.shared.server import warm_up
from pages.stages import pages
from pages.stages.generation import context as generation
from tests.profiles import crossing

NATIVE = ("button_group", "selectbox", "slider", "number_input", "text_input", "text_area", "checkbox")
SENTENCE = 60  # bytes of a label that is one
EXPLAINING = ("grid", "lines", "matrix", "runs")  # pictures with controls of their own, whose words say what they do
CAT = "The cat sat on the mat."
FRAME = str(Path(__file__).parents[2] / "pages/frame.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Language and model multiply nearly every test of a page: a push crosses them with its cases."""
    tests: dict[object, list[pytest.Function]] = {}
    for item in items:
        if (
            Path(__file__).parent in item.path.parents
            and isinstance(item, pytest.Function)
            and hasattr(item, "callspec")
        ):
            tests.setdefault((item.path, item.originalname), []).append(item)
    left_out = {
        item
        for cases in tests.values()
        for item, runs in zip(cases, crossing([item.callspec.params for item in cases]), strict=True)
        if not runs
    }
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


class Opened:
    """One visit of one page, with the English example where no text is given: in either language the same numbers.

    With `text=None` the page chooses its own.
    """

    def __init__(self, slug: str, lang: str, **parameters: object):
        self.app = AppTest.from_file(FRAME, default_timeout=60)
        for name, value in {"lang": lang, "text": CAT, **parameters}.items():
            if value is not None:
                self.app.query_params[name] = str(value)
        self.app._page_hash = calc_hash(slug)  # pages are functions: there is no file to switch to
        self.run()

    def run(self) -> "Opened":
        self.app.run()
        assert not self.app.exception, self.app.exception
        assert "class='note fault'" not in self.html, "a part of the page could not be drawn: see the log"
        assert not re.search(r"\{\w+:[^{}/]+/[^{}/]+\}", self.html), "a count was not given to its words"
        assert self.unexplained == [], "say in assets/lessons/help.toml what it does"
        return self

    @property
    def query(self) -> dict[str, list[str]]:
        return {name: list(values) for name, values in self.app.query_params.items()}

    @property
    def unexplained(self) -> list[str]:
        """The controls that do not say what they do; a label that is a sentence says it itself."""
        native = [element.proto for kind in NATIVE for element in self.app.get(kind)]
        own = [control for proto in self.protos("controls") for control in every(json.loads(proto.json)[0])]
        said = [(proto.label, proto.help, proto.id) for proto in native]
        said += [(control["label"], control["help"], control["name"]) for control in own]
        inside = [(name, header(proto.bytes)["words"]) for name in EXPLAINING for proto in self.protos(name)]
        said += [(name, text, key) for name, words in inside for key, text in words.items() if key.startswith("help")]
        return [f"{label}: {name}" for label, help, name in said if not help and len(label.encode()) < SENTENCE]

    @property
    def address(self) -> dict[str, str]:
        """The address as the page would write it."""
        return dict(parse_qsl(self.data("address")["query"], keep_blank_values=True))

    @property
    def html(self) -> str:
        """All HTML but the stylesheet, as a reader sees it: without the digits a table's cell shows on hover."""
        bodies = [element.proto.body for element in self.app.get("html")]
        whole = "\n".join(body for body in bodies if "<style" not in body)
        return html.unescape(re.sub(r"<td title='[^']*'>", "<td>", whole))

    def protos(self, name: str) -> list:
        """The components of this name, from the top of the page."""
        return [e.proto for e in self.app.get("bidi_component") if e.proto.component_name == f"see_{name}"]

    def proto(self, name: str):
        """The one component of this name."""
        found = self.protos(name)
        assert len(found) == 1, (name, len(found))
        return found[0]

    def box(self, name: str) -> tuple[str, dict]:
        """The one box that a text is typed into under this name: of which component, and what it is given."""
        rows = [(proto.id, control) for proto in self.protos("controls") for control in boxes(proto)]
        found = [(id, control) for id, control in rows if control["name"] == name]
        assert len(found) == 1, (name, len(found))
        return found[0]

    def typed(self, name: str, text: str) -> "Opened":
        """After a text was typed: into the address, or, where it may be too long for one, handed over."""
        id, control = self.box(name)
        if control["handed"] is None:
            query = {name: "".join(values) for name, values in self.query.items()}
            query = {"guess": "open", **query, **control["also"], name: text or None}  # whoever looks answers nothing
            self.app.query_params.clear()
            self.app.query_params.update({key: str(value) for key, value in query.items() if value is not None})
            return self.run()
        states = self.app._tree.get_widget_states()
        state = states.widgets.add(id=_make_trigger_id(id, "events"))
        state.json_trigger_value = json.dumps([{"event": "typed", "value": text}])
        self.app._run(states)
        return self.run()

    @property
    def followed(self) -> dict:
        """The number the page follows, or the one of its section where a trail was begun there."""
        panels = [json.loads(proto.json)[0] for proto in self.protos("derivation")]
        return next((panel for panel in panels if panel["trail"]), panels[0])

    def data(self, name: str) -> dict:
        """What a component was given, where that is JSON."""
        return json.loads(self.proto(name).json)[0]

    def packed(self, name: str) -> tuple[dict, bytes]:
        """What a component was given, where that is bytes: header and what lies behind."""
        raw = self.proto(name).bytes
        return header(raw), raw[4 + int.from_bytes(raw[:4], "little") :]


def boxes(proto) -> list[dict]:
    """The boxes among a row of controls that a text is typed into."""
    return [control for control in every(json.loads(proto.json)[0]) if control["text"]]


def header(raw: bytes) -> dict:
    """What a packed picture says of itself."""
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])


@pytest.fixture(scope="session", autouse=True)
def packages() -> Iterator[None]:
    """A server reads what the installed packages say of themselves once; an AppTest would anew for every page, and for
    longer than it draws."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """However busy the machine is, all that an address asks for is there when its page is drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation, "PATIENCE", 60.0)
        yield


@pytest.fixture(scope="session")
def opened():
    """`opened("attention", "zh", text="…")`, on a warm process."""
    warm_up.once()
    return Opened


@pytest.fixture(scope="session")
def looked():
    """`looked("tokens", "zh", text="…")`: what a page looks at, without a server. For claims about many sentences."""
    warm_up.once()

    def context(slug: str, lang: str = "en", **query: object):
        address = Address({name: str(value) for name, value in query.items()}, lang)
        stage = pages()[slug]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(visit, "read", lambda _: address)
            patch.setattr(visit, "write", lambda *_: None)
            return look_at(stage, Drawing(stage, {}))

    return context
