import type { AlarmKpis } from '@tocsin/contract';
import { secondsOf } from '../durations.ts';

/** Whether a figure is as good as it should be. `none` has no target. */
export type Verdict = 'ok' | 'near' | 'over' | 'none';

export const figureNames = [
  'rate',
  'busiest',
  'flood',
  'worst',
  'chattering',
  'stale',
  'acknowledge',
  'masked',
] as const;
export type FigureName = (typeof figureNames)[number];

export type Figure = {
  readonly name: FigureName;
  /** The number to show; undefined if there is none. */
  readonly value: number | undefined;
  readonly verdict: Verdict;
  /** The most that is on target. */
  readonly target: number | undefined;
};

/** The targets of ISA-18.2: for each operator at most 12 alarms an hour, better 6; no flood; few tags with most alarms. */
export const targets = {
  rate: 12,
  rateGood: 6,
  floodShare: 0.01,
  worstShare: 0.05,
  stale: 4,
  /** Share of alarms by priority. */
  priorities: { 1: 0.01, 2: 0.05, 3: 0.15, 4: 0.8 } as Readonly<Record<number, number>>,
} as const;

const worstTags = 10;

/** The share of the ten tags with the most alarms. */
const worstShareOf = ({ worst }: AlarmKpis): number =>
  worst.items[Math.min(worstTags, worst.items.length) - 1]?.cumulativeShare ?? 0;

const atMost = (value: number, most: number): Verdict => (value <= most ? 'ok' : 'over');

export function figuresOf(kpis: AlarmKpis): readonly Figure[] {
  const { alarmsPerHour, busiest, flood, chattering, stale, masked, reactionMeanTime, alarms } = kpis;
  const peak = busiest?.alarms ?? 0;
  const share = worstShareOf(kpis);
  const rate: Verdict =
    alarmsPerHour <= targets.rateGood ? 'ok' : alarmsPerHour <= targets.rate ? 'near' : 'over';
  return [
    { name: 'rate', value: alarmsPerHour, verdict: rate, target: targets.rate },
    { name: 'busiest', value: peak, verdict: atMost(peak, flood.limit), target: flood.limit },
    {
      name: 'flood',
      value: flood.share * 100,
      verdict: flood.share < targets.floodShare ? 'ok' : 'over',
      target: targets.floodShare * 100,
    },
    {
      name: 'worst',
      value: alarms === 0 ? undefined : share * 100,
      verdict: alarms === 0 ? 'none' : atMost(share, targets.worstShare),
      target: targets.worstShare * 100,
    },
    { name: 'chattering', value: chattering.total, verdict: atMost(chattering.total, 0), target: 0 },
    {
      name: 'stale',
      value: stale.total,
      verdict: atMost(stale.total, targets.stale),
      target: targets.stale + 1,
    },
    {
      name: 'acknowledge',
      value: reactionMeanTime === undefined ? undefined : secondsOf(reactionMeanTime),
      verdict: 'none',
      target: undefined,
    },
    { name: 'masked', value: masked.total, verdict: atMost(masked.total, 0), target: 0 },
  ];
}
