import type { Channel, ChannelKind } from '@tocsin/contract';
import { pino } from 'pino';
import type { TObject } from 'typebox';
import { Check } from 'typebox/value';
import { expect } from 'vitest';
import { startSmallMailServer } from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import { buildApp } from '../../app.ts';
import { createSecretBox } from '../../common/secret-box.ts';
import { notAuthenticated } from '../../http/authorization.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test as withApp } from '../../testing/app.fixture.ts';
import { channelStore, listEnabledChannels } from '../channel.store.ts';
import { createChannelPool } from '../channel-pool.ts';
import { channelRegistry } from '../kinds/channel-registry.ts';
import { createEgress } from '../network/egress.ts';
import { openChannel } from '../open-channel.ts';
import { loopback } from '../testing/messages.fixture.ts';

const box = createSecretBox([Buffer.alloc(32, 1)]);
const egressOf = createEgress(loopback);
const surroundings = {
  egress: egressOf(1),
  log: pino({ level: 'silent' }),
  now: () => new Date('2026-03-01T06:00:00Z'),
  readMedia: async () => undefined,
  inbox: async () => {},
};

/** The server with a key for secrets, that may send to this machine. */
const test = withApp.extend('app', async ({ runtime, principals }, { onCleanup }) => {
  const authenticate = async (token: string) => {
    const principal = principals.get(token);
    if (!principal) throw notAuthenticated('unknown token');
    return principal;
  };
  const app = buildApp(runtime, authenticate, {
    basePath: '',
    reference: false,
    channels: { box, egressOf },
  });
  onCleanup(() => app.close());
  await app.ready();
  return app;
});

const mail = {
  name: 'Plant mail',
  kind: 'email',
  settings: { host: 'mail.plant.example', from: 'alarm@plant.example', user: 'alarm', password: 'sesame' },
};

test('an engineer sets up a mail server, and its password is never returned', async ({ client, runtime }) => {
  const engineer = client('engineer');
  const created = await engineer.post('/channels', mail);
  expect({ status: created.statusCode, id: created.json() }).toEqual({ status: 200, id: 1 });
  const answers = [
    await engineer.get('/channels/1'),
    await engineer.get('/channels'),
    await client('auditor').get('/channels'),
  ];
  for (const { body, statusCode } of answers) {
    expect(statusCode).toBe(200);
    expect(body).not.toContain('sesame');
  }
  expect(answers[0]?.json()).toEqual({
    id: 1,
    name: 'Plant mail',
    kind: 'email',
    medium: 'Email',
    priority: 1,
    enabled: true,
    settings: { host: 'mail.plant.example', from: 'alarm@plant.example', user: 'alarm' },
    secretsSet: ['password'],
    lastChange: '2026-03-01T06:00:00',
  });
  const kept = await inTenant(runtime.database, 1, ({ client: connection }) =>
    connection.query<{ row: string }>('select c::text as row from channels c'),
  );
  expect(kept.rows[0]?.row).not.toContain(Buffer.from('sesame').toString('hex'));
  expect(kept.rows[0]?.row).not.toContain('sesame');
});

test('a secret that is left out stays, an empty one is removed, a new one replaces it', async ({
  client,
  runtime,
}) => {
  const engineer = client('engineer');
  await engineer.post('/channels', mail);
  const passwordAfter = async (settings: object) => {
    const answer = await engineer.put('/channels/1', { ...mail, settings });
    expect(answer.statusCode).toBe(200);
    const row = await inTenant(runtime.database, 1, (transaction) =>
      channelStore.find(transaction, 1, { forUpdate: false }),
    );
    if (!row?.secrets) return undefined;
    return box?.open(row.secrets, 'tenant 1 channel 1');
  };
  const { password: _, ...without } = mail.settings;
  expect(await passwordAfter({ ...without, fromName: 'Plant' })).toBe('{"password":"sesame"}');
  expect(await passwordAfter({ ...without, password: 'open' })).toBe('{"password":"open"}');
  expect(await passwordAfter({ ...without, password: '' })).toBeUndefined();
});

test.for([
  { host: 'mail.evil.example' },
  { port: 2525 },
  { security: 'none' },
  { certificate: 'of somebody else' },
])('a channel cannot be pointed to %j without its password', async (change, { client }) => {
  const engineer = client('engineer');
  await engineer.post('/channels', mail);
  const { password, ...without } = mail.settings;
  const blind = await engineer.put('/channels/1', { ...mail, settings: { ...without, ...change } });
  expect(blind.statusCode).toBe(400);
  expect(blind.json()).toMatchObject({ errors: [{ pointer: '/settings/password' }] });
  const knowing = await engineer.put('/channels/1', {
    ...mail,
    settings: { ...without, ...change, password },
  });
  expect(knowing.statusCode).toBe(200);
});

test('secrets of one kind do not become those of another', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/channels', mail);
  const answer = await engineer.put('/channels/1', { name: 'Hook', kind: 'webhook', settings: {} });
  expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/settings/secret' }] });
});

test.for([
  { fault: 'an unknown kind', body: { ...mail, kind: 'pigeon' }, pointer: '/kind' },
  { fault: 'a medium it does not serve', body: { ...mail, medium: 'Voice' }, pointer: '/medium' },
  { fault: 'no host', body: { ...mail, settings: { from: 'a@b.example' } }, pointer: '/settings/host' },
  {
    fault: 'a sender that is two',
    body: { ...mail, settings: { ...mail.settings, from: 'a@b.example,c@d.example' } },
    pointer: '/settings/from',
  },
  {
    fault: 'a port that is none',
    body: { ...mail, settings: { ...mail.settings, port: 70_000 } },
    pointer: '/settings/port',
  },
  {
    fault: 'a secret that is a number',
    body: { ...mail, settings: { ...mail.settings, password: 4 } },
    pointer: '/settings/password',
  },
  {
    fault: 'a weak webhook secret',
    body: { name: 'Hook', kind: 'webhook', settings: { secret: 'short' } },
    pointer: '/settings/secret',
  },
  { fault: 'priority 0', body: { ...mail, priority: 0 }, pointer: '/priority' },
])('a channel with $fault is refused', async ({ body, pointer }, { client }) => {
  const answer = await client('engineer').post('/channels', body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
});

test('a change that leaves members out keeps them: a channel that is switched off stays so', async ({
  client,
}) => {
  const engineer = client('engineer');
  await engineer.post('/channels', { ...mail, priority: 7, enabled: false });
  const changed = await engineer.put('/channels/1', { ...mail, name: 'Renamed' });
  expect(changed.json()).toMatchObject({ name: 'Renamed', priority: 7, enabled: false });
  expect((await engineer.put('/channels/1', { ...mail, enabled: true })).json()).toMatchObject({
    enabled: true,
  });
});

test('a stale change is refused, and a deleted channel is gone', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/channels', mail);
  const { etag } = (await engineer.get('/channels/1')).headers;
  await engineer.put('/channels/1', { ...mail, enabled: false });
  const stale = await engineer.put('/channels/1', mail, { 'if-match': String(etag) });
  expect(stale.statusCode).toBe(412);
  expect((await engineer.delete('/channels/1')).statusCode).toBe(204);
  expect((await engineer.get('/channels/1')).statusCode).toBe(404);
});

test('a medium is served in the order of priority, by what is enabled', async ({ client, runtime }) => {
  const engineer = client('engineer');
  for (const [name, priority, enabled] of [
    ['third', 7, true],
    ['first', 1, true],
    ['off', 2, false],
    ['second', 3, true],
  ] as const)
    await engineer.post('/channels', { ...mail, name, priority, enabled });
  const secret = Buffer.alloc(32).toString('base64');
  await engineer.post('/channels', { name: 'hook', kind: 'webhook', settings: { secret } });
  const routes = await inTenant(runtime.database, 1, (transaction) => listEnabledChannels(transaction));
  const emails = routes.filter(({ medium }) => medium === 'Email');
  expect(emails.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  const { items } = (await engineer.get('/channels?medium=Webhook')).json<{ items: Channel[] }>();
  expect(items.map(({ name }) => name)).toEqual(['hook']);
});

test('every kind describes its settings, so that a console can draw its form', async ({ client }) => {
  const kinds = (await client('engineer').get('/channels/kinds')).json<ChannelKind[]>();
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([...channelRegistry.keys()].toSorted());
  for (const { title, description, media, settings } of kinds) {
    expect(title && description).toBeTruthy();
    expect(media.length).toBeGreaterThan(0);
    const members = Object.values((settings as unknown as TObject).properties) as {
      title?: string;
      description?: string;
    }[];
    expect(members.length).toBeGreaterThan(0);
    for (const member of members) expect(member.title && member.description).toBeTruthy();
  }
  const email = kinds.find(({ kind }) => kind === 'email');
  expect(email?.settings).toMatchObject({
    required: ['host', 'from'],
    properties: { password: { writeOnly: true } },
  });
});

test('testing a channel returns whether the mail server answers, or the outcome of a test mail', async ({
  client,
  onTestFinished,
}) => {
  const server = await startSmallMailServer();
  onTestFinished(server.stop);
  const engineer = client('engineer');
  const settings = { host: '127.0.0.1', port: server.port, security: 'none', from: 'alarm@plant.example' };
  await engineer.post('/channels', { ...mail, settings });
  expect((await engineer.post('/channels/1/test')).json()).toEqual({
    works: true,
    outcome: 'checked',
    reason: '',
  });
  expect(server.mails).toEqual([]);
  const sent = await engineer.post('/channels/1/test', { address: 'anna@plant.example' });
  expect(sent.json()).toEqual({ works: true, outcome: 'accepted', reason: '' });
  expect(server.mails[0]).toContain('This is a test message');
  await server.stop().catch(() => undefined);
});

test('testing a channel without a server returns the reason', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/channels', { ...mail, settings: { ...mail.settings, host: '10.1.2.3' } });
  const answer = await engineer.post('/channels/1/test', { address: 'anna@plant.example' });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    works: false,
    outcome: 'failed',
    reason: expect.stringContaining('EGRESS_ALLOW'),
  });
  expect((await engineer.post('/channels/99/test')).statusCode).toBe(404);
});

withApp('a server without a key keeps no secrets, and says so', async ({ client }) => {
  const engineer = client('engineer');
  const answer = await engineer.post('/channels', mail);
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ detail: expect.stringContaining('SECRETS_KEY_FILE') });
  const { password: _, ...without } = mail.settings;
  expect((await engineer.post('/channels', { ...mail, settings: without })).statusCode).toBe(200);
});

test('a row that this server cannot use does not open, and says why', async ({ client, runtime }) => {
  await client('engineer').post('/channels', mail);
  const row = await inTenant(runtime.database, 1, (transaction) =>
    channelStore.find(transaction, 1, { forUpdate: false }),
  );
  if (!row) throw new Error('no channel');
  const reasonOf = (changed: Partial<typeof row>, with_ = box) => {
    const opened = openChannel({ ...row, ...changed }, { box: with_, tenantId: 1 }, surroundings);
    return opened.kind === 'open' ? 'open' : opened.reason;
  };
  expect(reasonOf({})).toBe('open');
  expect(reasonOf({ kind: 'pigeon' })).toContain('pigeon');
  expect(reasonOf({ settings: { host: 4 } })).toContain('not complete');
  expect(reasonOf({ settings: null })).toContain('not complete');
  expect(reasonOf({ id: 2 })).toContain('No key');
  expect(reasonOf({}, createSecretBox([Buffer.alloc(32, 2)]))).toContain('No key');
});

test('a channel in use is opened once, and anew when it was changed', async ({
  client,
  runtime,
  onTestFinished,
}) => {
  const engineer = client('engineer');
  await engineer.post('/channels', mail);
  const read = () => inTenant(runtime.database, 1, (transaction) => listEnabledChannels(transaction));
  const pool = createChannelPool({ box, ...surroundings, egressOf, receive: async () => {} });
  onTestFinished(() => pool.close());
  const [before] = await read();
  await engineer.put('/channels/1', { ...mail, priority: 2 });
  const [after] = await read();
  if (!before || !after) throw new Error('no channel');
  const first = pool.open(1, before);
  expect(pool.open(1, before)).toBe(first);
  expect(pool.open(2, before)).not.toBe(first);
  expect(pool.open(1, after)).not.toBe(first);
});

test('the settings of every kind that are asked for are those it checks', () => {
  for (const { settings } of channelRegistry.values()) expect(Check(settings, {})).toBe(false);
});
