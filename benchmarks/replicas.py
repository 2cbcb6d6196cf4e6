"""Two processes of the site behind Debian's nginx, set up as deploy/nginx says, all on this machine."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.loadtest import ROOT, Server, free_port, serve

SETUP = ROOT / "deploy/nginx"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"


class Replicas:
    """Two of the site, each on its port."""

    def __init__(self, stack: ExitStack):
        self.stack, self.ports = stack, (free_port(), free_port())
        self.running: dict[int, tuple[Server, ExitStack]] = {}
        with ThreadPoolExecutor() as both:
            list(both.map(self.start, self.ports))
        for port in self.ports:
            self.ready(port)

    def start(self, port: int) -> None:
        alone = self.stack.enter_context(ExitStack())
        self.running[port] = alone.enter_context(serve(port=port)), alone

    def ready(self, port: int) -> None:
        while answer(f"http://127.0.0.1:{port}/ready")[0] != 200:
            time.sleep(0.1)

    def end(self, port: int, how: signal.Signals = signal.SIGTERM) -> None:
        server, alone = self.running.pop(port)
        os.kill(server.pid, how)
        alone.close()


def answer(url: str, **headers: str) -> tuple[int, dict[str, str]]:
    """Status and headers; 0 while nobody answers, as in a warm-up."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as said:
            return said.status, dict(said.headers)
    except urllib.error.HTTPError as refused:
        return refused.code, {}
    except OSError:
        return 0, {}


@contextmanager
def proxied(folder: Path, ports: tuple[int, int]) -> Iterator[str]:
    """nginx with the files of deploy/nginx and these ports, on this machine alone; its address."""
    assert NGINX, "no nginx on this machine (Debian: apt-get install nginx-light)"
    here = f"127.0.0.1:{free_port()}"
    changed = {"a:8501": f"127.0.0.1:{ports[0]}", "b:8502": f"127.0.0.1:{ports[1]}", "8080": here}
    changed |= {"8501": str(ports[0]), "8502": str(ports[1]), "/tmp/": f"{folder}/", "/dev/std": f"{folder}/std"}
    for path in SETUP.iterdir():
        text = re.sub("|".join(changed), lambda found: changed[found[0]], path.read_text(encoding="utf-8"))
        (folder / path.name).write_text(text, encoding="utf-8")
    command = [NGINX, "-c", folder / "nginx.conf", "-g", "daemon off;"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (folder / "nginx.pid").exists():
            assert process.poll() is None, (folder / "stderr").read_text()
            time.sleep(0.02)
        yield f"http://{here}"
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def replicated(folder: Path) -> Iterator[tuple[str, Replicas]]:
    """Both, with one secret: where nginx answers, and what stands behind it."""
    with ExitStack() as stack:
        before = os.environ.get(SECRET)
        os.environ[SECRET] = before or "one for both"
        try:
            replicas = Replicas(stack)
        finally:
            if before is None:
                del os.environ[SECRET]
        yield stack.enter_context(proxied(folder, replicas.ports)), replicas
