import type { ConfigurationCache } from '../../escalations/configuration-cache.ts';
import { readReferences } from '../../escalations/references.store.ts';
import type { References } from '../../escalations/references.ts';
import { findStoredAnswers, type StoredAnswer } from '../../http/idempotency.store.ts';
import { assumeCounters, lockCounters, versionOf } from '../../journal/journal.store.ts';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { AlarmTransaction } from '../../postgres/tenant-transaction.ts';
import { type AlarmBatch, openBatch } from '../decide/alarm-batch.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import type { AlarmRecord, OccurrenceText } from '../decide/alarm-record.ts';
import { tagGroupSettings } from '../decide/post-alarm.ts';
import { findRecords } from '../store/alarm-batch.store.ts';
import { findOccurrenceTexts } from '../store/text.store.ts';
import { commentedTags, planReferenceReads, planTagReads } from './plan-reads.ts';
import type { CachedRecords } from './record-cache.ts';

/** The data that the commands of a batch are decided on. */
export type ReadBatch = {
  batch: AlarmBatch;
  references: References;
  /** Of the current occurrences of tags that a command comments on. */
  texts: ReadonlyMap<number, OccurrenceText>;
  /** By principal and idempotency key. */
  answers: Map<string, { requestHash: Buffer; answer: StoredAnswer }>;
  /** The version of the tenant's counters before the batch, and after it has written them. */
  foundVersion: string;
  writtenVersion: () => string;
};

export type BatchCaches = {
  records?: CachedRecords | undefined;
  /** Whether the records are those of a batch that is still being written: then the counters are locked later. */
  isPipelined?: boolean;
  configuration: ConfigurationCache;
};

/**
 * Locks the tenant's counters and reads the rows of the commands in one round trip. Cached rows are not read, unless the
 * version of the counters or of the configuration has changed; then they are read in a second one.
 */
export async function readBatch(
  transaction: AlarmTransaction,
  commands: readonly AlarmCommand[],
  { records: cache, isPipelined = false, configuration }: BatchCaches,
): Promise<ReadBatch> {
  // Found now, because the cache may drop records while the database answers.
  const { cached, missing } = planTagReads(commands, cache);
  const ids = planReferenceReads(commands, cached);
  const cachedReferences = configuration.findReferences(transaction.tenantId, ids);
  const marks = commands.flatMap(({ mark }) => mark ?? []);
  const [found, answers, firstReferences, read] = await awaitPipelined([
    cache && isPipelined ? assumeCounters(transaction, cache) : lockCounters(transaction),
    findStoredAnswers(transaction, marks),
    cachedReferences ? Promise.resolve(cachedReferences) : readReferences(transaction, ids),
    findRecords(transaction, missing),
  ]);
  const { counters, version: foundVersion, now, ownWriter } = found;
  const isSameConfiguration = firstReferences.configurationVersion === found.configurationVersion;
  const references = isSameConfiguration ? firstReferences : await readReferences(transaction, ids);
  if (references !== cachedReferences) configuration.keepReferences(transaction.tenantId, ids, references);
  const isCurrent = isValid(cache, foundVersion, references);
  if (isPipelined && !isCurrent) throw new Error('the tenant has changed since the batch before');
  const records =
    cached.length === 0 || isCurrent
      ? [...read, ...cached.map((record) => withReferences(record, references))]
      : await findRecords(transaction, planTagReads(commands, undefined).missing);
  // A second round trip, which only comments need: the month of an occurrence is known from its record.
  const commented = new Set(commentedTags(commands));
  const texts = await findOccurrenceTexts(
    transaction,
    records.filter(({ tagId }) => commented.has(tagId)),
  );
  const batch = openBatch(counters, transaction.timeOf(now), records);
  const writtenVersion = () => versionOf(ownWriter, batch.counters);
  return { batch, references, texts, answers, foundVersion, writtenVersion };
}

function isValid(
  cache: CachedRecords | undefined,
  foundVersion: string,
  { firstDataServerId }: References,
): boolean {
  return cache?.version === foundVersion && cache.firstDataServerId === firstDataServerId;
}

/** A cached record with the current settings of its station, data server, tag group and scenarios. */
function withReferences(record: AlarmRecord, references: References): AlarmRecord {
  const { stationId, dataServerId, tagGroupId } = record.definition;
  return {
    ...record,
    timeZone: references.timeZones.get(stationId) ?? record.timeZone,
    stationName: references.stationNames.get(stationId) ?? record.stationName,
    dataServerName: references.dataServerNames.get(dataServerId) ?? record.dataServerName,
    ...tagGroupSettings(references, tagGroupId),
    scenarioCallGroups: references.scenarios,
  };
}
