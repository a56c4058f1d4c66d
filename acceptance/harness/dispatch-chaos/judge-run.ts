import { JournalReader, replay } from '../journal-reader.ts';
import { connectSql } from '../sql.ts';
import {
  checkAllEnded,
  checkCodes,
  checkEscalations,
  checkJournal,
  checkStates,
  checkStored,
} from './check-alarms.ts';
import { checkCallOrder } from './check-call-order.ts';
import {
  type Bounds,
  checkCalled,
  checkKeepsCalling,
  checkNoDoubleCalls,
  usualBounds,
} from './check-calls.ts';
import { checkClaims, countTakeovers } from './check-claims.ts';
import { checkHistoryReport } from './check-history-report.ts';
import { checkOneCallPerPhone } from './check-phones.ts';
import { checkSilence } from './check-silence.ts';
import type { EscalationStory } from './escalation-stories.ts';
import type { Evidence } from './evidence.ts';

/** All faults of a run, each with the invariant it violates. */
export function faultsOf(
  evidence: Evidence,
  stories: readonly EscalationStory[],
  bounds: Bounds = usualBounds,
): string[] {
  return [
    ...checkFaultsInjected(evidence),
    ...checkStored(evidence),
    ...checkEscalations(evidence),
    ...checkCalled(evidence, stories, bounds),
    ...checkKeepsCalling(evidence, stories, bounds),
    ...checkCallOrder(evidence, stories),
    ...checkSilence(evidence, stories),
    ...checkNoDoubleCalls(evidence),
    ...checkOneCallPerPhone(evidence),
    ...checkClaims(evidence),
    ...checkStates(evidence),
    ...checkCodes(evidence),
    ...evidence.historyReports.flatMap(checkHistoryReport),
    ...checkJournal(evidence),
    ...checkAllEnded(evidence),
  ];
}

const leaseMs = 10_000;

/** A run without faults proves nothing. */
function checkFaultsInjected({ windows, claims }: Evidence): string[] {
  const struck = new Set(windows.map(({ kind }) => kind));
  const wanted = ['kill-dispatcher', 'stop-dispatcher', 'company-fault'] as const;
  const stops = windows.filter(({ kind }) => kind === 'stop-dispatcher');
  return [
    ...wanted.filter((kind) => !struck.has(kind)).map((kind) => `chaos: there was no ${kind}`),
    ...(stops.some(({ from, to }) => to - from > leaseMs)
      ? []
      : ['chaos: no dispatcher was suspended beyond its lease']),
    ...(claims.length > 0 ? [] : ['chaos: no claim was recorded']),
  ];
}

export function describeRun({ alarms, attempts, windows, claims }: Evidence): string {
  const count = (fits: (attempt: (typeof attempts)[number]) => boolean) => attempts.filter(fits).length;
  return (
    `${alarms.length} alarms, ${attempts.length} attempts, ${count(({ outcome }) => outcome === 'unknown')} unknown, ` +
    `${count(({ lateRace }) => lateRace)} races, ${claims.length} changes of hands, ${countTakeovers({ claims })} taken over; ` +
    windows.map(({ what }) => what).join(', ')
  );
}

/** I11: a replay of the journal gives the present state. */
export async function replayFaults(databaseUrl: string): Promise<string[]> {
  const faults: string[] = [];
  for (const tenantId of [1, 2]) {
    const reader = await JournalReader.open(databaseUrl, tenantId);
    await reader.follow(() => true);
    const replayed = replay(reader.rows);
    const present = await statesOf(databaseUrl, tenantId);
    for (const tagId of new Set([...replayed.keys(), ...present.keys()]))
      if (replayed.get(tagId) !== present.get(tagId))
        faults.push(
          `I11: alarm ${tagId} is ${present.get(tagId)}, and the journal says ${replayed.get(tagId)}`,
        );
  }
  return faults;
}

async function statesOf(databaseUrl: string, tenantId: number): Promise<Map<number, number>> {
  const database = await connectSql(databaseUrl);
  const { rows } = await database.query<{ tag: number; state: number }>(
    'select tag_id::integer as tag, state & 3 as state from alarms where tenant_id = $1',
    [tenantId],
  );
  return new Map(rows.map(({ tag, state }) => [tag, state]));
}
