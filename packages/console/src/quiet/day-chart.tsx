import { Card } from '../frame/card.tsx';
import { useOccurrences } from '../services/queries.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { axisEnd, firstHour, type Hour, perHour } from './hours.ts';

const bottom = 126;
const height = 112;
const left = 24;
const step = 15.5;

/** Alarms per hour of the last day. The card is left out where the numbers would not be complete. */
export function DayCard() {
  const words = useWords().quiet;
  const now = useNow();
  const occurrences = useOccurrences(firstHour(now));
  if (!occurrences) return null;
  const open = occurrences.filter(({ ackTime, resetTime }) => !ackTime || !resetTime).length;
  const hours = perHour(
    occurrences.map(({ alarmTime }) => Date.parse(alarmTime)),
    now,
  );
  return (
    <Card kind="q6" title={words.day} note={words.dayNote(occurrences.length, open)}>
      <div className="in">
        <DayChart hours={hours} />
      </div>
    </Card>
  );
}

function DayChart({ hours }: { readonly hours: readonly Hour[] }) {
  const words = useWords().quiet;
  const time = useSiteTime();
  const peak = Math.max(...hours.map(({ count }) => count));
  const end = axisEnd(peak);
  const y = (count: number) => bottom - (count * height) / end;
  const at = (ms: number) => time.clock(ms).slice(0, 5);
  const busiest = hours.find(({ count }) => count === peak);
  return (
    <svg
      className="chart"
      viewBox="0 0 396 148"
      role="img"
      aria-label={words.dayLabel(peak, at(busiest?.start ?? 0))}
    >
      {[end, end / 2].map((value) => (
        <line key={value} className="grid-l" x1={left - 2} x2="396" y1={y(value)} y2={y(value)} />
      ))}
      {[end, end / 2, 0].map((value) => (
        <text key={value} className="end" x={left - 8} y={y(value) + 4}>
          {value}
        </text>
      ))}
      <line className="ax" x1={left - 2} x2="396" y1={bottom + 0.5} y2={bottom + 0.5} />
      {hours.map(({ start, count }, index) => (
        <rect
          key={start}
          className="b"
          x={left + index * step}
          y={y(count)}
          width="11"
          height={bottom - y(count)}
        />
      ))}
      {hours.map(({ start }, index) =>
        index % 6 === 0 ? (
          <text key={start} x={left + index * step} y="144">
            {at(start)}
          </text>
        ) : null,
      )}
      <text className="end strong" x="396" y="144">
        {words.now}
      </text>
    </svg>
  );
}
