-- A node looks up the tables at which a Player with a limit has played.

CREATE INDEX balances_by_account ON balances (account);
