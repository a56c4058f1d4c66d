import { floodSeconds, isFlood, type Sending, type WaitingAttempt } from '../calling/bundle.ts';
import { outcomeOfEnd } from '../calling/call-end.ts';
import { type AttemptOutcome, mayHaveReached } from '../calling/delivery.ts';
import { compareEscalations, type DueEscalation } from '../calling/escalation-order.ts';
import { chooseChannel } from '../channel/delivery-channel.ts';
import { admit, type Bucket, fullBucket } from '../channel/delivery-limit.ts';
import type { SimulatedProvider } from './simulated-provider.ts';
import type { AttemptRow, EscalationRow, SimulatedStore } from './simulated-store.ts';
import type { SimulationClock } from './simulation-clock.ts';
import type { Random } from './simulation-random.ts';

const leaseMs = 10_000;
const sendTimeoutMs = 5_000;
const heartbeatMs = 3_000;
export const workerCount = 3;
/** Number of rows that a worker claims at a time. */
export const batchSize = 4;
const limits = { user: { burst: 6, refillSeconds: 10 }, channel: { burst: 20, refillSeconds: 0.2 } };

/** Shared by all workers. */
export type WorkerContext = {
  clock: SimulationClock;
  random: Random;
  store: SimulatedStore;
  provider: SimulatedProvider;
  /** Channels by kind of medium, in order of preference. */
  channels: ReadonlyMap<string, readonly { id: number; healthy: boolean }[]>;
  /** Keys are such as `user 3` and `channel 2`. */
  buckets: Map<string, Bucket>;
  /** The rate of faults, from 0 to 1; 0 once the faults are over. */
  faultRate(): number;
};

/** A dispatcher process. It may die or be suspended between any two actions. */
export class SimulatedWorker {
  readonly #context: WorkerContext;
  /** Increases when the process dies: its planned work is lost. */
  #life = 0;
  #suspendedUntilMs = 0;
  readonly #held = new Map<number, number>();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  start(): void {
    const { random } = this.#context;
    this.#run(random.between(0, 1_000), () => this.#tick());
    this.#run(heartbeatMs, () => this.#beat());
  }

  /** Runs the work later, unless the process dies before. A suspension delays it. */
  #run(delayMs: number, work: () => void): void {
    const { clock } = this.#context;
    const life = this.#life;
    const attempt = () => {
      if (this.#life !== life) return;
      if (this.#suspendedUntilMs > clock.nowMs) clock.at(this.#suspendedUntilMs, attempt);
      else work();
    };
    clock.after(delayMs, attempt);
  }

  /** May kill or suspend the process. True if it has died. */
  #hasDied(): boolean {
    const { clock, random, faultRate } = this.#context;
    const chance = faultRate() * 0.04;
    if (random.chance(chance)) {
      this.#life += 1;
      this.#held.clear();
      clock.after(random.between(500, 8_000), () => this.start());
      return true;
    }
    if (random.chance(chance)) this.#suspendedUntilMs = clock.nowMs + random.between(1_000, 25_000);
    return false;
  }

  #tick(): void {
    const { random } = this.#context;
    this.#claimEscalations();
    this.#claimSendings();
    this.#takeOver();
    this.#run(1_000 + random.between(0, 50), () => this.#tick());
  }

  #claimEscalations(): void {
    const { clock, random, store } = this.#context;
    const due: EscalationRow[] = [];
    for (const escalation of store.escalations.values())
      if ((escalation.dueMs ?? Infinity) <= clock.nowMs) due.push(escalation);
    for (const escalation of due.toSorted(inOrder).slice(0, batchSize)) {
      escalation.fencingToken += 1;
      escalation.dueMs = clock.nowMs + leaseMs;
      const { id, fencingToken } = escalation;
      if (this.#hasDied()) return;
      this.#run(random.between(1, 80), () => store.decide(id, fencingToken, clock.nowMs));
    }
  }

  /** The intent to send is stored before anything is sent. */
  #claimSendings(): void {
    const { clock, store } = this.#context;
    const waiting: AttemptRow[] = [];
    for (const row of store.open)
      if (isDue(row, clock.nowMs) && !store.waitQuietly(row, clock.nowMs)) waiting.push(row);
    if (waiting.length === 0) return;
    const sendings = store.rules.bundleAttempts(
      waiting.map((row) => this.#waiting(row)),
      this.#recentEscalations(),
    );
    const { free } = store.rules.splitByLine(sendings, this.#busyPhones());
    for (const sending of free.slice(0, batchSize)) {
      const rows = sending.attempts.flatMap(({ id }) => store.attempts.get(id) ?? []);
      const [head] = rows;
      if (head && this.#admit(rows, head, sending) && this.#send(rows, head)) return;
    }
  }

  #busyPhones(): Set<string> {
    const busy = new Set<string>();
    for (const { status, medium } of this.#context.store.open)
      if (status !== 'queued' && medium.kind === 'Voice') busy.add(medium.address);
    return busy;
  }

  #admit(rows: readonly AttemptRow[], head: AttemptRow, { urgent, waitingSince }: Sending): boolean {
    const { clock, buckets, channels } = this.#context;
    const channel = chooseChannel(channels.get(head.medium.kind) ?? [], head.avoidChannels);
    if (!channel) return false;
    const bucket = (key: string, limit: { burst: number; refillSeconds: number }) =>
      buckets.get(key) ?? fullBucket(limit, clock.now);
    const [userKey, channelKey] = [`user ${head.userId}`, `channel ${channel.id}`];
    const user = bucket(userKey, limits.user);
    const route = bucket(channelKey, limits.channel);
    const admission = admit({ urgent, waitingSince, user, channel: route }, limits, clock.now);
    if (admission.kind === 'later') {
      for (const row of rows) row.waitUntilMs = admission.at.getTime();
      return false;
    }
    buckets.set(userKey, admission.user);
    buckets.set(channelKey, admission.channel);
    for (const row of rows) row.channelId = channel.id;
    return true;
  }

  #waitingSince({ openedMs, plan, id }: EscalationRow): Date {
    const accepted = (this.#context.store.attemptsOf.get(id) ?? []).findLast(mayHaveReached);
    return new Date(accepted?.claimedMs ?? openedMs + plan.delaySeconds * 1000);
  }

  /** True if the worker has died. */
  #send(rows: readonly AttemptRow[], head: AttemptRow): boolean {
    const { clock, random, store } = this.#context;
    for (const row of rows) {
      row.fencingToken += 1;
      row.fencingTokens.push(row.fencingToken);
      row.status = 'calling';
      row.claimedMs = clock.nowMs;
      row.leaseMs = clock.nowMs + leaseMs;
      this.#held.set(row.id, row.fencingToken);
    }
    const fencingToken = new Map(rows.map((row) => [row.id, row.fencingToken]));
    const until = clock.nowMs + leaseMs;
    store.note(`send ${rows.map(({ id }) => id).join()}`);
    if (this.#hasDied()) return true;
    this.#run(random.between(1, 80), () => {
      // A worker whose lease expired during a suspension must not send, because another may have taken over.
      if (clock.nowMs >= until)
        return this.#report(fencingToken, { kind: 'failed', permanent: false, reason: 'not sent' });
      this.#hasDied();
      this.#run(1, () => this.#request(head, fencingToken));
    });
    return false;
  }

  #request({ channelId, userId, medium }: AttemptRow, fencingTokens: ReadonlyMap<number, number>): void {
    const { provider } = this.#context;
    let answered = false;
    let gone = false;
    const respond = (outcome: AttemptOutcome, heard?: ReadonlySet<number>) => {
      if (gone) return;
      answered = true;
      this.#run(0, () => this.#report(fencingTokens, outcome, heard));
    };
    provider.send({ channelId, attemptIds: [...fencingTokens.keys()], userId, medium, respond });
    if (this.#hasDied()) return;
    this.#run(sendTimeoutMs, () => {
      if (answered) return;
      gone = true;
      this.#report(fencingTokens, { kind: 'unknown', reason: 'timed out' });
    });
  }

  #report(
    fencingTokens: ReadonlyMap<number, number>,
    reported: AttemptOutcome,
    heard?: ReadonlySet<number>,
  ): void {
    const { clock, store } = this.#context;
    for (const [id, fencingToken] of fencingTokens) {
      if (reported.kind === 'acknowledged' && heard?.has(id) === false) continue;
      const outcome =
        reported.kind === 'ended' ? outcomeOfEnd(id, { heard, reason: reported.reason }) : reported;
      const settlement = store.report(id, { outcome, fencingToken }, clock.nowMs);
      if (store.attempts.get(id)?.endedAt !== undefined) this.#held.delete(id);
      if (settlement.kind === 'settled' && settlement.shouldQuery) this.#query(id, fencingToken);
    }
  }

  #query(id: number, fencingToken: number): void {
    const { clock, random, store, provider } = this.#context;
    this.#run(random.between(50, 1_500), () => {
      const outcome = provider.query(store.attempts.get(id)?.channelId ?? 0, id);
      if (outcome) store.report(id, { outcome, fencingToken }, clock.nowMs);
    });
  }

  /** Takes over attempts whose worker has died or is suspended: their outcome is unknown. */
  #takeOver(): void {
    const { clock, store } = this.#context;
    for (const row of store.open) {
      if (row.status === 'queued' || row.leaseMs > clock.nowMs) continue;
      row.orphanedMs ??= clock.nowMs;
      row.fencingToken += 1;
      row.fencingTokens.push(row.fencingToken);
      row.leaseMs = clock.nowMs + leaseMs;
      this.#report(new Map([[row.id, row.fencingToken]]), { kind: 'unknown', reason: 'its sender is gone' });
      if (this.#hasDied()) return;
    }
  }

  #beat(): void {
    const { clock, store } = this.#context;
    for (const [id, fencingToken] of this.#held) {
      const row = store.attempts.get(id);
      if (row && row.fencingToken === fencingToken && row.endedAt === undefined)
        row.leaseMs = clock.nowMs + leaseMs;
      else this.#held.delete(id);
    }
    this.#run(heartbeatMs, () => this.#beat());
  }

  #waiting(row: AttemptRow): WaitingAttempt {
    const { id, userId, medium, escalationId, createdAt } = row;
    const escalation = this.#context.store.escalations.get(escalationId);
    const due = escalation
      ? queued(escalation)
      : { id: escalationId, priority: 1, isFirstOfStation: false, dueAt: createdAt };
    const waitingSince = escalation ? this.#waitingSince(escalation) : createdAt;
    return {
      id,
      userId,
      medium,
      escalation: due,
      since: due.dueAt,
      waitingSince,
      canBundle: escalation?.plan.occasion !== 'requested',
    };
  }

  #recentEscalations(): Map<number, number> {
    const { clock, store } = this.#context;
    if (!isFlood(store.escalations.size)) return new Map();
    const since = clock.nowMs - floodSeconds * 1000;
    const recent = [...store.attempts.values()].filter(({ createdAt }) => createdAt.getTime() >= since);
    const byUser = Map.groupBy(recent, ({ userId }) => userId);
    return new Map(
      [...byUser].map(([userId, rows]) => [
        userId,
        new Set(rows.map(({ escalationId }) => escalationId)).size,
      ]),
    );
  }
}

function isDue({ status, waitUntilMs }: AttemptRow, nowMs: number): boolean {
  return status === 'queued' && waitUntilMs <= nowMs;
}

function inOrder(one: EscalationRow, other: EscalationRow): number {
  return compareEscalations(queued(one), queued(other));
}

function queued({ id, plan, openedMs }: EscalationRow): DueEscalation {
  return { id, priority: plan.priority, isFirstOfStation: id === 1, dueAt: new Date(openedMs) };
}
