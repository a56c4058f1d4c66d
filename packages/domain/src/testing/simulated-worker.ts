import { floodSeconds, inFlood, type Sending, type WaitingAttempt } from '../bundle.ts';
import { mayHaveReached, type Outcome } from '../delivery.ts';
import { chooseChannel } from '../delivery-channel.ts';
import { admit, type Bucket, fullBucket } from '../delivery-limit.ts';
import { compareDuties, type DueDuty } from '../duty.ts';
import type { SimulatedProvider } from './simulated-provider.ts';
import type { AttemptRow, DutyRow, SimulatedStore } from './simulated-store.ts';
import type { SimulationClock } from './simulation-clock.ts';
import type { Random } from './simulation-random.ts';

const leaseMs = 10_000;
const sendTimeoutMs = 5_000;
const heartbeatMs = 3_000;
export const workerCount = 3;
/** How much a worker takes up at a time. */
export const atATime = 4;
const limits = { user: { burst: 6, refillSeconds: 10 }, channel: { burst: 20, refillSeconds: 0.2 } };

/** What all workers share. */
export type Office = {
  clock: SimulationClock;
  random: Random;
  store: SimulatedStore;
  provider: SimulatedProvider;
  /** Channels by kind of medium, in order of preference. */
  channels: ReadonlyMap<string, readonly { id: number; healthy: boolean }[]>;
  /** Rows of the limits, by `user 3` or `channel 2`. */
  buckets: Map<string, Bucket>;
  /** How often things go wrong, from 0 to 1. 0 once the faults are over. */
  trouble(): number;
};

/** A dispatcher process: it may die or stand still between any two things it does. */
export class SimulatedWorker {
  readonly #office: Office;
  /** Rises when the process dies: what it had in mind is gone. */
  #life = 0;
  #stillUntilMs = 0;
  readonly #held = new Map<number, number>();

  constructor(office: Office) {
    this.#office = office;
  }

  start(): void {
    const { random } = this.#office;
    this.#run(random.between(0, 1_000), () => this.#tick());
    this.#run(heartbeatMs, () => this.#beat());
  }

  /** Later, unless the process dies before; and later still when it stands still. */
  #run(delayMs: number, work: () => void): void {
    const { clock } = this.#office;
    const life = this.#life;
    const attempt = () => {
      if (this.#life !== life) return;
      if (this.#stillUntilMs > clock.nowMs) clock.at(this.#stillUntilMs, attempt);
      else work();
    };
    clock.after(delayMs, attempt);
  }

  /** True when the process has just died or begun to stand still. */
  #stumbles(): boolean {
    const { clock, random, trouble } = this.#office;
    const chance = trouble() * 0.04;
    if (random.chance(chance)) {
      this.#life += 1;
      this.#held.clear();
      clock.after(random.between(500, 8_000), () => this.start());
      return true;
    }
    if (random.chance(chance)) this.#stillUntilMs = clock.nowMs + random.between(1_000, 25_000);
    return false;
  }

  #tick(): void {
    const { random } = this.#office;
    this.#claimDuties();
    this.#claimSendings();
    this.#takeOver();
    this.#run(1_000 + random.between(0, 50), () => this.#tick());
  }

  #claimDuties(): void {
    const { clock, random, store } = this.#office;
    const due: DutyRow[] = [];
    for (const duty of store.duties.values()) if ((duty.dueMs ?? Infinity) <= clock.nowMs) due.push(duty);
    for (const duty of due.toSorted(inOrder).slice(0, atATime)) {
      duty.fence += 1;
      duty.dueMs = clock.nowMs + leaseMs;
      const { id, fence } = duty;
      if (this.#stumbles()) return;
      this.#run(random.between(1, 80), () => store.decide(id, fence, clock.nowMs));
    }
  }

  /** The intent to send is stored before anything is sent. */
  #claimSendings(): void {
    const { clock, store } = this.#office;
    const waiting: AttemptRow[] = [];
    for (const row of store.open)
      if (row.status === 'queued' && row.waitUntilMs <= clock.nowMs) waiting.push(row);
    if (waiting.length === 0) return;
    const sendings = store.rules.bundleUp(
      waiting.map((row) => this.#waiting(row)),
      this.#recentDuties(),
    );
    for (const sending of sendings.slice(0, atATime)) {
      const rows = sending.attempts.flatMap(({ id }) => store.attempts.get(id) ?? []);
      const [head] = rows;
      if (head && this.#admit(rows, head, sending) && this.#send(rows, head)) return;
    }
  }

  #admit(rows: readonly AttemptRow[], head: AttemptRow, { urgent, waitingSince }: Sending): boolean {
    const { clock, buckets, channels } = this.#office;
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

  #waitingSince({ openedMs, plan, id }: DutyRow): Date {
    const taken = (this.#office.store.attemptsOf.get(id) ?? []).findLast(mayHaveReached);
    return new Date(taken?.claimedMs ?? openedMs + plan.delaySeconds * 1000);
  }

  /** True when the worker has died of it. */
  #send(rows: readonly AttemptRow[], head: AttemptRow): boolean {
    const { clock, random, store } = this.#office;
    for (const row of rows) {
      row.fence += 1;
      row.fences.push(row.fence);
      row.status = 'calling';
      row.claimedMs = clock.nowMs;
      row.leaseMs = clock.nowMs + leaseMs;
      this.#held.set(row.id, row.fence);
    }
    const fence = new Map(rows.map((row) => [row.id, row.fence]));
    const until = clock.nowMs + leaseMs;
    store.note(`send ${rows.map(({ id }) => id).join()}`);
    if (this.#stumbles()) return true;
    this.#run(random.between(1, 80), () => {
      // A worker that stood still must not send what another may have taken over, nor keep it.
      if (clock.nowMs >= until)
        return this.#report(fence, { kind: 'failed', permanent: false, reason: 'not sent' });
      this.#stumbles();
      this.#run(1, () => this.#request(head, fence));
    });
    return false;
  }

  #request({ channelId, userId, medium }: AttemptRow, fences: ReadonlyMap<number, number>): void {
    const { provider } = this.#office;
    let answered = false;
    let gone = false;
    const respond = (outcome: Outcome) => {
      if (gone) return;
      answered = true;
      this.#run(0, () => this.#report(fences, outcome));
    };
    provider.send({ channelId, attemptIds: [...fences.keys()], userId, medium, respond });
    if (this.#stumbles()) return;
    this.#run(sendTimeoutMs, () => {
      if (answered) return;
      gone = true;
      this.#report(fences, { kind: 'unknown', reason: 'timed out' });
    });
  }

  #report(fences: ReadonlyMap<number, number>, outcome: Outcome): void {
    const { clock, store } = this.#office;
    for (const [id, fence] of fences) {
      const settlement = store.report(id, { outcome, fence }, clock.nowMs);
      if (store.attempts.get(id)?.endedAt !== undefined) this.#held.delete(id);
      if (settlement.kind === 'settled' && settlement.ask) this.#ask(id, fence);
    }
  }

  #ask(id: number, fence: number): void {
    const { clock, random, store, provider } = this.#office;
    this.#run(random.between(50, 1_500), () => {
      const outcome = provider.ask(store.attempts.get(id)?.channelId ?? 0, id);
      if (outcome) store.report(id, { outcome, fence }, clock.nowMs);
    });
  }

  /** Attempts whose sender has died or stands still: nobody knows what became of them. */
  #takeOver(): void {
    const { clock, store } = this.#office;
    for (const row of store.open) {
      if (row.status === 'queued' || row.leaseMs > clock.nowMs) continue;
      row.orphanedMs ??= clock.nowMs;
      row.fence += 1;
      row.fences.push(row.fence);
      row.leaseMs = clock.nowMs + leaseMs;
      this.#report(new Map([[row.id, row.fence]]), { kind: 'unknown', reason: 'its sender is gone' });
      if (this.#stumbles()) return;
    }
  }

  #beat(): void {
    const { clock, store } = this.#office;
    for (const [id, fence] of this.#held) {
      const row = store.attempts.get(id);
      if (row && row.fence === fence && row.endedAt === undefined) row.leaseMs = clock.nowMs + leaseMs;
      else this.#held.delete(id);
    }
    this.#run(heartbeatMs, () => this.#beat());
  }

  #waiting(row: AttemptRow): WaitingAttempt {
    const { id, userId, medium, dutyId, createdAt } = row;
    const duty = this.#office.store.duties.get(dutyId);
    const due = duty ? queued(duty) : { id: dutyId, priority: 1, firstOfPlant: false, dueAt: createdAt };
    const waitingSince = duty ? this.#waitingSince(duty) : createdAt;
    return {
      id,
      userId,
      medium,
      duty: due,
      since: due.dueAt,
      waitingSince,
      bundles: duty?.plan.occasion !== 'requested',
    };
  }

  #recentDuties(): Map<number, number> {
    const { clock, store } = this.#office;
    if (!inFlood(store.duties.size)) return new Map();
    const since = clock.nowMs - floodSeconds * 1000;
    const recent = [...store.attempts.values()].filter(({ createdAt }) => createdAt.getTime() >= since);
    const byUser = Map.groupBy(recent, ({ userId }) => userId);
    return new Map(
      [...byUser].map(([userId, rows]) => [userId, new Set(rows.map(({ dutyId }) => dutyId)).size]),
    );
  }
}

function inOrder(one: DutyRow, other: DutyRow): number {
  return compareDuties(queued(one), queued(other));
}

function queued({ id, plan, openedMs }: DutyRow): DueDuty {
  return { id, priority: plan.priority, firstOfPlant: id === 1, dueAt: new Date(openedMs) };
}
