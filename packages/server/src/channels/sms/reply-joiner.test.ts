import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReplyJoiner } from './reply-joiner.ts';

const part = (number: number, text: string, more = {}) => ({
  from: '+331',
  reference: 7,
  total: 2,
  number,
  text,
  ...more,
});

function joiner(waitMs = 60_000) {
  const stored: string[] = [];
  const { add, close } = createReplyJoiner(async (from, text) => void stored.push(`${from} ${text}`), waitMs);
  return { stored, add, close };
}

test('the parts of a reply are joined in their order, whatever the order they come in', async () => {
  const { stored, add } = joiner();
  await add(part(2, 'on my way'));
  await add(part(2, 'on my way'));
  expect(stored).toEqual([]);
  await add(part(1, '482913 '));
  expect(stored).toEqual(['+331 482913 on my way']);
});

test('parts of two people with the same reference are not mixed', async () => {
  const { stored, add, close } = joiner();
  await add(part(1, '482913 '));
  await add(part(2, 'no', { from: '+332' }));
  expect(stored).toEqual([]);
  close();
});

test('a reply whose end never comes is stored as it is', async () => {
  const { stored, add } = joiner(30);
  await add(part(1, '482913 on my'));
  await expect.poll(() => stored).toEqual(['+331 482913 on my']);
});

test('a reply that could not be stored is stored when its last part is delivered again', async () => {
  let works = false;
  const stored: string[] = [];
  const { add } = createReplyJoiner(async (_, text) => {
    if (!works) throw new Error('no database');
    stored.push(text);
  }, 60_000);
  await add(part(1, '482913 '));
  await expect(add(part(2, 'yes'))).rejects.toThrow('no database');
  works = true;
  await add(part(2, 'yes'));
  expect(stored).toEqual(['482913 yes']);
});

test('a flood of incomplete replies fills no memory: those that have no place stand alone', async () => {
  const { stored, add, close } = joiner();
  for (let reference = 0; reference < 150; reference += 1) await add(part(1, `${reference}`, { reference }));
  expect(stored).toHaveLength(50);
  await sleep(0);
  close();
});
