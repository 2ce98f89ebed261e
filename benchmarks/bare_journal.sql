-- The rows that wagers write, as a script by hand would keep them. Fixed, so that the cost
-- of an index that the journal gets later shows in `durable_wagers.py`.

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

CREATE INDEX events_settled ON events (stream, sequence) WHERE kind = 'RoundSettled';

CREATE INDEX events_by_voucher ON events (substr(body, instr(body, '"code":"') + 8, 16))
WHERE kind IN (
    'VoucherIssued', 'VoucherRedeemed', 'VoucherPaid', 'VoucherExpired',
    'VoucherReportedLost'
);

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
