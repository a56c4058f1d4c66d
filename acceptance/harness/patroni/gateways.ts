import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../http/http-client.ts';
import { postMarked } from '../http/marked-alarm.ts';

/** An alarm that was answered with 200. */
export type TakenAlarm = { mark: string; path: string; id: number };

export type Traffic = {
  /** Times of the 200s so far, in order (`performance.now()`). */
  readonly takenAt: readonly number[];
  /** Sends no alarm that is due later, and ends when each gateway has got a 200 for every alarm before. */
  stop(): Promise<TrafficRecord>;
};

export type TrafficRecord = {
  taken: TakenAlarm[];
  takenAt: readonly number[];
  /** How often each answer was given, by status and problem code; connection errors by their code. */
  answers: ReadonlyMap<string, number>;
  slowestMs: number;
};

export type Load = {
  /** Begins the marks of all alarms. */
  name: string;
  perSecond: number;
  gateways: number;
  /** Each gateway has one of them, and takes the next one when a connection fails. */
  clients: readonly HttpClient[];
};

/** How many alarms share a path. The others have a path of their own, so that new tags are created all the time. */
const knownPaths = 300;
const newPathEvery = 10;

/**
 * Gateways as plants have them: each keeps its alarms in order, sends one at a time with its own Idempotency-Key, and repeats
 * it until it is answered with 200, not before the time of `Retry-After`. What waits meanwhile is sent afterwards.
 */
export function startGateways({ name, perSecond, gateways, clients }: Load): Traffic {
  const taken: TakenAlarm[] = [];
  const takenAt: number[] = [];
  const answers = new Map<string, number>();
  const started = performance.now();
  let [endAt, slowestMs] = [Number.POSITIVE_INFINITY, 0];
  const everyMs = (1_000 / perSecond) * gateways;

  const deliver = async (gateway: number, mark: string, path: string) => {
    for (let lost = 0; ; ) {
      const client = clients[(gateway + lost) % clients.length];
      if (!client) throw new Error('there is no server');
      const { answer, status, error, ms } = await postMarked(client, mark, path);
      const code = status === 200 || !answer ? '' : ` ${answer.json<{ code: string }>().code}`;
      const key = answer ? `${status}${code}` : error;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      slowestMs = Math.max(slowestMs, ms);
      if (status === 200 && answer) {
        taken.push({ mark, path, id: answer.json<number>() });
        takenAt.push(performance.now());
        return;
      }
      if (!answer) lost += 1;
      // Not all at the same moment, as gateways are not started together.
      await sleep((Number(answer?.headers['retry-after'] ?? 1) + Math.random()) * 1_000);
    }
  };
  const run = async (gateway: number) => {
    const dueAt = (number: number) => started + (number + gateway / gateways) * everyMs;
    for (let number = 0; dueAt(number) < endAt; number++) {
      await sleep(Math.max(0, dueAt(number) - performance.now()));
      const mark = `${name} ${gateway}/${number}`;
      const isNew = number % newPathEvery === 0;
      await deliver(gateway, mark, isNew ? mark : `pump ${(gateway * 7 + number) % knownPaths}`);
    }
  };
  const running = Array.from({ length: gateways }, (_, gateway) => run(gateway));
  return {
    takenAt,
    stop: async () => {
      endAt = performance.now();
      await Promise.all(running);
      return { taken, takenAt, answers, slowestMs };
    },
  };
}

/** The longest time without a 200 from `from` to `to`, in seconds. */
export function longestPause(takenAt: readonly number[], from: number, to: number): number {
  const moments = [from, ...takenAt.filter((at) => at > from && at < to), to];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at))) / 1_000;
}
