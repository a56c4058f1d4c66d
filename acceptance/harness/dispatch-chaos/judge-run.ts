import { JournalReader, replay } from '../journal-reader.ts';
import { connectSql } from '../sql.ts';
import { checkCodes, checkDuties, checkJournal, checkKept, checkRest, checkStates } from './check-alarms.ts';
import { type Bounds, checkDoubles, checkMet, checkNoGivingUp, usualBounds } from './check-calls.ts';
import { checkClaims, countTakeovers } from './check-claims.ts';
import { checkLedger } from './check-ledger.ts';
import { checkSilence } from './check-silence.ts';
import { checkWalk } from './check-walk.ts';
import type { DutyStory } from './duty-stories.ts';
import type { Evidence } from './evidence.ts';

/** Everything that is wrong with a run, each with the invariant it breaks. */
export function faultsOf(
  evidence: Evidence,
  stories: readonly DutyStory[],
  bounds: Bounds = usualBounds,
): string[] {
  return [
    ...checkStruck(evidence),
    ...checkKept(evidence),
    ...checkDuties(evidence),
    ...checkMet(evidence, stories, bounds),
    ...checkNoGivingUp(evidence, stories, bounds),
    ...checkWalk(evidence, stories),
    ...checkSilence(evidence, stories),
    ...checkDoubles(evidence),
    ...checkClaims(evidence),
    ...checkStates(evidence),
    ...checkCodes(evidence),
    ...evidence.ledgers.flatMap(checkLedger),
    ...checkJournal(evidence),
    ...checkRest(evidence),
  ];
}

const leaseMs = 10_000;

/** A run in which nothing went wrong proves nothing. */
function checkStruck({ windows, claims }: Evidence): string[] {
  const struck = new Set(windows.map(({ kind }) => kind));
  const wanted = ['kill-dispatcher', 'stop-dispatcher', 'company-fault'] as const;
  const stops = windows.filter(({ kind }) => kind === 'stop-dispatcher');
  return [
    ...wanted.filter((kind) => !struck.has(kind)).map((kind) => `chaos: there was no ${kind}`),
    ...(stops.some(({ from, to }) => to - from > leaseMs) ? [] : ['chaos: nobody was stopped past a lease']),
    ...(claims.length > 0 ? [] : ['chaos: nobody noted who claimed what']),
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

/** I11: whoever replays the journal from empty has the present state. */
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
