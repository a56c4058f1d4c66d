import pg from 'pg';
import { expect } from 'vitest';
import { type Caller, type HubSite, listen, settle, test } from './hub.fixture.ts';

/** Lets the journal and its heads be as they were after `seq`, as a restore or a lossy failover does. */
async function stepBack({ databaseUrl }: HubSite, seq: number): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query('begin');
  await owner.query("select set_config('tocsin.tenant', '1', true)");
  await owner.query('delete from journal where tenant_id = 1 and seq > $1', [seq]);
  await owner.query('update heads set seq = $1 where tenant_id = 1', [seq]);
  await owner.query('commit');
  await owner.end();
}

async function raiseMany(admin: Caller, name: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => `${name}/${index + 1}`);
  for (const path of paths) await admin.raise(path);
  return paths;
}

/** A client that was told to start again does so. */
const closedWith = /journal_changed/;

test('when the journal has stepped back, clients get each new alarm once and are told to start again', async ({
  site,
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  const old = await raiseMany(admin, 'old', 10);
  await expect.poll(() => listener.paths()).toEqual(old);
  await stepBack(site, 4);
  const fresh = await raiseMany(admin, 'new', 3);
  expect((await listener.closed)?.message).toMatch(closedWith);
  expect(listener.paths()).toEqual([...old, ...fresh]);

  const again = await listen(server, admin.token);
  expect(await again.resume(10), 'a place of the journal that was').toMatchObject({ gap: true });
  const later = await raiseMany(admin, 'later', 8);
  await expect.poll(() => again.paths()).toEqual([...fresh, ...later]);
});

test('it is noticed also when the journal has grown past its old end meanwhile', async ({
  site,
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  await listener.subscribe({ changes: true });
  const old = await raiseMany(admin, 'old', 5);
  await expect.poll(() => listener.paths()).toEqual(old);
  await stepBack(site, 3);
  const fresh = await raiseMany(admin, 'new', 6);
  await listener.closed;
  expect(listener.paths()).toEqual([...old, ...fresh]);
  const last = listener.changes.at(-1)?.seq ?? 0;
  expect(last).toBe(9);
  const again = await listen(server, admin.token);
  expect(await again.resume(last)).toEqual({ seq: 9 });
  await settle();
  expect(again.paths()).toEqual([]);
});
