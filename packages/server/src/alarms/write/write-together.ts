import type { TenantBatch } from './write-batch.ts';
import type { Permit } from './write-permits.ts';

type Group = { batches: TenantBatch[]; written: PromiseWithResolvers<void> };

/** Collects the batches of a shared permit and writes them as soon as all of them are there. */
export function createTogether(
  write: (batches: readonly TenantBatch[]) => Promise<void>,
): (permit: Permit, batch: TenantBatch) => Promise<void> {
  const groups = new Map<Permit, Group>();
  return (permit, batch) => {
    const group = groups.get(permit) ?? { batches: [], written: Promise.withResolvers<void>() };
    groups.set(permit, group);
    group.batches.push(batch);
    if (group.batches.length === permit.sharers) {
      groups.delete(permit);
      write(group.batches).then(group.written.resolve, group.written.reject);
    }
    return group.written.promise;
  };
}
