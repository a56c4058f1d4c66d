import { ProblemError } from '@tocsin/client';
import { expect, test } from 'vitest';
import { createDemands } from './demands.ts';

const refusal = (code: string) => new ProblemError({ status: 403, code, title: code });

test('two requests that need a confirmation share one question, and both are sent again', async () => {
  const demands = createDemands();
  const both = [1, 2].map(() => demands.onRefused(refusal('confirmation-required')));
  expect(demands.getSnapshot().isConfirming).toBe(true);
  demands.answer(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(demands.getSnapshot().isConfirming).toBe(false);
});

test('a user who does not confirm gets the refusal', async () => {
  const demands = createDemands();
  const sent = demands.onRefused(refusal('confirmation-required'));
  demands.answer(false);
  expect(await sent).toBe(false);
});

test('other refusals ask nothing', async () => {
  const demands = createDemands();
  expect(await demands.onRefused(refusal('not-allowed'))).toBe(false);
  expect(demands.getSnapshot()).toEqual({ isConfirming: false, needsFactor: false, approval: undefined });
});

test('a role without its second factor is led to the set-up, until it has one', async () => {
  const demands = createDemands();
  let told = 0;
  const leave = demands.subscribe(() => (told += 1));
  expect(await demands.onRefused(refusal('second-factor-required'))).toBe(false);
  expect(demands.getSnapshot().needsFactor).toBe(true);
  demands.forget();
  expect(demands.getSnapshot().needsFactor).toBe(false);
  leave();
  demands.forget();
  expect(told).toBe(2);
});
