import pg from 'pg';

/**
 * The interface only knows now. What can be seen at other times alone (a change of the clocks, a failure of
 * days) is raised through it and then moved in the database.
 */
export async function moveOccurrence(
  databaseUrl: string,
  occurrenceId: number,
  times: { raised: string; acknowledged?: string; reset?: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      'update occurrences set raised_at = $2, acknowledged_at = $3, reset_at = $4 where id = $1',
      [occurrenceId, times.raised, times.acknowledged ?? null, times.reset ?? null],
    );
    if (rowCount !== 1) throw new Error(`there is no occurrence ${occurrenceId}`);
    await client.query('update alarms set raised_at = $2 where occurrence_id = $1', [
      occurrenceId,
      times.raised,
    ]);
  } finally {
    await client.end();
  }
}
