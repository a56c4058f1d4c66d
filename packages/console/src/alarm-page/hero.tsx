import { type AlarmRow, titleOf } from '../alarms/alarm-row.ts';
import { useGuidance } from '../services/queries.ts';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { shortDuration } from '../time/durations.ts';
import { type SiteTime, useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { CalledReading } from './called-reading.tsx';
import type { PlannedCall } from './planned-calls.ts';

type Props = { readonly row: AlarmRow; readonly following: readonly PlannedCall[] };

/** The alarm in one line: what, since when, how much, who, how long there is. */
export function Hero({ row, following }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const { alarm, priority, state, raisedAt } = row;
  const [source = ''] = alarm.fullPath.split('\\');
  return (
    <header className="hero">
      <AlarmSymbol priority={priority} state={state} size={54} />
      <div className="ttl">
        <h1>{titleOf(alarm)}</h1>
        <p>
          <b>{words.panel.state(words.priorities[priority], words.states[state])}.</b>{' '}
          {standing(row, { words, time, now })} {words.alarm.raisedBy(time.when(raisedAt, now), source)}
        </p>
      </div>
      <ValueReading value={alarm.value} />
      <CalledReading row={row} next={following[0]} />
      <RespondReading row={row} />
    </header>
  );
}

type Told = { readonly words: Words; readonly time: SiteTime; readonly now: number };

/** What the state means, in a sentence. */
function standing({ alarm, state, since, raisedAt, context }: AlarmRow, { words, time, now }: Told): string {
  const lasted = shortDuration(now - since);
  if (state === 'new') return words.alarm.nobodyFor(shortDuration(now - raisedAt));
  if (state === 'rtn') return words.alarm.goneFor(lasted);
  if (state === 'ack') return words.alarm.takenFor(alarm.ackUser, lasted);
  if (state === 'over') return words.alarm.overFor(lasted);
  const until = context?.maskedUntil;
  return words.alarm.maskedUntil(
    until === undefined ? '' : time.when(Date.parse(until), now),
    context?.maskReason ?? '',
  );
}

function ValueReading({ value }: { readonly value: string }) {
  const words = useWords();
  const [, figure = value, unit = ''] = /^([−+-]?\d[\d.,]*)\s+(.+)$/u.exec(value) ?? [];
  return (
    <dl className="reading">
      <dt>{words.list.columns.value}</dt>
      <dd>
        {figure === '' ? '–' : figure} {unit !== '' && <small>{unit}</small>}
      </dd>
    </dl>
  );
}

/** The end of the time to respond, also if the guidance is newer than what the list knows. */
function useDueAt({ alarm, raisedAt, dueAt }: AlarmRow): number | undefined {
  const seconds = useGuidance(alarm.id)?.guidance?.respondSeconds ?? 0;
  return seconds > 0 ? raisedAt + seconds * 1_000 : dueAt;
}

function RespondReading({ row }: { readonly row: AlarmRow }) {
  const words = useWords().respond;
  const now = useNow();
  const { raisedAt, state, priority } = row;
  const dueAt = useDueAt(row);
  const isCounted = state === 'new' || state === 'ack';
  if (dueAt === undefined || !isCounted)
    return (
      <dl className="reading ttrbig">
        <dt>{words.title}</dt>
        <dd>–</dd>
        {dueAt === undefined && <dd className="sub">{words.none}</dd>}
      </dl>
    );
  const all = dueAt - raisedAt;
  const left = dueAt - now;
  const percent = Math.min(100, Math.max(0, (100 * (all - left)) / all));
  return (
    <dl className={left > 0 ? 'reading ttrbig' : `reading ttrbig over p${priority}`}>
      <dt>{words.title}</dt>
      <dd>
        {left > 0 ? shortDuration(left) : `+${shortDuration(-left)}`}{' '}
        <small>{left > 0 ? words.leftOf(shortDuration(all)) : words.of(shortDuration(all))}</small>
      </dd>
      <dd className="bar">
        <i style={{ width: `${percent}%` }} />
      </dd>
    </dl>
  );
}
