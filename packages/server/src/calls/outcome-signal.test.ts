import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';
import { createAwaitOutcome } from './await-outcome.ts';
import { createOutcomeSignal } from './outcome-signal.ts';
import { addPerson, addPhones, settle } from './testing/people.fixture.ts';

const never = new AbortController().signal;

test('a waiting request is woken by a change of the call, and does not query in between', async ({
  runtime,
  client,
}) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const answer = await client('operator').post('/call/users', { userIds: [ada] });
  const outcomeSignal = createOutcomeSignal({ pollMs: 600_000 });
  let looks = 0;
  runtime.database.pool.on('acquire', () => {
    looks += 1;
  });
  const call = { tenantId: 1, callId: Number(answer.headers['call-id']) };
  const outcome = createAwaitOutcome(runtime, outcomeSignal)(call, { seconds: 100, signal: never });
  await expect.poll(() => looks).toBe(1);
  outcomeSignal.notify(2);
  await settle(runtime, ada, 'Delivered');
  const looksBefore = looks;
  for (let change = 0; change < 100; change += 1) outcomeSignal.notify(1);
  expect(await outcome).toBe('reached');
  expect(looks - looksBefore, 'a hundred changes cause one query').toBe(1);
});

test('a request that missed a change is woken by the next poll, together with the others', async () => {
  const outcomeSignal = createOutcomeSignal({ pollMs: 50 });
  outcomeSignal.notify(1);
  await outcomeSignal.next(1);
  expect(outcomeSignal.next(1)).toBe(outcomeSignal.next(1));
  await outcomeSignal.next(1);
});
