import { auditStatement } from '../../audit/audit.store.ts';
import type { AuditDraft } from '../../audit/audit-entry.ts';
import {
  type CommandOrder,
  insertCommandOrders,
  orderAgainUnmasked,
  type UnmaskedOccurrence,
} from '../../escalations/command-order.store.ts';
import {
  changeEscalations,
  type EscalationDraft,
  insertEscalations,
  reopenCancelled,
} from '../../escalations/escalation-rows.store.ts';
import { systemAlarmStatement } from '../../escalations/system-alarm.store.ts';
import { keepAnswers, type RequestMark } from '../../http/idempotency.store.ts';
import { appendWithCounters, lockExpectedCounters } from '../../journal/journal.store.ts';
import type { Statement } from '../../postgres/statement.ts';
import { actionAlarmsOf } from '../decide/action-alarm.ts';
import type { AlarmBatch } from '../decide/alarm-batch.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';
import type { AlarmSound } from '../decide/command-orders.ts';
import { saveAlarms, saveTags } from '../store/alarm-batch.store.ts';
import { insertSounds } from '../store/alarm-sound.store.ts';
import { insertOccurrences, type TextOfOccurrence, updateOccurrences } from '../store/occurrence.store.ts';
import { saveTexts } from '../store/text.store.ts';

/** The actions of a batch: who is called, which programs run and which sounds are played. */
export type BatchActions = {
  escalations: readonly EscalationDraft[];
  orders: readonly CommandOrder[];
  unmasked: readonly UnmaskedOccurrence[];
  sounds: readonly AlarmSound[];
};

export type DecidedBatch = {
  batch: AlarmBatch;
  actions: BatchActions;
  answers: readonly { mark: RequestMark; body: unknown }[];
  audited: readonly AuditDraft[];
  /** Whether the batch changes any alarm. */
  isChanged: boolean;
  /** The version that the tenant's counters must have, if they are not locked yet. */
  expectedVersion: string | undefined;
};

type BatchStatement = Statement & {
  /** Called with the rows that the statement returns. */
  readonly onRows?: (rows: never[]) => void;
};

/**
 * The statements that write a batch, in the order in which they are sent. Each is built when it is asked for, so that the
 * database executes the first ones while later ones are built; the slowest ones come first.
 */
export function* batchStatements(tenantId: number, decided: DecidedBatch): Generator<BatchStatement> {
  const { batch, answers, audited, isChanged, expectedVersion } = decided;
  const { now } = batch;
  if (expectedVersion !== undefined) yield lockExpectedCounters(tenantId, expectedVersion);
  if (answers.length > 0) yield keepAnswers(tenantId, answers, now);
  yield* alarmStatements(tenantId, batch);
  yield* actionStatements(tenantId, batch, decided.actions);
  // Behind the texts, because those count `textId` on.
  if (isChanged) yield appendWithCounters(tenantId, batch.entries, batch.counters);
  if (audited.length > 0) yield auditStatement(tenantId, audited, now);
}

function* alarmStatements(tenantId: number, batch: AlarmBatch): Generator<BatchStatement> {
  const drafts = [...batch.occurrences.values()];
  const starting = drafts.filter(({ started }) => started !== undefined);
  const changing = drafts.filter(({ started }) => started === undefined);
  const texts = saveTexts(tenantId, batch);
  if (texts) yield texts;
  if (starting.length > 0) {
    const onRows = (rows: TextOfOccurrence[]) => keepStoredTexts(batch, rows);
    yield { ...insertOccurrences(tenantId, starting, batch.now), onRows };
  }
  yield* updateOccurrences(tenantId, changing);
  const redefined = recordsOf(batch, batch.redefined);
  if (redefined.length > 0) yield saveTags(tenantId, redefined);
  const changed = recordsOf(batch, new Set([...batch.redefined, ...batch.changed]));
  if (changed.length > 0) yield saveAlarms(tenantId, changed);
}

function* actionStatements(
  tenantId: number,
  batch: AlarmBatch,
  { escalations, orders, unmasked, sounds }: BatchActions,
): Generator<BatchStatement> {
  const { now, repeated, escalationChanges } = batch;
  // Before the changes, because a change may close an escalation that this batch opens.
  if (escalations.length > 0) yield insertEscalations(tenantId, escalations, now);
  if (repeated.size > 0) yield reopenCancelled(tenantId, [...repeated], now);
  if (escalationChanges.length > 0) yield* changeEscalations(tenantId, escalationChanges, now);
  // Programs run in the order of their ids: one that a mask held back starts before that of a later reset.
  if (unmasked.length > 0) yield orderAgainUnmasked(tenantId, unmasked, now);
  if (orders.length > 0) yield insertCommandOrders(tenantId, orders, now);
  if (sounds.length > 0) yield insertSounds(tenantId, sounds, now);
  const systemAlarms = actionAlarmsOf(batch);
  if (systemAlarms.length > 0) yield systemAlarmStatement(tenantId, systemAlarms, now);
}

/** Keeps the ids of stored texts, so that the next occurrence with the same text need not look for it. */
function keepStoredTexts({ records, occurrences }: AlarmBatch, texts: readonly TextOfOccurrence[]): void {
  for (const { id, textId } of texts) {
    const { tagId = 0, text } = occurrences.get(id) ?? {};
    const record = records.get(tagId);
    if (record && text) records.set(tagId, { ...record, storedText: { text, id: textId } });
  }
}

/** In the order of ids, so that concurrent batches cannot deadlock. */
function recordsOf({ records }: AlarmBatch, tagIds: ReadonlySet<number>): AlarmRecord[] {
  return [...tagIds].toSorted((one, other) => one - other).flatMap((tagId) => records.get(tagId) ?? []);
}
