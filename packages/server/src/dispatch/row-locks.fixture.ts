import { type Attempt, advance, type CallPlan, openEscalation, queueAttempt, settle } from '@tocsin/domain';

/** An attempt as the table has it. */
export type AttemptRow = Attempt & { hangUp: boolean; lateRace: boolean; leased: boolean };

/** One duty and its attempts as PostgreSQL keeps them: rows are locked one by one, and what is written shows at commit. */
export class LockedRows {
  readonly attempts = new Map<number, AttemptRow>();
  closed = false;
  leased = false;
  due = true;
  state;
  readonly #plan: CallPlan;
  readonly #held = new Map<string, Promise<void>>();

  constructor(plan: CallPlan, now: Date) {
    this.#plan = plan;
    this.state = openEscalation(plan, now);
  }

  /** Runs a transaction: `lock` waits for rows in the order they are named, and all are given back at its end. */
  async transact(work: (lock: (...rows: string[]) => Promise<void>) => Promise<void>): Promise<void> {
    const mine: (() => void)[] = [];
    const lock = async (...rows: string[]) => {
      for (const row of rows) {
        while (this.#held.has(row)) await this.#held.get(row);
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#held.set(row, promise);
        mine.push(() => {
          this.#held.delete(row);
          resolve();
        });
      }
    };
    try {
      await work(lock);
    } finally {
      for (const release of mine) release();
    }
  }

  running(): AttemptRow[] {
    return [...this.attempts.values()].filter(({ endedAt }) => endedAt === undefined);
  }

  /** What the escalation makes of the rows as they are, stored at once. */
  escalate(now: Date): void {
    const facts = { alarm: { state: 3 }, onDuty: new Map(), rotation: new Map() };
    const attempts = [...this.attempts.values()];
    const next = advance(this.#plan, this.state, { ...facts, attempts }, now);
    this.state = next.state;
    this.due = false;
    this.leased = false;
    for (const draft of next.attempts) {
      const id = this.attempts.size + 1;
      const row = { ...queueAttempt(draft, id, now), hangUp: false, lateRace: false, leased: false };
      this.attempts.set(id, row);
    }
  }

  /** What a dispatcher reports of an attempt. */
  report(id: number, kind: 'accepted' | 'busy', now: Date): void {
    const before = this.attempts.get(id);
    if (!before) return;
    const settlement = settle(before, { outcome: { kind }, fence: before.fence }, now);
    if (settlement.kind === 'settled') this.attempts.set(id, { ...before, ...settlement.attempt });
    this.due = !this.closed;
  }

  /** What closing the duty does to those attempts that it sees. */
  close(seen: readonly AttemptRow[], now: Date): void {
    this.closed = true;
    for (const { id } of seen) {
      const row = this.attempts.get(id);
      if (!row || row.endedAt) continue;
      const queued = row.status === 'queued';
      const ended = queued ? { status: 'cancelled' as const, endedAt: now } : {};
      this.attempts.set(id, { ...row, ...ended, hangUp: true, lateRace: row.status === 'calling' });
    }
  }
}
