"""`croupier journal log` and `recall`: the past of a house, read from its journal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
import msgspec

from croupier.cli.options import json_option, open_journal
from croupier.cli.output import print_columns, print_json, tell
from croupier.journal.tables import Moment
from croupier.rules.cents import write_cents

if TYPE_CHECKING:
    from croupier.house.history.past_rounds import RoundInFull
    from croupier.house.history.significant_events import SignificantEvent
    from croupier.journal.store import Store

_PAGE = 1_000
_database = click.argument("database", metavar="DATABASE")


@click.command("log")
@_database
@click.option(
    "--kind", metavar="KIND", help="Only one kind, such as log_on, money or void."
)
@click.option("--refusals", is_flag=True, help="Only refusals, to Players as well.")
@click.option("--person", metavar="NAME", help="Only acts of this person or device.")
@click.option("--table", metavar="TABLE", help="Only events of this table.")
@click.option(
    "--round",
    "number",
    type=click.IntRange(min=1),
    help="Only this round of the table.",
)
@json_option
def log_command(
    database: str,
    *,
    kind: str | None,
    refusals: bool,
    person: str | None,
    table: str | None,
    number: int | None,
    as_json: bool,
) -> None:
    """Print the significant events of a house, without a server.

    Example: croupier journal log house.db --refusals --person Dana
    """
    if number is not None and table is None:
        raise click.UsageError("--round needs --table")
    kind = "authority" if refusals else kind
    with open_journal(database) as store:
        found = [
            each
            for each in _events(store, kind, table, of_players=refusals)
            if (person is None or _is_by(each, person))
            and (number is None or each.round == number)
            and (not refusals or each.event.endswith("Refused"))
        ]
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    rows = [
        (_time(e.at_ms), e.table or "", str(e.round or ""), e.by or "", e.text)
        for e in found
    ]
    print_columns(("time", "table", "round", "by", "event"), rows)
    tell(f"{len(found)} events, {sum(each.is_alarm for each in found)} of them alarms")


def _events(
    store: Store, kind: str | None, table: str | None, *, of_players: bool
) -> Iterator[SignificantEvent]:
    """Yield the events of one table, or of all streams."""
    from croupier.house.history.event_actions import SignificantKind
    from croupier.house.history.significant_events import read_log, read_moment

    kinds = {each.value: each for each in SignificantKind}
    if kind not in {None, *kinds}:
        raise click.UsageError(f"{kind} is none of the kinds {', '.join(kinds)}")
    if table is not None and store.head(table) is None:
        raise click.UsageError(f"the journal has no table {table}")
    place, has_more = Moment(0), True
    while has_more:
        page = read_log(
            store,
            place,
            kind=kinds.get(kind or ""),
            table=table,
            count=_PAGE,
            of_players=of_players,
        )
        yield from page.events
        place, has_more = read_moment(page.after), page.has_more


def _is_by(event: SignificantEvent, person: str) -> bool:
    named = [event.by, event.fields.get("name"), event.fields.get("device")]
    word = re.compile(rf"(?<!\w){re.escape(person)}(?!\w)")
    return any(isinstance(each, str) and word.search(each) for each in named)


@click.command("recall")
@_database
@click.argument("table", metavar="TABLE")
@click.argument("number", type=click.IntRange(min=1), metavar="ROUND")
@json_option
def recall_command(database: str, table: str, number: int, *, as_json: bool) -> None:
    """Print every event of a round, with its time, person and money.

    Example: croupier journal recall house.db "table 1" 12
    """
    from croupier.house.history.past_rounds import recall

    with open_journal(database) as store:
        found = recall(store, table, number)
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        _print_round(found)


def _print_round(found: RoundInFull) -> None:
    outcome = found.winning_number or found.phase.value
    click.echo(f"{found.table}, round {found.round}: {outcome}. {found.document}")
    if found.standing is not None:
        clause = f" ({found.standing.clause})" if found.standing.clause else ""
        click.echo(f"{found.standing.text}{clause}")
    rows = [
        (str(e.sequence), _time(e.at_ms), e.event, e.by or "", moved)
        for e in found.events
        for moved in [
            ", ".join(f"{x.account} {write_cents(x.cents)}" for x in e.entries)
        ]
    ]
    print_columns(("event", "time", "what", "by", "money"), rows)
    credit = [
        (seat, write_cents(before), write_cents(found.credit_after.get(seat, 0)))
        for seat, before in found.credit_before.items()
    ]
    if credit:
        print_columns(("seat", "credit before", "after"), credit)


def _time(at_ms: int) -> str:
    at = datetime.fromtimestamp(at_ms / 1_000, UTC)
    return at.strftime("%Y-%m-%d %H:%M:%SZ")
