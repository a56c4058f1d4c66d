import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';
import { createAwaitOutcome } from './await-outcome.ts';
import { createCallBell } from './call-bell.ts';
import { addPerson, addPhones, settle } from './people.fixture.ts';

const never = new AbortController().signal;

test('one who waits is woken by what becomes of the call, and does not look in between', async ({
  runtime,
  client,
}) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const answer = await client('operator').post('/call/users', { userIds: [ada] });
  const bell = createCallBell({ pollMs: 600_000 });
  let looks = 0;
  runtime.database.pool.on('acquire', () => {
    looks += 1;
  });
  const call = { tenantId: 1, callId: Number(answer.headers['call-id']) };
  const outcome = createAwaitOutcome(runtime, bell)(call, { seconds: 100, signal: never });
  await expect.poll(() => looks).toBe(1);
  bell.ring(2);
  await settle(runtime, ada, 'Delivered');
  const looksBefore = looks;
  for (let rings = 0; rings < 100; rings += 1) bell.ring(1);
  expect(await outcome).toBe('reached');
  expect(looks - looksBefore, 'a hundred rings are one look').toBe(1);
});

test('whoever comes too late for a ring looks after a while, with all others', async () => {
  const bell = createCallBell({ pollMs: 50 });
  bell.ring(1);
  await bell.next(1);
  expect(bell.next(1)).toBe(bell.next(1));
  await bell.next(1);
});
