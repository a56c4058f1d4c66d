import { Link } from '@tanstack/react-router';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { OfflineBox } from './offline-box.tsx';

/** More than this is work for a desk. */
const most = 60;

/** The current alarms, the most urgent first. */
export function AlarmsTab() {
  const words = useWords().phone;
  const rows = useAlarms().rows.filter(({ state }) => state !== 'mask' && state !== 'over');
  return (
    <main className="mbody">
      <h1 className="vh">{words.tabs.alarms}</h1>
      <OfflineBox />
      <h2 className="mh">
        {words.otherAlarms} <b>{rows.length}</b>
      </h2>
      {rows.length === 0 ? (
        <p className="mnote">{words.noAlarms}</p>
      ) : (
        <ul className="outbox">
          {rows.slice(0, most).map((row) => (
            <Line key={row.alarm.id} row={row} />
          ))}
        </ul>
      )}
      {rows.length > most && <p className="mnote">{words.moreAlarms(rows.length - most)}</p>}
    </main>
  );
}

function Line({ row: { alarm, priority, state, raisedAt, context } }: { readonly row: AlarmRow }) {
  const words = useWords();
  const now = useNow();
  const place = context?.area || context?.station || '';
  const who = alarm.ackUser === '' ? words.phone.notTaken : words.phone.takenBy(alarm.ackUser);
  return (
    <li data-alarm={alarm.id}>
      <AlarmSymbol priority={priority} state={state} size={20} />
      <Link to="/alarms/$id" params={{ id: String(alarm.id) }}>
        {alarm.ackUser === '' ? <b>{alarm.message || alarm.name}</b> : alarm.message || alarm.name}
        <small>{[place, who].filter((part) => part !== '').join(', ')}</small>
      </Link>
      <span className="num">{shortDuration(now - raisedAt)}</span>
    </li>
  );
}
