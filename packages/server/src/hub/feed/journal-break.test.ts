import { expect } from 'vitest';
import { type HubSite, listen, raiseMany, settle, test } from '../testing/hub.fixture.ts';

/** Removes the entries after `seq`, as a restored backup or a lossy failover does. */
const rewindJournal = (site: HubSite, seq: number) =>
  site.asOwner(async (owner) => {
    await owner.query('begin');
    await owner.query('delete from journal where tenant_id = 1 and seq > $1', [seq]);
    await owner.query('update tenant_counters set seq = $1 where tenant_id = 1', [seq]);
    await owner.query('commit');
  });

test('after the journal was rewound, clients get each new alarm once and must reconnect', async ({
  site,
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  const old = await raiseMany(admin, 'old', 10);
  await expect.poll(() => listener.paths()).toEqual(old);
  await rewindJournal(site, 4);
  const fresh = await raiseMany(admin, 'new', 3);
  expect((await listener.closed)?.message).toMatch(/journal_changed/);
  expect(listener.paths()).toEqual([...old, ...fresh]);

  const again = await listen(server, admin.token);
  expect(await again.resume(10), 'a position of the old journal').toMatchObject({ gap: true });
  const later = await raiseMany(admin, 'later', 8);
  await expect.poll(() => again.paths()).toEqual([...fresh, ...later]);
});

test('a rewound journal is detected even if it has grown past its old end meanwhile', async ({
  site,
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  await listener.subscribe({ changes: true });
  const old = await raiseMany(admin, 'old', 5);
  await expect.poll(() => listener.paths()).toEqual(old);
  await rewindJournal(site, 3);
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
