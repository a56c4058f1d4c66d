import { expect, test } from 'vitest';
import { createWaitingRoom } from './waiting-room.ts';

test('a tenant that fills its places takes none from another', () => {
  const room = createWaitingRoom(2);
  expect([room.enter(1), room.enter(1), room.enter(2)]).not.toContain(undefined);
  expect(room.enter(1)).toBeUndefined();
  expect([room.waiting(1), room.waiting(2), room.waiting(3)]).toEqual([2, 1, 0]);
});

test('one who leaves makes room for the next', () => {
  const room = createWaitingRoom(1);
  const leave = room.enter(1);
  leave?.();
  expect(room.waiting(1)).toBe(0);
  expect(room.enter(1)).toBeDefined();
});
