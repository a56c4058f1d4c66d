import type { KpiDay } from '@tocsin/contract';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';

type Props = { readonly days: readonly KpiDay[]; readonly height: number; readonly width?: number };

const room = 12;

/** A bar for each day; the highest is dark. */
export function DayBars({ days, height, width = 230 }: Props) {
  const words = useWords().histories;
  const time = useSiteTime();
  const nameOf = (day: KpiDay | undefined) => (day ? time.date(Date.parse(`${day.day}T12:00:00Z`)) : '');
  const peak = Math.max(1, ...days.map(({ alarms }) => alarms));
  const bottom = height - room;
  const step = width / Math.max(1, days.length);
  const [first, last] = [nameOf(days[0]), nameOf(days.at(-1))];
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words.perDay(first, last, Math.max(0, ...days.map(({ alarms }) => alarms)))}
    >
      {days.map(({ day, alarms }, index) => (
        <rect
          key={day}
          className={alarms === peak ? 'b hi' : 'b'}
          x={index * step}
          y={bottom - (alarms / peak) * bottom}
          width={Math.max(0.5, step * 0.75)}
          height={(alarms / peak) * bottom}
        />
      ))}
      <line className="ax" x1="0" x2={width} y1={bottom + 0.5} y2={bottom + 0.5} />
      <text x="0" y={height - 1}>
        {first}
      </text>
      {days.length > 1 && (
        <text className="end" x={width} y={height - 1}>
          {last}
        </text>
      )}
    </svg>
  );
}
