import type { ShiftSummary } from '@tocsin/contract';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { floodsOf } from './floods.ts';
import { Line, mostLines } from './line.tsx';
import { Section } from './section.tsx';
import { type Asked, useOccurrencesOf, useSilences } from './shift-queries.ts';

type SummaryProps = { readonly summary: ShiftSummary; readonly now: number };

export function RosterChanges({ summary: { rosterChanges }, now }: SummaryProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  return (
    <Section
      title={words.roster}
      items={rosterChanges.items}
      total={rosterChanges.total}
      most={mostLines}
      none={words.rosterNone}
    >
      {({ callGroupId, callGroup, user, time: at, overrides }) => (
        <Line
          key={`${callGroupId} ${at}`}
          icon="calendar-days"
          text={callGroup}
          more={[overrides.length === 0 ? words.slots : words.overrides(overrides.length), user].join(', ')}
          at={time.when(Date.parse(at), now)}
        />
      )}
    </Section>
  );
}

type AskedProps = { readonly asked: Asked; readonly now: number };

/** Floods are found in the raises. With too many of them the sheet says so. */
export function Floods({ asked, now }: AskedProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  const occurrences = useOccurrencesOf(asked);
  if (occurrences === undefined) return null;
  const floods = floodsOf((occurrences ?? []).map(({ alarmTime }) => Date.parse(alarmTime)));
  return (
    <Section
      title={words.floods}
      items={floods}
      most={mostLines}
      none={occurrences === null ? words.floodsUnknown : words.floodsNone}
    >
      {({ from, to, alarms }) => (
        <Line
          key={from}
          icon="activity"
          text={words.floodOf(alarms)}
          more={words.until(time.when(to, now))}
          at={time.when(from, now)}
        />
      )}
    </Section>
  );
}

/** Shown to those who may read the audit trail, which alone knows of silenced horns. */
export function Silences({ asked, now }: AskedProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  const silences = useSilences(asked);
  if (!silences) return null;
  return (
    <Section
      title={words.silenced}
      items={silences.items}
      total={silences.paging.total}
      most={mostLines}
      none={words.silencedNone}
    >
      {({ id, actor, object, time: at }) => (
        <Line
          key={id}
          icon="bell-off"
          text={actor.name}
          more={object.id}
          at={time.when(Date.parse(at), now)}
        />
      )}
    </Section>
  );
}
