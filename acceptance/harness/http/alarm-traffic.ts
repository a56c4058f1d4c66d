import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, HttpClient } from './http-client.ts';

/** One request of a source or an operator; its `mark` is found again in the journal. */
export type Action = {
  number: number;
  kind: 'raise' | 'reset' | 'acknowledge';
  tenantId: number;
  mark: string;
  /** Sent with an Idempotency-Key, so that it can be sent again. */
  keyed: boolean;
  path: string;
  body: object;
};

export type Outcome = Action & { answer: 'done' | 'unknown'; alarmId: number; tries: number };

/** A client of one server for each tenant. */
export type Route = { isAlive: () => boolean; clients: ReadonlyMap<number, HttpClient> };

/** Random integers from 0 to before `below`, the same for the same seed. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const knownTags = 300;

/** A raise, reset or acknowledgment of a random tag, which may be new or have no path. */
export function nextAction(
  number: number,
  {
    random,
    tenantId,
    alarmIds,
  }: { random: (below: number) => number; tenantId: number; alarmIds: readonly number[] },
): Action {
  const mark = `action ${number}`;
  const keyed = random(3) > 0;
  const acknowledged = alarmIds[random(alarmIds.length)];
  if (random(4) === 0 && acknowledged !== undefined) {
    const path = `/api/v1/alarms/${acknowledged}/acknowledge`;
    return { number, kind: 'acknowledge', tenantId, mark, keyed, path, body: { comment: mark } };
  }
  const raised = random(3) > 0;
  const named = random(20) > 0;
  const tag = random(20) > 0 ? `pump ${random(knownTags)}` : `new pump ${number}`;
  const body = { ...(named && { path: tag }), raised, value: mark };
  return { number, kind: raised ? 'raise' : 'reset', tenantId, mark, keyed, path: '/api/v1/alarms', body };
}

/**
 * Sends the action over the first route that is alive. When the connection breaks the result is unknown: an action with a
 * key is sent again, over another route if necessary; one without a key is not.
 */
export async function sendAction(action: Action, routes: readonly Route[]): Promise<Outcome> {
  const headers = action.keyed ? { 'idempotency-key': `key of ${action.mark}` } : {};
  for (let tries = 1; tries <= 20; tries++) {
    const client = routes.find(({ isAlive }) => isAlive())?.clients.get(action.tenantId);
    if (!client) throw new Error('no server is alive');
    const answer = await client.post(action.path, action.body, { headers }).catch(() => undefined);
    if (answer) return { ...action, answer: 'done', alarmId: alarmIdOf(action, answer), tries };
    if (!action.keyed) return { ...action, answer: 'unknown', alarmId: 0, tries };
    await sleep(20);
  }
  throw new Error(`${action.mark} was sent 20 times and never answered`);
}

function alarmIdOf({ kind, mark, path, body }: Action, answer: Answer): number {
  if (answer.status !== 200) {
    throw new Error(`${mark}: ${path} ${JSON.stringify(body)} was answered ${answer.status} ${answer.text}`);
  }
  if (kind !== 'acknowledge') return answer.json<number>();
  const { id, state } = answer.json<{ id: number; state: number }>();
  if ((state & 2) !== 0) throw new Error(`${mark}: acknowledged, and the alarm says it is not`);
  return id;
}
