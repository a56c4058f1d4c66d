import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('../../../../create-database.sh', import.meta.url));

export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A database created as documented, and the URLs of its owner and its server. */
export async function createDatabase(): Promise<{ ownerUrl: string; serverUrl: string; name: string }> {
  const clusterUrl = inject('clusterUrl');
  const { hostname, port, username } = new URL(clusterUrl);
  const name = `made_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-made-'));
  const admin = { PGHOST: hostname, PGPORT: port, PGUSER: username, PATH: process.env['PATH'] ?? '' };
  await promisify(execFile)('sh', [script, name], { env: { ...admin, STATE_FOLDER: folder } });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await query(clusterUrl, `drop database ${name} with (force)`);
    await query(clusterUrl, `drop role ${name}_owner, ${name}_server`);
  });
  const urlOf = (file: string) => {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    return readFileSync(join(folder, file), 'utf8').trim();
  };
  return { ownerUrl: urlOf('owner-url'), serverUrl: urlOf('server-url'), name };
}
