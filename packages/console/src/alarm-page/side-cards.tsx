import { Link } from '@tanstack/react-router';
import { type AlarmRow, titleOf } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Card } from '../frame/card.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { dutyCall, useDuty } from './alarm-queries.ts';
import { relatedRows } from './related.ts';

const shownRelated = 6;

export function RelatedCard({ row }: { readonly row: AlarmRow }) {
  const words = useWords().alarm;
  const time = useSiteTime();
  const now = useNow();
  const rows = relatedRows(useAlarms().rows, row, now);
  // Without the area nothing is known, which is not the same as no alarm.
  if (!row.context) return null;
  return (
    <Card title={words.related} note={words.relatedNote} kind="rel">
      {rows.length === 0 && <p className="in muted">{words.relatedNone}</p>}
      {rows.length > 0 && (
        <ul className="in">
          {rows.slice(0, shownRelated).map(({ alarm, priority, state, raisedAt }) => (
            <li key={alarm.id}>
              <AlarmSymbol priority={priority} state={state} size={18} />
              <Link to="/alarms/$id" params={{ id: String(alarm.id) }}>
                {titleOf(alarm)}
              </Link>
              <time>{time.when(raisedAt, now)}</time>
            </li>
          ))}
          {rows.length > shownRelated && (
            <li>
              <span />
              <span className="muted">{words.more(rows.length - shownRelated)}</span>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

/** Who is on duty in the call groups of the station. */
export function DutyCard({ stationId }: { readonly stationId: number | undefined }) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const duty = useDuty()?.filter((group) => group.stationId === 0 || group.stationId === stationId);
  if (!duty || duty.length === 0) return null;
  const ends = duty.flatMap(({ until }) => (until === undefined ? [] : [Date.parse(until)]));
  const note = ends.length === 0 ? '' : words.alarm.until(time.when(Math.min(...ends), now));
  return (
    <Card title={words.alarm.onDuty} note={note} kind="rel" call={dutyCall}>
      <ul className="in duty">
        {duty.map(({ callGroupId, callGroup, people }) => (
          <li key={callGroupId}>
            <span>{callGroup}</span>
            <span>
              {people.length === 0 ? words.called.nobody : people.map(({ user }) => user).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
