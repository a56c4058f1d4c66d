import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import type { Tile } from './tiles.ts';

type Props = {
  readonly tile: Tile;
  /** Sizes of the symbols of the highest priority and of the others. */
  readonly sizes: readonly [number, number];
};

export function tileClass({ counts, isHot }: Tile): string {
  return `wt${counts.length > 0 ? ' on' : ''}${isHot ? ' hot' : ''}`;
}

/** The highest priority large with its count, the others small. An area without alarms says since when. */
export function TileFacts({ tile: { name, counts, quietSince }, sizes: [large, small] }: Props) {
  const [top, ...others] = counts;
  return (
    <>
      <h2 title={name}>{name}</h2>
      {top ? (
        <>
          <AlarmSymbol priority={top.priority} state={top.state} size={large} />
          <b className="wn">{top.count}</b>
          {others.length > 0 && (
            <ul className="wo">
              {others.map(({ priority, count, state }) => (
                <li key={priority}>
                  <AlarmSymbol priority={priority} state={state} size={small} />
                  <b>{count}</b>
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <Calm since={quietSince} />
      )}
    </>
  );
}

function Calm({ since }: { readonly since: number | undefined }) {
  const words = useWords().areas;
  const now = useNow();
  return (
    <p className="calm">{since === undefined ? words.calm : words.calmFor(shortDuration(now - since))}</p>
  );
}
