import type { Alarm } from '@tocsin/contract';
import { ProblemError } from '../../common/problem.ts';
import { type ConfigurationCache, createConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { CommandQueue } from './command-queue.ts';
import { createReadAhead } from './read-directory-ahead.ts';
import { createRecordCache, type RecordCache, recordsAfter } from './record-cache.ts';
import {
  type BatchInProgress,
  canFollow,
  drainTenantQueue,
  type QueuedCommand,
  startBatch,
} from './tenant-queue.ts';
import { type BatchListeners, createBatchWriter, type PipelinedBasis } from './write-batch.ts';
import { createWritePermits } from './write-permits.ts';
import { createTogether } from './write-together.ts';

type TenantQueue = { queue: CommandQueue<QueuedCommand>; isBusy: boolean };

/** Batches of so few commands share a transaction with those of other tenants, if they have to wait. */
const maxSharedCommands = 4;

/** Beyond so many, queues of idle tenants are dropped. */
const maxTenantQueues = 1_000;

/** The one way to change alarms. */
export type AlarmWriter = {
  /** Resolves once the change is committed. */
  submit(tenantId: number, command: AlarmCommand): Promise<number | Alarm>;
};

export type AlarmWriterSettings = BatchListeners & {
  /** With so many waiting commands the next batch is decided before the current one is committed. */
  pipelineThreshold?: number;
  maxBatchSize?: number;
  /** Shared with other parts of the server. */
  configuration?: ConfigurationCache;
};

/**
 * Commands of a tenant that arrive while a batch is being written join the next one. On an idle server each command is a
 * batch of its own and does not wait.
 */
export function createAlarmWriter(
  runtime: Runtime,
  {
    pipelineThreshold = 32,
    maxBatchSize,
    configuration = createConfigurationCache(),
    ...listeners
  }: AlarmWriterSettings = {},
): AlarmWriter {
  const recordCache = createRecordCache();
  const { write, writeTogether } = createBatchWriter({ runtime, recordCache, configuration, listeners });
  const together = createTogether(writeTogether);
  const permits = createWritePermits(runtime.database.alarmPool.options.max);
  const queueOf = createTenantQueues(maxBatchSize);
  const readAhead = createReadAhead(runtime, configuration);

  /** Takes the batch as late as possible, so that it includes commands that arrive while others are written. */
  const start = async (
    tenantId: number,
    queue: CommandQueue<QueuedCommand>,
    previous: BatchInProgress | undefined,
  ) => {
    // A second batch of one tenant leaves a permit to the others.
    const mayPipeline = previous?.result !== undefined && permits.free >= 2;
    if (previous && !mayPipeline) await previous.done;
    const canShare = () => queue.length <= maxSharedCommands;
    const permit = permits.tryAcquire() ?? (await permits.acquire(canShare));
    const batch = queue.takeBatch();
    if (!permit) return startBatch(batch, async () => refuse(batch));
    if (permit.sharers > 1)
      return startBatch(batch, () => together(permit, { tenantId, batch }).finally(permit.release));
    const pipelined = pipelinedBasis(recordCache, tenantId, batch, previous);
    if (previous && !pipelined) await previous.done;
    return startBatch(batch, (onSent) =>
      write(tenantId, batch, { pipelined, onSent }).finally(permit.release),
    );
  };

  const add = (tenantId: number, command: AlarmCommand) =>
    new Promise<number | Alarm>((resolve, reject) => {
      const tenantQueue = queueOf(tenantId);
      tenantQueue.queue.add({ command, resolve, reject });
      if (tenantQueue.isBusy) return;
      tenantQueue.isBusy = true;
      void drainTenantQueue(tenantQueue.queue, {
        pipelineThreshold,
        start: (previous) => start(tenantId, tenantQueue.queue, previous),
        onEmpty: () => {
          tenantQueue.isBusy = false;
        },
      });
    });

  return {
    submit: (tenantId, command) => {
      const read = readAhead(tenantId, command);
      return read ? read.then(() => add(tenantId, command)) : add(tenantId, command);
    },
  };
}

/** The records to decide a batch on before the previous one is committed; undefined if it must wait. */
function pipelinedBasis(
  recordCache: RecordCache,
  tenantId: number,
  batch: readonly QueuedCommand[],
  previous: BatchInProgress | undefined,
): PipelinedBasis | undefined {
  if (!previous?.result || !canFollow(batch, previous.batch)) return undefined;
  const cached = recordCache.get(tenantId);
  if (cached?.version !== previous.result.foundVersion) return undefined;
  return { records: recordsAfter(previous.result, cached), previous: previous.done };
}

function createTenantQueues(maxBatchSize: number | undefined): (tenantId: number) => TenantQueue {
  const queues = new Map<number, TenantQueue>();
  return (tenantId) => {
    const existing = queues.get(tenantId);
    if (existing) return existing;
    if (queues.size >= maxTenantQueues) dropIdle(queues);
    const created = { queue: new CommandQueue<QueuedCommand>(maxBatchSize), isBusy: false };
    queues.set(tenantId, created);
    return created;
  };
}

/** All at once, not each as it becomes idle: see `recently-used.ts`. */
function dropIdle(queues: Map<number, TenantQueue>): void {
  for (const [tenantId, { isBusy }] of queues) if (!isBusy) queues.delete(tenantId);
}

function refuse(batch: readonly QueuedCommand[]): void {
  const problem = new ProblemError('unavailable', 'Too many are writing alarms', {
    headers: { 'retry-after': '2' },
  });
  for (const { reject } of batch) reject(problem);
}
