"""The reasons of the house for refusals and ends."""

from __future__ import annotations

from enum import unique

from croupier.rules.reasons import ReasonCode


@unique
class HouseReason(ReasonCode):
    """A reason of the house for a refusal, or for an end."""

    # Rights.
    MAY_NOT = "{person} may not {act}"
    NO_POSITION_HERE = "{person} has no position at this table"
    IS_NOT_IN_POSITION = "{person} is not {position}"
    NOT_ON_STAFF = "{person} is not on the staff"
    NOT_A_DEALER = "{person} is not a Dealer"
    NOT_DEALING_AT = "{person} does not deal at {table}"
    TABLE_HAS_DEALER = (
        "{dealer} deals at {table}: they must leave, or a supervisor relieves them"
    )
    NOT_THE_DEALER_OF = "{person} is not the Dealer of {table}"
    LOG_ON_FIRST = "log on first"
    DEVICE_OR_SESSION_NEEDED = "a device's token or a session is needed"
    NOTICES_FOR_STAFF = "notices are for the staff to answer"
    ONLY_KIND_DOES = "only a {kind} does that"
    ONLY_SEAT_DOES = "only a terminal's seat does that"
    CREDIT_STAKED_AT_TERMINAL = "a Player's credit is staked at their terminal"
    REASON_MISSING = "this needs a reason"

    # Staff, their passwords and sessions.
    NEEDS_POSITION_OR_DUTY = "{name} needs a position or a duty"
    NO_SUCH_POSITION = "that is no position of the documents"
    NEVER_TOGETHER = "one person can't be both {one} and {other} in this house"
    AT_THE_MACHINE = "{what}: this changes only at the machine; apply the file there"
    CHANGE_TAKES_TWO = (
        "{what}: this change takes two people; propose the file for a second one to"
        " confirm"
    )
    NOTHING_FOR_TWO = "nothing in this file takes two people: apply it"
    STAFF_TAKES_TWO = (
        "new rights for {name} take two people who manage staff: propose them"
    )
    NOBODY_CHANGES_THEMSELVES = "you can't change your own positions and duties"
    NOBODY_FILES_THEIR_OWN = "another manager must file your own training"
    NOBODY_REMOVES_THEMSELVES = "you can't remove yourself"
    NOT_LOCKED = "{name} is not locked"
    ASSIGNS_ABOVE_OWN = "{person} can't assign a position above their own"
    NOBODY_ASSIGNS_THEMSELVES = "you can't assign yourself"
    CANNOT_ACT_IN = "{name} can't act in {position}"
    ASSIGNMENT_TOO_LONG = "an assignment ends after it starts, within 31 days"
    DOES_NOT_ACT_IN = "{name} does not act in {position}"
    PASSWORD_LENGTH = "a password has from {low} to {high} characters"
    PASSWORD_COMMON = "this password is easily guessed: choose another"
    ACCOUNT_LIMITED = (
        "others have set the account of {person}: choose a password of your own,"
        " beside a manager who vouches for you"
    )
    NOT_LIMITED = "{person} has a password of their own: sign in with it"
    HAD_A_PART = (
        "{person} can't vouch for {owner}: it takes a manager who took no part in"
        " setting the account, and whose own account was not limited meanwhile"
    )
    OWN_PASSWORD_WITH_OLD = "change your own password by giving the current one"
    PASSWORD_AS_BEFORE = "this is the current password: choose another"
    ACCOUNT_LOCKED = "the account was locked"
    WRONG_PASSWORD = (
        "the name or the password is wrong, or the account is locked for a while"
    )
    CODE_NEEDED = "a code of your second factor is needed as well"
    WRONG_CODE = "the code is wrong, or has been used: wait for the next one"
    NO_SECOND_FACTOR = "{person} has no second factor: enrol one first"
    NO_ENROLMENT = "no second factor is being enrolled, or it expired: begin again"
    FACTOR_KEY_NOT_GIVEN = "the house was started without the key of its second factors"
    FACTOR_NOT_READABLE = (
        "the second factor of {person} can't be read any more:"
        " reset it at the machine of the house"
    )
    NOBODY_LOGGED_ON = "no session has this token: log on"
    SESSION_ENDED = "the session has ended: log on again"
    IDLE_TOO_LONG = "idle for too long"
    LOGGED_OFF = "logged off"
    LOGGED_OFF_BY = "logged off by {person}"
    NO_SUCH_SESSION = "there is no such session: it may have ended"
    SESSION_OF_ANOTHER_DEVICE = "this session was opened at another device: log on here"

    # Devices.
    EVERY_SEAT_TAKEN = "every seat is taken"
    SEATS_HAVE_TERMINALS = "{table} has {count} seats, and a terminal at each"
    DEVICE_EXISTS = "there is a device {name} already: revoke it first"
    NAME_NOT_PRINTABLE = "{name} is not a name: up to 40 printable characters"
    NAME_WITH_MARKS = "{name} is not a name: it holds a / or : or @"
    NAME_MIXES_ALPHABETS = "{name} is not a name: it mixes alphabets that look alike"
    NAME_OF_THE_HOUSE = "{name} is not a name: the house itself acts under it"
    DEVICE_NEEDS_TABLE = "a {kind} belongs to a table of the house"
    MIRROR_AT_MACHINE = "a mirror is paired at the machine: croupier house mirror"
    STATION_WITHOUT_TABLE = "a station belongs to no table"
    PAIRING_CODE_WRONG = "the pairing code is unknown, used, or too old"
    NO_SUCH_DEVICE = "there is no device {name}"
    NO_DEVICE_OF_TOKEN = "no device is enrolled with this token"
    DEVICE_REVOKED = "the device was revoked"
    NO_SUCH_SEAT = "{table} has no seat {name}: no terminal or Player of that name"
    NO_SUCH_TERMINAL = "{table} has no terminal {name}"
    CONNECTED_ELSEWHERE = "{name} is open in another window, so this one has stopped"
    DEVICE_OF_ANOTHER_TABLE = "{name} belongs to another table"

    # Players.
    NO_SUCH_PLAYER = "there is no Player {name}"
    NAME_TAKEN = "the name {name} is taken"
    NAME_LOOKS_LIKE = "the name {name} looks like {other}, which is taken"
    PIN_LENGTH = "a PIN has from {low} to 64 characters"
    PIN_COMMON = "this PIN is easily guessed: neither one digit nor a run of them"
    WRONG_PIN = "the name or the PIN is wrong, or locked for a while"
    TOO_MANY_ATTEMPTS = "too many attempts at this terminal: wait {seconds} s"
    LIMIT_NOT_AN_AMOUNT = "a limit is whole cents above zero"
    LIMIT_RAISED_BY_STAFF = "only the staff can raise a limit"
    EXCLUSION_NOT_SHORTER = "an exclusion must end later than now and than the last one"
    EXCLUSION_TOO_LONG = "an exclusion is for {years} years at most"
    PLAYER_EXCLUDED = "{player} is excluded from play"
    SITS_ALREADY = "{player} sits at {table} already"
    SEAT_IS_TAKEN = "{player} sits at {terminal}"
    COLLECT_FIRST = "collect the credit of this seat first"
    STILL_IN_PLAY = "the round is still in play"
    FAVOURITE_TOO_LARGE = "a favourite holds up to {count} wagers"
    TOO_MANY_FAVOURITES = "a Player keeps up to {count} favourites"
    NOT_WAGER_AT_CENTS = "{text} is not WAGER@CENTS"
    STAKE_LIMIT = "{player} stakes at most {limit_cents} in a round"
    LOSS_LIMIT = "{player} loses at most {limit_cents} in a gaming day"
    DEPOSIT_LIMIT = "{player} buys in for at most {limit_cents} in a gaming day"

    # Acts of two people.
    TOO_MANY_PROPOSALS = "{count} proposals are waiting already"
    NEVER_THE_SAME_TWICE = "another person must confirm your proposal"
    PROPOSER_WAS_SET = "the account of {person} was set by others"
    PROPOSAL_OUTDATED = "its effect has changed since it was proposed: propose it again"
    CONFIRMED_WITHOUT_AUTHORITY = "may not confirm it: {reason}"
    CONFIRMED_AND_UNSURE = (
        "{person} has confirmed it, but it may not be done yet: {person} must confirm"
        " it again"
    )
    NO_SUCH_PROPOSAL = "no proposal {number} is waiting"
    VOID_BY_TWO = "rounds are voided by two people: propose it"
    REFUSED_BY_TABLE = "refused: {reason}"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"

    # The house, its tables and files.
    NO_SUCH_TABLE = "there is no table {name}"
    NO_HOUSE_YET = "this journal has no house yet"
    HOUSE_FILE_NEEDED = "this journal has no house yet: give it a house file"
    HOUSE_IS_THERE = "there is a house in this journal already"
    TABLE_HAS_MONEY = "{table} can't be retired: Players have money there"
    NO_RULES_FILE = "no rules file is attached to {table}"
    RULES_FILE_ELSEWHERE = "{name} is not below the folder of the house file"
    RULES_FILE_CHANGED = "the rules file is not the one that was attached"
    FILE_UNREADABLE = "{name} can't be read: {text}"
    FILE_TOO_LARGE = "{name} is larger than {size} bytes"
    DAY_STILL_RUNS = (
        "the gaming day {day} is not over: ask for an early close; what follows then"
        " counts for the next day"
    )
    NO_SUCH_DAY = "there is no day {day}"
    NOTHING_TO_ACKNOWLEDGE = "event {sequence} is nothing to acknowledge"
    NO_PLACE_IN_LOG = "{text} is no place in the log"
    STOPPED = "stopped"
    READ_ONLY = (
        "the house is open for reading only, because its journal does not verify"
        " ({finding}): restore a backup that does"
    )
    NOT_APPROVED = (
        "the house is open for reading only, because its software is not approved"
        " ({problem}): install a version that is"
    )
    KEY_IS_REVOKED = "the key {key} is revoked: what it signs is no proof"
    KEY_NOT_TAKEN = (
        "the house does not sign with the key {key}: croupier journal keys lists its"
        " keys, croupier journal rotate-key changes to a new one"
    )
    KEY_USED_BEFORE = "the house has signed with the key {key} before: make a new one"
    KEY_REVOKES_ITSELF = "{key} can't vouch for its own revocation: rotate it first"
    NO_SUCH_KEY = "the house has no key {key}: croupier journal keys lists them"
    JOURNAL_DISK_FULL = "disk full: make room on the disk of the journal"
    JOURNAL_SERVER_AWAY = "its database does not answer: see to it"
    JOURNAL_SERVER_REPLACED = (
        "its database server was replaced: start the one that was promoted, and stop"
        " the other"
    )
    JOURNAL_FAILING = "its database fails: the log of the house says how"

    # At the table: notices, sensors, lights, messages.
    LIGHTS_NOT_CONFIRMED = "not every Bonus Number is confirmed lit"
    NO_FACT_OF_SPIN = "{text} is no fact of a spin"
    MESSAGE_UNREADABLE = "the message can't be read: {text}"
    TABLE_UNAVAILABLE = "the table can't take anything just now"
    OUTCOME_UNKNOWN = (
        "it is not known yet if this was recorded: send it again, under the same id"
    )
    ID_USED_BEFORE = "this id has been used for another command"
    REFUSED_TOO_OFTEN = "too many commands were refused: try again in {seconds} s"
    HELLO_ONCE = "hello is sent once"
    WAGERS_NOT_ACTS = "a terminal sends its wagers as wagers, not as an act"
    NOT_KEYED = "{number} has not been keyed: key it, then confirm it"
    NO_SUCH_NOTICE = "there is no notice {notice}"
    NOTICE_BEING_ANSWERED = "notice {notice} is being answered"
    HOUSE_STOPPING = "the house is stopping"
    TABLE_GONE = "the table is gone"
    TABLE_MOVES = "the table moves to another node of the house"
    TABLE_NOT_TAKEN = "no node serves {name} just now: it is being taken over"
    NODE_CUT_OFF = "this node of the house is cut off from its database"
    NODE_CLOCK_OFF = (
        "the clock of the node {name} is {seconds} s off the database's: it serves no"
        " tables"
    )
    NODE_BEHIND = (
        "this node of the house is behind the other nodes: send it again shortly"
    )
    ASKS_TO_BUY_IN = "{seat} asks to buy in"
    SENSOR_SPIN = "the sensor reports a spin"
    SENSOR_REST_BEFORE_SPIN = (
        "the sensor reports a rest in {number}, but no spin of this round"
    )
    SENSOR_AT_REST = "the sensor reports the ball at rest in {number}"
    NOT_REPORTED_LIT = "{number} is not reported lit"
