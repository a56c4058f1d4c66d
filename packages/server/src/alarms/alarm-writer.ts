import type { Alarm } from '@tocsin/contract';
import type { Database } from '../postgres/database.ts';
import type { Runtime } from '../runtime.ts';
import type { AlarmCommand } from './alarm-command.ts';
import { canFollow, drainLane, startWriting, type Waiting, type Writing } from './alarm-lane.ts';
import { CommandQueue } from './command-queue.ts';
import { createRecordMemory, knownAfter } from './known-records.ts';
import { type BatchListeners, createBatchWriter } from './write-batch.ts';

/** The one way to change alarms. */
export type AlarmWriter = {
  /** Resolves once the change is committed. */
  submit(tenantId: number, command: AlarmCommand): Promise<number | Alarm>;
};

export type AlarmWriterSettings = BatchListeners & {
  /** So many commands are worth a batch that is decided before the one before it is committed. */
  enoughAhead?: number;
  largestBatch?: number;
};

/**
 * Commands of a tenant that arrive while a batch is being written join the next one; on an idle server a batch
 * is one command and nothing waits.
 */
export function createAlarmWriter(
  runtime: Runtime,
  { enoughAhead = 32, largestBatch, ...listeners }: AlarmWriterSettings = {},
): AlarmWriter {
  const queues = new Map<number, CommandQueue<Waiting>>();
  const memory = createRecordMemory();
  const write = createBatchWriter(runtime, memory, listeners);

  /** What a batch may go by while the one before it is being written; undefined when it has to wait for that. */
  const knownAhead = (tenantId: number, batch: readonly Waiting[], before: Writing | undefined) => {
    if (!before?.left || !canFollow(batch, before.batch)) return undefined;
    const known = memory.recall(tenantId);
    const isAlone = known !== undefined && known.version === before.left.foundVersion;
    return isAlone && hasRoomAhead(runtime.database) ? knownAfter(before.left, known) : undefined;
  };

  const start = async (tenantId: number, batch: readonly Waiting[], before: Writing | undefined) => {
    const known = knownAhead(tenantId, batch, before);
    if (!known) await before?.done;
    const ahead = known && before && { known, before: before.done };
    return startWriting(batch, (onSent) => write(tenantId, batch, { ahead, onSent }));
  };

  return {
    submit: (tenantId, command) =>
      new Promise((resolve, reject) => {
        const running = queues.get(tenantId);
        const queue = running ?? new CommandQueue<Waiting>(largestBatch);
        queue.add({ command, resolve, reject });
        if (running) return;
        queues.set(tenantId, queue);
        void drainLane(queue, {
          enoughAhead,
          start: (batch, before) => start(tenantId, batch, before),
          onEmpty: () => queues.delete(tenantId),
        });
      }),
  };
}

/** Whether a second batch of one tenant leaves a connection to the others. */
function hasRoomAhead({ alarmPool: { options, totalCount, idleCount, waitingCount } }: Database): boolean {
  return options.max - totalCount + idleCount - waitingCount >= 2;
}
