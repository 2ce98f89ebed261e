CREATE INDEX events_settled ON events (stream, sequence) WHERE kind = 'RoundSettled';

CREATE TABLE secrets (
    digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
    value TEXT NOT NULL CHECK (length(value) <= 1000)
) STRICT, WITHOUT ROWID;
