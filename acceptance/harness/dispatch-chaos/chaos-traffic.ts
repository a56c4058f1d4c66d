import { setTimeout as sleep } from 'node:timers/promises';
import { dice } from '../alarm-traffic.ts';
import type { Answer, OldClient } from '../old-client.ts';
import type { ChaosSize } from './chaos-size.ts';
import type { ClientLine, ClientLog } from './client-log.ts';

export type Customer = { tenantId: number; clients: readonly OldClient[]; groupIds: readonly number[] };

export type Traffic = { seed: number; size: ChaosSize; customers: readonly Customer[]; log: ClientLog };

type Deed = Pick<ClientLine, 'op' | 'key' | 'message' | 'priority'> & { path: string; body: object };

/** Raises all alarms, evenly over the time, and lets operators act on some of them a while later. */
export async function makeTraffic(traffic: Traffic): Promise<void> {
  const { seed, size } = traffic;
  const roll = dice(seed * 7 + 1);
  const pauseMs = (size.seconds * 1_000) / size.alarms;
  const started = performance.now();
  const underway: Promise<void>[] = [];
  for (let number = 0; number < size.alarms; number++) {
    await sleep(Math.max(0, started + number * pauseMs - performance.now()));
    const customer = traffic.customers[roll(traffic.customers.length)];
    if (customer) underway.push(liveThrough(traffic, customer, { number, roll }));
  }
  await Promise.all(underway);
}

/** One alarm: raised, and perhaps acknowledged, reset or masked by somebody at a screen. */
async function liveThrough(
  traffic: Traffic,
  customer: Customer,
  { number, roll }: { number: number; roll: (sides: number) => number },
): Promise<void> {
  // Now, and not when the answers come: their order is not the seed's.
  const [fate, afterMs, priority] = [roll(10), 500 + roll(traffic.size.actSeconds * 1_000), 1 + roll(3)];
  const groupId = customer.groupIds[roll(customer.groupIds.length)];
  const key = `chaos/${traffic.seed}/${number}`;
  const message = `Alarm ${number} of ${traffic.seed}`;
  const body = {
    path: key,
    alarmMessage: message,
    priority,
    alarmDelay: roll(3),
    alarmActions: [{ type: 'CallGroup', id: groupId }],
  };
  const deed = { key, message, priority };
  const alarmId = await insist(traffic, customer, { op: 'raise', ...deed, path: 'alarms', body });
  if (alarmId === 0) return;
  await sleep(afterMs);
  const act = (op: 'acknowledge' | 'mask' | 'unmask', more: object) =>
    insist(traffic, customer, { op, ...deed, path: `alarms/${alarmId}/${op}`, body: more });
  const reset = () =>
    insist(traffic, customer, { op: 'reset', ...deed, path: 'alarms', body: { ...body, raised: false } });
  if (fate < 3) await act('acknowledge', {});
  // Some are mended too, a while after somebody took them.
  if (fate === 0) await sleep(1_500);
  if (fate === 0 || fate === 3) await reset();
  if (fate === 4) {
    await act('mask', { reason: 'chaos', seconds: 3_600 });
    await sleep(2_000);
    await act('unmask', { reason: 'enough' });
  }
}

/** Sends it again under its key until somebody says yes or no. Answers the alarm's number, 0 when it was refused. */
export async function insist(
  { seed, log }: Pick<Traffic, 'seed' | 'log'>,
  { tenantId, clients }: Customer,
  { path, body, ...deed }: Deed,
): Promise<number> {
  const headers = { 'idempotency-key': `${deed.op} ${deed.key}` };
  for (let tries = 0; tries < 200; tries++) {
    const client = clients[tries % clients.length];
    const invoked = Date.now();
    const answer = await client?.post(`/api/v1/${path}`, body, { headers }).catch(() => undefined);
    const { outcome, alarmId } = heard(answer);
    log.write({ seed, tenantId, ...deed, invoked, ended: Date.now(), outcome, alarmId });
    if (outcome !== 'unknown') return alarmId;
    await sleep(250);
  }
  throw new Error(`${deed.op} ${deed.key} was never answered`);
}

/** Only 200 is yes, and only a refusal for good is no. */
function heard(answer: Answer | undefined): Pick<ClientLine, 'outcome' | 'alarmId'> {
  const status = answer?.status ?? 0;
  if (answer === undefined || status === 429 || status >= 500) return { outcome: 'unknown', alarmId: 0 };
  if (status !== 200) return { outcome: 'fail', alarmId: 0 };
  const said = answer.json<number | { id: number }>();
  return { outcome: 'ok', alarmId: typeof said === 'object' ? said.id : said };
}
