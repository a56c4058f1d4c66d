import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../http/http-client.ts';
import { create, type Page, raise, read } from '../plant.ts';
import type { Exchange } from './exchange.ts';
import { startSippPhone } from './sipp-phone.ts';

export type VoiceLoad = {
  /** Alarms that were taken by a key. */
  taken: number;
  /** The most calls that were live at the same moment. */
  atOnce: number;
  /** From the first alarm to the last acknowledgment. */
  seconds: number;
  /** Processes of calls that are left afterwards. */
  left: number;
};

/** The people press 1 after this time, so that all calls are live together. */
const talkMs = 20_000;
const waitMs = 120_000;

/** Calls so many people at once. All of them answer, and press 1 later. */
export async function callManyPeople(
  { client, exchange, callFolder }: { client: HttpClient; exchange: Exchange; callFolder: string },
  people: number,
): Promise<VoiceLoad> {
  const phones = await startSippPhone({ kind: 'answers', keys: '1', by: 'info', afterMs: talkMs });
  try {
    const groups: number[] = [];
    for (let number = 0; number < people; number += 1)
      groups.push(await hire(client, exchange, { number, port: phones.port }));
    const began = performance.now();
    await Promise.all(
      groups.map((id, place) =>
        raise(client, {
          path: `load/${place}`,
          alarmMessage: 'Trouble',
          alarmActions: [{ type: 'CallGroup', id }],
        }),
      ),
    );
    const { taken, atOnce } = await untilTaken(client, callFolder, people);
    const seconds = (performance.now() - began) / 1_000;
    return { taken, atOnce, seconds, left: await untilGone(callFolder) };
  } finally {
    await phones.stop();
  }
}

async function hire(
  client: HttpClient,
  exchange: Exchange,
  { number, port }: { number: number; port: number },
): Promise<number> {
  const address = `+33300${String(number).padStart(6, '0')}`;
  exchange.connect(address, port);
  const media = [{ kind: 'Voice', address }];
  const user = { username: `load${number}`, name: `Person ${number}`, role: 'operator', media };
  const userIds = [await create(client, 'users', user)];
  return create(client, 'callgroups', {
    name: `Load ${number}`,
    userIds,
    ackTimeout: 100,
    attempts: 1,
    cycles: 1,
  });
}

async function untilTaken(client: HttpClient, callFolder: string, people: number) {
  const deadline = performance.now() + waitMs;
  let [taken, atOnce] = [0, 0];
  while (taken < people && performance.now() < deadline) {
    atOnce = Math.max(atOnce, (await callProcesses(callFolder)).length);
    const { items } = await read<Page<{ ackUser: string; path: string }>>(client, 'alarms?limit=1000');
    taken = items.filter(
      ({ path, ackUser }) => path.startsWith('load/') && ackUser.startsWith('Person'),
    ).length;
    await sleep(500);
  }
  return { taken, atOnce };
}

async function untilGone(callFolder: string): Promise<number> {
  const deadline = performance.now() + 20_000;
  while ((await callProcesses(callFolder)).length > 0 && performance.now() < deadline) await sleep(200);
  return (await callProcesses(callFolder)).length;
}

/** The processes that carry calls, by the folder in their command line. */
async function callProcesses(callFolder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes('baresip') && line.includes(callFolder));
}
