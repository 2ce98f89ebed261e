"""Events to disk and back: SQLite, PostgreSQL, hash chains, signed heads."""
