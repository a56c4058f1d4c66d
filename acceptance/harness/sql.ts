import pg from 'pg';
import { onTestFinished } from 'vitest';

/** A SQL connection beside the server, closed at the end of the test. */
export async function connectSql(databaseUrl: string, options?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, ...(options !== undefined && { options }) });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
