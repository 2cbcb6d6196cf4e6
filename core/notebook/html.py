"""Pictures as one HTML file that opens without a network: the very pictures of the site, their numbers inside."""

import base64
import json
from collections.abc import Mapping, Sequence

from .bundle import code, style, variables

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
OUTSIDE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 1060px; padding: 24px; font: 15px/1.5 var(--st-font);
       background: var(--st-background-color); color: var(--st-text-color); }
h1 { font-size: 24px; margin: 0 0 4px; }
p { margin: 0 0 16px; color: var(--st-gray-text-color); }
"""
Sent = bytes | Mapping[str, object]  # a packed figure, or one that is JSON


def document(
    title: str,
    said: Sequence[str],
    pictures: Mapping[str, Sent],
    params: Mapping[str, Mapping[str, object]],
    state: Mapping[str, object] | None = None,
    answers: Mapping[str, Mapping[str, Sent]] | None = None,
    language: str = "en",
) -> str:
    """The whole file. pictures: by the name of their component; `params` what can be selected, each with its default,
    `state` what is; answers: by a trail, what is shown once that is pressed."""
    texts = {name: base64.b64encode(data).decode() for name, data in pictures.items() if isinstance(data, bytes)}
    given = {"params": params, "state": state or {}, "pictures": {**pictures, **texts}, "answers": answers or {}}
    given["styles"] = {name: style(name) for name in pictures}
    night = f"@media (prefers-color-scheme: dark) {{ :root {{ {variables('dark')} }} }}"
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
            f"<style>:root {{ {variables('light')} }}\n{night}{OUTSIDE}</style></head><body>",
            "<h1></h1><p></p><main></main>",
            '<script type="module">',
            code(tuple(pictures), "file"),
            f"const said = {safe([title, *filter(None, said)])};",
            "document.title = document.querySelector('h1').textContent = said[0];",
            "document.querySelector('p').textContent = said.slice(1).join(' · ');",
            f"opened(document.querySelector('main'), {{ kinds, ...{safe(given)} }});",
            "window.drawn = true;",
            "</script></body></html>",
        ]
    )


def safe(value: object) -> str:
    """JSON inside a script: a text that closes one must not."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
