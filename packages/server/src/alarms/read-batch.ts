import { findKeptAnswers, type KeptAnswer } from '../http/idempotency.store.ts';
import { lockHeads, versionOf } from '../journal/journal.store.ts';
import type { AlarmTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { findRecords } from './alarm-batch.store.ts';
import { type AlarmBatch, openBatch } from './alarm-batch.ts';
import type { AlarmCommand } from './alarm-command.ts';
import type { AlarmRecord, OccurrenceText } from './alarm-record.ts';
import { type References, readReferences } from './alarm-references.store.ts';
import { commentedTags, sortTags, wantedReferences } from './alarm-wants.ts';
import type { KnownRecords } from './known-records.ts';
import { lentBy } from './post-alarm.ts';
import { findOccurrenceTexts } from './text.store.ts';

/** All that is needed to decide what commands come to. */
export type ReadBatch = {
  batch: AlarmBatch;
  references: References;
  /** Of the current occurrences of tags that a command comments on. */
  texts: ReadonlyMap<number, OccurrenceText>;
  /** By principal and idempotency key. */
  answers: Map<string, { requestHash: Buffer; answer: KeptAnswer }>;
  /** The version of the heads as they were found, and as they will be once the batch has written them. */
  foundVersion: string;
  writtenVersion: () => string;
};

/**
 * Locks the tenant's heads and reads what the commands speak of, in one round trip. What is remembered is not read,
 * but for its surroundings; should somebody have changed the tenant's alarms since, it is read after all.
 */
export async function readBatch(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
  known: KnownRecords | undefined,
): Promise<ReadBatch> {
  // Kept by value: what is remembered may be dropped while the database answers.
  const { remembered, unknown } = sortTags(commands, known);
  const marks = commands.flatMap(({ mark }) => mark ?? []);
  const [{ heads, now, writer, ownWriter }, answers, references, read, texts] = await together([
    lockHeads(transaction),
    findKeptAnswers(transaction, marks),
    readReferences(transaction, wantedReferences(commands, remembered)),
    findRecords(transaction, unknown),
    findOccurrenceTexts(transaction, commentedTags(commands)),
  ]);
  const foundVersion = versionOf(writer, heads);
  const isCurrent =
    known?.version === foundVersion && known.firstDataServerId === references.firstDataServerId;
  const found =
    remembered.length === 0 || isCurrent
      ? [...read, ...remembered.map((record) => inSurroundings(record, references))]
      : await findRecords(transaction, sortTags(commands, undefined).unknown);
  const batch = openBatch(heads, transaction.timeOf(now), found);
  const writtenVersion = () => versionOf(ownWriter, batch.heads);
  return { batch, references, texts, answers, foundVersion, writtenVersion };
}

/** The record with what its surroundings lend it now. */
function inSurroundings(record: AlarmRecord, references: References): AlarmRecord {
  const { stationId, dataServerId, tagGroupId } = record.definition;
  return {
    ...record,
    timeZone: references.timeZones.get(stationId) ?? record.timeZone,
    dataServerName: references.dataServerNames.get(dataServerId) ?? record.dataServerName,
    ...lentBy(references, tagGroupId),
    scenarioCallGroups: references.scenarios,
  };
}
