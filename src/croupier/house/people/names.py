"""Names of devices, Players and staff: one namespace without look-alikes.

Credit at a table is kept under the name of a Player or a terminal. A person with the
same name, or one that looks the same, could take that credit.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from unicodedata import name as letter_name
from unicodedata import normalize

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.house.records.house_state import HouseState
from croupier.rules.notation import shown

_LOOK_ALIKES = str.maketrans(
    # digits, the bar and the capital I
    "01I|"
    # Cyrillic, small and capital
    "авеёзіјкмнорстухһԁԛԝѕАВЕЁЗІЈКМНОРСТУХҺԀԚԜЅ"
    "гбиьпүӏѵԍѡэГБИЬПҮӀѴԌѠЭ"
    # Greek, small and capital
    "αβγεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "ηωσς",
    "olllabee3ijkmhopctyxhdqwsabee3ljkmhopctyxhdqws"
    "r6ubnylvgw3r6ubnylvgw3"
    "abyeiknoptyxabezhlkmnoptyx"
    "nwoc",
)
_ALIKE_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""First words of Unicode letter names: a name uses at most one of these alphabets."""


@lru_cache(maxsize=100_000)
def skeletons(name: str) -> frozenset[str]:
    """Return the forms for comparing a name: folded, and with look-alikes replaced."""
    plain = "".join(normalize("NFKC", name).split())
    read = normalize("NFKD", plain.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)
    return frozenset({plain.casefold(), read.casefold()})


_OF_THE_HOUSE = frozenset().union(
    *map(
        skeletons,
        (
            *("system", "house", "house file", "RNG", "demonstration"),
            *("automatic dealer", "virtual wheel"),
        ),
    )
)
"""Names in the journal for acts of no person."""


def check_name(name: str) -> None:
    """Raise `NotDone` for an invalid name."""
    if not 0 < len(name.strip()) == len(name) <= 40 or not name.isprintable():
        raise NotDone(HouseReason.NAME_NOT_PRINTABLE(name=shown(name)))
    if set(name) & set("/:@"):
        raise NotDone(HouseReason.NAME_WITH_MARKS(name=shown(name)))
    letters = (letter_name(each, "").split(" ")[0] for each in normalize("NFKC", name))
    if len(_ALIKE_ALPHABETS.intersection(letters)) > 1:
        raise NotDone(HouseReason.NAME_MIXES_ALPHABETS(name=shown(name)))
    if skeletons(name) & _OF_THE_HOUSE:
        raise NotDone(HouseReason.NAME_OF_THE_HOUSE(name=shown(name)))


def check_new_name(state: HouseState, name: str) -> None:
    """Raise `NotDone` for an invalid name, or one that looks like another."""
    check_name(name)
    wanted = skeletons(name)
    for other in chain(state.staff, state.players, state.devices):
        if other == name:
            raise NotDone(HouseReason.NAME_TAKEN(name=shown(name)))
        if wanted & skeletons(other):
            raise NotDone(
                HouseReason.NAME_LOOKS_LIKE(name=shown(name), other=shown(other))
            )
