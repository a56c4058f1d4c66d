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
import type { AlarmTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { notFound, ProblemError } from '../problem.ts';
import { toAlarm } from './alarm.wire.ts';
import { findRecords, saveAlarms, saveTags, type WantedTags } from './alarm-batch.store.ts';
import { type AlarmBatch, openBatch, record, textOf } from './alarm-batch.ts';
import {
  acknowledgeAlarm,
  commentAlarm,
  endExpiredMask,
  maskAlarm,
  resetAlarm,
  unmaskAlarm,
} from './alarm-change.ts';
import { type AlarmCommand, serverItself, type TagCommand } from './alarm-command.ts';
import type { AlarmRecord, OccurrenceText } from './alarm-record.ts';
import { type References, readReferences, type WantedReferences } from './alarm-references.store.ts';
import { insertOccurrences, updateOccurrences } from './occurrence.store.ts';
import { postAlarm } from './post-alarm.ts';
import { findOccurrenceTexts, saveTexts } from './text.store.ts';

/** What one command of a batch came to: a refused one changes nothing and does not touch the others. */
export type CommandOutcome = { answer: number | Alarm } | { problem: ProblemError };

export type AppliedCommands = { outcomes: CommandOutcome[]; entries: readonly JournalEntry[] };

/**
 * Applies commands to the tenant's alarms, in order, in this one transaction: tags, standings, occurrences,
 * journal and kept answers are all there when it commits, or none is. Reads go out together, and writes too.
 */
export async function applyCommands(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
): Promise<AppliedCommands> {
  const marks = commands.flatMap(({ mark }) => mark ?? []);
  const [{ heads, now }, kept, references, found, texts] = await together([
    lockHeads(transaction),
    findKeptAnswers(transaction, marks),
    readReferences(transaction, wantedReferences(commands)),
    findRecords(transaction, wantedTags(commands)),
    findOccurrenceTexts(transaction, commentedTags(commands)),
  ]);
  const batch = openBatch(heads, transaction.timeOf(now), found);
  const answers = new Map(kept);
  const fresh: { mark: RequestMark; body: unknown }[] = [];
  const outcomes = commands.map((command): CommandOutcome => {
    try {
      const before = command.mark && answers.get(markId(command.mark));
      if (command.mark && before) return repeatAnswer(command.mark, before);
      const answer = applyCommand(batch, references, texts, command);
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

/** All statements go out together; the heads go last, because the batch takes numbers for its texts on the way. */
async function writeBatch(
  transaction: AlarmTransaction,
  batch: AlarmBatch,
  fresh: readonly { mark: RequestMark; body: unknown }[],
): Promise<void> {
  const drafts = [...batch.occurrences.values()];
  const touched = batch.entries.length > 0 || batch.moved.size > 0;
  await together([
    ...(fresh.length > 0 ? [keepAnswers(transaction, fresh, batch.now)] : []),
    saveTags(transaction, recordsOf(batch, batch.redefined)),
    saveAlarms(transaction, recordsOf(batch, new Set([...batch.redefined, ...batch.moved]))),
    saveTexts(transaction, batch),
    insertOccurrences(
      transaction,
      drafts.filter(({ started }) => started !== undefined),
      batch.now,
    ),
    updateOccurrences(
      transaction,
      drafts.filter(({ started }) => started === undefined),
    ),
    ...(touched ? [appendToJournal(transaction, batch.entries), saveHeads(transaction, batch.heads)] : []),
    transaction.commit(),
  ]);
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
  const commented = (comment: string | undefined) =>
    comment ? commentAlarm(batch, before, withComment(comment)) : before;
  switch (command.kind) {
    case 'acknowledge':
      return acknowledgeAlarm(batch, commented(command.comment), actor, command.comment ?? '');
    case 'reset':
      return resetAlarm(batch, commented(command.comment), actor, command.comment ?? '');
    case 'comment': {
      const after = commentAlarm(batch, before, withComment(command.comment));
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

/** What this batch already made of the current occurrence's text. */
function currentText({ occurrences }: AlarmBatch, { standing }: AlarmRecord): OccurrenceText | undefined {
  return occurrences.get(standing.occurrenceId)?.text;
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
  return commands.flatMap((command) =>
    'comment' in command && command.comment !== undefined ? command.tagId : [],
  );
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
