import type { ClaimRow } from './claim-watch.ts';
import type { Evidence } from './evidence.ts';

/**
 * I7: fencing tokens rise with each claim, no process claims a row under a valid lease, and no dispatcher stores a result
 * after it lost its lease. Two claims by the same process count as one holder, because the checker cannot see to which of
 * them a result belongs.
 */
export function checkClaims({ claims }: Pick<Evidence, 'claims'>): string[] {
  const byRow = Map.groupBy(claims, ({ kind, tenantId, id }) => `${kind} ${id} of tenant ${tenantId}`);
  return [...byRow].flatMap(([name, changes]) => faultsOf(changes).map((fault) => `I7: ${name} ${fault}`));
}

function faultsOf(changes: readonly ClaimRow[]): string[] {
  let known = 0;
  let holder = '';
  return changes.flatMap((change) => {
    const { fencingToken, previousFencingToken, process, result } = change;
    const isClaim = fencingToken !== previousFencingToken;
    const isFollowed = previousFencingToken === known;
    known = fencingToken;
    if (!isFollowed) return `has a claim that nobody saw, before number ${previousFencingToken}`;
    if (isClaim) {
      const last = holder;
      holder = process;
      return claimFaults(change, last);
    }
    if (result === '' || !isDispatcher(process) || process === holder) return [];
    return `got "${result}" from ${process}, and number ${fencingToken} is with ${holder || 'nobody'}`;
  });
}

function claimFaults(
  { fencingToken, previousFencingToken, leaseBefore, at, process }: ClaimRow,
  last: string,
): string[] {
  if (fencingToken < previousFencingToken)
    return [`was claimed with number ${fencingToken} after ${previousFencingToken}`];
  if (leaseBefore === null || leaseBefore <= at) return [];
  const leftMs = Math.round(leaseBefore - at);
  return [`was claimed by ${process} while ${last || 'nobody'} had it for another ${leftMs} ms`];
}

/** API servers store reports of providers without a lease. */
function isDispatcher(process: string): boolean {
  return process.startsWith('dispatcher');
}

/** Number of claims of rows whose lease had expired. */
export function countTakeovers({ claims }: Pick<Evidence, 'claims'>): number {
  return claims.filter(
    ({ fencingToken, previousFencingToken, leaseBefore }) =>
      fencingToken > previousFencingToken && leaseBefore !== null,
  ).length;
}
