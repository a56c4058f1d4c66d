import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from 'vitest';
import type { LogLine } from '../phone-company/protocol.ts';
import { granted, type Page, raise, read } from '../plant.ts';
import { type Colleague, type OnCallPlant, openOnCallPlant } from './on-call-plant.ts';

export type TimelineEntry = {
  kind: string;
  actor: string;
  detail: string;
  call?: { userId: number; attemptId: number; status: string; address: string; medium: string };
  answer?: { judgement: string; intent: string; way: string };
  notice?: { kind: string; callGroupId: number };
};

/** The context of one story. Its alarms are acknowledged at the end, so that calling stops. */
export type Scene = OnCallPlant & {
  /** Raises an alarm that calls the group. */
  alarm(groupId: number, body?: object): Promise<number>;
  /** Applies a verb to an alarm: `acknowledge`, `mask`, … */
  act(alarmId: number, verb: string, body?: object): Promise<void>;
  alarmOf(alarmId: number): Promise<{ state: number; ackUser: string }>;
  timeline(alarmId: number): Promise<TimelineEntry[]>;
  untilCalled(who: Colleague, wanted?: { count?: number; withinMs?: number }): Promise<LogLine[]>;
  /** Waits until the alarm satisfies the condition. */
  untilAlarm(alarmId: number, is: (alarm: { state: number; ackUser: string }) => boolean): Promise<void>;
};

let paths = 0;

function openScene(plant: OnCallPlant): { scene: Scene; end: () => Promise<void> } {
  const raised: number[] = [];
  const { client, log } = plant;
  const act: Scene['act'] = async (alarmId, verb, body = {}) =>
    void granted(await client.post(`/api/v1/alarms/${alarmId}/${verb}`, body));
  const alarmOf: Scene['alarmOf'] = (alarmId) => read(client, `alarms/${alarmId}`);
  const scene: Scene = {
    ...plant,
    act,
    alarmOf,
    alarm: async (groupId, body = {}) => {
      paths += 1;
      const alarmActions = [{ type: 'CallGroup', id: groupId }];
      const path = `hall/${paths}`;
      const id = await raise(client, { path, alarmMessage: `Trouble in ${path}`, alarmActions, ...body });
      raised.push(id);
      return id;
    },
    timeline: async (alarmId) =>
      (await read<Page<TimelineEntry>>(client, `alarms/${alarmId}/timeline?limit=1000`)).items,
    untilCalled: ({ phone, mobile }, wanted) =>
      log.until(({ event, to }) => event === 'accepted' && (to === phone || to === mobile), wanted),
    untilAlarm: async (alarmId, is) => {
      const deadline = performance.now() + 20_000;
      while (!is(await alarmOf(alarmId))) {
        if (performance.now() > deadline)
          throw new Error(`after 20 s: ${JSON.stringify(await alarmOf(alarmId))}`);
        await sleep(100);
      }
    },
  };
  const end = async () => {
    for (const id of raised) await client.post(`/api/v1/alarms/${id}/acknowledge`, {});
  };
  return { scene, end };
}

/** A story is a test on a real server and the phone company. Those of one file share them, and run side by side. */
export const story = base
  .extend('opened', { scope: 'file' }, () => openOnCallPlant())
  .extend('plant', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(() => opened.close());
    return opened;
  })
  .extend('scene', ({ plant }, { onCleanup }) => {
    const { scene, end } = openScene(plant);
    onCleanup(end);
    return scene;
  });

/** Seconds between two lines, by the phone company's clock. */
export function secondsBetween(one: LogLine | undefined, other: LogLine | undefined): number {
  if (!one || !other) throw new Error('both lines are needed');
  return (Date.parse(other.at) - Date.parse(one.at)) / 1_000;
}
