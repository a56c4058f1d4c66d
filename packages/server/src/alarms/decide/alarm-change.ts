import {
  acknowledge,
  hasExpired,
  isMasked,
  isUnacknowledged,
  mask,
  maskUntil,
  needsReannouncement,
  occasionsOf,
  raise,
  reset,
  type Transition,
  unmask,
} from '@tocsin/domain';
import {
  type AlarmBatch,
  currentOccurrence,
  type EntryNote,
  recordChange,
  startOccurrence,
} from './alarm-batch.ts';
import type { Actor } from './alarm-command.ts';
import type { AlarmRecord, AlarmStatus, OccurrenceText } from './alarm-record.ts';

/** The acknowledging user when a tag group acknowledges automatically. */
export const automaticUser = 'System';

/** Raises the alarm according to its event condition. `startsAnew` makes it reactivatable this once. */
export function raiseAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  { startsAnew = false, ...note }: EntryNote & { startsAnew?: boolean } = {},
): AlarmRecord {
  const { transitory, reactivatable } = before.definition;
  return applyTransition(batch, before, {
    transition: raise(before.status.state, { transitory, reactivatable: reactivatable || startsAnew }),
    actor,
    note,
  });
}

export function resetAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  note: EntryNote = {},
): AlarmRecord {
  const { autoAcknowledge } = before;
  return applyTransition(batch, before, {
    transition: reset(before.status.state, { autoAcknowledge }),
    actor,
    note,
  });
}

export function acknowledgeAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  note: EntryNote = {},
): AlarmRecord {
  return applyTransition(batch, before, { transition: acknowledge(before.status.state), actor, note });
}

/** Applies a transition of the life cycle to occurrence, status and journal. */
function applyTransition(
  batch: AlarmBatch,
  before: AlarmRecord,
  { transition, actor, note }: { transition: Transition; actor: Actor; note: EntryNote },
): AlarmRecord {
  if (transition.kind === 'unchanged') return before;

  const changes: Partial<AlarmStatus> = { state: transition.state, lastChange: batch.now };
  if (transition.endsOccurrence) currentOccurrence(batch, before).resetAt = batch.now;
  if (transition.acknowledges) {
    const isAutomatic = transition.kind === 'reset';
    const draft = currentOccurrence(batch, before);
    draft.acknowledgedAt = batch.now;
    draft.ackUserId = isAutomatic ? 0 : (actor.userId ?? 0);
    changes.ackUser = isAutomatic ? automaticUser : actor.name;
  }
  if (transition.kind === 'repeated') {
    currentOccurrence(batch, before).addedRepeats += 1;
    changes.repeats = before.status.repeats + 1;
    if (isUnacknowledged(transition.state)) batch.repeated.add(before.status.occurrenceId);
  }

  const current = transition.startsOccurrence ? startOccurrence(batch, before) : before;
  if (transition.momentary) currentOccurrence(batch, current).resetAt = batch.now;
  const after = { ...current, status: { ...current.status, ...changes } };
  const announce = transition.kind === 'raised' && !isMasked(transition.state);
  recordChange(batch, after, { kind: transition.kind, actor, ...note, announce });
  addEscalationChanges(batch, before, after, transition);
  return after;
}

/** Open escalations of the alarm may have to be closed, and new ones opened for its new state. */
function addEscalationChanges(
  batch: AlarmBatch,
  before: AlarmRecord,
  after: AlarmRecord,
  transition: Exclude<Transition, { kind: 'unchanged' }>,
): void {
  const { occurrenceId } = before.status;
  if (transition.acknowledges) batch.escalationChanges.push({ occurrenceId, kind: 'acknowledged' });
  else if (transition.endsOccurrence) batch.escalationChanges.push({ occurrenceId, kind: 'reset' });
  for (const occasion of occasionsOf(transition)) batch.occasions.push({ occasion, record: after });
}

/** Sets the comment of the alarm and of its current occurrence. */
export function commentAlarm(batch: AlarmBatch, before: AlarmRecord, text: OccurrenceText): AlarmRecord {
  if (before.status.occurrenceId !== 0) {
    const draft = currentOccurrence(batch, before);
    draft.text = text;
    delete draft.textId;
  }
  const { comment } = text;
  const after = { ...before, status: { ...before.status, comment, lastChange: batch.now } };
  batch.records.set(after.tagId, after);
  batch.changed.add(after.tagId);
  return after;
}

export function maskAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  {
    actor,
    reason,
    seconds,
    maximumSeconds,
  }: { actor: Actor; reason: string; seconds?: number | undefined; maximumSeconds: number },
): AlarmRecord {
  const after = withStatus(batch, before, {
    state: mask(before.status.state),
    maskUntil: maskUntil({ now: batch.now, seconds, maximumSeconds }),
    maskReason: reason,
    maskBy: actor.name,
  });
  recordChange(batch, after, { kind: 'masked', actor, detail: reason });
  wakeEscalation(batch, after);
  return after;
}

/** Ends the user's mask. An alarm that is still active is announced again, because the mask held its calls back. */
export function unmaskAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  detail: string,
): AlarmRecord {
  if (before.status.maskUntil === null) return before;
  const state = unmask(before.status.state);
  const after = withStatus(batch, before, { state, maskUntil: null, maskReason: null, maskBy: null });
  const announce = needsReannouncement(state);
  recordChange(batch, after, { kind: 'unmasked', actor, detail, announce });
  if (announce) batch.occasions.push({ occasion: 'raised', record: after, isReannounced: true });
  wakeEscalation(batch, after);
  return after;
}

/** A mask began or ended, so the escalation decides again whether to call people. */
function wakeEscalation({ escalationChanges }: AlarmBatch, { status: { occurrenceId } }: AlarmRecord): void {
  if (occurrenceId !== 0) escalationChanges.push({ occurrenceId, kind: 'woken' });
}

/** Ends a mask that has expired, for commands that arrive before `expireMasks` has ended it. */
export function endExpiredMask(batch: AlarmBatch, before: AlarmRecord, server: Actor): AlarmRecord {
  const { maskUntil: until, maskReason: reason, maskBy: by } = before.status;
  if (until === null || !hasExpired({ until, reason: reason ?? '', by: by ?? '' }, batch.now)) return before;
  return unmaskAlarm(batch, before, server, 'the mask ran out');
}

function withStatus(batch: AlarmBatch, before: AlarmRecord, changes: Partial<AlarmStatus>): AlarmRecord {
  return { ...before, status: { ...before.status, ...changes, lastChange: batch.now } };
}
