import { Link, useParams } from '@tanstack/react-router';
import { useActions } from '../alarms/actions/use-actions.ts';
import { type AlarmRow, titleOf } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { BeingCalled } from '../alarms/being-called.tsx';
import { TimeToRespond } from '../alarms/time-to-respond.tsx';
import { useIsOnline } from '../services/use-live.ts';
import { useSound } from '../sound/sound-context.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { NoneSince } from './band-none.tsx';
import { Button } from './button.tsx';

const shownRows = 2;

/** The alarms of priority 1, on every page: no filter and no dialog hides them. The page of an alarm shows the others. */
export function Band() {
  const words = useWords().band;
  const opened = Number(useParams({ strict: false }).id ?? 0);
  const all = useAlarms().rows.filter(({ priority, state }) => priority === 1 && state !== 'mask');
  const rows = all.filter(({ alarm }) => alarm.id !== opened);
  if (opened > 0 && rows.length > 0 && rows.every(({ state }) => state === 'ack'))
    return <SlimBand rows={rows} />;
  if (rows.length === 0)
    return (
      <section className="band none" aria-label={words.label}>
        <AlarmSymbol priority={1} state="none" size={16} named={false} />
        <b>{all.length > 0 ? words.noOther : words.none}</b>
        {all.length === 0 && <NoneSince />}
      </section>
    );
  return (
    <section className="band" aria-label={words.label}>
      {rows.slice(0, shownRows).map((row) => (
        <BandRow key={row.alarm.id} row={row} />
      ))}
      {rows.length > shownRows && (
        <div className="morep1">
          <b>{words.more(rows.length - shownRows)}</b>
          <Link className="lnk" to="/" search={{}}>
            {words.showAll}
          </Link>
        </div>
      )}
    </section>
  );
}

/** One line is enough for alarms that somebody has taken, beside the page of another alarm. */
function SlimBand({ rows }: { readonly rows: readonly AlarmRow[] }) {
  const words = useWords().band;
  const [first] = rows;
  if (!first) return null;
  const { id, ackUser } = first.alarm;
  return (
    <section className="band slim" aria-label={words.label}>
      <AlarmSymbol priority={1} state={first.state} size={18} />
      <b>{words.others(rows.length)}</b>
      <Link className="lnk" to="/alarms/$id" params={{ id: String(id) }}>
        {titleOf(first.alarm)}
      </Link>
      {ackUser !== '' && <span className="muted">{words.takenBy(ackUser)}</span>}
    </section>
  );
}

function BandRow({ row }: { readonly row: AlarmRow }) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const { alarm, state, context } = row;
  const where = [alarm.value, context?.area].filter((part) => part !== undefined && part !== '').join(', ');
  return (
    <div className={`p1row is-${state === 'rtn' ? 'new' : state}`}>
      <span className="block">
        <AlarmSymbol priority={1} state={state} size={26} />
      </span>
      <Link className="msg" to="/alarms/$id" params={{ id: String(alarm.id) }}>
        {titleOf(alarm)}
      </Link>
      <span className="where">
        {where}
        <span className="tag">{alarm.path}</span>
      </span>
      <span className="since" title={time.when(row.since, now)}>
        <b>{words.states[state]}</b> <span className="n">{shortDuration(now - row.since)}</span>
      </span>
      <BeingCalled row={row} />
      <TimeToRespond row={row} />
      <span className="acts">
        <BandActions row={row} />
      </span>
    </div>
  );
}

function BandActions({ row }: { readonly row: AlarmRow }) {
  const words = useWords();
  const actions = useActions();
  const sound = useSound();
  const isOnline = useIsOnline();
  const { id } = row.alarm;
  if (row.state === 'ack')
    return (
      <Link className="btn sm ghost" to="/alarms/$id" params={{ id: String(id) }}>
        <span>{words.band.open}</span>
      </Link>
    );
  return (
    <>
      <Button
        label={words.actions.silence}
        icon="bell-off"
        hint="M"
        kind="sm"
        disabled={!isOnline}
        onClick={() => sound.silence()}
      />
      <Button
        label={words.actions.acknowledge}
        kind={isOnline ? 'sm primary' : 'sm'}
        disabled={!isOnline}
        onClick={() => void actions.acknowledge([id])}
      />
    </>
  );
}
