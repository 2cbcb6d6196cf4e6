"""The head view as one HTML file that opens without a network: the very pictures of the page, their numbers inside."""

import base64
import json
import re
import tomllib
from dataclasses import replace
from functools import cache

import numpy as np

from core.files import ROOT
from pages.shared.pictures.components import COMPONENTS, IMPORT, KIT, style
from pages.stages.heads.context import StageContext
from pages.stages.heads.picture import grid, lines

CONFIG = ROOT / ".streamlit/config.toml"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
SHOWN = ("layer", "head", "q", "k", "also", "pin", "way", "sort", "grid", "kind")  # what of the address goes along
OUTSIDE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 1060px; padding: 24px; font: 15px/1.5 var(--st-font);
       background: var(--st-background-color); color: var(--st-text-color); }
h1 { font-size: 24px; margin: 0 0 4px; }
p { margin: 0 0 16px; color: var(--st-gray-text-color); }
.place { margin-bottom: 20px; }
#lines { max-width: 720px; }
"""


def document(context: StageContext) -> str:
    """The whole file. Of a long text it has the heads that are shown, and not the others in small."""
    page, t = context.page, context.t
    long = context.heads.weights is None
    pictures = {"lines": replace(lines(context), all_there=True).pack()}
    if not long:
        every = grid(context)
        words = {name: text for name, text in every.words.items() if not name.startswith("help")}
        pictures["grid"] = replace(every, words=words).pack()  # no note opens there
    said = [page.text[:200], page.model_name, t(f"kinds.{context.kind}")]
    changed = "" if not context.edits else f"{t('whatif.changed')} {', '.join(context.changed)}"
    parameters = {name: value for name, value in page.address.parameters().items() if name in SHOWN}
    for name, parameter in parameters.items():
        parameter["default"] = context.values[name]
        parameter.pop("usual", None)
    names = json.dumps([*said, changed], ensure_ascii=False)
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{page.address.lang}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
            f"<style>{themes()}{OUTSIDE}</style></head><body>",
            "<h1></h1><p></p>" + "".join(f'<div class="place" id="{name}"></div>' for name in pictures),
            '<script type="module">',
            code(tuple(pictures)),
            "{",
            f"const said = {safe(names)};",
            "document.title = document.querySelector('h1').textContent = said[0];",
            "document.querySelector('p').textContent = said.slice(1).filter(Boolean).join(' · ');",
            f"const sent = {json.dumps({n: base64.b64encode(data).decode() for n, data in pictures.items()})};",
            f"const params = {safe(json.dumps(parameters))};",
            f"const styles = {safe(json.dumps({name: style(name) for name in pictures}))};",
            f"{START}}}",
            "</script></body></html>",
        ]
    )


START = """
let search = "";
const store = new Store({ read: () => search, write: (now) => (search = now), push: (now) => (search = now) }, params);
for (const [name, data] of Object.entries(sent)) {
  const root = document.getElementById(name).attachShadow({ mode: "open" });
  const look = root.appendChild(document.createElement("style"));
  look.textContent = styles[name];
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  kinds[name]({ data: bytes, parentElement: root, setStateValue() {}, setTriggerValue() {}, store });
}
window.drawn = true;
"""


def safe(text: str) -> str:
    """JSON inside a script: a text that closes one must not."""
    return text.replace("<", "\\u003c")


@cache
def code(names: tuple[str, ...]) -> str:
    """The kit, and each picture in a scope of its own."""
    kit = "\n".join(source(f"kit/{name}") for name in KIT)
    kinds = ",\n".join(
        f"{name}: (() => {{\n{source(f'{name}/{name}').replace('export default', 'return')}\n}})()" for name in names
    )
    return f"{kit}\nconst kinds = {{\n{kinds}\n}};"


def source(path: str) -> str:
    """A module without what it imports and exports by name."""
    text = IMPORT.sub("", (COMPONENTS / f"{path}.js").read_text(encoding="utf-8"))
    return re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)


@cache
def themes() -> str:
    """The site's colours and fonts as Streamlit gives them to a picture, light and dark."""
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    light, dark = theme["light"], theme["dark"]
    fonts = f"--st-font: {theme['font']}; --st-code-font: {theme['codeFont']};"
    night = f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(dark)} }} }}"
    return f":root {{ {fonts} {variables(light)} }}\n{night}"


def variables(colors: dict) -> str:
    """primaryColor -> --st-primary-color: …;"""
    plain = {name: value for name, value in colors.items() if isinstance(value, str)}
    lists = {name: ",".join(value) for name, value in colors.items() if isinstance(value, list)}
    return " ".join(f"--st-{dashed(name)}: {value};" for name, value in {**plain, **lists}.items())


def dashed(name: str) -> str:
    """textColor -> text-color."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name)


def numbers(context: StageContext) -> dict[str, np.ndarray]:
    """What the .npz holds: every head of this kind, or those shown of a long text; tokens; what was changed."""
    heads = context.heads
    arrays: dict[str, np.ndarray] = {
        "queries": np.array(heads.tokens),
        "keys": np.array(heads.key_tokens),
        "kind": np.array(context.kind),
        "model": np.array(context.page.address.model),
        "edits": np.array(context.changed, dtype=str),
    }
    if heads.weights is not None:
        arrays["weights"] = heads.weights  # layer, head, query, key
    else:
        arrays |= {f"weights.{layer}.{head}": context.weights(layer, head) for layer, head in context.shown}
    return {**arrays, **{f"measure.{name}": values for name, values in heads.measures.items()}}
