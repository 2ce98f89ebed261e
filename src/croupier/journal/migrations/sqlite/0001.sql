CREATE TABLE streams (
    stream TEXT PRIMARY KEY CHECK (length(stream) <= 200),
    epoch INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    -- Made of the end with the house's commit key: no export has it.
    mac TEXT NOT NULL DEFAULT ''
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

-- Reports look back over all but the wagers: within a stream, and over all streams by time.
-- A wager is in none of these indexes, so that it costs nothing more.
CREATE INDEX events_by_kind ON events (stream, kind, sequence) WHERE kind <> 'WagerPlaced';

CREATE INDEX events_by_time ON events (kind, at_ms, stream, sequence)
WHERE kind <> 'WagerPlaced';

CREATE INDEX staff_refused ON events (at_ms, stream, sequence)
WHERE kind = 'ActRefused' AND substr(body, instr(body, '"role":"') + 8, 7) <> 'Player"';

-- A start looks up the events of each voucher that can still be paid, by its code.
CREATE INDEX events_by_voucher ON events (substr(body, instr(body, '"code":"') + 8, 16))
WHERE kind IN (
    'VoucherIssued', 'VoucherRedeemed', 'VoucherPaid', 'VoucherExpired',
    'VoucherReportedLost'
);

-- A payment looks up the sums that the same person has moved at all tables in 24 hours.
CREATE INDEX events_by_handler ON events (substr(body, 1, instr(body, '",')), at_ms)
WHERE kind IN (
    'BoughtIn', 'ColourChipsBought', 'ClaimPaid', 'CashedOut', 'ColourChipsBoughtBack',
    'VoucherPaid', 'VoucherIssued', 'Filled', 'CreditTaken', 'Adjusted', 'OwedPaid',
    'FloatCounted', 'SumConfirmed'
);

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

CREATE INDEX vouchers_open ON vouchers (code) WHERE state IN ('outstanding', 'claimed');

-- The entries of the log; leaf is the place in its tree, or -1 while an entry waits.
CREATE TABLE log_entries (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    salt TEXT NOT NULL,
    leaf INTEGER NOT NULL CHECK (leaf >= -1),
    entry TEXT NOT NULL,
    PRIMARY KEY (stream, sequence)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX log_by_leaf ON log_entries (leaf) WHERE leaf >= 0;

CREATE INDEX log_pending ON log_entries (stream, sequence) WHERE leaf < 0;

CREATE TABLE log_tiles (
    level INTEGER NOT NULL,
    tile INTEGER NOT NULL,
    root TEXT NOT NULL,
    PRIMARY KEY (level, tile)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY,
    signed TEXT NOT NULL
) STRICT;

-- What witnesses have signed; they have it too, and no export does.
CREATE TABLE cosignatures (
    number INTEGER NOT NULL,
    witness TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (number, witness)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
    digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
    value TEXT NOT NULL CHECK (length(value) <= 1000)
) STRICT, WITHOUT ROWID;

-- These triggers stop mistakes. If somebody switches them off, the chain of hashes shows
-- each change.

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;

CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;

CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;

CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log_entries WHEN OLD.leaf >= 0
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;

CREATE TRIGGER log_is_not_deleted BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;

CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'what is recorded is never changed or deleted'); END;
