import { setTimeout as sleep } from 'node:timers/promises';
import type { Alarm } from '@tocsin/contract';
import { markId } from '../http/idempotency.store.ts';
import type { AlarmCommand } from './alarm-command.ts';
import { commentedTags } from './alarm-wants.ts';
import type { CommandQueue } from './command-queue.ts';
import type { Left } from './known-records.ts';

/** Between two small batches of a busy tenant. */
const gatherMs = 4;
/** So many commands are worth a batch. */
const enoughWaiting = 16;

export type Waiting = {
  command: AlarmCommand;
  isSecondTry?: boolean;
  resolve: (answer: number | Alarm) => void;
  reject: (error: unknown) => void;
};

/** A batch on its way into the database. */
export type Writing = {
  readonly batch: readonly Waiting[];
  /** What it will leave, from when all of it is sent until it is done. */
  left: Left | undefined;
  isDone: boolean;
  /** When all of it is sent, or it is done. */
  readonly sent: Promise<void>;
  readonly done: Promise<void>;
};

/**
 * Writes what waits of one tenant, batch after batch, until nothing does. In a storm the next batch is decided while
 * the database writes this one; there are never more than the two, so a tenant in flood takes its turn for a connection
 * like every other.
 */
export async function drainLane(
  queue: CommandQueue<Waiting>,
  { enoughAhead, start, onEmpty }: LaneSettings,
): Promise<void> {
  let before: Writing | undefined;
  while (queue.length > 0) {
    const writing = await start(before);
    await writing.sent;
    await before?.done;
    await Promise.race([writing.done, queue.whenHolds(enoughAhead)]);
    // A batch costs much the same whether it holds two commands or ten. One alone, or many, need not wait.
    const wasSmall = writing.isDone && queue.length > 0 && queue.length < enoughWaiting;
    if (wasSmall && writing.batch.length > 1) await sleep(gatherMs);
    before = writing;
  }
  onEmpty();
}

type LaneSettings = {
  /** So many that wait are worth a batch that is decided ahead. */
  enoughAhead: number;
  /** Takes a batch of the queue, when it may be written. */
  start: (before: Writing | undefined) => Promise<Writing>;
  /** At once when nothing is left: what is added later is for another to write. */
  onEmpty: () => void;
};

/** Starts to write a batch; `write` tells when all of it is sent. */
export function startWriting(
  batch: readonly Waiting[],
  write: (onSent: (left: Left) => void) => Promise<void>,
): Writing {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const writing = { batch, left: undefined as Left | undefined, isDone: false, sent };
  const onSent = (left: Left) => {
    writing.left = left;
    resolve();
  };
  const done = write(onSent).finally(() => {
    writing.left = undefined;
    writing.isDone = true;
    resolve();
  });
  return Object.assign(writing, { done });
}

/**
 * Whether a batch can be decided on what another will leave. A comment changes a text that only the database has, and a
 * repeated request is answered with what is kept of the first.
 */
export function canFollow(batch: readonly Waiting[], other: readonly Waiting[]): boolean {
  const marks = new Set(marksOf(other));
  const isApart = marks.size === 0 || marksOf(batch).every((mark) => !marks.has(mark));
  return isApart && commentedTags(batch.map(({ command }) => command)).length === 0;
}

function marksOf(batch: readonly Waiting[]): string[] {
  return batch.flatMap(({ command: { mark } }) => (mark ? markId(mark) : []));
}
