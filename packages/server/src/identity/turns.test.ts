import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('only so many are inside at once, and they come in in the order of asking', async () => {
  const turns = createTurns(10);
  const place = [{ subject: 'desk', atOnce: 2 }];
  const gates = [gate(), gate(), gate(), gate()];
  const entered: number[] = [];
  const visits = gates.map(({ opened }, n) =>
    turns(place, async () => {
      entered.push(n);
      await opened;
    }),
  );
  await settle();
  expect(entered).toEqual([0, 1]);
  gates[1]?.open();
  await settle();
  expect(entered).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  await Promise.all(visits);
  expect(entered).toEqual([0, 1, 2, 3]);
});

test('one who fails inside leaves the place to the next', async () => {
  const turns = createTurns(10);
  const place = [{ subject: 'desk', atOnce: 1 }];
  const failing = turns(place, () => Promise.reject(new Error('tripped')));
  const next = turns(place, async () => 'in');
  await expect(failing).rejects.toThrow('tripped');
  expect(await next).toBe('in');
});

test('a line that is too long is answered 429 at once, and only there', async () => {
  const turns = createTurns(1);
  const { opened, open } = gate();
  const desk = [{ subject: 'desk', atOnce: 1 }];
  const visits = [turns(desk, () => opened), turns(desk, () => opened)];
  await expect(turns(desk, () => opened)).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(await turns([{ subject: 'other desk', atOnce: 1 }], async () => 'in')).toBe('in');
  open();
  await Promise.all(visits);
});
