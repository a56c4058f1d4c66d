import { Link } from '@tanstack/react-router';
import { StaleBar } from '../alarms/list/list-bars.tsx';
import { useWords } from '../words/use-words.ts';
import { TileFacts, tileClass } from './area-tile.tsx';
import type { Tile } from './tiles.ts';
import { useTiles } from './use-tiles.ts';

/** The areas at a desk. A tile opens the list of its area; tiles never move. */
export function AreasPage() {
  const words = useWords().areas;
  const tiles = useTiles();
  const busy = tiles.filter(({ counts }) => counts.length > 0).length;
  return (
    <main className="areap">
      <StaleBar />
      <header className="floodhead">
        <div>
          <h1>{words.title}</h1>
          <p>{words.summary(busy, tiles.length - busy)}</p>
        </div>
        <span className="fill" />
        <Link className="btn sm" to="/wall">
          <span>{words.wall}</span>
        </Link>
      </header>
      <div className="atiles">
        {tiles.map((tile) => (
          <AreaLink key={tile.key} tile={tile} />
        ))}
      </div>
    </main>
  );
}

function AreaLink({ tile }: { readonly tile: Tile }) {
  const search = tile.areaId === 0 ? { stationId: tile.stationId } : { areaId: tile.areaId };
  return (
    <Link className={tileClass(tile)} to="/" search={search}>
      <TileFacts tile={tile} sizes={[34, 20]} />
    </Link>
  );
}
