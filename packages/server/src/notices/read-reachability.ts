import type { UserReachability } from '@tocsin/contract';
import { formatInZone, type Person, reachedOf } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { isSameMedium, listTested, listTesting, type TestedMedium } from './reachability.store.ts';
import { type MediumOutcome, readMediumOutcomes } from './read-notice.ts';

/** The last result of each medium of these people. */
export async function readReachability(
  transaction: TenantTransaction,
  people: readonly Person[],
): Promise<UserReachability[]> {
  const tested = await listTested(transaction, people.length === 1 ? [people[0]?.userId ?? 0] : undefined);
  const outcomes = await readMediumOutcomes(
    transaction,
    tested.map(({ escalationId }) => escalationId),
  );
  const testing = await listTesting(transaction);
  const testedOf = Map.groupBy(tested, ({ userId }) => userId);
  const byEscalation = new Map(outcomes.map((outcome) => [outcome.escalationId, outcome]));
  return people.map((person) =>
    reachabilityOf(person, {
      tested: testedOf.get(person.userId) ?? [],
      byEscalation,
      testing: testing.has(person.userId),
    }),
  );
}

type Found = {
  tested: readonly TestedMedium[];
  byEscalation: ReadonlyMap<number, MediumOutcome>;
  testing: boolean;
};

function reachabilityOf(
  { userId, name, media }: Person,
  { tested, byEscalation, testing }: Found,
): UserReachability {
  const results = media.map((medium) => {
    const last = tested.find((one) => isSameMedium(medium, one));
    return { medium, outcome: last && byEscalation.get(last.escalationId) };
  });
  return {
    userId,
    user: name,
    reached: reachedOf(results.map(({ outcome }) => outcome)),
    testing,
    media: results.map(({ medium, outcome }) => mediumOf(medium, outcome)),
  };
}

function mediumOf(
  { kind: medium, address }: Person['media'][number],
  outcome: MediumOutcome | undefined,
): UserReachability['media'][number] {
  if (!outcome) return { medium, address, state: 'untested', reason: 'Not tested yet' };
  const { state, reason, at, openedAt, confirmedBy } = outcome;
  return {
    medium,
    address,
    state,
    reason,
    testTime: formatInZone('UTC', openedAt),
    ...(at && { stateTime: formatInZone('UTC', at) }),
    ...(confirmedBy && { confirmedBy }),
  };
}
