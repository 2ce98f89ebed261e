"""Two-person acts: commands that wait in the journal for their second person."""

from __future__ import annotations

from croupier.journal.events.plan import Duty, HouseSettings, TablePlan
from croupier.ledger.commands import Adjust, Payment
from croupier.rules.commands import (
    AnswerReport,
    ByTwo,
    CorrectBall,
    CorrectBonusNumbers,
    CorrectOutcome,
    VoidRounds,
)
from croupier.rules.operator import Role


class StaffDefinition(ByTwo, frozen=True, tag="staff"):
    """A person joins the staff, or holds these positions and duties from now on."""

    name: str
    positions: tuple[Role, ...] = ()
    duties: tuple[Duty, ...] = ()
    digest: str | None = None
    """The digest of the hash of a new account's temporary password, if it has one."""

    def __str__(self) -> str:
        held = [each.value for each in (*self.positions, *self.duties)]
        return f"define {self.name} as {', '.join(held)}"


class HouseChange(ByTwo, frozen=True, tag="house"):
    """The house has these settings and tables from now on."""

    house: HouseSettings
    tables: tuple[TablePlan, ...]
    """All tables of the house."""
    changes: tuple[str, ...]
    """Each changed fact with its old and new value, as the proposal saw it."""

    def __str__(self) -> str:
        return "; ".join(self.changes)


class PasswordSetting(ByTwo, frozen=True, tag="password"):
    """A member of staff has this temporary password from now on."""

    name: str
    digest: str | None
    """The digest of the password's stored hash; None when the act is shown."""

    def __str__(self) -> str:
        return f"set the password of {self.name}"


Correction = CorrectOutcome | CorrectBall | CorrectBonusNumbers | AnswerReport
TwoPersonCommand = Correction | VoidRounds | Adjust | Payment
"""Commands to a table that one person proposes and another confirms."""
StaffAct = StaffDefinition | PasswordSetting
"""Acts of two people who manage staff, in the house itself."""
ProposedAct = TwoPersonCommand | StaffAct | HouseChange
"""Acts that wait for a second person, at a table or in the house itself."""
