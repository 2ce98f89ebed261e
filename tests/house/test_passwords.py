"""Passwords and PINs that everybody tries first are not taken."""

from __future__ import annotations

import pytest

from croupier.house.people.passwords import check_password, check_pin
from croupier.house.records.house_record import NotDone


@pytest.mark.parametrize(
    "password",
    [
        "short",
        "x" * 201,
        "aaaaaaaaaaaa",
        "abababababab",
        "1234567890",
        "0987654321",
        "123456789012",
        "password123",
        "Password2026!",
        "P@ssw0rd12345",
        "passwordpassword",
        "letmein12345",
        "qwertyuiop",
        "qwertyuiop123",
        "poiuytrewq",
        "abcdefghijkl",
        "roulette2026",
        "Croupier!!!!",
        "Mira2026!!",
        "mira-mira-1",
        "the big house 1",
        "1234567890a",
        "1qaz2wsx3edc",
        "zaq12wsxcde",
        "qazwsxedcrfv",
        "qweasdzxc123",
        "manchester",
        "christopher",
        "jonathan12",
        "september1",
        "november11",
        "woaini1314",
        "iloveyoubaby",
        "dragon-monkey-99",
        "Michael1985",
        "passwordpasswordpasswordpassword",
        "password monkey password monkey dragon password",
        "Password1 Password2 Password3 Password4",
        "aaaabbbbccccdddd",
        "na4K" * 49,
        "abcabcabcabcxyz",
    ],
)
def test_an_easy_password_is_refused(password: str) -> None:
    with pytest.raises(NotDone):
        check_password(password, "Mira", "The Big House")


@pytest.mark.parametrize(
    "password",
    [
        "demonstration",
        "correct horse battery staple",
        "seventeen black",
        "x9!kq2-zzp",
        "密码是十二个汉字长的一句",
        "wheel of fortune",
        "monkey dragon sunshine purple",
        "twelve letters " + "and 4 digits " * 14,
        "three aaa batteries",
    ],
)
def test_a_password_of_ones_own_is_taken(password: str) -> None:
    check_password(password, "Mira", "The Big House")


@pytest.mark.parametrize(
    "pin", ["1", "123", "0000", "7777", "1234", "4321", "0123", "7890", "x" * 65]
)
def test_an_easy_pin_is_refused(pin: str) -> None:
    with pytest.raises(NotDone):
        check_pin(pin)


@pytest.mark.parametrize("pin", ["2468", "1243", "8675309", "0001", "a b c d"])
def test_another_pin_is_taken(pin: str) -> None:
    check_pin(pin)
