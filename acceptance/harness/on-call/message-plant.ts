import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { create, openPlant, type Page, type Plant, raise, read } from '../plant.ts';
import type { TimelineEntry } from './story.ts';

export type MessageMedium = { kind: string; address: string };
export type AlarmNow = { state: number; ackUser: string };

/** A plant whose people are reached by messages through real channels. */
export type MessagePlant = Plant & {
  hire(name: string, media: readonly MessageMedium[]): Promise<number>;
  /** Raises an alarm that calls these people in turn, and returns its identifier. */
  alarmTo(userIds: readonly number[], settings?: object): Promise<number>;
  alarmOf(alarmId: number): Promise<AlarmNow>;
  timeline(alarmId: number): Promise<TimelineEntry[]>;
  /** Waits until the timeline of an alarm has an entry, and returns it. */
  untilEntry(alarmId: number, is: (entry: TimelineEntry) => boolean): Promise<TimelineEntry>;
  untilTakenBy(alarmId: number, name: string): Promise<void>;
};

const maxWaitMs = 25_000;

export async function openMessagePlant(environment: Record<string, string> = {}): Promise<MessagePlant> {
  const port = await freePort();
  const plant = await openPlant('', {
    ROLES: 'api,hub,dispatch',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    EGRESS_ALLOW: '127.0.0.0/8:*',
    ...environment,
  });
  const { client } = plant;
  let count = 0;
  const alarmOf = (alarmId: number) => read<AlarmNow>(client, `alarms/${alarmId}`);
  const timeline = async (alarmId: number) =>
    (await read<Page<TimelineEntry>>(client, `alarms/${alarmId}/timeline?limit=1000`)).items;
  return {
    ...plant,
    alarmOf,
    timeline,
    hire: (name, media) => {
      count += 1;
      const username = `${name.toLowerCase()}.${count}`;
      return create(client, 'users', { username, name, role: 'operator', media });
    },
    alarmTo: async (userIds, settings = {}) => {
      const number = (count += 1);
      const group = { name: `Group ${number}`, userIds, ackTimeout: 60, attempts: 1, cycles: 1, ...settings };
      const alarmActions = [{ type: 'CallGroup', id: await create(client, 'callgroups', group) }];
      return raise(client, {
        path: `hall/${number}`,
        alarmMessage: `Trouble in hall ${number}`,
        alarmActions,
      });
    },
    untilEntry: (alarmId, is) =>
      until(
        async () => (await timeline(alarmId)).find(is),
        async () => JSON.stringify(await timeline(alarmId)),
      ),
    untilTakenBy: async (alarmId, name) => {
      await until(
        async () => ((await alarmOf(alarmId)).ackUser === name ? true : undefined),
        async () => JSON.stringify([await alarmOf(alarmId), await timeline(alarmId)]),
      );
    },
  };
}

async function until<Found>(
  find: () => Promise<Found | undefined>,
  state: () => Promise<string>,
): Promise<Found> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`after ${maxWaitMs} ms: ${await state()}`);
    await sleep(100);
  }
}
