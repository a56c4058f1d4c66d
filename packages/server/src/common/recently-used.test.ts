import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentlyUsed } from './recently-used.ts';

test('entries in use stay, and unused entries are dropped', () => {
  const memory = createRecentlyUsed<string, number>(4);
  memory.set('a', 1);
  for (const key of ['b', 'c', 'd', 'e', 'f', 'g']) {
    expect(memory.get('a')).toBe(1);
    memory.set(key, 0);
  }
  expect(memory.get('b')).toBeUndefined();
  memory.delete('a');
  expect(memory.get('a')).toBeUndefined();
});

test('the most recent half of the entries is always there, and never more than the maximum', () => {
  const uses = fc.array(fc.record({ key: fc.nat(12), sets: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 10 }), uses, (maxSize, list) => {
      const memory = createRecentlyUsed<number, number>(maxSize);
      const meant = new Map<number, number>();
      list.forEach(({ key, sets }, index) => {
        const found = memory.get(key);
        const recent = [...meant.keys()].toReversed().slice(0, Math.floor(maxSize / 2));
        if (recent.includes(key) || found !== undefined) expect(found).toBe(meant.get(key));
        if (!sets && found === undefined) return;
        const value = sets ? index : (found ?? 0);
        memory.set(key, value);
        meant.delete(key);
        meant.set(key, value);
      });
    }),
  );
  const memory = createRecentlyUsed<number, number>(10);
  const all = Array.from({ length: 100 }, (_, key) => key);
  for (const key of all) memory.set(key, key);
  expect(all.filter((key) => memory.get(key) !== undefined).length).toBeLessThanOrEqual(10);
});

test('entries count as their weight', () => {
  const memory = createRecentlyUsed<string, number>(100, (weight) => weight);
  memory.set('light', 10);
  memory.set('light', 12);
  memory.set('heavy', 40);
  expect([memory.get('light'), memory.get('heavy')]).toEqual([12, 40]);
  memory.set('other', 60);
  memory.set('another', 60);
  expect(memory.get('heavy')).toBeUndefined();
});
