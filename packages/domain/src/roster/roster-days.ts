/** A weekly slot in the local time of the station. Minutes from midnight; 1440 is the end of the day. */
export type RosterSlot = {
  readonly teamId: number;
  /** 1 Monday … 7 Sunday. */
  readonly day: number;
  readonly startMinute: number;
  readonly endMinute: number;
  /** The week of the rotation, from 1; absent: every week. */
  readonly week?: number;
};

/** Slots that repeat every few weeks. The week of `firstDay` is week 1. Days are counted from 1 January 1970. */
export type Rotation = { readonly weeks: number; readonly firstDay: number };

/** The slots of a roster, and what decides on which days they apply. */
type SlotPlan = {
  readonly slots: readonly RosterSlot[];
  readonly rotation?: Rotation;
  readonly holidays?: readonly number[];
};

const sunday = 7;

/** The ISO day of the week of a day counted from 1 January 1970, a Thursday. */
export function dayOfWeek(day: number): number {
  return modulo(day + 3, 7) + 1;
}

/** The week of the rotation that a day is in, from 1. */
export function rotationWeek({ weeks, firstDay }: Rotation, day: number): number {
  return modulo(weekOf(day) - weekOf(firstDay), weeks) + 1;
}

/** For repeated use: returns a function that finds the slots of a day. A holiday has the slots of a Sunday. */
export function slotReader({
  slots,
  rotation,
  holidays = [],
}: SlotPlan): (day: number) => readonly RosterSlot[] {
  const slotsOfDay = Map.groupBy(slots, ({ day }) => day);
  const free = new Set(holidays);
  return (day) => {
    const ofDay = slotsOfDay.get(free.has(day) ? sunday : dayOfWeek(day)) ?? [];
    if (!rotation || rotation.weeks === 1) return ofDay;
    const current = rotationWeek(rotation, day);
    return ofDay.filter(({ week }) => week === undefined || week === current);
  };
}

/** Weeks begin on Monday. */
const weekOf = (day: number) => Math.floor((day + 3) / 7);

const modulo = (value: number, size: number) => ((value % size) + size) % size;
