import { createRecentlyUsed } from '../common/recently-used.ts';
import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import { readCallDirectory, readConfigurationVersion } from './call-directory.store.ts';
import type { CallDirectory } from './call-directory.ts';
import {
  mergeIds,
  mergeReferences,
  type ReferencedIds,
  type References,
  referenceKinds,
} from './references.ts';

/**
 * The configuration of tenants in memory. It changes seldom and each alarm needs it, so both parts are cached until the
 * version of the tenant's configuration changes.
 */
export type ConfigurationCache = {
  /** Cached references that cover all ids. The caller compares their version with that of the tenant. */
  findReferences(tenantId: number, ids: ReferencedIds): References | undefined;
  keepReferences(tenantId: number, ids: ReferencedIds, read: References): void;
  /** The call directory as the transaction sees it; `version` saves a query if the caller has read it. */
  readDirectory(transaction: BareTransaction, version?: number): Promise<CallDirectory>;
  /** Whether a call directory is cached, perhaps of an older version. */
  hasDirectory(tenantId: number): boolean;
};

/** The cached parts of one version. */
type Configuration = {
  version: number;
  references?: { ids: ReferencedIds; rows: References };
  directory?: CallDirectory;
};

const bytesOfPart = { tenant: 1_300, name: 150, person: 310, group: 560, rosterRow: 65 };
/** Limits the names of one tenant: clients choose the names of files, and may send any number of them. */
const maxNames = 2_000;

const defaultMegabytes = 64;

/** Keeps the tenants that were used last. A tenant is read again when it is needed and not there. */
export function createConfigurationCache(megabytes = defaultMegabytes): ConfigurationCache {
  const tenants = createRecentlyUsed<number, Configuration>(megabytes * 1_048_576, bytesOf);
  const partsOf = (tenantId: number, version: number): Configuration => {
    const cached = tenants.get(tenantId);
    return cached?.version === version ? cached : { version };
  };

  return {
    findReferences: (tenantId, ids) => {
      const cached = tenants.get(tenantId)?.references;
      return cached && covers(cached.ids, ids) ? cached.rows : undefined;
    },
    keepReferences: (tenantId, ids, read) => {
      const parts = partsOf(tenantId, read.configurationVersion);
      const before =
        parts.references && sizeOf(parts.references.ids) < maxNames ? parts.references : undefined;
      const references = before
        ? { ids: mergeIds(before.ids, ids), rows: mergeReferences(before.rows, read) }
        : { ids, rows: read };
      tenants.set(tenantId, { ...parts, references });
    },
    hasDirectory: (tenantId) => tenants.get(tenantId)?.directory !== undefined,
    readDirectory: async (transaction, seen) => {
      const { tenantId } = transaction;
      const version = seen ?? (await readConfigurationVersion(transaction));
      const { directory } = partsOf(tenantId, version);
      if (directory) return directory;
      const read = await readCallDirectory(transaction);
      tenants.set(tenantId, { ...partsOf(tenantId, read.version), directory: read });
      return read;
    },
  };
}

function covers(cached: ReferencedIds, ids: ReferencedIds): boolean {
  return referenceKinds.every((kind) => isSubset(ids[kind], cached[kind]));
}

function isSubset(part: ReadonlySet<number | string>, whole: ReadonlySet<number | string>): boolean {
  for (const name of part) if (!whole.has(name)) return false;
  return true;
}

/** Estimated memory: within a tenth of what directories with 2 to 1,000 people took of the heap. */
function bytesOf({ references, directory }: Configuration): number {
  const names = references ? sizeOf(references.ids) * bytesOfPart.name : 0;
  if (!directory) return bytesOfPart.tenant + names;
  const { people, disabled, groups } = directory;
  const rosters = [...groups.values()].reduce((sum, { roster, userIds }) => {
    const { slots, overrides, holidays = [], leaves = [], teams } = roster;
    return (
      sum + userIds.length + slots.length + overrides.length + holidays.length + leaves.length + teams.length
    );
  }, 0);
  return (
    bytesOfPart.tenant +
    names +
    people.size * bytesOfPart.person +
    disabled.size * bytesOfPart.name +
    groups.size * bytesOfPart.group +
    rosters * bytesOfPart.rosterRow
  );
}

function sizeOf(ids: ReferencedIds): number {
  return referenceKinds.reduce((sum, kind) => sum + ids[kind].size, 0);
}
