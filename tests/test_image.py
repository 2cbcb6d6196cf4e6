"""The image's own steps without an engine: what .dockerignore lets through, compiled, read-only, run by a user who may
change nothing but /tmp, until the health check of the image is content."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.loadtest import free_port
from core import settings

ROOT = Path(__file__).parents[1]
IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
STEPS = re.findall(r"^RUN (.*)", IMAGE, re.M)
COMPILE = next(step for step in STEPS if "compileall" in step)
HEALTHY = re.search(r"^HEALTHCHECK .*? CMD (.*)", IMAGE, re.M)[1]  # type: ignore[index]
SERVE = re.search(r"^CMD (.*)", IMAGE, re.M)[1]  # type: ignore[index]
# root, where the tests are root, without the powers that a container does not have either
ORDINARY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] if os.geteuid() == 0 else []


def test_the_index_of_torch_is_chosen_as_in_the_makefile() -> None:
    """Named: that one alone. Empty: the usual one. Not named: the CPU's, unless it does not answer or lacks torch."""
    (step,) = [step for step in STEPS if "torch==" in step]
    (torch,) = re.findall("^torch==.*", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)
    stand_ins = 'pip() { echo "$*"; case "$*" in *refused*) return 1;; esac; }; python() { $ANSWERS; }; '
    for given, answers, installed in (
        ({}, "true", [f"install --no-deps --index-url https://download.pytorch.org/whl/cpu {torch}"]),
        ({}, "false", [f"install --no-deps {torch}"]),
        ({"TORCH_INDEX": ""}, "true", [f"install --no-deps {torch}"]),
        ({"TORCH_INDEX": "refused"}, "true", [f"install --no-deps --index-url refused {torch}"]),
    ):
        said = {"PATH": os.environ["PATH"], "ANSWERS": answers, **given}
        done = subprocess.run(["sh", "-c", stand_ins + step], cwd=ROOT, env=said, capture_output=True, text=True)
        assert done.stdout.splitlines() == installed and (done.returncode == 0) == ("refused" not in given.values())


@pytest.mark.thorough
def test_it_serves_read_only(tmp_path: Path) -> None:
    site = tmp_path / "site"
    shown = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"]
    for name in shown:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, site / name)
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PORT": str(free_port()),
        "HOME": "/nonexistent",
        settings.MODELS.name: "poet",  # the chat model's numbers are made in a step of their own
    }
    shell = {"shell": True, "cwd": site, "env": env}
    subprocess.run(COMPILE, check=True, **shell)
    subprocess.run(["chmod", "-R", "a-w", site], check=True)
    assert subprocess.run([*ORDINARY, "touch", site / "new"], capture_output=True).returncode
    with (tmp_path / "log").open("w") as log:
        serving = subprocess.Popen([*ORDINARY, "sh", "-c", SERVE], cwd=site, env=env, stdout=log, stderr=log)
        try:
            until = time.monotonic() + 90
            while subprocess.run(HEALTHY, capture_output=True, **shell).returncode:
                assert serving.poll() is None and time.monotonic() < until, (tmp_path / "log").read_text()
                time.sleep(0.2)
        finally:
            serving.terminate()
            serving.wait(20)
            subprocess.run(["chmod", "-R", "u+w", site], check=True)
    assert "Permission" not in (tmp_path / "log").read_text() and not list(site.glob("*.pid"))
