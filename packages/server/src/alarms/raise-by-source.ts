import { isActive, isUnacknowledged } from '@tocsin/domain';
import type { AlarmBatch, EntryNote } from './alarm-batch.ts';
import { raiseAlarm } from './alarm-change.ts';
import type { Actor } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { raiserAfter, type TagRights } from './tag-rights.ts';

/** Who raises an alarm, with which rights on the tag, and what they said. */
export type RaisingPost = { actor: Actor; rights: TagRights; value: string | undefined; note: EntryNote };

/**
 * Raises the alarm and remembers whose the occurrence is. An acknowledged occurrence that a stranger has raised does not
 * swallow a raise by the tag's own source: that starts a new one, or a false alarm could hide the true one after it.
 */
export function raiseBySource(
  batch: AlarmBatch,
  before: AlarmRecord,
  { actor, rights, value, note }: RaisingPost,
): AlarmRecord {
  const { standing } = before;
  const raisedBy = raiserAfter(before, actor, rights);
  if (raisedBy === standing.raisedBy) return raiseAlarm(batch, before, actor, note);
  const wasStrangers = standing.raisedBy !== null;
  const isOver = !isActive(standing.state) || !isUnacknowledged(standing.state);
  // The value that a stranger has reported says nothing of another's alarm.
  const known = wasStrangers && isOver && value === undefined ? '' : standing.value;
  const taken = { ...before, standing: { ...standing, raisedBy, value: known } };
  return raiseAlarm(batch, taken, actor, { ...note, startsAnew: wasStrangers && !rights.isStranger });
}
