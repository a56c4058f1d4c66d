import type { KpiTenMinutes } from '@tocsin/contract';
import { useSiteTime } from '../../time/site-time.ts';
import { useWords } from '../../words/use-words.ts';
import type { Period } from '../period.ts';
import { axisSteps } from './axis.ts';

export type Bar = { readonly at: number; readonly alarms: number };

const tenMinutesMs = 600_000;
const hourMs = 3_600_000;
const [width, left, bottom, top] = [860, 30, 140, 18];

/** The ten minutes of the period that have alarms. */
export function barsOf(tenMinutes: readonly KpiTenMinutes[], { from, to }: Period): readonly Bar[] {
  return tenMinutes
    .map(({ at, alarms }) => ({ at: Date.parse(at), alarms }))
    .filter(({ at }) => at > from - tenMinutesMs && at < to);
}

type Props = {
  readonly bars: readonly Bar[];
  readonly period: Period;
  readonly limit: number;
  readonly name: string;
};

/** Alarms per ten minutes, with the line above which they are a flood. */
export function RateChart({ bars, period, limit, name }: Props) {
  const words = useWords().kpi;
  const time = useSiteTime();
  const peak = Math.max(0, ...bars.map(({ alarms }) => alarms));
  const steps = axisSteps(Math.max(peak, limit + limit / 2));
  const end = steps.at(-1) ?? 1;
  const y = (alarms: number) => bottom - (alarms / end) * (bottom - top);
  const x = (at: number) => left + ((at - period.from) / (period.to - period.from)) * (width - left);
  const barWidth = (tenMinutesMs / (period.to - period.from)) * (width - left) - 1.4;
  const above = bars.filter(({ alarms }) => alarms > limit);
  const hours = Array.from({ length: 8 }, (_, step) => period.from + step * 3 * hourMs);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} 166`}
      role="img"
      aria-label={words.rateLabel(name, above.length, peak)}
    >
      {steps.map((value) => (
        <g key={value}>
          {value > 0 && <line className="grid-l" x1={left} x2={width} y1={y(value)} y2={y(value)} />}
          <text className="end" x={left - 6} y={y(value) + 4}>
            {value}
          </text>
        </g>
      ))}
      {bars.map(({ at, alarms }) => (
        <rect
          key={at}
          className={alarms > limit ? 'b hi' : 'b'}
          x={x(at) + 0.7}
          y={y(alarms)}
          width={barWidth}
          height={bottom - y(alarms)}
        />
      ))}
      <line className="ax" x1={left} x2={width} y1={bottom + 0.5} y2={bottom + 0.5} />
      <line className="lim" x1={left} x2={width} y1={y(limit)} y2={y(limit)} />
      <text className="end lbl" x={width} y={y(limit) - 6}>
        {words.floodLine(limit)}
      </text>
      {highest(above).map(({ at, alarms }) => (
        <text key={at} className="mid strong" x={x(at) + barWidth / 2} y={y(alarms) - 5}>
          {alarms}
        </text>
      ))}
      {hours.map((at) => (
        <text key={at} x={x(at)} y={bottom + 17}>
          {time.clock(at).slice(0, 5)}
        </text>
      ))}
    </svg>
  );
}

/** Bars whose numbers have room: the highest, none beside another. */
function highest(above: readonly Bar[]): readonly Bar[] {
  const named: Bar[] = [];
  for (const bar of above.toSorted((one, other) => other.alarms - one.alarms)) {
    if (named.length < 6 && named.every(({ at }) => Math.abs(at - bar.at) >= 4 * tenMinutesMs))
      named.push(bar);
  }
  return named;
}
