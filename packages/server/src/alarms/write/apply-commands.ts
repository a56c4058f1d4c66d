import type { Alarm } from '@tocsin/contract';
import type { AuditDraft } from '../../audit/audit-entry.ts';
import { ProblemError } from '../../common/problem.ts';
import { markId, type RequestMark, type StoredAnswer } from '../../http/idempotency.store.ts';
import type { JournalEntry } from '../../journal/journal.store.ts';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { AlarmTransaction } from '../../postgres/tenant-transaction.ts';
import type { BatchOccasion } from '../decide/alarm-batch.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { actingOccasions, escalationsOf } from '../decide/alarm-escalations.ts';
import { applyCommand, maskOf } from '../decide/apply-command.ts';
import { type AlarmSound, alarmSoundsOf, ordersOf, unmaskedOf } from '../decide/command-orders.ts';
import { type BatchActions, batchStatements, type DecidedBatch } from './batch-statements.ts';
import { type BatchCaches, type ReadBatch, readBatch } from './read-batch.ts';
import type { BatchResult } from './record-cache.ts';
import type { BatchTrace } from './trace-batch.ts';

/** The outcome of one command of a batch. A refused one changes nothing and does not affect the others. */
export type CommandOutcome = { answer: number | Alarm } | { problem: ProblemError };

export type AppliedCommands = {
  outcomes: CommandOutcome[];
  entries: readonly JournalEntry[];
  /** Stored with the batch; consoles play them once it is committed. */
  sounds: readonly AlarmSound[];
  /** For the record cache, once the batch is committed. */
  result: BatchResult;
};

export type ApplySettings = BatchCaches & {
  /** Called with the result of a batch that changes something, when all of it is sent and nothing is answered yet. */
  onSent?: ((result: BatchResult) => void) | undefined;
  /** Absent unless a command of the batch is traced. */
  trace?: BatchTrace | undefined;
};

/**
 * Applies commands to the tenant's alarms, in order, in one transaction: tags, statuses, occurrences, journal and answers
 * are all stored or none is. The reads are sent together, and the writes too.
 */
export async function applyCommands(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
  { onSent, trace, ...caches }: ApplySettings,
): Promise<AppliedCommands> {
  const read = await readBatch(transaction, commands, caches);
  const { batch, foundVersion } = read;
  const { outcomes, answers, audited } = decideCommands(read, commands);
  const isChanged = batch.entries.length > 0 || batch.changed.size > 0;
  const decided = await decideActions(transaction, read, caches);
  const actions = trace ? { ...decided, escalations: trace.openEscalations(decided.escalations) } : decided;
  const expectedVersion = caches.isPipelined ? foundVersion : undefined;
  const written = sendBatch(transaction, { batch, actions, answers, audited, isChanged, expectedVersion });
  // Behind `sendBatch`, which counts the ids of texts on.
  const result = resultOf(read, isChanged);
  // A batch without changes keeps the version, so the next one could not tell whether this one is committed.
  if (isChanged) onSent?.(result);
  await written;
  return { outcomes, entries: batch.entries, sounds: actions.sounds, result };
}

type Decided = { outcomes: CommandOutcome[] } & Pick<DecidedBatch, 'answers' | 'audited'>;

function decideCommands(read: ReadBatch, commands: readonly AlarmCommand[]): Decided {
  const answers: { mark: RequestMark; body: unknown }[] = [];
  const audited: AuditDraft[] = [];
  const decide = (command: AlarmCommand): CommandOutcome => {
    const { mark, audit } = command;
    const earlier = mark && read.answers.get(markId(mark));
    if (earlier) return repeatAnswer(mark, earlier);
    const before = audit && maskOf(read.batch, command);
    const answer = applyTraced(read, command);
    if (audit) audited.push({ ...audit, before, after: maskOf(read.batch, command) });
    if (mark) {
      answers.push({ mark, body: answer });
      const { requestHash } = mark;
      read.answers.set(markId(mark), { requestHash, answer: { status: 200, headers: {}, body: answer } });
    }
    return { answer };
  };
  const outcomes = commands.map((command): CommandOutcome => {
    try {
      return decide(command);
    } catch (error) {
      if (error instanceof ProblemError) return { problem: error };
      throw error;
    }
  });
  return { outcomes, answers, audited };
}

/** Applies the command, and marks the occasions that it brings with its trace. */
function applyTraced(read: ReadBatch, command: AlarmCommand): number | Alarm {
  const { occasions } = read.batch;
  const first = occasions.length;
  const answer = applyCommand(read.batch, read, command);
  if (command.traceParent !== undefined) markTraced(occasions, first, command.traceParent);
  return answer;
}

function markTraced(occasions: BatchOccasion[], first: number, traceParent: string): void {
  for (let index = first; index < occasions.length; index += 1) {
    const occasion = occasions[index];
    if (occasion) occasions[index] = { ...occasion, traceParent };
  }
}

function repeatAnswer(
  mark: RequestMark,
  earlier: { requestHash: Buffer; answer: StoredAnswer },
): CommandOutcome {
  if (earlier.requestHash.equals(mark.requestHash)) return { answer: earlier.answer.body as number | Alarm };
  return {
    problem: new ProblemError('idempotency-key-reused', `The key ${mark.key} was used for another request`),
  };
}

const noActions: BatchActions = { escalations: [], orders: [], unmasked: [], sounds: [] };

async function decideActions(
  transaction: AlarmTransaction,
  { batch, references }: ReadBatch,
  { configuration }: BatchCaches,
): Promise<BatchActions> {
  const occasions = actingOccasions(batch);
  if (occasions.length === 0) return noActions;
  const directory = await configuration.readDirectory(transaction, references.configurationVersion);
  return {
    escalations: escalationsOf(occasions, directory),
    orders: ordersOf(occasions, directory),
    unmasked: unmaskedOf(occasions),
    sounds: alarmSoundsOf(occasions, directory),
  };
}

function resultOf(
  { batch, references, foundVersion, writtenVersion }: ReadBatch,
  isChanged: boolean,
): BatchResult {
  return {
    foundVersion,
    version: isChanged ? writtenVersion() : foundVersion,
    counters: { ...batch.counters },
    firstDataServerId: references.firstDataServerId,
    records: batch.records,
    tagIds: batch.tagIds,
  };
}

/** The statements of such a small batch are built before the database could have begun with the first. */
const maxEntriesInOnePiece = 8;

/** Sends all statements and the commit without waiting for answers. */
function sendBatch(transaction: AlarmTransaction, decided: DecidedBatch): Promise<unknown> {
  const send = () => sendStatements(transaction, decided);
  const isSmall = decided.batch.entries.length <= maxEntriesInOnePiece;
  return awaitPipelined(isSmall ? transaction.sendInOneWrite(send) : send());
}

/** If a statement cannot be built, nothing behind it is sent, and above all not the commit. */
function sendStatements(transaction: AlarmTransaction, decided: DecidedBatch): Promise<unknown>[] {
  const { client, tenantId } = transaction;
  const sent: Promise<unknown>[] = [];
  try {
    for (const { onRows, ...statement } of batchStatements(tenantId, decided)) {
      const answered = client.query<never>(statement);
      sent.push(onRows ? answered.then(({ rows }) => onRows(rows)) : answered);
    }
    sent.push(transaction.commit());
  } catch (error) {
    sent.push(Promise.reject(error));
  }
  return sent;
}
