import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const database = fileURLToPath(new URL('./database.ts', import.meta.url));

/** The user that a process with this environment connects as. */
function userOf(url: string, environment: Record<string, string>): string {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(database)});
    const { pool } = openDatabase({ url: ${JSON.stringify(url)}, connections: 1 });
    pool.connect().catch(() => undefined);
    const [client] = pool._clients;
    console.log(client.user);
    process.exit();`;
  const args = ['--conditions=source', '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { env: environment, encoding: 'utf8' }).trim();
}

test('without USER the name comes from the operating system', () => {
  expect(userOf('postgres://127.0.0.1:1/tocsin', {})).toBe(userInfo().username);
});

test('a user named by PGUSER or the URL takes precedence', () => {
  expect(userOf('postgres://127.0.0.1:1/tocsin', { PGUSER: 'plant' })).toBe('plant');
  expect(userOf('postgres://tocsin@127.0.0.1:1/tocsin', { PGUSER: 'plant' })).toBe('tocsin');
});
