import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, OldClient } from './old-client.ts';

/** One thing that a source or an operator does; `mark` is found again in the journal. */
export type Deed = {
  number: number;
  kind: 'raise' | 'reset' | 'acknowledge';
  tenantId: number;
  mark: string;
  /** Sent with an Idempotency-Key, so that it may be sent again. */
  keyed: boolean;
  path: string;
  body: object;
};

export type Outcome = Deed & { answer: 'done' | 'unknown'; alarmId: number; tries: number };

/** The way to one server for each tenant. */
export type Route = { isAlive: () => boolean; clients: ReadonlyMap<number, OldClient> };

/** A dice that falls the same way in every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const knownTags = 300;

/** Raises, resets and acknowledgments all over a plant, new tags and tags without a name among them. */
export function nextDeed(
  number: number,
  {
    roll,
    tenantId,
    alarmIds,
  }: { roll: (sides: number) => number; tenantId: number; alarmIds: readonly number[] },
): Deed {
  const mark = `deed ${number}`;
  const keyed = roll(3) > 0;
  const acknowledged = alarmIds[roll(alarmIds.length)];
  if (roll(4) === 0 && acknowledged !== undefined) {
    const path = `/api/v1/alarms/${acknowledged}/acknowledge`;
    return { number, kind: 'acknowledge', tenantId, mark, keyed, path, body: { comment: mark } };
  }
  const raised = roll(3) > 0;
  const named = roll(20) > 0;
  const tag = roll(20) > 0 ? `pump ${roll(knownTags)}` : `new pump ${number}`;
  const body = { ...(named && { path: tag }), raised, value: mark };
  return { number, kind: raised ? 'raise' : 'reset', tenantId, mark, keyed, path: '/api/v1/alarms', body };
}

/**
 * Sends the deed over the first route that is alive. When the connection breaks, what became of it is not known:
 * with a key it is sent again, over another route if need be, and without one it is left.
 */
export async function carryOut(deed: Deed, routes: readonly Route[]): Promise<Outcome> {
  const headers = deed.keyed ? { 'idempotency-key': `key of ${deed.mark}` } : {};
  for (let tries = 1; tries <= 20; tries++) {
    const client = routes.find(({ isAlive }) => isAlive())?.clients.get(deed.tenantId);
    if (!client) throw new Error('no server is left');
    const answer = await client.post(deed.path, deed.body, { headers }).catch(() => undefined);
    if (answer) return { ...deed, answer: 'done', alarmId: alarmIdOf(deed, answer), tries };
    if (!deed.keyed) return { ...deed, answer: 'unknown', alarmId: 0, tries };
    await sleep(20);
  }
  throw new Error(`${deed.mark} was sent 20 times and never answered`);
}

function alarmIdOf({ kind, mark, path, body }: Deed, answer: Answer): number {
  if (answer.status !== 200) {
    throw new Error(`${mark}: ${path} ${JSON.stringify(body)} was answered ${answer.status} ${answer.text}`);
  }
  if (kind !== 'acknowledge') return answer.json<number>();
  const { id, state } = answer.json<{ id: number; state: number }>();
  if ((state & 2) !== 0) throw new Error(`${mark}: acknowledged, and the alarm says it is not`);
  return id;
}
