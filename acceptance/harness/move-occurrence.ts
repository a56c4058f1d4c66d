import pg from 'pg';

/**
 * Moves an occurrence to another time in the database, because the interface raises alarms at the present time only
 * and some tests need a change of the clocks or a failure of days. Returns the new identifier.
 */
export async function moveOccurrence(
  databaseUrl: string,
  occurrenceId: number,
  times: { raised: string; acknowledged?: string; reset?: string },
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows, rowCount } = await client.query<{ tenant_id: string; tag_id: string }>(
      `update occurrences set raised_at = $2, acknowledged_at = $3, reset_at = $4 where id = $1
       returning tenant_id, tag_id`,
      [occurrenceId, times.raised, times.acknowledged ?? null, times.reset ?? null],
    );
    if (rowCount !== 1) throw new Error(`there is no occurrence ${occurrenceId}`);
    await client.query('update alarms set raised_at = $2 where occurrence_id = $1', [
      occurrenceId,
      times.raised,
    ]);
    await client.query(renumbering);
    const moved = await client.query<{ id: string }>(
      'select id from occurrences where tenant_id = $1 and tag_id = $2 and raised_at = $3',
      [rows[0]?.tenant_id, rows[0]?.tag_id, times.raised],
    );
    return Number(moved.rows[0]?.id);
  } finally {
    await client.end();
  }
}

/** Numbers the occurrences by time again and rebuilds the monthly sums. */
const renumbering = `
  do $$
  declare
    tenant bigint;
  begin
    for tenant in select id from tenants loop
      perform set_config('tocsin.tenant', tenant::text, true);
      create temporary table renumbered on commit drop as
        select id as old_id, row_number() over (order by raised_at, id) as new_id from occurrences where tenant_id = tenant;
      update occurrences o set id = -r.new_id from renumbered r where o.tenant_id = tenant and o.id = r.old_id;
      update occurrences o set id = -id where o.tenant_id = tenant;
      update alarms a set occurrence_id = r.new_id from renumbered r where a.tenant_id = tenant and a.occurrence_id = r.old_id;
      update journal j set occurrence_id = r.new_id from renumbered r where j.tenant_id = tenant and j.occurrence_id = r.old_id;
      perform rebuild_roll_ups();
      drop table renumbered;
    end loop;
  end
  $$`;
