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

type Tenant = VersionedHeads & {
  /** Nobody else has written since the batch before: else what is remembered is stale more often than not. */
  alone: boolean;
  firstDataServerId: number;
  /** The one not used for longest comes first. */
  records: Map<number, AlarmRecord>;
  tagIds: Map<string, number>;
};

/** Some kilobytes each, by the length of their texts. */
const mostRecords = 16_384;

/**
 * Remembers the alarms that were written last, so that a tag that is raised again is not read again. Nobody changes an
 * alarm without writing the heads, and the heads are locked and compared before anything is decided.
 */
export function createRecordMemory(largest = mostRecords): RecordMemory {
  const tenants = new Map<number, Tenant>();
  let size = 0;

  const forget = (tenantId: number) => {
    size -= tenants.get(tenantId)?.records.size ?? 0;
    tenants.delete(tenantId);
  };
  const put = ({ records, tagIds }: Tenant, record: AlarmRecord) => {
    if (records.delete(record.tagId)) size -= 1;
    else tagIds.set(placeKey(record.definition), record.tagId);
    records.set(record.tagId, record);
    size += 1;
  };
  const makeRoom = () => {
    for (const [tenantId, { records, tagIds }] of tenants) {
      for (const [tagId, { definition }] of records) {
        if (size <= largest) return;
        records.delete(tagId);
        tagIds.delete(placeKey(definition));
        size -= 1;
      }
      tenants.delete(tenantId);
    }
  };

  return {
    recall: (tenantId) => {
      const tenant = tenants.get(tenantId);
      return tenant?.alone ? knownOf(tenant) : undefined;
    },
    keep: (tenantId, { foundVersion, version, heads, firstDataServerId, records }) => {
      const before = tenants.get(tenantId);
      const alone = before === undefined || before.version === foundVersion;
      if (!alone) forget(tenantId);
      const kept = (alone && before) || { records: new Map(), tagIds: new Map() };
      const tenant = { ...kept, version, heads, alone, firstDataServerId };
      // Behind all others: tenants that were quiet for longest make room first.
      tenants.delete(tenantId);
      tenants.set(tenantId, tenant);
      for (const record of records.values()) put(tenant, record);
      makeRoom();
    },
    forget,
  };
}

function knownOf({ version, heads, firstDataServerId, records, tagIds }: Tenant): KnownRecords {
  return {
    version,
    heads,
    firstDataServerId,
    find: (tagId) => records.get(tagId),
    findAt: (place) => records.get(tagIds.get(placeKey(place)) ?? 0),
  };
}
