import { Link } from '@tanstack/react-router';
import type { ConsolePriority } from '@tocsin/contract';
import { type AlarmRow, isWaiting, priorities } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useMeta } from '../services/queries.ts';
import { AlarmSymbol, type SymbolState } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { Account } from './account.tsx';
import { ConnectionFact } from './connection-fact.tsx';
import { SoundFact } from './sound-fact.tsx';

/** The bar that is on every page: plant, counts, connection, sound, time, user. */
export function TopBar() {
  const meta = useMeta();
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  return (
    <header className="top">
      <span className="site">
        <b>{meta?.tenant.name ?? 'Tocsin'}</b>
      </span>
      <Tally label={words.top.tally} />
      <span className="fill" />
      <ConnectionFact />
      <SoundFact />
      <time className="clock">
        <b>{time.clock(now)}</b>
        <small>
          {time.date(now)}, {time.offset(now)}
        </small>
      </time>
      <Account />
    </header>
  );
}

function Tally({ label }: { readonly label: string }) {
  const { rows } = useAlarms();
  return (
    <Link className="tally" to="/" search={{}}>
      <span className="vh">{label}</span>
      {priorities.map((priority) => (
        <Count key={priority} priority={priority} rows={rows} />
      ))}
    </Link>
  );
}

function Count({
  priority,
  rows,
}: {
  readonly priority: ConsolePriority;
  readonly rows: readonly AlarmRow[];
}) {
  const own = rows.filter((row) => row.priority === priority && row.state !== 'mask');
  const state: SymbolState = own.length === 0 ? 'none' : own.some(isWaiting) ? 'new' : 'ack';
  return (
    <span className={`tally-i${own.length === 0 ? ' zero' : ''}`}>
      <AlarmSymbol priority={priority} state={state} size={18} />
      <b>{own.length}</b>
    </span>
  );
}
