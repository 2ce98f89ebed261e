"""The reasons of the server for refusing a request."""

from __future__ import annotations

from enum import unique

from croupier.rules.reasons import ReasonCode


@unique
class WebReason(ReasonCode):
    """A reason of the server for refusing a request."""

    NOTHING_HERE = "there is nothing here"
    METHOD_NOT_ALLOWED = "{method} is not allowed here"
    SERVER_FAILED = "the server failed; ask for request {request} in its log"
    JOURNAL_NOT_WRITABLE_NOW = (
        "the journal can't be written just now, for {seconds} seconds ({why}):"
        " send it again, it is not done twice"
    )
    JOURNAL_NOT_WRITABLE = (
        "the journal can't be written, for {seconds} seconds ({why}): the house goes"
        " on by itself once it can"
    )
    TABLE_TAKES_NOTHING = "the table {table} takes no commands just now"
    NO_RECEIPT = "round {round} has no receipt of this seat yet"
    VERIFICATION_RUNNING = "a verification is running already"

    PATH_NOT_TEXT = "the path is not UTF-8 text"
    NO_SUCH_PARAMETER = "there is no parameter {name}"
    PARAMETER_NOT_RIGHT = "the parameter {name} is not right: {why}"
    BODY_MISSING = "the body is missing"
    BODY_NOT_JSON_TYPE = "the body must be application/json"
    BODY_NOT_JSON = "the body is not JSON: {why}"
    NO_SUCH_QUESTION = "{why}"
    BODY_NOT_RIGHT = "the body is not right: {why}"
    BODY_TOO_DEEP = "the body is nested too deeply"
    BODY_LENGTH_NOT_NUMBER = "the length of the body is not a number"
    LENGTH_AND_CHUNKS = "a body has a length or comes in chunks, not both"
    BODY_TOO_LARGE = "a body has at most {count} bytes"
    BODY_TOO_SLOW = "the body did not come within {seconds} seconds"

    PATH_TOO_LONG = "a path has at most {count} bytes, with its query"
    HEADERS_TOO_LARGE = "the headers have at most {count} bytes together"
    HEADER_GIVEN_TWICE = "the header {header} is given more than once"
    HEADER_MISSING_OR_WRONG = "the header {header} is missing or wrong"
    NOT_THIS_HOST = "the server does not answer for this host"
    TOO_MANY_REQUESTS = "too many requests; ask again in {count} seconds"
    OTHER_ORIGIN = "a page of another origin may not ask for this"
    ORIGIN_MISSING = "a browser must say which origin it asks from"

    HELLO_FIRST = "the first message is hello"
    NOBODY_SAID_HELLO = "no hello was received"
    MESSAGES_ARE_TEXT = "messages are text frames"
    READ_TOO_SLOWLY = "you read too slowly"

    TOKEN_NEEDED = "a token is needed"
    DEVICE_TOKEN_NEEDED = "a device's token is needed"
    NOT_AT_AN_ENROLLED_DEVICE = "staff log on at an enrolled console or station"
    NOT_AT_THIS_DEVICE = "staff do not log on at a {device}"
    REAL_MONEY = "this house plays for real money"
    NOT_A_MIRROR = "{device} is no mirror of the journal"
    NOT_A_TERMINAL_OF = "{device} is no terminal of {table}"
    PLAYER_SITS_ELSEWHERE = "{player} does not sit at {device}"
    NO_SUCH_FAVOURITE = "{player} keeps no favourite {favourite}"
    NO_SUCH_VOUCHER = "there is no voucher {voucher}"
    REMOVED_FROM_STAFF = "removed from the staff"
    PASSWORD_CHANGED = "the password was changed"
