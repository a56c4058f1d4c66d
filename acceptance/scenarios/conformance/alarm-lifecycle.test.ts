import type { Alarm, AlarmDetail, TimelineEntry } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  basePaths,
  create,
  granted,
  idsOf,
  offsetDateTime,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

describe.each(basePaths)('the life of an alarm at "%s"', (basePath) => {
  let plant: Plant;
  let number = 0;

  beforeAll(async () => {
    plant = await openPlant(basePath);
  });
  afterAll(() => plant.close());

  type Tag = { path: string; id: number };
  const newTag = async (body: object = {}): Promise<Tag> => {
    number += 1;
    const path = `Tag ${number}`;
    return { path, id: await raise(plant.client, { path, ...body }) };
  };
  const send = ({ path }: Tag, body: object = {}) => raise(plant.client, { path, ...body });
  const act = async ({ id }: Tag, verb: string, body?: object) =>
    granted<Alarm>(await plant.client.post(`/api/v1/alarms/${id}/${verb}`, body));
  const detail = ({ id }: Tag) => read<AlarmDetail>(plant.client, `alarms/${id}`);
  const state = async (tag: Tag) => (await detail(tag)).state;
  const isListed = async ({ id }: Tag, query = '') =>
    (await idsOf(plant.client, `alarms?limit=1000${query}`)).includes(id);
  const occurrences = async ({ id }: Tag) => {
    const { items } = await read<Page<{ tagId: number }>>(plant.client, 'alarms/histories?limit=1000');
    return items.filter(({ tagId }) => tagId === id);
  };
  const timeline = async ({ id }: Tag) =>
    (await read<Page<TimelineEntry>>(plant.client, `alarms/${id}/timeline?limit=100`)).items;

  /** A tag brought into a state through the interface. */
  const tagIn = async (wanted: number, body: object = {}): Promise<Tag> => {
    const tag = await newTag(body);
    if (wanted === 1 || wanted === 0) await act(tag, 'acknowledge');
    if (wanted === 2 || wanted === 0) await act(tag, 'reset');
    return tag;
  };

  test.each([
    ['0 normal', 0, 'acknowledge', 0],
    ['0 normal', 0, 'reset', 0],
    ['3 active, unacknowledged', 3, 'acknowledge', 1],
    ['3 active, unacknowledged', 3, 'reset', 2],
    ['1 active, acknowledged', 1, 'acknowledge', 1],
    ['1 active, acknowledged', 1, 'reset', 0],
    ['2 returned, unacknowledged', 2, 'acknowledge', 0],
    ['2 returned, unacknowledged', 2, 'reset', 2],
  ])('§3 from %s (%i) %s leads to %i', async (_name, from, verb, to) => {
    const tag = await tagIn(from);
    expect(await state(tag)).toBe(from);
    expect((await act(tag, verb)).state).toBe(to);
    expect(await state(tag)).toBe(to);
  });

  test.each([
    ['0 normal', 0, 3, 2],
    ['3 active, unacknowledged', 3, 3, 1],
    ['1 active, acknowledged', 1, 1, 1],
    ['2 returned, unacknowledged', 2, 3, 2],
  ])('§3 from %s (%i) a raise leads to %i, and history has %i entries', async (_name, from, to, entries) => {
    const tag = await tagIn(from);
    await send(tag);
    expect(await state(tag)).toBe(to);
    expect(await occurrences(tag)).toHaveLength(entries);
  });

  test('§3 a reactivatable alarm that was acknowledged is raised anew as a new occurrence', async () => {
    const tag = await tagIn(1, { eventCondition: { reactivatable: true } });
    await send(tag);
    expect(await state(tag)).toBe(3);
    expect(await occurrences(tag)).toHaveLength(2);
  });

  test('§2 a raise of an active alarm is counted as a repeat', async () => {
    const tag = await newTag();
    await send(tag);
    await send(tag);
    expect((await detail(tag)).repeats).toBe(2);
  });

  test('§2 raised false resets an active alarm', async () => {
    const tag = await newTag();
    await send(tag, { raised: false });
    expect(await state(tag)).toBe(2);
  });

  test('§2 raised false on an inactive tag stores the definition and raises nothing', async () => {
    const tag = await tagIn(0);
    await send(tag, { raised: false, alarmMessage: 'Renamed' });
    expect(await detail(tag)).toMatchObject({ state: 0, message: 'Renamed' });
    expect(await occurrences(tag)).toHaveLength(1);
  });

  test('§2 a transitory alarm is raised and reset at once, and still needs acknowledgment', async () => {
    const tag = await newTag({ eventCondition: { transitory: true } });
    expect(await state(tag)).toBe(2);
    expect((await act(tag, 'acknowledge')).state).toBe(0);
  });

  test('§2 an alarm that is not resettable is reset by an operator and by nobody else', async () => {
    const tag = await newTag({ eventCondition: { resettable: false } });
    await send(tag, { raised: false });
    expect(await state(tag)).toBe(3);
    expect((await act(tag, 'reset')).state).toBe(2);
  });

  test('§2 with a value equal to eventCondition.value the alarm is raised', async () => {
    const tag = await newTag({ raised: false, eventCondition: { value: 'HIGH' } });
    await send(tag, { value: 'HIGH' });
    expect(await detail(tag)).toMatchObject({ state: 3, value: 'HIGH' });
  });

  test('§2 with a value other than eventCondition.value the alarm is reset', async () => {
    const tag = await newTag({ raised: false, eventCondition: { value: 'HIGH' } });
    await send(tag, { value: 'HIGH' });
    await send(tag, { value: 'LOW' });
    expect(await detail(tag)).toMatchObject({ state: 2, value: 'LOW' });
  });

  test('§2 raised in the body decides, whatever the value', async () => {
    const tag = await newTag({ raised: true, value: 'LOW', eventCondition: { value: 'HIGH' } });
    expect(await state(tag)).toBe(3);
  });

  test('§2 a temporary tag vanishes once reset and acknowledged', async () => {
    const tag = await newTag({ temporary: true });
    await act(tag, 'acknowledge');
    expect(await isListed(tag)).toBe(true);
    await act(tag, 'reset');
    expect(await isListed(tag)).toBe(false);
    expect((await plant.client.get(`/api/v1/alarms/${tag.id}`)).status).toBe(404);
  });

  test('§2 the history of a temporary tag stays', async () => {
    const tag = await tagIn(0, { temporary: true });
    expect(await occurrences(tag)).toHaveLength(1);
  });

  test('§3 a tag group may acknowledge by itself on reset', async () => {
    const tagGroupId = await create(plant.client, 'taggroups', { name: 'Quiet', autoAcknowledge: true });
    const tag = await newTag({ tagGroupId });
    await send(tag, { raised: false });
    expect(await state(tag)).toBe(0);
    expect((await occurrences(tag))[0]).toHaveProperty('ackTime');
  });

  test('§3 state 0 leaves the list of current alarms, and is still read by its id', async () => {
    const tag = await tagIn(0);
    expect(await isListed(tag)).toBe(false);
    expect((await detail(tag)).state).toBe(0);
  });

  test('§3 states 1, 2 and 3 are listed', async () => {
    for (const wanted of [1, 2, 3]) expect(await isListed(await tagIn(wanted)), `${wanted}`).toBe(true);
  });

  test('§3 acknowledge answers the alarm with the user', async () => {
    const alarm = await act(await newTag(), 'acknowledge');
    expect(Object.keys(alarm)).toHaveLength(20);
    expect(alarm).toMatchObject({ state: 1, ackUser: 'admin' });
  });

  test('§3 acknowledge takes a comment', async () => {
    expect(await act(await newTag(), 'acknowledge', { comment: 'I go' })).toMatchObject({ comment: 'I go' });
  });

  test('§3 reset takes a comment', async () => {
    expect(await act(await newTag(), 'reset', { comment: 'Dry' })).toMatchObject({
      state: 2,
      comment: 'Dry',
    });
  });

  test('§3 comment changes the comment and nothing of the state', async () => {
    expect(await act(await newTag(), 'comment', { comment: 'Again' })).toMatchObject({
      state: 3,
      comment: 'Again',
      ackUser: '',
    });
  });

  test('§3 a new occurrence begins unacknowledged and without comment', async () => {
    const tag = await newTag();
    await act(tag, 'acknowledge', { comment: 'First' });
    await act(tag, 'reset');
    await send(tag);
    expect(await detail(tag)).toMatchObject({ state: 3, ackUser: '', comment: '', repeats: 0 });
  });

  test('§3 mask sets bit 2 of the state and masked, and leaves bits 0 and 1', async () => {
    const tag = await newTag();
    expect(await act(tag, 'mask', { reason: 'under repair' })).toMatchObject({ state: 7, masked: true });
  });

  test('§3 a mask says until when, why and by whom', async () => {
    const tag = await newTag();
    await act(tag, 'mask', { reason: 'under repair', seconds: 600 });
    const { maskedUntil = '', maskReason, maskedBy } = await detail(tag);
    expect([maskReason, maskedBy]).toEqual(['under repair', 'admin']);
    expect(maskedUntil).toMatch(offsetDateTime);
    expect(Math.abs(Date.parse(maskedUntil) - Date.now() - 600_000)).toBeLessThan(30_000);
  });

  test('§3 a mask lasts 8 hours by default', async () => {
    const tag = await newTag();
    await act(tag, 'mask', { reason: 'under repair' });
    const { maskedUntil = '' } = await detail(tag);
    expect(Math.abs(Date.parse(maskedUntil) - Date.now() - 8 * 3_600_000)).toBeLessThan(30_000);
  });

  test('§3 a mask is cut to the maximum of the tenant', async () => {
    const { limits } = await read<{ limits: { maskSeconds: number } }>(plant.client, 'meta');
    const tag = await newTag();
    await act(tag, 'mask', { reason: 'for ever', seconds: 31_536_000 });
    const { maskedUntil = '' } = await detail(tag);
    const seconds = Math.min(limits.maskSeconds, 31_536_000);
    expect(Math.abs(Date.parse(maskedUntil) - Date.now() - seconds * 1_000)).toBeLessThan(30_000);
  });

  test.each([
    ['without a reason', {}],
    ['with an empty reason', { reason: '' }],
  ])('§3 a mask %s is 400', async (_how, body) => {
    const { id } = await newTag();
    const answer = await plant.client.post(`/api/v1/alarms/${id}/mask`, body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/reason' }] });
  });

  test('§3 unmask takes the mask away', async () => {
    const tag = await newTag();
    await act(tag, 'mask', { reason: 'under repair' });
    expect(await act(tag, 'unmask')).toMatchObject({ state: 3, masked: false });
    expect(await detail(tag)).not.toHaveProperty('maskedUntil');
  });

  test('§3 a masked alarm still changes: raise, acknowledge and reset set bits 0 and 1', async () => {
    const tag = await newTag({ raised: false });
    await act(tag, 'mask', { reason: 'under repair' });
    await send(tag);
    expect(await state(tag)).toBe(7);
    expect((await act(tag, 'acknowledge')).state).toBe(5);
    expect((await act(tag, 'reset')).state).toBe(4);
  });

  test('§3 a mask ends by itself', async () => {
    const tag = await newTag();
    await act(tag, 'mask', { reason: 'a moment', seconds: 1 });
    expect(await state(tag)).toBe(7);
    await expect.poll(() => state(tag), { timeout: 15_000, interval: 100 }).toBe(3);
  });

  test('§3 the timeline lists the events in order, with actor and state', async () => {
    const tag = await newTag();
    await send(tag);
    await act(tag, 'acknowledge', { comment: 'I go' });
    await act(tag, 'mask', { reason: 'repair' });
    await act(tag, 'unmask', { reason: 'done' });
    await act(tag, 'comment', { comment: 'Dry' });
    await act(tag, 'reset');
    const entries = await timeline(tag);
    expect(entries.map(({ kind, state, detail }) => [kind, state, detail])).toEqual([
      ['raised', 3, ''],
      ['repeated', 3, ''],
      ['acknowledged', 1, 'I go'],
      ['masked', 5, 'repair'],
      ['unmasked', 1, 'done'],
      ['commented', 1, 'Dry'],
      ['reset', 0, ''],
    ]);
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['admin']));
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).toSorted((a, b) => a - b));
    for (const { time } of entries) expect(time).toMatch(offsetDateTime);
  });

  test('§3 the timeline is a PagingCollection', async () => {
    const tag = await newTag();
    await send(tag);
    const page = await read<Page<TimelineEntry>>(plant.client, `alarms/${tag.id}/timeline?offset=1&limit=1`);
    expect(page.paging).toEqual({ offset: 1, limit: 1, total: 2 });
    expect(page.items.map(({ kind }) => kind)).toEqual(['repeated']);
  });

  test.each(['acknowledge', 'reset', 'mask', 'unmask', 'comment'])(
    '§3 %s of an alarm that does not exist is 404',
    async (verb) => {
      const answer = await plant.client.post(`/api/v1/alarms/4000/${verb}`, { reason: 'x', comment: 'x' });
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not-found' });
    },
  );

  test.each(['', '/timeline'])('§3 GET /api/v1/alarms/{id}%s of no alarm is 404', async (rest) => {
    expect((await plant.client.get(`/api/v1/alarms/4000${rest}`)).status).toBe(404);
  });

  test.each(['0', 'abc', '-1', '1.5', '4294967296', 'figures'])(
    '§3 GET /api/v1/alarms/%s, which names no alarm, is 404',
    async (id) => {
      expect((await plant.client.get(`/api/v1/alarms/${id}`)).status).toBe(404);
    },
  );

  test('§3 comment without a comment is 400', async () => {
    const { id } = await newTag();
    const answer = await plant.client.post(`/api/v1/alarms/${id}/comment`, {});
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/comment' }] });
  });
});
