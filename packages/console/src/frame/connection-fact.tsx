import { useLive } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** Whether what is on the screen is fresh. */
export function ConnectionFact() {
  const words = useWords().top;
  const { connection, lastHeard, lostSince } = useLive();
  const time = useSiteTime();
  const now = useNow();
  if (connection === 'lost')
    return (
      <span className="fact alertfact" role="status">
        <Icon name="wifi-off" />
        <span>
          <b>{words.lost}</b>
          <small>{words.lostFor(shortDuration(now - (lostSince ?? now)))}</small>
        </span>
      </span>
    );
  const [title, detail] =
    connection === 'connecting'
      ? [words.connecting, '']
      : connection === 'late'
        ? [words.late, words.lateFor(shortDuration(now - (lastHeard ?? now)))]
        : [words.live, lastHeard === undefined ? '' : words.updated(time.clock(lastHeard))];
  return (
    <span className="fact">
      <Icon name="activity" />
      <span>
        <b>{title}</b>
        <small>{detail}</small>
      </span>
    </span>
  );
}
