import type { SimulatedProvider } from './simulated-provider.ts';
import type { AttemptRow, DutyRow, SimulatedStore } from './simulated-store.ts';
import { atATime, workerCount } from './simulated-worker.ts';

/** How the night went, for those who judge it. They know the rows and the provider's log, not the rules. */
export type Night = { store: SimulatedStore; provider: SimulatedProvider; endMs: number };

/** From the time a duty is due until the provider first hears of it: so long, and longer for each sender that died of it. */
const latestFirstCallMs = 75_000;
const lostSenderMs = 45_000;
/** How long workers may be dead or still, and a lease last, on top of what the plan says. */
const faultMs = 60_000;
/** From finding an attempt without its sender to settling it. */
const settledMs = 15_000;
const lateMs = 2_000;
const longestAttemptMs = 120_000;
/** What all workers can have in hand when they stand still between the last look and the send. */
const mostLateCalls = workerCount * atATime;

export function violationsOf(night: Night): string[] {
  const requests = requestsByAttempt(night.provider);
  const faults: string[] = [];
  for (const duty of night.store.duties.values()) {
    faults.push(...everyDutyIsMet(night, duty, requests), ...everyDutyIsWatched(night, duty));
    faults.push(...nobodyGivesUp(night, duty), ...silenceAfterClosing(night, duty, requests));
    faults.push(...closingShows(night, duty), ...nothingRunsOn(night, duty));
  }
  return [...faults, ...duplicatesAreBounded(night, requests), ...nothingIsStuck(night)];
}

type Requests = ReadonlyMap<number, { atMs: number; accepted: boolean }[]>;

function requestsByAttempt({ log }: SimulatedProvider): Requests {
  const flat = log.flatMap(({ attemptIds, atMs, accepted }) =>
    attemptIds.map((id) => ({ id, atMs, accepted })),
  );
  return Map.groupBy(flat, ({ id }) => id);
}

const rowsOf = ({ store }: Night, { id }: DutyRow): AttemptRow[] => store.attemptsOf.get(id) ?? [];
const lastTurn = ({ turns }: DutyRow) => turns.at(-1) ?? { kind: 'opened', atMs: 0 };
const dueMsOf = ({ openedMs, plan }: DutyRow) => openedMs + plan.delaySeconds * 1000;

/** I3, I4: what stayed unacknowledged was called for, in time, and a provider took it. */
function everyDutyIsMet(night: Night, duty: DutyRow, requests: Requests): string[] {
  if (duty.notices.some(({ kind }) => kind === 'exhausted' || kind === 'missed')) return [];
  const rows = rowsOf(night, duty);
  const sent = rows.flatMap(({ id }) => requests.get(id) ?? []);
  const firstMs = Math.min(night.endMs, ...sent.map(({ atMs }) => atMs));
  const firstClosedMs = duty.turns.find(({ kind }) => kind === 'closed')?.atMs ?? night.endMs;
  const unsent = rows.filter(({ id, createdAt }) => createdAt.getTime() < firstMs && !requests.has(id));
  const latestMs = dueMsOf(duty) + latestFirstCallMs + unsent.length * lostSenderMs;
  if (Math.min(firstMs, firstClosedMs) > latestMs)
    return [`I4: nobody was called in time for duty ${duty.id}`];

  const end = lastTurn(duty);
  const isLongOpen = end.kind === 'opened' && night.endMs - end.atMs > latestFirstCallMs + longestAttemptMs;
  if (!isLongOpen || sent.some(({ accepted }) => accepted)) return [];
  return [`I3: no provider has taken a call for duty ${duty.id}`];
}

/** I3: what is open will be looked at, and what was missed is said. */
function everyDutyIsWatched({ endMs }: Night, { id, state, dueMs = 0, notices }: DutyRow): string[] {
  if (state.closed === null && dueMs < endMs - faultMs) return [`I3: nobody will look at duty ${id} again`];
  const isSilent = state.closed === 'missed' && !notices.some(({ kind }) => kind === 'missed');
  return isSilent ? [`I3: duty ${id} was missed and nobody is told`] : [];
}

/** I5: while a duty is open there is a try at least every step, and nobody says exhausted too soon. */
function nobodyGivesUp(night: Night, duty: DutyRow): string[] {
  const rows = rowsOf(night, duty);
  const { plan, notices } = duty;
  const steps = plan.targets.flatMap(({ stages }) =>
    stages.map(({ ackTimeoutSeconds }) => ackTimeoutSeconds),
  );
  const allowedMs = (Math.max(...steps) + 15) * 1000 + faultMs;
  const faults: string[] = [];
  for (const notice of notices) {
    if (notice.kind !== 'exhausted') continue;
    const before = rows.filter(({ createdAt }) => createdAt.getTime() < notice.atMs);
    if (before.length > 0 && !(before.length >= 5 && usesTwoKinds(duty, before)))
      faults.push(`I5: duty ${duty.id} gave up too soon`);
  }
  if (plan.until === 'acknowledged' && rows.length > 0)
    for (const [fromMs, toMs] of openStretches(duty, night.endMs))
      if (longestGapMs(rows, fromMs, toMs) > allowedMs) faults.push(`I5: duty ${duty.id} fell silent`);
  return faults;
}

function usesTwoKinds({ plan }: DutyRow, rows: readonly AttemptRow[]): boolean {
  const called = new Set(rows.map(({ userId }) => userId));
  const kinds = plan.people.filter(({ userId }) => called.has(userId)).flatMap(({ media }) => media);
  const wanted = Math.min(2, new Set(kinds.map(({ kind }) => kind)).size);
  return new Set(rows.map(({ medium }) => medium.kind)).size >= wanted;
}

function openStretches(duty: DutyRow, endMs: number): [number, number][] {
  return duty.turns.flatMap(({ kind, atMs }, index): [number, number][] =>
    kind === 'opened' ? [[Math.max(atMs, dueMsOf(duty)), duty.turns[index + 1]?.atMs ?? endMs]] : [],
  );
}

/** A phone that rings is no silence. */
function longestGapMs(rows: readonly AttemptRow[], fromMs: number, toMs: number): number {
  let quietSinceMs = fromMs;
  let longest = 0;
  for (const { createdAt, endedAt } of rows) {
    const startMs = createdAt.getTime();
    if (startMs < fromMs || startMs > toMs) continue;
    longest = Math.max(longest, startMs - quietSinceMs);
    quietSinceMs = Math.max(quietSinceMs, Math.min(endedAt?.getTime() ?? toMs, startMs + longestAttemptMs));
  }
  return Math.max(longest, toMs - quietSinceMs);
}

/** I6: after closing nothing is sent, but what a worker had already claimed; of that, no more than workers can hold. */
function silenceAfterClosing(night: Night, duty: DutyRow, requests: Requests): string[] {
  const rows = rowsOf(night, duty);
  return duty.turns.flatMap(({ kind, atMs }, index) => {
    if (kind !== 'closed') return [];
    const nextMs = duty.turns[index + 1]?.atMs ?? night.endMs;
    const late = rows.filter(({ id }) =>
      (requests.get(id) ?? []).some((request) => request.atMs > atMs + lateMs && request.atMs < nextMs),
    );
    const races = late.filter(({ claimedMs = 0 }) => claimedMs <= atMs);
    const faults = late.length > races.length ? [`I6: duty ${duty.id} called after it was closed`] : [];
    return races.length > mostLateCalls ? [...faults, `I6: duty ${duty.id} has too many late calls`] : faults;
  });
}

/** I7: one request an attempt, one attempt a try; fences only rise. */
function duplicatesAreBounded({ store }: Night, requests: Requests): string[] {
  const faults: string[] = [];
  const tries = new Set<string>();
  for (const row of store.attempts.values()) {
    const { id, dutyId, target, step, userId, fences } = row;
    if ((requests.get(id)?.length ?? 0) > 1) faults.push(`I7: attempt ${id} was sent twice`);
    if (fences.some((fence, index) => fence < (fences[index - 1] ?? 0)))
      faults.push(`I7: attempt ${id} was settled by one who had lost it`);
    const name = [dutyId, target, step, userId, row.try].join();
    if (tries.has(name)) faults.push(`I7: duty ${dutyId} made a try twice`);
    tries.add(name);
  }
  return faults;
}

/** I7: what a sender leaves behind is settled soon, and what waits is sent once its limit lets it. */
function nothingIsStuck({ store, endMs }: Night): string[] {
  const faults: string[] = [];
  for (const { id, status, waitUntilMs, endedAt, leaseMs, orphanedMs = endMs } of store.attempts.values()) {
    if ((endedAt?.getTime() ?? endMs) > orphanedMs + settledMs)
      faults.push(`I7: attempt ${id} was left in the dark by its sender`);
    if (endedAt !== undefined) continue;
    const sinceMs = status === 'queued' ? waitUntilMs : leaseMs;
    if (sinceMs < endMs - faultMs) faults.push(`I7: attempt ${id} is nobody's`);
  }
  return faults;
}

/** I9: what is closed is closed for a reason that the alarm shows. */
function closingShows({ store }: Night, { id, alarmId, state }: DutyRow): string[] {
  const { raisedMs = 0, acknowledgedMs, resetMs } = store.alarms.get(alarmId) ?? {};
  const wanted = {
    acknowledged: acknowledgedMs,
    reset: resetMs,
    masked: raisedMs,
    reached: raisedMs,
    missed: raisedMs,
  };
  const shown = state.closed === null || (wanted[state.closed] ?? 0) >= raisedMs;
  return shown ? [] : [`I9: duty ${id} says ${state.closed}, its alarm does not`];
}

/** I9: after a closed duty nothing runs and nothing begins. */
function nothingRunsOn(night: Night, duty: DutyRow): string[] {
  const faults: string[] = [];
  const endMs = duty.state.closed === null ? night.endMs : lastTurn(duty).atMs;
  for (const { id, createdAt, endedAt } of rowsOf(night, duty)) {
    if (endedAt && endedAt < createdAt) faults.push(`I9: attempt ${id} ended before it began`);
    if (!endedAt && duty.state.closed !== null) faults.push(`I9: attempt ${id} runs on after its duty`);
    if (createdAt.getTime() > endMs) faults.push(`I9: attempt ${id} began after its duty had ended`);
  }
  return faults;
}
