"""The two operators whose documents we carry out."""

from croupier.rules.operator import Operator, Role

MBS = Operator(
    name="MBS",
    full_name="Marina Bay Sands Pte. Ltd.",
    ladder=(
        Role.DEALER,
        Role.PIT_SUPERVISOR,
        Role.PIT_MANAGER,
        Role.GAMING_SHIFT_MANAGER,
    ),
)
RWS = Operator(
    name="RWS",
    full_name="Resorts World at Sentosa Pte. Ltd.",
    ladder=(
        Role.DEALER,
        Role.PIT_SUPERVISOR,
        Role.PIT_MANAGER,
        Role.TABLE_GAMES_SHIFT_MANAGER,
    ),
)

DEALER = (Role.DEALER,)
PIT_SUPERVISOR = (Role.PIT_SUPERVISOR,)
PIT_MANAGER = (Role.PIT_MANAGER,)
GAMING_SHIFT_MANAGER = (Role.GAMING_SHIFT_MANAGER,)
TABLE_GAMES_SHIFT_MANAGER = (Role.TABLE_GAMES_SHIFT_MANAGER,)
PIT_STAFF = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)
