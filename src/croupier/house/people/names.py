"""Names of devices, Players and staff: one space, in which none looks like another.

Credit at a table is kept by name, of a Player or of a terminal: who could take the name
of another, or one that is read as it, could take the credit.
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
    # digits, a sign and the capital that is drawn as a stroke
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
"""By the first word of their letters' names; a name holds letters of one of them."""


@lru_cache(maxsize=100_000)
def skeletons(name: str) -> frozenset[str]:
    """Return the forms a name is compared by: without case and spaces, and as read."""
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
"""Who stands in the journal for what nobody did: nobody else is named so."""


def check_name(name: str) -> None:
    """Raise `NotDone` unless it may be a name: printable, short, without marks."""
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
    """Raise `NotDone` unless it may be a name, and no other is read as it."""
    check_name(name)
    wanted = skeletons(name)
    for other in chain(state.staff, state.players, state.devices):
        if other == name:
            raise NotDone(HouseReason.NAME_TAKEN(name=shown(name)))
        if wanted & skeletons(other):
            raise NotDone(
                HouseReason.NAME_LOOKS_LIKE(name=shown(name), other=shown(other))
            )
