"""What may be set: one table, in code and in the README; what is wrong is refused at the start, in one sentence."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core import settings
from core.settings import ALL, CACHE, FRAME_ANCESTORS, MODELS, SettingError
from core.zoo import KNOWN

ROOT = Path(__file__).parents[2]
SOURCE_NAME = re.compile(r"\bSEETHROUGH_[A-Z_]+")


def test_what_is_said_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODELS.name, " poet ,/srv/mine,")
    monkeypatch.setenv(CACHE.name, "/srv/cache")
    monkeypatch.setenv(FRAME_ANCESTORS.name, "https://moodle.example.org, http://10.0.0.7:8080")
    assert MODELS() == ("poet", "/srv/mine") and CACHE() == Path("/srv/cache")
    assert FRAME_ANCESTORS() == ("https://moodle.example.org", "http://10.0.0.7:8080")
    settings.check()


def test_what_is_not_said_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in ALL:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/site/caches")
    assert MODELS() == tuple(id for id, source in KNOWN.items() if source.optional)
    assert CACHE() == Path("/home/site/caches/see-through") and FRAME_ANCESTORS() == ()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        (CACHE.name, "here/below", "absolute path"),
        (FRAME_ANCESTORS.name, "moodle.example.org", "https://"),
        (FRAME_ANCESTORS.name, "https://a.org; script-src *", "https://"),
        ("SEETHROUGH_MODLES", "poet", "no such setting, only SEETHROUGH_MODELS"),
    ],
)
def test_what_is_wrong_is_one_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=re.escape(f"{name} is '{value}'")) as wrong:
        settings.check()
    assert says in str(wrong.value) and "\n" not in str(wrong.value)


def test_the_site_does_not_start_with_a_wrong_one() -> None:
    set_wrong = {**os.environ, MODELS.name: "gpt5"}
    done = subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=set_wrong, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("SEETHROUGH_MODELS is 'gpt5' (gpt5 is no model")


def test_the_readme_has_the_table_in_both_languages() -> None:
    rows = re.findall(r"^\| `(SEETHROUGH_\w+)` \| (.*?) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    defaults = [(setting.name, f"`{setting.default}`") for setting in ALL if setting.default]
    assert [name for name, _ in rows] == 2 * [setting.name for setting in ALL]
    assert [row for row in rows if row[0] in dict(defaults)] == 2 * defaults


def test_no_setting_is_read_elsewhere() -> None:
    sources = [path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*.py")]
    said = {path.name for path in sources if SOURCE_NAME.search(path.read_text(encoding="utf-8"))}
    assert said <= {"settings.py", "gguf.py"}  # the other says which one helps
