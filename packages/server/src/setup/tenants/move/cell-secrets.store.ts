import type pg from 'pg';

/** Tables with the secrets of an installation. */
const tables = ['installation_secrets', 'signing_keys'] as const;

/** Replaces the secrets of the target, and returns the number of the new ones. */
export async function copySecrets(source: pg.ClientBase, target: pg.ClientBase): Promise<number> {
  let copied = 0;
  for (const table of tables) {
    const { rows } = await source.query<{ row: string }>(
      `select row_to_json(s)::text as row from ${table} s`,
    );
    await target.query(`delete from ${table}`);
    await target.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    );
    copied += rows.length;
  }
  return copied;
}
