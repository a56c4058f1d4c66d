import { useHealth, useMeta } from '../services/queries.ts';
import { useLive } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { Mark } from '../symbols/mark.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** Plant, people on duty, connection and clock. */
export function WallTop() {
  const meta = useMeta();
  const time = useSiteTime();
  const now = useNow();
  return (
    <header className="wtop">
      <Mark size={60} />
      <b className="ws">{meta?.tenant.name ?? 'Tocsin'}</b>
      <OnDuty />
      <span className="fill" />
      <Connection />
      <time>{time.clock(now)}</time>
    </header>
  );
}

function OnDuty() {
  const words = useWords().areas;
  const groups = useHealth()?.onDuty ?? [];
  if (groups.length === 0) return null;
  const people = [...new Set(groups.flatMap((group) => group.people.map(({ user }) => user)))];
  return (
    <span className="wl duty">
      <Icon name={people.length > 0 ? 'phone-call' : 'phone-off'} size={36} />
      <span>{people[0] === undefined ? words.nobody : words.onDuty(people[0], people.length - 1)}</span>
    </span>
  );
}

function Connection() {
  const words = useWords().top;
  const { connection, lostSince } = useLive();
  const now = useNow();
  const isLost = connection === 'lost';
  return (
    <span className={isLost ? 'wl lost' : 'wl'} role="status">
      <Icon name={isLost ? 'wifi-off' : 'activity'} size={36} />
      {isLost ? `${words.lost} ${words.lostFor(shortDuration(now - (lostSince ?? now)))}` : words[connection]}
    </span>
  );
}
