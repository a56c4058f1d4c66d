import type { OutboxItem } from '@tocsin/client';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useMeta } from '../services/queries.ts';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { useOutboxItems, usePhone } from './phone-context.tsx';

type Props = {
  readonly title: string;
  /** Shows nothing instead of saying that there is none. */
  readonly isShort?: boolean;
};

/** The alarms that this person has taken and that are not over. */
export function HeldAlarms({ title, isShort = false }: Props) {
  const words = useWords().phone;
  const { user } = usePhone();
  const name = useMeta()?.user.name ?? user.name;
  const items = useOutboxItems();
  const held = useAlarms().rows.filter(({ alarm, state }) => state === 'ack' && alarm.ackUser === name);
  if (held.length === 0 && isShort) return null;
  return (
    <>
      <h2 className="mh">{title}</h2>
      {held.length === 0 ? (
        <p className="mnote">{words.holdNone}</p>
      ) : (
        <ul className="outbox mheld">
          {held.map((row) => (
            <HeldLine key={row.alarm.id} row={row} item={takenHere(items, row)} />
          ))}
        </ul>
      )}
    </>
  );
}

/** The acknowledgment that was made on this phone. */
function takenHere(items: readonly OutboxItem[], { alarm }: AlarmRow): OutboxItem | undefined {
  return items.findLast(
    (item) =>
      item.alarm.id === alarm.id &&
      item.alarm.alarmTime === alarm.alarmTime &&
      item.progress.state === 'accepted',
  );
}

function HeldLine({ row, item }: { readonly row: AlarmRow; readonly item: OutboxItem | undefined }) {
  const words = useWords().phone;
  const time = useSiteTime();
  const now = useNow();
  const when = () => {
    if (item?.progress.state === 'accepted')
      return words.madeReceived(time.when(item.madeAt, now), time.when(item.progress.acceptedAt, now));
    return words.takenAt(time.when(row.since, now));
  };
  return (
    <li data-alarm={row.alarm.id}>
      <AlarmSymbol priority={row.priority} state={row.state} size={20} />
      <span>
        <b>{row.alarm.message || row.alarm.name}</b>
        <small>{when()}</small>
      </span>
    </li>
  );
}
