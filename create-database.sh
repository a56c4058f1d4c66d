#!/bin/sh
# Creates a database for Tocsin, by default named `tocsin`, with two roles that can log in:
#
#   tocsin_owner   migrates the database and owns its tables
#   tocsin_server  login of the server; it may become tocsin_app and do nothing else
#
# No other role, except superusers, may connect to the database. Run it as a superuser of PostgreSQL. The URLs of the roles
# are written to owner-url and server-url in STATE_FOLDER, by default .tocsin, unless OWNER_PASSWORD_FILE and
# SERVER_PASSWORD_FILE name files with the passwords.
set -eu
umask 077

name=${1:-tocsin}
folder=${STATE_FOLDER:-.tocsin}

# The roles have passwords, so they log in over the network rather than over the socket.
case ${PGHOST:-} in
  '' | /*) host=localhost ;;
  *) host=$PGHOST ;;
esac

password() {
  if [ -n "$1" ]; then cat "$1"; else head -c 24 /dev/urandom | base64 | tr '+/' '-_'; fi
}
owner_password=$(password "${OWNER_PASSWORD_FILE:-}")
server_password=$(password "${SERVER_PASSWORD_FILE:-}")

# Over standard input, because other users can see the command line.
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --set=name="$name" <<SQL
\\set owner :name '_owner'
\\set server :name '_server'
select format('create role %I nologin', wanted) from unnest(array['tocsin_app', 'tocsin_cross_tenant']) as wanted
where not exists (select from pg_roles where rolname = wanted) \\gexec
-- The owner creates roles in the first migration only.
create role :"owner" login createrole password '$owner_password';
create role :"server" login password '$server_password';
grant tocsin_app, tocsin_cross_tenant to :"owner" with admin option;
grant tocsin_app to :"server";
create database :"name" owner :"owner" encoding 'UTF8' template template0;
revoke all on database :"name" from public;
grant connect on database :"name" to :"server";
SQL

if [ -z "${OWNER_PASSWORD_FILE:-}" ]; then
  mkdir -p "$folder"
  at="$host:${PGPORT:-5432}/$name"
  printf 'postgres://%s_owner:%s@%s\n' "$name" "$owner_password" "$at" > "$folder/owner-url"
  printf 'postgres://%s_server:%s@%s\n' "$name" "$server_password" "$at" > "$folder/server-url"
fi
