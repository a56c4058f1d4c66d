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
  record,
  startOccurrence,
} from './alarm-batch.ts';
import type { Actor } from './alarm-command.ts';
import type { AlarmRecord, AlarmStanding, OccurrenceText } from './alarm-record.ts';

/** Who acknowledges when a tag group does so by itself. */
const system = 'System';

/** Raises the alarm, as its event condition has it. `startsAnew` makes it reactivatable this once. */
export function raiseAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  { startsAnew = false, ...note }: EntryNote & { startsAnew?: boolean } = {},
): AlarmRecord {
  const { transitory, reactivatable } = before.definition;
  return follow(batch, before, {
    transition: raise(before.standing.state, { transitory, reactivatable: reactivatable || startsAnew }),
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
  return follow(batch, before, {
    transition: reset(before.standing.state, { autoAcknowledge }),
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
  return follow(batch, before, { transition: acknowledge(before.standing.state), actor, note });
}

/** Carries out what the life cycle decided: occurrences, standing and journal. */
function follow(
  batch: AlarmBatch,
  before: AlarmRecord,
  { transition, actor, note }: { transition: Transition; actor: Actor; note: EntryNote },
): AlarmRecord {
  if (transition.kind === 'unchanged') return before;

  const changes: Partial<AlarmStanding> = { state: transition.state, lastChange: batch.now };
  if (transition.endsOccurrence) currentOccurrence(batch, before).resetAt = batch.now;
  if (transition.acknowledges) {
    const byItself = transition.kind === 'reset';
    const draft = currentOccurrence(batch, before);
    draft.acknowledgedAt = batch.now;
    draft.ackUserId = byItself ? 0 : (actor.userId ?? 0);
    changes.ackUser = byItself ? system : actor.name;
  }
  if (transition.kind === 'repeated') {
    currentOccurrence(batch, before).addedRepeats += 1;
    changes.repeats = before.standing.repeats + 1;
    if (isUnacknowledged(transition.state)) batch.repeated.add(before.standing.occurrenceId);
  }

  const current = transition.startsOccurrence ? startOccurrence(batch, before) : before;
  if (transition.momentary) currentOccurrence(batch, current).resetAt = batch.now;
  const after = { ...current, standing: { ...current.standing, ...changes } };
  const announce = transition.kind === 'raised' && !isMasked(transition.state);
  record(batch, after, { kind: transition.kind, actor, ...note, announce });
  tellDuties(batch, before, after, transition);
  return after;
}

/** Who is being called for the alarm as it was need not be any more; others may have to be, for what it is now. */
function tellDuties(
  batch: AlarmBatch,
  before: AlarmRecord,
  after: AlarmRecord,
  transition: Exclude<Transition, { kind: 'unchanged' }>,
): void {
  const { occurrenceId } = before.standing;
  if (transition.acknowledges) batch.dutyChanges.push({ occurrenceId, kind: 'acknowledged' });
  else if (transition.endsOccurrence) batch.dutyChanges.push({ occurrenceId, kind: 'reset' });
  for (const occasion of occasionsOf(transition)) {
    if (occasion !== 'requested') batch.turns.push({ occasion, record: after });
  }
}

/** The comment of the alarm and of its occurrence's history entry. */
export function commentAlarm(batch: AlarmBatch, before: AlarmRecord, text: OccurrenceText): AlarmRecord {
  if (before.standing.occurrenceId !== 0) {
    const draft = currentOccurrence(batch, before);
    draft.text = text;
    delete draft.textId;
  }
  const { comment } = text;
  const after = { ...before, standing: { ...before.standing, comment, lastChange: batch.now } };
  batch.records.set(after.tagId, after);
  batch.moved.add(after.tagId);
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
  const after = withStanding(batch, before, {
    state: mask(before.standing.state),
    maskUntil: maskUntil({ now: batch.now, seconds, maximumSeconds }),
    maskReason: reason,
    maskBy: actor.name,
  });
  record(batch, after, { kind: 'masked', actor, detail: reason });
  wakeDuty(batch, after);
  return after;
}

/** Takes the user's mask away. An alarm still active is announced again: nobody was told while it was masked. */
export function unmaskAlarm(
  batch: AlarmBatch,
  before: AlarmRecord,
  actor: Actor,
  detail: string,
): AlarmRecord {
  if (before.standing.maskUntil === null) return before;
  const state = unmask(before.standing.state);
  const after = withStanding(batch, before, { state, maskUntil: null, maskReason: null, maskBy: null });
  const announce = needsReannouncement(state);
  record(batch, after, { kind: 'unmasked', actor, detail, announce });
  if (announce) batch.turns.push({ occasion: 'raised', record: after, isReannounced: true });
  wakeDuty(batch, after);
  return after;
}

/** A mask came or went: whether people are called for it is decided again. */
function wakeDuty({ dutyChanges }: AlarmBatch, { standing: { occurrenceId } }: AlarmRecord): void {
  if (occurrenceId !== 0) dutyChanges.push({ occurrenceId, kind: 'woken' });
}

/** A mask always ends by itself, also when a command comes before the sweep that ends masks. */
export function endExpiredMask(batch: AlarmBatch, before: AlarmRecord, server: Actor): AlarmRecord {
  const { maskUntil: until, maskReason: reason, maskBy: by } = before.standing;
  if (until === null || !hasExpired({ until, reason: reason ?? '', by: by ?? '' }, batch.now)) return before;
  return unmaskAlarm(batch, before, server, 'the mask ran out');
}

function withStanding(batch: AlarmBatch, before: AlarmRecord, changes: Partial<AlarmStanding>): AlarmRecord {
  return { ...before, standing: { ...before.standing, ...changes, lastChange: batch.now } };
}
