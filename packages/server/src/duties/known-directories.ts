import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import { createRecentlyUsed } from '../recently-used.ts';
import { readCallDirectory, readDirectoryVersion } from './call-directory.store.ts';
import type { CallDirectory } from './call-directory.ts';

export type KnownDirectories = {
  /** The directory as the transaction sees it; `version` when it was read already. */
  of(transaction: BareTransaction, version?: number): Promise<CallDirectory>;
};

/** Keeps the directories of so many tenants: one that changes often costs one read for each change. */
const largest = 500;

/** Call directories change seldom and are asked for with each alarm: they stay in memory until their version moves. */
export function createKnownDirectories(): KnownDirectories {
  const known = createRecentlyUsed<number, CallDirectory>(largest);
  return {
    of: async (transaction, seen) => {
      const { tenantId } = transaction;
      const version = seen ?? (await readDirectoryVersion(transaction));
      const kept = known.get(tenantId);
      if (kept?.version === version) return kept;
      const fresh = await readCallDirectory(transaction);
      known.set(tenantId, fresh);
      return fresh;
    },
  };
}
