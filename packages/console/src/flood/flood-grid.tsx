import type { KeyboardEvent } from 'react';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { columns, type FloodEvent, type Lane, lanesOf, perColumn } from './lanes.ts';

type Props = {
  readonly events: readonly FloodEvent[];
  readonly start: number;
  readonly width: number;
  readonly chosen: string | undefined;
  readonly onChoose: (area: string) => void;
};

const mostSymbols = 6;
const barHeight = 30;

/** Areas by time: what came first, and where it went from there. */
export function FloodGrid({ events, start, width, chosen, onChoose }: Props) {
  const words = useWords().flood;
  const time = useSiteTime();
  const at = (column: number) => {
    const clock = time.clock(start + column * width);
    return width < 60_000 ? clock : clock.slice(0, 5);
  };
  return (
    <section className="floodgrid">
      <div className="lane axis" aria-hidden="true">
        <span className="lname">{words.area}</span>
        <span className="lcount">{words.byPriority}</span>
        <span className="cells">
          {Array.from({ length: columns }, (_, column) => (
            <span key={at(column)} className="fc">
              {at(column)}
            </span>
          ))}
        </span>
        <b className="ltotal">{words.all}</b>
      </div>
      <div role="grid" aria-label={words.label}>
        {lanesOf(events, start, width).map((lane) => (
          <LaneRow
            key={lane.key}
            lane={lane}
            firstOut={events[0]}
            isChosen={chosen === lane.key}
            onChoose={onChoose}
          />
        ))}
      </div>
      <Rate counts={perColumn(events, start, width)} total={events.length} width={width} />
    </section>
  );
}

type LaneProps = {
  readonly lane: Lane;
  readonly firstOut: FloodEvent | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (area: string) => void;
};

function LaneRow({ lane, firstOut, isChosen, onChoose }: LaneProps) {
  const words = useWords().flood;
  const time = useSiteTime();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose(lane.key);
  };
  return (
    <div
      className={isChosen ? 'lane sel' : 'lane'}
      role="row"
      tabIndex={0}
      aria-selected={isChosen}
      data-area={lane.name}
      onClick={() => onChoose(lane.key)}
      onKeyDown={onKeyDown}
    >
      <span className="lname" role="rowheader">
        <b title={lane.name}>{lane.name}</b>
        <small>{words.first(time.clock(lane.first))}</small>
      </span>
      <span className="lcount" role="gridcell">
        {lane.counts.map(({ priority, count }) => (
          <span key={priority} className={count === 0 ? 'zero' : ''}>
            <AlarmSymbol priority={priority} state={count === 0 ? 'none' : 'ack'} size={16} />
            {count}
          </span>
        ))}
      </span>
      <span className="cells" role="gridcell">
        {lane.cells.map((cell, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its index.
          <Cell key={column} events={cell} next={lane.cells[column + 1]} firstOut={firstOut} />
        ))}
      </span>
      <b className="ltotal" role="gridcell">
        {lane.total}
      </b>
    </div>
  );
}

type CellProps = {
  readonly events: readonly FloodEvent[];
  readonly next: readonly FloodEvent[] | undefined;
  readonly firstOut: FloodEvent | undefined;
};

function Cell({ events, next, firstOut }: CellProps) {
  const words = useWords().flood;
  if (events.length === 0)
    return (
      <span className="fc">
        {firstOut && next?.[0] === firstOut && <b className="folabel">{words.firstOut}</b>}
      </span>
    );
  const shown = events.length > mostSymbols ? events.slice(0, mostSymbols - 1) : events;
  return (
    <span className="fc has">
      {shown.map((event) => (
        <span
          key={`${event.id} ${event.at}`}
          className={event === firstOut ? 'fe firstout' : 'fe'}
          title={event === firstOut ? `${words.firstOut}: ${event.message}` : event.message}
        >
          <AlarmSymbol priority={event.priority} state={event.state} size={18} />
        </span>
      ))}
      {events.length > shown.length && <b className="plus">+{events.length - shown.length}</b>}
    </span>
  );
}

type RateProps = { readonly counts: readonly number[]; readonly total: number; readonly width: number };

function Rate({ counts, total, width }: RateProps) {
  const words = useWords().flood;
  const peak = Math.max(1, ...counts);
  return (
    <div className="lane rate">
      <span className="lname">
        <b>{words.per(width / 1_000)}</b>
        <small>{words.allAreas}</small>
      </span>
      <span className="lcount" />
      <span className="cells">
        {counts.map((count, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its index.
          <span key={column} className="fc">
            <i style={{ height: Math.round((count / peak) * barHeight) }} />
            {count > 0 && <small>{count}</small>}
          </span>
        ))}
      </span>
      <b className="ltotal">{total}</b>
    </div>
  );
}
