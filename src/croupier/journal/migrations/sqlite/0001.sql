CREATE TABLE streams (
    stream TEXT PRIMARY KEY CHECK (length(stream) <= 200),
    epoch INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    round_number INTEGER NOT NULL,
    command_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    document TEXT NOT NULL,
    terms TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (stream, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_round ON events (stream, round_number, sequence);

CREATE TABLE entries (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (stream, sequence, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE balances (
    stream TEXT NOT NULL,
    account TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (stream, account),
    CHECK (cents >= 0 OR substr(account, 1, 5) <> 'seat:'),
    CHECK (length(account) <= 200)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
    stream TEXT NOT NULL,
    command_id TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (stream, command_id),
    CHECK (length(command_id) <= 200)
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_in_order ON answers (stream, first, command_id);

CREATE TABLE snapshots (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (stream, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE vouchers (
    code TEXT PRIMARY KEY CHECK (length(code) <= 200),
    cents INTEGER NOT NULL CHECK (cents > 0),
    state TEXT NOT NULL,
    expires TEXT NOT NULL,
    issuer TEXT NOT NULL,
    holder TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX vouchers_claimed ON vouchers (holder) WHERE state = 'claimed';

CREATE TABLE published_heads (
    number INTEGER PRIMARY KEY,
    signed TEXT NOT NULL
) STRICT;
