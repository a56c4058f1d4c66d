import { ProblemError } from '../../common/problem.ts';
import { type ConfigurationCache, createConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { JournalEntry } from '../../journal/journal.store.ts';
import { isConnectionFailure } from '../../postgres/database.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenantForAlarms, isLockConflict } from '../../postgres/tenant-transaction.ts';
import type { AlarmCommand, PostCommand } from '../decide/alarm-command.ts';
import type { AlarmSound } from '../decide/command-orders.ts';
import { type AppliedCommands, applyCommands, type CommandOutcome } from './apply-commands.ts';
import type { BatchResult, CachedRecords, RecordCache } from './record-cache.ts';
import type { QueuedCommand } from './tenant-queue.ts';

export type BatchListeners = {
  /** Called for each committed batch, in the order of commits. */
  onCommitted?: (tenantId: number, entries: readonly JournalEntry[]) => void;
  /** Called with the sounds that consoles play. */
  onSounds?: (tenantId: number, sounds: readonly AlarmSound[]) => void;
};

/** The records that a batch is decided on before the `previous` one is committed. */
export type PipelinedBasis = { records: CachedRecords; previous: Promise<void> };

type BatchOptions = {
  pipelined?: PipelinedBasis | undefined;
  /** Whether the batch was undone once because of a lock. */
  isRetry?: boolean;
  onSent?: (result: BatchResult) => void;
};

/** Resolves when every command of the batch is resolved or rejected. */
type WriteBatch = (
  tenantId: number,
  batch: readonly QueuedCommand[],
  options?: BatchOptions,
) => Promise<void>;

type BatchWriter = {
  runtime: Runtime;
  recordCache: RecordCache;
  configuration: ConfigurationCache;
  listeners: BatchListeners;
};

export function createBatchWriter(
  runtime: Runtime,
  recordCache: RecordCache,
  listeners: BatchListeners,
): WriteBatch {
  const writer = { runtime, recordCache, configuration: createConfigurationCache(), listeners };
  return (tenantId, batch, options = {}) => writeBatch(writer, { tenantId, batch }, options);
}

type TenantBatch = { tenantId: number; batch: readonly QueuedCommand[] };

async function writeBatch(
  writer: BatchWriter,
  tenantBatch: TenantBatch,
  options: BatchOptions,
): Promise<void> {
  const { pipelined, isRetry } = options;
  let applied: AppliedCommands;
  try {
    applied = await applyBatch(writer, tenantBatch, options);
  } catch (error) {
    if (pipelined && isUndone(error)) {
      await pipelined.previous;
      return writeBatch(writer, tenantBatch, {});
    }
    // The transactions it waited for are often done by now, so the whole batch is decided again, once.
    if (isLockConflict(error) && !isRetry) return writeBatch(writer, tenantBatch, { isRetry: true });
    return writeOneByOne(writer, tenantBatch, error);
  }
  // Listeners are called in the order of commits.
  await pipelined?.previous;
  conclude(writer, tenantBatch, applied);
}

function applyBatch(
  { runtime, recordCache, configuration }: BatchWriter,
  { tenantId, batch }: TenantBatch,
  { pipelined, onSent }: BatchOptions,
): Promise<AppliedCommands> {
  const commands = batch.map(({ command }) => command);
  const records = pipelined?.records ?? recordCache.get(tenantId);
  const settings = { configuration, records, isPipelined: pipelined !== undefined, onSent };
  return inTenantForAlarms(runtime.database, tenantId, (transaction) =>
    applyCommands(transaction, commands, settings),
  );
}

function conclude(
  { runtime, recordCache, listeners: { onCommitted, onSounds } }: BatchWriter,
  { tenantId, batch }: TenantBatch,
  { outcomes, entries, sounds, result }: AppliedCommands,
): void {
  recordCache.put(tenantId, result);
  if (entries.length > 0) notify(runtime, () => onCommitted?.(tenantId, entries));
  if (sounds.length > 0) notify(runtime, () => onSounds?.(tenantId, sounds));
  batch.forEach((one, index) => settle(one, outcomes[index]));
}

/** The batch is committed, so an error of a listener must not reject its commands. */
function notify({ log }: Runtime, listener: () => void): void {
  try {
    listener();
  } catch (error) {
    log.error({ err: error }, 'a listener of committed alarms failed');
  }
}

async function writeOneByOne(
  writer: BatchWriter,
  { tenantId, batch }: TenantBatch,
  error: unknown,
): Promise<void> {
  writer.recordCache.delete(tenantId);
  const [only] = batch;
  const retry = batch.length === 1 && only && retryOf(only, error);
  if (retry) return writeBatch(writer, { tenantId, batch: [retry] }, {});
  if (batch.length === 1 || error instanceof ProblemError || isConnectionFailure(error)) {
    for (const { reject } of batch) reject(error);
    return;
  }
  // One command is the cause: written alone, it fails alone.
  const commands = batch.length;
  writer.runtime.log.warn(
    { err: error, tenantId, commands },
    'batch failed, writing its commands one by one',
  );
  for (const one of batch) await writeBatch(writer, { tenantId, batch: [one] }, {});
}

/** Whether it is certain that nothing was written. */
function isUndone(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'unavailable' && !isConnectionFailure(error.cause);
  return !isConnectionFailure(error);
}

/** The command in a form that may succeed, or undefined if it has failed for good. */
function retryOf({ isRetry, ...one }: QueuedCommand, error: unknown): QueuedCommand | undefined {
  if (isRetry) return undefined;
  const { command } = one;
  // Another request with the key has been committed meanwhile: the retry finds its answer.
  if (constraintOf(error) === 'idempotency_keys_pkey') return { ...one, isRetry: true };
  if (!needsOtherPath(command, error)) return undefined;
  return { ...one, command: { ...command, isPathInUse: true }, isRetry: true };
}

/** Whether the path that was generated for the tag is in use: the tag gets another one, so that its alarm is not lost. */
function needsOtherPath(command: AlarmCommand, error: unknown): command is PostCommand {
  const isGenerated = command.kind === 'post' && !command.body.path && command.isPathInUse !== true;
  return isGenerated && constraintOf(error) === 'tags_path';
}

/** The database constraint that the error reports. */
function constraintOf(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}

function settle({ resolve, reject }: QueuedCommand, outcome: CommandOutcome | undefined): void {
  if (outcome === undefined) reject(new Error('the batch has no outcome for a command'));
  else if ('problem' in outcome) reject(outcome.problem);
  else resolve(outcome.answer);
}
