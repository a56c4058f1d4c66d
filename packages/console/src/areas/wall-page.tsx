import { useEffect, useState } from 'react';
import { type AlarmRow, titleOf } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { BeingCalled } from '../alarms/being-called.tsx';
import { LiveData } from '../frame/live-data.tsx';
import { TabTitle } from '../frame/tab-title.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { TileFacts, tileClass } from './area-tile.tsx';
import { wallGrid, wallPage } from './tiles.ts';
import { useTiles } from './use-tiles.ts';
import { WallTop } from './wall-top.tsx';

const drawnFor = 1_920;
const narrow = 900;
const turnMs = 15_000;
const shownRows = 2;

/** The areas on a big screen, to be read from 6 m. There is nothing to press. */
export function WallPage() {
  return (
    <LiveData>
      <TabTitle />
      <Wall />
    </LiveData>
  );
}

function Wall() {
  const words = useWords();
  const size = useWindowSize();
  const rows = useAlarms().rows.filter(({ priority, state }) => priority === 1 && state !== 'mask');
  // The page is drawn for 1920 px and grows with the screen, because a larger screen is read from farther away.
  const zoom = size.width < narrow ? 1 : size.width / drawnFor;
  return (
    <main className="wallp" style={size.width < narrow ? {} : { zoom, height: size.height / zoom }}>
      <h1 className="vh">{words.areas.title}</h1>
      <WallTop />
      <section className="wp1s" aria-label={words.band.label}>
        {rows.slice(0, shownRows).map((row) => (
          <WallRow key={row.alarm.id} row={row} />
        ))}
        {rows.length > shownRows && (
          <p className="wmore">
            <AlarmSymbol priority={1} state={rows[shownRows]?.state ?? 'new'} size={44} named={false} />
            {words.band.more(rows.length - shownRows)}
          </p>
        )}
      </section>
      <WallTiles />
    </main>
  );
}

function WallTiles() {
  const tiles = useTiles();
  const turn = Math.floor(useNow() / turnMs);
  const { columns, rows } = wallGrid(tiles.length);
  const grid = { '--wall-columns': columns, '--wall-rows': rows } as React.CSSProperties;
  return (
    <div className="wtiles" style={grid}>
      {wallPage(tiles, turn).map((tile) => (
        <section key={tile.key} className={tileClass(tile)}>
          <TileFacts tile={tile} sizes={[84, 42]} />
        </section>
      ))}
    </div>
  );
}

function WallRow({ row }: { readonly row: AlarmRow }) {
  const { alarm, state, context } = row;
  const where = [context?.area, alarm.value].filter((part) => part !== undefined && part !== '').join(', ');
  return (
    <div className={`wp1 is-${state === 'rtn' ? 'new' : state}`}>
      <span className="block">
        <AlarmSymbol priority={1} state={state} size={state === 'ack' ? 60 : 66} />
      </span>
      <span className="wm">
        <b>{titleOf(alarm)}</b>
        <span>{where}</span>
      </span>
      <span className="wr">
        <Remaining row={row} />
        <BeingCalled row={row} />
      </span>
    </div>
  );
}

/** The time that is left to respond; else the time in this state. */
function Remaining({ row: { dueAt, state, since } }: { readonly row: AlarmRow }) {
  const words = useWords();
  const now = useNow();
  if (dueAt === undefined || state === 'rtn')
    return <b>{`${words.states[state]} ${shortDuration(now - since)}`}</b>;
  return (
    <b>{dueAt > now ? words.respond.left(shortDuration(dueAt - now)) : `+${shortDuration(now - dueAt)}`}</b>
  );
}

function useWindowSize() {
  const [size, setSize] = useState({ width: window.innerWidth, height: window.innerHeight });
  useEffect(() => {
    const onResize = () => setSize({ width: window.innerWidth, height: window.innerHeight });
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  return size;
}
