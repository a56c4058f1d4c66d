import type { SimulatedProvider } from './simulated-provider.ts';
import { isQuietAt, lastQuietEndMs, quietTimes, usedKinds } from './simulated-rules.ts';
import type { AttemptRow, EscalationRow, SimulatedStore } from './simulated-store.ts';
import { batchSize, workerCount } from './simulated-worker.ts';
import { checkQuietTimes } from './simulation-quiet-checks.ts';

/** The rows and the provider's log of a night. The checks know these, not the rules. */
export type Night = { store: SimulatedStore; provider: SimulatedProvider; startMs: number; endMs: number };

/** Maximum time from the due time of an escalation to its first request, plus `lostSenderMs` for each lost worker. */
const latestFirstCallMs = 75_000;
const lostSenderMs = 45_000;
/** Allowance for dead or suspended workers and their leases. */
const faultMs = 60_000;
/** Maximum time from finding an abandoned attempt to settling it. */
const settledMs = 15_000;
const lateMs = 2_000;
const maxAttemptMs = 120_000;
/** The attempts that all workers can hold when they are suspended just before sending. */
const maxLateCalls = workerCount * batchSize;

export function violationsOf(night: Night): string[] {
  const requests = requestsByAttempt(night.provider);
  const faults: string[] = [];
  for (const escalation of night.store.escalations.values()) {
    faults.push(...checkCalledInTime(night, escalation, requests), ...checkWatched(night, escalation));
    faults.push(
      ...checkPersistence(night, escalation),
      ...checkSilenceAfterClosing(night, escalation, requests),
    );
    faults.push(...checkClosedReason(night, escalation), ...checkAttemptsEnded(night, escalation));
    faults.push(...checkQuiet(night, escalation));
  }
  faults.push(...checkOneCallPerPhone(night), ...checkHeardOnly(night));
  const busyMsOf = (row: AttemptRow, fromMs: number) => busyMs(liveCalls(night), [row], fromMs, night.endMs);
  faults.push(...checkQuietTimes(night, busyMsOf));
  return [...faults, ...checkDuplicates(night, requests), ...checkStuckAttempts(night)];
}

type Requests = ReadonlyMap<number, { atMs: number; accepted: boolean }[]>;

function requestsByAttempt({ log }: SimulatedProvider): Requests {
  const flat = log.flatMap(({ attemptIds, atMs, accepted }) =>
    attemptIds.map((id) => ({ id, atMs, accepted })),
  );
  return Map.groupBy(flat, ({ id }) => id);
}

const rowsOf = ({ store }: Night, { id }: EscalationRow): AttemptRow[] => store.attemptsOf.get(id) ?? [];
const lastChange = ({ changes }: EscalationRow) => changes.at(-1) ?? { kind: 'opened', atMs: 0 };
/** Where people may be quiet, calls are certain only after the last of them can be called. */
const dueMsOf = ({ startMs }: Night, { openedMs, plan }: EscalationRow) =>
  Math.max(openedMs + plan.delaySeconds * 1000, lastQuietEndMs(plan, startMs));

/** I3, I4: an unacknowledged alarm is called for in time, and a provider accepts a call. */
function checkCalledInTime(night: Night, escalation: EscalationRow, requests: Requests): string[] {
  if (escalation.events.some(({ kind }) => kind === 'exhausted' || kind === 'missed')) return [];
  const rows = rowsOf(night, escalation);
  const sent = rows.flatMap(({ id }) => requests.get(id) ?? []);
  const firstMs = Math.min(night.endMs, ...sent.map(({ atMs }) => atMs));
  const firstClosedMs = escalation.changes.find(({ kind }) => kind === 'closed')?.atMs ?? night.endMs;
  const unsent = rows.filter(({ id, createdAt }) => createdAt.getTime() < firstMs && !requests.has(id));
  const dueMs = dueMsOf(night, escalation);
  const busy = busyMs(liveCalls(night), rows, dueMs, firstMs);
  const quiet = quietMs(rows, firstMs);
  const latestMs = dueMs + latestFirstCallMs + unsent.length * lostSenderMs + busy + quiet;
  if (Math.min(firstMs, firstClosedMs) > latestMs)
    return [`I4: nobody was called in time for escalation ${escalation.id}`];

  const end = lastChange(escalation);
  if (end.kind !== 'opened' || sent.some(({ accepted }) => accepted)) return [];
  const waitedMs = busyMs(liveCalls(night), rows, end.atMs, night.endMs) + quietMs(rows, night.endMs);
  if (night.endMs - end.atMs <= latestFirstCallMs + maxAttemptMs + waitedMs) return [];
  return [`I3: no provider has taken a call for escalation ${escalation.id}`];
}

/** How long attempts waited because their person had just been reached about the tag. */
function quietMs(rows: readonly AttemptRow[], untilMs: number): number {
  const waits = rows.map(({ createdAt, quietUntil = createdAt }) =>
    Math.max(0, Math.min(quietUntil.getTime(), untilMs) - createdAt.getTime()),
  );
  return Math.max(0, ...waits);
}

/** I3: an open escalation stays due, and a missed one is reported. */
function checkWatched({ endMs }: Night, { id, state, dueMs = 0, events }: EscalationRow): string[] {
  if (state.closed === null && dueMs < endMs - faultMs) return [`I3: escalation ${id} is not due any more`];
  const isSilent = state.closed === 'missed' && !events.some(({ kind }) => kind === 'missed');
  return isSilent ? [`I3: escalation ${id} was missed without a report`] : [];
}

/** I5: an open escalation makes a try at least every step, and is not exhausted too soon. */
function checkPersistence(night: Night, escalation: EscalationRow): string[] {
  const rows = rowsOf(night, escalation);
  const { plan, events } = escalation;
  const steps = plan.targets.flatMap(({ stages }) =>
    stages.map(({ ackTimeoutSeconds }) => ackTimeoutSeconds),
  );
  const allowedMs = (Math.max(...steps) + 15) * 1000 + faultMs;
  const faults: string[] = [];
  for (const event of events) {
    if (event.kind !== 'exhausted') continue;
    const before = rows.filter(({ createdAt }) => createdAt.getTime() < event.atMs);
    if (before.length > 0 && !(before.length >= 5 && usesTwoKinds(night, escalation, before, event.atMs)))
      faults.push(`I5: escalation ${escalation.id} gave up too soon`);
  }
  if (plan.until === 'acknowledged' && rows.length > 0)
    for (const { fromMs, toMs } of openIntervals(night, escalation))
      if (maxGapMs(rows, fromMs, toMs) > allowedMs)
        faults.push(`I5: escalation ${escalation.id} fell silent`);
  return faults;
}

/** By the people who were called and can still be called then. */
function usesTwoKinds(
  { startMs }: Night,
  { plan }: EscalationRow,
  rows: readonly AttemptRow[],
  atMs: number,
): boolean {
  const called = new Set(rows.map(({ userId }) => userId));
  const kinds = plan.people
    .filter(
      (person) => called.has(person.userId) && !isQuietAt(quietTimes(person, plan.priority, startMs), atMs),
    )
    .flatMap((person) => usedKinds(person, plan.priority));
  const wanted = Math.min(2, new Set(kinds).size);
  return new Set(rows.map(({ medium }) => medium.kind)).size >= wanted;
}

type OpenInterval = { fromMs: number; toMs: number };

function openIntervals(night: Night, escalation: EscalationRow): OpenInterval[] {
  return escalation.changes.flatMap(({ kind, atMs }, index): OpenInterval[] =>
    kind === 'opened'
      ? [
          {
            fromMs: Math.max(atMs, dueMsOf(night, escalation)),
            toMs: escalation.changes[index + 1]?.atMs ?? night.endMs,
          },
        ]
      : [],
  );
}

/** The longest time without a try or a ringing phone. */
function maxGapMs(rows: readonly AttemptRow[], fromMs: number, toMs: number): number {
  let quietSinceMs = fromMs;
  let longest = 0;
  for (const { createdAt, endedAt, quietUntil = createdAt } of rows) {
    const startMs = createdAt.getTime();
    if (startMs > toMs) continue;
    longest = Math.max(longest, startMs - quietSinceMs);
    const latestEndMs = quietUntil.getTime() + maxAttemptMs;
    quietSinceMs = Math.max(quietSinceMs, Math.min(endedAt?.getTime() ?? toMs, latestEndMs));
  }
  return Math.max(longest, toMs - quietSinceMs);
}

/** I6: after closing, only attempts that workers had already claimed are sent. */
function checkSilenceAfterClosing(night: Night, escalation: EscalationRow, requests: Requests): string[] {
  const rows = rowsOf(night, escalation);
  return escalation.changes.flatMap(({ kind, atMs }, index) => {
    if (kind !== 'closed') return [];
    const nextMs = escalation.changes[index + 1]?.atMs ?? night.endMs;
    const late = rows.filter(({ id }) =>
      (requests.get(id) ?? []).some((request) => request.atMs > atMs + lateMs && request.atMs < nextMs),
    );
    const races = late.filter(({ claimedMs = 0 }) => claimedMs <= atMs);
    const faults =
      late.length > races.length ? [`I6: escalation ${escalation.id} called after it was closed`] : [];
    return races.length > maxLateCalls
      ? [...faults, `I6: escalation ${escalation.id} has too many late calls`]
      : faults;
  });
}

/** I7: one request for each attempt, one attempt for each try; fencing tokens never decrease. */
function checkDuplicates({ store }: Night, requests: Requests): string[] {
  const faults: string[] = [];
  const tries = new Set<string>();
  for (const row of store.attempts.values()) {
    const { id, escalationId, target, step, userId, fencingTokens, requeued } = row;
    if ((requests.get(id)?.length ?? 0) > 1 + requeued) faults.push(`I7: attempt ${id} was sent twice`);
    if (fencingTokens.some((fencingToken, index) => fencingToken < (fencingTokens[index - 1] ?? 0)))
      faults.push(`I7: attempt ${id} was settled by a worker that had lost it`);
    const name = [escalationId, target, step, userId, row.try].join();
    if (tries.has(name)) faults.push(`I7: escalation ${escalationId} made a try twice`);
    tries.add(name);
  }
  return faults;
}

type LiveCall = { address: string; ids: string; fromMs: number; untilMs: number; wasCancelled: boolean };

/** The calls to telephones, each until it ended or its outcome became unknown to the workers. */
function liveCalls({ store, provider }: Night): LiveCall[] {
  return provider.log.flatMap(({ attemptIds, atMs, endedMs = Infinity }): LiveCall[] => {
    const rows = attemptIds.flatMap((id) => store.attempts.get(id) ?? []);
    const [first] = rows;
    if (first?.medium.kind !== 'Voice') return [];
    const settledMs = rows.map(({ endedAt }) => endedAt?.getTime() ?? Infinity);
    const wasCancelled = settledMs.every((ms) => ms <= atMs);
    const untilMs = Math.min(endedMs, Math.max(...settledMs));
    return [{ address: first.medium.address, ids: attemptIds.join(), fromMs: atMs, untilMs, wasCancelled }];
  });
}

/** I11: a phone never has two live calls of ours. A call that was cancelled before its request is a late call. */
function checkOneCallPerPhone(night: Night): string[] {
  const byAddress = Map.groupBy(
    liveCalls(night).filter(({ wasCancelled }) => !wasCancelled),
    ({ address }) => address,
  );
  return [...byAddress.values()].flatMap((calls) =>
    calls.flatMap(({ address, ids, fromMs }, index) => {
      const before = calls[index - 1];
      return before && before.untilMs > fromMs
        ? [`I11: attempts ${ids} called ${address} during the call of ${before.ids}`]
        : [];
    }),
  );
}

/** How long the phones that an escalation waited for were in another call. */
function busyMs(
  calls: readonly LiveCall[],
  rows: readonly AttemptRow[],
  fromMs: number,
  toMs: number,
): number {
  const addresses = new Set(rows.map(({ medium }) => medium.address));
  const busy = calls.filter(({ address }) => addresses.has(address));
  return busy.reduce(
    (sum, call) => sum + Math.max(0, Math.min(call.untilMs, toMs) - Math.max(call.fromMs, fromMs)),
    0,
  );
}

/** I12: what was not heard is not taken. */
function checkHeardOnly({ store, provider }: Night): string[] {
  return [...store.taken]
    .filter((id) => !provider.said.has(id))
    .map((id) => `I12: the alarm of attempt ${id} was taken without being said`);
}

/** I13: nobody is called in their quiet hours. Urgent alarms have none, so that the other checks hold for them. */
function checkQuiet(night: Night, escalation: EscalationRow): string[] {
  const { people, priority } = escalation.plan;
  return rowsOf(night, escalation).flatMap(({ id, userId, createdAt }) => {
    const person = people.find((one) => one.userId === userId);
    const atMs = createdAt.getTime();
    const times = person ? quietTimes(person, priority, night.startMs) : [];
    return isQuietAt(times, atMs) ? [`I13: attempt ${id} calls user ${userId} in their quiet hours`] : [];
  });
}

/** I7: abandoned attempts are settled soon, and queued ones are sent once their limit permits. */
function checkStuckAttempts(night: Night): string[] {
  const { store, endMs } = night;
  const faults: string[] = [];
  for (const row of store.attempts.values()) {
    const { id, status, waitUntilMs, endedAt, leaseMs, orphanedMs = endMs } = row;
    if ((endedAt?.getTime() ?? endMs) > orphanedMs + settledMs)
      faults.push(`I7: attempt ${id} was not settled after its worker was gone`);
    if (endedAt !== undefined) continue;
    const sinceMs = status === 'queued' ? waitUntilMs : leaseMs;
    if (sinceMs >= endMs - faultMs) continue;
    // A call that waits for a telephone is not stuck.
    const busy = status === 'queued' ? busyMs(liveCalls(night), [row], sinceMs, endMs) : 0;
    if (sinceMs + busy < endMs - faultMs) faults.push(`I7: attempt ${id} has no worker`);
  }
  return faults;
}

/** I9: the alarm confirms the reason for which its escalation was closed. */
function checkClosedReason({ store }: Night, { id, alarmId, state }: EscalationRow): string[] {
  const { raisedMs = 0, acknowledgedMs, resetMs } = store.alarms.get(alarmId) ?? {};
  const wanted = {
    acknowledged: acknowledgedMs,
    reset: resetMs,
    masked: raisedMs,
    reached: raisedMs,
    missed: raisedMs,
  };
  const shown = state.closed === null || (wanted[state.closed] ?? 0) >= raisedMs;
  return shown ? [] : [`I9: escalation ${id} says ${state.closed}, its alarm does not`];
}

/** I9: after closing, no attempt runs and none begins. */
function checkAttemptsEnded(night: Night, escalation: EscalationRow): string[] {
  const faults: string[] = [];
  const endMs = escalation.state.closed === null ? night.endMs : lastChange(escalation).atMs;
  for (const { id, createdAt, endedAt } of rowsOf(night, escalation)) {
    if (endedAt && endedAt < createdAt) faults.push(`I9: attempt ${id} ended before it began`);
    if (!endedAt && escalation.state.closed !== null)
      faults.push(`I9: attempt ${id} runs on after its escalation`);
    if (createdAt.getTime() > endMs) faults.push(`I9: attempt ${id} began after its escalation had ended`);
  }
  return faults;
}
