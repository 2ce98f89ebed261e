-- What the role of a server may do with a journal: read all of it, add to it, and change
-- what is no event: balances, the state of vouchers, who writes a stream, kept secrets,
-- which node serves which table, and that a server was replaced.
-- {role} and {schema} stand for their names.

REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT INSERT ON streams, events, entries, answers, balances, snapshots, vouchers,
    log_entries, log_tiles, checkpoints, cosignatures, secrets TO {role};
GRANT UPDATE (epoch, sequence, hash, mac) ON streams TO {role};
GRANT UPDATE (cents) ON balances TO {role};
GRANT UPDATE (state, holder) ON vouchers TO {role};
GRANT UPDATE (leaf, entry) ON log_entries TO {role};
GRANT DELETE ON secrets TO {role};
GRANT UPDATE (latest_timeline) ON croupier_journal TO {role};
GRANT INSERT, UPDATE, DELETE ON nodes, table_owners, sessions_seen TO {role};
