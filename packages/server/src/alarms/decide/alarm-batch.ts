import type { AlarmOccasion } from '../../escalations/call-directory.ts';
import type { EscalationChange } from '../../escalations/escalation-rows.store.ts';
import type { JournalEntry, TenantCounters } from '../../journal/journal.store.ts';
import { toAlarm } from './alarm.wire.ts';
import { type Actor, actorIdOf } from './alarm-command.ts';
import { callGroupsOf } from './alarm-reach.ts';
import type { AlarmRecord, OccurrenceDraft, OccurrenceText } from './alarm-record.ts';
import type { MemberChange } from './definition-change.ts';
import { isSameText } from './text-digest.ts';

/** The effects of a list of commands, before anything is written. Commands change it one after the other. */
export type AlarmBatch = {
  readonly now: Date;
  /** Ids and `seq` are counted on from here, under the lock of the tenant's counters. */
  readonly counters: TenantCounters;
  readonly records: Map<number, AlarmRecord>;
  /** Tags by `placeKey`. */
  readonly tagIds: Map<string, number>;
  /** Tags whose definition must be written. */
  readonly redefined: Set<number>;
  /** Tags whose status must be written. */
  readonly changed: Set<number>;
  readonly occurrences: Map<number, OccurrenceDraft>;
  readonly entries: JournalEntry[];
  /** Occasions on which people may have to be called. */
  readonly occasions: BatchOccasion[];
  /** Changes to escalations that are open already. */
  readonly escalationChanges: EscalationChange[];
  /** Tags with actions that cannot be carried out, and the reasons. */
  readonly actionFaults: Map<number, { record: AlarmRecord; faults: readonly string[] }>;
  /** Occurrences that were raised again before anybody acknowledged them. */
  readonly repeated: Set<number>;
};

export type BatchOccasion = {
  occasion: AlarmOccasion;
  record: AlarmRecord;
  /** Set when the alarm is announced again because its mask ended. */
  isReannounced?: true;
  /** Of the command that it belongs to, if that is traced. */
  traceParent?: string;
};

export function openBatch(counters: TenantCounters, clock: Date, found: readonly AlarmRecord[]): AlarmBatch {
  const now = clock > counters.lastAt ? clock : counters.lastAt;
  return {
    now,
    counters: { ...counters, lastAt: now },
    records: new Map(found.map((record) => [record.tagId, record])),
    tagIds: new Map(found.map(({ tagId, definition }) => [placeKey(definition), tagId])),
    redefined: new Set(),
    changed: new Set(),
    occurrences: new Map(),
    entries: [],
    occasions: [],
    escalationChanges: [],
    actionFaults: new Map(),
    repeated: new Set(),
  };
}

export function placeKey({ dataServerId, path }: { dataServerId: number; path: string }): string {
  return `${dataServerId}\\${path}`;
}

/** The cause of a journal entry. */
export type EntryNote = {
  detail?: string;
  /** The old and the new values, when the definition of an existing tag was changed. */
  change?: readonly MemberChange[] | undefined;
};

/** Adds a change of an alarm to the tenant's journal. */
export function recordChange(
  batch: AlarmBatch,
  after: AlarmRecord,
  {
    kind,
    actor,
    detail = '',
    change,
    announce = false,
  }: EntryNote & { kind: string; actor: Actor; announce?: boolean },
): void {
  batch.counters.seq += 1;
  batch.records.set(after.tagId, after);
  batch.changed.add(after.tagId);
  batch.entries.push({
    seq: batch.counters.seq,
    at: batch.now,
    kind,
    tagId: after.tagId,
    occurrenceId: after.status.occurrenceId,
    stationId: after.definition.stationId,
    announce,
    actor: actor.name,
    actorId: actorIdOf(actor),
    detail,
    change,
    alarm: toAlarm(after),
  });
}

/** The draft of the tag's current occurrence, for changes to it. */
export function currentOccurrence(batch: AlarmBatch, { tagId, status }: AlarmRecord): OccurrenceDraft {
  const { occurrenceId: id, raisedAt } = status;
  const draft = batch.occurrences.get(id) ?? { id, raisedAt, tagId, addedRepeats: 0 };
  batch.occurrences.set(id, draft);
  return draft;
}

/** The text of an occurrence that starts now. */
export function textOf(record: AlarmRecord): OccurrenceText {
  const { stationId, dataServerId, tagGroupId, alarm } = record.definition;
  const callGroupIds = callGroupsOf(record);
  return { message: alarm.message, comment: '', stationId, dataServerId, tagGroupId, callGroupIds };
}

/** Starts a new occurrence of the tag, which becomes its current one. */
export function startOccurrence(batch: AlarmBatch, before: AlarmRecord): AlarmRecord {
  const { priority } = before.definition;
  const text = textOf(before);
  const isStored = before.storedText !== undefined && isSameText(before.storedText.text, text);
  batch.counters.occurrenceId += 1;
  const id = batch.counters.occurrenceId;
  const raisedAt = batch.now;
  batch.occurrences.set(id, {
    id,
    raisedAt,
    tagId: before.tagId,
    started: { priority },
    text,
    ...(before.storedText && isStored && { textId: before.storedText.id }),
    addedRepeats: 0,
  });
  const status = { ...before.status, occurrenceId: id, raisedAt, repeats: 0, ackUser: '', comment: '' };
  return { ...before, status };
}
