import { createKnownDirectories } from '../duties/known-directories.ts';
import type { JournalEntry } from '../journal/journal.store.ts';
import { isConnectionFailure } from '../postgres/database.ts';
import { gaveWay, inTenantForAlarms } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import type { AlarmCommand, PostCommand } from './alarm-command.ts';
import type { Waiting } from './alarm-lane.ts';
import type { AlarmSound } from './alarm-orders.ts';
import { type AppliedCommands, applyCommands, type CommandOutcome } from './apply-commands.ts';
import type { KnownRecords, Left, RecordMemory } from './known-records.ts';
import { createKnownReferences } from './known-references.ts';

export type BatchListeners = {
  /** Hears of each batch after it is durable, in the order of commits. */
  onCommitted?: (tenantId: number, entries: readonly JournalEntry[]) => void;
  /** Hears what consoles are to play. */
  onSounds?: (tenantId: number, sounds: readonly AlarmSound[]) => void;
};

export type BatchCircumstances = {
  /** What a batch goes by that is decided before the one `before` it is committed. */
  ahead?: { known: KnownRecords; before: Promise<void> } | undefined;
  /** Whether it gave way to others once already. */
  isSecondTry?: boolean;
  onSent?: (left: Left) => void;
};

/** Resolves when all of the batch is answered, one way or another. */
export type WriteBatch = (
  tenantId: number,
  batch: readonly Waiting[],
  circumstances?: BatchCircumstances,
) => Promise<void>;

export function createBatchWriter(
  runtime: Runtime,
  memory: RecordMemory,
  { onCommitted, onSounds }: BatchListeners,
): WriteBatch {
  const directories = createKnownDirectories();
  const surroundings = createKnownReferences();

  const apply = (tenantId: number, batch: readonly Waiting[], { ahead, onSent }: BatchCircumstances) => {
    const commands = batch.map(({ command }) => command);
    const known = ahead?.known ?? memory.recall(tenantId);
    const settings = { directories, surroundings, known, isAhead: ahead !== undefined, onSent };
    return inTenantForAlarms(runtime.database, tenantId, (transaction) =>
      applyCommands(transaction, commands, settings),
    );
  };

  /** The batch is committed, whatever its listeners make of it. */
  const tell = (listener: () => void) => {
    try {
      listener();
    } catch (error) {
      runtime.log.error({ err: error }, 'a listener of committed alarms failed');
    }
  };

  const conclude = (tenantId: number, batch: readonly Waiting[], applied: AppliedCommands) => {
    const { outcomes, entries, sounds, left } = applied;
    memory.keep(tenantId, left);
    if (entries.length > 0) tell(() => onCommitted?.(tenantId, entries));
    if (sounds.length > 0) tell(() => onSounds?.(tenantId, sounds));
    batch.forEach((one, index) => settle(one, outcomes[index]));
  };

  const writeOneByOne = async (tenantId: number, batch: readonly Waiting[], error: unknown) => {
    memory.forget(tenantId);
    const [only] = batch;
    const again = batch.length === 1 && only && secondTry(only, error);
    if (again) return write(tenantId, [again]);
    if (batch.length === 1 || error instanceof ProblemError || isConnectionFailure(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    // One of them is bad: alone, it fails alone.
    const commands = batch.length;
    runtime.log.warn({ err: error, tenantId, commands }, 'batch failed, writing its commands one by one');
    for (const one of batch) await write(tenantId, [one]);
  };

  const write: WriteBatch = async (tenantId, batch, circumstances = {}) => {
    const { ahead, isSecondTry } = circumstances;
    let applied: AppliedCommands;
    try {
      applied = await apply(tenantId, batch, circumstances);
    } catch (error) {
      if (ahead && wasUndone(error)) {
        await ahead.before;
        return write(tenantId, batch);
      }
      // Those it waited for are often done by now: all of it is decided again, once.
      if (gaveWay(error) && !isSecondTry) return write(tenantId, batch, { isSecondTry: true });
      return writeOneByOne(tenantId, batch, error);
    }
    // Batches are heard of in the order they were committed in.
    await ahead?.before;
    conclude(tenantId, batch, applied);
  };
  return write;
}

/** Whether it is certain that nothing was written. */
function wasUndone(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'unavailable' && !isConnectionFailure(error.cause);
  return !isConnectionFailure(error);
}

/** The command as it can be written after all, or undefined when it failed for good. */
function secondTry({ isSecondTry, ...one }: Waiting, error: unknown): Waiting | undefined {
  if (isSecondTry) return undefined;
  const { command } = one;
  // A request to another part of the server was first with the key, and has committed: now its answer is found.
  if (constraintOf(error) === 'idempotency_keys_pkey') return { ...one, isSecondTry: true };
  if (!lacksFreePath(command, error)) return undefined;
  return { ...one, command: { ...command, pathTaken: true }, isSecondTry: true };
}

/** The path made up for a tag without one is somebody's own: it gets another, rather than no alarm. */
function lacksFreePath(command: AlarmCommand, error: unknown): command is PostCommand {
  const made = command.kind === 'post' && !command.body.path && command.pathTaken !== true;
  return made && constraintOf(error) === 'tags_path';
}

/** The database constraint that the error says was broken. */
function constraintOf(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}

function settle({ resolve, reject }: Waiting, outcome: CommandOutcome | undefined): void {
  if (outcome === undefined) reject(new Error('the batch left a command without an outcome'));
  else if ('problem' in outcome) reject(outcome.problem);
  else resolve(outcome.answer);
}
