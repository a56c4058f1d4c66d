import { type PointerEvent, useState } from 'react';
import { slotsOn } from './planning/days.ts';
import type { Draft, Slot } from './planning/draft.ts';

/** A time of a day that somebody has chosen; with a slot, it is that slot which goes there. */
export type Dropped = {
  readonly slot?: Slot | undefined;
  readonly day: number;
  readonly from: number;
  readonly to: number;
};

type Drag = {
  readonly kind: 'paint' | 'move' | 'from' | 'to';
  readonly slot: Slot | undefined;
  /** Where the pointer went down. */
  readonly start: Place;
  readonly now: Place;
};
type Place = { readonly day: number; readonly minute: number };

type Options = {
  readonly days: readonly number[];
  readonly draft: Draft;
  readonly isEnabled: boolean;
  readonly onDrop: (dropped: Dropped) => void;
};

const lastMinute = 1_440;
const edgePixels = 8;
const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** What a drag means now; undefined while it has not left its place. */
export function resultOf({ kind, slot, start, now }: Drag, step: number): Dropped | undefined {
  const snap = (minute: number) => clamp(Math.round(minute / step) * step, 0, lastMinute);
  if (!slot) {
    const [low, high] = [Math.min(start.minute, now.minute), Math.max(start.minute, now.minute)];
    const span = { from: Math.floor(low / step) * step, to: Math.ceil(high / step) * step };
    return high - low < step / 3 ? undefined : { day: start.day, ...span };
  }
  const by = snap(now.minute) - snap(start.minute);
  if (by === 0 && (kind !== 'move' || now.day === start.day)) return undefined;
  if (kind === 'from')
    return { slot, day: start.day, from: clamp(slot.from + by, 0, slot.to - step), to: slot.to };
  if (kind === 'to')
    return { slot, day: start.day, from: slot.from, to: clamp(slot.to + by, slot.from + step, lastMinute) };
  const from = clamp(slot.from + by, 0, lastMinute - (slot.to - slot.from));
  return { slot, day: now.day, from, to: from + slot.to - slot.from };
}

/** Dragging over a free time gives it to a team; dragging a slot moves it, and dragging its end makes it longer. */
export function useDrag({ days, draft, isEnabled, onDrop }: Options) {
  const [drag, setDrag] = useState<Drag>();
  const step = draft.slotMinutes;
  const ghost = drag && resultOf(drag, step);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const place = placeAt(event, days);
    // A finger scrolls the page; on touch screens slots are changed by their forms.
    if (!isEnabled || event.button !== 0 || event.pointerType === 'touch' || !place) return;
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) {
      setDrag({ kind: 'paint', slot: undefined, start: place, now: place });
      return;
    }
    const from = Number(button.getAttribute('data-slot')?.split(' ')[1]);
    const slot = slotsOn(draft, place.day).find((one) => one.from === from);
    if (slot) setDrag({ kind: kindOf(button, event.clientX), slot, start: place, now: place });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const place = drag && placeAt(event, days);
    if (!place) return;
    // Only a drag captures the pointer: a click must still reach the slot.
    if (resultOf({ ...drag, now: place }, step)) event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ ...drag, now: place });
  };
  const onPointerUp = () => {
    if (ghost) onDrop(ghost);
    setDrag(undefined);
  };
  return {
    ghost,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(undefined) },
  };
}

function kindOf(element: Element, x: number): Drag['kind'] {
  const { left, right } = element.getBoundingClientRect();
  if (x - left < edgePixels) return 'from';
  return right - x < edgePixels ? 'to' : 'move';
}

/** The day and minute under the pointer; beside the bars those of the nearest one. */
function placeAt(event: PointerEvent<HTMLElement>, days: readonly number[]): Place | undefined {
  const tracks = [...event.currentTarget.querySelectorAll('.track')];
  const boxes = tracks.map((track) => track.getBoundingClientRect());
  const index = boxes.findIndex(({ top, bottom }) => top <= event.clientY && event.clientY < bottom);
  const [day, box] = [days[index], boxes[index]];
  if (day === undefined || !box) return undefined;
  const minute = clamp(((event.clientX - box.left) / box.width) * lastMinute, 0, lastMinute);
  return { day, minute };
}
