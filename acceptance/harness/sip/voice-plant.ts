import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubConsole, openConsole } from '../hub/console.ts';
import type { TimelineEntry } from '../on-call/story.ts';
import { create, granted, openPlant, type Page, type Plant, raise, read } from '../plant.ts';
import { type Server, startServer } from '../server.ts';
import { shownCalls } from './call-views.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { type Phone, type PhoneSettings, startPhone } from './phone.ts';
import { type SippPhone, startSippPhone } from './sipp-phone.ts';
import type { SippBehaviour } from './sipp-scenario.ts';

/** A person with a telephone. */
export type Person = { readonly id: number; readonly name: string; readonly number: string };

export type HistoryRow = { status: string; alarmId: number };

/** A plant that calls real telephones through a trunk. */
export type VoicePlant = Plant & {
  readonly exchange: Exchange;
  /** Where the server keeps the files of calls. */
  readonly callFolder: string;
  /** A person whose phone is a baresip. */
  hire(name: string, phone?: Partial<PhoneSettings>): Promise<Person & { phone: Phone }>;
  /** A person whose phone follows a script. */
  hireScripted(name: string, behaviour: SippBehaviour): Promise<Person & { phone: SippPhone }>;
  /** Raises an alarm that calls these people, one after the other. */
  alarm(people: readonly Person[], body?: object, group?: object): Promise<number>;
  alarmOf(alarmId: number): Promise<{ state: number; ackUser: string }>;
  timeline(alarmId: number): Promise<TimelineEntry[]>;
  history(who: Person): Promise<HistoryRow[]>;
  /** The calls of an alarm as history, timeline and hub show them. */
  shown(alarmId: number): Promise<string[]>;
  acknowledge(alarmId: number): Promise<void>;
};

/** Settings of a server that makes telephone calls. */
export function voiceEnvironment(callFolder: string): Record<string, string> {
  return {
    ROLES: 'api,hub,dispatch',
    EGRESS_ALLOW: '127.0.0.0/8:*',
    CALL_FOLDER: callFolder,
    SPEECH_PROFILES: 'espeak-ng',
    SPEECH_DIRECTORY: join(callFolder, 'speech'),
  };
}

/** Starts another server of the same installation, with its own folder of calls unless it takes over that of a dead one. */
export async function addVoiceServer(
  { databaseUrl }: Pick<VoicePlant, 'databaseUrl'>,
  callFolder?: string,
): Promise<Server> {
  const folder = callFolder ?? (await mkdtemp(join(tmpdir(), 'tocsin-calls-')));
  return startServer({ databaseUrl, environment: { DRAIN_MS: '0', ...voiceEnvironment(folder) } });
}

export async function openVoicePlant(
  settings: object = {},
  trunks: readonly object[] = [],
): Promise<VoicePlant> {
  const callFolder = await mkdtemp(join(tmpdir(), 'tocsin-calls-'));
  const exchange = await startExchange();
  const plant = await openPlant('', voiceEnvironment(callFolder));
  const trunk = { host: '127.0.0.1', port: exchange.port, lines: 50, ringSeconds: 5, ...settings };
  for (const [place, more] of [...trunks, {}].entries())
    await create(plant.client, 'channels', {
      name: `Trunk ${place + 1}`,
      kind: 'sip',
      medium: 'Voice',
      priority: place + 1,
      settings: { ...trunk, ...more },
    });
  const screen = await openConsole(plant.baseUrl, plant.client.token ?? '');
  return voicePlant(plant, { exchange, callFolder, screen });
}

type VoiceParts = Pick<VoicePlant, 'exchange' | 'callFolder'> & { screen: HubConsole };

function voicePlant(plant: Plant, { exchange, callFolder, screen }: VoiceParts): VoicePlant {
  const { client } = plant;
  const phones: { stop(): Promise<void> }[] = [];
  let count = 0;
  const numberFor = () => {
    count += 1;
    return `+33100${String(count).padStart(6, '0')}`;
  };
  const employ = async (name: string, number: string): Promise<Person> => {
    const username = `${name.toLowerCase()}${number.slice(-6)}`;
    const media = [{ kind: 'Voice', address: number }];
    return { id: await create(client, 'users', { username, name, role: 'operator', media }), name, number };
  };
  return {
    ...plant,
    exchange,
    callFolder,
    hire: async (name, settings = {}) => {
      const number = numberFor();
      const phone = await startPhone({ number, ...settings });
      phones.push(phone);
      exchange.connect(number, phone.port);
      return { ...(await employ(name, number)), phone };
    },
    hireScripted: async (name, behaviour) => {
      const number = numberFor();
      const phone = await startSippPhone(behaviour);
      phones.push(phone);
      exchange.connect(number, phone.port);
      return { ...(await employ(name, number)), phone };
    },
    alarm: async (people, body = {}, group = {}) => {
      count += 1;
      const place = count;
      const userIds = people.map(({ id }) => id);
      const quick = { ackTimeout: 100, attempts: 1, cycles: 1 };
      const groupId = await create(client, 'callgroups', {
        name: `Group ${place}`,
        userIds,
        ...quick,
        ...group,
      });
      const alarmActions = [{ type: 'CallGroup', id: groupId }];
      const path = `voice/${place}`;
      return raise(client, { path, alarmMessage: `Trouble in hall ${place}`, alarmActions, ...body });
    },
    alarmOf: (alarmId) => read(client, `alarms/${alarmId}`),
    timeline: async (alarmId) =>
      (await read<Page<TimelineEntry>>(client, `alarms/${alarmId}/timeline?limit=1000`)).items,
    history: async ({ id }) =>
      (await read<Page<HistoryRow>>(client, `call/histories?userId=${id}&sort=%2Bid`)).items,
    shown: (alarmId) => shownCalls({ client, screen }, alarmId),
    acknowledge: async (alarmId) =>
      void granted(await client.post(`/api/v1/alarms/${alarmId}/acknowledge`, {})),
    close: async () => {
      await screen.stop();
      await plant.close();
      await Promise.all(phones.map((phone) => phone.stop()));
      await exchange.stop();
    },
  };
}
