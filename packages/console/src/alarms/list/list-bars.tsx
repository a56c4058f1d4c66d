import { Button } from '../../frame/button.tsx';
import { useServices } from '../../services/services.ts';
import { useConnection, useLive } from '../../services/use-live.ts';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { shortDuration } from '../../time/durations.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import type { AlarmRow } from '../alarm-row.ts';

/** Says that the list is old, since when, and that calls go on. */
export function StaleBar() {
  const words = useWords().list;
  const { feed } = useServices();
  const { connection, lostSince } = useLive();
  const time = useSiteTime();
  const now = useNow();
  if (connection !== 'lost') return null;
  const since = lostSince ?? now;
  return (
    <div className="stalebar" role="alert">
      <Icon name="wifi-off" size={18} />
      <span>
        <b>{words.stale}</b> {words.staleSince(time.clock(since), shortDuration(now - since))}
      </span>
      <span className="fill" />
      <Button label={words.tryNow} icon="rotate-cw" kind="sm" onClick={() => feed.retryNow()} />
    </div>
  );
}

type HeldProps = {
  readonly held: readonly AlarmRow[];
  readonly onRelease: () => void;
  /** Ends a freeze; undefined while the list is not frozen. */
  readonly onThaw?: (() => void) | undefined;
};

/**
 * New alarms that wait because somebody reads or has frozen the list. Those of priority 1 are in the band already. The bar is
 * there when none waits, too: otherwise the first one would move the rows.
 */
export function HeldBar({ held, onRelease, onThaw }: HeldProps) {
  const { list: words, desk } = useWords();
  const connection = useConnection();
  const first = held[0];
  if (connection === 'lost') return null;
  if (onThaw) return <FrozenBar held={held} onRelease={onRelease} onThaw={onThaw} />;
  if (!first) return <div className="held idle">{desk.heldNone}</div>;
  return (
    <div className="held">
      <AlarmSymbol priority={first.priority} state="new" size={18} named={false} />
      <span>
        <b>{words.held(held.length)}</b>
        {words.heldHighest(first.priority)}
      </span>
      <span className="fill" />
      <Button label={words.showThem} hint="N" kind="sm" onClick={onRelease} />
    </div>
  );
}

function FrozenBar({ held, onRelease, onThaw }: HeldProps) {
  const words = useWords();
  return (
    <div className="held frozen">
      <Icon name="pause" size={18} />
      <span>
        <b>{words.frozen.title}</b> {words.frozen.waiting(held.length)}
      </span>
      <span className="fill" />
      {held.length > 0 && <Button label={words.list.showThem} hint="N" kind="sm" onClick={onRelease} />}
      <Button label={words.flood.goOn} icon="play" hint="Z" kind="sm primary" onClick={onThaw} />
    </div>
  );
}
