-- What all nodes of a house count together, outside the journal and every copy of it.

CREATE TABLE shared_buckets (
    key TEXT COLLATE "C" PRIMARY KEY CHECK (length(key) <= 300),
    tokens DOUBLE PRECISION NOT NULL,
    is_taken BOOLEAN NOT NULL,
    at TIMESTAMPTZ NOT NULL
);

CREATE TABLE sessions_seen (
    digest TEXT COLLATE "C" PRIMARY KEY CHECK (length(digest) <= 100),
    seen_ms BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);
