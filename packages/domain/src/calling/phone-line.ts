import type { Sending } from './bundle.ts';

/**
 * Splits sendings by whether their telephone is free. At most one call goes to a telephone at a time, because a second one
 * would find it busy by our own doing. Messages never wait. The first sending of a telephone goes first.
 */
export function splitByLine(
  sendings: readonly Sending[],
  busyAddresses: ReadonlySet<string>,
): { free: Sending[]; waiting: Sending[] } {
  const taken = new Set(busyAddresses);
  const free: Sending[] = [];
  const waiting: Sending[] = [];
  for (const sending of sendings) {
    const medium = sending.attempts[0]?.medium;
    const isBusy = medium?.kind === 'Voice' && taken.has(medium.address);
    (isBusy ? waiting : free).push(sending);
    if (medium?.kind === 'Voice') taken.add(medium.address);
  }
  return { free, waiting };
}
