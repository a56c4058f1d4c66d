import { setTimeout as sleep } from 'node:timers/promises';
import { nextAction, seededRandom } from '../http/alarm-traffic.ts';
import type { HttpClient } from '../http/http-client.ts';

/** Changes alarms at a steady rate until it is stopped. */
export type Storm = { stop(): Promise<{ sent: number; answered: number }> };

/**
 * Calls `send` with the numbers 0, 1, 2 … at a steady rate; it answers whether the request was granted. Requests that are not
 * answered are not sent again: the list of the server decides what has happened.
 */
export function runStorm(perSecond: number, send: (number: number) => Promise<boolean>): Storm {
  const stopping = new AbortController();
  let [sent, answered] = [0, 0];
  const sendOne = async (number: number) => {
    if (await send(number).catch(() => false)) answered += 1;
  };
  const run = async () => {
    const sending: Promise<void>[] = [];
    const started = performance.now();
    while (!stopping.signal.aborted) {
      const due = Math.floor(((performance.now() - started) / 1_000) * perSecond);
      for (; sent < due; sent++) sending.push(sendOne(sent));
      await sleep(20);
    }
    await Promise.all(sending);
    return { sent, answered };
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** Raises, resets, acknowledges and masks alarms. */
export function startStorm(client: HttpClient, perSecond: number): Storm {
  const random = seededRandom(14);
  const alarmIds: number[] = [];
  return runStorm(perSecond, async (number) => {
    const masked = number % 9 === 0 ? alarmIds[random(alarmIds.length)] : undefined;
    const action =
      masked === undefined
        ? nextAction(number, { random, tenantId: 1, alarmIds })
        : { path: `/api/v1/alarms/${masked}/mask`, body: { reason: 'works', seconds: 1 + random(3) } };
    const answer = await client.post(action.path, action.body);
    if (answer.status !== 200) return false;
    if (action.path === '/api/v1/alarms' && alarmIds.length < 500) alarmIds.push(answer.json<number>());
    return true;
  });
}
