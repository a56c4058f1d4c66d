import { longestKpiDays, type ReadKpis } from '@tocsin/contract';
import { invalid } from '../../common/problem.ts';
import { zoneOfStation } from '../../plant/station.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { resolvePeriod } from '../resolve-period.ts';

/** The period of key figures. `until` is its end, or now while it lasts; never before `from`. */
export type KpiPeriod = { from: Date; to: Date; until: Date; zone: string };

const dayMs = 86_400_000;
const defaultDays = 30;

export async function resolveKpiPeriod(transaction: TenantTransaction, query: ReadKpis): Promise<KpiPeriod> {
  const given = await resolvePeriod(transaction, query);
  const { now } = transaction;
  const to = given.to ?? now;
  const from = given.from ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalid('to', 'The period must end after it begins');
  if (to.getTime() - from.getTime() > longestKpiDays * dayMs)
    throw invalid('from', `The period must not be longer than ${longestKpiDays} days`);
  const end = to < now ? to : now;
  const zone = await zoneOfStation(transaction, query.stationId);
  return { from, to, until: end > from ? end : from, zone };
}
