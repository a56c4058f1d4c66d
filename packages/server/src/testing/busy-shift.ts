import { pino } from 'pino';
import type { Actor, AlarmCommand } from '../alarms/decide/alarm-command.ts';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { dispatchTo, outsideWorld, workOff } from '../dispatch/testing/simulated-dispatch.fixture.ts';
import { readEnds, readFeed, readJournalStates, readOldestOf } from '../hub/feed/feed.store.ts';
import { createTenant } from '../people/create-tenant.ts';
import { openDatabase } from '../postgres/database.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { StatementMeter } from './statement-meter.ts';
import { testBox } from './test-box.ts';

const machine: Actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const ada: Actor = { name: 'Ada', subject: 'user:101', userId: 101, stationIds: undefined };

type Clock = { now(): Date; advance(seconds: number): void };

function openRuntime(url: string, clock: Clock | undefined): Runtime {
  const database = openDatabase({ url, connections: 4, clock: clock?.now });
  return { database, log: pino({ level: 'silent' }), box: testBox };
}

/** Adds a tenant with one person in a call group, and returns its number. */
export async function addShiftTenant(url: string, clock?: Clock): Promise<number> {
  const runtime = openRuntime(url, clock);
  const tenantId = await createTenant(runtime, {
    name: 'Valmont Water',
    station: 'Valmont',
    dataServer: 'PLC',
  });
  await inTenant(runtime.database, tenantId, async ({ client, now }) => {
    const run = (text: string) => client.query(text, text.includes('$2') ? [tenantId, now] : [tenantId]);
    await run(`insert into users (tenant_id, id, username, name, search_text, role, last_change)
               values ($1, 101, 'ada', 'Ada', '', 'operator', $2)`);
    await run(`insert into user_media (tenant_id, user_id, position, kind, address, enabled)
               values ($1, 101, 0, 'Voice', '+331', true)`);
    await run(`insert into call_groups (tenant_id, id, name, localized_name, search_text, mode, ack_timeout, attempts,
                 cycles, slot_minutes, last_change)
               values ($1, 1, 'Technicians', '', '', 'Sequential', 60, 1, 1, 60, $2)`);
    await run(
      `insert into call_group_members (tenant_id, call_group_id, position, user_id) values ($1, 1, 0, 101)`,
    );
  });
  await runtime.database.close();
  return tenantId;
}

/**
 * Lets a tenant raise, repeat, acknowledge, comment on, mask and reset alarms, of which one was raised a month before, calls
 * people, and reads the journal as the hub does. Returns what each statement took.
 */
export async function measureShift(
  url: string,
  tenantId: number,
  { clock, repeat }: { clock: Clock; repeat: number },
): Promise<StatementMeter> {
  const runtime = openRuntime(url, clock);
  const meter = new StatementMeter(runtime.database, repeat);
  const send = senderOf(runtime, tenantId);
  const dispatch = dispatchTo(runtime, outsideWorld());
  const call = async () => {
    meter.label = 'dispatcher';
    await workOff(dispatch);
  };
  const leak = await send({ kind: 'post', actor: machine, body: bodyOf('Leak') });
  clock.advance(31 * 86_400);
  const pump = await send({ kind: 'post', actor: machine, body: bodyOf('Pump') });
  await call();
  await send({ kind: 'post', actor: machine, body: bodyOf('Pump') });
  clock.advance(61);
  await call();
  await send({ kind: 'acknowledge', actor: ada, tagId: pump, comment: 'on my way' });
  await send({ kind: 'mask', actor: ada, tagId: leak, reason: 'work', seconds: 600 });
  await send({ kind: 'unmask', actor: ada, tagId: leak, reason: 'done' });
  await send({ kind: 'comment', actor: ada, tagId: leak, comment: 'seal ordered' });
  await call();
  for (const tagId of [leak, pump]) await send({ kind: 'reset', actor: ada, tagId });
  await send({ kind: 'acknowledge', actor: ada, tagId: leak });
  await call();
  await readAsHub(runtime, tenantId, meter);
  await runtime.database.close();
  return meter;
}

function senderOf(runtime: Runtime, tenantId: number): (command: AlarmCommand) => Promise<number> {
  const { submit } = createAlarmWriter(runtime);
  return async (command) => {
    const answer = await submit(tenantId, command);
    return typeof answer === 'number' ? answer : answer.id;
  };
}

const bodyOf = (path: string) => ({
  path,
  alarmMessage: `${path} failed`,
  alarmActions: [{ type: 'CallGroup' as const, id: 1 }],
});

async function readAsHub({ database }: Runtime, tenantId: number, meter: StatementMeter): Promise<void> {
  meter.label = 'hub, end of the journal';
  const end = (await readEnds(database, [tenantId])).get(tenantId) ?? 0;
  meter.label = 'hub, newest entries';
  const [entry] = await readFeed(database, tenantId, { after: end - 1, limit: 100 });
  meter.label = 'hub, poll';
  await readJournalStates(database, [{ tenantId, seq: end, at: entry?.at }]);
  meter.label = 'hub, oldest entry';
  await readOldestOf(database, [tenantId]);
}

/** Raises, repeats, acknowledges and resets `tags` alarms at once, `cycles` times. Returns the seconds it took. */
export async function cycleAlarms(
  url: string,
  tenantId: number,
  { tags, cycles }: { tags: number; cycles: number },
): Promise<number> {
  const runtime = openRuntime(url, undefined);
  const { submit } = createAlarmWriter(runtime);
  const post = (raised: boolean) => (_: unknown, index: number) =>
    submit(tenantId, { kind: 'post', actor: machine, body: { path: `Cycle ${index}`, raised } });
  const all = (command: (_: unknown, index: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: tags }, command));
  const ids = (await all(post(false))) as number[];
  const cycle = async () => {
    await all(post(true));
    await all(post(true));
    await Promise.all(ids.map((tagId) => submit(tenantId, { kind: 'acknowledge', actor: ada, tagId })));
    await all(post(false));
  };
  // Prepares the statements: connections of a server live for hours.
  await cycle();
  const started = performance.now();
  for (let count = 0; count < cycles; count += 1) await cycle();
  const seconds = (performance.now() - started) / 1_000;
  await runtime.database.close();
  return seconds;
}
