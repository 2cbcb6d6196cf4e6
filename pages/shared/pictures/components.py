"""The pictures Plotly cannot do: plain JavaScript in assets/components, mounted through Streamlit's components v2.

The kit they share travels once, with its style, in a component of its own; each other component waits for it and
brings only its own files.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from streamlit.components.v2 import component as register

from core.notebook.bundle import COMPONENTS, KIT, kit_style, modules, own_style, source
from pages.shared.pictures import helps

READY = (
    "(window.seeThroughKit ??= (() => { let give; const promise = new Promise((ready) => (give = ready)); "
    "return { promise, give }; })())"
)
# WebKit fails where a module that waits at its top is imported twice, as each is that stands on a page twice: so its
# code is a function, which is called once the kit is there, and whoever draws before that waits.
WAITING = """
const begun = %(ready)s.promise.then(({ dressed, kitStyle, %(taken)s }) => {
%(code)s
return dressed(exported, kitStyle);
});
let draw = null;
begun.then((exported) => (draw = exported));
export default function (given) {
  if (draw) return draw(given);
  let end = null;
  let gone = false;
  begun.then((exported) => gone || (end = exported(given)));
  return () => {
    gone = true;
    end?.();
  };
}
"""
FROM_KIT = re.compile(r'^import \{([^}]*)\} from "\.\./kit/', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def kit() -> str:
    """The kit as one module: inline modules cannot import from each other."""
    paths = [COMPONENTS / f"kit/{name}.js" for name in KIT]
    names = ", ".join(name for path in paths for name in EXPORT.findall(path.read_text(encoding="utf-8")))
    code = "\n".join(map(source, paths))
    style = f"const kitStyle = {json.dumps(kit_style())};"
    return f"{code}\n{style}\n{READY}.give({{ {names}, kitStyle }});\nexport default function () {{}}\n"


def bundle(name: str) -> str:
    """A component's own modules as a function of what they import, which is called once the kit is there."""
    if name == "kit":
        return kit()
    paths = modules(name)
    parts = (
        part
        for path in paths
        for names in FROM_KIT.findall(path.read_text(encoding="utf-8"))
        for part in names.split(",")
    )
    taken = ", ".join(dict.fromkeys(filter(None, map(str.strip, parts))))
    code = "\n".join(map(source, paths)).replace("export default ", "const exported = ")
    return WAITING % {"ready": READY, "taken": taken, "code": code}


@cache
def component(name: str) -> Callable[..., Any]:
    """Register the component in assets/components/<name>; what it returns draws it, from JSON or from bytes.

    JSON travels in a list of one: of a dictionary Streamlit would ask every value whether it is a table, which takes
    seven times as long as writing it.
    """
    mount = register(f"see_{name}", js=bundle(name), css=own_style(name) or None)

    def draw(*, key: str, data: object = None, **callbacks: Any) -> None:
        mount(key=key, data=data if isinstance(data, bytes) else [data], **callbacks)

    return draw


def controls(*, key: str, data: Any, **callbacks: Any) -> None:
    """A row of controls; each says what it does."""
    controls_alone(key=key, data=helps.explained(data), **callbacks)


kit_of_pictures = component("kit")
address = component("address")
echo = component("echo")
strip = component("strip")
sentence = component("sentence")
controls_alone = component("controls")
contents = component("contents")
recap = component("recap")
matrix = component("matrix")
chain = component("chain")
worksheet = component("worksheet")
sheet = component("sheet")
lent = component("lent")
derivation = component("derivation")
thumbnails = component("thumbnails")
lines = component("lines")
dots = component("dots")
grid = component("grid")
depth = component("depth")
ruler = component("ruler")
walk = component("walk")
decoding = component("decoding")
written = component("written")
lattice = component("lattice")
lanes = component("lanes")
merges = component("merges")
blocks = component("blocks")
addition = component("addition")
waves = component("waves")
clocks = component("clocks")
dials = component("dials")
orders = component("orders")
ranking = component("ranking")
curves = component("curves")
treemap = component("treemap")
stretches = component("stretches")
descent = component("descent")
cloud = component("cloud")
near = component("near")
senses = component("senses")
choices = component("choices")
choosing = component("choosing")
diagram = component("diagram")
river = component("river")
flow = component("flow")
dropped = component("dropped")
shares = component("shares")
runs = component("runs")
share = component("share")
classroom = component("classroom")
take = component("take")
slides = component("slides")
begin = component("begin")
