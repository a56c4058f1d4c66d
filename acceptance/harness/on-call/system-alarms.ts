import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../http/http-client.ts';
import { type Page, read } from '../plant.ts';

export type SystemAlarm = { id: number; path: string; message: string; state: number };

/** The system alarms in the list of alarms. */
export async function systemAlarms(client: HttpClient): Promise<SystemAlarm[]> {
  const { items } = await read<Page<SystemAlarm>>(client, 'alarms?limit=1000');
  return items.filter(({ path }) => path.startsWith('tocsin/'));
}

/** Waits until the system alarms are as described. Answers after how many seconds they were, or fails. */
export async function untilSystemAlarms(
  client: HttpClient,
  are: (alarms: readonly SystemAlarm[]) => boolean,
  withinSeconds: number,
): Promise<number> {
  const beganMs = performance.now();
  for (;;) {
    const alarms = await systemAlarms(client);
    const seconds = (performance.now() - beganMs) / 1_000;
    if (are(alarms)) return seconds;
    if (seconds > withinSeconds) throw new Error(`after ${withinSeconds} s: ${JSON.stringify(alarms)}`);
    await sleep(250);
  }
}
