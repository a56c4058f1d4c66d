import { setTimeout as sleep } from 'node:timers/promises';
import type { Alarm } from '@tocsin/contract';
import { markId } from '../../http/idempotency.store.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import type { CommandQueue } from './command-queue.ts';
import { commentedTags } from './plan-reads.ts';
import type { BatchResult } from './record-cache.ts';

/** The pause between two small batches of a busy tenant. */
const gatherMs = 4;
/** With so many commands the next batch starts without a pause. */
const minWithoutPause = 16;

/** A command with the promise of its sender. */
export type QueuedCommand = {
  command: AlarmCommand;
  isRetry?: boolean;
  resolve: (answer: number | Alarm) => void;
  reject: (error: unknown) => void;
};

/** A batch that is being written. */
export type BatchInProgress = {
  readonly batch: readonly QueuedCommand[];
  /** The result, while all of the batch is sent and it is not done. */
  result: BatchResult | undefined;
  isDone: boolean;
  /** Resolves when all of the batch is sent, or when it is done. */
  readonly sent: Promise<void>;
  readonly done: Promise<void>;
};

type TenantQueueSettings = {
  /** With so many waiting commands the next batch is decided before the current one is committed. */
  pipelineThreshold: number;
  /** Takes a batch from the queue as soon as it may be written. */
  start: (previous: BatchInProgress | undefined) => Promise<BatchInProgress>;
  /** Called as soon as the queue is empty: commands that are added later need a new call of `drainTenantQueue`. */
  onEmpty: () => void;
};

/**
 * Writes the commands of one tenant, batch after batch, until the queue is empty. In a storm the next batch is decided
 * while the database writes the current one. There are never more than two, so that a storm of one tenant does not take
 * the connections of the others.
 */
export async function drainTenantQueue(
  queue: CommandQueue<QueuedCommand>,
  { pipelineThreshold, start, onEmpty }: TenantQueueSettings,
): Promise<void> {
  let previous: BatchInProgress | undefined;
  while (queue.length > 0) {
    const current = await start(previous);
    await current.sent;
    await previous?.done;
    await Promise.race([current.done, queue.whenLength(pipelineThreshold)]);
    // A batch of ten commands costs little more than one of two. A single command, or many, need not wait.
    const isSmall = current.isDone && queue.length > 0 && queue.length < minWithoutPause;
    if (isSmall && current.batch.length > 1) await sleep(gatherMs);
    previous = current;
  }
  onEmpty();
}

/** Starts to write a batch; `write` calls back when all of it is sent. */
export function startBatch(
  batch: readonly QueuedCommand[],
  write: (onSent: (result: BatchResult) => void) => Promise<void>,
): BatchInProgress {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const progress = { batch, result: undefined as BatchResult | undefined, isDone: false, sent };
  const onSent = (result: BatchResult) => {
    progress.result = result;
    resolve();
  };
  const done = write(onSent).finally(() => {
    progress.result = undefined;
    progress.isDone = true;
    resolve();
  });
  return Object.assign(progress, { done });
}

/**
 * Whether a batch can be decided before another is committed. A comment changes a text that only the database has, and a
 * repeated request needs the stored answer of the first.
 */
export function canFollow(batch: readonly QueuedCommand[], other: readonly QueuedCommand[]): boolean {
  const marks = new Set(marksOf(other));
  const hasOwnMarks = marks.size === 0 || marksOf(batch).every((mark) => !marks.has(mark));
  return hasOwnMarks && commentedTags(batch.map(({ command }) => command)).length === 0;
}

function marksOf(batch: readonly QueuedCommand[]): string[] {
  return batch.flatMap(({ command: { mark } }) => (mark ? markId(mark) : []));
}
