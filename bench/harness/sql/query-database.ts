import pg from 'pg';

/** The rows of one statement, on a connection of its own as the owner of everything. */
export async function queryDatabase<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text);
    return rows;
  } finally {
    await client.end();
  }
}
