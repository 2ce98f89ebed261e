"""The two databases that can hold a journal: SQLite and PostgreSQL."""
