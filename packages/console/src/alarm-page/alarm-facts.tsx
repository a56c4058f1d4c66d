import type { AlarmDetail } from '@tocsin/contract';
import { useMemo } from 'react';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { GuidanceCard } from '../guidance/guidance-card.tsx';
import { WhereCard } from '../site-plan/where-card.tsx';
import { useWords } from '../words/use-words.ts';
import { useDuty, useEntries, useHistories } from './alarm-queries.ts';
import { Hero } from './hero.tsx';
import { LastTimesCard, OccurrencesCard } from './history-cards.tsx';
import type { PlannedCall } from './planned-calls.ts';
import { DutyCard, RelatedCard } from './side-cards.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { timelineSteps } from './timeline-steps.ts';
import { useFollowing } from './use-following.ts';

type Props = { readonly row: AlarmRow; readonly detail: AlarmDetail | undefined; readonly version: string };

/** The header and the three columns. */
export function AlarmFacts({ row, detail, version }: Props) {
  const words = useWords().alarm;
  const { id, path } = row.alarm;
  const entries = useEntries(id, version);
  const following = useFollowing(row, entries);
  const groups = useGroupNames(following);
  const occurrenceId = detail?.occurrenceId ?? 0;
  const histories = useHistories(id, path, occurrenceId);
  const steps = useMemo(() => timelineSteps(entries, occurrenceId), [entries, occurrenceId]);
  return (
    <>
      <Hero row={row} following={following} />
      <div className="cols3">
        <div className="side3" role="region" tabIndex={0} aria-label={words.help}>
          <GuidanceCard alarmId={id} />
          {histories && <LastTimesCard histories={histories} entries={entries} occurrenceId={occurrenceId} />}
        </div>
        <TimelineCard alarmId={id} steps={steps} following={following} groups={groups} />
        <div className="side3" role="region" tabIndex={0} aria-label={words.surroundings}>
          <WhereCard row={row} location={detail?.location} version={version} />
          {histories && <OccurrencesCard histories={histories} path={path} />}
          <RelatedCard row={row} />
          <DutyCard stationId={row.context?.stationId} />
        </div>
      </div>
    </>
  );
}

/** The names of call groups, from those on duty and those that follow. */
function useGroupNames(following: readonly PlannedCall[]): ReadonlyMap<number, string> {
  const duty = useDuty() ?? [];
  return new Map([...duty, ...following].map(({ callGroupId, callGroup }) => [callGroupId, callGroup]));
}
