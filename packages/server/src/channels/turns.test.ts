import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const patient = new AbortController().signal;

test('as many go at once as there is room for, and the others in the order in which they came', async () => {
  const turns = createTurns(1);
  const went: number[] = [];
  expect(await turns.wait(patient)).toBe(true);
  const waiting = [1, 2].map(async (number) => {
    if (await turns.wait(patient)) went.push(number);
  });
  expect(went).toEqual([]);
  turns.end();
  await waiting[0];
  expect(went).toEqual([1]);
  turns.end();
  await waiting[1];
  expect(went).toEqual([1, 2]);
});

test('whoever gives up waiting takes no turn from others', async () => {
  const turns = createTurns(1);
  await turns.wait(patient);
  const hasty = new AbortController();
  const given = turns.wait(hasty.signal);
  hasty.abort();
  expect(await given).toBe(false);
  turns.end();
  expect(await turns.wait(patient)).toBe(true);
  expect(await createTurns(1).wait(hasty.signal)).toBe(false);
});
