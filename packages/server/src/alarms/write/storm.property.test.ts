import type { Action } from '@tocsin/contract';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { test } from '../../testing/plant.fixture.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { addStormPlant, everythingOf } from '../testing/storm-plant.fixture.ts';
import { type AlarmWriter, createAlarmWriter } from './alarm-writer.ts';

const actor = {
  name: 'PLC',
  subject: 'key:1',
  userId: undefined,
  stationIds: undefined,
  mayRunCommands: true,
};
const post = (path: string, more: object = {}): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path, ...more },
});

const submitAll = async ({ submit }: AlarmWriter, commands: readonly AlarmCommand[], tenantId: number) => {
  const results = await Promise.allSettled(commands.map((command) => submit(tenantId, command)));
  return results.map((result) =>
    result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
  );
};

const marked = (command: AlarmCommand, key: string, request: number): AlarmCommand => ({
  ...command,
  mark: { principal: actor.subject, key, requestHash: Buffer.from(`request ${request}`) },
});

const actions = fc.array(
  fc.constantFrom<Action>(
    { type: 'CallGroup', id: 1 },
    { type: 'CallUser', id: 102 },
    { type: 'Scenario', id: 1 },
    { type: 'ExecuteCommand', scriptId: 1, parameter: 'x' },
    { type: 'PlaySound', parameter: 'bell' },
    { type: 'CallGroup', id: 9 },
    { type: 'Fax' },
  ),
  { maxLength: 2 },
);
const body = fc.record(
  {
    raised: fc.boolean(),
    value: fc.constantFrom('1', '2'),
    alarmMessage: fc.constantFrom('hot', 'cold'),
    stationId: fc.constantFrom(0, 1, 1, 9),
    tagGroupId: fc.constantFrom(0, 1, 2),
    alarmDelay: fc.constantFrom(0, 30),
    alarmActions: actions,
    resetActions: actions,
    ackActions: actions,
    eventCondition: fc.record(
      { transitory: fc.boolean(), reactivatable: fc.boolean() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const tag = fc.integer({ min: 1, max: 4 });
const comment = fc.option(fc.constantFrom('mended', 'looked at'), { nil: undefined });
const commands: fc.Arbitrary<AlarmCommand> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(tag, body).map(([n, more]) => post(`Pump ${n}`, more)) },
  tag.map((n) => ({ kind: 'post' as const, actor, body: { alarmMessage: `made up ${n}` } })),
  // The database refuses such a name, and with it the whole batch.
  tag.map((n) => ({ ...post(`Pump ${n}`), actor: { ...actor, name: 'P\u0000C' } })),
  {
    weight: 3,
    arbitrary: fc
      .tuple(tag, comment)
      .map(([tagId, said]) => ({ kind: 'acknowledge' as const, tagId, actor, comment: said })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(tag, comment)
      .map(([tagId, said]) => ({ kind: 'reset' as const, tagId, actor, comment: said })),
  },
  {
    weight: 2,
    arbitrary: tag.map((tagId) => ({ kind: 'comment' as const, tagId, actor, comment: 'looked at' })),
  },
  {
    weight: 2,
    arbitrary: tag.map((tagId) => ({ kind: 'mask' as const, tagId, actor, reason: 'test', seconds: 60 })),
  },
  { weight: 2, arbitrary: tag.map((tagId) => ({ kind: 'unmask' as const, tagId, actor, reason: 'over' })) },
  fc.tuple(tag, fc.constantFrom('k-1', 'k-2', 'k-3')).map(([n, key]) => marked(post(`Pump ${n}`), key, n)),
);

/** 2,000 cases take minutes: that many are for the nightly run. */
const cases = Number(process.env['STORM_CASES'] ?? 200);

/** Includes the time to shrink a storm that fails. */
const limitMs = 60_000 + cases * 3_000;

test(
  'a storm written in batches has the same effect as its commands one by one',
  async ({ runtime }) => {
    const seen = { escalations: 0, commandRuns: 0, callEvents: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(commands, { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        async (storm, maxBatchSize) => {
          const [inBatches, oneByOne] = [await addStormPlant(runtime), await addStormPlant(runtime)];
          const writer = createAlarmWriter(runtime, { pipelineThreshold: 1, maxBatchSize });
          const answers = await submitAll(writer, storm, inBatches);
          const expected: unknown[] = [];
          for (const command of storm)
            expected.push(...(await submitAll(createAlarmWriter(runtime), [command], oneByOne)));
          expect(answers).toEqual(expected);
          const everything = await everythingOf(runtime, inBatches);
          expect(everything).toEqual(await everythingOf(runtime, oneByOne));
          seen.escalations += everything.escalations.length;
          seen.commandRuns += everything.commandRuns.length;
          seen.callEvents += everything.callEvents.length;
        },
      ),
      { numRuns: cases, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(cases);
  },
  limitMs + 30_000,
);
