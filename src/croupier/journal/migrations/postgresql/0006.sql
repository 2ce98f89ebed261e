-- The nodes of a house that several processes serve, and which table each has. This is
-- no part of the journal: it is neither exported nor verified.

CREATE TABLE nodes (
    name TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    version TEXT NOT NULL,
    lock_key BIGINT NOT NULL,
    sessions TEXT NOT NULL,
    beat_at TIMESTAMPTZ NOT NULL,
    is_draining BOOLEAN NOT NULL DEFAULT false,
    clock_off_ms BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE table_owners (
    stream TEXT PRIMARY KEY,
    node TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    move_to TEXT NOT NULL DEFAULT '',
    is_pinned BOOLEAN NOT NULL DEFAULT false,
    load BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE node_secret (
    only_one BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_one),
    secret TEXT NOT NULL
);
