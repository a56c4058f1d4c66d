import { Link } from '@tanstack/react-router';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useWords } from '../words/use-words.ts';

/** Where the alarm is, and the way to its neighbours in the list. */
export function Crumbs({ row }: { readonly row: AlarmRow }) {
  const words = useWords();
  const { alarm, context } = row;
  const rows = useAlarms().rows.filter(({ alarm: { id }, state }) => state !== 'mask' || id === alarm.id);
  const at = rows.findIndex(({ alarm: { id } }) => id === alarm.id);
  const places = [context?.station, context?.area].filter((place) => place !== undefined && place !== '');
  return (
    <nav className="crumbs" aria-label={words.alarm.path}>
      <Link to="/">{words.nav.alarms}</Link>
      {places.map((place) => (
        <Crumb key={place}>
          <span>{place}</span>
        </Crumb>
      ))}
      <Crumb>
        <span className="tag" dir="ltr">
          {alarm.fullPath}
        </span>
      </Crumb>
      <span className="fill" />
      {at >= 0 && <span>{words.list.count(at + 1, rows.length)}</span>}
      <Neighbour row={rows[at - 1]} icon="chevron-left" label={words.alarm.previous} />
      <Neighbour row={at < 0 ? undefined : rows[at + 1]} icon="chevron-right" label={words.alarm.next} />
    </nav>
  );
}

function Crumb({ children }: { readonly children: React.ReactNode }) {
  return (
    <>
      <Icon name="chevron-right" size={12} />
      {children}
    </>
  );
}

type NeighbourProps = { readonly row: AlarmRow | undefined; readonly icon: IconName; readonly label: string };

function Neighbour({ row, icon, label }: NeighbourProps) {
  if (!row)
    return (
      <button type="button" className="btn sm icon ghost" aria-label={label} disabled>
        <Icon name={icon} />
      </button>
    );
  return (
    <Link
      className="btn sm icon ghost"
      to="/alarms/$id"
      params={{ id: String(row.alarm.id) }}
      aria-label={label}
    >
      <Icon name={icon} />
    </Link>
  );
}
