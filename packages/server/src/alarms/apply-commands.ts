import type { Alarm } from '@tocsin/contract';
import {
  findKeptAnswers,
  type KeptAnswer,
  keepAnswers,
  markId,
  type RequestMark,
} from '../http/idempotency.store.ts';
import { appendToJournal, type JournalEntry, lockHeads, saveHeads } from '../journal/journal.store.ts';
import { callGroupIdsOf, scenarioIdsOf, userIdsOf } from '../plant/action.wire.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { notFound, ProblemError } from '../problem.ts';
import { toAlarm } from './alarm.wire.ts';
import { findOccurrenceMessages, findRecords, saveBatch, type WantedTags } from './alarm-batch.store.ts';
import { type AlarmBatch, openBatch, record } from './alarm-batch.ts';
import {
  acknowledgeAlarm,
  commentAlarm,
  endExpiredMask,
  maskAlarm,
  resetAlarm,
  unmaskAlarm,
} from './alarm-change.ts';
import { type AlarmCommand, serverItself, type TagCommand } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { type References, readReferences, type WantedReferences } from './alarm-references.store.ts';
import { postAlarm } from './post-alarm.ts';

/** What one command of a batch came to: a refused one changes nothing and does not touch the others. */
export type CommandOutcome = { answer: number | Alarm } | { problem: ProblemError };

export type AppliedCommands = { outcomes: CommandOutcome[]; entries: readonly JournalEntry[] };

/**
 * Applies commands to the tenant's alarms, in order, in this one transaction: tags, standings, occurrences,
 * journal and kept answers are all there when it commits, or none is. Reads go out together, and writes too.
 */
export async function applyCommands(
  transaction: TenantTransaction,
  commands: readonly AlarmCommand[],
): Promise<AppliedCommands> {
  const marks = commands.flatMap(({ mark }) => mark ?? []);
  const [{ heads, now }, kept, references, found, messages] = await Promise.all([
    lockHeads(transaction),
    findKeptAnswers(transaction, marks),
    readReferences(transaction, wantedReferences(commands)),
    findRecords(transaction, wantedTags(commands)),
    findOccurrenceMessages(transaction, commentedTags(commands)),
  ]);
  const batch = openBatch(heads, transaction.timeOf(now), found);
  const answers = new Map(kept);
  const fresh: { mark: RequestMark; body: unknown }[] = [];
  const outcomes = commands.map((command): CommandOutcome => {
    try {
      const before = command.mark && answers.get(markId(command.mark));
      if (command.mark && before) return repeatAnswer(command.mark, before);
      const answer = applyCommand(batch, references, messages, command);
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
  await writeBatch(transaction, batch, fresh);
  return { outcomes, entries: batch.entries };
}

async function writeBatch(
  transaction: TenantTransaction,
  batch: AlarmBatch,
  fresh: readonly { mark: RequestMark; body: unknown }[],
): Promise<void> {
  const writes: Promise<void>[] = [];
  if (fresh.length > 0) writes.push(keepAnswers(transaction, fresh, batch.now));
  if (batch.entries.length > 0 || batch.moved.size > 0) {
    // The heads go last: the batch takes numbers for its texts while its rows are made.
    writes.push(
      saveBatch(transaction, batch),
      appendToJournal(transaction, batch.entries),
      saveHeads(transaction, batch.heads),
    );
  }
  await Promise.all(writes);
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
  messages: ReadonlyMap<number, string>,
  command: AlarmCommand,
): number | Alarm {
  if (command.kind === 'post') return postAlarm(batch, references, command).tagId;
  const before = endExpiredMask(batch, requireRecord(batch, command), serverItself);
  return toAlarm(applyToRecord(batch, before, { command, references, message: messages.get(command.tagId) }));
}

function applyToRecord(
  batch: AlarmBatch,
  before: AlarmRecord,
  {
    command,
    references,
    message,
  }: { command: TagCommand; references: References; message: string | undefined },
): AlarmRecord {
  const { actor } = command;
  const text = (comment: string) => ({ comment, message: message ?? before.definition.alarm.message });
  const commented = (comment: string | undefined) =>
    comment ? commentAlarm(batch, before, text(comment)) : before;
  switch (command.kind) {
    case 'acknowledge':
      return acknowledgeAlarm(batch, commented(command.comment), actor, command.comment ?? '');
    case 'reset':
      return resetAlarm(batch, commented(command.comment), actor, command.comment ?? '');
    case 'comment': {
      const after = commentAlarm(batch, before, text(command.comment));
      record(batch, after, { kind: 'commented', actor: actor.name, detail: command.comment });
      return after;
    }
    case 'mask': {
      const { maximumMaskSeconds: maximumSeconds } = references;
      return maskAlarm(batch, before, {
        actor,
        reason: command.reason,
        seconds: command.seconds,
        maximumSeconds,
      });
    }
    case 'unmask':
      return unmaskAlarm(batch, before, actor, command.reason);
    case 'end-mask':
      return before;
  }
}

function requireRecord({ records }: AlarmBatch, { tagId, actor }: TagCommand): AlarmRecord {
  const found = records.get(tagId);
  const visible = found && (!actor.stationIds || actor.stationIds.includes(found.definition.stationId));
  if (!visible) throw notFound('alarm', tagId);
  return found;
}

function wantedTags(commands: readonly AlarmCommand[]): WantedTags {
  const tagIds = commands.flatMap((command) => (command.kind === 'post' ? [] : command.tagId));
  const places = commands.flatMap((command) => {
    if (command.kind !== 'post' || !command.body.path) return [];
    return { dataServerId: command.body.dataServerId ?? 0, path: command.body.path };
  });
  return { tagIds, places };
}

function commentedTags(commands: readonly AlarmCommand[]): number[] {
  return commands.flatMap((command) => ('comment' in command && command.comment ? command.tagId : []));
}

function wantedReferences(commands: readonly AlarmCommand[]): WantedReferences {
  const bodies = commands.flatMap((command) => (command.kind === 'post' ? command.body : []));
  const actions = bodies.flatMap(({ alarmActions = [], resetActions = [], ackActions = [] }) => [
    ...alarmActions,
    ...resetActions,
    ...ackActions,
  ]);
  const files = bodies.flatMap((body) => [
    body.alarmVocalMessageFile,
    body.alarmAttachedFile,
    body.resetVocalMessageFile,
    body.resetAttachedFile,
    body.ackVocalMessageFile,
    body.ackAttachedFile,
  ]);
  return {
    stationIds: bodies.flatMap(({ stationId }) => stationId || []),
    dataServerIds: bodies.flatMap(({ dataServerId }) => dataServerId || []),
    tagGroupIds: bodies.flatMap(({ tagGroupId }) => tagGroupId || []),
    callGroupIds: callGroupIdsOf(actions),
    scenarioIds: scenarioIdsOf(actions),
    userIds: userIdsOf(actions),
    files: files.flatMap((name) => name || []),
  };
}
