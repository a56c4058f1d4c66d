import { expect, test } from 'vitest';
import { resultOf } from './use-drag.ts';

const day = 20_780;
const slot = { teamId: 1, day: 1, week: 1, from: 360, to: 840 };
const at = (hour: number, on = day) => ({ day: on, minute: hour * 60 });

test('dragging over a free time covers the whole slots that it touches', () => {
  const drag = { kind: 'paint' as const, slot: undefined, start: at(13.1), now: at(14.4) };
  expect(resultOf(drag, 60)).toEqual({ day, from: 780, to: 900 });
  expect(resultOf({ ...drag, start: at(14.4), now: at(13.1) }, 60)).toEqual({ day, from: 780, to: 900 });
});

test('a press that hardly moves is a click and no drag', () => {
  expect(resultOf({ kind: 'paint', slot: undefined, start: at(13.1), now: at(13.2) }, 60)).toBeUndefined();
  expect(resultOf({ kind: 'move', slot, start: at(8), now: at(8.2) }, 60)).toBeUndefined();
});

test('a slot keeps its length when it is moved, also at the end of the day and to another day', () => {
  const drag = { kind: 'move' as const, slot, start: at(8), now: at(10, day + 1) };
  expect(resultOf(drag, 60)).toEqual({ slot, day: day + 1, from: 480, to: 960 });
  expect(resultOf({ ...drag, now: at(24) }, 60)).toEqual({ slot, day, from: 960, to: 1_440 });
});

test('an end that is dragged never passes the other end', () => {
  expect(resultOf({ kind: 'to', slot, start: at(14), now: at(2) }, 30)).toMatchObject({ from: 360, to: 390 });
  expect(resultOf({ kind: 'from', slot, start: at(6), now: at(20) }, 30)).toMatchObject({
    from: 810,
    to: 840,
  });
});
