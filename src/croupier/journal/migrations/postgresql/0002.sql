CREATE INDEX events_settled ON events (stream, sequence) WHERE kind = 'RoundSettled';

CREATE TABLE secrets (
    digest TEXT COLLATE "C" PRIMARY KEY CHECK (length(digest) = 64),
    value TEXT COLLATE "C" NOT NULL CHECK (length(value) <= 1000)
);
