import type { ShiftSummary } from '@tocsin/contract';
import { type AlarmRow, shownPriority } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { AlarmLink, Section } from './section.tsx';

type Props = {
  readonly summary: ShiftSummary;
  readonly stationId: number | undefined;
  readonly now: number;
};

type Mask = {
  readonly key: string;
  readonly id: number;
  readonly text: string;
  readonly more: string;
  readonly priority: number;
  readonly isOn: boolean;
  readonly at: string;
};

const joined = (...texts: readonly (string | undefined)[]) => texts.filter(Boolean).join(', ');

/** The masks that are on, whenever they began, and then those that ended in the period. */
export function MasksSection({ summary: { masksBegun, masksEnded }, stationId, now }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const short = (at: string) => time.when(Date.parse(at), now).replace(/(\d\d:\d\d):\d\d$/, '$1');
  const on = ({ alarm, priority, context }: AlarmRow): Mask => ({
    key: `${alarm.id}`,
    id: alarm.id,
    text: alarm.message === '' ? alarm.path : alarm.message,
    more: joined(context?.maskReason, context?.maskedBy),
    priority,
    isOn: true,
    at: context?.maskedUntil === undefined ? words.shift.noEnd : words.shift.ends(short(context.maskedUntil)),
  });
  const ended = (item: ShiftSummary['masksEnded']['items'][number]): Mask => ({
    key: `${item.id} ${item.time}`,
    id: item.id,
    text: item.message === '' ? item.name : item.message,
    more: joined(item.reason, item.user),
    priority: item.priority,
    isOn: false,
    at: words.shift.ended(short(item.time)),
  });
  const isHere = ({ state, context }: AlarmRow) =>
    state === 'mask' && (stationId === undefined || context?.stationId === stationId);
  const masks = [...useAlarms().rows.filter(isHere).map(on), ...masksEnded.items.map(ended)];
  return (
    <Section
      title={words.shift.masks}
      note={masksBegun.total === 0 ? '' : words.shift.begun(masksBegun.total)}
      items={masks}
      most={5}
      none={words.quiet.noMask}
    >
      {({ key, id, text, more, priority, isOn, at }) => (
        <li key={key}>
          <AlarmSymbol priority={shownPriority(priority)} state={isOn ? 'mask' : 'over'} />
          <AlarmLink id={id} text={text} more={more} />
          <time>{at}</time>
        </li>
      )}
    </Section>
  );
}
