import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimelineEntry } from '../on-call/story.ts';
import { create, openPlant, type Page, type Plant, raise, read } from '../plant.ts';
import { type GammuModem, startGammuModem } from './gammu-modem.ts';
import type { StoryCentre } from './sms-centre.ts';

export type Guard = { readonly id: number; readonly name: string; readonly number: string };

/** A plant whose people are reached by SMS only. */
export type SmsPlant = Plant & {
  hire(name: string): Promise<Guard>;
  /** Raises an alarm that calls these people one after the other. */
  alarmFor(people: readonly Guard[], alarm?: object, group?: object): Promise<number>;
  alarmOf(alarmId: number): Promise<{ state: number; ackUser: string }>;
  untilTaken(alarmId: number): Promise<string>;
  timeline(alarmId: number): Promise<TimelineEntry[]>;
  /** Waits until the timeline has an entry that satisfies the condition. */
  untilTimeline(alarmId: number, has: (entry: TimelineEntry) => boolean): Promise<TimelineEntry>;
};

export type CentrePlant = SmsPlant & { readonly centre: StoryCentre };

export async function openCentrePlant(centre: StoryCentre): Promise<CentrePlant> {
  const plant = await openSmsPlant({});
  const settings = { host: '127.0.0.1', port: centre.port, ...centre.account, source: '+33700000001' };
  await create(plant.client, 'channels', { name: 'Provider', kind: 'smpp', settings });
  return {
    ...plant,
    centre,
    close: async () => {
      await plant.close();
      await centre.stop();
    },
  };
}

export async function openModemPlant(): Promise<SmsPlant & { readonly modem: GammuModem }> {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-modems-'));
  // The first tenant has the number 1.
  await mkdir(join(root, '1'));
  const modem = await startGammuModem(join(root, '1', 'gsm1'));
  const plant = await openSmsPlant({ SMS_MODEM_DIRECTORY: root });
  await create(plant.client, 'channels', { name: 'Modem', kind: 'modem', settings: { modem: 'gsm1' } });
  return {
    ...plant,
    modem,
    close: async () => {
      await plant.close();
      await modem.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The code in a text that asks for a reply. */
export function codeIn(text: string): string {
  const [, code = ''] = /Reply (\d{6}) to take/.exec(text) ?? [];
  return code;
}

const patienceMs = 40_000;

async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`after ${patienceMs / 1_000} s: ${what}`);
    await sleep(100);
  }
}

async function openSmsPlant(environment: Record<string, string>): Promise<SmsPlant> {
  const plant = await openPlant('', {
    ROLES: 'api,hub,dispatch',
    EGRESS_ALLOW: '127.0.0.0/8:*',
    ...environment,
  });
  const { client } = plant;
  let count = 0;
  const alarmOf: SmsPlant['alarmOf'] = (alarmId) => read(client, `alarms/${alarmId}`);
  const timeline: SmsPlant['timeline'] = async (alarmId) =>
    (await read<Page<TimelineEntry>>(client, `alarms/${alarmId}/timeline?limit=1000`)).items;
  return {
    ...plant,
    alarmOf,
    timeline,
    hire: async (name) => {
      count += 1;
      const number = `+33600${String(count).padStart(6, '0')}`;
      const media = [{ kind: 'Sms', address: number }];
      const username = `${name.toLowerCase()}.${count}`;
      return { id: await create(client, 'users', { username, name, role: 'operator', media }), name, number };
    },
    alarmFor: async (people, alarm = {}, group = {}) => {
      count += 1;
      const path = `hall/${count}`;
      const userIds = people.map(({ id }) => id);
      const body = { name: `Group of ${path}`, userIds, ackTimeout: 60, attempts: 1, cycles: 1, ...group };
      const alarmActions = [{ type: 'CallGroup', id: await create(client, 'callgroups', body) }];
      return await raise(client, { path, alarmMessage: `Trouble in ${path}`, alarmActions, ...alarm });
    },
    untilTaken: (alarmId) =>
      until('nobody has taken the alarm', async () => (await alarmOf(alarmId)).ackUser || undefined),
    untilTimeline: async (alarmId, has) => {
      let entries: TimelineEntry[] = [];
      return await until('no such entry', async () => {
        entries = await timeline(alarmId);
        return entries.find(has);
      }).catch((error: unknown) => {
        throw new Error(`${String(error)} in ${JSON.stringify(entries)}`);
      });
    },
  };
}
