import type { SimulatedProvider } from './simulated-provider.ts';
import type { AttemptRow, SimulatedStore } from './simulated-store.ts';

type Night = { store: SimulatedStore; provider: SimulatedProvider; endMs: number };

/** Maximum time from the end of a quiet time to the call: limits, dead and suspended workers, a free line. */
const latestCallMs = 120_000;

/** An attempt with its alarm. */
type Call = { row: AttemptRow; tagId: number; alarmId: number; priority: number };

/**
 * I14: nobody is called about a tag within the quiet time after they were reached about it. I15: a call waits only for that
 * reason, and never if it is more urgent. I16: a waiting call is made when the quiet time is over.
 */
export function checkQuietTimes(
  night: Night,
  busyMsOf: (row: AttemptRow, fromMs: number) => number,
): string[] {
  const calls = callsOf(night);
  const byPerson = Map.groupBy(calls, ({ tagId, row }) => `${tagId} ${row.userId}`);
  const faults: string[] = [];
  for (const call of calls) {
    const others = byPerson.get(`${call.tagId} ${call.row.userId}`) ?? [];
    const reached = others.filter((other) => other.alarmId !== call.alarmId && isReason(other, call));
    faults.push(...checkNotCalledAgain(night, call, reached), ...checkWaitsForReason(call, reached));
    faults.push(...checkMadeAfterwards(night, call, { reached, busyMsOf }));
  }
  return faults;
}

function callsOf({ store }: Night): Call[] {
  return [...store.attempts.values()].flatMap((row): Call[] => {
    const escalation = store.escalations.get(row.escalationId);
    const alarm = store.alarms.get(escalation?.alarmId ?? 0);
    if (!escalation || !alarm || escalation.plan.occasion !== 'raised') return [];
    return [{ row, tagId: alarm.tagId, alarmId: alarm.id, priority: escalation.plan.priority }];
  });
}

/** Whether the call has reached the person in a way that lets the other one wait. */
function isReason(call: Call, other: Call): boolean {
  if (call.row.reachedMs === undefined || call.priority > other.priority || other.priority === 1)
    return false;
  return isCertain(call) || other.row.medium.kind !== 'Voice';
}

function isCertain({ row }: Call): boolean {
  return row.medium.kind === 'Voice' || row.status === 'acknowledged';
}

/** When the quiet time begins: at the latest at the end of a call, or when a message was sent. */
function quietFromMs({ row }: Call): { earliest: number; latest: number } {
  const { reachedMs = 0, claimedMs = reachedMs, heardAt } = row;
  const sentMs = row.medium.kind === 'Voice' ? reachedMs : Math.min(claimedMs, reachedMs);
  return { earliest: sentMs, latest: Math.max(reachedMs, heardAt?.getTime() ?? 0) };
}

function checkNotCalledAgain({ store, provider }: Night, call: Call, reached: readonly Call[]): string[] {
  const { id, claimedMs, userId } = call.row;
  const wasSent = provider.log.some(({ attemptIds }) => attemptIds.includes(id));
  if (claimedMs === undefined || !wasSent) return [];
  return reached
    .filter((other) => (other.row.reachedMs ?? Infinity) < claimedMs)
    .filter((other) => claimedMs < quietFromMs(other).earliest + store.quietSeconds * 1000)
    .map((other) => `I14: attempt ${id} called user ${userId} again after attempt ${other.row.id}`);
}

function checkWaitsForReason({ row }: Call, reached: readonly Call[]): string[] {
  if (!row.quietUntil || reached.length > 0) return [];
  return [`I15: attempt ${row.id} waits, but user ${row.userId} was not reached about the tag`];
}

function checkMadeAfterwards(
  { store, endMs }: Night,
  { row }: Call,
  { reached, busyMsOf }: { reached: readonly Call[]; busyMsOf: (row: AttemptRow, fromMs: number) => number },
): string[] {
  if (!row.quietUntil || reached.length === 0) return [];
  const overMs = Math.max(...reached.map((other) => quietFromMs(other).latest)) + store.quietSeconds * 1000;
  const doneMs = row.claimedMs ?? row.endedAt?.getTime() ?? endMs;
  if (doneMs <= overMs + latestCallMs) return [];
  const isLate = doneMs > overMs + latestCallMs + busyMsOf(row, overMs);
  return isLate ? [`I16: attempt ${row.id} was not made after the quiet time`] : [];
}
