import { Button } from '../frame/button.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { type ColumnWidth, columnWidths, peakPerMinute } from './lanes.ts';
import type { Flood } from './use-flood.ts';

type Props = {
  readonly flood: Flood;
  readonly now: number;
  readonly width: ColumnWidth;
  readonly isFrozen: boolean;
  readonly onWidth: (width: ColumnWidth) => void;
  readonly onFreeze: () => void;
  readonly onBack: () => void;
};

/** Says how large the flood is and what came first. */
export function FloodHead({ flood, now, width, isFrozen, onWidth, onFreeze, onBack }: Props) {
  const words = useWords().flood;
  return (
    <section className="floodhead">
      <Summary flood={flood} now={now} />
      <span className="fill" />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as the buttons of one control. */}
      <span className="seg" role="group" aria-label={words.columnWidth}>
        {columnWidths.map((choice) => (
          <button key={choice} type="button" aria-pressed={choice === width} onClick={() => onWidth(choice)}>
            {words.width(choice / 1_000)}
          </button>
        ))}
      </span>
      <Button
        label={isFrozen ? words.goOn : words.freeze}
        icon={isFrozen ? 'play' : 'pause'}
        hint="Z"
        kind={isFrozen ? 'sm primary' : 'sm'}
        onClick={onFreeze}
      />
      <Button label={words.back} hint="Esc" kind="sm" onClick={onBack} />
    </section>
  );
}

function Summary({ flood: { since, events }, now }: Pick<Props, 'flood' | 'now'>) {
  const words = useWords().flood;
  const time = useSiteTime();
  const first = events[0];
  const areas = new Set(events.map(({ area }) => area.key)).size;
  const recent = events.filter(({ at }) => at > now - 300_000).length;
  return (
    <div>
      <h1>
        {since === undefined
          ? words.noFlood(events.length, areas)
          : words.title(events.length, areas, time.clock(since))}
      </h1>
      {first && (
        <p className="muted">
          {words.firstOut} <b>{first.message}</b>, {first.area.name}.{' '}
          {words.detail(peakPerMinute(events), recent)}
          {since !== undefined && ` ${words.ends}`}
        </p>
      )}
    </div>
  );
}
