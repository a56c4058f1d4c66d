import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import type { AlarmRow } from './alarm-row.ts';

/** A bar that fills in grey, and takes the colour of the priority only when the time is over. */
export function TimeToRespond({ row }: { readonly row: AlarmRow }) {
  const words = useWords().respond;
  const now = useNow();
  const isCounted = row.state === 'new' || row.state === 'ack';
  if (row.dueAt === undefined || !isCounted)
    return (
      <span className="ttr none" title={words.none}>
        –
      </span>
    );
  const left = row.dueAt - now;
  if (left <= 0)
    return (
      <span className={`ttr over p${row.priority}`}>
        <Bar percent={100} />
        <span className="n">+{shortDuration(-left)}</span>
      </span>
    );
  return (
    <span className="ttr">
      <Bar percent={(100 * (now - row.raisedAt)) / (row.dueAt - row.raisedAt)} />
      <span className="n">{shortDuration(left)}</span>
    </span>
  );
}

export function Bar({ percent }: { readonly percent: number }) {
  return (
    <span className="bar">
      <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
    </span>
  );
}
