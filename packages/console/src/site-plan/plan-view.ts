/** What part of a plan is seen: how large it is drawn, and how far it is moved, as shares of the frame. */
export type PlanView = { readonly scale: number; readonly x: number; readonly y: number };

/** A point of the frame, as shares of its width and height. */
export type Point = { readonly x: number; readonly y: number };

export const wholePlan: PlanView = { scale: 1, x: 0, y: 0 };
export const largestScale = 8;

const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

/** Keeps the plan in its frame: it is never smaller than the frame, and no edge comes inside. */
function kept({ scale, x, y }: PlanView): PlanView {
  const size = between(1, scale, largestScale);
  // Without `+ 0` the whole plan would be moved by −0.
  return { scale: size, x: between(1 - size, x, 0) + 0, y: between(1 - size, y, 0) + 0 };
}

/** Draws the plan larger or smaller. The point stays where it is, as under a pointer. */
export function zoomAt({ scale, x, y }: PlanView, factor: number, point: Point): PlanView {
  const size = between(1, scale * factor, largestScale);
  const grown = size / scale;
  return kept({
    scale: size,
    x: point.x - (point.x - x) * grown,
    y: point.y - (point.y - y) * grown,
  });
}

export const moveBy = (view: PlanView, by: Point): PlanView =>
  kept({ ...view, x: view.x + by.x, y: view.y + by.y });

/** Where a point of the plan is in the frame. */
export const inFrame = ({ scale, x, y }: PlanView, point: Point): Point => ({
  x: x + point.x * scale,
  y: y + point.y * scale,
});
