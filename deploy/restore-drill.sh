#!/bin/sh
# Restores the newest backup of pgBackRest into a folder of its own, examines it, and deletes it. The real database, its
# archive and the people on duty notice nothing. Run it once a month as the user `postgres`, on another machine than the
# database, and let your monitoring look at the exit code: 0 if everything was found whole.
#
#   STANZA=tocsin DATABASE=tocsin TARGET='2026-03-01 06:00:00+00' sh restore-drill.sh
#
# TARGET is the moment to restore, by default ten minutes ago; `latest` is the end of the archive. FOLDER is where the
# copy is made, with room for the whole database. PGBACKREST_CONFIG names another configuration than pgBackRest's own.
set -eu
umask 077

stanza=${STANZA:-tocsin}
database=${DATABASE:-tocsin}
target=${TARGET:-$(date -u -d '10 minutes ago' '+%F %T+00')}
folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/restore-drill-XXXXXX")
port=${DRILL_PORT:-5499}
bin=${POSTGRES_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
data=$folder/data
began=$(date +%s)

end_drill() {
  status=$?
  [ ! -f "$data/postmaster.pid" ] || "$bin/pg_ctl" -D "$data" -m immediate -w stop >/dev/null || true
  [ "$status" -eq 0 ] || tail -n 20 "$folder/postgres.log" 2>/dev/null >&2 || true
  rm -rf "$folder"
  [ "$status" -eq 0 ] || echo "the restore drill FAILED after $(($(date +%s) - began)) s" >&2
}
trap end_drill EXIT

ask() { "$bin/psql" --no-psqlrc --host="$folder" --port="$port" --dbname="$database" --set=ON_ERROR_STOP=1 -Atc "$1"; }

mkdir "$data"
if [ "$target" = latest ]; then
  pgbackrest --stanza="$stanza" --pg1-path="$data" --type=default restore
else
  pgbackrest --stanza="$stanza" --pg1-path="$data" --type=time --target="$target" --target-action=promote restore
fi
restored=$(date +%s)

# Settings of its own: those of the database may name its port, its archive and its folders. The limits must not be below
# those of the database. Without archive_mode=off the copy would write into the real archive.
cat >"$folder/drill.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$folder'
port = $port
data_directory = '$data'
hba_file = '$folder/drill.hba'
archive_mode = off
max_connections = 1000
max_worker_processes = 64
max_wal_senders = 64
max_prepared_transactions = 100
max_locks_per_transaction = 512
CONF
echo 'local all all trust' >"$folder/drill.hba"
"$bin/pg_ctl" -D "$data" -w -t 3600 -l "$folder/postgres.log" -o "-c config_file='$folder/drill.conf'" start >/dev/null
until [ "$(ask 'select pg_is_in_recovery()')" = f ]; do sleep 0.2; done
echo "restored in $((restored - began)) s, ready after $(($(date +%s) - began)) s"

broken=$(ask 'select tenant_id from journal group by tenant_id having count(*) <> max(seq) - min(seq) + 1')
[ -z "$broken" ] || { echo "the journals of these tenants have gaps: $broken" >&2; exit 1; }
echo "newest journal entry: $(ask "select coalesce(to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), 'none') from journal")"
ask 'create extension if not exists amcheck' >/dev/null
echo "indexes examined: $(ask "select count(bt_index_check(indexrelid, true)) from pg_index join pg_class c on c.oid = indexrelid
  join pg_am a on a.oid = relam where amname = 'btree' and indisvalid and c.relpersistence = 'p' and c.relkind = 'i'" | tail -n 1)"
"$bin/pg_ctl" -D "$data" -m fast -w stop >/dev/null
case $("$bin/pg_controldata" -D "$data" | grep 'checksum version') in
  *' 0') echo 'the database has no checksums: nothing to compare' ;;
  *) "$bin/pg_checksums" --check -D "$data" | grep 'Bad checksums' ;;
esac
echo "the restore drill passed after $(($(date +%s) - began)) s"
