import { findKeptAnswers, type KeptAnswer } from '../http/idempotency.store.ts';
import { lockHeads, supposeHeads, versionOf } from '../journal/journal.store.ts';
import type { AlarmTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { findRecords } from './alarm-batch.store.ts';
import { type AlarmBatch, openBatch } from './alarm-batch.ts';
import type { AlarmCommand } from './alarm-command.ts';
import type { AlarmRecord, OccurrenceText } from './alarm-record.ts';
import { type References, readReferences, type WantedReferences } from './alarm-references.store.ts';
import { commentedTags, sortTags, wantedReferences } from './alarm-wants.ts';
import type { KnownRecords } from './known-records.ts';
import type { KnownReferences } from './known-references.ts';
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

/** What a batch is decided on. */
export type Basis = {
  known?: KnownRecords | undefined;
  /** Whether it is known only of a batch that is still being written: then the heads are taken later. */
  isAhead?: boolean;
  surroundings: KnownReferences;
};

/**
 * Locks the tenant's heads and reads what the commands speak of, in one round trip. What is remembered is not read;
 * should somebody have changed the tenant's alarms or what surrounds them since, it is read after all.
 */
export async function readBatch(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
  { known, isAhead = false, surroundings }: Basis,
): Promise<ReadBatch> {
  // Kept by value: what is remembered may be dropped while the database answers.
  const { remembered, unknown } = sortTags(commands, known);
  const marks = commands.flatMap(({ mark }) => mark ?? []);
  const wanted = wantedReferences(commands, remembered);
  const [found, answers, surround, read, texts] = await together([
    known && isAhead ? supposeHeads(transaction, known) : lockHeads(transaction),
    findKeptAnswers(transaction, marks),
    beginReferences(transaction, wanted, surroundings),
    findRecords(transaction, unknown),
    findOccurrenceTexts(transaction, commentedTags(commands)),
  ]);
  const { heads, version: foundVersion, now, ownWriter, directoryVersion } = found;
  const references = await surround(directoryVersion);
  const isCurrent =
    known?.version === foundVersion && known.firstDataServerId === references.firstDataServerId;
  if (isAhead && !isCurrent) throw new Error('what was known of the tenant has changed');
  const records =
    remembered.length === 0 || isCurrent
      ? [...read, ...remembered.map((record) => inSurroundings(record, references))]
      : await findRecords(transaction, sortTags(commands, undefined).unknown);
  const batch = openBatch(heads, transaction.timeOf(now), records);
  const writtenVersion = () => versionOf(ownWriter, batch.heads);
  return { batch, references, texts, answers, foundVersion, writtenVersion };
}

/**
 * What the commands name outside their tags: read, unless it is known. Whether what is known is right can be told when the
 * directory's version is there; if not, it is read then.
 */
async function beginReferences(
  transaction: AlarmTransaction,
  wanted: WantedReferences,
  surroundings: KnownReferences,
): Promise<(directoryVersion: number) => Promise<References>> {
  const read = async () => {
    const references = await readReferences(transaction, wanted);
    surroundings.keep(transaction.tenantId, wanted, references);
    return references;
  };
  const kept = surroundings.recall(transaction.tenantId, wanted) ?? (await read());
  return async (directoryVersion) => (kept.directoryVersion === directoryVersion ? kept : read());
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
