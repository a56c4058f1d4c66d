import { ProblemError } from '../../common/problem.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';

/** The limit of one sender: beyond it, this sender gets 429 and others do not. */
const maxPerSender = 2_000;
/** The limits of a tenant: beyond the first only urgent commands are accepted, beyond the second none. */
const maxQueued = 20_000;
const maxQueuedUrgent = 40_000;
/** Counts of more senders are dropped when the queue is empty. */
const maxIdleSenders = 100;

/**
 * The commands of one tenant that wait for the next batch. Its memory is limited, and in a storm the sender that causes it
 * is refused first: alarms of priority 1 and acknowledgments are not refused because of others.
 */
export class CommandQueue<Item extends { command: AlarmCommand }> {
  #waiting: Item[] = [];
  readonly #perSender = new Map<string, number>();
  readonly #maxBatchSize: number;
  #awaited: { length: number; resolve: () => void } | undefined;

  /** A transaction of more than 128 commands is slower than two. */
  constructor(maxBatchSize = 128) {
    this.#maxBatchSize = maxBatchSize;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Throws the problem to answer if the queue is full. */
  add(item: Item): void {
    const { subject } = item.command.actor;
    const count = this.#perSender.get(subject) ?? 0;
    const limit = isUrgent(item.command) ? maxQueuedUrgent : maxQueued;
    if (count >= maxPerSender) throw tooMany(`${subject} has ${count} alarms waiting to be written`);
    if (this.#waiting.length >= limit) {
      throw new ProblemError('unavailable', 'Too many alarms are waiting to be written', {
        headers: { 'retry-after': '1' },
      });
    }
    this.#waiting.push(item);
    this.#perSender.set(subject, count + 1);
    if (this.#awaited && this.#waiting.length >= this.#awaited.length) this.#awaited.resolve();
  }

  /** Resolves when so many commands wait. Supports one caller at a time. */
  whenLength(length: number): Promise<void> {
    if (this.#waiting.length >= length) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited = { length, resolve };
    });
  }

  /** Removes the commands of the next batch, in the order of arrival. */
  takeBatch(): Item[] {
    const batch = this.#waiting.splice(0, this.#maxBatchSize);
    for (const { command } of batch) {
      const { subject } = command.actor;
      this.#perSender.set(subject, (this.#perSender.get(subject) ?? 0) - 1);
    }
    // All at once instead of one by one: see `recently-used.ts`.
    if (this.#waiting.length === 0 && this.#perSender.size > maxIdleSenders) this.#perSender.clear();
    return batch;
  }
}

/** Actions of users are urgent, and so are posts without a priority, which defaults to 1. */
function isUrgent(command: AlarmCommand): boolean {
  return command.kind !== 'post' || (command.body.priority ?? 1) <= 1;
}

function tooMany(detail: string): ProblemError {
  return new ProblemError('too-many-requests', detail, { headers: { 'retry-after': '1' } });
}
