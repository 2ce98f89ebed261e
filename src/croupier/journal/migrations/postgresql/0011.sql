-- A server that was replaced is told the timeline of the one that was promoted.

ALTER TABLE croupier_journal ADD COLUMN latest_timeline BIGINT NOT NULL DEFAULT 0;
