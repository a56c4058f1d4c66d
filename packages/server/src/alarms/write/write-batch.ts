import { ProblemError } from '../../common/problem.ts';
import type { ConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { JournalEntry } from '../../journal/journal.store.ts';
import { isConnectionFailure } from '../../postgres/database.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenantsForAlarms } from '../../postgres/tenant-group.ts';
import { inTenantForAlarms, isLockConflict } from '../../postgres/tenant-transaction.ts';
import type { AlarmCommand, PostCommand } from '../decide/alarm-command.ts';
import type { AlarmSound } from '../decide/command-orders.ts';
import { type AppliedCommands, applyCommands, type CommandOutcome } from './apply-commands.ts';
import type { BatchResult, CachedRecords, RecordCache } from './record-cache.ts';
import type { QueuedCommand } from './tenant-queue.ts';
import { type BatchTrace, traceBatch } from './trace-batch.ts';

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

export type BatchWriter = {
  runtime: Runtime;
  recordCache: RecordCache;
  configuration: ConfigurationCache;
  listeners: BatchListeners;
};

export type TenantBatch = { tenantId: number; batch: readonly QueuedCommand[] };

/** Resolves when every command of all batches is resolved or rejected. No tenant may be there twice. */
type WriteTogether = (batches: readonly TenantBatch[]) => Promise<void>;

export function createBatchWriter(writer: BatchWriter): { write: WriteBatch; writeTogether: WriteTogether } {
  return {
    write: (tenantId, batch, options = {}) => writeBatch(writer, { tenantId, batch }, options),
    writeTogether: (batches) => writeTogether(writer, batches),
  };
}

/** Writes the batches of several tenants in one transaction. If that fails, each is written by itself. */
async function writeTogether(writer: BatchWriter, batches: readonly TenantBatch[]): Promise<void> {
  const { runtime, recordCache, configuration } = writer;
  // In one order for all servers, so that they cannot wait for each other's locks in a circle.
  const ordered = batches.toSorted((one, other) => one.tenantId - other.tenantId);
  const tenantIds = ordered.map(({ tenantId }) => tenantId);
  const traces = ordered.map((one) => traceOf(writer, one));
  let applied: AppliedCommands[];
  try {
    applied = await inTenantsForAlarms(runtime.database, tenantIds, (transaction, index) => {
      const trace = traces[index];
      const records = recordCache.get(transaction.tenantId);
      const commands = trace?.commands ?? commandsOf(ordered[index]);
      return applyCommands(transaction, commands, { configuration, records, trace });
    });
  } catch (error) {
    // At the same time, because the one that is the cause may wait for a lock.
    const again = (one: TenantBatch) =>
      isUndone(error) ? writeBatch(writer, one, {}) : writeOneByOne(writer, one, error);
    await Promise.all(ordered.map(again));
    return;
  }
  ordered.forEach((one, index) => {
    traces[index]?.end();
    const outcome = applied[index];
    if (outcome) conclude(writer, one, outcome);
  });
}

const commandsOf = (one: TenantBatch | undefined) => one?.batch.map(({ command }) => command) ?? [];

async function writeBatch(
  writer: BatchWriter,
  tenantBatch: TenantBatch,
  options: BatchOptions,
): Promise<void> {
  const { pipelined, isRetry } = options;
  const trace = traceOf(writer, tenantBatch);
  let applied: AppliedCommands;
  try {
    applied = await applyBatch(writer, tenantBatch, options, trace);
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
  trace?.end();
  conclude(writer, tenantBatch, applied);
}

function traceOf(
  { runtime: { tracing } }: BatchWriter,
  { tenantId, batch }: TenantBatch,
): BatchTrace | undefined {
  if (!tracing) return undefined;
  return traceBatch(
    tracing,
    tenantId,
    batch.map(({ command }) => command),
  );
}

function applyBatch(
  { runtime, recordCache, configuration }: BatchWriter,
  { tenantId, batch }: TenantBatch,
  { pipelined, onSent }: BatchOptions,
  trace: BatchTrace | undefined,
): Promise<AppliedCommands> {
  const commands = trace?.commands ?? batch.map(({ command }) => command);
  const records = pipelined?.records ?? recordCache.get(tenantId);
  const settings = { configuration, records, isPipelined: pipelined !== undefined, onSent, trace };
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
