import type { ClaimRow } from './claim-watch.ts';
import type { Evidence } from './evidence.ts';

/**
 * I7: fences rise with each claim, nobody takes what another still holds, and no dispatcher stores a result of what it
 * has lost. Two claims by the same process are one holder here: which of them a result belongs to cannot be seen from
 * outside.
 */
export function checkClaims({ claims }: Pick<Evidence, 'claims'>): string[] {
  const byRow = Map.groupBy(claims, ({ kind, tenantId, id }) => `${kind} ${id} of tenant ${tenantId}`);
  return [...byRow].flatMap(([name, changes]) => faultsOf(changes).map((fault) => `I7: ${name} ${fault}`));
}

function faultsOf(changes: readonly ClaimRow[]): string[] {
  let known = 0;
  let holder = '';
  return changes.flatMap((change) => {
    const { fence, fenceBefore, process, result } = change;
    const isClaim = fence !== fenceBefore;
    const isFollowed = fenceBefore === known;
    known = fence;
    if (!isFollowed) return `has a claim that nobody saw, before number ${fenceBefore}`;
    if (isClaim) {
      const last = holder;
      holder = process;
      return claimFaults(change, last);
    }
    if (result === '' || !isDispatcher(process) || process === holder) return [];
    return `got "${result}" from ${process}, and number ${fence} is with ${holder || 'nobody'}`;
  });
}

function claimFaults({ fence, fenceBefore, leaseBefore, at, process }: ClaimRow, last: string): string[] {
  if (fence < fenceBefore) return [`was claimed with number ${fence} after ${fenceBefore}`];
  if (leaseBefore === null || leaseBefore <= at) return [];
  const leftMs = Math.round(leaseBefore - at);
  return [`was claimed by ${process} while ${last || 'nobody'} had it for another ${leftMs} ms`];
}

/** Providers report to whoever serves the interface, and need to hold nothing. */
function isDispatcher(process: string): boolean {
  return process.startsWith('dispatcher');
}

/** How often somebody took up what another had taken up and not brought to an end. */
export function countTakeovers({ claims }: Pick<Evidence, 'claims'>): number {
  return claims.filter(({ fence, fenceBefore, leaseBefore }) => fence > fenceBefore && leaseBefore !== null)
    .length;
}
