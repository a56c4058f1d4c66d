import type { TagReach } from '../subscriptions/tag-reach.ts';
import type { JournalState, KnownEntry, RememberedJournal } from './feed.store.ts';
import type { ReadJournal } from './journal-pages.ts';

/** The database reads of the alarm feed. */
export type JournalSource = {
  readonly read: ReadJournal;
  /** The same for entries that another server has written; few such reads run at a time. */
  readonly readNew: ReadJournal;
  readonly readEnds: (tenantIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  readonly readStates: (
    known: readonly KnownEntry[],
  ) => Promise<{ states: ReadonlyMap<number, JournalState>; now: Date }>;
  readonly readReach: (tenantId: number, tagIds: readonly number[]) => Promise<ReadonlyMap<number, TagReach>>;
  /** The last entry that the journal has in common with the remembered one. */
  readonly readFork: (tenantId: number, remembered: RememberedJournal) => Promise<number>;
};
