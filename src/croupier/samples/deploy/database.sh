#!/bin/sh
# The image of PostgreSQL runs this once, when it makes its data folder: the house gets a
# role and a database of its own, and is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set password="$CROUPIER_PASSWORD" <<'SQL'
CREATE ROLE croupier LOGIN PASSWORD :'password';
CREATE DATABASE house OWNER croupier;
SQL
