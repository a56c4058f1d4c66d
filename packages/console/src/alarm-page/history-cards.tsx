import type { AlarmHistory, TimelineEntry } from '@tocsin/contract';
import { Card } from '../frame/card.tsx';
import { roughDuration, shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { historiesCall } from './alarm-queries.ts';
import { lastTimes, meanDuration, shownWeeks, weeklyCounts } from './occurrences.ts';

const shownTimes = 5;

type LastProps = {
  readonly histories: readonly AlarmHistory[];
  readonly entries: readonly TimelineEntry[];
  readonly occurrenceId: number;
};

export function LastTimesCard({ histories, entries, occurrenceId }: LastProps) {
  const words = useWords().alarm;
  const time = useSiteTime();
  const now = useNow();
  const times = lastTimes(histories, entries, occurrenceId).slice(0, shownTimes);
  if (times.length === 0)
    return (
      <Card title={words.lastTimes} kind="rel">
        <p className="in muted">{words.firstTime}</p>
      </Card>
    );
  const after = (ms: number | undefined, format: (value: number) => string) =>
    ms === undefined ? '–' : format(ms);
  return (
    <Card title={words.lastTimes} note={words.lastTimesNote} kind="rel">
      <ul className="in last">
        {times.map(({ id, at, takenBy, takenAfter, goneAfter }) => (
          <li key={id}>
            <time>{time.when(at, now)}</time>
            <span>{takenBy === '' ? '–' : takenBy}</span>
            <span className="n">{after(takenAfter, shortDuration)}</span>
            <span className="n">{after(goneAfter, roughDuration)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type OccurrencesProps = { readonly histories: readonly AlarmHistory[]; readonly path: string };

export function OccurrencesCard({ histories, path }: OccurrencesProps) {
  const words = useWords().alarm;
  const now = useNow();
  const mean = meanDuration(histories);
  const note = words.inAYear(histories.length, mean === undefined ? '' : roughDuration(mean));
  return (
    <Card title={words.occurrences} note={note} call={historiesCall(path, now)}>
      <div className="in">
        <Trend histories={histories} />
      </div>
    </Card>
  );
}

const dayMs = 86_400_000;
const height = 56;
const left = 18;
const bottom = 64.5;
const barStep = 6.56;

/** One bar per week; this week is in ink. */
function Trend({ histories }: { readonly histories: readonly AlarmHistory[] }) {
  const words = useWords().alarm;
  const language = useLanguage();
  // Bars change once a day, not each second.
  const today = Math.ceil(useNow() / dayMs) * dayMs;
  const counts = weeklyCounts(histories, today);
  const top = Math.max(2, 2 * Math.ceil(Math.max(...counts) / 2));
  const month = (weeksAgo: number, year: boolean) =>
    new Intl.DateTimeFormat(language, { month: 'short', ...(year && { year: 'numeric' }) }).format(
      today - weeksAgo * 7 * dayMs,
    );
  const y = (value: number) => bottom - (value * height) / top;
  return (
    <svg
      className="chart"
      viewBox="0 0 360 82"
      role="img"
      aria-label={words.perWeek(histories.length, counts.at(-1) ?? 0)}
    >
      {[top / 2, top].map((value) => (
        <line key={value} className="grid-l" x1={left} x2={360} y1={y(value)} y2={y(value)} />
      ))}
      {[0, top / 2, top].map((value) => (
        <text key={value} className="end" x={12} y={y(value) + 3.5}>
          {value}
        </text>
      ))}
      <line className="ax" x1={left} x2={360} y1={bottom} y2={bottom} />
      {counts.map((count, week) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a bar is its week.
          key={week}
          className={week === shownWeeks - 1 ? 'b hi' : 'b'}
          x={left + 1 + week * barStep}
          y={y(count)}
          width={4.6}
          height={bottom - y(count)}
        />
      ))}
      <text x={left} y={80}>
        {month(shownWeeks - 1, true)}
      </text>
      <text className="mid" x={190} y={80}>
        {month(shownWeeks / 2, false)}
      </text>
      <text className="end strong" x={360} y={80}>
        {words.thisWeek}
      </text>
    </svg>
  );
}
