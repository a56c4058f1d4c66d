import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createDatabase } from '../harness/database.ts';
import { HttpClient } from '../harness/http/http-client.ts';
import { logIn } from '../harness/installation.ts';
import { read } from '../harness/plant.ts';
import {
  addTenant,
  firstAdmin,
  runCommand,
  type Server,
  secretFile,
  startServer,
} from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';
import { fillTenant, lena, ownWords, readConfiguration, tenantName } from '../harness/tenants/lakeside.ts';
import {
  countRows,
  type ExportedTable,
  readCommonTables,
  readExportFile,
} from '../harness/tenants/tenant-tables.ts';

vi.setConfig({ testTimeout: 300_000 });

type Site = { url: string; environment: Record<string, string>; drop(): Promise<void> };

let folder: string;
let here: Site;
let there: Site;
let server: Server;
let apiKey: string;
let passphraseFile: string;

const login = { username: `${lena.username}@${tenantName}`, password: lena.password };

async function openSite(secretsKeyByte: number): Promise<Site> {
  const { url, drop } = await createDatabase(inject('durableClusterUrl'));
  const key = await secretFile(Buffer.alloc(32, secretsKeyByte).toString('base64'));
  const environment = { SECRETS_KEY_FILE: key, STATE_FOLDER: join(folder, `state-${secretsKeyByte}`) };
  return { url, drop, environment };
}

const run = ({ url, environment }: Site, ...args: string[]) => runCommand(url, args, environment);
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-tenants-'));
  passphraseFile = await secretFile('four words that nobody guesses');
  [here, there] = [await openSite(1), await openSite(2)];
  server = await startServer({
    databaseUrl: here.url,
    environment: { ...here.environment, DRAIN_MS: '0', LOG_LEVEL: 'info' },
  });
  await addTenant(here.url, { name: tenantName, admin: lena.username, password: lena.password });
  const client = await logIn(server, login);
  ({ apiKey } = await fillTenant(client));
  client.close();
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await Promise.all([here?.drop(), there?.drop()]);
  await rm(folder, { recursive: true, force: true });
});

test('a tenant moves to another installation with all its rows, under another number', async () => {
  const file = inFolder('move.ndjson.gz');
  const report = await run(here, 'tenant-export', tenantName, file, '--passphrase-file', passphraseFile);
  expect(report).toMatch(/^Tenant 2: \d+ rows of \d+ tables exported\./);
  expect(await run(there, 'tenant-import', file, '--passphrase-file', passphraseFile)).toMatch(/^Tenant 1: /);
  const copy = inFolder('copy.ndjson.gz');
  await run(there, 'tenant-export', tenantName, copy, '--passphrase-file', passphraseFile);

  const [before, after] = [await readExportFile(file), await readExportFile(copy)];
  const filled = [...before.values()].filter(({ count }) => count > 0).map(({ name }) => name);
  expect(filled.length, `filled: ${filled.join(', ')}`).toBeGreaterThan(35);
  const hashes = (tables: Map<string, ExportedTable>) =>
    Object.fromEntries(
      [...tables.values()]
        .filter(({ name }) => name !== 'audit_entries')
        .map(({ name, count, sha256 }) => [name, `${count} ${sha256}`]),
    );
  expect(hashes(after)).toEqual(hashes(before));
  // The import and the second export are recorded in the trail.
  const trail = before.get('audit_entries')?.rows ?? [];
  const newTrail = after.get('audit_entries')?.rows ?? [];
  expect(newTrail.slice(0, trail.length)).toEqual(trail);
  expect(newTrail.length).toBe(trail.length + 2);
});

test('the restored tenant works: people log in, channels have their secrets, the trail is whole', async () => {
  const environment = { ...there.environment, DRAIN_MS: '0', ROLES: 'api,hub' };
  const second = await startServer({ databaseUrl: there.url, environment });
  const [old, copied] = await Promise.all([logIn(server, login), logIn(second, login)]);
  try {
    expect(await readConfiguration(copied)).toEqual(await readConfiguration(old));
    const { items } = await read<{ items: { name: string; secretsSet: string[] }[] }>(copied, 'channels');
    expect(items.find(({ name }) => name === 'Mail of Lakeside')?.secretsSet).toEqual(['password']);
    const trail = inFolder('trail');
    await writeFile(trail, (await copied.get('/api/v1/audit/export')).text);
    const key = inFolder('audit-key.pem');
    await writeFile(key, await run(there, 'audit', 'public-key'));
    expect(await run(there, 'audit', 'verify', trail, '--public-key', key)).toMatch(/is whole/);
  } finally {
    old.close();
    copied.close();
    await second.stop();
  }
});

test('without a passphrase the secrets of channels are left out', async () => {
  const file = inFolder('plain.ndjson.gz');
  await run(here, 'tenant-export', tenantName, file);
  const report = await run(there, 'tenant-import', file, '--name', 'Lakeside Copy');
  expect(report).toMatch(/Without secrets: enter those of its channels/);
  const sql = await connectSql(there.url);
  const { rows } = await sql.query(
    `select count(*) filter (where secrets is not null)::int as sealed, count(*)::int as all from channels
     where tenant_id = (select id from tenants where name = 'Lakeside Copy')`,
  );
  expect(rows).toEqual([{ sealed: 0, all: 4 }]);
});

test('a damaged or foreign file is refused, and nothing of it is imported', async () => {
  const before = await countRows(there.url);
  const file = await readFile(inFolder('plain.ndjson.gz'));
  const cut = inFolder('cut.gz');
  await writeFile(cut, file.subarray(0, file.length - 2_000));
  await expect(run(there, 'tenant-import', cut, '--name', 'Cut')).rejects.toThrow(
    /cannot be read|is damaged/,
  );
  const other = inFolder('other.gz');
  await writeFile(other, 'not an export');
  await expect(run(there, 'tenant-import', other)).rejects.toThrow(
    /not the export of a tenant|cannot be read/,
  );
  await expect(run(there, 'tenant-import', inFolder('plain.ndjson.gz'))).rejects.toThrow(
    /named Lakeside Water already/,
  );
  expect(await countRows(there.url)).toEqual(before);
});

test('a deletion must be confirmed, and the only tenant is kept unless it is named as the last', async () => {
  await expect(run(here, 'tenant-delete', tenantName)).rejects.toThrow(/repeat its name after --confirm/);
  await expect(run(here, 'tenant-delete', 'Nobody', '--confirm', 'Nobody')).rejects.toThrow(
    /no tenant named Nobody/,
  );
});

/** A hub client of the tenant, and the time at which the server has closed it. */
async function connectHub(token: string): Promise<{ closedAt(): number | undefined }> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${server.baseUrl}/alarmHub`, {
      accessTokenFactory: () => token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build();
  let closedAt: number | undefined;
  hub.onclose(() => (closedAt = performance.now()));
  await hub.start();
  return { closedAt: () => closedAt };
}

let before: Awaited<ReturnType<typeof countRows>>;
let report: string;

test('servers forget a tenant that is deleted within 5 s: its keys are refused, its hub clients closed', async () => {
  before = await countRows(here.url);
  const client = await logIn(server, login);
  const hub = await connectHub(client.token ?? '');
  client.close();
  const machine = new HttpClient(server.baseUrl, apiKey);
  expect((await machine.get('/api/v1/alarms')).status).toBe(200);

  const sql = await connectSql(here.url);
  const deletion = run(here, 'tenant-delete', tenantName, '--confirm', tenantName);
  const isClosed = async () => expect((await sql.query('select from deleted_tenants')).rowCount).toBe(1);
  await vi.waitFor(isClosed, { timeout: 60_000, interval: 20 });
  const start = performance.now();
  const isRefused = async () => expect((await machine.get('/api/v1/alarms')).status).toBe(401);
  await vi.waitFor(isRefused, { timeout: 10_000, interval: 50 });
  // Half a second for the requests of this test.
  expect(performance.now() - start).toBeLessThan(5_500);
  await vi.waitFor(() => expect(hub.closedAt()).toBeDefined(), { timeout: 10_000 });
  expect(hub.closedAt()).toBeLessThan(start + 5_000);
  machine.close();
  report = await deletion;
  expect(report).toMatch(/^Tenant 2: \d+ rows of \d+ tables deleted\./);
});

test('after a deletion nothing of the tenant is left but the record of it, and the others keep their rows', async () => {
  const after = await countRows(here.url);
  for (const [table, counts] of Object.entries(after)) {
    expect(counts['2'], table).toBeUndefined();
    const { 1: kept = 0 } = before[table] ?? {};
    expect(counts['1'] ?? 0, table).toBeGreaterThanOrEqual(kept);
  }
  const { deleted_tenants: record = '', ...others } = await readCommonTables(here.url);
  expect(JSON.parse(record)).toMatchObject({
    number: 2,
    name: tenantName,
    finished_at: expect.any(String),
    actor: expect.stringContaining(' as '),
    audit_hash: expect.stringMatching(/^\\x[0-9a-f]{64}$/),
    row_counts: { users: before['users']?.['2'], audit_entries: expect.any(Number), tenants: 1 },
  });
  const texts = [...Object.values(others), server.output(), report];
  for (const word of ownWords) expect(texts.filter((text) => text.includes(word))).toEqual([]);
  const sql = await connectSql(here.url);
  await expect(sql.query('delete from deleted_tenants')).rejects.toThrow(/neither changed nor removed/);
});

test('the number of a deleted tenant is not given to another one, and nobody of it logs in', async () => {
  await addTenant(here.url, { name: 'Next', admin: 'nina', password: lena.password });
  const sql = await connectSql(here.url);
  const { rows } = await sql.query(`select id::int from tenants where name = 'Next'`);
  expect(rows).toEqual([{ id: 3 }]);
  const client = new HttpClient(server.baseUrl);
  expect((await client.logIn(login.username, login.password)).status).not.toBe(200);
  client.close();
  const first = await logIn(server, firstAdmin);
  expect((await first.get('/api/v1/alarms')).status).toBe(200);
  first.close();
  await run(here, 'tenant-delete', 'Next', '--confirm', 'Next');
  await expect(run(here, 'tenant-delete', 'Tocsin', '--confirm', 'Tocsin')).rejects.toThrow(/only tenant/);
});
