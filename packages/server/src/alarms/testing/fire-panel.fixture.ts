import type { AlarmDetail, TimelineEntry } from '@tocsin/contract';
import { test as base, expect } from 'vitest';
import type { Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { type Client, clientsOf, openApp } from '../../testing/app.fixture.ts';
import { FakeClock, openPlant } from '../../testing/plant.fixture.ts';
import { fireAlarm } from './raise-only-key.fixture.ts';

/** The report of a fire panel. */
export const heat = { value: '93', location: { zone: 'Hall 1' } };

/** A fire alarm that belongs to a fire panel, as an administrator sees it. */
export type FireAlarm = {
  id: number;
  path: string;
  /** Sends a post for it, which must be accepted. */
  post(client: Client, body?: object): Promise<void>;
  detail(): Promise<AlarmDetail>;
  timeline(): Promise<TimelineEntry[]>;
  /** The members of its definition. */
  definition(): Promise<object>;
  /** The plans of the calls that are being made for it. */
  openCalls(): Promise<{ occurrenceId: number | null; plan: string }[]>;
  /** Expects the status that its panel has raised, and calls to the brigade only. */
  expectUntouched(occurrenceId: number): Promise<void>;
};

/** `test` with fire alarms in a plant that all tests of a file share; group 1 is the brigade, group 2 has Mallory. */
export const test = base
  .extend('clock', { scope: 'file' }, () => new FakeClock('2026-03-01T06:00:00Z'))
  .extend('plant', { scope: 'file' }, async ({ clock }, { onCleanup }) => {
    const { runtime, close } = await openPlant(clock);
    const principals = new Map<string, Principal>();
    const rateLimits = { perSecond: 1_000_000, intakePerSecond: 1_000_000 };
    const app = await openApp(runtime, principals, rateLimits);
    onCleanup(async () => {
      await app.close();
      await close();
    });
    const client = clientsOf(app, principals);
    const admin = client('admin', { userId: 9 });
    await furnish(admin);
    return { runtime, client, admin };
  })
  .extend('client', ({ plant }) => plant.client)
  .extend('admin', ({ plant }) => plant.admin)
  .extend(
    'describe',
    ({ plant: { runtime, admin } }) =>
      (place: { id: number; path: string }) =>
        describeAlarm(runtime, admin, place),
  )
  .extend('panel', ({ client }) => client('machine', { keyId: 1, name: 'Fire panel' }))
  .extend('sensor', ({ client }) => client('machine', { keyId: 2, name: 'Sensor' }))
  .extend('alarm', async ({ describe, panel }): Promise<FireAlarm> => {
    const path = `Fire/${crypto.randomUUID()}`;
    const made = await panel.post('/alarms', { ...fireAlarm, path, raised: false });
    expect(made.statusCode).toBe(200);
    return describe({ id: made.json<number>(), path });
  });

async function furnish(admin: Client): Promise<void> {
  const create = async (rows: string, body: object) =>
    expect((await admin.post(`/${rows}`, body)).statusCode).toBe(200);
  for (const name of ['Brigade', 'Mallory']) {
    const media = [{ kind: 'Voice', address: '+33123456789' }];
    await create('users', { username: name, name, media });
  }
  await create('callgroups', { name: 'Brigade', userIds: [1] });
  await create('callgroups', { name: 'Others', userIds: [2] });
  await create('stations', { name: 'Elsewhere' });
  await create('dataservers', { name: 'Other' });
  await create('scenarios', { name: 'Others', alarmActions: [{ type: 'CallGroup', id: 2 }] });
  await create('taggroups', { name: 'Halls' });
  await create('taggroups', { name: 'By itself', autoAcknowledge: true, scenarioId: 1 });
}

function describeAlarm(
  runtime: Runtime,
  admin: Client,
  { id, path }: { id: number; path: string },
): FireAlarm {
  const detail = async () => (await admin.get(`/alarms/${id}`)).json<AlarmDetail>();
  const openCalls = () => readOpenCalls(runtime, id);
  return {
    id,
    path,
    post: async (client, body = {}) => {
      const answer = await client.post('/alarms', { path, ...body });
      expect([answer.statusCode, answer.body]).toEqual([200, String(id)]);
    },
    detail,
    timeline: async () =>
      (await admin.get(`/alarms/${id}/timeline?limit=1000`)).json<{ items: TimelineEntry[] }>().items,
    definition: async () => definitionOf(await detail()),
    openCalls,
    expectUntouched: async (occurrenceId) => {
      expect(await detail()).toMatchObject({ state: 3, occurrenceId, ...heat });
      const calls = await openCalls();
      expect(calls.map((call) => call.occurrenceId)).toEqual([occurrenceId]);
      expect(calls[0]?.plan).toContain('Brigade');
      expect(calls[0]?.plan).not.toContain('Mallory');
    },
  };
}

/** Members of the status of an alarm, not of its definition. */
const status: readonly string[] = [
  'state',
  'value',
  'location',
  'alarmTime',
  'lastChange',
  'ackUser',
  'comment',
  'occurrenceId',
  'repeats',
  'masked',
];

function definitionOf(alarm: AlarmDetail): object {
  return Object.fromEntries(Object.entries(alarm).filter(([member]) => !status.includes(member)));
}

function readOpenCalls({ database }: Runtime, tagId: number) {
  return readTenant(database, 1, async (transaction) => {
    const escalations = await transaction
      .selectFrom('escalations')
      .select(['occurrenceId', 'plan'])
      .where('tenantId', '=', 1)
      .where('tagId', '=', tagId)
      .where('occasion', '=', 'raised')
      .where('closedAt', 'is', null)
      .execute();
    return escalations.map(({ occurrenceId, plan }) => ({ occurrenceId, plan: JSON.stringify(plan) }));
  });
}
