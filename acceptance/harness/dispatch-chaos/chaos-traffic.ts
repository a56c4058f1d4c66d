import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../http/alarm-traffic.ts';
import type { Answer, HttpClient } from '../http/http-client.ts';
import type { GroupPolicy } from './call-policy.ts';
import type { ChaosSize } from './chaos-size.ts';
import type { ClientLine, ClientLog } from './client-log.ts';

export type ChaosTenant = {
  tenantId: number;
  clients: readonly HttpClient[];
  groups: readonly GroupPolicy[];
  /** The telephone of each user. */
  numbers: ReadonlyMap<number, string>;
};

export type Traffic = {
  seed: number;
  size: ChaosSize;
  tenants: readonly ChaosTenant[];
  log: ClientLog;
  /** Whether each raise is sent again with the same Idempotency-Key. */
  isTwice?: boolean;
};

type Action = Pick<ClientLine, 'op' | 'key' | 'message' | 'priority' | 'groupId'> & {
  seconds?: number;
  path: string;
  body: object;
};

/** Raises all alarms evenly over the duration; operators act on some of them later. */
export async function makeTraffic(traffic: Traffic): Promise<void> {
  const { seed, size } = traffic;
  const random = seededRandom(seed * 7 + 1);
  const pauseMs = (size.seconds * 1_000) / size.alarms;
  const started = performance.now();
  const underway: Promise<void>[] = [];
  for (let number = 0; number < size.alarms; number++) {
    await sleep(Math.max(0, started + number * pauseMs - performance.now()));
    const tenant = traffic.tenants[random(traffic.tenants.length)];
    if (tenant) underway.push(playAlarm(traffic, tenant, randomScript(traffic, tenant, { number, random })));
  }
  await Promise.all(underway);
}

/** Drawn before sending, because the order of the answers does not depend on the seed. */
function randomScript(
  { size }: Traffic,
  { groups }: ChaosTenant,
  { number, random }: { number: number; random: (below: number) => number },
): AlarmScript {
  const [followUp, afterMs, priority] = [random(12), 500 + random(size.actSeconds * 1_000), 1 + random(3)];
  const groupId = groups[random(groups.length)]?.id ?? 0;
  return { number, followUp: followUps[followUp] ?? 'nothing', afterMs, priority, groupId, delay: random(3) };
}

const followUps = [
  'acknowledged and reset',
  'acknowledged',
  'acknowledged',
  'reset',
  'masked',
  'masked briefly',
  'repeated',
] as const;

/** Planned events of an alarm. */
export type AlarmScript = {
  number: number;
  /** Action of an operator or of the source after the raise. */
  followUp: (typeof followUps)[number] | 'nothing';
  afterMs: number;
  priority: number;
  groupId: number;
  delay: number;
};

/** Duration of a mask that ends by itself. */
const shortMaskSeconds = 3;
const longMaskSeconds = 3_600;

/** Raises an alarm and carries out its script. */
export async function playAlarm(
  traffic: Omit<Traffic, 'tenants'>,
  tenant: ChaosTenant,
  { number, followUp, afterMs, priority, groupId, delay: alarmDelay }: AlarmScript,
): Promise<void> {
  const key = `chaos/${traffic.seed}/${number}`;
  const message = `Alarm ${number} of ${traffic.seed}`;
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  const body = { path: key, alarmMessage: message, priority, alarmDelay, alarmActions };
  const action = { key, message, priority, groupId };
  const send = (op: 'raise' | 'repeat' | 'reset', raised: boolean) =>
    sendUntilAnswered(traffic, tenant, { op, ...action, path: 'alarms', body: { ...body, raised } });
  const alarmId = await send('raise', true);
  if (traffic.isTwice === true) await send('raise', true);
  if (alarmId === 0) return;
  await sleep(afterMs);
  const act = (op: 'acknowledge' | 'mask' | 'unmask', more: object = {}, seconds = 0) =>
    sendUntilAnswered(traffic, tenant, {
      op,
      ...action,
      seconds,
      path: `alarms/${alarmId}/${op}`,
      body: more,
    });
  const mask = (seconds: number) => act('mask', { reason: 'chaos', seconds }, seconds);
  if (followUp === 'acknowledged' || followUp === 'acknowledged and reset') await act('acknowledge');
  // The source resets the alarm a while after its acknowledgment.
  if (followUp === 'acknowledged and reset') await sleep(1_500);
  if (followUp === 'acknowledged and reset' || followUp === 'reset') await send('reset', false);
  if (followUp === 'repeated') await send('repeat', true);
  if (followUp === 'masked briefly') await mask(shortMaskSeconds);
  if (followUp === 'masked') {
    await mask(longMaskSeconds);
    await sleep(traffic.size.maskSeconds * 1_000);
    await act('unmask', { reason: 'enough' });
  }
}

/** Repeats the request with its key until it is accepted or refused. Returns the alarm's id, 0 if it was refused. */
export async function sendUntilAnswered(
  { seed, log }: Pick<Traffic, 'seed' | 'log'>,
  { tenantId, clients }: ChaosTenant,
  { path, body, seconds = 0, ...action }: Action,
): Promise<number> {
  const headers = { 'idempotency-key': `${action.op} ${action.key}` };
  for (let tries = 0; tries < 200; tries++) {
    const client = clients[tries % clients.length];
    const invoked = Date.now();
    const answer = await client?.post(`/api/v1/${path}`, body, { headers }).catch(() => undefined);
    const { outcome, alarmId } = outcomeOf(answer);
    log.write({ seed, tenantId, ...action, seconds, invoked, ended: Date.now(), outcome, alarmId });
    if (outcome !== 'unknown') return alarmId;
    await sleep(250);
  }
  throw new Error(`${action.op} ${action.key} was never answered`);
}

/** Only 200 counts as accepted; 429, 5xx and broken connections leave the outcome unknown. */
function outcomeOf(answer: Answer | undefined): Pick<ClientLine, 'outcome' | 'alarmId'> {
  const status = answer?.status ?? 0;
  if (answer === undefined || status === 429 || status >= 500) return { outcome: 'unknown', alarmId: 0 };
  if (status !== 200) return { outcome: 'fail', alarmId: 0 };
  const said = answer.json<number | { id: number }>();
  return { outcome: 'ok', alarmId: typeof said === 'object' ? said.id : said };
}
