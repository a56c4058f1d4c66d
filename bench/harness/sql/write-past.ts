import pg from 'pg';

export type PastSize = {
  occurrences: number;
  tags: number;
  months: number;
  users: number;
  /** Whether half of the messages embed a value, so that each of them is a text of its own. */
  embedsValues?: boolean;
};

/**
 * Fills tenant 1 with a past: occurrences evenly over the months up to now, on random tags, most of them acknowledged by
 * one of the users and reset. Written by SQL, because through HTTP ten million would take an hour.
 */
export async function writePast(
  databaseUrl: string,
  { occurrences, tags, months, users, embedsValues = false }: PastSize,
  progress: (text: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  await run(
    "set timezone = 'UTC'; set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '1GB'",
  );
  await run("select set_config('tocsin.tenant', '1', false)");
  await run('select make_partitions(now() - make_interval(months => $1), $1)', [months]);
  await run(`insert into users (tenant_id, id, username, name, search_text, role, last_change)
    select 1, 100 + n, 'user' || n, 'User ' || n, 'user', 'operator', now() from generate_series(1, ${users}) n`);
  await run(`insert into stations (tenant_id, id, name, localized_name, search_text, time_zone, last_change)
    select 1, n, 'Station ' || n, 'Station ' || n, 'station', 'Europe/Paris', now() from generate_series(2, 10) n`);
  await run(`insert into data_servers (tenant_id, id, name, localized_name, search_text, last_change)
    select 1, n, 'Server ' || n, 'Server ' || n, 'server', now() from generate_series(2, 20) n`);
  await run(`insert into tag_groups (tenant_id, id, name, localized_name, search_text, parent_id, last_change)
    select 1, n, 'Group ' || n, 'Group ' || n, 'group', case when n <= 10 then null else 1 + n % 10 end, now()
    from generate_series(1, 110) n`);
  await run(`insert into tags select 1, n, 1 + n % 10, 1 + n % 20, 11 + n % 100, 'Area ' || n % 40 || '/Pump ' || n,
      'Pump ' || n, 'Pump ' || n, 1 + n % 4, false, '', false, true, true, 0,
      'Pump ' || n || ' tripped', '', '17', '', '', '[]', '', '', '', '', '', '[]', '', '', '', '', '', '[]', '{}', '{}',
      'pump' from generate_series(1, ${tags}) n`);
  await run(`insert into texts (tenant_id, id, tag_id, digest, message, comment, search_text, station_id, data_server_id,
      tag_group_id, call_group_ids)
    select 1, n, n, 'x', 'Pump ' || n || ' tripped', '',
      chr(1) || 'area ' || chr(1) || n % 40 || '/' || chr(1) || 'pump ' || chr(1) || n || chr(2) || chr(1) || 'pump '
        || chr(1) || n || ' ' || chr(1) || 'tripped' || case when n % 2500 = 7 then ' ' || chr(1) || 'cavitation' else '' end,
      1 + n % 10, 1 + n % 20, 11 + n % 100, array[1 + n % 25]::bigint[]
    from generate_series(1, ${tags}) n`);
  // All sums are built at the end.
  await run('alter table occurrences disable trigger user');
  const slice = 500_000;
  for (let first = 1; first <= occurrences; first += slice) {
    const last = Math.min(occurrences, first + slice - 1);
    await run(
      `insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, acknowledged_at, ack_user_id, reset_at, repeats)
       select 1, n, raised, tag, 1 + tag % 4, ${embedsValues ? `case when hash % 2 = 0 then tag else ${tags} + n end` : 'tag'},
         case when answered then raised + make_interval(secs => 20 + hash % 1000) end,
         case when answered then 101 + hash % ${users} end, raised + make_interval(secs => 60 + hash % 7200), 0
       from (select n, abs(hashint8(n)) as hash, 1 + abs(hashint8(n * 7)) % ${tags} as tag, abs(hashint8(n * 13)) % 10 < 8 as answered,
         now() - make_interval(months => ${months}) + (now() - interval '3 hours' - (now() - make_interval(months => ${months}))) * (n / ${occurrences}.0) as raised
         from generate_series($1::bigint, $2::bigint) n) s`,
      [first, last],
    );
    progress(`${last.toLocaleString('en')} of ${occurrences.toLocaleString('en')} occurrences`);
  }
  if (embedsValues)
    await run(`insert into texts (tenant_id, id, tag_id, digest, message, comment, search_text, station_id, data_server_id,
        tag_group_id, call_group_ids)
      select 1, o.text_id, o.tag_id, o.id, x.message || ' at ' || o.id, '', x.search_text || ' ' || chr(1) || o.id,
        x.station_id, x.data_server_id, x.tag_group_id, x.call_group_ids
      from occurrences o join texts x on x.tenant_id = 1 and x.id = o.tag_id
      where o.tenant_id = 1 and o.text_id > ${tags}`);
  await run(
    'update tenant_counters set occurrence_id = $1, tag_id = $2, text_id = $3, last_at = now() where tenant_id = 1',
    [occurrences, tags, embedsValues ? tags + occurrences : tags],
  );
  await run(`insert into alarms (tenant_id, tag_id, state, value, raised_at, last_change, occurrence_id, repeats, ack_user, comment, search_text)
    select 1, n, 0, '', now(), now(), 0, 0, '', '', '' from generate_series(1, ${tags}) n`);
  await run('alter table occurrences enable trigger user');
  progress('building sums and planner statistics');
  await run('select rebuild_roll_ups()');
  await closeMonths(client);
  await run('vacuum analyze');
  await client.end();
}

async function closeMonths(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ closed: boolean }>('select close_month(month_of(now())) as closed');
    if (!rows[0]?.closed) return;
  }
}
