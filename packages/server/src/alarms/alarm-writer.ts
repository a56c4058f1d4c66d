import type { Alarm } from '@tocsin/contract';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import type { AlarmCommand } from './alarm-command.ts';
import { canFollow, drainLane, startWriting, type Waiting, type Writing } from './alarm-lane.ts';
import { CommandQueue } from './command-queue.ts';
import { createRecordMemory, knownAfter } from './known-records.ts';
import { type BatchListeners, createBatchWriter } from './write-batch.ts';
import { createWritePermits } from './write-permits.ts';

/** What waits of a tenant, and whether somebody is writing it. */
type Lane = { queue: CommandQueue<Waiting>; isBusy: boolean };

/** Beyond, those of tenants that are quiet are forgotten. */
const mostLanes = 1_000;

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
  const lanes = new Map<number, Lane>();
  const memory = createRecordMemory();
  const write = createBatchWriter(runtime, memory, listeners);
  const permits = createWritePermits(runtime.database.alarmPool.options.max);

  /** What a batch goes by that is decided while the one before it is being written; undefined when it has to wait. */
  const aheadOf = (tenantId: number, batch: readonly Waiting[], before: Writing | undefined) => {
    if (!before?.left || !canFollow(batch, before.batch)) return undefined;
    const known = memory.recall(tenantId);
    const isAlone = known !== undefined && known.version === before.left.foundVersion;
    return isAlone ? { known: knownAfter(before.left, known), before: before.done } : undefined;
  };

  /** The batch is taken as late as can be: what comes while others are written is in it. */
  const start = async (tenantId: number, queue: CommandQueue<Waiting>, before: Writing | undefined) => {
    // A second batch of one tenant leaves a permit to the others.
    const mayGoAhead = before?.left !== undefined && permits.free >= 2;
    if (before && !mayGoAhead) await before.done;
    const mayWrite = permits.takeNow() || (await permits.wait());
    const batch = queue.take();
    if (!mayWrite) return startWriting(batch, async () => refuse(batch));
    const ahead = aheadOf(tenantId, batch, before);
    if (before && !ahead) await before.done;
    return startWriting(batch, (onSent) =>
      write(tenantId, batch, { ahead, onSent }).finally(() => permits.giveBack()),
    );
  };

  const laneOf = (tenantId: number) => {
    const known = lanes.get(tenantId);
    if (known) return known;
    if (lanes.size >= mostLanes) forgetIdle(lanes);
    const lane = { queue: new CommandQueue<Waiting>(largestBatch), isBusy: false };
    lanes.set(tenantId, lane);
    return lane;
  };

  return {
    submit: (tenantId, command) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(tenantId);
        lane.queue.add({ command, resolve, reject });
        if (lane.isBusy) return;
        lane.isBusy = true;
        void drainLane(lane.queue, {
          enoughAhead,
          start: (before) => start(tenantId, lane.queue, before),
          onEmpty: () => {
            lane.isBusy = false;
          },
        });
      }),
  };
}

function refuse(batch: readonly Waiting[]): void {
  const problem = new ProblemError('unavailable', 'Too many are writing alarms', {
    headers: { 'retry-after': '2' },
  });
  for (const { reject } of batch) reject(problem);
}

/** All at once, not each as it becomes idle: see `recently-used.ts`. */
function forgetIdle(lanes: Map<number, Lane>): void {
  for (const [tenantId, { isBusy }] of lanes) if (!isBusy) lanes.delete(tenantId);
}
