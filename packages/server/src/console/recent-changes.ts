/** How many of the newest changes are searched for the last one of an area or source: an older one is not worth the time. */
const searchedChanges = 2_000;

const last = (less: number) => `(select c.seq - ${less} from tenant_counters c where c.tenant_id = $1)`;

/**
 * Whether an entry of the journal of tenant `$1` is one of the newest. Numbers have no gaps. The range has both ends,
 * because the planner takes a range with one end for a third of the journal. Each end is a value by itself, because no
 * index is searched for a computed one under row-level security.
 */
export const isRecent = `tenant_id = $1 and seq between ${last(searchedChanges - 1)} and ${last(0)}`;
