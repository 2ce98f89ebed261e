"""A certificate authority of the tests, and nodes whose machine trusts it."""

from __future__ import annotations

import datetime as dt
import os
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_CA_FILE = "ca.pem"
_FROM = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
_UNTIL = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
_SIGNS = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True, slots=True)
class OwnCa:
    """The authority's certificate and one of this machine, as files in a folder."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> OwnCa:
        """Sign a certificate of this machine's own address.

        From 3.13 on, Python trusts only certificates that meet all of RFC 5280.
        """
        signing, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        authority, machine = _name("An authority"), _name("A machine")
        own = (
            _certificate(authority, authority, signing.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_SIGNS, critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(signing.public_key()),
                critical=False,
            )
            .sign(signing, hashes.SHA256())
        )
        address = x509.IPAddress(ip_address("127.0.0.1"))
        signed = (
            _certificate(machine, authority, key.public_key())
            .add_extension(x509.SubjectAlternativeName([address]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(
                    signing.public_key()
                ),
                critical=False,
            )
            .sign(signing, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        (folder / _CA_FILE).write_bytes(own.public_bytes(pem))
        (folder / "tls.pem").write_bytes(signed.public_bytes(pem))
        (folder / "tls.key").write_bytes(
            key.private_bytes(
                pem,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return cls(folder)

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which a server uses the machine's certificate."""
        pem, key = self.folder / "tls.pem", self.folder / "tls.key"
        return "--tls-certificate", str(pem), "--tls-key", str(key)

    def trusting(self) -> ssl.SSLContext:
        """Return a client's context that trusts this authority only."""
        return ssl.create_default_context(cafile=str(self.folder / _CA_FILE))


def install_hooks(folder: Path) -> None:
    """Have a node's machine trust the authority of the folder above the node's."""
    os.environ["SSL_CERT_FILE"] = str(folder.parent / _CA_FILE)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
    )
