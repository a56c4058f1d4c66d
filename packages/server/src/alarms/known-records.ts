import type { VersionedHeads } from '../journal/journal.store.ts';
import { placeKey } from './alarm-batch.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** What a process remembers of a tenant's alarms. It is right as long as the heads are of this version. */
export type KnownRecords = Readonly<VersionedHeads> & {
  /** Where a tag that names no data server is. */
  readonly firstDataServerId: number;
  find(tagId: number): AlarmRecord | undefined;
  findAt(place: { dataServerId: number; path: string }): AlarmRecord | undefined;
};

/** What a batch has read and written, and which heads it found and left. */
export type Left = VersionedHeads & {
  foundVersion: string;
  firstDataServerId: number;
  records: ReadonlyMap<number, AlarmRecord>;
  /** By `placeKey`. */
  tagIds: ReadonlyMap<string, number>;
};

/** What is known once a batch has left this; `before` is what was known when it was decided. */
export function knownAfter({ records, tagIds, ...left }: Left, before: KnownRecords): KnownRecords {
  return {
    ...left,
    find: (tagId) => records.get(tagId) ?? before.find(tagId),
    findAt: (place) => {
      const tagId = tagIds.get(placeKey(place));
      return tagId === undefined ? before.findAt(place) : records.get(tagId);
    },
  };
}

export type RecordMemory = {
  /** Undefined when there is nothing to go by: then everything is read. */
  recall(tenantId: number): KnownRecords | undefined;
  /** After a commit. */
  keep(tenantId: number, left: Left): void;
  /** After a failure. */
  forget(tenantId: number): void;
};

/** How a tenant was left by the last batch. */
type TenantState = VersionedHeads & {
  /** Nobody else has written since the batch before: else what is remembered is stale more often than not. */
  alone: boolean;
  firstDataServerId: number;
};

type Records = { records: Map<number, AlarmRecord>; tagIds: Map<string, number> };

/** Some kilobytes each, by the length of their texts. */
const mostRecords = 16_384;

/**
 * Remembers the alarms that were written last, so that a tag that is raised again is not read again. Nobody changes an
 * alarm without writing the heads, and the heads are locked and compared before anything is decided.
 *
 * In two generations, as `recently-used.ts` has it: the half of `largest` that was used last is always there.
 */
export function createRecordMemory(largest = mostRecords): RecordMemory {
  const tenants = new Map<number, TenantState>();
  let young = new Map<number, Records>();
  let old = new Map<number, Records>();
  let size = 0;

  const turn = () => {
    old = young;
    young = new Map();
    size = 0;
    for (const tenantId of tenants.keys()) if (!old.has(tenantId)) tenants.delete(tenantId);
  };
  const put = ({ records, tagIds }: Records, record: AlarmRecord) => {
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
  const forget = (tenantId: number) => {
    size -= young.get(tenantId)?.records.size ?? 0;
    for (const generation of [tenants, young, old]) generation.delete(tenantId);
  };

  return {
    recall: (tenantId) => {
      const state = tenants.get(tenantId);
      if (!state?.alone) return undefined;
      const { version, heads, firstDataServerId } = state;
      return {
        version,
        heads,
        firstDataServerId,
        find: (tagId) => find(tenantId, tagId),
        findAt: (place) => find(tenantId, tagIdOf(tenantId, placeKey(place)) ?? 0),
      };
    },
    keep: (tenantId, { foundVersion, version, heads, firstDataServerId, records }) => {
      const before = tenants.get(tenantId);
      const alone = before === undefined || before.version === foundVersion;
      if (!alone) forget(tenantId);
      const kept = young.get(tenantId) ?? { records: new Map(), tagIds: new Map() };
      young.set(tenantId, kept);
      tenants.set(tenantId, { version, heads, alone, firstDataServerId });
      for (const record of records.values()) put(kept, record);
      if (size * 2 >= largest) turn();
    },
    forget,
  };
}
