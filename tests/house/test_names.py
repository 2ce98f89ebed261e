"""Names of devices, Players and staff are one space, compared as they are read."""

from __future__ import annotations

import pytest

from croupier.house.people.names import check_new_name, skeletons
from croupier.house.records.house_record import NotDone
from croupier.house.records.house_state import HouseState, Player

ALIKE = [
    ("Anna", "anna"),
    ("Anna", "ANNA"),
    ("Anna", "\u0410nna"),  # Cyrillic A
    ("Anna", "\uff21nna"),  # full width
    ("Ilse", "llse"),
    ("Ilse", "1lse"),
    ("Ilse", "ilse"),
    ("T10", "T1O"),
    ("T10", "Tl0"),
    ("Hope", "\u041d\u043e\u0440\u0435"),  # Cyrillic throughout
    ("Anna Lee", "Anna\u2003Lee"),
    ("T1", "T 1"),
    ("Anna Lee", "AnnaLee"),
    ("run", "\u0433\u0438\u043f"),  # Cyrillic throughout
    ("\u0391\u0392\u0395", "ABE"),  # Greek capitals
    ("José", "Jose\u0301"),
    ("李明", "李明"),
]
APART = [
    ("Anna", "Hanna"),
    ("Lia", "Ila"),
    ("Arno", "Amo"),
    ("T1", "T2"),
    ("T10", "T100"),
    ("José", "Jose"),
    ("கி", "கு"),  # Tamil vowel signs
    ("李明", "李民"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_are_read_alike_have_a_skeleton_in_common(
    name: str, other: str
) -> None:
    assert skeletons(name) & skeletons(other)


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_are_told_apart_have_none(name: str, other: str) -> None:
    assert not skeletons(name) & skeletons(other)


@pytest.mark.parametrize(
    "name", ["\u0410nna", "Se\u0430n", "\u03a1aul", "\u0561nna", "\u13aanna"]
)
def test_a_name_mixes_no_alphabets_that_look_alike(name: str) -> None:
    with pytest.raises(NotDone, match="mixes alphabets"):
        check_new_name(HouseState(), name)


@pytest.mark.parametrize(
    "name", ["Anna", "\u0410\u043d\u043d\u0430", "李明 Lee", "கி 1"]
)
def test_a_name_is_of_any_alphabet(name: str) -> None:
    check_new_name(HouseState(), name)


def test_a_new_name_must_not_be_taken() -> None:
    state = HouseState(players={"Anna": Player("Anna")})

    check_new_name(state, "Ben")
    with pytest.raises(NotDone, match="the name 'Anna' is taken"):
        check_new_name(state, "Anna")
    with pytest.raises(NotDone, match="looks like 'Anna'"):
        check_new_name(state, "an na")
    with pytest.raises(NotDone):
        check_new_name(state, "An:na")


@pytest.mark.parametrize("name", ["system", "House", "hOuse file", "rng", "h0use"])
def test_names_of_the_house_itself_are_refused(name: str) -> None:
    with pytest.raises(NotDone, match="the house itself acts under it"):
        check_new_name(HouseState(), name)
