import type { AlarmHistory } from '@tocsin/contract';
import { create, logInAs, openPlant, type Page, type Plant, raise, read } from './plant.ts';

/** One of two sets of records that differ in everything a filter can select. */
export type Side = {
  stationId: number;
  dataServerId: number;
  /** The alarm is in a group below this one. */
  tagGroupId: number;
  callGroupId: number;
  userId: number;
  /** A word of its message. */
  word: string;
  /** The alarm. */
  tagId: number;
  alarmTime: string;
};

/** A plant with history: alarms of the sides alpha and beta, and alarms of the first station. */
export type HistoryPlant = Plant & {
  alpha: Side;
  beta: Side;
  /** Neither acknowledged nor reset. */
  open: number;
  /** Reset, and never acknowledged. */
  returned: number;
  /** Reset first, and acknowledged afterwards. */
  late: number;
};

const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_050));

/** Alpha is raised a second before the others, acknowledged a second later and reset another second later. */
export async function openHistoryPlant(basePath: string): Promise<HistoryPlant> {
  const plant = await openPlant(basePath);
  const { client } = plant;
  const alpha = await openSide(plant, 'alpha', 'Asia/Kolkata');
  await aSecond();
  const beta = await openSide(plant, 'beta', 'America/St_Johns');
  const open = await raise(client, { path: 'Open' });
  const returned = await raise(client, { path: 'Returned' });
  const late = await raise(client, { path: 'Late' });
  await alpha.act('acknowledge', { comment: 'Mopped up' });
  await aSecond();
  await alpha.act('reset');
  await beta.act('acknowledge');
  for (const id of [returned, late]) await client.post(`/api/v1/alarms/${id}/reset`);
  await aSecond();
  await client.post(`/api/v1/alarms/${late}/acknowledge`);
  return { ...plant, alpha, beta, open, returned, late };
}

async function openSide(plant: Plant, word: string, timeZone: string) {
  const { client } = plant;
  const stationId = await create(client, 'stations', { name: word, timeZone });
  const dataServerId = await create(client, 'dataservers', { name: word });
  const tagGroupId = await create(client, 'taggroups', { name: word });
  const below = await create(client, 'taggroups', { name: `below ${word}`, parentId: tagGroupId });
  const callGroupId = await create(client, 'callgroups', { name: word });
  const user = await logInAs(plant, { username: word, name: `Operator ${word}`, role: 'operator' });
  const tagId = await raise(client, {
    stationId,
    dataServerId,
    tagGroupId: below,
    path: `Tag ${word}`,
    alarmMessage: `Flood in hall ${word}`,
    priority: 2,
    alarmActions: [{ type: 'CallGroup', id: callGroupId }],
  });
  const { items } = await read<Page<AlarmHistory>>(client, `alarms/histories?stationId=${stationId}`);
  return {
    stationId,
    dataServerId,
    tagGroupId,
    callGroupId,
    userId: user.id,
    word,
    tagId,
    alarmTime: items[0]?.alarmTime ?? '',
    act: (verb: string, body?: object) => user.client.post(`/api/v1/alarms/${tagId}/${verb}`, body),
  };
}

/** The latest history entry of an alarm. */
export async function latestEntry(plant: Plant, tagId: number): Promise<AlarmHistory> {
  const { items } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories?limit=1000');
  const entry = items.find((item) => item.tagId === tagId);
  if (!entry) throw new Error(`alarm ${tagId} has no history`);
  return entry;
}
