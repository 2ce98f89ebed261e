"""Codes of vouchers: eighty bits that nobody can guess."""

from base64 import b32encode

from croupier.chance import Entropy


def new_code(entropy: Entropy) -> str:
    """Sixteen letters and digits, each equally likely."""
    return b32encode(entropy.read(10)).decode()
