import type { TimelineEntry } from '@tocsin/contract';
import { expect } from 'vitest';
import { expireMasks } from '../../alarms/expire-masks.ts';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { type Client, test } from '../../testing/app.fixture.ts';

async function timeline(client: Client, id: number): Promise<TimelineEntry[]> {
  return (await client.get(`/alarms/${id}/timeline`)).json<{ items: TimelineEntry[] }>().items;
}

test('the timeline distinguishes a key from an operator of the same name', async ({ client }) => {
  const sensor = client('machine', { keyId: 3, name: 'boiler room' });
  const bert = client('operator', { userId: 7, name: 'Bert' });
  const imitator = client('operator', { keyId: 5, name: 'Bert' });
  const id = (await sensor.post('/alarms', { path: 'boiler' })).json<number>();
  expect((await imitator.post(`/alarms/${id}/acknowledge`)).json()).toMatchObject({ ackUser: 'Bert' });
  await bert.post(`/alarms/${id}/comment`, { comment: 'I did not take it' });
  await imitator.post(`/alarms/${id}/comment`, { comment: 'yes I did' });
  await bert.post(`/alarms/${id}/mask`, { reason: 'work', seconds: 60 });
  await imitator.post(`/alarms/${id}/unmask`, { reason: 'done' });
  await imitator.post(`/alarms/${id}/reset`, { comment: 'cold' });
  const told = (await timeline(bert, id)).map(({ kind, actor, actorId }) => [kind, actor, actorId]);
  expect(told).toEqual([
    ['raised', 'boiler room', 'key:3'],
    ['acknowledged', 'Bert', 'key:5'],
    ['commented', 'Bert', 'user:7'],
    ['commented', 'Bert', 'key:5'],
    ['masked', 'Bert', 'user:7'],
    ['unmasked', 'Bert', 'key:5'],
    ['reset', 'Bert', 'key:5'],
  ]);
});

test('actions of the server itself are shown as such', async ({ client, runtime, clock }) => {
  const bert = client('operator', { userId: 7, name: 'Bert' });
  const id = (await bert.post('/alarms', { path: 'boiler' })).json<number>();
  await bert.post(`/alarms/${id}/mask`, { reason: 'work', seconds: 60 });
  clock.advance(61);
  await expireMasks(runtime, createAlarmWriter(runtime));
  const entries = await timeline(bert, id);
  expect(entries.at(-1)).toMatchObject({ kind: 'unmasked', actor: '', actorId: 'system' });
});
