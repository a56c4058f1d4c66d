import type { CallGroup, ShiftSummary } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import type { FailedCallRow, RosterChangeRow } from './shift-calls.store.ts';
import type { JournalRow, Listed, OpenAlarmRow, TakerRow } from './shift-summary.store.ts';

/** Writes a time in the zone of the summary. */
export type TellTime = (instant: Date) => string;

export const tellTimeIn =
  (timeZone: string): TellTime =>
  (instant) =>
    formatInZone(timeZone, instant);

export function listed<Row, Item>({ total, items }: Listed<Row>, toItem: (row: Row) => Item): Listed<Item> {
  return { total, items: items.map(toItem) };
}

type Items<Name extends keyof ShiftSummary> = ShiftSummary[Name] extends { items: (infer Item)[] }
  ? Item
  : never;

export const toOpenAlarm =
  (tell: TellTime, from: Date) =>
  ({ raisedAt, ...alarm }: OpenAlarmRow): Items<'open'> => ({
    ...alarm,
    alarmTime: tell(raisedAt),
    beforePeriod: raisedAt < from,
  });

const alarmOf = ({ alarm: { id, localizedName: name, message, priority } }: JournalRow) => ({
  id,
  name,
  message,
  priority,
});

export const toReturnedAlarm =
  (tell: TellTime) =>
  (row: JournalRow): Items<'returned'> => ({
    ...alarmOf(row),
    alarmTime: tell(new Date(row.alarm.alarmTime)),
    resetTime: tell(row.at),
  });

export const toTakenAlarm =
  (tell: TellTime) =>
  (row: JournalRow): Items<'taken'> => ({
    ...alarmOf(row),
    user: row.actor,
    time: tell(row.at),
    comment: row.detail,
  });

export const toMaskChange =
  (tell: TellTime) =>
  (row: JournalRow): Items<'masksBegun'> => ({
    ...alarmOf(row),
    user: row.actor,
    reason: row.detail,
    time: tell(row.at),
  });

export const toTaker =
  (tell: TellTime) =>
  ({ lastAt, ...taker }: TakerRow): ShiftSummary['taken']['users'][number] => ({
    ...taker,
    lastTime: tell(lastAt),
  });

export const toFailedCall =
  (tell: TellTime) =>
  ({
    id,
    tagId,
    userName,
    medium,
    status,
    reason,
    message,
    endedAt,
  }: FailedCallRow): Items<'failedCalls'> => ({
    id,
    alarmId: tagId ?? 0,
    user: userName,
    medium,
    status,
    reason,
    message,
    time: tell(endedAt),
  });

const maxOverrides = 20;

export const toRosterChange =
  (tell: TellTime) =>
  ({ at, user, before, after }: RosterChangeRow): Items<'rosterChanges'> => {
    const [old, current] = [overridesOf(before), overridesOf(after)];
    const gone = old.filter((override) => !current.includes(override)).map((override) => `- ${override}`);
    const come = current.filter((override) => !old.includes(override)).map((override) => `+ ${override}`);
    const slots = (group: CallGroup | null) => JSON.stringify(group?.roster.slots ?? []);
    return {
      callGroupId: (after ?? before)?.id ?? 0,
      callGroup: (after ?? before)?.localizedName ?? '',
      user,
      time: tell(at),
      slotsChanged: slots(before) !== slots(after),
      overrides: [...gone, ...come].slice(0, maxOverrides),
    };
  };

function overridesOf(group: CallGroup | null): string[] {
  if (!group) return [];
  const teams = new Map(group.teams.map(({ id, name }) => [id, name]));
  return (group.roster.overrides ?? []).map(({ teamId = 0, userId = 0, from, to, reason = '' }) => {
    const who = userId === 0 ? (teams.get(teamId) ?? teamId) : `user ${userId}`;
    return [`${who} ${from} to ${to}`, reason].filter((part) => part !== '').join(', ');
  });
}
