import { expect } from 'vitest';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { test as base } from '../../testing/plant.fixture.ts';
import { recordTraces } from '../../testing/recorded-traces.fixture.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { addStormPlant } from '../testing/storm-plant.fixture.ts';
import { createAlarmWriter } from './alarm-writer.ts';

const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const inOrder = (texts: readonly (string | undefined)[]) => texts.map(String).toSorted();
const client = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const raise = (path: string, traceParent?: string): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path, alarmActions: [{ type: 'CallGroup', id: 1 }] },
  traceParent,
});

const test = base.extend('traced', async ({ runtime, clock }) => {
  const { tracing, spans } = recordTraces(() => clock.now());
  const tenantId = await addStormPlant(runtime);
  const writer = createAlarmWriter({ ...runtime, tracing });
  const stored = () =>
    readTenant(runtime.database, tenantId, (transaction) =>
      transaction
        .selectFrom('escalations')
        .select(['tagId', 'traceParent'])
        .where('tenantId', '=', tenantId)
        .orderBy('id')
        .execute(),
    );
  return { spans, stored, submit: (command: AlarmCommand) => writer.submit(tenantId, command) };
});

test('every traced alarm of a batch has its own commit and escalation, and the others have none', async ({
  traced,
}) => {
  await Promise.all(
    [raise('A', client('a')), raise('B', client('b')), raise('C'), raise('D', client('d'))].map(
      traced.submit,
    ),
  );
  const opened = traced.spans.filter(({ name }) => name === 'open escalation');
  const committed = traced.spans.filter(({ name }) => name === 'commit alarms');
  expect(inOrder(committed.map(({ parent }) => parent))).toEqual([client('a'), client('b'), client('d')]);
  expect(inOrder(opened.map(({ parent }) => parent))).toEqual(
    inOrder(committed.map((span) => span.traceParent)),
  );
  expect(new Set((await traced.stored()).map(({ traceParent }) => traceParent))).toEqual(
    new Set([null, ...opened.map((span) => span.traceParent)]),
  );
});

test('a refused command leaves no escalation, and its batch is still recorded', async ({ traced }) => {
  const unknown = { kind: 'acknowledge' as const, tagId: 4_711, actor, traceParent: client('e') };
  await expect(traced.submit(unknown)).rejects.toThrow('There is no alarm 4711');
  expect(traced.spans.map(({ name }) => name)).toEqual(['commit alarms']);
  expect(await traced.stored()).toEqual([]);
});

test('an alarm that cannot be written leaves no span, and the others of its batch are recorded once', async ({
  traced,
}) => {
  const wrong = traced.submit(raise('\u0000', client('a')));
  const others = ['b', 'c'].map((digit) => traced.submit(raise(digit, client(digit))));
  await expect(wrong).rejects.toThrow('invalid byte sequence');
  await Promise.all(others);
  const committed = traced.spans.filter(({ name }) => name === 'commit alarms');
  expect(committed.map(({ parent }) => parent)).toEqual([client('b'), client('c')]);
});
