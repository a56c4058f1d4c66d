/** What the address of the sheet chooses. */
export type ShiftSearch = {
  /** ISO date-times. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly hours?: number | undefined;
  readonly stationId?: number | undefined;
};

export const hourChoices = [8, 12, 24] as const;
const usualHours = 8;
const hourMs = 3_600_000;
/** The longest period of the server, less a minute for clocks that differ. */
export const longestMs = 31 * 24 * hourMs - 60_000;

const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Reads the choice of an address; whatever is not understood chooses nothing. */
export function readShiftSearch(search: Record<string, unknown>): ShiftSearch {
  const stationId = Number(search['stationId']);
  return {
    from: timeOf(search['from']),
    to: timeOf(search['to']),
    hours: hourChoices.find((hours) => hours === Number(search['hours'])),
    stationId: Number.isInteger(stationId) && stationId > 0 ? stationId : undefined,
  };
}

/** Why the sheet begins when it does. */
export type Since = 'chosen' | 'tookOver' | 'handedOver' | 'left' | 'hours';

export type Period = {
  readonly from: number;
  /** Undefined: until now. */
  readonly to: number | undefined;
  readonly since: Since;
};

/** When the user was last here, as far as it is known. */
export type LastSeen = {
  readonly signed: { readonly side: 'tookOver' | 'handedOver'; readonly at: number } | undefined;
  /** The sign-out at this desk. */
  readonly leftAt: number | undefined;
};

/** Hours are counted from a whole minute, so that the sheet is not another one each second. */
const wholeMinute = (now: number) => Math.floor(now / 60_000) * 60_000;

function beginOf(
  { from, hours }: ShiftSearch,
  { signed, leftAt }: LastSeen,
  now: number,
): Omit<Period, 'to'> {
  if (from !== undefined) return { from: Date.parse(from), since: 'chosen' };
  if (hours !== undefined) return { from: wholeMinute(now) - hours * hourMs, since: 'hours' };
  if (signed) return { from: signed.at, since: signed.side };
  if (leftAt !== undefined) return { from: leftAt, since: 'left' };
  return { from: wholeMinute(now) - usualHours * hourMs, since: 'hours' };
}

/** The period of the sheet: as chosen, else since the user signed a hand-over, else signed out, else eight hours. */
export function periodOf(search: ShiftSearch, seen: LastSeen, now: number): Period {
  const asked = search.to === undefined ? undefined : Date.parse(search.to);
  const to = asked !== undefined && asked < now ? asked : undefined;
  const begin = beginOf(search, seen, now);
  const last = to ?? wholeMinute(now);
  // A period that the server would refuse shows its longest one, or a minute, instead of nothing.
  return { ...begin, to, from: Math.min(Math.max(begin.from, last - longestMs), last - 60_000) };
}
