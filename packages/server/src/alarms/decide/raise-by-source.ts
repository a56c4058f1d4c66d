import { isActive, isUnacknowledged } from '@tocsin/domain';
import type { AlarmBatch, EntryNote } from './alarm-batch.ts';
import { raiseAlarm } from './alarm-change.ts';
import type { Actor } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { raiserAfter, type TagRights } from './tag-rights.ts';

/** A post that raises an alarm, with the sender's rights on the tag. */
export type RaisingPost = { actor: Actor; rights: TagRights; value: string | undefined; note: EntryNote };

/**
 * Raises the alarm and stores the sender if it has no rights on the tag (a stranger). When the tag's own source raises an
 * alarm that a stranger raised and somebody acknowledged, a new occurrence starts: else a false alarm could hide a true one.
 */
export function raiseBySource(
  batch: AlarmBatch,
  before: AlarmRecord,
  { actor, rights, value, note }: RaisingPost,
): AlarmRecord {
  const { status } = before;
  const raisedBy = raiserAfter(before, actor, rights);
  if (raisedBy === status.raisedBy) return raiseAlarm(batch, before, actor, note);
  const wasStrangers = status.raisedBy !== null;
  const isOver = !isActive(status.state) || !isUnacknowledged(status.state);
  // The value that a stranger reported does not belong to the alarm of another sender.
  const ownValue = wasStrangers && isOver && value === undefined ? '' : status.value;
  const owned = { ...before, status: { ...status, raisedBy, value: ownValue } };
  return raiseAlarm(batch, owned, actor, { ...note, startsAnew: wasStrangers && !rights.isStranger });
}
