import { ackTimeoutSeconds } from './chaos-people.ts';
import { type AttemptRow, attemptOf, type DutyRow, type Evidence } from './evidence.ts';
import { workingMs } from './nemesis.ts';

/** When the phone company took the message that each attempt went out with, by tenant and attempt. */
function handedOver({ attempts, company }: Evidence, events = ['accepted']): Map<AttemptRow, number[]> {
  const taken = Map.groupBy(
    company.filter(({ event }) => events.includes(event)),
    attemptOf,
  );
  return new Map(
    attempts.map((attempt) => {
      const lines = taken.get(`${attempt.tenantId} ${attempt.sentAs ?? attempt.id}`) ?? [];
      return [attempt, lines.map(({ at }) => Date.parse(at))];
    }),
  );
}

export type DutyStory = {
  duty: DutyRow;
  attempts: AttemptRow[];
  /** When the phone company first took a call for it. */
  first: number | undefined;
  /** When it was first asked to, whether it took the call or turned it down. */
  asked: number | undefined;
};

export function storiesOf(evidence: Evidence): DutyStory[] {
  const handed = handedOver(evidence);
  const ordered = handedOver(evidence, ['accepted', 'declined']);
  const earliest = (times: readonly number[]) => (times.length > 0 ? Math.min(...times) : undefined);
  const byDuty = Map.groupBy(evidence.attempts, ({ tenantId, dutyId }) => `${tenantId} ${dutyId}`);
  return evidence.duties.map((duty) => {
    const attempts = (byDuty.get(`${duty.tenantId} ${duty.id}`) ?? []).toSorted(
      (one, other) => one.id - other.id,
    );
    return {
      duty,
      attempts,
      first: earliest(attempts.flatMap((attempt) => handed.get(attempt) ?? [])),
      asked: earliest(attempts.flatMap((attempt) => ordered.get(attempt) ?? [])),
    };
  });
}

const latestFirstMs = 60_000;
/** The time that people have to acknowledge, the pause between rounds, and a lease, with some time to act. */
const longestGapMs = ackTimeoutSeconds * 1_000 + 15_000 + 10_000 + 15_000;
const raceMs = 2_000;

/** I3 and I4: each duty is met in time, or there is a reason why nobody had to be called. */
export function checkMet({ windows, clients }: Evidence, stories: readonly DutyStory[]): string[] {
  const masked = new Set(
    clients.filter(({ op }) => op === 'mask').map((line) => `${line.tenantId} ${line.alarmId}`),
  );
  return stories.flatMap(({ duty, first }) => {
    if (masked.has(`${duty.tenantId} ${duty.tagId}`)) return [];
    const until = first ?? duty.closed ?? Number.POSITIVE_INFINITY;
    const late = workingMs(windows, duty.firstDue, until);
    if (late > latestFirstMs)
      return `I4: duty ${duty.id} of tenant ${duty.tenantId} was first called ${Math.round(late / 1_000)} s late`;
    const isExplained = duty.closedReason === 'acknowledged' || duty.closedReason === 'reset';
    return first !== undefined || isExplained ? [] : `I3: nobody was ever called for duty ${duty.id}`;
  });
}

/** I5: as long as nobody acts, somebody is called, again and again; and who says that all were tried, tried them. */
export function checkNoGivingUp(evidence: Evidence, stories: readonly DutyStory[]): string[] {
  const { windows, systemPaths, clients } = evidence;
  const masked = new Set(
    clients.filter(({ op }) => op === 'mask').map((line) => `${line.tenantId} ${line.alarmId}`),
  );
  return stories.flatMap(({ duty, attempts }) => {
    if (masked.has(`${duty.tenantId} ${duty.tagId}`)) return [];
    const times = [duty.firstDue, ...attempts.map(({ created }) => created), duty.closed ?? Date.now()];
    const gaps = times.slice(1).map((time, index) => workingMs(windows, times[index] ?? 0, time));
    const longest = Math.max(...gaps);
    return [
      ...(longest > longestGapMs
        ? [`I5: duty ${duty.id} was left alone for ${Math.round(longest / 1_000)} s`]
        : []),
      ...exhaustedFaults(duty, attempts, systemPaths),
    ];
  });
}

/** Before anybody says so there are five tries by two media, and then it is said aloud. */
function exhaustedFaults(
  { id, tenantId, tagId, exhausted }: DutyRow,
  attempts: readonly AttemptRow[],
  systemPaths: ReadonlySet<string>,
): string[] {
  if (exhausted === null) return [];
  const before = attempts.filter(({ created }) => created <= exhausted);
  const media = new Set(before.map(({ medium }) => medium)).size;
  const isTold = systemPaths.has(`${tenantId} tocsin/dispatch/exhausted/${tagId}`);
  return [
    ...(before.length < 5 || media < 2
      ? [`I5: duty ${id} was exhausted after ${before.length} tries by ${media} media`]
      : []),
    ...(isTold ? [] : [`I5: nobody was told that duty ${id} is exhausted`]),
  ];
}

/** I6: once it is acknowledged nobody is called any more, but for what was on its way and is marked so. */
export function checkSilence(evidence: Evidence, stories: readonly DutyStory[]): string[] {
  const handed = handedOver(evidence);
  const faults = stories.flatMap(({ duty, attempts }) =>
    attempts.flatMap((attempt) => {
      const { closingCommitted: over } = duty;
      if (over === null) return [];
      const late = (handed.get(attempt) ?? []).filter((time) => time > over + raceMs);
      if (late.length === 0 || (attempt.lateRace && (attempt.sent ?? 0) <= over)) return [];
      const after = (time: number | null) => (((time ?? 0) - over) / 1_000).toFixed(1);
      const when = `${after(late[0] ?? null)} s after it was ${duty.closedReason}`;
      const how = `taken up at ${after(attempt.sent)} s, ${attempt.outcome} ${attempt.reason}`;
      return `I6: attempt ${attempt.id} of duty ${duty.id} was made ${when} (${how})`;
    }),
  );
  const races = evidence.attempts.filter(({ lateRace }) => lateRace).length;
  const closed = stories.filter(({ duty }) => duty.closed !== null).length;
  return races > closed ? [...faults, `I6: ${races} races for ${closed} duties`] : faults;
}

/** I7: each attempt is ordered once at most, and nobody is tried twice in a turn unless the first try was lost. */
export function checkDoubles({ attempts, company }: Evidence): string[] {
  const orders = Map.groupBy(
    company.filter(({ event }) => event === 'accepted'),
    attemptOf,
  );
  const twice = [...orders]
    .filter(([, lines]) => lines.length > 1)
    .map(([name]) => `I7: attempt ${name} was ordered twice`);
  const place = ({ tenantId, dutyId, target, step, userId }: AttemptRow) =>
    [tenantId, dutyId, target, step, userId].join(' ');
  const repeated = [...Map.groupBy(attempts, place)].flatMap(([where, tries]) => {
    const numbers = tries.map((attempt) => attempt.try);
    if (new Set(numbers).size < numbers.length) return `I7: ${where} has a try twice`;
    const before = tries.toSorted((one, other) => one.try - other.try).slice(0, -1);
    const reached = before.filter(
      ({ outcome, reason }) => outcome !== 'unknown' && reason === '' && !isSpent(outcome),
    );
    return reached.length > 0 ? `I7: ${where} was tried again after ${reached[0]?.outcome}` : [];
  });
  return [...twice, ...repeated];
}

function isSpent(outcome: string): boolean {
  return ['failed', 'busy', 'noAnswer', 'refused', 'cancelled'].includes(outcome);
}
