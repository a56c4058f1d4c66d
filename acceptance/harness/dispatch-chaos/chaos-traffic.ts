import { setTimeout as sleep } from 'node:timers/promises';
import { dice } from '../alarm-traffic.ts';
import type { Answer, OldClient } from '../old-client.ts';
import type { GroupPolicy } from './call-policy.ts';
import type { ChaosSize } from './chaos-size.ts';
import type { ClientLine, ClientLog } from './client-log.ts';

export type Customer = {
  tenantId: number;
  clients: readonly OldClient[];
  groups: readonly GroupPolicy[];
  /** The telephone of each user. */
  numbers: ReadonlyMap<number, string>;
};

export type Traffic = {
  seed: number;
  size: ChaosSize;
  customers: readonly Customer[];
  log: ClientLog;
  /** Whether a raise is sent a second time under its key. */
  isTwice?: boolean;
};

type Deed = Pick<ClientLine, 'op' | 'key' | 'message' | 'priority' | 'groupId'> & {
  seconds?: number;
  path: string;
  body: object;
};

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
    if (customer)
      underway.push(liveThrough(traffic, customer, rolledLife(traffic, customer, { number, roll })));
  }
  await Promise.all(underway);
}

/** Now, and not when the answers come: their order is not the seed's. */
function rolledLife(
  { size }: Traffic,
  { groups }: Customer,
  { number, roll }: { number: number; roll: (sides: number) => number },
): Life {
  const [fate, afterMs, priority] = [roll(12), 500 + roll(size.actSeconds * 1_000), 1 + roll(3)];
  const groupId = groups[roll(groups.length)]?.id ?? 0;
  return { number, fate: fates[fate] ?? 'nothing', afterMs, priority, groupId, delay: roll(3) };
}

const fates = ['mended', 'taken', 'taken', 'reset', 'masked', 'masked shortly', 'repeated'] as const;

/** What becomes of an alarm. */
export type Life = {
  number: number;
  /** What somebody at a screen, or the source, does some time after it was raised. */
  fate: (typeof fates)[number] | 'nothing';
  afterMs: number;
  priority: number;
  groupId: number;
  delay: number;
};

/** How long a mask lasts that nobody ends. */
const shortMaskSeconds = 3;
const longMaskSeconds = 3_600;

/** One alarm: raised, perhaps again, and perhaps acknowledged, reset or masked by somebody at a screen. */
export async function liveThrough(
  traffic: Omit<Traffic, 'customers'>,
  customer: Customer,
  { number, fate, afterMs, priority, groupId, delay: alarmDelay }: Life,
): Promise<void> {
  const key = `chaos/${traffic.seed}/${number}`;
  const message = `Alarm ${number} of ${traffic.seed}`;
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  const body = { path: key, alarmMessage: message, priority, alarmDelay, alarmActions };
  const deed = { key, message, priority, groupId };
  const send = (op: 'raise' | 'repeat' | 'reset', raised: boolean) =>
    insist(traffic, customer, { op, ...deed, path: 'alarms', body: { ...body, raised } });
  const alarmId = await send('raise', true);
  if (traffic.isTwice === true) await send('raise', true);
  if (alarmId === 0) return;
  await sleep(afterMs);
  const act = (op: 'acknowledge' | 'mask' | 'unmask', more: object = {}, seconds = 0) =>
    insist(traffic, customer, { op, ...deed, seconds, path: `alarms/${alarmId}/${op}`, body: more });
  const mask = (seconds: number) => act('mask', { reason: 'chaos', seconds }, seconds);
  if (fate === 'taken' || fate === 'mended') await act('acknowledge');
  // Some are mended too, a while after somebody took them.
  if (fate === 'mended') await sleep(1_500);
  if (fate === 'mended' || fate === 'reset') await send('reset', false);
  if (fate === 'repeated') await send('repeat', true);
  if (fate === 'masked shortly') await mask(shortMaskSeconds);
  if (fate === 'masked') {
    await mask(longMaskSeconds);
    await sleep(traffic.size.maskSeconds * 1_000);
    await act('unmask', { reason: 'enough' });
  }
}

/** Sends it again under its key until somebody says yes or no. Answers the alarm's number, 0 when it was refused. */
export async function insist(
  { seed, log }: Pick<Traffic, 'seed' | 'log'>,
  { tenantId, clients }: Customer,
  { path, body, seconds = 0, ...deed }: Deed,
): Promise<number> {
  const headers = { 'idempotency-key': `${deed.op} ${deed.key}` };
  for (let tries = 0; tries < 200; tries++) {
    const client = clients[tries % clients.length];
    const invoked = Date.now();
    const answer = await client?.post(`/api/v1/${path}`, body, { headers }).catch(() => undefined);
    const { outcome, alarmId } = heard(answer);
    log.write({ seed, tenantId, ...deed, seconds, invoked, ended: Date.now(), outcome, alarmId });
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
