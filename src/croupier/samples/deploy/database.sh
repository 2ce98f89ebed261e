#!/bin/sh
# The PostgreSQL image runs this once, when it creates its data folder: the house gets its
# own role, which is no superuser, and its own database.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set password="$CROUPIER_PASSWORD" <<'SQL'
CREATE ROLE croupier LOGIN PASSWORD :'password';
CREATE DATABASE house OWNER croupier;
SQL
