import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { moveBy, type PlanView, type Point, wholePlan, zoomAt } from './plan-view.ts';

const middle: Point = { x: 0.5, y: 0.5 };
const zoomStep = 1.5;
const moveStep = 0.1;

const moves: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: moveStep, y: 0 },
  ArrowRight: { x: -moveStep, y: 0 },
  ArrowUp: { x: 0, y: moveStep },
  ArrowDown: { x: 0, y: -moveStep },
};
const zooms: Readonly<Record<string, number>> = { '+': zoomStep, '=': zoomStep, '-': 1 / zoomStep };

/** Lets somebody look at a part of a plan, by pointer or by keys. The whole plan lets the page scroll under the finger. */
export function usePanZoom(focus: Point) {
  const [view, setView] = useState<PlanView>(wholePlan);
  const last = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (view.scale === 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!last.current) return;
    const { width, height } = event.currentTarget.getBoundingClientRect();
    const by = { x: (event.clientX - last.current.x) / width, y: (event.clientY - last.current.y) / height };
    last.current = { x: event.clientX, y: event.clientY };
    setView((before) => moveBy(before, by));
  };
  const onPointerUp = () => {
    last.current = undefined;
  };
  // The first step goes to what the plan is shown for, later ones to the middle of what is seen.
  const zoom = (factor: number) =>
    setView((before) => zoomAt(before, factor, before.scale === 1 ? focus : middle));
  const onKeyDown = (event: KeyboardEvent) => {
    const [move, factor] = [moves[event.key], zooms[event.key]];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!move && factor === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (move) setView((before) => moveBy(before, move));
    if (factor !== undefined) zoom(factor);
  };
  return {
    view,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    showAll: () => setView(wholePlan),
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown },
  };
}
