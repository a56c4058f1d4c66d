import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inFrame, largestScale, moveBy, type PlanView, wholePlan, zoomAt } from './plan-view.ts';

test('the pump under the pointer stays under it while the plan grows', () => {
  const pump = { x: 0.6, y: 0.3 };
  const view = zoomAt(wholePlan, 2, pump);
  expect(view.scale).toBe(2);
  const { x, y } = inFrame(view, pump);
  expect([x, y]).toEqual([expect.closeTo(0.6), expect.closeTo(0.3)]);
});

test('the whole plan cannot be moved, because nothing of it is outside', () => {
  expect(moveBy(wholePlan, { x: 0.4, y: -0.4 })).toEqual(wholePlan);
});

test('making the plan small again shows it whole', () => {
  const view = moveBy(zoomAt(wholePlan, 4, { x: 1, y: 1 }), { x: 0.2, y: 0.1 });
  expect(zoomAt(view, 1 / 4, { x: 0.5, y: 0.5 })).toEqual(wholePlan);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  fc.record({ factor: fc.double({ min: 0.1, max: 10, noNaN: true }), x: share, y: share }),
  fc.record({ x: share, y: share }),
);

test('whatever somebody does, the plan fills its frame', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const view = steps.reduce<PlanView>(
        (before, each) =>
          'factor' in each
            ? zoomAt(before, each.factor, each)
            : moveBy(before, { x: each.x - 0.5, y: each.y - 0.5 }),
        wholePlan,
      );
      expect(view.scale).toBeGreaterThanOrEqual(1);
      expect(view.scale).toBeLessThanOrEqual(largestScale);
      const corners = [inFrame(view, { x: 0, y: 0 }), inFrame(view, { x: 1, y: 1 })] as const;
      expect(Math.max(corners[0].x, corners[0].y)).toBeLessThanOrEqual(1e-9);
      expect(Math.min(corners[1].x, corners[1].y)).toBeGreaterThanOrEqual(1 - 1e-9);
    }),
  );
});
