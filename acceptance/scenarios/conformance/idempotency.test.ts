import type { AlarmDetail } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addPhones,
  basePaths,
  create,
  idsOf,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

describe.each(basePaths)('retries at "%s"', (basePath) => {
  let plant: Plant;
  let userId: number;
  let callGroupId: number;

  beforeAll(async () => {
    plant = await openPlant(basePath);
    await addPhones(plant.client);
    const media = [{ kind: 'Voice', address: '+4930123456' }];
    userId = await create(plant.client, 'users', { username: 'ada', media });
    callGroupId = await create(plant.client, 'callgroups', { name: 'Day', userIds: [userId] });
  });
  afterAll(() => plant.close());

  const post = (path: string, body: object, key: string) =>
    plant.client.post(`/api/v1/${path}`, body, { headers: { 'idempotency-key': key } });
  const total = async (path: string) =>
    (await read<Page<object>>(plant.client, `${path}?limit=0`)).paging.total;

  test('§2 the same POST with the same Idempotency-Key gets the first answer, and makes nothing more', async () => {
    const body = { alarmMessage: 'Help' };
    const first = await post('alarms', body, 'retry-1');
    const before = await total('alarms');
    const second = await post('alarms', body, 'retry-1');
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(await total('alarms')).toBe(before);
  });

  test('§2 a retry is no repeat of the alarm', async () => {
    const body = { path: 'Retried' };
    const id = (await post('alarms', body, 'retry-2')).json<number>();
    await post('alarms', body, 'retry-2');
    expect((await read<AlarmDetail>(plant.client, `alarms/${id}`)).repeats).toBe(0);
  });

  test('§2 the same Idempotency-Key with another body is 409, and changes nothing', async () => {
    await post('alarms', { path: 'Kept', alarmMessage: 'One' }, 'retry-3');
    const answer = await post('alarms', { path: 'Kept', alarmMessage: 'Two' }, 'retry-3');
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'idempotency-key-reused' });
    const { items } = await read<Page<{ message: string }>>(plant.client, 'alarms?search=kept');
    expect(items.map(({ message }) => message)).toEqual(['One']);
  });

  test('§2 the same Idempotency-Key at another path is 409', async () => {
    await post('callgroups', { name: 'Elsewhere' }, 'retry-4');
    expect((await post('callgroupgroupings', { name: 'Elsewhere' }, 'retry-4')).status).toBe(409);
  });

  test('§2 without a key two POSTs are two', async () => {
    const first = await raise(plant.client, { alarmMessage: 'Help' });
    expect(await raise(plant.client, { alarmMessage: 'Help' })).toBe(first + 1);
  });

  test('§2 another key is another request', async () => {
    const first = await post('alarms', { alarmMessage: 'Help' }, 'retry-5');
    expect((await post('alarms', { alarmMessage: 'Help' }, 'retry-6')).text).not.toBe(first.text);
  });

  test('§2 twenty at once with one key raise one alarm and all get its id', async () => {
    const before = await total('alarms');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('alarms', { alarmMessage: 'At once' }, 'retry-7')),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await total('alarms')).toBe(before + 1);
  });

  test('§2 a request that was refused may be mended and sent again with its key', async () => {
    expect((await post('alarms', { path: 'Mended', stationId: 4_000 }, 'retry-8')).status).toBe(400);
    expect((await post('alarms', { path: 'Mended' }, 'retry-8')).status).toBe(200);
  });

  test('§2 the key of one caller is nothing to another', async () => {
    const first = await post('alarms', { alarmMessage: 'Mine' }, 'retry-9');
    const { key } = (await plant.client.post('/api/v1/apikeys', { name: 'Machine' })).json<{ key: string }>();
    const headers = { 'idempotency-key': 'retry-9' };
    const other = await plant.someone(key).post('/api/v1/alarms', { alarmMessage: 'Mine' }, { headers });
    expect(other.status).toBe(200);
    expect(other.text).not.toBe(first.text);
  });

  test.each(['callgroups', 'callgroupgroupings'])('§2 a retried POST of %s makes one', async (kind) => {
    const body = { name: `Once ${kind}` };
    const first = await post(kind, body, `once-${kind}`);
    const second = await post(kind, body, `once-${kind}`);
    expect(second.text).toBe(first.text);
    expect(await idsOf(plant.client, `${kind}?search=once`)).toEqual([first.json<number>()]);
  });

  test.each([
    ['call/users', () => ({ userIds: [userId], msgText: 'Come' })],
    ['call/groups', () => ({ callGroupIds: [callGroupId], msgText: 'Come' })],
  ])('§5 a retried POST of %s calls once and names the same call', async (path, body) => {
    const first = await post(path, body(), `call-${path}`);
    const before = await total('call/histories');
    const second = await post(path, body(), `call-${path}`);
    expect([first.text, second.text]).toEqual(['true', 'true']);
    expect(second.headers['call-id']).toBe(first.headers['call-id']);
    expect(await total('call/histories')).toBe(before);
  });

  test('§3 a retried acknowledgment answers the alarm as the first did', async () => {
    const id = await raise(plant.client, { path: 'Taken' });
    const first = await post(`alarms/${id}/acknowledge`, { comment: 'I go' }, 'ack-1');
    await plant.client.post(`/api/v1/alarms/${id}/reset`);
    const second = await post(`alarms/${id}/acknowledge`, { comment: 'I go' }, 'ack-1');
    expect(second.json()).toEqual(first.json());
    expect(second.json()).toMatchObject({ state: 1, comment: 'I go' });
  });

  test('§2 a key that is too long is 400', async () => {
    expect((await post('alarms', {}, 'x'.repeat(256))).status).toBe(400);
  });
});
