import type { PlannedCall } from '../../alarm-page/planned-calls.ts';

export type Bar = { readonly from: number; readonly to: number; readonly media: readonly string[] };
export type ChartRow = {
  readonly user: string;
  readonly callGroup: string;
  readonly role: PlannedCall['role'];
  readonly bars: readonly Bar[];
};
export type LadderChart = { readonly rows: readonly ChartRow[]; readonly seconds: number };

/** The shortest bar: a telephone rings for so long. */
const leastSeconds = 30;

const since = (calls: readonly PlannedCall[], at: number) => (at - (calls[0]?.at ?? at)) / 1_000;

/** The end of the turn of a person: when somebody else is called for the first time after it. */
function endOf(calls: readonly PlannedCall[], call: PlannedCall): number {
  const next = calls.find(({ at, userId }) => at > call.at && userId !== call.userId);
  return Math.max(next ? since(calls, next.at) : 0, since(calls, call.at) + leastSeconds);
}

/** Calls of the same person before somebody else is called are one bar. */
function barsOf(calls: readonly PlannedCall[], own: readonly PlannedCall[]): readonly Bar[] {
  const bars: Bar[] = [];
  for (const call of own) {
    const [from, to] = [since(calls, call.at), endOf(calls, call)];
    const last = bars.at(-1);
    if (last && from < last.to)
      bars[bars.length - 1] = {
        from: last.from,
        to: Math.max(last.to, to),
        media: [...new Set([...last.media, call.medium])],
      };
    else bars.push({ from, to, media: [call.medium] });
  }
  return bars;
}

/** The calls as a chart: one row per person and group, in the order in which they are first called. */
export function ladderChart(calls: readonly PlannedCall[]): LadderChart {
  const keyOf = ({ userId, callGroupId }: PlannedCall) => `${userId} ${callGroupId}`;
  const groups = Map.groupBy(calls, keyOf);
  const rows = [...groups.values()].flatMap((own): ChartRow[] => {
    const [first] = own;
    return first
      ? [{ user: first.user, callGroup: first.callGroup, role: first.role, bars: barsOf(calls, own) }]
      : [];
  });
  const seconds = Math.max(leastSeconds, ...rows.flatMap(({ bars }) => bars.map(({ to }) => to)));
  return { rows, seconds };
}

/** Marks of a time axis: at most ten, at round minutes. */
export function axisMarks(seconds: number): readonly number[] {
  const steps = [60, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 21_600];
  const step = steps.find((each) => seconds / each <= 10) ?? 86_400;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}
