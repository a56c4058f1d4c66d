import { ProblemError } from '../problem.ts';
import type { AlarmCommand } from './alarm-command.ts';

/** Commands waiting to be written; each knows its command. */
type Waiting = { command: AlarmCommand };

/** What one sender may have waiting: beyond, it is told to come back, and nobody else is. */
const largestShare = 2_000;
/** What a tenant may have waiting before all but the urgent is refused, and before everything is. */
const largestQueue = 20_000;
const largestUrgentQueue = 40_000;
/** So many are remembered while nothing of theirs waits. */
const mostSenders = 100;

/**
 * The commands of one tenant that wait for the next batch. Memory stays bounded in a flood, and a flood refuses its own
 * sender first: an alarm of priority 1, or somebody who acknowledges, is not turned away because of others.
 */
export class CommandQueue<Item extends Waiting> {
  #waiting: Item[] = [];
  readonly #shares = new Map<string, number>();
  readonly #largestBatch: number;
  #awaited: { length: number; resolve: () => void } | undefined;

  /** More than 128 commands in one transaction make it slower, not faster. */
  constructor(largestBatch = 128) {
    this.#largestBatch = largestBatch;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Throws the problem to answer when there is no room. */
  add(item: Item): void {
    const { subject } = item.command.actor;
    const share = this.#shares.get(subject) ?? 0;
    const urgent = isUrgent(item.command);
    if (share >= largestShare) throw tooMany(`${subject} has ${share} alarms waiting to be written`);
    if (this.#waiting.length >= (urgent ? largestUrgentQueue : largestQueue)) {
      throw new ProblemError('unavailable', 'Too many alarms are waiting to be written', {
        headers: { 'retry-after': '1' },
      });
    }
    this.#waiting.push(item);
    this.#shares.set(subject, share + 1);
    if (this.#awaited && this.#waiting.length >= this.#awaited.length) this.#awaited.resolve();
  }

  /** Until so many are waiting. One waits for it at a time. */
  whenHolds(length: number): Promise<void> {
    if (this.#waiting.length >= length) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited = { length, resolve };
    });
  }

  /** The commands of the next batch, in the order they came. */
  take(): Item[] {
    const taken = this.#waiting.splice(0, this.#largestBatch);
    for (const { command } of taken) {
      const { subject } = command.actor;
      this.#shares.set(subject, (this.#shares.get(subject) ?? 0) - 1);
    }
    // Not one by one: see `recently-used.ts`.
    if (this.#waiting.length === 0 && this.#shares.size > mostSenders) this.#shares.clear();
    return taken;
  }
}

/** People act on alarms, and a source that does not say how urgent it is may mean the worst. */
function isUrgent(command: AlarmCommand): boolean {
  return command.kind !== 'post' || (command.body.priority ?? 1) <= 1;
}

function tooMany(detail: string): ProblemError {
  return new ProblemError('too-many-requests', detail, { headers: { 'retry-after': '1' } });
}
