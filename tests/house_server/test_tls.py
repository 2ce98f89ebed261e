"""The server's own TLS: forward secrecy, or no connection."""

from __future__ import annotations

import asyncio
import datetime as dt
import http.client
import json
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from croupier.house.configuration.setup import DEMONSTRATION_PASSWORD
from croupier.protocol.client import HouseClient, connect
from croupier.protocol.errors import HouseUnreachable
from tests.house_server.own_ca import OwnCa
from tests.house_server.server import new_database, prepare_house

WEAK = (
    "AES128-GCM-SHA256:AES256-GCM-SHA384:AES256-SHA",
    "ECDHE-RSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256",
)
"""Without forward secrecy; with it, but without authenticated encryption."""
LOCALHOST = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])


def certificate(folder: Path) -> tuple[str, str]:
    """Write an RSA certificate, which works with every kind of key exchange."""
    key = rsa.generate_private_key(65_537, 2048)
    made = (
        x509.CertificateBuilder()
        .subject_name(LOCALHOST)
        .issuer_name(LOCALHOST)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
        .sign(key, hashes.SHA256())
    )
    files = folder / "tls.pem", folder / "tls.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(files[0]), str(files[1])


def health(address: str, context: ssl.SSLContext) -> int:
    host = address.removeprefix("https://")
    line = http.client.HTTPSConnection(host, context=context, timeout=10)
    try:
        line.request("GET", "/health")
        return line.getresponse().status
    finally:
        line.close()


def asked(
    address: str, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, list[str], bytes]:
    """Return the status, the cookies and the body of an answer."""
    host = address.removeprefix("https://")
    line = http.client.HTTPSConnection(host, context=client(), timeout=10)
    content = None if body is None else json.dumps(body)
    try:
        named = {"Content-Type": "application/json", **headers}
        line.request(method, path, content, named)
        answer = line.getresponse()
        cookies = answer.headers.get_all("Set-Cookie") or []
        return answer.status, cookies, answer.read()
    finally:
        line.close()


def client() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def test_nothing_weaker_than_forward_secrecy_is_spoken(tmp_path: Path) -> None:
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path)
    pem, key = certificate(tmp_path)
    newest, older = client(), client()
    older.maximum_version = ssl.TLSVersion.TLSv1_2

    elsewhere = ("--allowed-host", "casino.example")
    house.start("--tls-certificate", pem, "--tls-key", key, *elsewhere)
    try:
        assert asked(house.address, "GET", "/api/house")[0] == 400
        assert health(house.address, newest) == 200  # the address on the machine itself
        assert health(house.address, older) == 200
        for ciphers in WEAK:
            older.set_ciphers(ciphers)
            with pytest.raises(ssl.SSLError):
                health(house.address, older)
    finally:
        house.stop()


def test_cookies_over_tls_are_of_this_host_alone(tmp_path: Path) -> None:
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path)
    pem, key = certificate(tmp_path)
    console = house.devices["console-v3"]
    body = {"name": "Dana", "password": DEMONSTRATION_PASSWORD, "device": console}

    house.start("--tls-certificate", pem, "--tls-key", key)
    try:
        _, cookies, answer = asked(house.address, "POST", "/api/log-on", body)
        session = f"croupier_session={json.loads(answer)['token']}"
        device = f"croupier_device={console}"
        given = (
            f"__Host-{session}; __Host-{device}",
            f"__Host-{session}",
            f"__Host-{session}; {device}",
            f"{session}; {device}",
        )
        statuses = [
            asked(house.address, "GET", "/api/me", Cookie=each)[0] for each in given
        ]
    finally:
        house.stop()

    assert [each.partition("=")[0] for each in cookies] == [
        "__Host-croupier_session",
        "__Host-croupier_csrf",
        "__Host-croupier_device",
    ]
    assert all("Secure" in each and "Path=/" in each for each in cookies)
    assert not any("Domain" in each for each in cookies)
    assert statuses == [200, 401, 401, 401]


def test_a_client_trusts_the_authority_that_its_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path)
    house.start(*OwnCa.make(tmp_path).options)
    tokens = house.devices

    async def visit() -> str:
        client = HouseClient(house.address)
        at = tokens["console-v3"]
        await client.log_on("Dana", DEMONSTRATION_PASSWORD, device=at)
        async with connect(house.address, "v3", device=tokens["board-v3"]) as table:
            return table.view.table

    try:
        with pytest.raises(HouseUnreachable, match="certificate"):
            asyncio.run(visit())
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert asyncio.run(visit()) == "v3"
    finally:
        house.stop()
