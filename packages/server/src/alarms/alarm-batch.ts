import type { AlarmOccasion } from '../duties/call-directory.ts';
import type { DutyChange } from '../duties/duty.store.ts';
import type { Heads, JournalEntry } from '../journal/journal.store.ts';
import { toAlarm } from './alarm.wire.ts';
import { type Actor, actorIdOf } from './alarm-command.ts';
import { callGroupsOf } from './alarm-reach.ts';
import type { AlarmRecord, OccurrenceDraft, OccurrenceText } from './alarm-record.ts';
import type { MemberChange } from './definition-change.ts';
import { sameText } from './text-digest.ts';

/** What a list of commands comes to, before anything is written. Commands change it one after the other. */
export type AlarmBatch = {
  readonly now: Date;
  /** Numbers are taken from here: the tenant's lock is held. */
  readonly heads: Heads;
  readonly records: Map<number, AlarmRecord>;
  /** From data server and path to tag. */
  readonly tagIds: Map<string, number>;
  /** Tags whose definition, or whose standing, must be written. */
  readonly redefined: Set<number>;
  readonly moved: Set<number>;
  readonly occurrences: Map<number, OccurrenceDraft>;
  readonly entries: JournalEntry[];
  /** What people may have to be called for. */
  readonly turns: { occasion: AlarmOccasion; record: AlarmRecord; isReannounced?: true }[];
  /** What those hear of who are calling already. */
  readonly dutyChanges: DutyChange[];
  /** Tags whose actions nobody can carry out, with what is wrong. */
  readonly actionFaults: Map<number, { record: AlarmRecord; faults: readonly string[] }>;
  /** Occurrences that were raised again and that nobody has taken. */
  readonly repeated: Set<number>;
};

export function openBatch(heads: Heads, clock: Date, found: readonly AlarmRecord[]): AlarmBatch {
  const now = clock > heads.lastAt ? clock : heads.lastAt;
  return {
    now,
    heads: { ...heads, lastAt: now },
    records: new Map(found.map((record) => [record.tagId, record])),
    tagIds: new Map(found.map(({ tagId, definition }) => [placeKey(definition), tagId])),
    redefined: new Set(),
    moved: new Set(),
    occurrences: new Map(),
    entries: [],
    turns: [],
    dutyChanges: [],
    actionFaults: new Map(),
    repeated: new Set(),
  };
}

export function placeKey({ dataServerId, path }: { dataServerId: number; path: string }): string {
  return `${dataServerId}\\${path}`;
}

/** What a journal entry says of its cause. */
export type EntryNote = {
  detail?: string;
  /** The old and the new values, when the definition of a known tag was changed. */
  change?: readonly MemberChange[] | undefined;
};

/** Something happened to an alarm: it takes the next place in the tenant's journal. */
export function record(
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
  batch.heads.seq += 1;
  batch.records.set(after.tagId, after);
  batch.moved.add(after.tagId);
  batch.entries.push({
    seq: batch.heads.seq,
    at: batch.now,
    kind,
    tagId: after.tagId,
    occurrenceId: after.standing.occurrenceId,
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
export function currentOccurrence(batch: AlarmBatch, { tagId, standing }: AlarmRecord): OccurrenceDraft {
  const { occurrenceId: id, raisedAt } = standing;
  const draft = batch.occurrences.get(id) ?? { id, raisedAt, tagId, addedRepeats: 0 };
  batch.occurrences.set(id, draft);
  return draft;
}

/** What an occurrence that starts now says and belongs to. */
export function textOf(record: AlarmRecord): OccurrenceText {
  const { stationId, dataServerId, tagGroupId, alarm } = record.definition;
  const callGroupIds = callGroupsOf(record);
  return { message: alarm.message, comment: '', stationId, dataServerId, tagGroupId, callGroupIds };
}

/** A new occurrence of the tag, which is current from now on. */
export function startOccurrence(batch: AlarmBatch, before: AlarmRecord): AlarmRecord {
  const { priority } = before.definition;
  const text = textOf(before);
  const isKept = before.keptText !== undefined && sameText(before.keptText.text, text);
  batch.heads.occurrenceId += 1;
  const id = batch.heads.occurrenceId;
  const raisedAt = batch.now;
  batch.occurrences.set(id, {
    id,
    raisedAt,
    tagId: before.tagId,
    started: { priority },
    text,
    ...(before.keptText && isKept && { textId: before.keptText.id }),
    addedRepeats: 0,
  });
  const standing = { ...before.standing, occurrenceId: id, raisedAt, repeats: 0, ackUser: '', comment: '' };
  return { ...before, standing };
}
