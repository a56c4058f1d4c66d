import type { Alarm } from '@tocsin/contract';
import { notFound, ProblemError } from '../../common/problem.ts';
import type { References } from '../../escalations/references.ts';
import { toAlarm } from './alarm.wire.ts';
import { type AlarmBatch, recordChange, textOf } from './alarm-batch.ts';
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
import { postAlarm } from './post-alarm.ts';
import { requireBinding } from './tag-rights.ts';

export type CommandReferences = {
  references: References;
  /** The stored texts of tags that commands comment on. */
  texts: ReadonlyMap<number, OccurrenceText>;
};

/** Applies one command to the batch. A post answers the id of the tag, other commands the alarm after the change. */
export function applyCommand(
  batch: AlarmBatch,
  { references, texts }: CommandReferences,
  command: AlarmCommand,
): number | Alarm {
  if (command.kind === 'post') return postAlarm(batch, references, command).tagId;
  const before = endExpiredMask(batch, requireRecord(batch, command), serverItself);
  return toAlarm(applyToRecord(batch, before, { command, references, text: texts.get(command.tagId) }));
}

type TagChange = { command: TagCommand; references: References; text: OccurrenceText | undefined };

function applyToRecord(
  batch: AlarmBatch,
  before: AlarmRecord,
  { command, references, text }: TagChange,
): AlarmRecord {
  const { actor } = command;
  switch (command.kind) {
    case 'acknowledge':
      refuseOtherOccurrence(before, command.occurrenceId);
      return changeWithComment(batch, before, { ...command, text, change: acknowledgeAlarm });
    case 'reset':
      return changeWithComment(batch, before, { ...command, text, change: resetAlarm });
    case 'comment': {
      const commented = commentAlarm(batch, before, commentedText(batch, before, command.comment, text));
      return recordComment(batch, commented, command);
    }
    case 'mask': {
      const { maximumMaskSeconds: maximumSeconds } = references;
      const { reason, seconds } = command;
      return maskAlarm(batch, before, { actor, reason, seconds, maximumSeconds });
    }
    case 'silence':
      recordChange(batch, before, { kind: 'silenced', actor, detail: command.reason });
      return before;
    case 'unmask':
      return unmaskAlarm(batch, before, actor, command.reason);
    case 'end-mask':
      return before;
  }
}

/** Changes the alarm with a comment. If there is nothing to change, the journal gets an entry for the comment alone. */
function changeWithComment(
  batch: AlarmBatch,
  before: AlarmRecord,
  {
    actor,
    comment,
    text,
    change,
  }: Pick<TagCommand, 'actor'> & {
    comment?: string | undefined;
    text: OccurrenceText | undefined;
    change: typeof acknowledgeAlarm;
  },
): AlarmRecord {
  if (!comment) return change(batch, before, actor);
  const commented = commentAlarm(batch, before, commentedText(batch, before, comment, text));
  const after = change(batch, commented, actor, { detail: comment });
  return after === commented ? recordComment(batch, commented, { actor, comment }) : after;
}

function recordComment(
  batch: AlarmBatch,
  after: AlarmRecord,
  { actor, comment }: Pick<TagCommand, 'actor'> & { comment: string },
): AlarmRecord {
  recordChange(batch, after, { kind: 'commented', actor, detail: comment });
  return after;
}

/** The text of the current occurrence, as this batch or the database has it, with the comment. */
function commentedText(
  { occurrences }: AlarmBatch,
  before: AlarmRecord,
  comment: string,
  stored: OccurrenceText | undefined,
): OccurrenceText {
  const current = occurrences.get(before.status.occurrenceId)?.text;
  return { ...(current ?? stored ?? textOf(before)), comment };
}

/** The mask of the command's alarm, for the audit trail. */
export function maskOf({ records }: AlarmBatch, command: AlarmCommand): object | undefined {
  const status = command.kind === 'post' ? undefined : records.get(command.tagId)?.status;
  if (!status) return undefined;
  const { maskUntil, maskReason, maskBy } = status;
  return maskUntil === null
    ? { masked: false }
    : { masked: true, maskUntil: maskUntil.toISOString(), maskReason, maskBy };
}

function refuseOtherOccurrence({ tagId, status }: AlarmRecord, expected: number | undefined): void {
  if (expected === undefined || expected === status.occurrenceId) return;
  throw new ProblemError('conflict', `Alarm ${tagId} has begun another occurrence since`);
}

function requireRecord({ records }: AlarmBatch, { tagId, actor }: TagCommand): AlarmRecord {
  const found = records.get(tagId);
  const isVisible = found && (!actor.stationIds || actor.stationIds.includes(found.definition.stationId));
  if (!isVisible) throw notFound('alarm', tagId);
  requireBinding(actor, found.definition, found);
  return found;
}
