"""Who somebody is, as far as sharing needs to know: one browser, however many tabs it has open.

A browser is known by a cookie that this server signed and gave it with a page. Whoever has none, or a forged one, is
nobody in particular at that address.
"""

import secrets
from collections.abc import Mapping
from ipaddress import ip_address, ip_network

import streamlit as st
from itsdangerous import BadData, URLSafeSerializer

from pages.shared.server.fair_queue import Who
from pages.shared.server.streamlit_inside import gone, this_session

__all__ = ["gone", "network", "new_cookie", "person", "signed", "this_person", "this_session", "this_visitor"]

COOKIE = "see_through_person"


def signer() -> URLSafeSerializer:
    return URLSafeSerializer(st.get_option("server.cookieSecret"), salt=COOKIE)


def new_cookie() -> str:
    """A person nobody was before, signed."""
    return str(signer().dumps(secrets.token_urlsafe(9)))


def signed(cookies: Mapping[str, str]) -> str:
    """Who this is; empty where we did not sign it."""
    try:
        return str(signer().loads(cookies.get(COOKIE, "")))
    except BadData:
        return ""


def person(cookies: Mapping[str, str], address: str | None) -> str:
    """One browser; of those that have no cookie of ours, one address. A class behind one address is many."""
    return signed(cookies) or f"at {network(address)}"


def network(address: str | None) -> str:
    """Whose address it is: with IPv6 whoever has one has 2⁶⁴."""
    try:
        ip = ip_address(address or "")
        return str(ip if ip.version == 4 else ip.ipv4_mapped or ip_network((ip, 64), strict=False))
    except ValueError:
        return address or ""


def this_person() -> str:
    """Whose page is being drawn."""
    return person(st.context.cookies, st.context.ip_address)


def this_visitor() -> Who:
    """The same, and where from: as a queue knows them."""
    return Who(network(st.context.ip_address), this_person())
