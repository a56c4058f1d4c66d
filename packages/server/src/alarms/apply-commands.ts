import type { Alarm } from '@tocsin/contract';
import { appendAudit } from '../audit/audit.store.ts';
import type { AuditDraft } from '../audit/audit-entry.ts';
import {
  type CommandOrder,
  insertCommandOrders,
  orderAgainUnmasked,
  type UnmaskedOccurrence,
} from '../duties/command-order.store.ts';
import { changeDuties, type DutyDraft, insertDuties, reopenCancelled } from '../duties/duty.store.ts';
import type { KnownDirectories } from '../duties/known-directories.ts';
import { raiseSystemAlarms } from '../duties/system-alarm.store.ts';
import { type KeptAnswer, keepAnswers, markId, type RequestMark } from '../http/idempotency.store.ts';
import { closeJournal, type JournalEntry, takeHeads } from '../journal/journal.store.ts';
import type { AlarmTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { notFound, ProblemError } from '../problem.ts';
import { actionAlarmsOf } from './action-alarm.ts';
import { toAlarm } from './alarm.wire.ts';
import { saveAlarms, saveTags } from './alarm-batch.store.ts';
import { type AlarmBatch, record, textOf } from './alarm-batch.ts';
import {
  acknowledgeAlarm,
  commentAlarm,
  endExpiredMask,
  maskAlarm,
  resetAlarm,
  unmaskAlarm,
} from './alarm-change.ts';
import { type AlarmCommand, serverItself, type TagCommand } from './alarm-command.ts';
import { actingTurns, dutiesOf } from './alarm-duties.ts';
import { type AlarmSound, alarmSoundsOf, ordersOf, unmaskedOf } from './alarm-orders.ts';
import type { AlarmRecord, OccurrenceText } from './alarm-record.ts';
import type { References } from './alarm-references.store.ts';
import { insertSounds } from './alarm-sound.store.ts';
import type { Left } from './known-records.ts';
import { insertOccurrences, type PlacedText, updateOccurrences } from './occurrence.store.ts';
import { postAlarm } from './post-alarm.ts';
import { type Basis, readBatch } from './read-batch.ts';
import { requireBinding } from './tag-rights.ts';
import { saveTexts } from './text.store.ts';

/** What one command of a batch came to: a refused one changes nothing and does not touch the others. */
export type CommandOutcome = { answer: number | Alarm } | { problem: ProblemError };

export type AppliedCommands = {
  outcomes: CommandOutcome[];
  entries: readonly JournalEntry[];
  /** Stored with the rest; consoles play them once it is committed. */
  sounds: readonly AlarmSound[];
  /** To be remembered once it is committed. */
  left: Left;
};

/**
 * Applies commands to the tenant's alarms, in order, in this one transaction: tags, standings, occurrences,
 * journal and kept answers are all there when it commits, or none is. Reads go out together, and writes too.
 */
export async function applyCommands(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
  { directories, onSent, ...basis }: Basis & ApplySettings,
): Promise<AppliedCommands> {
  const read = await readBatch(transaction, commands, basis);
  const { batch, references, texts, answers, foundVersion } = read;
  const fresh: { mark: RequestMark; body: unknown }[] = [];
  const audited: AuditDraft[] = [];
  const outcomes = commands.map((command): CommandOutcome => {
    try {
      const given = command.mark && answers.get(markId(command.mark));
      if (command.mark && given) return repeatAnswer(command.mark, given);
      const before = command.audit && maskOf(batch, command);
      const answer = applyCommand(batch, references, texts, command);
      if (command.audit) audited.push({ ...command.audit, before, after: maskOf(batch, command) });
      if (command.mark) {
        fresh.push({ mark: command.mark, body: answer });
        const { requestHash } = command.mark;
        answers.set(markId(command.mark), {
          requestHash,
          answer: { status: 200, headers: {}, body: answer },
        });
      }
      return { answer };
    } catch (error) {
      if (error instanceof ProblemError) return { problem: error };
      throw error;
    }
  });
  const touched = batch.entries.length > 0 || batch.moved.size > 0;
  const acting = actingTurns(batch);
  const directory =
    acting.heard.length > 0 ? await directories.of(transaction, references.directoryVersion) : undefined;
  const duties = directory ? dutiesOf(acting, directory) : [];
  const orders = directory ? ordersOf(acting, directory) : [];
  const sounds = directory ? alarmSoundsOf(acting, directory) : [];
  const written = sendBatch(transaction, {
    batch,
    fresh,
    audited,
    touched,
    duties,
    orders,
    unmasked: unmaskedOf(acting),
    sounds,
    expected: basis.isAhead ? foundVersion : undefined,
  });
  const left = {
    foundVersion,
    version: touched ? read.writtenVersion() : foundVersion,
    heads: { ...batch.heads },
    firstDataServerId: references.firstDataServerId,
    records: batch.records,
    tagIds: batch.tagIds,
  };
  // One that changes nothing leaves the version as it was: decided ahead of it, the next could be written first.
  if (touched) onSent?.(left);
  await written;
  return { outcomes, entries: batch.entries, sounds, left };
}

export type ApplySettings = {
  directories: KnownDirectories;
  /** Hears what a batch that changes something will leave, when the last of it is sent and nothing answered yet. */
  onSent?: ((left: Left) => void) | undefined;
};

/** So few are put together before the database could have begun. */
const fewEntries = 8;

/**
 * All statements go out together, those first that the database needs longest for: it works while the rest is still
 * being put together. The heads go last, because the batch takes numbers for its texts on the way.
 */
function sendBatch(
  transaction: AlarmTransaction,
  {
    batch,
    fresh,
    audited,
    touched,
    duties,
    orders,
    unmasked,
    sounds,
    expected,
  }: {
    batch: AlarmBatch;
    fresh: readonly { mark: RequestMark; body: unknown }[];
    audited: readonly AuditDraft[];
    touched: boolean;
    duties: readonly DutyDraft[];
    orders: readonly CommandOrder[];
    unmasked: readonly UnmaskedOccurrence[];
    sounds: readonly AlarmSound[];
    /** The version that the heads must be of, when they have not been locked yet. */
    expected: string | undefined;
  },
): Promise<unknown> {
  const drafts = [...batch.occurrences.values()];
  const starting = drafts.filter(({ started }) => started !== undefined);
  const changing = drafts.filter(({ started }) => started === undefined);
  const standing = () => recordsOf(batch, new Set([...batch.redefined, ...batch.moved]));
  const { now, dutyChanges, repeated, entries, heads } = batch;
  const systemAlarms = actionAlarmsOf(batch);
  const statements = [
    () => expected !== undefined && takeHeads(transaction, expected),
    () => fresh.length > 0 && keepAnswers(transaction, fresh, now),
    () => saveTexts(transaction, batch),
    () => insertOccurrences(transaction, starting, now).then((texts) => rememberTexts(batch, texts)),
    () => updateOccurrences(transaction, changing),
    () => saveTags(transaction, recordsOf(batch, batch.redefined)),
    () => saveAlarms(transaction, standing()),
    // A change may be of an occurrence that starts in this very batch: its duty must be there to be closed.
    () => duties.length > 0 && insertDuties(transaction, duties, now),
    () => repeated.size > 0 && reopenCancelled(transaction, [...repeated], now),
    () => dutyChanges.length > 0 && changeDuties(transaction, dutyChanges, now),
    // Programs run in the order of their numbers: one that was held back starts before that of a later reset.
    () => unmasked.length > 0 && orderAgainUnmasked(transaction, unmasked, now),
    () => orders.length > 0 && insertCommandOrders(transaction, orders, now),
    () => sounds.length > 0 && insertSounds(transaction, sounds, now),
    () => systemAlarms.length > 0 && raiseSystemAlarms(transaction, systemAlarms, now),
    () => touched && closeJournal(transaction, entries, heads),
    () => audited.length > 0 && appendAudit(transaction, audited, now),
    () => transaction.commit(),
  ];
  const send = () => sendInOrder(statements);
  return together(entries.length <= fewEntries ? transaction.inOnePiece(send) : send());
}

/** Nothing is sent behind a statement that could not be put together, least of all the commit. */
function sendInOrder(statements: readonly (() => Promise<unknown> | false)[]): Promise<unknown>[] {
  const sent: Promise<unknown>[] = [];
  for (const send of statements) {
    try {
      const statement = send();
      if (statement) sent.push(statement);
    } catch (error) {
      return [...sent, Promise.reject(error)];
    }
  }
  return sent;
}

/** The next occurrence that says the same need not look for it. */
function rememberTexts({ records, occurrences }: AlarmBatch, texts: readonly PlacedText[]): void {
  for (const { id, textId } of texts) {
    const { tagId = 0, text } = occurrences.get(id) ?? {};
    const record = records.get(tagId);
    if (record && text) records.set(tagId, { ...record, keptText: { text, id: textId } });
  }
}

function recordsOf({ records }: AlarmBatch, tagIds: ReadonlySet<number>): AlarmRecord[] {
  return [...tagIds].toSorted((one, other) => one - other).flatMap((tagId) => records.get(tagId) ?? []);
}

function repeatAnswer(
  mark: RequestMark,
  before: { requestHash: Buffer; answer: KeptAnswer },
): CommandOutcome {
  if (before.requestHash.equals(mark.requestHash)) return { answer: before.answer.body as number | Alarm };
  return {
    problem: new ProblemError('idempotency-key-reused', `The key ${mark.key} was used for another request`),
  };
}

/** A POST answers the identifier, everything else the alarm as it stands afterwards. */
function applyCommand(
  batch: AlarmBatch,
  references: References,
  texts: ReadonlyMap<number, OccurrenceText>,
  command: AlarmCommand,
): number | Alarm {
  if (command.kind === 'post') return postAlarm(batch, references, command).tagId;
  const before = endExpiredMask(batch, requireRecord(batch, command), serverItself);
  return toAlarm(applyToRecord(batch, before, { command, references, text: texts.get(command.tagId) }));
}

function applyToRecord(
  batch: AlarmBatch,
  before: AlarmRecord,
  {
    command,
    references,
    text,
  }: { command: TagCommand; references: References; text: OccurrenceText | undefined },
): AlarmRecord {
  const { actor } = command;
  const withComment = (comment: string) => ({
    ...(currentText(batch, before) ?? text ?? textOf(before)),
    comment,
  });
  const comment = (said: string) => commentAlarm(batch, before, withComment(said));
  const journaled = (after: AlarmRecord, detail: string) => {
    record(batch, after, { kind: 'commented', actor, detail });
    return after;
  };
  /** The comment is part of the change. Where there is nothing to change, it is told as a comment. */
  const changed = (said: string | undefined, change: typeof acknowledgeAlarm) => {
    if (!said) return change(batch, before, actor);
    const commented = comment(said);
    const after = change(batch, commented, actor, { detail: said });
    return after === commented ? journaled(commented, said) : after;
  };
  switch (command.kind) {
    case 'acknowledge':
      refuseOtherOccurrence(before, command.occurrenceId);
      return changed(command.comment, acknowledgeAlarm);
    case 'reset':
      return changed(command.comment, resetAlarm);
    case 'comment':
      return journaled(comment(command.comment), command.comment);
    case 'mask': {
      const { maximumMaskSeconds: maximumSeconds } = references;
      return maskAlarm(batch, before, {
        actor,
        reason: command.reason,
        seconds: command.seconds,
        maximumSeconds,
      });
    }
    case 'silence':
      record(batch, before, { kind: 'silenced', actor, detail: command.reason });
      return before;
    case 'unmask':
      return unmaskAlarm(batch, before, actor, command.reason);
    case 'end-mask':
      return before;
  }
}

/** How the alarm is masked, for the audit trail. */
function maskOf({ records }: AlarmBatch, command: AlarmCommand): object | undefined {
  const standing = command.kind === 'post' ? undefined : records.get(command.tagId)?.standing;
  if (!standing) return undefined;
  const { maskUntil, maskReason, maskBy } = standing;
  return maskUntil === null
    ? { masked: false }
    : { masked: true, maskUntil: maskUntil.toISOString(), maskReason, maskBy };
}

function refuseOtherOccurrence({ tagId, standing }: AlarmRecord, wanted: number | undefined): void {
  if (wanted === undefined || wanted === standing.occurrenceId) return;
  throw new ProblemError('conflict', `Alarm ${tagId} has begun another occurrence since`);
}

/** What this batch already made of the current occurrence's text. */
function currentText({ occurrences }: AlarmBatch, { standing }: AlarmRecord): OccurrenceText | undefined {
  return occurrences.get(standing.occurrenceId)?.text;
}

function requireRecord({ records }: AlarmBatch, { tagId, actor }: TagCommand): AlarmRecord {
  const found = records.get(tagId);
  const visible = found && (!actor.stationIds || actor.stationIds.includes(found.definition.stationId));
  if (!visible) throw notFound('alarm', tagId);
  requireBinding(actor, found.definition, found);
  return found;
}
