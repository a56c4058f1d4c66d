import type { VersionedCounters } from '../../journal/journal.store.ts';
import { placeKey } from '../decide/alarm-batch.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';

/** The cached alarms of a tenant. They are valid while the tenant's counters have this version. */
export type CachedRecords = Readonly<VersionedCounters> & {
  /** The data server of tags whose posts name none. */
  readonly firstDataServerId: number;
  find(tagId: number): AlarmRecord | undefined;
  findAt(place: { dataServerId: number; path: string }): AlarmRecord | undefined;
};

/** The records that a batch has read and written, and the version of the counters before and after it. */
export type BatchResult = VersionedCounters & {
  foundVersion: string;
  firstDataServerId: number;
  records: ReadonlyMap<number, AlarmRecord>;
  /** By `placeKey`. */
  tagIds: ReadonlyMap<string, number>;
};

/** The cached records after a batch; `before` are those that the batch was decided on. */
export function recordsAfter(
  { records, tagIds, ...result }: BatchResult,
  before: CachedRecords,
): CachedRecords {
  return {
    ...result,
    find: (tagId) => records.get(tagId) ?? before.find(tagId),
    findAt: (place) => {
      const tagId = tagIds.get(placeKey(place));
      return tagId === undefined ? before.findAt(place) : records.get(tagId);
    },
  };
}

export type RecordCache = {
  /** Undefined when nothing usable is cached: then all records are read. */
  get(tenantId: number): CachedRecords | undefined;
  /** Stores the result of a committed batch. */
  put(tenantId: number, result: BatchResult): void;
  /** Drops a tenant after a failed batch. */
  delete(tenantId: number): void;
};

/** A tenant after its last batch. */
type TenantState = VersionedCounters & {
  /** Whether this process is the only writer; with others, cached records are usually outdated. */
  isOnlyWriter: boolean;
  firstDataServerId: number;
};

type Records = { records: Map<number, AlarmRecord>; tagIds: Map<string, number> };

/** Each takes some kilobytes, depending on its texts. */
const defaultMaxRecords = 16_384;

/**
 * Caches the alarms that were written last, so that a tag that is raised again is not read again. Every change of an alarm
 * writes the tenant's counters, and each batch compares their version under their lock before it decides anything.
 *
 * There are two generations, as in `recently-used.ts`: the most recently used half of `maxRecords` is always cached.
 */
export function createRecordCache(maxRecords = defaultMaxRecords): RecordCache {
  const tenants = new Map<number, TenantState>();
  let young = new Map<number, Records>();
  let old = new Map<number, Records>();
  let size = 0;

  const dropOldGeneration = () => {
    old = young;
    young = new Map();
    size = 0;
    for (const tenantId of tenants.keys()) if (!old.has(tenantId)) tenants.delete(tenantId);
  };
  const add = ({ records, tagIds }: Records, record: AlarmRecord) => {
    if (!records.has(record.tagId)) {
      tagIds.set(placeKey(record.definition), record.tagId);
      size += 1;
    }
    records.set(record.tagId, record);
  };
  const find = (tenantId: number, tagId: number) =>
    young.get(tenantId)?.records.get(tagId) ?? old.get(tenantId)?.records.get(tagId);
  const tagIdOf = (tenantId: number, place: string) =>
    young.get(tenantId)?.tagIds.get(place) ?? old.get(tenantId)?.tagIds.get(place);
  const drop = (tenantId: number) => {
    size -= young.get(tenantId)?.records.size ?? 0;
    for (const generation of [tenants, young, old]) generation.delete(tenantId);
  };

  return {
    get: (tenantId) => {
      const state = tenants.get(tenantId);
      if (!state?.isOnlyWriter) return undefined;
      const { version, counters, firstDataServerId } = state;
      return {
        version,
        counters,
        firstDataServerId,
        find: (tagId) => find(tenantId, tagId),
        findAt: (place) => find(tenantId, tagIdOf(tenantId, placeKey(place)) ?? 0),
      };
    },
    put: (tenantId, { foundVersion, version, counters, firstDataServerId, records }) => {
      const before = tenants.get(tenantId);
      const isOnlyWriter = before === undefined || before.version === foundVersion;
      if (!isOnlyWriter) drop(tenantId);
      const cached = young.get(tenantId) ?? { records: new Map(), tagIds: new Map() };
      young.set(tenantId, cached);
      tenants.set(tenantId, { version, counters, isOnlyWriter, firstDataServerId });
      for (const record of records.values()) add(cached, record);
      if (size * 2 >= maxRecords) dropOldGeneration();
    },
    delete: drop,
  };
}
