"""deploy/ and the image say of the site what is true of it: its ports, its routes, its settings; and what keeps a
container small stands in each of them."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from streamlit import config
from streamlit.web.server.starlette import starlette_routes

from core import settings
from pages.shared.server import warm_up

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PORT = int(re.search(r"\bPORT=(\d+)", IMAGE)[1])  # type: ignore[index]
ROUTES = {route.path for route in warm_up.routes()} | {f"/{starlette_routes.BASE_ROUTE_CORE}/health"}
OTHERS = {"PORT", "FORWARDED_ALLOW_IPS", "PYTHONDONTWRITEBYTECODE"}  # the image's, uvicorn's, Python's
KNOWN = OTHERS | {setting.name for setting in settings.ALL}
KNOWN |= {option.env_var for option in config._config_options_template.values()}


def read(name: str | Path) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((DEPLOY / name).read_text(encoding="utf-8")) if each]


def services(name: str) -> dict[str, dict[str, Any]]:
    """Of a compose file, with what they extend."""
    said = read(name)[0]["services"]
    base = [
        services(each["extends"]["file"])[each["extends"]["service"]] if "extends" in each else {}
        for each in said.values()
    ]
    return {
        id: {**old, **new, "environment": {**old.get("environment", {}), **new.get("environment", {})}}
        for (id, new), old in zip(said.items(), base, strict=True)
    }


OBJECTS = {
    (each["kind"], each["metadata"]["name"]): each for path in (DEPLOY / "kubernetes").iterdir() for each in read(path)
}
POD = OBJECTS["Deployment", "site"]["spec"]["template"]["spec"]
(SITE,) = POD["containers"]


def test_only_settings_that_exist_are_set() -> None:
    unit = (DEPLOY / "see-through.service").read_text(encoding="utf-8")
    said = {
        name
        for file in ("compose.yaml", "compose-300.yaml")
        for each in services(file).values()
        for name in each.get("environment", ())
    }
    said |= {each["name"] for each in SITE["env"]} | set(
        re.findall(r"\b([A-Z_]+)=", "".join(re.findall("^Environment=.*", unit, re.M)))
    )
    assert {"SEETHROUGH_MODELS", "SEETHROUGH_CACHE", "STREAMLIT_SERVER_COOKIE_SECRET"} <= said <= KNOWN


def test_ports_are_the_sites() -> None:
    assert services("compose.yaml")["site"]["ports"] == [f"${{PORT:-{PORT}}}:{PORT}"]
    assert (
        SITE["ports"] == [{"containerPort": PORT}]
        and f"--server.port {PORT}" in (DEPLOY / "see-through.service").read_text()
    )
    assert OBJECTS["Service", "site"]["spec"]["ports"][0]["targetPort"] == PORT
    assert OBJECTS["NetworkPolicy", "site"]["spec"]["ingress"][0]["ports"] == [{"port": PORT}]
    behind = {
        f"{name}:{each['environment']['PORT']}"
        for name, each in services("compose-300.yaml").items()
        if name not in ("nginx", "rooms")
    }
    assert behind == set(re.findall(r"server (\w+:\d+)", (DEPLOY / "nginx/replicas.conf").read_text()))


def test_what_is_asked_for_is_answered() -> None:
    probes = [SITE[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert [probe["path"] for probe in probes] == ["/ready", "/ready", "/_stcore/health"]
    asked = {probe["path"] for probe in probes} | set(re.findall(r"127\.0\.0\.1:\$PORT(/\w+)", IMAGE))
    assert asked <= ROUTES and {probe["port"] for probe in probes} == {PORT}


@pytest.mark.parametrize("name", ["site", "a", "b", "rooms", "nginx"])
def test_a_container_can_write_and_become_nothing(name: str) -> None:
    each = services("compose.yaml" if name == "site" else "compose-300.yaml")[name]
    assert each["read_only"] and each["cap_drop"] == ["ALL"] and each["security_opt"] == ["no-new-privileges:true"]
    assert each["tmpfs"][0].startswith("/tmp") and each["mem_limit"] and each["logging"]["options"]["max-size"]
    assert each["restart"] == "unless-stopped"


def test_a_pod_can_write_and_become_nothing_and_reaches_nobody() -> None:
    for spec in (
        POD,
        *(
            job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
            for (kind, _), job in OBJECTS.items()
            if kind == "CronJob"
        ),
    ):
        (container,) = spec["containers"]
        inside, limits = container["securityContext"], container["resources"]
        assert spec["securityContext"]["runAsNonRoot"] and inside["readOnlyRootFilesystem"]
        assert inside["capabilities"] == {"drop": ["ALL"]} and not inside["allowPrivilegeEscalation"]
        assert limits["requests"] == limits["limits"]
    policy = OBJECTS["NetworkPolicy", "site"]["spec"]
    assert policy["egress"] == [] and "Egress" in policy["policyTypes"]
    assert POD["volumes"][0]["emptyDir"] and SITE["volumeMounts"][0]["mountPath"] == "/tmp"
    assert f"--uid {POD['securityContext']['runAsUser']} " in IMAGE


def test_a_new_version_comes_before_the_old_one_goes() -> None:
    deployment = OBJECTS["Deployment", "site"]["spec"]
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    app = deployment["template"]["metadata"]["labels"]
    chosen = [deployment["selector"], OBJECTS["PodDisruptionBudget", "site"]["spec"]["selector"]]
    chosen += [OBJECTS["NetworkPolicy", "site"]["spec"]["podSelector"]]
    assert [each["matchLabels"] for each in chosen] == [app] * 3 and OBJECTS["Service", "site"]["spec"][
        "selector"
    ] == app
    said = OBJECTS["Ingress", "site"]["metadata"]["annotations"]
    assert said["nginx.ingress.kubernetes.io/affinity"] == "cookie" and not POD["enableServiceLinks"]
