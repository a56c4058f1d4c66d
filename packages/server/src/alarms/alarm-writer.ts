import { setTimeout as sleep } from 'node:timers/promises';
import type { Alarm } from '@tocsin/contract';
import { createKnownDirectories } from '../duties/known-directories.ts';
import type { JournalEntry } from '../journal/journal.store.ts';
import { isConnectionFailure } from '../postgres/database.ts';
import { inTenantForAlarms } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import type { AlarmCommand, PostCommand } from './alarm-command.ts';
import type { AlarmSound } from './alarm-orders.ts';
import { applyCommands, type CommandOutcome } from './apply-commands.ts';
import { CommandQueue } from './command-queue.ts';
import { createRecordMemory } from './known-records.ts';

/** Between two small batches of a busy tenant. */
const gatherMs = 4;
/** So many commands are worth a batch. */
const enoughWaiting = 16;

/** The one way to change alarms. */
export type AlarmWriter = {
  /** Resolves once the change is committed. */
  submit(tenantId: number, command: AlarmCommand): Promise<number | Alarm>;
};

type Waiting = {
  command: AlarmCommand;
  isSecondTry?: boolean;
  resolve: (answer: number | Alarm) => void;
  reject: (error: unknown) => void;
};

/**
 * Commands of a tenant that arrive while a batch is being written join the next one; on an idle server a batch
 * is one command and nothing waits. `onCommitted` hears of each batch after it is durable, `onSounds` of what consoles
 * are to play.
 */
export function createAlarmWriter(
  runtime: Runtime,
  onCommitted: (tenantId: number, entries: readonly JournalEntry[]) => void = () => {},
  onSounds: (tenantId: number, sounds: readonly AlarmSound[]) => void = () => {},
): AlarmWriter {
  const queues = new Map<number, CommandQueue<Waiting>>();
  const memory = createRecordMemory();
  const directories = createKnownDirectories();

  const write = async (tenantId: number, waiting: readonly Waiting[]) => {
    try {
      const commands = waiting.map(({ command }) => command);
      const { outcomes, entries, sounds, left } = await inTenantForAlarms(
        runtime.database,
        tenantId,
        (transaction) =>
          applyCommands(transaction, commands, { directories, known: memory.recall(tenantId) }),
      );
      memory.keep(tenantId, left);
      if (entries.length > 0) onCommitted(tenantId, entries);
      if (sounds.length > 0) onSounds(tenantId, sounds);
      waiting.forEach((one, index) => settle(one, outcomes[index]));
    } catch (error) {
      memory.forget(tenantId);
      const [only] = waiting;
      const again = waiting.length === 1 && only && secondTry(only, error);
      if (again) return write(tenantId, [again]);
      if (waiting.length === 1 || error instanceof ProblemError || isConnectionFailure(error)) {
        for (const { reject } of waiting) reject(error);
        return;
      }
      // One of them is bad: alone, it fails alone.
      runtime.log.warn(
        { err: error, tenantId, commands: waiting.length },
        'batch failed, writing its commands one by one',
      );
      for (const one of waiting) await write(tenantId, [one]);
    }
  };

  // One batch of a tenant at a time: a tenant in flood takes its turn for a connection like every other.
  const drain = async (tenantId: number, queue: CommandQueue<Waiting>) => {
    while (queue.length > 0) {
      const batch = queue.take();
      await write(tenantId, batch);
      // A batch costs much the same whether it holds two commands or ten. One alone, or many, need not wait.
      if (batch.length > 1 && queue.length > 0 && queue.length < enoughWaiting) await sleep(gatherMs);
    }
    queues.delete(tenantId);
  };

  return {
    submit: (tenantId, command) =>
      new Promise((resolve, reject) => {
        const running = queues.get(tenantId);
        const queue = running ?? new CommandQueue<Waiting>();
        queue.add({ command, resolve, reject });
        if (running) return;
        queues.set(tenantId, queue);
        void drain(tenantId, queue);
      }),
  };
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
