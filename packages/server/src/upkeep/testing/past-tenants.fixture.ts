import type pg from 'pg';

export type Past = {
  tenants: number;
  /** Texts of each tenant; each occurs once in each month. */
  texts: number;
  /** Such as `2025-01`. */
  months: readonly string[];
};

/** Gives tenants 2 and on, up to this number, tags that were raised and reset in these months. As the owner of the tables. */
export async function addPastTenants(owner: pg.Client, { tenants, texts, months }: Past): Promise<void> {
  await owner.query("set timezone = 'UTC'");
  for (const month of months) await owner.query('select make_partitions($1, 0)', [`${month}-01Z`]);
  const newTenants = `generate_series(2, ${tenants}) as n`;
  const each = `${newTenants}, generate_series(1, ${texts}) as x`;
  const run = (text: string) => owner.query(text);
  await run(`insert into tenants (id, name, created_at) select n, 'Tenant ' || n, now() from ${newTenants}`);
  await run(`insert into tenant_counters (tenant_id, seq, tag_id, occurrence_id, text_id, last_at)
    select n, 0, ${texts}, ${texts * months.length}, ${texts}, '${months.at(-1)}-02Z' from ${newTenants}
    on conflict (tenant_id) do update set tag_id = excluded.tag_id, occurrence_id = excluded.occurrence_id,
      text_id = excluded.text_id, last_at = excluded.last_at`);
  await run(`insert into texts (tenant_id, id, tag_id, digest, message, comment, search_text, station_id, data_server_id)
    select n, x, x, 'x', 'Pump ' || x || ' failed', '', '', 1, 1 from ${each}`);
  await run('alter table occurrences disable trigger user');
  for (const [index, month] of months.entries()) {
    await run(`insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, reset_at, repeats)
      select n, ${index * texts} + x, '${month}-01Z'::timestamptz + make_interval(secs => x), x, 1, x,
        '${month}-02Z', 0 from ${each}`);
  }
  await run('alter table occurrences enable trigger user');
  await run(`do $$ declare tenant bigint; begin
    for tenant in 2..${tenants} loop
      perform set_config('tocsin.tenant', tenant::text, true);
      insert into stations (tenant_id, id, name, localized_name, search_text, time_zone, last_change)
      values (tenant, 1, 'Station', 'Station', '', 'Europe/Paris', now());
      insert into data_servers (tenant_id, id, name, localized_name, search_text, last_change)
      values (tenant, 1, 'PLC', 'PLC', '', now());
      perform rebuild_roll_ups();
    end loop;
    perform set_config('tocsin.tenant', '', true);
  end $$`);
}
