import { type Attempt, advance, type CallPlan, openEscalation, queueAttempt, settle } from '@tocsin/domain';

/** A row of the table of attempts. */
export type AttemptRow = Attempt & { hangUp: boolean; lateRace: boolean; leased: boolean };

/** A model of one escalation and its attempts in PostgreSQL: rows are locked one by one, and writes are visible at commit. */
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

  /** Runs a transaction: `lock` waits for rows in the given order, and all are released at the end. */
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

  /** Advances the escalation with the present rows and stores the result. */
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

  /** Stores the report of a dispatcher about an attempt. */
  report(id: number, kind: 'accepted' | 'busy', now: Date): void {
    const before = this.attempts.get(id);
    if (!before) return;
    const settlement = settle(before, { outcome: { kind }, fencingToken: before.fencingToken }, now);
    if (settlement.kind === 'settled') this.attempts.set(id, { ...before, ...settlement.attempt });
    this.due = !this.closed;
  }

  /** Closes the escalation and the attempts that it sees. */
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
